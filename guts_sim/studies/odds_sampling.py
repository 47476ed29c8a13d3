"""One hand against random hands by Monte Carlo: blocks of showdowns, counted."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from guts_sim.hands import get_ranking, guts_table, hand_class


@dataclass(frozen=True, eq=False)
class OddsTally:
    """Counts by opponents, as `guts_sim.kernels.odds.count_odds` makes them."""

    counts: NDArray[np.int64]

    @property
    def n(self) -> int:
        """Deals counted."""
        return int(self.counts[0].sum())

    def __add__(self, other: "OddsTally") -> "OddsTally":
        return OddsTally(self.counts + other.counts)


@dataclass(frozen=True)
class OddsTask:
    """Deal the opponents ``start .. stop - 1`` times and count how the hand fares."""

    key: np.uint64
    cards: tuple[int, ...]
    ranking_name: str
    n_opponents: int

    def __call__(self, start: int, stop: int) -> OddsTally:
        """Counts of the block."""
        from guts_sim.kernels.odds import count_odds

        ranking = get_ranking(self.ranking_name)
        known = np.array(sorted(self.cards), np.uint8)
        counts = np.zeros((self.n_opponents, self.n_opponents + 2), np.int64)
        hero_class = int(hand_class(np.array(self.cards, np.uint8), ranking))
        count_odds(
            self.key,
            np.uint64(start),
            stop - start,
            hero_class,
            len(self.cards),
            known,
            guts_table(ranking),
            counts,
        )
        return OddsTally(counts)
