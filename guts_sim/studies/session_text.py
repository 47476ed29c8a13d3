"""The answer of `session` in words."""

from collections.abc import Mapping, Sequence
from typing import Any

from guts_sim.rules import GutsRules
from guts_sim.studies.text import figure, percent, prose, table

CHANCES = {
    "p_ahead": "ahead",
    "p_ruin": "ruined",
    "p_stopped": "stopped",
    "p_win": "wins",
    "p_shared_win": "shares",
}


def session_lines(rules: GutsRules, parameters: Mapping[str, Any], results: Mapping[str, Any]) -> list[str]:
    """Summary lines of a `session` answer."""
    length = f"{parameters['cycles']} cycles" if parameters["rounds"] is None else f"{parameters['rounds']} rounds"
    lines = [
        f"Guts, {results['n_players']} players, {rules.cards} cards, rules {rules.profile}: sessions of {length}",
        *prose(_money(rules, parameters)),
    ]
    if results["rounds"] is not None:
        rounds, cycles = results["rounds"], results["cycles"]
        lines.append(f"A session takes {rounds['value']:.2f} rounds; {cycles['value']:.2f} cycles end in it.")
    seats, strategies = results["seats"], [group for group in results["strategies"] if group["players"] > 1]
    if seats[0]["net"] is not None:
        lines += ["", *_table("seat", [seat["name"] for seat in seats], seats)]
    if strategies and seats[0]["net"] is not None:
        names = [f"{group['strategy']} x {group['players']}" for group in strategies]
        lines += ["", *_table("strategy", names, strategies)]
    if results["declaration_order"] is not None:
        lines += ["", *_order_table(results["declaration_order"])]
    return lines + [""] + [line for note in results["notes"] for line in prose(note)]


def _money(rules: GutsRules, parameters: Mapping[str, Any]) -> str:
    cap = "no cap" if rules.cap is None else f"cap {rules.cap}" + (" with a reserve" if rules.reserve else "")
    stakes = "on credit" if rules.bankroll is None else f"{rules.stakes} stakes, {rules.bankroll} chips each"
    text = f"Ante {rules.ante}, {cap}, {stakes}; nobody in: {rules.nobody_in}."
    limits = parameters["loss_limits"]
    if limits:
        text += " Sits out when down by: " + ", ".join(f"{name} {chips}" for name, chips in limits.items()) + "."
    return text


def _table(title: str, names: Sequence[str], groups: Sequence[Mapping[str, Any]]) -> list[str]:
    shown = [chance for chance in CHANCES if any(group[chance] is not None for group in groups)]
    header = [title, *(["strategy"] if title == "seat" else []), "net, chips", "stderr", "sd", "5 %", "median", "95 %"]
    body = []
    for name, group in zip(names, groups):
        net = group["net"]
        quantiles = [str(net["quantiles"][q]) for q in ("0.05", "0.5", "0.95")]
        cells = [name, *([group["strategy"]] if title == "seat" else [])]
        cells += [f"{net['value']:+.4f}", figure(net["stderr"], ".4f"), figure(net["sd"], ".2f"), *quantiles]
        cells += ["" if group[chance] is None else percent(group[chance]["value"], 2) for chance in shown]
        body.append(cells)
    return table(header + [CHANCES[chance] for chance in shown], body)


def _order_table(places: Sequence[Mapping[str, Any]]) -> list[str]:
    body = []
    for row in places:
        name = "last" if row["place"] == len(places) else str(row["place"])
        interval = " .. ".join(figure(row[end], "+.4f") for end in ("ci_low", "ci_high"))
        body.append([name, f"{row['value']:+.4f}", figure(row["stderr"], ".4f"), interval])
    return table(["declares", "worth, chips per session", "stderr", "interval"], body)
