"""Commands about hands of cards."""

from collections.abc import Mapping, Sequence
from typing import Any

import click

from guts_sim.cli.options import MAX_WORKERS, Count, OneOfEach, output_options, plot_option
from guts_sim.cli.output import check_outputs, emit

RANKING_HELP = (
    "guts2, guts3 (also -plain, -trips-top, -flush-over-straight), high5 (best five of 5 to 7), low5 (ace to five),"
    " exposed (1 to 4 shown cards), high1."
)
ranking_option = click.option("--ranking", metavar="NAME", help=RANKING_HELP)


@click.group()
def hands() -> None:
    """Rank, compare and count hands."""


@hands.command(cls=OneOfEach)
@click.argument("hand", nargs=-1, required=True)
@ranking_option
@click.option("--board", metavar="CARDS", help="Cards that belong to every hand.")
@output_options
def compare(hand: tuple[str, ...], ranking: str | None, board: str | None, **options: Any) -> None:
    """Winners among the HANDs, by position from 0; quote each hand: "As Kd Qc" "2h 2d 3c"."""
    from guts_sim.results import counted_result
    from guts_sim.studies.hands import compare_hands

    check_outputs(options)
    found = compare_hands(hand, ranking or _default_ranking(hand[0], board), board=board)
    winners = list(found.winners)
    lines = _hand_lines(found.rows, found.ranking)
    lines += ["", ("Winner: " if len(winners) == 1 else "Winners: ") + ", ".join(f"hand {w}" for w in winners)]
    results = {"ranking": found.ranking, "winners": winners, "hands": found.rows}
    parameters = {"hands": list(hand), "ranking": found.ranking, "board": board}
    result = counted_result(
        "hands compare", rules={}, parameters=parameters, results=results, rows=found.rows, lines=lines
    )
    emit(result, options)


@hands.command(cls=OneOfEach)
@click.argument("hand", nargs=-1, required=True)
@ranking_option
@output_options
def rank(hand: tuple[str, ...], ranking: str | None, **options: Any) -> None:
    """Category, name and strength of each HAND; a larger hand_rank is stronger."""
    from guts_sim.results import counted_result
    from guts_sim.studies.hands import rank_hand

    check_outputs(options)
    ranked = [rank_hand(text, ranking or _default_ranking(text, None)) for text in hand]
    rows = [row for one in ranked for row in one.rows]
    lines = [*_hand_lines(rows, ranking or "by number of cards"), *(one.description for one in ranked)]
    parameters = {"hands": list(hand), "ranking": ranking}
    result = counted_result(
        "hands rank", rules={}, parameters=parameters, results={"hands": rows}, rows=rows, lines=lines
    )
    emit(result, options)


@hands.command("table", cls=OneOfEach)
@click.option("--cards", type=Count(1, 7), default=3, show_default=True, help="Cards per hand, 1 to 7.")
@ranking_option
@click.option("--workers", type=Count(1, MAX_WORKERS), default=1, show_default=True, help="Threads.")
@output_options
@plot_option
def table_command(cards: int, ranking: str | None, workers: int, **options: Any) -> None:
    """Number of hands of each category, by counting them all."""
    from guts_sim.results import counted_result
    from guts_sim.studies.hands import frequency_table
    from guts_sim.studies.text import percent, table

    check_outputs(options)
    found = frequency_table(cards, ranking, n_threads=workers)
    body = [[row["category"], f"{row['hands']:,}", percent(row["probability"], 5)] for row in found.rows]
    lines = [f"{found.n_hands:,} hands of {cards} cards, {found.n_classes:,} classes, ranking {found.ranking}", ""]
    lines += table(["category", "hands", "probability"], body)
    results = {"n_hands": found.n_hands, "n_classes": found.n_classes, "rows": found.rows}
    parameters = {"cards": cards, "ranking": found.ranking}
    result = counted_result(
        "hands table", rules={}, parameters=parameters, results=results, rows=found.rows, lines=lines
    )
    emit(result, options)


def _default_ranking(hand: str, board: str | None) -> str:
    """Return the ranking that fits the number of cards."""
    from guts_sim.cards import parse_cards
    from guts_sim.hands import default_ranking

    return default_ranking(len(parse_cards(hand)) + (len(parse_cards(board)) if board else 0)).name


def _hand_lines(rows: Sequence[Mapping[str, Any]], ranking: str) -> list[str]:
    from guts_sim.studies.text import table

    body = [[i, row["cards"], row["category"], row["name"], row["hand_rank"]] for i, row in enumerate(rows)]
    return [f"Ranking {ranking}", "", *table(["hand", "cards", "category", "name", "hand_rank"], body)]
