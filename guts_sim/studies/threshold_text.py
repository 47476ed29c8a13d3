"""The threshold answer in words."""

from collections.abc import Mapping, Sequence
from math import isnan
from typing import Any

from guts_sim.rules import GutsRules
from guts_sim.studies.text import percent, prose, table, with_error

ROWS_AROUND = 5


def threshold_lines(rules: GutsRules, results: Mapping[str, Any], n: int, pot: int | None) -> list[str]:
    """Summary lines of a `threshold` answer; ``n`` is 0 for exact values."""
    equilibrium = results["equilibrium"]
    how = "counted exactly" if n == 0 else f"measured on {n:,} fresh deals"
    players = f"{results['n_players']} players, {rules.cards} cards, rules {rules.profile}"
    lines = [f"Guts, {players} ({how}; payoffs in {'pots' if pot is None else 'pots and chips'} per round)", ""]
    for line in _equilibrium_lines(equilibrium, results):
        lines += prose(line)
    lines += ["", *hand_table(around_threshold(equilibrium["hands"]), n, pot)]
    if "field" in results:
        lines += ["", *_field_lines(results["field"], results["best_response"], n, pot)]
    lines += ["", *prose(folk_line(results["folk_rule"]))]
    if pot is not None:
        lines += prose(
            "Nobody's share of the table depends on where its chips lie, so pot, reserve and cap scale what is"
            " at stake but do not move the threshold."
        )
    if "valid_up_to_pot" in results:
        lines += prose(
            f"Holds for pots up to {results['valid_up_to_pot']:g}; above, the cap of {rules.cap} trims what losers pay."
        )
    return lines


def _equilibrium_lines(equilibrium: Mapping[str, Any], results: Mapping[str, Any]) -> list[str]:
    threshold, stats = results["threshold"], results["round"]
    if equilibrium["kind"] == "threshold":
        lines = [f"Stay in with {threshold['hand']} or better ({percent(threshold['entry_prob'])} of hands)."]
    else:
        lines = [
            f"Equilibrium: entry probabilities per hand, {percent(equilibrium['entry_prob'])} of hands in all.",
            f"Nearest pure threshold: {threshold['hand']} or better ({percent(threshold['entry_prob'])}), exploitable"
            f" by {estimate_text(threshold['exploitability'])} pot per deal.",
        ]
    if "self_consistent_threshold" in results:
        pure = results["self_consistent_threshold"]
        if pure["hand"] != threshold["hand"]:
            lines.append(
                f"(The threshold whose weakest hand is just worth entering, {pure['hand']}, is exploitable by"
                f" {estimate_text(pure['exploitability'])}.)"
            )
    lines.append(_exploitability_line(results))
    lines.append(_round_line(stats))
    return lines


def _exploitability_line(results: Mapping[str, Any]) -> str:
    total, by_class = results["exploitability"], results["exploitability_by_class"]
    word = "Exploitability" if total["value"] == 0 else "Exploitability (symmetric epsilon-equilibrium)"
    line = f"{word}: {estimate_text(total)} pot per deal"
    if total["value"] == by_class["value"]:
        return line + "."
    return line + f"; {estimate_text(by_class)} for deviations that do not look at suits."


def _round_line(stats: Mapping[str, Any]) -> str:
    tail = "none" if stats["tail_index"] is None else f"{stats['tail_index']:.3f}"
    line = (
        f"A round: nobody in {percent(stats['p_nobody'])}, one {percent(stats['p_one'])}, showdown"
        f" {percent(stats['p_contested'])}; the pot is multiplied by {stats['expected_multiplier']:.6f} on average"
    )
    if stats["supercritical"]:
        return line + ": supercritical, expected stakes do not vanish and means of pots or rounds say nothing."
    rounds = "never" if stats["expected_rounds"] is None else f"after {stats['expected_rounds']:.5f} rounds on average"
    return line + f", taken uncontested {rounds}; tail index of the peak pot {tail}."


def _field_lines(field: Mapping[str, Any], best: Mapping[str, Any], n: int, pot: int | None) -> list[str]:
    reply = (
        f"Against opponents who play {field['spec']} ({percent(field['entry_prob'])} of hands), the best reply enters"
        f" with {percent(best['entry_prob'])} of hands ({_ranges(best['hands'])}). It earns"
        f" {with_error(best['value'], best['stderr'])} pot per deal, {estimate_text(best['gain'])} more than playing"
        " like them."
    )
    lines = [*prose(reply), *prose(_round_line(field["round"])), ""]
    return lines + hand_table(around_change(field["hands"]), n, pot)


def _ranges(hands: Sequence[str], most: int = 8) -> str:
    if not hands:
        return "none"
    shown = ", ".join(hands[:most])
    return shown if len(hands) <= most else f"{shown}, ... {hands[-1]}"


def folk_line(folk: Mapping[str, Any]) -> str:
    """Return how the house rule fares."""
    return (
        f'House rule "{folk["rule"]}" ({percent(folk["entry_prob"])} of hands): when everybody follows it, the best'
        f" deviation enters with {percent(folk['best_reply_entry_prob'])} of hands and gains"
        f" {estimate_text(folk['exploitability'])} pot per deal."
    )


def estimate_text(estimate: Mapping[str, float]) -> str:
    """Return an estimate with its standard error."""
    return with_error(estimate["value"], estimate["stderr"])


def around_threshold(rows: Sequence[Mapping[str, Any]]) -> Sequence[Mapping[str, Any]]:
    """Rows (strongest first) from a few above the first that is not always in to a few below the last in."""
    first_doubt = next((i for i, row in enumerate(rows) if row["enter"] < 1), len(rows))
    last_in = max((i for i, row in enumerate(rows) if row["enter"] > 0), default=-1)
    return _window(rows, first_doubt, last_in + 1)


def around_change(rows: Sequence[Mapping[str, Any]]) -> Sequence[Mapping[str, Any]]:
    """Rows (strongest first) around the first hand that loses by entering."""
    first_loss = next((i for i, row in enumerate(rows) if row["delta"] <= 0), len(rows))
    return _window(rows, first_loss, first_loss)


def _window(rows: Sequence[Mapping[str, Any]], start: int, stop: int) -> Sequence[Mapping[str, Any]]:
    start, stop = max(start - ROWS_AROUND, 0), min(stop + ROWS_AROUND, len(rows))
    if stop - start > 8 * ROWS_AROUND:  # entry is mixed over a wide range: show its undecided hands only
        return [row for row in rows[start:stop] if 0 < row["enter"] < 1][: 8 * ROWS_AROUND] or rows[start:stop]
    return rows[start:stop]


def hand_table(rows: Sequence[Mapping[str, Any]], n: int, pot: int | None) -> list[str]:
    """Return the values of hands as a table; with chips if there is a ``pot``."""
    header = ["hand", "enter", "in", "out", "in - out"]
    if n:
        header.append("stderr")
    if pot is not None:
        header.append("in - out, chips")
    body = []
    for row in rows:
        cells = [row["hand"], f"{row['enter']:.3f}", f"{row['ev_in']:+.5f}", f"{row['ev_out']:+.5f}"]
        cells.append(f"{row['delta']:+.5f}")
        if n:
            cells.append("unknown" if isnan(row["stderr"]) else f"{row['stderr']:.5f}")
        if pot is not None:
            cells.append(f"{pot * row['delta']:+.3f}")
        body.append(cells)
    return table(header, body)
