"""Rules of thumb about what to enter with: F1, F2 and F3."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from guts_sim.engine import run_key
from guts_sim.estimate import Estimate, normal
from guts_sim.exact import exact_hand_values, two_card_values
from guts_sim.exact.outcomes import OutcomeLaw
from guts_sim.exact.results import Floats
from guts_sim.exact.utility import Utility
from guts_sim.hands import class_names, get_ranking
from guts_sim.rules import get_rules
from guts_sim.solve import sampled_values
from guts_sim.strategy import threshold_strategy
from guts_sim.studies.best_response_sampling import OutcomeTask, law_of, sample_outcomes
from guts_sim.studies.best_response_solution import ByPot, Table, counted_law, is_scale_free
from guts_sim.studies.equilibria import folk_rule
from guts_sim.studies.folklore_findings import PLAYERS, PURPOSE_FOLKLORE, Finding, Judgement, known
from guts_sim.studies.measurement import RunOptions
from guts_sim.studies.near_equilibrium import two_card_equilibrium

HARDLY_EXPLOITABLE = 0.01
"""Pots per deal that the best deviation may gain where a rule counts as reasonable."""
MOST_COUNTED = 3
AVERSION = 0.02


def judge_tens_or_better(options: RunOptions) -> Judgement:
    """F1: with two cards a pair of tens is the conventional threshold."""
    field = folk_rule(get_ranking("guts2"))
    names = class_names("guts2")
    findings = []
    for n in PLAYERS:
        gain = two_card_values(n, field.entry).exploitability(field.entry)
        findings.append(
            Finding(
                "F1",
                2,
                n,
                "gain of the best deviation (pots)",
                known(gain, options),
                gain <= HARDLY_EXPLOITABLE,
            )
        )
    ends = [names[two_card_equilibrium(n)] for n in (PLAYERS[0], PLAYERS[-1])]
    return Judgement(
        "F1",
        "Two cards: a pair of tens or better is the conventional entry threshold.",
        f"What the best deviation gains when everybody follows the rule: at most {HARDLY_EXPLOITABLE} pot per deal.",
        findings,
        f"Far too tight: the equilibrium enters with {ends[0]} or better among two players and with {ends[1]} or better"
        " among ten.",
    )


def judge_face_pairs(options: RunOptions) -> Judgement:
    """F2: with three cards a pair or better with a face card is reasonable."""
    ranking = get_ranking("guts3")
    field = folk_rule(ranking)
    findings = []
    for n in PLAYERS:
        estimate = _exploitability(n, options)
        findings.append(
            Finding("F2", 3, n, "gain of the best deviation (pots)", estimate, estimate.value <= HARDLY_EXPLOITABLE)
        )
    best = min(findings, key=lambda one: one.estimate.value)
    return Judgement(
        "F2",
        "Three cards: a pair or better, with at least one face card, is reasonable.",
        f"What the best deviation gains when everybody follows the rule: at most {HARDLY_EXPLOITABLE} pot per deal.",
        findings,
        f"The rule enters with {100 * field.entry_prob:.1f} % of hands, nearly what the equilibrium of"
        f" {best.n_players} players does; it does not fit small and large tables.",
    )


def _exploitability(n_players: int, options: RunOptions) -> Estimate:
    ranking = get_ranking("guts3")
    entry = folk_rule(ranking).entry
    if n_players <= MOST_COUNTED:
        hands = exact_hand_values(n_players, ranking, entry)
        return known(hands.values.exploitability(entry[hands.hand_class]), options)
    key = run_key(options.seed, PURPOSE_FOLKLORE + 2)
    values = sampled_values(
        n_players,
        ranking,
        entry,
        options.n_deals,
        key,
        workers=options.workers,
        executor=options.executor,
        progress=options.progress,
    )
    return normal(values.exploitability, values.exploitability_stderr, values.n, options.confidence, minimum=0.0)


def judge_pot_size(options: RunOptions) -> Judgement:
    """F3: the larger the pot, the better the hand that is wanted."""
    situations: dict[str, tuple[dict[str, Any], float]] = {
        "cap 30 with a reserve": ({"cap": 30, "reserve": True}, 0.0),
        "cap 30, losers' payments trimmed": ({"cap": 30, "reserve": False}, 0.0),
        "a match costs at most 10": ({"cap": None, "reserve": False, "match_limit": 10}, 0.0),
        f"cap 30, risk aversion {AVERSION} per chip": ({"cap": 30, "reserve": False}, AVERSION),
    }
    findings = []
    for n in (3, 5):
        for words, (switches, aversion) in situations.items():
            change = _change_with_pot(Table(n, get_rules("two-card", **switches), Utility(absolute=aversion)), options)
            measure = f"entry at the largest less smallest pot, {words}"
            findings.append(Finding("F3", 2, n, measure, change, change.value < 0.0))
    return Judgement(
        "F3",
        "Pot size changes everything: at 1-2 chips middling hands are worth a try, at 30 even a low pair is too risky.",
        "How many more hands the best reply to the equilibrium enters with at the largest pot than at the smallest; the"
        " rule says fewer.",
        findings,
        "For chips it is false: what is at stake grows with what can be won, so nothing moves while a reserve or no cap"
        " keeps the proportion, and a cap or limit that trims losses makes play looser. Only players averse to risk"
        " tighten up.",
    )


def _change_with_pot(table: Table, options: RunOptions) -> Estimate:
    """Hands that the best reply to the equilibrium enters with at the largest pot, less those at the smallest."""
    ranking, n = table.rules.ranking, table.n_players
    if is_scale_free(table):
        return known(0.0, options)  # the reply does not look at the pot
    equilibrium = threshold_strategy(ranking, two_card_equilibrium(n))
    counted = counted_law(table, [equilibrium] * (n - 1))

    def change(law: OutcomeLaw) -> float:
        policy = [row for row in ByPot(table, law).solve().policy if row["reserve"] == 0]
        return float(policy[-1]["entry_prob"] - policy[0]["entry_prob"])

    if counted is not None:
        return known(change(counted), options)
    keys = run_key(options.seed, PURPOSE_FOLKLORE + 5), run_key(options.seed, PURPOSE_FOLKLORE + 6)
    task = OutcomeTask(*keys, ranking.name, (equilibrium.entry,) * (n - 1))
    run = {"workers": options.workers, "executor": options.executor, "progress": options.progress}
    batches = sample_outcomes(task, options.n_deals, **run)

    def statistic(sums: NDArray[Any]) -> Floats:
        return np.asarray(change(law_of(sums, ranking, n)))

    value, stderr = float(statistic(batches.total)), float(batches.stderr(statistic))
    return normal(value, stderr, batches.n, options.confidence)
