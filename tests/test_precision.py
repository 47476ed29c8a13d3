"""Runs that end once an interval is short enough, and what their intervals are worth."""

import doctest
import json
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import guts_sim as gs
from guts_sim.cli import main
from guts_sim.engine import block_size, precision
from guts_sim.engine.block_size import games_per_block
from guts_sim.engine.checkpoint import Checkpoint
from guts_sim.engine.long_run import run_sums
from guts_sim.engine.precision import FIRST_LOOK, forecast, plan_looks
from guts_sim.engine.sums import TallySums
from guts_sim.errors import InputError
from guts_sim.estimate import wilson

BLOCK = 4096
ODDS = {"hand": "As Kd 2c", "n_players": 5, "method": "mc", "seed": 1}
CASCADE = {"n_players": 3, "field": "A4+", "method": "mc", "seed": 2}
PASSES = {"hand": "Qs Qh 9c 8d 3s 4h 2c", "seed": 4}
SESSION = {"n_players": 3, "field": "A4+", "cycles": 3, "seed": 3}


@given(n_most=st.integers(1, 10**12), block=st.sampled_from([1, 64, 4096, 1 << 18]), confidence=st.floats(0.5, 0.9999))
def test_looks_are_fixed_beforehand(n_most, block, confidence):
    target = plan_looks(0.1, n_most, block, confidence)
    *early, last = target.looks
    assert last == n_most
    assert all(look % block == 0 and look >= FIRST_LOOK for look in early)
    assert all(later == 2 * earlier for earlier, later in pairwise(early))
    assert not early or early[-1] < last <= 2 * early[-1]
    # Errors of all looks together are at most those allowed.
    assert len(target.looks) * (1 - target.confidence) == pytest.approx(1 - confidence, rel=1e-6)


@dataclass(frozen=True, eq=False)
class Successes:
    counts: np.ndarray

    @property
    def n(self):
        return int(self.counts[0])

    def __add__(self, other):
        return Successes(self.counts + other.counts)


def until_precise(outcomes, half_width, checkpoint=None, stop_at=None):
    """Play on given outcomes until the interval is short enough; return the ending, the interval and n."""

    def task(start, stop):
        if start == stop_at:
            raise ZeroDivisionError
        return Successes(np.array([stop - start, outcomes[start:stop].sum()]))

    sums = TallySums(Successes(np.zeros(2, np.int64)), BLOCK)

    def half(confidence):
        n, successes = map(int, sums.tally.counts)
        return wilson(successes, n, confidence).half_width

    target = plan_looks(half_width, outcomes.size, BLOCK, 0.95)
    options = {"target": target, "half_width": half, "workers": 1, "block_size": BLOCK, "checkpoint": checkpoint}
    ending = run_sums(task, sums, outcomes.size, **options)
    n, successes = map(int, sums.tally.counts)
    return ending, wilson(successes, n, ending.confidence), n


def test_intervals_cover_the_truth_as_often_as_they_say_although_the_run_stops_by_them():
    rng = np.random.default_rng(17)
    n_runs, missed, lengths = 1000, 0, set()
    half_width = 0.0028  # such that chance decides at which look a run stops
    for _ in range(n_runs):
        p = rng.choice([0.01, 0.012, 0.015])
        ending, interval, n = until_precise(rng.random(1 << 14) < p, half_width)
        lengths.add(n)
        missed += not interval.ci_low <= p <= interval.ci_high
        assert not ending.reached or interval.half_width <= half_width
    assert len(lengths) > 1
    assert missed <= 0.05 * n_runs  # the correction is for any dependence, so that far fewer are missed


def test_a_run_ends_at_the_first_look_that_is_precise_enough():
    outcomes = np.arange(1 << 17) % 2
    for half_width, n_expected in ((1.0, BLOCK), (0.015, 2 * BLOCK), (1e-9, outcomes.size)):
        ending, interval, n = until_precise(outcomes, half_width)
        assert (n, ending.reached) == (n_expected, half_width > 1e-6)
        assert ending.half_width == interval.half_width
        assert ending.complete


def test_a_run_taken_up_again_ends_where_it_would_have_ended(tmp_path):
    outcomes = np.random.default_rng(1).random(1 << 17) < 0.5
    path, owner = tmp_path / "x", {}
    whole = until_precise(outcomes, 0.005)
    for stop_at in (BLOCK, 7 * BLOCK):  # just at a look, and between two
        with pytest.raises(ZeroDivisionError):
            until_precise(outcomes, 0.005, Checkpoint(path, owner), stop_at)
    assert until_precise(outcomes, 0.005, Checkpoint(path, owner)) == whole
    assert until_precise(outcomes, 0.005, Checkpoint(path, owner)) == whole  # and once more when all is done


def main_interval(result):
    results = result.results
    if result.command == "odds":
        row = results["rows"][-1]
        return row["ci_low"], row["ci_high"]
    if result.command == "pass":
        return results["rows"][0]["ci_low"], results["rows"][0]["ci_high"]
    if result.command == "cascade":
        return tuple(results[part]["expected_multiplier"] for part in ("ci_low", "ci_high"))
    widest = max(results["seats"], key=lambda seat: seat["net"]["stderr"])["net"]
    return widest["ci_low"], widest["ci_high"]


