"""Exact law of a cycle of Guts: its end, its length, the peaks of pot and reserve."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np

from guts_sim.exact.chain import (
    Event,
    Factors,
    Floats,
    Ints,
    PeakLaw,
    Stakes,
    TableChain,
    build_chain,
    factorise,
    opening,
    round_events,
    stakes_of,
)
from guts_sim.exact.clocks import ChainClock, Clock, GeometricClock
from guts_sim.exact.drift import ReserveWalk, reserve_walk
from guts_sim.exact.results import RoundLaw
from guts_sim.exact.two_card import read_threshold
from guts_sim.exact.two_card_law import tied_outs_law
from guts_sim.rules import GutsRules

CLOSE = 1e-9  # to which the bounds of the probability of an end have to agree
NEGLIGIBLE = 1e-12  # chance of leaving the chain at which a reserve is followed far enough
NEGLIGIBLE_TAIL = 1e-9  # the same for a pot without a cap, whose tail is a power and is known at every level anyway
MAX_STATES = 60_000
MAX_CHIPS = 2**53
_FIRST_CAPS, _FIRST_POTS, _GROWTH = 8, 1024, 4


@dataclass(frozen=True, eq=False)
class CascadeLaw:
    """Exact law of one cycle.

    Attributes
    ----------
    multiplier_law : float64 array
        ``multiplier_law[m]`` is the probability that a round multiplies the pot by m (0: it is taken), before
        cap and antes.
    expected_multiplier : float
        Its mean.
    tail_index : float or None
        Power of the tail of the peak pot if there were no cap; see `tail_index`.
    drift : float or None
        Chips that a table gains per round while its reserve is full; None without a reserve.
    ends_low, ends_high : float
        Certified bounds of the probability that the cycle ever ends. They differ where the chain was cut
        off at the cost limit.
    rounds_mean, rounds_sd : float or None
        Of the number of rounds; None where they do not exist.
    peak_pot, peak_reserve : PeakLaw
        In chips.
    mean_peak_pot, mean_peak_reserve : float or None
        None where they do not exist or could not be found within the cost limit.
    n_states : int
        States of the chain.
    """

    multiplier_law: Floats
    expected_multiplier: float
    tail_index: float | None
    drift: float | None
    ends_low: float
    ends_high: float
    rounds_mean: float | None
    rounds_sd: float | None
    peak_pot: PeakLaw
    peak_reserve: PeakLaw
    mean_peak_pot: float | None
    mean_peak_reserve: float | None
    n_states: int
    _clock: Clock

    @property
    def p_ends(self) -> float:
        """Probability that the cycle ever ends: the middle of its bounds."""
        return 0.5 * (self.ends_low + self.ends_high)

    @property
    def supercritical(self) -> bool:
        """Whether expected stakes fail to vanish: a multiplier of 1 or more on average."""
        return self.expected_multiplier >= 1.0

    def rounds_quantiles(self, qs: Sequence[float]) -> list[int | None]:
        """Rounds within which a cycle ends with probability ``q``, ascending; None for never or beyond the cost limit.

        Examples
        --------
        >>> joint = np.zeros((3, 3))
        >>> joint[1, 1], joint[2, 1] = 0.5, 0.5
        >>> exact_cascade(RoundLaw(joint), GutsRules()).rounds_quantiles([0.5, 0.75, 0.99])
        [1, 2, 7]
        """
        return self._clock.quantiles(qs, self.ends_high)


def tail_index(multiplier_law: Floats) -> float | None:
    """Index s > 0 with E[M^s; pot not taken] = 1: the peak of an uncapped pot exceeds x with chance ~ x^-s.

    Parameters
    ----------
    multiplier_law : float64 array, shape (n,)
        ``multiplier_law[m]`` is the probability of the multiplier m; 0 means that the pot is taken.

    Returns
    -------
    float or None
        None if the pot can never grow or is never taken.

    References
    ----------
    .. [1] H. Kesten, "Random difference equations and renewal theory for products of random matrices",
       Acta Mathematica 131 (1973), 207-248.

    Examples
    --------
    >>> round(tail_index(np.array([0.5, 0.25, 0.25])), 6)  # 1/4 + 2^s / 4 = 1
    1.584963
    """
    from scipy.optimize import brentq

    if multiplier_law[0] <= 0.0 or multiplier_law[2:].sum() <= 0.0:
        return None
    growth = np.log(np.arange(1, len(multiplier_law)))

    def log_moment(power: float) -> float:
        # Scaled by the largest term, so that a high power cannot overflow.
        scaled = multiplier_law[1:] @ np.exp(power * (growth - growth[-1]))
        return float(np.log(scaled) + power * growth[-1])

    high = 1.0
    while log_moment(high) < 0.0:
        high *= 2.0
    return float(brentq(log_moment, 0.0, high, xtol=1e-14))


def exact_cascade(
    law: RoundLaw, rules: GutsRules, tied_outs: Floats | None = None, *, max_states: int = MAX_STATES
) -> CascadeLaw:
    """Exact law of a cycle, given the law of one round.

    Parameters
    ----------
    law : RoundLaw
        Law of (players in, tied for best) in one round; its rounds are independent.
    rules : GutsRules
        How money moves: ante, cap, reserve, what happens when nobody is in.
    tied_outs : float64 array, optional
        See `guts_sim.exact.chain.round_events`.
    max_states : int
        Cost limit: the chain is cut off where it would have more states.

    Returns
    -------
    CascadeLaw

    Notes
    -----
    The chain is followed up to a number of chips that grows until a cycle leaves the chain with negligible
    probability, or until the probability that it ends is known to 1e-9. A cycle that left counts as never
    ending in ``ends_low``; in ``ends_high`` it ends with the largest probability that a supermartingale of the
    full reserve allows. Without a reserve, and with one that does not drift upwards, a cycle ends for sure if
    the pot can be taken at all.

    Examples
    --------
    >>> from guts_sim.exact import exact_round_law
    >>> from guts_sim.hands import class_index
    >>> law = exact_round_law(3, "guts2", np.arange(91) >= class_index("K4", "guts2"))
    >>> cascade = exact_cascade(law, GutsRules())
    >>> round(cascade.tail_index, 3), round(cascade.peak_pot.at_least(30), 9)
    (4.308, 6.502e-06)
    """
    stakes = stakes_of(law.n_players, rules)
    events = round_events(law, rules, tied_outs)
    walk = reserve_walk(events, stakes)
    multipliers = multiplier_law(events)
    p_taken = float(multipliers[0])
    chain = _grown_chain(events, stakes, walk, max_states)
    solved = _Solved(chain, factorise(chain, chain.reserves), stakes) if p_taken > 0.0 else None
    peak_pot, peak_reserve = _never_taken(events, stakes) if solved is None else solved.peaks()
    recurs = p_taken > 0.0 and (walk is None or walk.drift <= 0.0)
    ends = (1.0, 1.0) if recurs else (0.0, 0.0) if solved is None else solved.end_bounds(walk)
    mean_multiplier = float(np.arange(len(multipliers)) @ multipliers)
    if walk is None:
        moments = GeometricClock(p_taken).moments()
        clock: Clock = GeometricClock(p_taken)
    else:
        clock = ChainClock(chain)
        finite = solved is not None and walk.drift < 0.0 and peak_reserve.beyond < CLOSE
        moments = solved.round_moments() if finite and solved is not None else (None, None)
    return CascadeLaw(
        multiplier_law=multipliers,
        expected_multiplier=mean_multiplier,
        tail_index=tail_index(multipliers),
        drift=None if walk is None else walk.drift,
        ends_low=ends[0],
        ends_high=ends[1],
        rounds_mean=moments[0],
        rounds_sd=moments[1],
        peak_pot=peak_pot,
        peak_reserve=peak_reserve,
        mean_peak_pot=_mean_peak_pot(events, stakes, peak_pot),
        mean_peak_reserve=peak_reserve.mean if peak_reserve.beyond < CLOSE else None,
        n_states=chain.n_states,
        _clock=clock,
    )


def end_bounds(
    law: RoundLaw, rules: GutsRules, tied_outs: Floats | None = None, *, max_states: int = MAX_STATES
) -> tuple[float, float, float | None]:
    """Bounds of the probability that a cycle ends, and the drift of a full reserve, without anything else."""
    stakes = stakes_of(law.n_players, rules)
    events = round_events(law, rules, tied_outs)
    walk = reserve_walk(events, stakes)
    if not any(event.takes_pot for event in events):
        return 0.0, 0.0, None if walk is None else walk.drift
    if walk is None or walk.drift <= 0.0:
        return 1.0, 1.0, None if walk is None else walk.drift
    chain = _grown_chain(events, stakes, walk, max_states)
    return *_Solved(chain, factorise(chain, chain.reserves), stakes).end_bounds(walk), walk.drift


def multiplier_law(events: Sequence[Event]) -> Floats:
    """Probability of each multiplier of the pot in a round, before cap, limit of a match and antes; 0 if it is taken.

    Parameters
    ----------
    events : sequence of Event
        See `guts_sim.exact.chain.round_events`.

    Returns
    -------
    float64 array
        From multiplier 0 to the largest that is possible.
    """
    law = np.zeros(1 + max(event.multiplier for event in events))
    for event in events:
        law[event.multiplier] += event.probability
    return law


def _grown_chain(events: Sequence[Event], stakes: Stakes, walk: ReserveWalk | None, max_states: int) -> TableChain:
    """Chain that is cut off where it hardly matters, or at the cost limit."""
    span = _FIRST_POTS * stakes.antes if stakes.cap is None else _FIRST_CAPS * max(stakes.antes, stakes.cap)
    chain = None
    while chain is None:
        chain = build_chain(events, stakes, span, max_states)
        span //= 2
    while chain.escapes and chain.most_chips < MAX_CHIPS and not _is_large_enough(chain, walk):
        larger = build_chain(events, stakes, _GROWTH * chain.most_chips, max_states)
        if larger is None:
            break
        chain = larger
    return chain


def _is_large_enough(chain: TableChain, walk: ReserveWalk | None) -> bool:
    if not chain.ends.any():
        return True
    factors = factorise(chain, chain.reserves)
    if walk is not None and walk.drift > 0.0:
        bound = walk.emptying_bound()
        return float(factors.applied(chain.escape_probs([bound(state) for *_, state in chain.escapes])).sum()) < CLOSE
    negligible = NEGLIGIBLE_TAIL if walk is None else NEGLIGIBLE
    return float(factors.applied(chain.escape_probs()).sum()) < negligible


@dataclass(frozen=True, eq=False)
class _Solved:
    """A chain with its factors."""

    chain: TableChain
    factors: Factors
    stakes: Stakes

    def end_bounds(self, walk: ReserveWalk | None) -> tuple[float, float]:
        low = float(self.factors.applied(self.chain.ends).sum())
        if walk is None:
            return low, low + self.escape
        bound = walk.emptying_bound()
        weights = [bound(state) for *_, state in self.chain.escapes]
        return low, min(1.0, low + float(self.factors.applied(self.chain.escape_probs(weights)).sum()))

    @property
    def escape(self) -> float:
        """Probability that a cycle leaves the chain."""
        return float(self.factors.applied(self.chain.escape_probs()).sum())

    def peaks(self) -> tuple[PeakLaw, PeakLaw]:
        """Laws of the peak pot and the peak reserve."""
        chain = self.chain
        followed = chain.most_chips if chain.escapes else None
        levels, mass = self.factors.peak_masses(chain.ends)
        if not self.stakes.reserve:
            by_pot = factorise(chain, chain.pots)
            pot_levels, pot_mass = by_pot.peak_masses(chain.ends)
            nothing = PeakLaw(np.zeros(1, np.int64), np.ones(1), 0.0, None)
            return PeakLaw(pot_levels, pot_mass, self.escape, followed), nothing
        most_reserve = None if followed is None else followed - self._cap
        return self._capped_peak_pot(), PeakLaw(levels, mass, self.escape, most_reserve)

    @property
    def _cap(self) -> int:
        assert self.stakes.cap is not None, "a reserve needs a cap"
        return self.stakes.cap

    def _capped_peak_pot(self) -> PeakLaw:
        """Peak pot under a cap: what does not end below the cap reaches it."""
        below: Ints = np.zeros(0, np.int64)
        mass: Floats = np.zeros(0)
        if opening(self.stakes)[0] < self._cap:
            below, mass = factorise(self.chain, self.chain.pots, self._cap).peak_masses(self.chain.ends)
        return PeakLaw(np.append(below, self._cap), np.append(mass, max(0.0, 1.0 - mass.sum())), 0.0, None)

    def round_moments(self) -> tuple[float, float]:
        """Mean and standard deviation of the number of rounds of a cycle that ends for sure."""
        from scipy.sparse import coo_array, eye_array
        from scipy.sparse.linalg import spsolve

        chain = self.chain
        source, target, probability = chain.moves
        moves = coo_array((probability, (source, target)), shape=(chain.n_states, chain.n_states))
        from_each = spsolve((eye_array(chain.n_states) - moves).tocsc(), np.ones(chain.n_states))
        mean = float(self.factors.applied(np.ones(chain.n_states)).sum())
        second = 2.0 * float(self.factors.applied(np.asarray(from_each)).sum()) - mean
        return mean, sqrt(max(0.0, second - mean * mean))


def _never_taken(events: Sequence[Event], stakes: Stakes) -> tuple[PeakLaw, PeakLaw]:
    """Peaks of a table whose pot is never taken: it stands still, fills up to the cap, or grows without end."""

    def certain(chips: int) -> PeakLaw:
        return PeakLaw(np.array([chips]), np.ones(1), 0.0, None)

    endless = PeakLaw(np.zeros(0, np.int64), np.zeros(0), 1.0, None)
    pot, reserve = opening(stakes)
    grows = stakes.ante_every_round or any(event.multiplier > 1 or event.antes for event in events)
    if not grows:
        return certain(pot), certain(reserve)
    peak_pot = endless if stakes.cap is None else certain(stakes.cap)
    return peak_pot, endless if stakes.reserve else certain(0)


def _mean_peak_pot(events: Sequence[Event], stakes: Stakes, peak: PeakLaw) -> float | None:
    """Mean of the peak pot; None if it is infinite.

    An uncapped pot never falls before it is taken, so its peak is what is taken last: e(x) = E[peak | pot x]
    is linear in x, and one step of the chain gives its coefficients.
    """
    if stakes.cap is not None:
        return peak.mean if peak.beyond < CLOSE else None
    p_taken = sum(event.probability for event in events if event.takes_pot)
    mean_multiplier = sum(event.probability * event.multiplier for event in events)
    if mean_multiplier >= 1.0 or p_taken <= 0.0:
        return None
    every_round = stakes.ante_every_round
    p_antes = sum(e.probability for e in events if e.antes or (every_round and not e.takes_pot))
    slope = p_taken / (1.0 - mean_multiplier)
    return slope * stakes.antes * (1.0 + p_antes / p_taken)


def exact_tied_outs(n_players: int, rules: GutsRules, entry_probs: Floats) -> Floats | None:
    """Law of ties for the best hand while nobody is in, which decides who matches under the Weenie rule.

    Parameters
    ----------
    n_players : int
        2 to 10.
    rules : GutsRules
        Two cards.
    entry_probs : float64 array, shape (n_classes,)
        What everybody does.

    Returns
    -------
    float64 array, shape (n_players + 1,), or None
        See `guts_sim.exact.chain.round_events`; None where it is not known exactly: with three cards, or without
        a threshold.
    """
    field = read_threshold(entry_probs) if rules.cards == 2 else None
    return None if field is None else tied_outs_law(n_players, field)
