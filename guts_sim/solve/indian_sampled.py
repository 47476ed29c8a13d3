"""Epsilon-equilibria of Indian poker for tables too large to list, by regret minimisation on sampled deals.

Every player uses the same probabilities by state of the round and summary of the visible cards (see
`guts_sim.games.walk`). Each iteration deals afresh; every seat follows all its own actions while those of the
others are drawn (external sampling), and regrets are updated once the whole iteration is added up, so the result does
not depend on threads.

References
----------
M. Lanctot, K. Waugh, M. Zinkevich, M. Bowling, "Monte Carlo sampling for regret minimization in extensive games",
NIPS 22 (2009). N. Brown, T. Sandholm, "Solving imperfect-information games via discounted regret minimization",
AAAI 33 (2019) 1829-1836.
"""

from concurrent.futures import Executor
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from guts_sim.engine import progress_bar, run_all_blocks
from guts_sim.engine.one_card import deal_strengths
from guts_sim.games.walk import Walk

Floats = NDArray[np.float64]
DEALS_PER_BLOCK = 1024
GAIN_POWER, LOSS_FACTOR, AVERAGE_POWER = 1.5, 0.5, 3.0
PURE_WITHIN = 0.01


@dataclass(frozen=True, eq=False)
class GainsTask:
    """Sampled gains and strategy sums of deals; can be sent to other processes."""

    walk: Walk
    key: np.uint64
    entry_key: np.uint64
    current: Floats

    def __call__(self, start: int, stop: int) -> tuple[Floats, Floats]:
        """Gains and sums over deals ``start .. stop - 1``, shape (decision, view, action)."""
        from guts_sim.kernels.indian_search import sample_gains

        gains, sums = np.zeros(self.walk.shape), np.zeros(self.walk.shape)
        cards = deal_strengths(self.walk, self.key, start, stop - start)
        walk = self.walk
        sample_gains(
            self.entry_key, np.uint64(start), cards, self.current, walk.moves, walk.nodes, walk.deck, gains, sums
        )
        return gains, sums


def learn_sampled(
    walk: Walk,
    key: np.uint64,
    entry_key: np.uint64,
    *,
    iterations: int,
    deals_per_iteration: int,
    workers: int | None = None,
    executor: Executor | None = None,
    progress: bool | None = None,
) -> Floats:
    """Find one strategy for all seats that leaves little to gain.

    Parameters
    ----------
    walk : Walk
        What is played.
    key, entry_key : uint64
        Keys of the deals and of the drawn actions.
    iterations, deals_per_iteration : int
        How long, and on how many deals each.
    workers, executor, progress
        See `guts_sim.engine.run_blocks`.

    Returns
    -------
    float64 array (decision, view, action)

    Raises
    ------
    KeyboardInterrupt
        Stopped; half-averaged strategies are not worth reporting.
    """
    regrets, sums = np.zeros(walk.shape), np.zeros(walk.shape)
    current = _normalised(walk, regrets)
    with progress_bar(iterations * deals_per_iteration, progress, unit="deals to solve") as bar:
        for iteration in range(iterations):
            batch = _Batch(walk)
            run_all_blocks(
                GainsTask(walk, key, entry_key, current),
                deals_per_iteration,
                batch.add,
                first=iteration * deals_per_iteration,
                block_size=DEALS_PER_BLOCK,
                workers=workers,
                executor=executor,
                progress=False,
            )
            bar.advance(deals_per_iteration)
            turn = iteration + 1.0
            kept = turn**GAIN_POWER / (turn**GAIN_POWER + 1.0)
            regrets = np.where(regrets > 0.0, kept, LOSS_FACTOR) * regrets + batch.gains
            sums += turn**AVERAGE_POWER * batch.visits
            current = _normalised(walk, np.maximum(regrets, 0.0) * walk.legal[:, None, :])
    return _average(walk, sums)


class _Batch:
    """Sums over the blocks of one iteration."""

    def __init__(self, walk: Walk) -> None:
        self.gains = np.zeros(walk.shape)
        self.visits = np.zeros(walk.shape)

    def add(self, _start: int, _stop: int, parts: tuple[Floats, Floats]) -> None:
        """Take in one block."""
        self.gains += parts[0]
        self.visits += parts[1]


def _average(walk: Walk, sums: Floats) -> Floats:
    """Average strategy; probabilities that are mere remnants of early iterations become 0."""
    average = _normalised(walk, sums)
    return _normalised(walk, np.where(average < PURE_WITHIN, 0.0, average))


def _normalised(walk: Walk, weights: Floats) -> Floats:
    """Probabilities in proportion to weights that are not negative; equal ones where all are 0."""
    uniform = (walk.legal / walk.legal.sum(axis=1, keepdims=True))[:, None, :]
    total = weights.sum(axis=2, keepdims=True)
    return np.ascontiguousarray(np.where(total > 0.0, weights / np.where(total > 0.0, total, 1.0), uniform))
