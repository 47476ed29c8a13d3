"""The coalition answer in words."""

from collections.abc import Mapping, Sequence
from math import isfinite
from typing import Any

from guts_sim.studies.text import percent, prose, table


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
