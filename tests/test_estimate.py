"""Intervals and standard errors."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from guts_sim.errors import InputError
from guts_sim.estimate import (
    FEWEST_BATCHES,
    BatchSums,
    check_confidence,
    exact,
    mean_of_counts,
    mean_share,
    normal,
    wilson,
    z_score,
)


@pytest.mark.parametrize(
    ("successes", "n", "low", "high"),
    [
        (0, 50, 0.0, 0.0713),
        (50, 50, 0.9287, 1.0),
        (0, 10, 0.0, 0.2775),
        (10, 10, 0.7225, 1.0),
        (38, 38, 0.9082, 1.0),
        (0, 1, 0.0, 0.7935),
        (81, 263, 0.2553, 0.3662),  # R. G. Newcombe, Statist. Med. 17 (1998) 857-872, Table I, method 3
        (15, 148, 0.0624, 0.1605),  # the same
        (1, 29, 0.0061, 0.1718),  # the same
    ],
)
def test_wilson_intervals(successes, n, low, high):
    estimate = wilson(successes, n)
    assert estimate.value == successes / n
    assert estimate.ci_low == pytest.approx(low, abs=5e-5)
    assert estimate.ci_high == pytest.approx(high, abs=5e-5)


@given(st.integers(1, 10**9), st.floats(0, 1), st.floats(0.01, 0.9999))
def test_wilson_stays_inside_the_unit_interval_and_around_the_estimate(n, share, confidence):
    successes = round(share * n)
    estimate = wilson(successes, n, confidence)
    mirrored = wilson(n - successes, n, confidence)
    assert 0.0 <= estimate.ci_low <= estimate.value <= estimate.ci_high <= 1.0
    assert estimate.ci_low == pytest.approx(1 - mirrored.ci_high, abs=1e-12)
    assert (estimate.ci_low > 0.0) == (successes > 0)
    assert (estimate.ci_high < 1.0) == (successes < n)


@given(st.integers(2, 400), st.data())
def test_wilson_ends_are_where_the_score_test_turns(n, data):
    successes = data.draw(st.integers(1, n - 1))
    estimate = wilson(successes, n)
    for p in (estimate.ci_low, estimate.ci_high):
        assert abs(successes / n - p) == pytest.approx(z_score(0.95) * math.sqrt(p * (1 - p) / n), rel=1e-9)


@pytest.mark.parametrize(("successes", "n"), [(-1, 5), (6, 5), (0, 0), (1, -1)])
def test_wilson_refuses_what_is_no_proportion(successes, n):
    with pytest.raises(InputError, match=r"wilson: .* is no proportion"):
        wilson(successes, n)


def test_z_scores():
    assert z_score(0.95) == pytest.approx(1.959963984540054)
    assert z_score(0.99) == pytest.approx(2.5758293035489)


@pytest.mark.parametrize("confidence", [1e-300, 0.95, 1.0 - 1e-12])
def test_any_confidence_that_is_allowed_has_an_interval(confidence):
    """Also at each of many looks, as stopping by precision takes them."""
    at_each_look = 1.0 - (1.0 - check_confidence(confidence)) / 60
    for used in (confidence, at_each_look):
        found = normal(1.0, 0.1, 1000, used)
        assert np.isfinite([found.ci_low, found.ci_high]).all()
        assert found.ci_low <= 1.0 <= found.ci_high
        assert wilson(1, 3, used).ci_high <= 1.0


@pytest.mark.parametrize("confidence", [0, 1, 1.0, 1.0 - 2.0**-53, -0.5, 95, float("nan"), "0.95", None, True])
def test_confidence_is_strictly_between_0_and_1(confidence):
    with pytest.raises(InputError, match=r"confidence: .* give a number between 0 and 1"):
        check_confidence(confidence)


def test_normal_intervals_are_cut_to_what_is_possible():
    assert normal(0.5, 0.1, 100).ci_low == pytest.approx(0.304, abs=1e-4)
    cut = normal(0.5, 1.0, 100, minimum=0.0, maximum=1.0)
    assert (cut.ci_low, cut.ci_high, cut.value, cut.stderr) == (0.0, 1.0, 0.5, 1.0)
    unknown = normal(0.5, math.nan, 100, minimum=0.0)
    assert math.isnan(unknown.ci_low)
    assert math.isnan(unknown.ci_high)


def test_exact_values_have_no_error():
    estimate = exact(0.25, 0.9)
    assert estimate.as_dict() == {"value": 0.25, "stderr": 0.0, "ci_low": 0.25, "ci_high": 0.25}
    assert (estimate.n, estimate.confidence) == (0, 0.9)


def test_mean_of_counts_is_the_mean_of_the_listed_deals():
    counts = np.array([40, 33, 20, 7])
    listed = np.repeat([0.0, 1.0, 2.0, 5.0], counts)
    estimate = mean_of_counts(np.array([0.0, 1.0, 2.0, 5.0]), counts)
    assert estimate.value == pytest.approx(listed.mean())
    assert estimate.stderr == pytest.approx(listed.std(ddof=1) / 10)
    assert estimate.n == 100


def test_one_deal_says_nothing_about_the_scatter():
    assert math.isnan(mean_of_counts(np.array([0.0, 1.0]), np.array([0, 1])).stderr)
    share = mean_share(np.array([0.0, 1.0]), np.array([0, 1]))
    assert math.isnan(share.stderr)
    assert (share.ci_low, share.ci_high) == (wilson(1, 1).ci_low, 1.0)


def test_shares_of_wins_and_losses_alone_are_proportions():
    estimate, proportion = mean_share(np.array([0.0, 0.5, 1.0]), np.array([30, 0, 12])), wilson(12, 42)
    assert (estimate.ci_low, estimate.ci_high) == (proportion.ci_low, proportion.ci_high)


def test_split_pots_widen_no_interval():
    shares = np.array([0.0, 0.5, 1.0])
    estimate = mean_share(shares, np.array([300, 200, 500]))
    assert estimate.value == pytest.approx(0.6)
    assert estimate.stderr < wilson(600, 1000).stderr
    assert estimate.ci_high - estimate.ci_low == pytest.approx(wilson(600, 1000).ci_high - wilson(600, 1000).ci_low)


def filled(n_deals, sums_of, block_size=10, min_batches=4, start=0, batches=None):
    batches = BatchSums(block_size, min_batches) if batches is None else batches
    for first in range(start, n_deals, block_size):
        stop = min(first + block_size, n_deals)
        batches.add(first, stop, sums_of(first, stop))
    return batches


def squares(start, stop):
    deals = np.arange(start, stop)
    return np.array([stop - start, (deals % 7).sum(), (deals % 7 * (deals % 5)).sum()])


def ratio(total):
    return total[1] / total[0]


@given(st.integers(1, 700), st.integers(1, 700))
def test_a_continued_run_equals_one_run(first, second):
    short, long = sorted((first, second))
    part = filled(short, squares)
    before = part.total.copy()
    continued = filled(long, squares, start=part.n_whole, batches=part.copy())
    at_once = filled(long, squares)
    assert continued.n == at_once.n == long
    assert np.array_equal(continued.total, at_once.total)
    assert np.array_equal(continued.total, squares(0, long))
    assert np.array_equal(continued.stderr(ratio), at_once.stderr(ratio), equal_nan=True)
    assert np.array_equal(part.total, before)  # the copy is independent


def test_unfinished_blocks_count_in_the_total_and_are_done_again():
    batches = filled(25, squares)
    assert (batches.n_whole, batches.n) == (20, 25)
    assert batches.total.tolist() == squares(0, 25).tolist()
    batches.add(20, 30, squares(20, 30))
    assert batches.n == 30
    assert batches.total.tolist() == squares(0, 30).tolist()


def test_memory_stays_flat():
    batches = BatchSums(1, min_batches=8)
    most = 0
    for i in range(20_000):
        batches.add(i, i + 1, np.array([1, i]))
        most = max(most, len(batches._batches))
    assert most == 16
    assert batches.total.tolist() == [20_000, 20_000 * 19_999 // 2]


def test_jackknife_of_a_mean_is_the_scatter_of_the_batch_means():
    rng = np.random.default_rng(5)
    values = rng.normal(size=(40, 10))
    batches = BatchSums(10)
    for i, block in enumerate(values):
        batches.add(10 * i, 10 * i + 10, np.array([10.0, block.sum()]))
    assert batches.stderr(ratio) == pytest.approx(values.mean(axis=1).std(ddof=1) / math.sqrt(40))


def test_jackknife_of_a_ratio_follows_the_delta_method():
    rng = np.random.default_rng(6)
    batches = BatchSums(1)
    x, y = rng.uniform(1, 2, 100), rng.uniform(0, 1, 100)
    for i in range(100):
        batches.add(i, i + 1, np.array([x[i], y[i]]))
    residual = y - ratio((x.sum(), y.sum())) * x
    delta_method = residual.std(ddof=1) / math.sqrt(100) / x.mean()
    assert float(batches.stderr(ratio)) == pytest.approx(delta_method, rel=0.02)


def test_few_batches_give_no_standard_error():
    enough = filled(10 * FEWEST_BATCHES, squares, min_batches=64)
    few = filled(10 * (FEWEST_BATCHES - 1), squares, min_batches=64)
    assert np.isfinite(enough.stderr(ratio))
    assert np.isnan(few.stderr(ratio))
    assert np.isnan(few.stderr(lambda total: total / 2)).tolist() == [True] * 3
