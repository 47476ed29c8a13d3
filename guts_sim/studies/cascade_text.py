"""The cascade answer in words."""

from collections.abc import Mapping
from typing import Any

from guts_sim.rules import GutsRules
from guts_sim.studies.text import figure, percent, table

LEAST_SHOWN = 1e-15


def cascade_lines(rules: GutsRules, results: Mapping[str, Any], n: int) -> list[str]:
    """Summary lines of a `cascade` answer; ``n`` is 0 for exact values."""
    how = "exact, by a Markov chain" if n == 0 else f"{n:,} cycles played"
    lines = [f"Guts, {results['n_players']} players, {rules.cards} cards, rules {rules.profile}: pot growth ({how})"]
    lines += [_players_line(results), _money_line(rules, results["antes"]), "", *_multiplier_lines(results), ""]
    lines += [_end_line(results), _rounds_line(results["rounds"])]
    lines += ["", *_size_table(results), "", *_survival_table(results["peak"]["survival"])]
    if "seats" in results:
        lines += ["", *_seat_table(results["seats"])]
    return lines + ([""] if results["notes"] else []) + list(results["notes"])


def _players_line(results: Mapping[str, Any]) -> str:
    if "field" in results:
        field = results["field"]
        return f"Everybody plays {field['spec']}{_share_of_hands(field, 4, ' of hands')}."
    seats = ", ".join(f"{one['spec']}{_share_of_hands(one, 2)}" for one in results["fields"])
    return f"By seat: {seats}."


def _share_of_hands(field: Mapping[str, Any], digits: int, words: str = "") -> str:
    """How often a strategy enters, where that depends on the own hand alone."""
    return "" if field["entry_prob"] is None else f" ({percent(field['entry_prob'], digits)}{words})"


def _money_line(rules: GutsRules, antes: int) -> str:
    stakes = "" if rules.bankroll is None else f"; {rules.stakes} stakes, {rules.bankroll} chips each"
    cap = "no cap" if rules.cap is None else f"cap {rules.cap}" + (" with a reserve" if rules.reserve else "")
    limit = "" if rules.match_limit is None else f", a match costs at most {rules.match_limit}"
    return f"The antes of all players make {antes} chips; {cap}{limit}{stakes}; nobody in: {rules.nobody_in}."


def _multiplier_lines(results: Mapping[str, Any]) -> list[str]:
    law = ", ".join(f"{m}: {percent(p)}" for m, p in results["multiplier_law"].items() if p > 0)
    verdict = "supercritical" if results["supercritical"] else "subcritical"
    mean = results["expected_multiplier"]
    line = f"Mean multiplier {mean:.6f}{_error(results, 'expected_multiplier', 6)}: {verdict}"
    if results["tail_index"] is not None:
        line += f"; tail index of the peak pot {results['tail_index']:.3f}"
    if results["drift"] is not None:
        line += f"; a table with a full reserve gains {results['drift']:+.4f} chips a round"
    return [f"A round multiplies the pot by {law} (0: it is taken).", line + "."]


def _error(results: Mapping[str, Any], name: str, digits: int) -> str:
    if "stderr" not in results:
        return ""
    low, high = (figure(results[end][name], f".{digits}f") for end in ("ci_low", "ci_high"))
    return f" [{low}, {high}]"


def _end_line(results: Mapping[str, Any]) -> str:
    value = results["p_cycle_ends"]
    line = f"The cycle ends with probability {value:.6g}{_error(results, 'p_cycle_ends', 6)}"
    low, high = results.get("p_cycle_ends_bounds", (value, value))
    return line + (f" (between {low:.9f} and {high:.9f})." if high - low > 1e-9 else ".")


def _rounds_line(rounds: Mapping[str, Any]) -> str:
    if rounds["mean"] is None:
        return "The number of rounds has no mean."
    return f"Rounds: {rounds['mean']:.5f} on average, standard deviation {figure(rounds['sd'], '.5f')}."


def _size_table(results: Mapping[str, Any]) -> list[str]:
    amounts = {"rounds": results["rounds"], "peak pot": results["peak"], "peak reserve": results["reserve"]}
    names = list(results["rounds"]["quantiles"])
    body = []
    for name, amount in amounts.items():
        mean = "none" if amount["mean"] is None else f"{amount['mean']:.4f}"
        body.append([name, mean, *(_count(amount["quantiles"][q]) for q in names)])
    return table(["", "mean", *(f"{100 * float(q):g} %" for q in names)], body)


def _count(value: int | None) -> str:
    return "none" if value is None else f"{value:,}"


def _survival_table(rows: list[Mapping[str, Any]]) -> list[str]:
    """Probability of large pots, down to the first that cannot happen."""
    header = ["pot reaches", "chips", "probability"] + (["interval"] if "stderr" in rows[0] else [])
    body = []
    for row in rows:
        p = row["p_peak_at_least"]
        cells = [f"{row['multiple']:.4g}x the antes", f"{row['chips']:,}", "unknown" if p is None else f"{p:.3e}"]
        if "stderr" in row:
            cells.append(f"{row['ci_low']:.2e} .. {row['ci_high']:.2e}")
        body.append(cells)
        if p is not None and p < LEAST_SHOWN and row["multiple"] >= 10:
            break
    return table(header, body)


def _seat_table(rows: list[Mapping[str, Any]]) -> list[str]:
    body = []
    for row in rows:
        net = "none" if row["net"] is None else f"{row['net']:+.5f} (stderr {figure(row['stderr'], '.1e')})"
        body.append([row["seat"], row["spec"], "" if row["entry_prob"] is None else percent(row["entry_prob"]), net])
    return table(["seat", "strategy", "hands", "net per cycle, chips"], body)
