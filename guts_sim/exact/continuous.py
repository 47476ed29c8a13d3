"""Guts with continuous hands: every hand uniform on [0, 1], no cards removed, no ties. Closed forms.

A player with threshold q enters with hands above q, so q is the probability of staying out. Money is in
units of the active pot, except for the first player's payoff in `RoundOfThresholds`, which is in antes.

References
----------
.. [1] L. Castronova, Y. Chen and K. Zumbrun, "Game-theoretic analysis of Guts poker", arXiv:2108.06556.
.. [2] K. Buck, J. Lee, J. Platnick, A. Wheeler and K. Zumbrun, "Continuous Guts poker and numerical
   optimization of generalized recursive games", arXiv:2208.02788.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import comb, log, prod

import numpy as np

from guts_sim.checks import check_number
from guts_sim.errors import InputError
from guts_sim.exact.checks import checked_players
from guts_sim.exact.results import Floats, RoundLaw

LIMIT_MULTIPLIER = log(2.0)
"""Mean multiplier of the pot at the equilibrium of very many players."""
LIMIT_P_ONE = 0.5 * log(2.0)
"""Probability that a lone player takes the pot at the equilibrium of very many players."""

RULES = ("base", "weenie", "ghost-all", "ghost-lone")


def equilibrium_threshold(n_players: int, rule: str = "base") -> float:
    """Threshold q of the symmetric equilibrium.

    Parameters
    ----------
    n_players : int
        2 to 10.
    rule : {"base", "weenie", "ghost-all", "ghost-lone"}
        What is special: nothing; the best hand that is out matches the pot when nobody is in; a ghost hand takes
        part in every showdown, or has to be beaten by a lone player only.

    Returns
    -------
    float
        Nobody else enters with probability 1/2 (base), 1/3 (weenie). With a ghost in every showdown,
        nobody else enters and the ghost is weaker with probability 1/2. With a ghost for a lone player,
        those who are out also share the pot that a lone player loses to the ghost: q solves
        ``2 q^N - 1 = (1 - q)^2 q^(N-2)``, a little above the threshold of a ghost in every showdown.

    Raises
    ------
    InputError
        Number of players or rule not allowed.

    Examples
    --------
    >>> round(equilibrium_threshold(3), 6), round(equilibrium_threshold(7, "weenie"), 6)
    (0.707107, 0.832683)
    >>> equilibrium_threshold(2, "ghost-lone") + 1  # the square root of 3
    1.7320508075688772
    """
    n_players = checked_players(n_players)
    _check_rule(rule)
    if rule == "ghost-lone":
        return _lone_ghost_threshold(n_players)
    base, roots = {"base": (2, n_players - 1), "weenie": (3, n_players - 1), "ghost-all": (2, n_players)}[rule]
    return float(base ** (-1.0 / roots))


def _check_rule(rule: str) -> None:
    if rule not in RULES:
        raise InputError(f"rule: {rule!r} is not allowed; choose {', '.join(RULES)}")


def _lone_ghost_threshold(n_players: int) -> float:
    from scipy.optimize import brentq

    def excess(q: float) -> float:
        return float(2.0 * q**n_players - 1.0 - (1.0 - q) ** 2 * q ** (n_players - 2))

    return float(brentq(excess, 0.5, 1.0, xtol=1e-16, rtol=1e-15))


def continuous_round_law(n_players: int, threshold: float) -> RoundLaw:
    """Law of (players in, tied for best) when all players share a threshold.

    Parameters
    ----------
    n_players : int
        2 to 10.
    threshold : float
        Probability of staying out, 0 to 1.

    Returns
    -------
    RoundLaw
        Continuous hands never tie, so one of those who are in is best.

    Raises
    ------
    InputError
        Number of players or threshold not allowed.

    Examples
    --------
    >>> law = continuous_round_law(3, equilibrium_threshold(3))
    >>> round(law.p_one, 6), round(law.expected_multiplier, 6), round(law.tail_index(), 3)
    (0.43934, 0.585786, 4.208)
    """
    n_players = checked_players(n_players)
    q = _checked_threshold(threshold)
    joint = np.zeros((n_players + 1, n_players + 1))
    for n_in in range(n_players + 1):
        joint[n_in, min(n_in, 1)] = comb(n_players, n_in) * (1.0 - q) ** n_in * q ** (n_players - n_in)
    return RoundLaw(joint)


def continuous_multiplier_law(n_players: int, threshold: float, rule: str = "base") -> Floats:
    """Law of the multiplier of the pot when all players share a threshold.

    Parameters
    ----------
    n_players, threshold
        As in `continuous_round_law`.
    rule : str
        As in `equilibrium_threshold`.

    Returns
    -------
    float64 array, shape (n_players + 2,)
        Probability of each multiplier; 0 means that the pot is taken.

    Raises
    ------
    InputError
        An argument is not allowed.

    Examples
    --------
    Under the Weenie rule seven players are supercritical at their equilibrium.

    >>> law = continuous_multiplier_law(7, equilibrium_threshold(7, "weenie"), "weenie")
    >>> round(float(np.arange(9) @ law), 4)
    1.0039
    """
    _check_rule(rule)
    n_in_law = continuous_round_law(n_players, threshold).joint.sum(axis=1)
    law = np.zeros(n_players + 2)
    law[2 if rule == "weenie" else 1] = n_in_law[0]
    for n_in in range(1, n_players + 1):
        # The best of n_in hands above the threshold falls short of 1 by (1 - q) / (n_in + 1) on average.
        shows = rule == "ghost-all" or (rule == "ghost-lone" and n_in == 1)
        ghost_wins = (1.0 - threshold) / (n_in + 1) if shows else 0.0
        law[n_in - 1] += n_in_law[n_in] * (1.0 - ghost_wins)
        law[n_in + 1] += n_in_law[n_in] * ghost_wins
    return law


@dataclass(frozen=True)
class RoundOfThresholds:
    """One round in which every player has a threshold of his own.

    Attributes
    ----------
    p_nobody : float
        Probability that nobody is in.
    p_first_wins : float
        Probability that the first player has the best hand that is in.
    expected_multiplier : float
        Mean multiplier of the pot, beta.
    first_payoff : float
        alpha: expected payoff of the first player in antes, for a pot of one ante each: his flow of chips
        plus an equal share of what is then on the table, less the ante. His value under these
        thresholds for ever is ``first_payoff / (1 - expected_multiplier)``.
    """

    p_nobody: float
    p_first_wins: float
    expected_multiplier: float
    first_payoff: float


def round_of_thresholds(thresholds: Sequence[float]) -> RoundOfThresholds:
    """One round between players of different thresholds.

    Parameters
    ----------
    thresholds : sequence of float
        Probability of staying out, per player, the first player first; 2 to 10 numbers from 0 to 1.

    Returns
    -------
    RoundOfThresholds

    Raises
    ------
    InputError
        Too few or too many thresholds, or one outside 0 to 1.

    Examples
    --------
    At the symmetric equilibrium the first player gains nothing, and one who enters more often loses nothing.

    >>> q = equilibrium_threshold(3)
    >>> abs(round_of_thresholds([q, q, q]).first_payoff) < 1e-12
    True
    >>> abs(round_of_thresholds([0.5, q, q]).first_payoff) < 1e-12
    True
    """
    n_players = checked_players(len(thresholds))
    q = [_checked_threshold(threshold) for threshold in thresholds]
    p_nobody = prod(q)
    mean_in = n_players - sum(q)
    p_first_wins = _mean_of_being_best(q[0], q[1:])
    beta = mean_in - 1.0 + 2.0 * p_nobody
    payoff = beta - 1.0 + n_players * (2.0 * p_first_wins - (1.0 - q[0]))
    return RoundOfThresholds(p_nobody, p_first_wins, beta, payoff)


def _mean_of_being_best(own: float, others: Sequence[float]) -> float:
    """Integral over x from ``own`` to 1 of the product of max(x, q), a polynomial between neighbouring q."""
    cuts = sorted({own, 1.0, *(q for q in others if q > own)})
    total = 0.0
    for low, high in pairwise(cuts):
        above = [q for q in others if q >= high]
        power = len(others) - len(above) + 1
        total += prod(above) * (high**power - low**power) / power
    return total


def _checked_threshold(threshold: float) -> float:
    return check_number(threshold, "threshold", "a number from 0 to 1", 0.0, 1.0)