@pytest.mark.parametrize(
    ("study", "arguments", "precision", "most"),
    [
        (gs.odds, ODDS, 0.0011, {"deals": 3_000_000}),
        (gs.cascade, CASCADE, 0.005, {"cycles": 1_000_000}),
        (gs.session, SESSION, 0.1, {"sessions": 100_000}),
        (gs.pass_values, PASSES, 0.003, {"deals": 1_000_000}),
        (gs.pass_values, {"hand": "Qs 9c", "game": "guts", "n_players": 3, "seed": 4}, 0.01, {"deals": 2_000_000}),
    ],
    ids=["odds", "cascade", "session", "pass in Anaconda", "pass in Guts"],
)
def test_studies_stop_at_the_precision(study, arguments, precision, most):
    result = study(**arguments, **most, precision=precision)
    asked = result.results["precision"]
    low, high = main_interval(result)
    assert asked["reached"]
    assert asked["half_width"] == pytest.approx((high - low) / 2)
    assert asked["half_width"] <= precision
    assert result.complete
    assert result.n < next(iter(most.values()))
    assert study(**arguments, **most, precision=precision, workers=1).digest == result.digest
    # The same deals as without a precision, only with wider intervals.
    plain = study(**arguments, **dict.fromkeys(most, result.n), confidence=asked["confidence_per_look"])
    assert main_interval(plain) == (low, high)
    longer = result.extend(2 * result.n)
    assert longer.digest == study(**arguments, **dict.fromkeys(most, 2 * result.n)).digest
    assert f"Precision {precision:g}" in result.summary()


def test_what_cannot_be_reached_is_said(tmp_path):
    result = gs.session(**SESSION, sessions=5000, precision=1e-6)
    assert (result.n, result.complete, result.results["precision"]["reached"]) == (5000, True, False)
    assert "NOT reached" in result.summary()
    result.save(tmp_path / "x.csv")
    assert gs.rerun(tmp_path / "x.csv").digest == result.digest


def test_a_field_is_measured_on_as_many_deals_as_the_precision_took():
    result = gs.odds("As Kd", field="A4+", method="mc", seed=1, precision=0.01)
    assert result.n == result.study.against.n < 1_000_000
    with pytest.raises(InputError, match="counted exactly here"):
        gs.odds("As Kd", n_players=5, field="AK,KQ", precision=0.01)


def test_exact_answers_need_no_precision():
    assert gs.odds("As Kd", precision=0.01).digest == gs.odds("As Kd").digest
    assert gs.cascade(3, field="A4+", precision=0.01).digest == gs.cascade(3, field="A4+").digest


def test_the_run_says_how_long_it_will_take(capsys):
    gs.session(**SESSION, sessions=100_000, precision=0.05, progress=True)
    shown = capsys.readouterr().err
    assert "precision 0.05: about " in shown
    assert " s more" in shown
    gs.session(**SESSION, sessions=10_000, precision=0.05, progress=None)
    assert capsys.readouterr().err == ""


def test_the_forecast():
    target = plan_looks(0.01, 1_000_000, 4096, 0.95)
    assert forecast(target, 4096, 0.02, 2.0, 4096) == "precision 0.01: about 16,384 in all, 6 s more"
    assert forecast(target, 4096, 1.0, 2.0, 4096) == (
        "precision 0.01: not within the 1,000,000 allowed (0.064 then), 8 min more"
    )


@pytest.mark.parametrize("precision", [0, -1, float("nan"), float("inf"), True, "0.1"])
def test_other_precisions_are_refused(precision):
    with pytest.raises(InputError, match=r"^precision: .* is not allowed; give the half-width"):
        gs.session(**SESSION, precision=precision)


def test_the_command_line(capsys):
    command = ["session", "--players", "3", "--field", "A4+", "--cycles", "3", "--seed", "3", "--format", "json"]
    assert main([*command, "--precision", "1e-1"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["parameters"]["precision"] == 0.1
    assert answer["digest"] == gs.session(**SESSION, precision=0.1).digest
    for bad in ("0", "-1", "nan", "ten", "1e400"):
        assert main([*command, "--precision", bad]) == 2
        error = capsys.readouterr().err
        assert error.startswith("error: --precision must be a number above 0")
        assert error.count("\n") == 1
    assert main(["cascade", "--players", "3", "--sweep", "--precision", "0.1"]) == 2
    assert "--precision does not go with --sweep" in capsys.readouterr().err


@pytest.mark.parametrize(("rounds", "block"), [(1, 4096), (1000, 512), (100_000, 4), (1 << 20, 1)])
def test_blocks_of_long_sessions_are_small(rounds, block):
    assert games_per_block(4096, rounds) == block


def test_a_pilot_finds_long_sessions_whatever_their_limit():
    # Everybody always in: the pot is won in the first round or split, so a session of many cycles is long.
    long = gs.session(2, field="A4+", cycles=10_000, sessions=20, seed=1)
    short = gs.session(2, field="A4+", cycles=2, round_limit=1 << 20, sessions=20, seed=1)
    assert long.study.run.sums.block_size <= 64
    assert short.study.run.sums.block_size == 4096


@pytest.mark.parametrize("module", [block_size, precision])
def test_examples(module):
    result = doctest.testmod(module)
    assert result.attempted > 0
    assert result.failed == 0
