"""The reserve as a random walk: drift while it is full, and a bound on the chance that it ever empties."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp

import numpy as np

from guts_sim.exact.chain import Event, Floats, Stakes, State, settle_table

_TIGHT = 1e-14


@dataclass(frozen=True, eq=False)
class ReserveWalk:
    """What a round does to pot plus reserve while the reserve holds a full pot at least.

    Attributes
    ----------
    pots : list of int
        Pots that occur then; the cap first.
    steps : list of (from, to, probability, chips)
        Moves between positions in ``pots`` and the chips that the table gains.
    cap : int
        The largest pot.
    """

    pots: list[int]
    steps: list[tuple[int, int, float, int]]
    cap: int

    @property
    def drift(self) -> float:
        """Chips that the table gains per round in the long run; the reserve runs dry for sure if at most 0."""
        moves, gain = np.zeros((len(self.pots), len(self.pots))), np.zeros(len(self.pots))
        for source, target, probability, chips in self.steps:
            moves[source, target] += probability
            gain[source] += probability * chips
        balance = np.vstack([moves.T - np.eye(len(self.pots)), np.ones(len(self.pots))])
        share = np.linalg.lstsq(balance, np.append(np.zeros(len(self.pots)), 1.0), rcond=None)[0]
        return float(share @ gain)

    def twisted(self, log_base: float) -> Floats:
        """Matrix of E[exp(log_base * chips / cap); next pot] for each pot."""
        matrix = np.zeros((len(self.pots), len(self.pots)))
        for source, target, probability, chips in self.steps:
            matrix[source, target] += probability * exp(log_base * chips / self.cap)
        return matrix

    def emptying_bound(self) -> "EmptyingBound":
        """Bound the chance that the reserve ever falls below a full pot, for a walk that drifts upwards."""
        if not any(chips < 0 for *_, chips in self.steps):
            return EmptyingBound(self, 0.0, np.zeros(len(self.pots)))
        low, high = -1.0, 0.0

        def radius(log_base: float) -> float:
            return float(np.abs(np.linalg.eigvals(self.twisted(log_base))).max())

        while radius(low) < 1.0:
            low, high = 2.0 * low, low
        # `high` keeps a radius below 1, so that the bound holds whatever the rounding.
        while high - low > -_TIGHT * low:
            middle = 0.5 * (low + high)
            if not low < middle < high:
                break
            low, high = (middle, high) if radius(middle) >= 1.0 else (low, middle)
        values, vectors = np.linalg.eig(self.twisted(high))
        weights = np.abs(np.real(vectors[:, np.argmax(np.abs(values))]))
        return EmptyingBound(self, high, weights / weights.min())


@dataclass(frozen=True, eq=False)
class EmptyingBound:
    """Supermartingale ``weights[pot] * exp(log_base * chips / cap)`` of a walk that drifts upwards."""

    walk: ReserveWalk
    log_base: float
    weights: Floats

    def __call__(self, state: State) -> float:
        """Largest probability that a table of so much pot and reserve ever ends."""
        pot, reserve = state
        if reserve < self.walk.cap:
            return 1.0
        # The walk is stopped where the reserve is below one full pot, hence fewer than two caps on the table.
        weight = float(self.weights[self.walk.pots.index(pot)])
        return min(1.0, weight * exp(self.log_base * (pot + reserve - 2 * self.walk.cap) / self.walk.cap))


def reserve_walk(events: Sequence[Event], stakes: Stakes) -> ReserveWalk | None:
    """Return the walk of a table with cap and reserve; None for other tables."""
    if not stakes.reserve or stakes.cap is None:
        return None
    pots = [stakes.cap]
    steps = []
    for source, pot in enumerate(pots):  # the list grows as pots are found
        for event in events:
            next_pot, reserve = settle_table(pot, stakes.cap, event, stakes)
            if next_pot not in pots:
                pots.append(next_pot)
            gain = next_pot + reserve - pot - stakes.cap
            steps.append((source, pots.index(next_pot), event.probability, gain))
    return ReserveWalk(pots, steps, stakes.cap)
