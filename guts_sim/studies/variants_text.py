"""The threshold answer in words, under rules beyond the base game."""

from collections.abc import Mapping
from typing import Any

from guts_sim.rules import VARIANT_SWITCHES, GutsRules
from guts_sim.studies.text import figure, percent, prose, table
from guts_sim.studies.threshold_text import around_change, around_threshold, estimate_text, folk_line, hand_table

Results = Mapping[str, Any]
_BASE = GutsRules()


def variant_lines(rules: GutsRules, results: Results, n: int) -> list[str]:
    """Summary lines of an answer that was measured on ``n`` deals."""
    odd = [name for name in VARIANT_SWITCHES if getattr(rules, name) != getattr(_BASE, name)]
    switches = ", ".join(f"{name} {getattr(rules, name)}" for name in odd) or f"cap {rules.cap}"
    title = f"Guts, {results['n_players']} players, {rules.cards} cards; {switches}"
    lines = [*prose(f"{title} (measured on {n:,} fresh deals; payoffs in pots per round)"), ""]
    if "pot" in results:
        behind = f" and players who have {_chips(results['stack'])} left each" if "stack" in results else ""
        lines += prose(f"Payments are limited, so the answer holds for a pot of {results['pot']:,} chips{behind}.")
    if rules.high_low:
        shares = results["declarations"]
        lines += prose(
            "The two pots are two games that share the cards. In equilibrium"
            f" {'the first player' if 'nodes' in results else 'a player'} declares out"
            f" with {percent(shares['out'], 2)} of hands, high {percent(shares['high'], 2)}, low"
            f" {percent(shares['low'], 2)}, both {percent(shares['both'], 2)}."
        )
        lines += ["", "For the high pot", *_pot_lines(rules, results, n), "", "For the low pot"]
        return lines + _pot_lines(rules, results["low"], n)
    return lines + _pot_lines(rules, results, n)


def _chips(number: float) -> str:
    """A number of chips in full, with what there is of fractions."""
    return f"{number:,.2f}".rstrip("0").rstrip(".")


def _pot_lines(rules: GutsRules, results: Results, n: int) -> list[str]:
    equilibrium, pure = results["equilibrium"], results["threshold"]
    lines = prose(
        f"Equilibrium: {percent(equilibrium['entry_prob'], 2)} of hands enter; symmetric epsilon-equilibrium,"
        f" a deviation gains {estimate_text(results['exploitability'])} pot per deal."
    )
    if rules.declaration != "blind":
        lines += prose(
            f"Nearest pure strategy: weakest hand in {pure['hand']}, {percent(pure['entry_prob'], 2)} of hands;"
            f" exploitable by {estimate_text(pure['exploitability'])} (measured on the first quarter of the deals)."
        )
    lines += prose(_round_line(results["round"]))
    lines.append("")
    if "nodes" in results:
        lines += [*_node_table(results), "", *_seat_table(results)]
    else:
        lines += hand_table(around_threshold(equilibrium["hands"]), n, None)
    if "field" in results:
        field, best = results["field"], results["best_response"]
        lines += ["", *prose(
            f"Against opponents who play {field['spec']} ({percent(field['entry_prob'], 2)} of hands), the best reply"
            f" enters with {percent(best['entry_prob'], 2)} and gains {estimate_text(best['gain'])} pot per deal."
        ), *prose(_round_line(field["round"]))]  # fmt: skip
        if "nodes" not in results:
            lines += ["", *hand_table(around_change(field["hands"]), n, None)]
    if "folk_rule" in results:
        lines += ["", *prose(folk_line(results["folk_rule"]))]
    return lines


def _round_line(stats: Mapping[str, Any]) -> str:
    multiplier, stderr = stats["expected_multiplier"], figure(stats["stderr"]["expected_multiplier"], ".1e")
    line = (
        f"A round: nobody in {percent(stats['p_nobody'], 2)}, one {percent(stats['p_one'], 2)}, several"
        f" {percent(stats['p_contested'], 2)}; the pot is multiplied by {multiplier:.4f} (stderr {stderr})"
        " on average"
    )
    if stats["supercritical"]:
        return line + ": supercritical, expected stakes do not vanish and means of pots or rounds say nothing."
    if stats["expected_rounds"] is None:
        return line + "; the table never emptied."
    return line + f"; the table empties after {stats['expected_rounds']:.3f} rounds on average."


def _node_table(results: Results) -> list[str]:
    header = ["seat", "heard in", "comes about", "enters", "weakest hand in"]
    body = [
        [
            row["position"],
            row["heard"],
            percent(row["reach"], 2),
            "-" if row["entry_prob"] is None else percent(row["entry_prob"], 2),
            row["weakest_in"] or "-",
        ]
        for row in results["nodes"]
    ]
    return table(header, body)


def _seat_table(results: Results) -> list[str]:
    body = [
        [
            row["seat"],
            figure(row["value"], "+.5f"),
            figure(row["stderr"], ".5f"),
            f"[{figure(row['ci_low'], '+.5f')}, {figure(row['ci_high'], '+.5f')}]",
        ]
        for row in results["seats"]
    ]
    return [
        "What a seat is worth per round beyond an equal share of the pot:",
        *table(["seat", "pots", "stderr", "interval"], body),
    ]
