"""Sums along chains that leave their states: by factors and step by step."""

import numpy as np
import pytest

from guts_sim.errors import InputError
from guts_sim.exact import leaving
from guts_sim.exact.leaving import LeavingChain


def ruin_chain(n, up=0.49):
    """A gambler with 1 to n chips who bets one at a time; 0 and n + 1 leave."""
    weights = np.tile([1.0 - up, up], (n, 1))
    after = np.arange(n)[:, None] + [-1, 1]
    after[0, 0] = n
    after[n - 1, 1] = n + 1
    return LeavingChain(weights, after)


def expected_rounds(n, up=0.49):
    """Feller, An Introduction to Probability Theory, volume 1, XIV.3."""
    chips, down = np.arange(1, n + 1), 1.0 - up
    ratio = down / up
    return chips / (down - up) - (n + 1) / (down - up) * (1 - ratio**chips) / (1 - ratio ** (n + 1))


@pytest.mark.parametrize("most_factored", [1, 1000])
def test_rounds_of_a_gambler(monkeypatch, most_factored):
    monkeypatch.setattr(leaving, "MOST_FACTORED", most_factored)
    assert ruin_chain(40).mean_visits() == pytest.approx(expected_rounds(40), rel=1e-9)


def test_steps_without_end_give_way_to_factors(monkeypatch):
    monkeypatch.setattr(leaving, "MOST_FACTORED", 1)
    monkeypatch.setattr(leaving, "MOST_STEPS", 5)
    assert ruin_chain(40).mean_visits() == pytest.approx(expected_rounds(40), rel=1e-9)


@pytest.mark.parametrize("chance_to_leave", [0.0, 1e-14])
def test_a_chain_that_never_leaves_is_refused(chance_to_leave):
    chain = LeavingChain(np.array([[1.0 - chance_to_leave, chance_to_leave]]), np.array([[0, 1]]))
    with pytest.raises(InputError, match="never end"):
        chain.mean_visits()
