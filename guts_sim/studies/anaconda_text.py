"""Answers about whole hands of Anaconda in words."""

from collections.abc import Mapping, Sequence
from typing import Any

from guts_sim.games.anaconda_strategy import ORDER_WORDS
from guts_sim.studies.text import figure, percent, prose, table

EXPECTED_WORDS = {
    "last": "as if everybody showed his strongest card last",
    "hide": "as if everybody kept his groups hidden",
    "honest": "as if everybody showed his strongest card first",
    "random": "as if every order were equally likely",
}


def table_lines(results: Mapping[str, Any]) -> list[str]:
    """Summary lines of an `anaconda` answer."""
    n_players = results["n_players"]
    lines = [f"Anaconda, {n_players} players, {results['hands']:,} hands: net chips per hand", ""]
    header = ["player", "strategy", "net", "stderr", "showdown", "won there", "others fold"]
    cells = [
        [
            row["player"],
            row["strategy"],
            figure(row["net"], "+.4f"),
            figure(row["stderr"], ".4f"),
            percent(row["showdown"], 2),
            "" if row["won_at_showdown"] is None else percent(row["won_at_showdown"], 2),
            percent(row["won_before"], 2),
        ]
        for row in results["rows"]
    ]
    lines += table(header, cells)
    groups = [group for group in results["strategies"] if group["players"] > 1]
    if groups and len(results["strategies"]) > 1:
        rows = [[f"{group['strategy']} x {group['players']}", *_chips(group)] for group in groups]
        lines += ["", *table(["strategy", "net", "stderr"], rows)]
    seats = range(1, n_players + 1)
    by_seat = {(row["player"], row["seat"]): figure(row["net"], "+.3f") for row in results["seats"]}
    seat_header = ["net by seat", *(f"seat {seat}" for seat in seats)]
    seat_rows = [[f"player {player}", *(by_seat[player, seat] for seat in seats)] for player in seats]
    lines += ["", *table(seat_header, seat_rows), ""]
    return lines + prose(
        f"Seat 1 is on the dealer's left, seat {n_players} deals. Every deal was played from all {n_players} seats."
    )


def tournament_lines(results: Mapping[str, Any]) -> list[str]:
    """Summary lines of an `anaconda_tournament` answer."""
    names = results["strategies"]
    net = {(row["strategy"], row["field"]): row for row in results["rows"]}
    lines = [
        f"Anaconda, {results['n_players']} players: net chips per hand of one player (row) among others (column)",
        "",
    ]
    overall = {row["strategy"]: row for row in results["overall"]}
    cells = [
        [own, *("" if own == field else f"{net[own, field]['net']:+.3f}" for field in names), *_chips(overall[own])]
        for own in names
    ]
    lines += [*table(["", *names, "mean", "stderr"], cells), ""]
    best = max(results["overall"], key=lambda row: row["net"])
    widest = max(row["stderr"] for row in results["rows"])
    return lines + prose(
        f"{best['strategy']} wins most on average over the other fields. "
        f"Standard errors of pairs are at most {figure(widest, '.3f')}."
    )


def order_lines(results: Mapping[str, Any]) -> list[str]:
    """Summary lines of an `anaconda_orders` answer."""
    lines = [
        f"Anaconda, {results['n_players']} players: order of reveal of a {results['strategy']} player"
        f" among {', '.join(results['others'])}",
        "",
    ]
    cells = [
        [
            row["order"],
            ORDER_WORDS[row["order"]],
            *_chips(row),
            "" if row["order"] == "honest" else figure(row["gain"], "+.4f"),
            "" if row["order"] == "honest" else figure(row["gain_stderr"], ".4f"),
        ]
        for row in results["rows"]
    ]
    lines += [*table(["order", "reveals", "net", "stderr", "gain", "stderr"], cells), ""]
    read = EXPECTED_WORDS[results["expected"]]
    return lines + prose(
        "Net chips per hand; gain over showing the strongest card first, paired on the same deals. The others judge"
        f" exposed cards {read}: this is what an order earns from them."
    )


def _chips(row: Mapping[str, Any]) -> Sequence[str]:
    return figure(row["net"], "+.4f"), figure(row["stderr"], ".4f")
