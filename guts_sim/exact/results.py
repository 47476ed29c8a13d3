"""Frozen results of exact counting and the algebra of one Guts round."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class RoundValues:
    """One-round value of being in and out, per hero hand class, in units of the active pot.

    Every amount left on the table after the round is worth 1/N of itself to each of N players.

    Attributes
    ----------
    ev_in, ev_out : float64 array, shape (n_classes,)
        Expected payoff of entering and of staying out.
    delta : float64 array, shape (n_classes,)
        ``ev_in - ev_out``.
    frequency : float64 array, shape (n_classes,)
        Probability of being dealt each class; sums to 1.
    p_nobody_else : float64 array, shape (n_classes,)
        Probability that every opponent stays out, given the hero's class.
    """

    ev_in: Floats
    ev_out: Floats
    delta: Floats
    frequency: Floats
    p_nobody_else: Floats

    def gain(self, entry_probs: Floats) -> Floats:
        """Gain per class of the best one-shot deviation from `entry_probs`, at least 0.

        Parameters
        ----------
        entry_probs : array, shape (n_classes,)
            The hero's entry probability per class.

        Returns
        -------
        float64 array, shape (n_classes,)
            What the better of in and out gains over `entry_probs`, in pots, given the class.
        """
        entry = np.asarray(entry_probs, dtype=np.float64)
        return np.where(self.delta > 0.0, (1.0 - entry) * self.delta, -entry * self.delta)

    def exploitability(self, entry_probs: Floats) -> float:
        """Gain of the best one-shot deviation per deal: the mean of `gain` over the classes.

        Parameters
        ----------
        entry_probs : array, shape (n_classes,)
            The hero's entry probability per class.

        Returns
        -------
        float
            Pots per deal; 0 if and only if `entry_probs` is a best reply to the field.
        """
        return float(self.frequency @ self.gain(entry_probs))


@dataclass(frozen=True, eq=False)
class RoundLaw:
    """Exact joint law of the number of players in and the number tied best.

    Attributes
    ----------
    joint : float64 array, shape (n_players + 1, n_players + 1)
        ``joint[k, w]`` is the probability that k players enter and w of them share the best hand.
    """

    joint: Floats

    @property
    def n_players(self) -> int:
        """Number of players at the table."""
        return len(self.joint) - 1

    @property
    def p_nobody(self) -> float:
        """Probability that nobody enters."""
        return float(self.joint[0, 0])

    @property
    def p_one(self) -> float:
        """Probability that exactly one player enters and takes the pot uncontested."""
        return float(self.joint[1, 1])

    @property
    def p_contested(self) -> float:
        """Probability of a showdown between two or more players."""
        return float(self.joint[2:].sum())

    @property
    def p_taken(self) -> float:
        """Probability that nothing is left to play for: a lone winner or all in-players tied."""
        return float(self.multiplier_law[0])

    @cached_property
    def multiplier_law(self) -> Floats:
        """Law of the multiplier M of the pot: ``multiplier_law[m]`` = P(M = m), m = 0..n_players - 1.

        M is 1 when nobody enters, otherwise the number of in-players who do not share the best hand.
        """
        law = np.zeros(self.n_players)
        law[1] = self.joint[0, 0]
        for n_in in range(1, self.n_players + 1):
            for n_best in range(1, n_in + 1):
                law[n_in - n_best] += self.joint[n_in, n_best]
        law.flags.writeable = False
        return law

    @property
    def expected_multiplier(self) -> float:
        """Mean of the multiplier; at 1 or more expected stakes do not vanish."""
        return float(np.arange(self.n_players) @ self.multiplier_law)

    @property
    def expected_rounds(self) -> float:
        """Expected number of rounds up to the first uncontested win, 1 / `p_one`."""
        return 1.0 / self.p_one if self.p_one > 0.0 else float("inf")

    @property
    def expected_rounds_until_taken(self) -> float:
        """Expected number of rounds until the pot is taken, uncontested or shared by all who are in."""
        return 1.0 / self.p_taken if self.p_taken > 0.0 else float("inf")

    @property
    def entry_prob(self) -> float:
        """Probability that a given player enters."""
        return float(np.arange(self.n_players + 1) @ self.joint.sum(axis=1)) / self.n_players

    def tail_index(self) -> float | None:
        """Power of the tail of the peak pot: s > 0 with E[M^s; pot not taken] = 1.

        Returns
        -------
        float or None
            The index s, or None where no positive solution exists: the pot can never grow, or it
            is never taken.

        References
        ----------
        .. [1] H. Kesten, "Random difference equations and renewal theory for products of random
           matrices", Acta Mathematica 131 (1973), 207-248.

        Examples
        --------
        >>> import numpy as np
        >>> joint = np.zeros((4, 4))
        >>> joint[1, 1], joint[2, 1], joint[3, 1] = 0.5, 0.25, 0.25  # M = 0, 1, 2
        >>> round(RoundLaw(joint).tail_index(), 6)  # 1/4 + 2^s / 4 = 1
        1.584963
        """
        law = self.multiplier_law
        if self.p_taken <= 0.0 or law[2:].sum() <= 0.0:
            return None
        growth = np.log(np.arange(1, self.n_players))

        def log_moment(power: float) -> float:
            # Scaled by the largest term, so that a high power cannot overflow.
            return float(np.log(law[1:] @ np.exp(power * (growth - growth[-1]))) + power * growth[-1])

        low, high = 0.0, 1.0
        while log_moment(high) < 0.0:
            low, high = high, 2.0 * high
        for _ in range(200):
            middle = 0.5 * (low + high)
            if not low < middle < high:
                break
            low, high = (middle, high) if log_moment(middle) < 0.0 else (low, middle)
        return 0.5 * (low + high)


@dataclass(frozen=True, eq=False)
class ThresholdEquilibrium:
    """The symmetric pure threshold of least exploitability.

    Attributes
    ----------
    n_players : int
        Number of players.
    index : int
        Weakest class that enters.
    entry_probs : float64 array, shape (n_classes,)
        0 below `index`, 1 from `index` on.
    values : RoundValues
        Value of each class when everybody plays the threshold.
    law : RoundLaw
        Law of a round when everybody plays the threshold.
    exploitability : float
        Gain of the best one-shot deviation, pots per deal.
    """

    n_players: int
    index: int
    entry_probs: Floats
    values: RoundValues
    law: RoundLaw
    exploitability: float

    @property
    def entry_prob(self) -> float:
        """Probability that a player enters."""
        return float(self.values.frequency @ self.entry_probs)

    @property
    def exact(self) -> bool:
        """Whether no one-shot deviation gains anything."""
        return self.exploitability == 0.0


@dataclass(frozen=True, eq=False)
class HandOdds:
    """Showdown odds of one hand when every opponent shows his.

    Attributes
    ----------
    n_opponents : int
        Number of opponents.
    win : float
        Probability that the hand beats everybody.
    tie_by_count : tuple of float
        ``tie_by_count[u]`` is the probability that exactly u opponents tie with the hand and none is
        better; ``tie_by_count[0] == win``.
    lose : float
        Probability that somebody is better.
    """

    n_opponents: int
    win: float
    tie_by_count: tuple[float, ...]
    lose: float

    @property
    def tie(self) -> float:
        """Probability that the hand shares the best place."""
        return sum(self.tie_by_count[1:])

    @property
    def equity(self) -> float:
        """Expected share of the pot: 1/(u + 1) when u opponents tie."""
        return sum(chance / (count + 1) for count, chance in enumerate(self.tie_by_count))


def payoffs(
    n_shares: float,
    frequency: Floats,
    p_nobody_else: Floats,
    best_by_ties: Sequence[Floats],
    mean_others_in: Floats,
    mean_best_when_out: Floats,
    mean_best_when_in: Floats,
) -> RoundValues:
    """Turn the law of the opponents into the values of in and out.

    Parameters
    ----------
    n_shares : float
        Among how many players the chips left on the table are shared: all N; infinity if they are worth nothing.
    frequency, p_nobody_else : array, shape (n,)
        As in `RoundValues`.
    best_by_ties : sequence of arrays, each of shape (n,)
        Item u: probability that the hero, when in, is among the best together with u opponents.
    mean_others_in : array, shape (n,)
        Expected number of opponents who enter.
    mean_best_when_out, mean_best_when_in : array, shape (n,)
        Expected number of players who share the best in-hand when the hero is out (0 if nobody is
        in) and when he is in.

    Returns
    -------
    RoundValues
    """
    among_best = np.sum(best_by_ties, axis=0)
    share = np.sum([chance / (u + 1) for u, chance in enumerate(best_by_ties)], axis=0)
    losers_when_in = 1.0 + mean_others_in - mean_best_when_in
    losers_when_out = mean_others_in - mean_best_when_out
    ev_in = share - (1.0 - among_best) + losers_when_in / n_shares
    ev_out = (p_nobody_else + losers_when_out) / n_shares
    return RoundValues(ev_in, ev_out, ev_in - ev_out, frequency, p_nobody_else)
