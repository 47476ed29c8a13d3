"""Symmetric equilibria of one round by regret matching on sampled deals.

Every player uses the same entry probability per hand class; see `guts_sim.solve.regret_matching` for the method. With
two players it converges to an equilibrium; with more there is no such theorem, so what comes out is a symmetric
epsilon-equilibrium and its exploitability has to be measured on fresh deals, by
`guts_sim.solve.sampled.sampled_values`.
"""

from concurrent.futures import Executor
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from guts_sim.hands import Ranking
from guts_sim.solve.regret_matching import match_regrets, scaled
from guts_sim.solve.sampled import SCORE_BLOCK, best_deviation_gain, gain_per_class, score_deals
from guts_sim.strategy import frequencies, threshold_strategy, top_strategy

FloatArray = NDArray[np.float64]
ITERATIONS = 320
DEALS_PER_ITERATION = 16_384
SEARCH_DEALS = 262_144


@dataclass(frozen=True, eq=False)
class SolvedStrategy:
    """Entry probabilities found by the solver and the number of deals it used."""

    entry: FloatArray
    n_deals: int


def solve_symmetric(
    n_players: int,
    ranking: Ranking,
    key: np.uint64,
    *,
    effort: float = 1.0,
    workers: int | None = None,
    executor: Executor | None = None,
    progress: bool | None = None,
) -> SolvedStrategy:
    """Find a symmetric epsilon-equilibrium in entry probabilities per hand class.

    Parameters
    ----------
    n_players : int
        2 to 10.
    ranking : Ranking
        ``guts2`` or one of the three-card orders.
    key : uint64
        Key of the deals used for solving.
    effort : float
        Factor of the number of deals.
    workers, executor, progress
        See `guts_sim.engine.run_blocks`.

    Returns
    -------
    SolvedStrategy

    Raises
    ------
    KeyboardInterrupt
        The solver was stopped; half-averaged strategies are not worth reporting.
    """
    deals_per_iteration = scaled(DEALS_PER_ITERATION, effort, SCORE_BLOCK)

    def gain_of_entering(current: FloatArray, first: int) -> FloatArray:
        batches = score_deals(
            n_players,
            ranking,
            current,
            deals_per_iteration,
            key,
            first=first,
            workers=workers,
            executor=executor,
            progress=False,
        )
        return gain_per_class(batches.total, ranking)

    # Start near the equilibrium of continuous hands: nobody else enters with probability 1/2.
    start = top_strategy(ranking, 1.0 - 0.5 ** (1.0 / (n_players - 1))).entry.copy()
    entry = match_regrets(
        start, gain_of_entering, iterations=ITERATIONS, deals_per_iteration=deals_per_iteration, progress=progress
    )
    return SolvedStrategy(entry, ITERATIONS * deals_per_iteration)


@dataclass(frozen=True)
class PureThresholds:
    """Two pure thresholds, as the weakest class that enters.

    Attributes
    ----------
    least_exploitable : int
        The one whose best deviation gains least.
    self_consistent : int
        The one whose weakest entering class is the first that does not lose by entering when all use it.
        With blockers about, stronger hands below it may do better, so it can be far more exploitable.
    """

    least_exploitable: int
    self_consistent: int


def pure_thresholds(
    n_players: int,
    ranking: Ranking,
    entry: FloatArray,
    key: np.uint64,
    *,
    effort: float = 1.0,
    workers: int | None = None,
    executor: Executor | None = None,
) -> PureThresholds:
    """Find the pure thresholds that come closest to the equilibrium ``entry``.

    All thresholds are compared on the same deals, ``effort`` times the usual number. The search for the least
    exploitable one starts where the entry probability is that of ``entry`` and walks downhill in steps that shrink
    from eight classes to one.
    """
    n_deals = scaled(SEARCH_DEALS, effort, SCORE_BLOCK)

    @cache
    def sums_of(weakest: int) -> NDArray[np.int64]:
        pure = threshold_strategy(ranking, weakest).entry
        options: dict[str, Any] = {"workers": workers, "executor": executor, "progress": False}
        return score_deals(n_players, ranking, pure, n_deals, key, **options).total

    def exploitability(weakest: int) -> float:
        return best_deviation_gain(sums_of(weakest), ranking, threshold_strategy(ranking, weakest).entry)

    entry_from = np.cumsum(frequencies(ranking)[::-1])[::-1]
    best = int(np.argmin(np.abs(entry_from - entry @ frequencies(ranking))))
    step = 8
    while step:
        candidates = [c for c in (best, best - step, best + step) if 0 <= c < entry.size]
        nearer = min(candidates, key=exploitability)
        if nearer == best:
            step //= 2
        best = nearer

    low, high = 0, entry.size - 1
    while low < high:
        middle = (low + high) // 2
        if gain_per_class(sums_of(middle), ranking)[middle] >= 0:
            high = middle
        else:
            low = middle + 1
    return PureThresholds(best, low)
