"""One hand of Anaconda, written out move by move."""

from typing import Any

from guts_sim.cards import format_cards
from guts_sim.checks import check_count
from guts_sim.engine import MAX_DEALS, resolve_seed
from guts_sim.games.anaconda import FOLD, HAND_SIZE, RAISE, Table, name_of, net_chips, shares_of_pot
from guts_sim.games.anaconda_strategy import GivenStrategies, seat_strategies
from guts_sim.hands import describe_hand
from guts_sim.interruption import interruptible
from guts_sim.results import Result, counted_result
from guts_sim.studies.anaconda_hands import deal_cards
from guts_sim.studies.anaconda_player import HandPlayer, Move
from guts_sim.studies.anaconda_sampling import hand_keys
from guts_sim.studies.anaconda_setting import check_policies, read_setting, recorded
from guts_sim.studies.measurement import read_run_options


@interruptible
def anaconda_hand(
    n_players: int = 4,
    *,
    strategies: GivenStrategies = "solid",
    passes: str = "3L",
    roll: bool = True,
    high_low: bool = False,
    expected: str = "random",
    seed: int | None = None,
    deal: int = 0,
) -> Result:
    """Write out one hand: who holds, passes, bets and shows what.

    Parameters
    ----------
    n_players, strategies, passes, roll, high_low, expected
        See `guts_sim.anaconda`; strategies are those of the seats from the dealer's left, the dealer last.
    seed : int, optional
        Seed of the cards; drawn and reported if not given.
    deal : int
        Number of the deal.

    Returns
    -------
    Result
        ``lines``: the log. ``results["rows"]``: ``seat``, ``strategy``, ``paid``, ``taken``, ``net``.

    Raises
    ------
    InputError
        An argument is not allowed.

    Examples
    --------
    >>> hand = anaconda_hand(3, strategies="caller", seed=1)
    >>> hand.results["showdown"], sum(row["net"] for row in hand.rows)
    (True, 0)
    """
    options = read_run_options(1, 1, seed, 0.95, 1, None, False)
    setting = read_setting(n_players, passes, roll, high_low, expected, options)
    deal = check_count(deal, "deal", 0, MAX_DEALS - 1)
    players = seat_strategies(strategies, setting.n_players)
    check_policies(players, setting.n_players)
    keys = hand_keys(resolve_seed(options.seed))
    player = HandPlayer(players, setting.rules, keys, deal, expected)
    hands = deal_cards(keys.deals, deal, 1, setting.n_players).reshape(-1, HAND_SIZE)
    end = player.play(hands.tolist())
    taken, net = shares_of_pot(end), net_chips(end)
    rows = [
        {
            "seat": seat + 1,
            "strategy": strategy.name,
            "paid": end.paid[seat],
            "taken": taken[seat],
            "net": net[seat],
        }
        for seat, strategy in enumerate(players)
    ]
    title = f"Anaconda, {setting.n_players} players, seed {options.seed}, deal {deal}; seat {setting.n_players} deals"
    lines = [title, "", *(f"Seat {row['seat']} plays {row['strategy']}." for row in rows), ""]
    first = player.moves[0][0]
    lines += [f"Everybody antes 1: pot {first.pot}."]
    lines += [f"  seat {seat + 1} is dealt {format_cards(hand)}" for seat, hand in enumerate(first.hands)]
    last_round = -1
    for table, move in player.moves:
        if table.waits_for == "action" and table.round_number > last_round:
            last_round = table.round_number
            lines += ["", *_round_lines(table)]
        lines += _move_lines(table, move)
    lines += ["", *_end_lines(end)]
    parameters = {"n_players": setting.n_players, "passes": passes, "roll": roll, "expected": expected}
    return counted_result(
        "anaconda hand",
        rules=setting.rules_record(),
        parameters=parameters | {"strategies": recorded(strategies, players), "seed": options.seed, "deal": deal},
        results={"n_players": setting.n_players, "showdown": end.at_showdown, "rows": rows, "log": lines[2:]},
        rows=rows,
        lines=lines,
    )


def _round_lines(table: Table) -> list[str]:
    """Heading of a betting round, with what is turned over before it."""
    lines = []
    opener = table.turns[0] + 1
    if table.n_exposed:
        lines.append(f"Card {table.n_exposed} is revealed.")
        lines += [f"  seat {seat + 1} shows {format_cards(table.exposed(seat))}" for seat in table.active]
    return [*lines, f"Betting round {table.round_number + 1}, pot {table.pot}, seat {opener} opens."]


def _move_lines(table: Table, move: Move) -> list[str]:
    if isinstance(move, int):
        seat = table.turns[0]
        word = name_of(table, move)
        owed = table.betting.owed[0]
        if move == FOLD or not (owed or move == RAISE):
            return [f"  seat {seat + 1} {word}s"]
        cost = owed + (move == RAISE)
        return [f"  seat {seat + 1} {word}s, pays {cost}: pot {table.pot + cost}"]
    if table.waits_for == "pass":
        n_cards, places = table.rules.passes[table.round_number]
        lines = ["", f"{n_cards} {'card' if n_cards == 1 else 'cards'} to the {'left' if places > 0 else 'right'}."]
        for place, seat in enumerate(table.active):
            taker = table.active[(place + places) % len(table.active)]
            lines.append(f"  seat {seat + 1} passes {format_cards(move[seat])} to seat {taker + 1}")
        return lines
    lines = ["", "Two cards are discarded, the order of the others is fixed."]
    for seat in table.active:
        discarded = [card for card in table.hands[seat] if card not in move[seat]]
        lines.append(f"  seat {seat + 1} discards {format_cards(discarded)}, keeps {format_cards(move[seat])}")
    return lines


def _end_lines(end: Table) -> list[str]:
    lines = []
    if end.at_showdown:
        lines.append(f"Showdown, pot {end.pot}.")
        final = end.orders or end.hands
        for seat in end.active:
            words = describe_hand(final[seat], "high5")
            lines.append(f"  seat {seat + 1} has {format_cards(final[seat])}: {words}")
    taken: tuple[Any, ...] = shares_of_pot(end)
    lines += [f"  seat {seat + 1} takes {chips}" for seat, chips in enumerate(taken) if chips]
    balance = ", ".join(f"seat {seat + 1} {chips:+d}" for seat, chips in enumerate(net_chips(end)))
    return [*lines, f"Net: {balance}."]
