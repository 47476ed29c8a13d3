"""Cycles of Guts by Monte Carlo: blocks of cycles, counted in flat memory."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import ceil, floor, nan, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from guts_sim.engine import PURPOSE_DEALS, PURPOSE_ENTRY, run_key
from guts_sim.engine.long_run import Ending
from guts_sim.engine.plans import EncodedTable, encode_table, one_pot, play_block
from guts_sim.engine.sums import SentPacked, TallySums
from guts_sim.estimate import Estimate, mean_of_counts, normal, z_score
from guts_sim.kernels import rule_codes as codes
from guts_sim.kernels.bins import N_BINS, lowest_in_bin
from guts_sim.kernels.units import SUBUNITS
from guts_sim.rules import GutsRules
from guts_sim.strategy import AnyPlan
from guts_sim.studies.long_runs import block_of_games, run_long
from guts_sim.studies.measurement import RunOptions

# Cycles have deals of their own, apart from those of the independent rounds that give the law of a round.
PURPOSE_CYCLES, PURPOSE_CYCLE_ENTRY = 5, 6
CYCLES_PER_BLOCK = 1 << 15
Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class CycleTally(SentPacked):
    """Counts over cycles; see `guts_sim.kernels.cascade.tally_cycles`. Money is in chips.

    Attributes
    ----------
    multipliers : int64 array, shape (n_pots, n_players + 2)
        As many independent rounds as cycles, by what they make of the first pot, in multiples of it.
    statuses : int64 array, shape (3,)
        Cycles that ended, that were given up at the round limit, that outgrew 64-bit integers.
    histograms : int64 array, shape (3, N_BINS)
        Rounds, peak pot, peak reserve.
    reached : int64 array, shape (n_levels,)
        Cycles whose pot reached each level.
    moments : float64 array, shape (6,)
        Sum and sum of squares of rounds, peak pot, peak reserve over ended cycles.
    net_moments : float64 array, shape (n_players, 2)
        Sum and sum of squares of each seat's net over ended cycles.
    """

    multipliers: Ints
    statuses: Ints
    histograms: Ints
    reached: Ints
    moments: Floats
    net_moments: Floats

    @classmethod
    def empty(cls, n_players: int, n_levels: int, n_pots: int = 1) -> "CycleTally":
        """Nothing counted yet."""
        return cls(
            np.zeros((n_pots, n_players + 2), np.int64),
            np.zeros(3, np.int64),
            np.zeros((3, N_BINS), np.int64),
            np.zeros(n_levels, np.int64),
            np.zeros(6),
            np.zeros((n_players, 2)),
        )

    def __add__(self, other: "CycleTally") -> "CycleTally":
        return CycleTally(*(a + b for a, b in zip(self._arrays(), other._arrays())))

    def _arrays(self) -> tuple[NDArray[Any], ...]:
        return self.multipliers, self.statuses, self.histograms, self.reached, self.moments, self.net_moments

    @property
    def n(self) -> int:
        """Cycles counted."""
        return int(self.statuses.sum())

    @property
    def n_ended(self) -> int:
        """Cycles that ended."""
        return int(self.statuses[0])

    def mean_multiplier(self, confidence: float, pot: int = 0) -> Estimate:
        """Mean of what an independent round makes of a pot, in multiples of it."""
        counts = np.trim_zeros(self.multipliers[pot], "b")
        return mean_of_counts(np.arange(counts.size, dtype=float), counts, confidence)

    def mean(self, column: int, confidence: float) -> Estimate:
        """Mean over ended cycles: column 0 rounds, 1 peak pot, 2 peak reserve."""
        return _mean(self.moments[2 * column], self.moments[2 * column + 1], self.n_ended, confidence)

    def seat_net(self, seat: int, confidence: float) -> Estimate:
        """Mean net of a seat per ended cycle."""
        return _mean(self.net_moments[seat, 0], self.net_moments[seat, 1], self.n_ended, confidence)

    def quantile(self, column: int, q: float, confidence: float) -> "QuantileEstimate":
        """Quantile of rounds, peak pot or peak reserve; cycles that did not end count as larger than any."""
        cumulated = np.cumsum(self.histograms[column])
        half = z_score(confidence) * sqrt(self.n * q * (1.0 - q))

        def at(rank: int) -> int | None:
            place = int(np.searchsorted(cumulated, max(rank, 1)))
            return lowest_in_bin(place) if place < N_BINS else None

        low, high = floor(self.n * q - half), ceil(self.n * q + half) + 1
        return QuantileEstimate(at(ceil(self.n * q)), at(low), at(high))


@dataclass(frozen=True)
class QuantileEstimate:
    """A quantile and the order statistics that bound it; None: larger than any value that was counted."""

    value: int | None
    ci_low: int | None
    ci_high: int | None


def _mean(total: float, squares: float, n: int, confidence: float) -> Estimate:
    mean = float(total) / n
    if n == 1:  # a single cycle says nothing about the scatter
        return normal(mean, nan, n, confidence)
    variance = max(0.0, float(squares) / n - mean * mean) * n / (n - 1)
    return normal(mean, sqrt(variance / n), n, confidence)


@dataclass(frozen=True, eq=False)
class CycleTask:
    """Play the cycles ``start .. stop - 1`` of a run, and as many independent rounds."""

    seed: int
    table: EncodedTable
    round_limit: int
    levels: Ints

    def __call__(self, start: int, stop: int) -> CycleTally:
        """Counts of the block."""
        from guts_sim.kernels.cascade import CYCLE_POT_LEFT, tally_cycles

        table = self.table
        n_players = table.n_players
        n_pots = table.rows.shape[0]
        tally = CycleTally.empty(n_players, self.levels.size, n_pots)
        # A cycle of one round under rules that neither cut nor add to the pot shows the multiplier.
        alone = replace(table, rules=_pot_alone(table.rules))
        keys = run_key(self.seed, PURPOSE_DEALS), run_key(self.seed, PURPOSE_ENTRY)
        for pot in range(n_pots):
            block = play_block(one_pot(alone, pot), *keys, start, stop, cycles=1, rounds=1)
            found = block.records[:, CYCLE_POT_LEFT] // (n_players * alone.rules[codes.RULE_ANTE])
            tally.multipliers[pot] = np.bincount(found, minlength=n_players + 2)
        keys = run_key(self.seed, PURPOSE_CYCLES), run_key(self.seed, PURPOSE_CYCLE_ENTRY)
        block = play_block(table, *keys, start, stop, cycles=1, rounds=self.round_limit)
        tally_cycles(
            block.records,
            block.nets,
            SUBUNITS,
            table.rules[codes.RULE_CAP],
            self.levels,
            tally.statuses,
            tally.histograms,
            tally.reached,
            tally.moments,
            tally.net_moments,
        )
        return tally


def _pot_alone(rules: Ints) -> Ints:
    """Rules of the showdown, without antes, cap, reserve and limits."""
    alone = np.zeros_like(rules)
    for code in (codes.RULE_PAYS_LOWEST, codes.RULE_GHOST, codes.RULE_GHOST_WINS_TIES):
        alone[code] = rules[code]
    alone[codes.RULE_ANTE] = rules[codes.RULE_ANTE]  # strategies may look at the size of the pot
    if rules[codes.RULE_NOBODY_IN] == codes.WEENIE:
        alone[codes.RULE_NOBODY_IN] = codes.WEENIE
    return alone


@dataclass(frozen=True, eq=False)
class CycleRun:
    """Cycles counted so far, to go on from, and how the run ended."""

    sums: TallySums[CycleTally]
    ending: Ending

    @property
    def tally(self) -> CycleTally:
        """All cycles."""
        return self.sums.tally


def play_cycles(
    strategies: Sequence[AnyPlan],
    rules: GutsRules,
    round_limit: int,
    levels: Sequence[int],
    options: RunOptions,
    before: CycleRun | None = None,
) -> CycleRun:
    """Play ``options.n_deals`` cycles in all between one strategy per seat, continuing from ``before``.

    ``levels`` are peaks of the pot in chips.
    """
    task = CycleTask(options.seed, encode_table(strategies, rules), round_limit, np.array(levels, np.int64) * SUBUNITS)
    keys = run_key(options.seed, PURPOSE_CYCLES), run_key(options.seed, PURPOSE_CYCLE_ENTRY)
    block_size = block_of_games(task.table, keys, CYCLES_PER_BLOCK, cycles=1, rounds=round_limit)
    sums = TallySums(CycleTally.empty(len(strategies), len(levels), rules.n_pots), block_size)
    if before is not None:
        sums.whole = before.sums.whole

    def half_width(confidence: float) -> float:
        return sums.tally.mean_multiplier(confidence).half_width

    ending = run_long(task, sums, options, block_size, part="cycles", half_width=half_width)
    if sums.tally.n == 0:
        raise KeyboardInterrupt  # stopped before the first block: there is nothing to report
    return CycleRun(sums, ending)
