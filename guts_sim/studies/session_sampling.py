"""Sessions of Guts by Monte Carlo: blocks of sessions, counted in integers and in flat memory."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import inf, nan, sqrt

import numpy as np
from numpy.typing import NDArray

from guts_sim.engine import run_key
from guts_sim.engine.long_run import Ending
from guts_sim.engine.plans import EncodedTable, play_block
from guts_sim.engine.sums import SentPacked, TallySums
from guts_sim.estimate import Estimate, normal
from guts_sim.kernels.bins import EXACT, PER_OCTAVE, lowest_in_bin
from guts_sim.kernels.units import SUBUNITS
from guts_sim.studies.long_runs import block_of_games, run_long
from guts_sim.studies.measurement import RunOptions

# Sessions have deals of their own, apart from those of other studies.
PURPOSE_SESSIONS, PURPOSE_SESSION_ENTRY = 7, 8
SESSIONS_PER_BLOCK = 1 << 12  # fewer if sessions are long, see `block_of_games`
_OCTAVES = 44 - 10  # no balance exceeds 2**44 chips
N_NET_BINS = EXACT + _OCTAVES * PER_OCTAVE
"""Bins for balances of at least 0; as many are for those below."""

ROUNDS, CYCLES, FIRST_PLACE = range(3)
AHEAD, RUINED, STOPPED, WON, SHARED = range(5)
Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class SessionTally(SentPacked):
    """Counts over sessions; see `guts_sim.kernels.session_tally.tally_sessions`.

    Attributes
    ----------
    statuses : int64 array, shape (3,)
        Sessions that were played to their end, that the number of rounds ended, that outgrew 64-bit integers.
    histograms : int64 array, shape (player, 2 * N_NET_BINS)
        Balances in whole chips, fractions rounded down.
    net_sums : object array of int, shape (group, 8)
        Pieces of the sums of balances, and of their squares, by group of players.
    other_sums : object array of int, shape (2 + player, 8)
        The same of rounds, of cycles, and of what it was worth to declare first, second, ...
    counts : int64 array, shape (group, 5, player + 1)
        Sessions by how many members were ahead, ruined, had stopped, won alone, shared the win.
    """

    statuses: Ints
    histograms: Ints
    net_sums: NDArray[np.object_]
    other_sums: NDArray[np.object_]
    counts: Ints

    @classmethod
    def empty(cls, n_players: int, n_groups: int) -> "SessionTally":
        """Nothing counted yet."""
        return cls(
            np.zeros(3, np.int64),
            np.zeros((n_players, 2 * N_NET_BINS), np.int64),
            np.full((n_groups, 8), 0, object),
            np.full((2 + n_players, 8), 0, object),
            np.zeros((n_groups, 5, n_players + 1), np.int64),
        )

    def __add__(self, other: "SessionTally") -> "SessionTally":
        return SessionTally(
            self.statuses + other.statuses,
            self.histograms + other.histograms,
            self.net_sums + other.net_sums,
            self.other_sums + other.other_sums,
            self.counts + other.counts,
        )

    @property
    def n(self) -> int:
        """Sessions played."""
        return int(self.statuses.sum())

    @property
    def n_counted(self) -> int:
        """Sessions played without those that outgrew every number."""
        return int(self.statuses[:2].sum())

    def total(self, group: int) -> Fraction:
        """Sum of the balances of a group over all sessions, in chips, exact."""
        return Fraction(_sums(self.net_sums[group])[0], SUBUNITS)

    def net(self, group: int, n_members: int, confidence: float) -> Estimate:
        """Mean balance of a member, in chips."""
        return _mean(self.net_sums[group], self.n_counted, SUBUNITS * n_members, confidence)

    def mean_rounds(self, confidence: float) -> Estimate:
        """Mean number of rounds of a session."""
        return _mean(self.other_sums[ROUNDS], self.n_counted, 1, confidence)

    def mean_cycles(self, confidence: float) -> Estimate:
        """Mean number of cycles that ended in a session."""
        return _mean(self.other_sums[CYCLES], self.n_counted, 1, confidence)

    def value_of_place(self, place: int, confidence: float) -> Estimate:
        """Mean worth of declaring in a place (0 first) throughout a session, in chips."""
        n_players = self.histograms.shape[0]
        return _mean(self.other_sums[FIRST_PLACE + place], self.n_counted, SUBUNITS * n_players, confidence)

    def spread(self, players: Sequence[int]) -> float:
        """Standard deviation of the balances of some players, in chips; every player is a group of his own."""
        totals, squares = (sum(parts) for parts in zip(*(_sums(self.net_sums[player]) for player in players)))
        n = self.n_counted * len(players)
        if n == 1:
            return nan
        return sqrt(Fraction(n * squares - totals * totals, n * (n - 1) * SUBUNITS**2))

    def quantile(self, players: Sequence[int], q: float) -> int:
        """Quantile of the balances of some players, in whole chips rounded down."""
        cumulated = np.cumsum(self.histograms[list(players)].sum(axis=0))
        rank = max(1, -int(-q * int(cumulated[-1]) // 1))
        return int(_BIN_VALUES[int(np.searchsorted(cumulated, rank))])


_BIN_VALUES = np.array(
    [-1 - lowest_in_bin(place) for place in reversed(range(N_NET_BINS))]
    + [lowest_in_bin(place) for place in range(N_NET_BINS)],
    np.float64,
)


def _sums(pieces: Sequence[int]) -> tuple[int, int]:
    """Sum and sum of squares from their pieces; see `guts_sim.kernels.session_tally.add_value`."""
    high, low, *squares = map(int, pieces)
    high_high, high_low, low_low = ((squares[i] << 30) + squares[i + 1] for i in (0, 2, 4))
    return (high << 29) + low, (high_high << 58) + (high_low << 30) + low_low


def _mean(pieces: Sequence[int], n: int, unit: int, confidence: float) -> Estimate:
    """Mean in ``unit`` from exact sums; a single session says nothing about the scatter, its standard error is nan."""
    total, squares = _sums(pieces)
    mean = float(Fraction(total, n * unit))
    if n == 1:
        return normal(mean, nan, n, confidence)
    variance = Fraction(n * squares - total * total, n * (n - 1))
    return normal(mean, sqrt(variance / (n * unit * unit)), n, confidence)


@dataclass(frozen=True, eq=False)
class SessionTask:
    """Play the sessions ``start .. stop - 1`` of a run; can be sent to other processes."""

    seed: int
    table: EncodedTable
    cycles: int
    rounds: int
    share_left: bool
    loss_limits: Ints
    is_member: NDArray[np.uint8]

    @property
    def keys(self) -> tuple[np.uint64, np.uint64]:
        """Keys of the cards and of mixed decisions."""
        return run_key(self.seed, PURPOSE_SESSIONS), run_key(self.seed, PURPOSE_SESSION_ENTRY)

    def __call__(self, start: int, stop: int) -> SessionTally:
        """Counts of the block."""
        from guts_sim.kernels.session_tally import tally_sessions

        block = play_block(
            self.table,
            *self.keys,
            start,
            stop,
            cycles=self.cycles,
            rounds=self.rounds,
            share_left=self.share_left,
            loss_limits=self.loss_limits,
        )
        tally = SessionTally.empty(*self.is_member.shape[::-1])
        net_sums = np.zeros(tally.net_sums.shape, np.int64)
        other_sums = np.zeros(tally.other_sums.shape, np.int64)
        tally_sessions(
            block.records,
            block.nets,
            block.fates,
            block.orders,
            SUBUNITS,
            self.is_member,
            tally.statuses,
            tally.histograms,
            net_sums,
            other_sums,
            tally.counts,
        )
        tally.net_sums[:], tally.other_sums[:] = net_sums.astype(object), other_sums.astype(object)
        return tally


@dataclass(frozen=True, eq=False)
class SessionRun:
    """Sessions counted so far, to go on from, and how the run ended."""

    sums: TallySums[SessionTally]
    ending: Ending

    @property
    def tally(self) -> SessionTally:
        """All sessions."""
        return self.sums.tally


def run_sessions(task: SessionTask, options: RunOptions, before: SessionRun | None = None) -> SessionRun:
    """Play ``options.n_deals`` sessions in all, continuing from ``before``."""
    n_groups, n_players = task.is_member.shape
    block_size = block_of_games(task.table, task.keys, SESSIONS_PER_BLOCK, cycles=task.cycles, rounds=task.rounds)
    sums = TallySums(SessionTally.empty(n_players, n_groups), block_size)
    if before is not None:
        sums.whole = before.sums.whole

    def half_width(confidence: float) -> float:
        tally = sums.tally
        if tally.n_counted < tally.n:
            return inf  # an amount outgrew every number: the mean says nothing
        return max(tally.net(player, 1, confidence).half_width for player in range(n_players))

    ending = run_long(task, sums, options, block_size, part="sessions", half_width=half_width)
    if sums.tally.n == 0:
        raise KeyboardInterrupt  # stopped before the first block: there is nothing to report
    return SessionRun(sums, ending)
