"""The Markov chain of a Guts table: pot and reserve from round to round, in whole chips.

What a round does to the money depends on few things: whether the pot stays in the middle, how many
players match it, and whether everybody antes again. From the law of these events and the table's rules
come the states that a cycle can visit, and from one triangular factorisation of their transition matrix
come the laws of its peaks, its length and its end.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from guts_sim.exact.results import RoundLaw
from guts_sim.rules import GutsRules

if TYPE_CHECKING:
    from scipy.sparse import csc_array

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
State = tuple[int, int]
OVER: State = (0, 0)


class Event(NamedTuple):
    """What a round does to the money on the table.

    Attributes
    ----------
    probability : float
        How often it happens.
    keeps_pot : bool
        The pot stays in the middle: nobody takes it.
    n_matches : int
        Players who match the pot.
    antes : bool
        Everybody antes again because nobody was in.
    """

    probability: float
    keeps_pot: bool
    n_matches: int
    antes: bool = False

    @property
    def takes_pot(self) -> bool:
        """The pot is taken and nobody matches it, which ends a cycle unless there is a reserve."""
        return not self.keeps_pot and self.n_matches == 0

    @property
    def multiplier(self) -> int:
        """Pots on the table afterwards for each pot before, without cap, limit and antes."""
        return int(self.keeps_pot) + self.n_matches


class Stakes(NamedTuple):
    """The rules that move money, in chips.

    Attributes
    ----------
    antes : int
        What all players together ante.
    cap : int or None
        Most chips the next pot may hold.
    reserve : bool
        What exceeds the cap is kept for later pots.
    ante_every_round : bool
        Everybody antes before each round.
    match_limit : int or None
        Most chips that one match may cost.
    """

    antes: int
    cap: int | None
    reserve: bool
    ante_every_round: bool
    match_limit: int | None = None

    def match(self, pot: int) -> int:
        """Chips that it costs to match a pot."""
        return pot if self.match_limit is None else min(pot, self.match_limit)


def stakes_of(n_players: int, rules: GutsRules) -> Stakes:
    """Return the rules that move money at a table of ``n_players``."""
    return Stakes(n_players * rules.ante, rules.cap, rules.reserve, rules.ante_every_round, rules.match_limit)


def round_events(law: RoundLaw, rules: GutsRules, tied_outs: Floats | None = None) -> list[Event]:
    """Events of a round that can happen, from the law of (players in, tied for best).

    Parameters
    ----------
    law : RoundLaw
        Law of one round.
    rules : GutsRules
        Say what happens when nobody is in.
    tied_outs : float64 array, shape (n_players + 1,), optional
        ``tied_outs[u]``: probability that nobody is in and u players tie for the best hand; wanted if the best
        hand that is out has to match the pot.

    Returns
    -------
    list of Event
        Probabilities sum to 1; impossible events are left out.

    Examples
    --------
    >>> joint = np.zeros((3, 3))
    >>> joint[0, 0], joint[1, 1], joint[2, 1] = 0.25, 0.5, 0.25
    >>> for event in round_events(RoundLaw(joint), GutsRules(nobody_in="reante")):
    ...     print(event)
    Event(probability=0.25, keeps_pot=True, n_matches=0, antes=True)
    Event(probability=0.5, keeps_pot=False, n_matches=0, antes=False)
    Event(probability=0.25, keeps_pot=False, n_matches=1, antes=False)
    """
    losers = law.multiplier_law.copy()
    losers[1] -= law.p_nobody
    losers[1] = max(losers[1], 0.0)
    if rules.nobody_in == "weenie":
        assert tied_outs is not None, "the law of ties between hands that are out is wanted"
        events = [Event(float(p), True, n) for n, p in enumerate(tied_outs)]
    else:
        events = [Event(law.p_nobody, True, 0, antes=rules.nobody_in == "reante")]
    events += [Event(float(p), False, n) for n, p in enumerate(losers)]
    return [event for event in events if event.probability > 0.0]


def settle_table(pot: int, reserve: int, event: Event, stakes: Stakes) -> State:
    """Return pot and reserve after a round; ``(0, 0)`` is the end of the cycle.

    Examples
    --------
    Three losers match a pot of 12 under a cap of 20: 36 chips, of which 16 go to the reserve.

    >>> stakes = Stakes(antes=4, cap=20, reserve=True, ante_every_round=False)
    >>> settle_table(12, 0, Event(1.0, False, 3), stakes)
    (20, 16)
    >>> settle_table(20, 16, Event(1.0, False, 0), stakes)
    (16, 0)
    """
    kept = pot if event.keeps_pot else 0
    next_pot, reserve = put_in(kept, reserve, event.n_matches * stakes.match(pot), stakes)
    if event.takes_pot:
        next_pot = reserve if stakes.cap is None else min(reserve, stakes.cap)
        reserve -= next_pot
    if event.antes or (stakes.ante_every_round and (next_pot, reserve) != OVER):
        next_pot, reserve = put_in(next_pot, reserve, stakes.antes, stakes)
    return next_pot, reserve


def put_in(pot: int, reserve: int, chips: int, stakes: Stakes) -> State:
    """Return pot and reserve after ``chips`` were paid in: what exceeds the cap is kept or was never paid."""
    accepted = chips if stakes.cap is None else min(chips, max(stakes.cap - pot, 0))
    return pot + accepted, reserve + (chips - accepted if stakes.reserve else 0)


def opening(stakes: Stakes) -> State:
    """Pot and reserve once everybody has put in the antes of a new cycle."""
    return put_in(0, 0, stakes.antes, stakes)


@dataclass(frozen=True, eq=False)
class TableChain:
    """The states that a cycle can visit, and how it moves between them.

    State 0 is the start. States with more than ``most_chips`` on the table are cut off; moves to them
    are listed as escapes.

    Attributes
    ----------
    pots, reserves : int64 array, shape (n_states,)
        Chips of each state.
    moves : tuple of arrays (source, target, probability), each of shape (n_moves,)
        Moves between states.
    ends : float64 array, shape (n_states,)
        Probability that the next round ends the cycle.
    escapes : list of (source, probability, state)
        Moves to states beyond ``most_chips``.
    most_chips : int
        Largest sum of pot and reserve that is followed.
    """

    pots: Ints
    reserves: Ints
    moves: tuple[Ints, Ints, Floats]
    ends: Floats
    escapes: list[tuple[int, float, State]]
    most_chips: int

    @property
    def n_states(self) -> int:
        """Number of states."""
        return len(self.pots)

    def escape_probs(self, weights: Iterable[float] | None = None) -> Floats:
        """Probability per state that the next round leaves the chain, each escape weighted."""
        total = np.zeros(self.n_states)
        for (source, probability, _), weight in zip(self.escapes, weights or np.ones(len(self.escapes))):
            total[source] += probability * weight
        return total


def build_chain(events: Sequence[Event], stakes: Stakes, most_chips: int, max_states: int) -> TableChain | None:
    """Visit all states from the start.

    Parameters
    ----------
    events, stakes
        See `round_events` and `stakes_of`.
    most_chips : int
        States with more chips on the table are cut off.
    max_states : int
        Give up beyond so many states.

    Returns
    -------
    TableChain or None
        None if there are more than ``max_states`` states.
    """
    start = opening(stakes)
    index = {start: 0}
    states = [start]
    source, target, probability = [], [], []
    ends: list[float] = []
    escapes: list[tuple[int, float, State]] = []
    for i, (pot, reserve) in enumerate(states):  # the list grows as states are found
        if i >= max_states:
            return None
        ends.append(0.0)
        for event in events:
            state = settle_table(pot, reserve, event, stakes)
            if state == OVER:
                ends[i] += event.probability
            elif sum(state) > most_chips:
                escapes.append((i, event.probability, state))
            else:
                if state not in index:
                    index[state] = len(states)
                    states.append(state)
                source.append(i)
                target.append(index[state])
                probability.append(event.probability)
    pots, reserves = np.array(states, np.int64).T
    moves = np.array(source, np.int64), np.array(target, np.int64), np.array(probability)
    return TableChain(pots, reserves, moves, np.array(ends), escapes, most_chips)


@dataclass(frozen=True, eq=False)
class PeakLaw:
    """Law of the largest value that an amount takes in a cycle.

    Attributes
    ----------
    levels : int64 array, shape (n_levels,)
        Values the peak can have, ascending.
    mass : float64 array, shape (n_levels,)
        Probability of each, for cycles that end without leaving the range that was followed.
    beyond : float
        Probability of a peak above ``followed``, or of a cycle that never ends.
    followed : int or None
        Largest value followed; None if nothing lies beyond.
    """

    levels: Ints
    mass: Floats
    beyond: float
    followed: int | None

    def quantile(self, q: float) -> int | None:
        """Smallest value that the peak stays at or below with probability ``q``; None if it lies beyond."""
        place = int(np.searchsorted(np.cumsum(self.mass), q * (1.0 - 1e-13)))
        return int(self.levels[place]) if place < len(self.levels) else None

    def at_least(self, level: float) -> float | None:
        """Probability that the peak reaches ``level``; None where that lies beyond what was followed."""
        if self.followed is not None and level > self.followed:
            return None
        # From the far end, so that small probabilities keep their digits.
        reached = self.mass[self.levels >= level]
        return min(1.0, self.beyond + float(reached[::-1].sum()))

    @property
    def mean(self) -> float:
        """Mean over the cycles that end within the range that was followed."""
        return float(self.levels @ self.mass)


@dataclass(frozen=True, eq=False)
class Factors:
    """Triangular factors of (I - moves), the states in an order of non-decreasing ``key``.

    Elimination in this order leaves, after the first k states, the chain that is stopped where it leaves
    them. With ``forward = start U^-1`` and ``L^-1 ends`` the sum of their products over the first k states is
    the probability of ending before that: one factorisation gives the law of the peak at all levels.
    """

    key: Ints
    order: Ints
    lower: "csc_array"
    forward: Floats

    def applied(self, per_state: Floats) -> Floats:
        """Expected sum of a quantity collected per visit, split by the place in the order where the peak lies."""
        from scipy.sparse.linalg import spsolve_triangular

        solved = spsolve_triangular(self.lower, per_state[self.order], lower=True, unit_diagonal=True)
        return np.asarray(self.forward * solved)

    def peak_masses(self, ends: Floats) -> tuple[Ints, Floats]:
        """Levels of the key and the probability of ending with each of them as the peak."""
        levels, place = np.unique(self.key[self.order], return_inverse=True)
        mass = np.zeros(len(levels))
        np.add.at(mass, place, self.applied(ends))
        return levels, mass


def factorise(chain: TableChain, key: Ints, below: int | None = None) -> Factors:
    """Factors of the chain in the order of ``key``, of the states with ``key < below`` alone if that is given.

    No pivoting is needed: I minus a sub-stochastic matrix is diagonally dominant.
    """
    from scipy.sparse import coo_array, eye_array
    from scipy.sparse.linalg import splu, spsolve_triangular

    inside = np.arange(chain.n_states) if below is None else np.flatnonzero(key < below)
    order = inside[np.lexsort((chain.pots[inside], key[inside]))]
    place = np.full(chain.n_states, -1)
    place[order] = np.arange(len(order))
    source, target, probability = chain.moves
    kept = (place[source] >= 0) & (place[target] >= 0)
    shape = (len(order), len(order))
    moves = coo_array((probability[kept], (place[source[kept]], place[target[kept]])), shape=shape)
    matrix = (eye_array(len(order)) - moves).tocsc()
    lu = splu(matrix, permc_spec="NATURAL", diag_pivot_thresh=0.0)
    start = np.zeros(len(order))
    start[place[0]] = 1.0
    forward = spsolve_triangular(lu.U.T.tocsc(), start, lower=True)
    return Factors(key, order, lu.L, np.asarray(forward))
