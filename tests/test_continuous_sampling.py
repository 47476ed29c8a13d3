"""Closed forms for uniform hands against plain sampling: deal numbers between 0 and 1, settle, count."""

import numpy as np
import pytest

from guts_sim.exact import continuous as cont

N_ROUNDS = 400_000


def play(thresholds, seed):
    """Hands (round, player) and who is in."""
    hands = np.random.default_rng(seed).random((N_ROUNDS, len(thresholds)))
    return hands, hands >= np.asarray(thresholds)


def mean_and_stderr(values):
    return values.mean(), values.std() / np.sqrt(len(values))


@pytest.mark.parametrize("rule", cont.RULES)
@pytest.mark.parametrize("n_players", [2, 3, 6])
def test_multiplier_law(n_players, rule):
    threshold = cont.equilibrium_threshold(n_players, rule)
    hands, is_in = play([threshold] * n_players, seed=n_players)
    ghost = np.random.default_rng(99).random(N_ROUNDS)
    n_in = is_in.sum(axis=1)
    best = np.where(is_in, hands, -1).max(axis=1)
    plays = {"ghost-all": n_in > 0, "ghost-lone": n_in == 1}.get(rule, np.zeros(N_ROUNDS, bool))
    # The ghost leaves the pot, and every loser matches it.
    multiplier = np.where(n_in == 0, 2 if rule == "weenie" else 1, n_in - 1 + 2 * (plays & (ghost > best)))
    law = cont.continuous_multiplier_law(n_players, threshold, rule)
    for m, p in enumerate(law):
        stderr = np.sqrt(p * (1 - p) / N_ROUNDS)
        assert np.mean(multiplier == m) == pytest.approx(p, abs=4.5 * stderr + 2 / N_ROUNDS), m


@pytest.mark.parametrize("thresholds", [(0.5, 0.5), (0.2, 0.7, 0.9), (0.8, 0.0, 0.6, 0.6), (1.0, 0.3, 0.5)])
def test_rounds_of_different_thresholds(thresholds):
    n_players = len(thresholds)
    hands, is_in = play(thresholds, seed=7)
    n_in = is_in.sum(axis=1)
    best = np.where(is_in, hands, -1).max(axis=1)
    wins = is_in[:, 0] & (hands[:, 0] == best)
    losers = np.maximum(n_in - 1, 0)
    left = np.where(n_in == 0, 1, losers)
    # In pots: the first player's flow, an equal share of what stays, less that of the pot there was; N antes a pot.
    flow = np.where(wins, 1.0, np.where(is_in[:, 0], -1.0, 0.0))
    payoff = n_players * flow + left - 1.0
    exact = cont.round_of_thresholds(thresholds)
    for found, value in (
        (n_in == 0, exact.p_nobody),
        (wins, exact.p_first_wins),
        (left, exact.expected_multiplier),
        (payoff, exact.first_payoff),
    ):
        mean, stderr = mean_and_stderr(np.asarray(found, float))
        assert mean == pytest.approx(value, abs=4.5 * stderr + 1e-9)
