"""Counts of whole Anaconda hands turned into answers."""

from collections.abc import Sequence
from typing import Any

from guts_sim.estimate import Estimate, exact, normal
from guts_sim.games.anaconda_strategy import ORDERS, AnacondaStrategy
from guts_sim.results import Row
from guts_sim.studies.anaconda_sampling import Tally
from guts_sim.studies.passing import paired_stderr


def numbers_of(estimate: Estimate) -> dict[str, float]:
    """An estimate of chips as columns of a table."""
    return {
        "net": estimate.value,
        "stderr": estimate.stderr,
        "ci_low": estimate.ci_low,
        "ci_high": estimate.ci_high,
    }


def table_results(players: Sequence[AnacondaStrategy], tally: Tally, confidence: float) -> dict[str, Any]:
    """Answer of `anaconda`."""
    n = len(players)
    hands = n * tally.n_deals
    rows: list[Row] = []
    for player, strategy in enumerate(players):
        own = [int(other == player) for other in range(n)]
        showdowns = int(tally.showdowns[player])
        rows.append(
            {"player": player + 1, "strategy": strategy.name}
            | numbers_of(tally.mean(own, n, confidence))
            | {
                "showdown": showdowns / hands,
                "won_at_showdown": int(tally.won_there[player]) / showdowns if showdowns else None,
                "won_before": int(tally.won_before[player]) / hands,
            }
        )
    names = list(dict.fromkeys(strategy.name for strategy in players))
    groups = []
    for name in names:
        members = [int(strategy.name == name) for strategy in players]
        mean = tally.mean(members, n * sum(members), confidence)
        groups.append({"strategy": name, "players": sum(members)} | numbers_of(mean))
    seats = []
    for player, strategy in enumerate(players):
        for seat in range(n):
            total, squares = int(tally.by_seat[player, seat]), int(tally.seat_squares[player, seat])
            stderr = paired_stderr(total, squares, tally.n_deals)
            mean = normal(total / tally.n_deals, stderr, tally.n_deals, confidence)
            seats.append({"player": player + 1, "strategy": strategy.name, "seat": seat + 1} | numbers_of(mean))
    return {"n_players": n, "hands": hands, "rows": rows, "strategies": groups, "seats": seats}


def tournament_results(
    names: Sequence[str], pairs: Sequence[tuple[int, int]], tally: Tally, n_players: int, confidence: float
) -> dict[str, Any]:
    """Answer of `anaconda_tournament`."""
    rows: list[Row] = []
    overall = []
    for own, name in enumerate(names):
        for field, other in enumerate(names):
            weights = [int(pair == (own, field)) for pair in pairs]
            mean = exact(0.0, confidence) if own == field else tally.mean(weights, n_players, confidence)
            rows.append({"strategy": name, "field": other} | numbers_of(mean))
        weights = [int(pair[0] == own) for pair in pairs]
        overall.append({"strategy": name} | numbers_of(tally.mean(weights, n_players * (len(names) - 1), confidence)))
    return {"n_players": n_players, "strategies": list(names), "rows": rows, "overall": overall}


def order_results(
    players: Sequence[AnacondaStrategy], tally: Tally, expected: str, confidence: float
) -> dict[str, Any]:
    """Answer of `anaconda_orders`."""
    n, orders = len(players), list(ORDERS)
    rows: list[Row] = []
    for order in orders:
        own = [int(other == order) for other in orders]
        gain = tally.mean([a - int(other == "honest") for a, other in zip(own, orders)], n, confidence)
        paired = {
            "gain": gain.value,
            "gain_stderr": gain.stderr,
            "gain_ci_low": gain.ci_low,
            "gain_ci_high": gain.ci_high,
        }
        rows.append({"order": order} | numbers_of(tally.mean(own, n, confidence)) | paired)
    others = list(dict.fromkeys(player.name for player in players[1:]))
    return {"n_players": n, "strategy": players[0].name, "others": others, "expected": expected, "rows": rows}
