"""How many rounds a cycle of Guts lasts."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, log1p, sqrt
from typing import Protocol

import numpy as np

from guts_sim.exact.chain import TableChain

MAX_MOVES_PLAYED = 4e8  # cost limit of playing a chain round by round


class Clock(Protocol):
    """Law of the number of rounds of a cycle."""

    def quantiles(self, qs: Sequence[float], p_ends: float) -> list[int | None]:
        """Rounds within which the cycle ends with probability q, for ascending q; None for never.

        ``p_ends`` is the largest probability that the cycle ends at all.
        """
        ...


@dataclass(frozen=True)
class GeometricClock:
    """Without a reserve a cycle ends when the pot is taken, with the same probability in each round."""

    p_taken: float

    def quantiles(self, qs: Sequence[float], p_ends: float) -> list[int | None]:
        """See `Clock`."""
        if self.p_taken <= 0.0:
            return [None] * len(qs)
        if self.p_taken >= 1.0:
            return [1] * len(qs)
        # Less a little, so that a quantile that is a whole number is not rounded up to the next.
        return [max(1, ceil(log1p(-q) / log1p(-self.p_taken) - 1e-9)) for q in qs]

    def moments(self) -> tuple[float | None, float | None]:
        """Mean and standard deviation; None where the pot is never taken."""
        if self.p_taken <= 0.0:
            return None, None
        return 1.0 / self.p_taken, sqrt(1.0 - self.p_taken) / self.p_taken


@dataclass(frozen=True, eq=False)
class ChainClock:
    """With a reserve the chain has to be played round by round."""

    chain: TableChain

    def quantiles(self, qs: Sequence[float], p_ends: float) -> list[int | None]:
        """See `Clock`; None also where the cost limit is reached first."""
        from scipy.sparse import csr_array

        chain = self.chain
        source, target, probability = chain.moves
        step = csr_array((probability, (target, source)), shape=(chain.n_states, chain.n_states))
        here = np.zeros(chain.n_states)
        here[0] = 1.0
        found: list[int | None] = []
        ended, rounds = 0.0, 0
        for q in qs:
            while ended < q and q < p_ends and rounds * len(probability) < MAX_MOVES_PLAYED:
                ended += float(here @ chain.ends)
                here = np.asarray(step @ here)
                rounds += 1
            found.append(rounds if ended >= q else None)
        return found
