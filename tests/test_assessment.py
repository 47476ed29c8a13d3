"""Judging fields: by counting, by sampling, and what an interruption leaves."""

import numpy as np
import pytest
from stopping import StoppingExecutor

from guts_sim.exact import exact_hand_values
from guts_sim.hands import get_ranking
from guts_sim.solve.sampled import SCORE_BLOCK
from guts_sim.strategy import Strategy, parse_field
from guts_sim.studies.assessment import assess_all, can_count
from guts_sim.studies.measurement import RunOptions, measure

GUTS2, GUTS3 = get_ranking("guts2"), get_ranking("guts3")
TENS, ACES = parse_field("TT+", GUTS2), parse_field("A4+", GUTS2)


def options(n_deals, **more):
    return RunOptions(n_deals=n_deals, seed=31, confidence=0.95, **more)


@pytest.mark.parametrize(
    ("n_players", "field", "countable"),
    [
        (2, parse_field("AA,A2", GUTS2), True),
        (3, parse_field("222,AKJ", GUTS3), True),
        (4, parse_field("222+", GUTS3), False),
        (4, parse_field("AA,A2", GUTS2), False),
        (10, parse_field("top:12.34%", GUTS2), True),
        (10, parse_field("never", GUTS2), True),
    ],
)
def test_what_can_be_counted(n_players, field, countable):
    assert can_count(n_players, field) is countable


@pytest.mark.parametrize("n_players", [2, 5, 10])
def test_sampling_agrees_with_counting(n_players):
    counted = assess_all(n_players, {"field": ACES}, "exact", options(1))["field"]
    sampled = assess_all(n_players, {"field": ACES}, "mc", options(100 * SCORE_BLOCK))["field"]
    assert (counted.n, counted.complete, counted.sample) == (0, True, None)
    assert (sampled.n, sampled.complete) == (100 * SCORE_BLOCK, True)
    for name in ("exploitability", "best_reply_value", "best_reply_gain"):
        known, estimate = getattr(counted, name), getattr(sampled, name)
        assert known.stderr == 0.0
        assert abs(estimate.value - known.value) < 5 * estimate.stderr + 2e-6
    # Five sigma of proportions at the most, times the largest multiplier for the mean.
    sigma = 0.5 / np.sqrt(sampled.n)
    assert np.abs(sampled.law.joint - counted.law.joint).max() < 5 * sigma
    stats, known = sampled.round_stats(), counted.round_stats()
    assert "stderr" not in known
    for name in ("p_nobody", "p_one", "p_contested", "expected_multiplier"):
        assert abs(stats[name] - known[name]) < 5 * stats["stderr"][name]


def test_suits_count_in_exploitability_but_not_in_the_best_reply_by_class():
    field = Strategy("even", GUTS3, np.full(741, 0.5))
    judged = assess_all(2, {"field": field}, "exact", options(1))["field"]
    hands = exact_hand_values(2, GUTS3, field.entry)
    assert judged.exploitability.value == hands.values.exploitability(field.entry[hands.hand_class])
    assert judged.best_reply_gain.value <= judged.exploitability.value
    frequency = np.bincount(hands.hand_class, weights=hands.multiplicity) / 22100
    own_value = frequency @ (judged.ev_out + field.entry * judged.delta)
    assert judged.best_reply_value.value - own_value == pytest.approx(judged.best_reply_gain.value, abs=1e-12)


@pytest.mark.parametrize("method", ["exact", "mc"])
def test_equal_fields_share_their_judgement_and_keep_their_names(method):
    twin = Strategy("twin", GUTS2, TENS.entry)
    judged = assess_all(3, {"a": TENS, "b": ACES, "c": twin}, method, options(2 * SCORE_BLOCK))
    assert list(judged) == ["a", "b", "c"]
    assert judged["c"].delta is judged["a"].delta
    assert [a.field.spec for a in judged.values()] == ["TT+", "A4+", "twin"]
    assert not np.array_equal(judged["a"].delta, judged["b"].delta)


def test_fields_are_judged_alike_alone_and_together():
    together = assess_all(4, {"a": TENS, "b": ACES}, "mc", options(3 * SCORE_BLOCK + 9))
    alone = assess_all(4, {"b": ACES}, "mc", options(3 * SCORE_BLOCK + 9))
    assert np.array_equal(together["b"].delta, alone["b"].delta)
    assert np.array_equal(together["b"].law.joint, alone["b"].law.joint)


def test_judgement_continues_where_it_stopped():
    fields = {"a": TENS, "b": ACES}
    at_once = assess_all(4, fields, "mc", options(5 * SCORE_BLOCK + 3))
    part = assess_all(4, fields, "mc", options(2 * SCORE_BLOCK + 500))
    continued = assess_all(4, fields, "mc", options(5 * SCORE_BLOCK + 3), part)
    for name in fields:
        assert np.array_equal(continued[name].delta, at_once[name].delta)
        assert np.array_equal(continued[name].law.joint, at_once[name].law.joint)
        assert part[name].n == 2 * SCORE_BLOCK + 500


def test_rounds_add_up():
    n_deals = 3 * SCORE_BLOCK + 7
    sample = measure(5, {"a": ACES}, options(n_deals), {})["a"]
    joint = sample.rounds.total
    assert joint.sum() == sample.scores.n == sample.rounds.n == n_deals
    assert joint[1, 2:].sum() == joint[0, 1:].sum() == 0


def test_interruption_stops_all_fields_at_the_same_deal():
    fields = {"a": TENS, "b": ACES}
    stopped = options(50 * SCORE_BLOCK, workers=1, executor=StoppingExecutor(2))
    judged = assess_all(4, fields, "mc", stopped)
    n = judged["a"].n
    assert 0 < n < 50 * SCORE_BLOCK
    assert n == judged["b"].n
    assert n % SCORE_BLOCK == 0
    assert not judged["a"].complete
    shorter = assess_all(4, fields, "mc", options(n))
    for name in fields:
        assert np.array_equal(judged[name].delta, shorter[name].delta)
        assert np.array_equal(judged[name].law.joint, shorter[name].law.joint)
    resumed = assess_all(4, fields, "mc", options(20 * SCORE_BLOCK), judged)
    at_once = assess_all(4, fields, "mc", options(20 * SCORE_BLOCK))
    assert np.array_equal(resumed["b"].delta, at_once["b"].delta)


def test_interruption_before_the_first_block_leaves_nothing_to_report():
    with pytest.raises(KeyboardInterrupt):
        assess_all(4, {"a": TENS}, "mc", options(9 * SCORE_BLOCK, executor=StoppingExecutor(0)))


def test_interrupted_continuation_keeps_what_there_was():
    part = assess_all(4, {"a": TENS}, "mc", options(2 * SCORE_BLOCK + 500))
    stopped = options(9 * SCORE_BLOCK, executor=StoppingExecutor(0))
    judged = assess_all(4, {"a": TENS}, "mc", stopped, part)["a"]
    assert judged.n == 2 * SCORE_BLOCK + 500
    assert np.array_equal(judged.delta, part["a"].delta)
    assert judged.law.joint.sum() == pytest.approx(1)
    assert not judged.complete
