"""From the law of a cycle, or the counts of played cycles, to the plain results of `cascade`."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from guts_sim.estimate import Estimate, wilson
from guts_sim.exact.cascade import CascadeLaw, tail_index
from guts_sim.rules import GutsRules
from guts_sim.strategy import AnyPlan, Strategy
from guts_sim.studies.cascade_sampling import CycleTally
from guts_sim.studies.seats import content_of

QUANTILES = (0.5, 0.9, 0.99, 0.999)
MULTIPLES = (1, 2, 3, 5, 10, 20, 30, 50, 100, 200, 300, 500, 1000)
"""Peaks of the pot, in multiples of what all players ante, whose probability is reported."""
MOST_CHIPS = (1 << 58) // 2520  # beyond, the kernels stop a cycle
ROUNDS, POT, RESERVE = range(3)
PARTS = ("stderr", "ci_low", "ci_high")


def peak_levels(n_players: int, rules: GutsRules) -> list[int]:
    """Peaks of the pot whose probability is reported, in chips; the cap, the largest that there can be, is one."""
    antes = n_players * rules.ante * rules.n_pots
    levels = {antes * multiple for multiple in MULTIPLES if antes * multiple <= MOST_CHIPS}
    if rules.cap is not None and rules.n_pots == 1 and antes < rules.cap <= antes * MULTIPLES[-1]:
        levels.add(rules.cap)
    return sorted(levels)


def _in_antes(chips: int, antes: int) -> int | float:
    """How many times the antes, as a whole number where it is one."""
    return chips // antes if chips % antes == 0 else chips / antes


def exact_answers(law: CascadeLaw, n_players: int, rules: GutsRules, levels: Sequence[int]) -> dict[str, Any]:
    """Results of an exact cascade."""
    antes = n_players * rules.ante
    survival = [_survival_row(_in_antes(level, antes), level, law.peak_pot.at_least(level), None) for level in levels]
    rounds = law.rounds_quantiles(QUANTILES)
    return {
        "antes": antes,
        "multiplier_law": {str(m): float(p) for m, p in enumerate(law.multiplier_law)},
        "expected_multiplier": law.expected_multiplier,
        "supercritical": law.supercritical,
        "tail_index": law.tail_index,
        "drift": law.drift,
        "p_cycle_ends": law.p_ends,
        "p_cycle_ends_bounds": [law.ends_low, law.ends_high],
        "rounds": {"mean": law.rounds_mean, "sd": law.rounds_sd, "quantiles": _by_name(rounds)},
        "peak": {
            "mean": law.mean_peak_pot,
            "quantiles": _by_name([law.peak_pot.quantile(q) for q in QUANTILES]),
            "p_ge_10x": law.peak_pot.at_least(10 * antes),
            "p_ge_30x": law.peak_pot.at_least(30 * antes),
            "survival": survival,
        },
        "reserve": {
            "mean": law.mean_peak_reserve,
            "quantiles": _by_name([law.peak_reserve.quantile(q) for q in QUANTILES]),
        },
        "notes": _notes(rules, law.supercritical, law.drift, law.p_ends, law.tail_index),
    }


def sampled_answers(
    tally: CycleTally,
    strategies: Sequence[AnyPlan],
    rules: GutsRules,
    levels: Sequence[int],
    round_limit: int,
    confidence: float,
) -> dict[str, Any]:
    """Results of cycles played by Monte Carlo."""
    n = tally.n
    antes = len(strategies) * rules.ante * rules.n_pots
    laws = [_multiplier_law(tally, pot, confidence) for pot in range(len(tally.multipliers))]
    multipliers, multiplier = laws[0]
    supercritical = any(mean.value >= 1.0 for _, mean in laws)
    index = tail_index(multipliers)
    bounded = rules.stakes != "credit"
    ends = wilson(tally.n_ended, n, confidence)
    reached = {level: wilson(int(count), n, confidence) for level, count in zip(levels, tally.reached)}
    answers: dict[str, Any] = {
        "antes": antes,
        "multiplier_law": {str(m): float(p) for m, p in enumerate(multipliers)},
        "expected_multiplier": multiplier.value,
        "supercritical": supercritical,
        "tail_index": index,
        "drift": None,
        "p_cycle_ends": ends.value,
        "rounds": _sampled_amount(tally, ROUNDS, tally.n_ended == n, confidence, with_sd=True),
        "peak": _sampled_amount(tally, POT, tally.n_ended == n and (bounded or not supercritical), confidence),
        "reserve": _sampled_amount(tally, RESERVE, tally.n_ended == n, confidence),
        "given_up": {"round_limit": int(tally.statuses[1]), "outgrown": int(tally.statuses[2])},
        "notes": _notes(rules, supercritical, None, ends.value, index),
    }
    for part in PARTS:
        answers[part] = {"expected_multiplier": getattr(multiplier, part), "p_cycle_ends": getattr(ends, part)}
    _add_survival(answers["peak"], reached, antes)
    answers["notes"] += _sampling_notes(tally, multiplier, index, round_limit)
    if rules.high_low:
        low_law, low_mean = laws[1]
        answers["low_pot"] = {
            "multiplier_law": {str(m): float(p) for m, p in enumerate(low_law)},
            "expected_multiplier": low_mean.value,
        } | {part: {"expected_multiplier": getattr(low_mean, part)} for part in PARTS}
        answers["notes"].append("Sizes are those of both pots together; the multiplier is that of the high pot.")
    if bounded:
        answers["notes"].append("The multiplier is that of a pot which everybody can match.")
    if len({content_of(strategy) for strategy in strategies}) > 1:
        answers["seats"] = _seat_rows(tally, strategies, supercritical and not bounded, confidence)
    return answers


def _multiplier_law(tally: CycleTally, pot: int, confidence: float) -> tuple[NDArray[np.float64], Estimate]:
    """Probabilities of the multipliers up to the largest seen, and their mean."""
    probabilities = np.trim_zeros(tally.multipliers[pot], "b") / tally.n
    return probabilities, tally.mean_multiplier(confidence, pot)


def entry_prob_of(strategy: AnyPlan) -> float | None:
    """Probability of entering; None where it depends on more than the own hand."""
    return strategy.entry_prob if isinstance(strategy, Strategy) else None


def _sampled_amount(
    tally: CycleTally, column: int, mean_exists: bool, confidence: float, with_sd: bool = False
) -> dict[str, Any]:
    """Mean and quantiles of one amount, with intervals."""
    found = [tally.quantile(column, q, confidence) for q in QUANTILES]
    answer: dict[str, Any] = {"mean": None}
    if with_sd:
        answer["sd"] = None
    answer["quantiles"] = _by_name([quantile.value for quantile in found])
    for part in PARTS[1:]:
        answer[part] = {"quantiles": _by_name([getattr(quantile, part) for quantile in found])}
    if mean_exists:
        mean = tally.mean(column, confidence)
        answer["mean"] = mean.value
        if with_sd:
            answer["sd"] = mean.stderr * float(np.sqrt(mean.n))
        answer["stderr"] = {"mean": mean.stderr}
        for part in PARTS[1:]:
            answer[part]["mean"] = getattr(mean, part)
    return answer


def _add_survival(peak: dict[str, Any], reached: dict[int, Estimate], antes: int) -> None:
    for multiple in (10, 30):
        estimate = reached.get(multiple * antes)
        peak[f"p_ge_{multiple}x"] = None if estimate is None else estimate.value
        for part in PARTS:
            peak.setdefault(part, {})[f"p_ge_{multiple}x"] = None if estimate is None else getattr(estimate, part)
    peak["survival"] = [_survival_row(_in_antes(level, antes), level, e.value, e) for level, e in reached.items()]


def _survival_row(multiple: float, level: int, value: float | None, estimate: Estimate | None) -> dict[str, Any]:
    row: dict[str, Any] = {"multiple": multiple, "chips": level, "p_peak_at_least": value}
    if estimate is not None:
        row |= {part: getattr(estimate, part) for part in PARTS}
    return row


def _seat_rows(
    tally: CycleTally, strategies: Sequence[AnyPlan], supercritical: bool, confidence: float
) -> list[dict[str, Any]]:
    """Mean net of each seat, in chips per cycle, where it exists."""
    exists = tally.n_ended == tally.n and not supercritical
    rows = []
    for seat, strategy in enumerate(strategies):
        row: dict[str, Any] = {"seat": seat, "spec": strategy.spec, "entry_prob": entry_prob_of(strategy), "net": None}
        if exists:
            net = tally.seat_net(seat, confidence)
            row |= {"net": net.value} | {part: getattr(net, part) for part in PARTS}
        rows.append(row)
    return rows


def _by_name(values: Sequence[int | None]) -> dict[str, int | None]:
    return {f"{q:g}": value for q, value in zip(QUANTILES, values)}


def _notes(rules: GutsRules, supercritical: bool, drift: float | None, p_ends: float, index: float | None) -> list[str]:
    """Sentences about what does not exist, and why."""
    notes = []
    if p_ends <= 0.0:
        notes.append("The pot is never taken: the cycle never ends and its length and size have no mean.")
    elif rules.reserve and supercritical:
        notes.append(
            "The reserve gains on average, so a cycle need not end; rounds and reserve have no mean, and quantiles"
            " above the probability of an end do not exist."
        )
    elif supercritical and rules.cap is None and rules.match_limit is None:
        notes.append(
            "The cycle ends for sure, but the mean peak of the pot is infinite: expected stakes grow from round to"
            " round. Quantiles and probabilities say all there is."
        )
    elif index is not None and index <= 2.0 and rules.cap is None and rules.match_limit is None:
        notes.append(
            f"The variance of the peak pot is infinite (tail index {index:.3f}): trust quantiles, not intervals of"
            " its mean."
        )
    if drift is not None and drift >= 0.0 and not supercritical:
        notes.append(
            f"A table with a full reserve gains {drift:.3g} chips a round on average, so a cycle need not end."
        )
    if index is not None and (rules.cap is not None or rules.match_limit is not None):
        notes.append("The tail index is that of a pot without cap and limit.")
    return notes


def _sampling_notes(tally: CycleTally, multiplier: Estimate, index: float | None, round_limit: int) -> list[str]:
    notes = []
    n_limit, n_outgrown = int(tally.statuses[1]), int(tally.statuses[2])
    if n_limit:
        notes.append(
            f"{n_limit:,} of {tally.n:,} cycles were given up after {round_limit:,} rounds; they count as not ended"
            " and as longer and larger than any other."
        )
    if n_outgrown:
        notes.append(f"{n_outgrown:,} of {tally.n:,} cycles outgrew {MOST_CHIPS:.1e} chips and were stopped.")
    if multiplier.ci_low < 1.0 <= multiplier.ci_high:
        notes.append("Whether the table is supercritical is not decided at this confidence; play more cycles.")
    notes.append("Quantiles are exact below 1,024; above, they are the lower ends of bins 0.2 % wide.")
    return notes
