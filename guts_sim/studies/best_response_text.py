"""The best reply in words."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from guts_sim.rules import GutsRules
from guts_sim.studies.text import percent, prose, table, with_error

MOST_ROWS = 14


def best_response_lines(rules: GutsRules, results: Mapping[str, Any], n: int) -> list[str]:
    """Summary lines; ``n`` is 0 for exact values."""
    how = "exact" if n == 0 else f"found on {n:,} deals, measured on {n:,} fresh ones"
    averse = results["risk_aversion"] or results["relative_risk_aversion"]
    aims = "certainty equivalent of net chips" if averse else "net chips"
    taste = f"; {_taste(results)}" if averse else ""
    lines = prose(
        f"Guts, {results['n_players']} players, {rules.cards} cards, {_money(rules)}: best reply for a whole cycle"
        f" ({how}; {aims} per cycle, antes of {rules.ante} paid{taste})"
    )
    lines += prose(_opponents_line(results))
    lines.append("")
    lines += prose(_value_line(results))
    if results["looks_at_stack"]:
        lines += prose(
            f"Whoever plays it ends the cycle without chips with probability {percent(results['ruin'], 3)}. The"
            " opponents can always pay."
        )
    lines.append("")
    if not results["looks_at_pot"]:
        row = results["policy"][0]
        return lines + prose(f"At every pot: {_hands(row)}." + _why_no_pot(rules))
    if results["looks_at_stack"]:
        return lines + _stack_table(results["policy"], rules)
    return lines + _policy_table(results["policy"])


def _money(rules: GutsRules) -> str:
    cap = "no cap" if rules.cap is None else f"cap {rules.cap}" + (" with a reserve" if rules.reserve else "")
    if rules.match_limit is not None:
        cap += f", a match costs at most {rules.match_limit}"
    if rules.stakes == "credit":
        return cap
    brought = "1 chip" if rules.bankroll == 1 else f"{rules.bankroll} chips"
    return f"{cap}, {'table stakes' if rules.stakes == 'table' else 'elimination'} with {brought}"


def _taste(results: Mapping[str, Any]) -> str:
    if results["risk_aversion"]:
        return f"absolute aversion {results['risk_aversion']:g} per chip"
    others = f" and {results['wealth']:g} chips besides" if results["wealth"] else ""
    return f"relative aversion {results['relative_risk_aversion']:g}{others}"


def _opponents_line(results: Mapping[str, Any]) -> str:
    alike = "field" in results
    opponents = [results["field"]] if alike else results["fields"]
    described = [f"{one['spec']} ({percent(one['entry_prob'], 2)} of hands)" for one in opponents]
    if alike:
        n = results["n_players"] - 1
        who = "The opponent plays" if n == 1 else f"All {n} opponents play"
        return f"{who} {described[0]}."
    return f"The opponents play {', '.join(described)}."


def _value_line(results: Mapping[str, Any]) -> str:
    other = results["equilibrium_strategy"]
    if results["supercritical"] and results["looks_at_stack"]:
        return (
            "The reply has no value: these opponents, who can always pay, let the player's chips or the reserve grow"
            " beyond all bounds that are followed. Shown is where the search stopped."
        )
    if results["supercritical"]:
        return (
            "Supercritical: against these opponents expected stakes do not vanish, whatever is done to win more, so the"
            " reply has no finite value. Shown is where the search stopped."
        )
    line = f"The reply is worth {_estimate(results['value'])}"
    if other["value"] is None:
        why = "is beyond any price for so much aversion" if results["risk_aversion"] else "is supercritical here"
        return line + f"; the equilibrium strategy {other['spec']} {why}."
    return (
        line + f", the equilibrium strategy {other['spec']} {_estimate(other['value'])}: a gain of"
        f" {_estimate(results['gain'])}."
    )


def _estimate(estimate: Mapping[str, float]) -> str:
    return with_error(estimate["value"], estimate["stderr"], 5)


def _hands(row: Mapping[str, Any]) -> str:
    if row["hand"] is None:
        return "never enter"
    if row["entry_prob"] > 1.0 - 1e-12:
        return "always enter"
    gaps = "" if row["threshold"] else ", with gaps"
    return f"enter with {row['hand']} or better{gaps} ({percent(row['entry_prob'], 2)} of hands)"


def _why_no_pot(rules: GutsRules) -> str:
    why = "a reserve keeps what exceeds the cap" if rules.cap is not None else "there is no cap"
    return f" Neither pot nor reserve matters, since {why} and all is proportional to the chips on the table."


def _policy_table(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """One line per pot and reserve; of many reserves only a few."""
    shown = list(rows)
    if len(shown) > MOST_ROWS:
        first_reserves = [row for row in shown if row["reserve"] == 0]
        others = [row for row in shown if row["reserve"] > 0]
        room = max(MOST_ROWS - len(first_reserves), 4)
        shown = first_reserves + others[:: max(1, len(others) // room)][:room]
    body = [
        [row["pot"], row["reserve"], _hands(row), f"{row['worth']:+.4f}", f"{row['worth'] / _chips(row):.5f}"]
        for row in shown
    ]
    lines = table(["pot", "reserve", "play", "worth", "per chip on the table"], body)
    if len(shown) < len(rows):
        lines.append(f"... {len(rows) - len(shown)} more pots and reserves (all in --format csv)")
    return lines


def _stack_table(rows: Sequence[Mapping[str, Any]], rules: GutsRules) -> list[str]:
    """One line per pot that occurs with the bankroll's last, middle and double chips, without a reserve."""
    assert rules.bankroll is not None
    wanted = [rules.bankroll // 4, rules.bankroll - rules.ante, 2 * rules.bankroll]
    first = [row for row in rows if row["reserve"] == 0]
    shown = []
    for pot in sorted({row["pot"] for row in first}):
        here = [row for row in first if row["pot"] == pot]
        stacks = [row["stack"] for row in here]
        nearest = {stacks[int(np.argmin(np.abs(np.array(stacks) - one)))] for one in wanted}
        shown += [row for row in here if row["stack"] in nearest]
    if len(shown) > MOST_ROWS:
        pots = sorted({row["pot"] for row in shown})
        kept = set(pots[:: -(-len(shown) // MOST_ROWS)])
        shown = [row for row in shown if row["pot"] in kept]
    body = [[row["pot"], row["stack"], _hands(row), f"{row['worth']:+.4f}"] for row in shown]
    lines = table(["pot", "stack", "play", "worth"], body)
    if len(shown) < len(rows):
        lines.append(f"... {len(rows) - len(shown)} more pots, reserves and stacks (all in --format csv)")
    return lines


def _chips(row: Mapping[str, Any]) -> int:
    return int(row["pot"]) + int(row["reserve"])
