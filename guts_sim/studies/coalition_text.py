"""The coalition answer in words."""

from collections.abc import Mapping, Sequence
from math import isfinite
from typing import Any

from guts_sim.studies.text import figure, percent, prose, table, with_error

MOST_NAMED = 4


def continuous_lines(results: Mapping[str, Any]) -> list[str]:
    """Summary lines of an answer with continuous hands."""
    n, c = results["n_players"], results["colluders"]
    honest = n - c
    seated = "one honest player" if honest == 1 else f"{honest} honest players"
    cards = "who see each other's cards" if results["shared_cards"] else "who do not see each other's cards"
    lines = prose(
        f"Guts, {n} players, continuous hands, nobody in: {results['nobody_in']}; {seated} against {c} colluders"
        f" {cards} (exact; values in antes per pot of one ante each)"
    )
    lines.append("")
    if not results["has_value"]:
        return lines + prose(
            "The game has no finite value: the coalition can win something and let the stakes grow at the same time."
        )
    lines += prose(_honest_line(results, honest))
    lines += prose(_equilibrium_line(results, honest))
    lines += ["", *plan_table(results["plans"], results["shared_cards"])]
    if len(results["rows"]) > 1:
        lines += ["", *_sizes_table(results["rows"])]
    return lines


def card_lines(results: Mapping[str, Any], n: int) -> list[str]:
    """Summary lines of an answer with cards; ``n`` is 0 for exact values."""
    honest = results["n_players"] - results["colluders"]
    seated = "one honest player" if honest == 1 else f"{honest} honest players"
    sees = "who see each other's cards" if results["shared_cards"] else "who do not see each other's cards"
    how = "exact" if n == 0 else f"measured on {n:,} fresh deals"
    lines = prose(
        f"Guts, {results['n_players']} players, {results['cards']} cards: {seated} against {results['colluders']}"
        f" colluders {sees} ({how}; values in antes per pot of one ante each)"
    )
    naive = results["equilibrium"]
    plan = naive["plan"]
    line = (
        f"Against {'a player' if honest == 1 else 'players'} who keep{'s' if honest == 1 else ''} to {naive['hand']} or"
        f" better, the equilibrium of an honest table, the best plan is {_plan_words(plan, results['shared_cards'])}:"
        f" {with_error(naive['value'], naive['stderr'], 5)} to each honest player."
    )
    lines += ["", *prose(line)]
    if results["cards"] == 3:
        lines += prose(
            "(Three cards: the honest player decides alike with neighbouring hands, at least one in a hundred of all;"
            " with four and more players the threshold of an honest table is one that enters as often as its"
            " equilibrium.)"
        )
    if results["honest"] is None:
        return lines
    value, conceded = results["value_estimate"], results["conceded_estimate"]
    lines += prose(
        f"The honest player answers best with {_honest_words(results['honest'])}: the game then is worth"
        f" {with_error(value['value'], value['stderr'], 5)} to him. No strategy gets more than"
        f" {with_error(conceded['value'], conceded['stderr'], 5)} against the coalition's mix of plans:"
    )
    body = [
        [
            percent(row["weight"], 2),
            "none" if row["weight_per_pot"] is None else percent(row["weight_per_pot"], 2),
            row["always_in"],
            row["hand_of_others"],
            figure(row["expected_multiplier"], ".5f"),
        ]
        for row in results["plans"]
    ]
    others = "strongest colluder needs" if results["shared_cards"] else "the others need"
    header = ["weight", "if kept for a whole pot", "always in", others, "mean multiplier"]
    return [*lines, "", *table(header, body)]


def _plan_words(plan: Mapping[str, Any], shared_cards: bool) -> str:
    if shared_cards:
        return f"that the strongest colluder alone enters, with {plan['hand_of_others']} or better"
    if plan["always_in"] == 0:
        return f"that all colluders need {plan['hand_of_others']} or better"
    return f"{plan['always_in']} always in and {plan['hand_of_others']} or better for the others"


def _honest_words(honest: Mapping[str, Any]) -> str:
    also = honest["also"]
    some = (
        f", some of {len(also)} weaker kinds of hands"
        if len(also) > MOST_NAMED
        else "".join(f", {hand} {percent(p, 0)}" for hand, p in also.items())
    )
    if honest["hand"] is None and not some:
        return "no hand at all"
    strong = "" if honest["hand"] is None else f"{honest['hand']} or better"
    return f"{(strong + some).removeprefix(', ')} ({percent(honest['entry_prob'], 2)} of hands)"


def _honest_line(results: Mapping[str, Any], honest: int) -> str:
    who = "The honest player" if honest == 1 else "Each honest player"
    line = (
        f"{who} enters best with the top {percent(results['honest']['entry_prob'], 2)} of hands; the game is then worth"
        f" {results['value']:+.5f} to him and {results['gain_per_colluder']:+.5f} to each colluder"
    )
    if honest > 1:
        return line + " (the best that honest players can get who all use one threshold)."
    return line + f"; the coalition's mix allows him {results['conceded']:+.5f} at most."


def _equilibrium_line(results: Mapping[str, Any], honest: int) -> str:
    naive = results["equilibrium"]
    him = "he keeps" if honest == 1 else "they keep"
    if not isfinite(naive["value"]):
        return f"If {him} to the equilibrium of an honest table, the coalition wins without bound."
    line = f"If {him} to the equilibrium of an honest table (top {percent(1.0 - naive['threshold'], 2)}):"
    if abs(naive["value"]) < 1e-9:
        return line + " the coalition gains nothing."
    return line + f" {naive['value']:+.5f}, and {naive['gain_per_colluder']:+.5f} to each colluder."


def plan_table(plans: Sequence[Mapping[str, Any]], shared_cards: bool) -> list[str]:
    """The coalition's mix, one line per plan."""
    waits = "threshold_of_strongest" if shared_cards else "threshold_of_others"
    body = []
    for row in plans:
        per_pot = "none" if row["weight_per_pot"] is None else percent(row["weight_per_pot"], 2)
        cells = [percent(row["weight"], 2), per_pot, row["always_in"], f"{row[waits]:.4f}"]
        body.append([*cells, f"{row['expected_multiplier']:.5f}"])
    others = "strongest colluder needs" if shared_cards else "the others need"
    return table(["weight", "if kept for a whole pot", "always in", others, "mean multiplier"], body)


def _sizes_table(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    header = ["colluders", "honest at equilibrium", "each colluder", "honest at best", "each colluder"]
    keys = ("value_at_equilibrium", "gain_at_equilibrium", "value", "gain_per_colluder")
    body = [[row["colluders"], *(signed(row[key]) for key in keys)] for row in rows]
    return table(header, body)


def signed(value: float) -> str:
    """A value with its sign, or "without bound"."""
    return f"{value:+.5f}" if isfinite(value) else "no bound"
