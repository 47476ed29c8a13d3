"""Sampled values against exact ones, and the solver against exact equilibria."""

import multiprocessing
from concurrent.futures import ProcessPoolExecutor

import numpy as np
import pytest
from stopping import StoppingExecutor

from guts_sim.engine import run_key
from guts_sim.exact import exact_hand_values, exact_threshold, exact_values
from guts_sim.hands import class_index, get_ranking, guts3_ranking
from guts_sim.solve import equilibrium as equilibrium_module
from guts_sim.solve import pure_thresholds, sampled_values, set_of_hand, solve_symmetric
from guts_sim.solve.sampled import SCORE_BLOCK, score_deals, value_of_set
from guts_sim.strategy import parse_field

GUTS2, GUTS3 = get_ranking("guts2"), get_ranking("guts3")
PLAIN3 = guts3_ranking(straights_flushes=False)


def run(n_players, ranking, entry, n_deals, key=1, **options):
    return sampled_values(n_players, ranking, entry, n_deals, run_key(key), **options)


def assert_within(sampled, exact, stderr, sigmas=5.0):
    # Sums are rounded to units of 1.6e-6 pot per hand, so a known value may miss by that much.
    assert (np.abs(sampled - exact) <= sigmas * stderr + 2e-6).all()


@pytest.mark.parametrize("n_players", range(2, 11))
@pytest.mark.parametrize("field", ["TT+", "equilibrium", "top:30%"])
def test_two_card_values_agree_with_counting(n_players, field):
    entry = exact_threshold(n_players).entry_probs if field == "equilibrium" else parse_field(field, GUTS2).entry
    exact = exact_values(n_players, GUTS2, entry)
    sampled = run(n_players, GUTS2, entry, 80 * SCORE_BLOCK, key=n_players)
    assert_within(sampled.delta, exact.delta, sampled.stderr)
    # The values themselves scatter more than their difference; a pot per sqrt(n) bounds their error.
    assert_within(sampled.ev_in, exact.ev_in, 1.2 / np.sqrt(sampled.n))
    assert_within(sampled.ev_out, exact.ev_out, 1.2 / np.sqrt(sampled.n))
    reply = float(exact.frequency @ np.maximum(exact.ev_in, exact.ev_out))
    assert_within(sampled.best_reply_value, reply, sampled.best_reply_stderr)
    assert_within(sampled.best_reply_gain, exact.exploitability(entry), sampled.best_reply_gain_stderr)
    assert_within(sampled.exploitability, exact.exploitability(entry), sampled.exploitability_stderr)


@pytest.mark.parametrize(("n_players", "ranking"), [(2, GUTS3), (3, GUTS3), (2, PLAIN3), (3, PLAIN3)])
def test_three_card_values_agree_with_counting(n_players, ranking):
    entry = np.clip(np.linspace(-0.7, 1.5, ranking.n_classes), 0, 1)  # out, mixed, in
    exact = exact_hand_values(n_players, ranking, entry)
    by_class = exact_values(n_players, ranking, entry)
    batches = score_deals(n_players, ranking, entry, 100 * SCORE_BLOCK, run_key(3))
    sampled = run(n_players, ranking, entry, 100 * SCORE_BLOCK, key=3)
    assert_within(sampled.delta, by_class.delta, sampled.stderr)
    for kind in range(0, len(exact.cards), 97):
        ev_in, ev_out, delta, stderr = value_of_set(batches, set_of_hand(exact.cards[kind].tolist()))
        assert ev_in - ev_out == pytest.approx(delta, abs=1e-12)
        assert_within(delta, exact.values.delta[kind], stderr)
    certified = exact.values.exploitability(entry[exact.hand_class])
    assert_within(sampled.exploitability, certified, sampled.exploitability_stderr)
    assert_within(sampled.best_reply_gain, by_class.exploitability(entry), sampled.best_reply_gain_stderr)


def test_standard_errors_are_the_scatter_between_seeds():
    entry = parse_field("A4+", GUTS2).entry
    runs = [run(5, GUTS2, entry, 16 * SCORE_BLOCK, key=seed, workers=1) for seed in range(60)]
    scatter = np.std([r.delta for r in runs], axis=0, ddof=1)
    claimed = np.sqrt(np.mean([r.stderr**2 for r in runs], axis=0))
    # 60 seeds know their own scatter within 9 % and the claim within 2.5 %; four sigma on every class.
    assert (np.abs(claimed / scatter - 1) < 0.4).all()
    assert np.mean(claimed / scatter) == pytest.approx(1.0, abs=0.1)
    gains = [r.best_reply_value for r in runs]
    claimed_gain = np.sqrt(np.mean([r.best_reply_stderr**2 for r in runs]))
    assert claimed_gain == pytest.approx(np.std(gains, ddof=1), rel=0.4)


def test_result_does_not_depend_on_workers_or_processes():
    entry = np.linspace(0, 1, 741)
    n_deals = 5 * SCORE_BLOCK + 321
    reference = run(4, GUTS3, entry, n_deals, workers=1)
    others = [run(4, GUTS3, entry, n_deals, workers=workers, progress=workers == 2) for workers in (2, 3)]
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        others.append(run(4, GUTS3, entry, n_deals, executor=pool))
    for other in others:
        assert np.array_equal(other.delta, reference.delta)
        assert np.array_equal(other.ev_out, reference.ev_out)
        assert other.exploitability == reference.exploitability


def test_interrupted_sampling_is_no_answer():
    with pytest.raises(KeyboardInterrupt):
        run(3, GUTS2, np.ones(91), 10 * SCORE_BLOCK, executor=StoppingExecutor(2))


def test_interrupted_solver_is_no_answer():
    with pytest.raises(KeyboardInterrupt):
        solve_symmetric(3, GUTS2, run_key(1), executor=StoppingExecutor(3))
    with pytest.raises(KeyboardInterrupt):
        pure_thresholds(3, GUTS2, np.ones(91), run_key(1), executor=StoppingExecutor(3))


@pytest.mark.parametrize(("n_players", "threshold", "entry_prob"), [(2, "J7", 0.505279), (3, "K4", 0.312217)])
def test_solver_finds_the_exact_two_card_equilibrium(n_players, threshold, entry_prob):
    solved = solve_symmetric(n_players, GUTS2, run_key(11))
    exact = exact_values(n_players, GUTS2, solved.entry)
    assert exact.exploitability(solved.entry) < 1e-4
    assert exact.frequency @ solved.entry == pytest.approx(entry_prob, abs=0.01)
    found = pure_thresholds(n_players, GUTS2, solved.entry, run_key(12))
    weakest = class_index(threshold, GUTS2)
    assert (found.least_exploitable, found.self_consistent) == (weakest, weakest)


def test_solver_does_not_depend_on_workers(monkeypatch):
    monkeypatch.setattr(equilibrium_module, "ITERATIONS", 8)
    entries = [solve_symmetric(4, GUTS3, run_key(5), workers=workers).entry for workers in (1, 2, 3)]
    assert np.array_equal(entries[0], entries[1])
    assert np.array_equal(entries[0], entries[2])
    assert not np.array_equal(entries[0], solve_symmetric(4, GUTS3, run_key(6), workers=1).entry)
