"""Simulated tables of Guts that carry pot and reserve from round to round."""

from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from guts_sim.checks import check_count
from guts_sim.engine.blocks import run_blocks
from guts_sim.engine.players import AnyStrategy, Seats, seats_for
from guts_sim.engine.rounds import MAX_CARRIED_POT, MONEY_UNITS, RoundCounts
from guts_sim.engine.seeds import PURPOSE_ENTRY, resolve_seed, run_key
from guts_sim.errors import InputError
from guts_sim.interruption import interruptible
from guts_sim.rules import MAX_PLAYERS, MIN_PLAYERS, GutsRules, get_rules

# Money in pots of at most MAX_CARRIED_POT chips: so many rounds of a block stay within int64.
MAX_BLOCK_ROUNDS = 1 << 29
TABLES_PER_BLOCK = 1 << 13
MAX_ROUNDS_PER_TABLE = 1 << 16


@dataclass(frozen=True, eq=False)
class TableCounts:
    """What happened at tables that carry their pots.

    Attributes
    ----------
    rules : GutsRules
        The rules played.
    n_tables, rounds_per_table : int
        Tables counted, and rounds at each.
    rounds : RoundCounts
        All rounds as if each had been for one pot.
    won, paid : ndarray of object (int), shape (n_players,)
        Chips taken and put in, antes included, in 1/2520 chip.
    n_ended, n_abandoned : int
        Cycles that ended, and cycles given up because the pot or the reserve outgrew ``max_pot``.
    peak_pot, peak_reserve : int
        Largest pot and reserve, in chips.
    chips_left : int
        Chips on the tables after their last round, and on those given up.
    """

    rules: GutsRules
    n_tables: int
    rounds_per_table: int
    rounds: RoundCounts
    won: NDArray[np.object_]
    paid: NDArray[np.object_]
    n_ended: int
    n_abandoned: int
    peak_pot: int
    peak_reserve: int
    chips_left: int

    @property
    def net(self) -> NDArray[np.float64]:
        """Mean net of each player per round, in chips. What is left on the tables belongs to nobody yet."""
        n_rounds = self.n_tables * self.rounds_per_table
        return np.array([(won - paid) / (MONEY_UNITS * n_rounds) for won, paid in zip(self.won, self.paid)])


@interruptible
def simulate_tables(
    n_players: int,
    strategies: AnyStrategy | Sequence[AnyStrategy],
    *,
    rules: str | GutsRules = "two-card",
    n_tables: int = 10_000,
    rounds_per_table: int = 100,
    max_pot: int = MAX_CARRIED_POT,
    seed: int | None = None,
    first: int = 0,
    workers: int | None = None,
    executor: Executor | None = None,
    progress: bool | None = None,
) -> TableCounts:
    """Play tables of Guts that carry pot and reserve from round to round, and count chips.

    Every table plays the same number of rounds; when a cycle ends everybody antes and the next one begins.

    Parameters
    ----------
    n_players, strategies
        As for `simulate_rounds`; functions are told the pot that their table plays for.
    rules : str or GutsRules
        Profile or rules: ante, cap with reserve, and nobody_in (hold or reante) may be chosen freely.
    n_tables, rounds_per_table : int
        Tables, and rounds at each (at most 65,536).
    max_pot : int
        Chips; a cycle whose pot or reserve exceeds it is given up and counted (at most 4,194,304).
    seed, workers, executor, progress
        As for `simulate_rounds`.
    first : int
        Number of the first table.

    Returns
    -------
    TableCounts
        Won minus paid, summed over the players, plus what is left on the tables is 0.

    Raises
    ------
    InputError
        As `simulate_rounds`, and for rules that are not supported.

    Examples
    --------
    >>> tables = simulate_tables(5, "A4+", n_tables=1000, rounds_per_table=50, seed=1)
    >>> tables.peak_pot
    20
    >>> def bolder_when_cheap(hand_class, player, pot, cards):
    ...     return hand_class >= (60 if pot <= 5 else 72)
    >>> tables = simulate_tables(5, bolder_when_cheap, n_tables=1000, rounds_per_table=50, seed=1)
    >>> int(sum(tables.won) - sum(tables.paid)) + 2520 * tables.chips_left
    0
    """
    n_players = check_count(n_players, "n_players", MIN_PLAYERS, MAX_PLAYERS)
    rules = _checked_rules(rules)
    seats = seats_for(n_players, strategies, rules.ranking)
    rounds_per_table = check_count(rounds_per_table, "rounds_per_table", maximum=MAX_ROUNDS_PER_TABLE)
    least = max(rules.ante * n_players, rules.cap or 0)
    max_pot = check_count(max_pot, "max_pot", minimum=least, maximum=MAX_CARRIED_POT)
    seed = resolve_seed(seed)
    carry_rules = (rules.ante, rules.cap or 0, int(rules.nobody_in == "reante"), max_pot, n_players)
    sums = _TableSums(n_players)
    status = run_blocks(
        _TableTask(seats, run_key(seed), run_key(seed, PURPOSE_ENTRY), carry_rules, rounds_per_table),
        n_tables,
        sums.add,
        first=first,
        block_size=max(1, min(TABLES_PER_BLOCK, MAX_BLOCK_ROUNDS // rounds_per_table)),
        workers=workers,
        executor=executor,
        progress=progress,
    )
    rounds = RoundCounts(seed, status.n_done * rounds_per_table, status.complete, sums.joint, sums.seats)
    return TableCounts(rules, status.n_done, rounds_per_table, rounds, sums.won, sums.paid, *sums.totals)


@dataclass(frozen=True, eq=False)
class _TableTask:
    """Sums of a block of tables; picklable."""

    seats: Seats
    key: np.uint64
    entry_key: np.uint64
    rules: tuple[int, ...]
    n_rounds: int

    def __call__(self, start: int, stop: int) -> tuple[NDArray[np.int64], ...]:
        seats = self.seats
        n_players = seats.n_players
        sums = (
            np.empty((n_players + 1, n_players + 1), np.int64),
            np.empty((n_players, 5), np.int64),
            np.empty((n_players, 2), np.int64),
            np.empty(5, np.int64),
        )
        deals = (self.key, self.entry_key, np.uint64(start), stop - start, self.n_rounds)
        decisions = (seats.hand_size, seats.table, seats.thresholds, seats.strategy_of)
        rules = np.array(self.rules, np.int64)
        if not seats.functions:
            from guts_sim.kernels.carry import carry_rounds

            carry_rounds(*deals, *decisions, rules, *sums)
        else:
            from guts_sim.kernels.hybrid import carry_rounds_hybrid

            carry_rounds_hybrid(seats.functions, *deals, *decisions, seats.function_of, rules, *sums)
        return sums


class _TableSums:
    """Sums over blocks of tables; chips are Python integers, which cannot overflow."""

    def __init__(self, n_players: int) -> None:
        self.joint = np.zeros((n_players + 1, n_players + 1), np.int64)
        self.seats = np.zeros((n_players, 5), np.int64)
        self.won: NDArray[np.object_] = np.full(n_players, 0, object)
        self.paid: NDArray[np.object_] = np.full(n_players, 0, object)
        self.totals = [0] * 5

    def add(self, start: int, stop: int, sums: tuple[NDArray[np.int64], ...]) -> None:
        joint, seats, chips, totals = sums
        self.joint += joint
        self.seats += seats
        self.won += chips[:, 0].astype(object)
        self.paid += chips[:, 1].astype(object)
        ended, abandoned, peak_pot, peak_reserve, chips_left = totals.tolist()
        self.totals = [
            self.totals[0] + ended,
            self.totals[1] + abandoned,
            max(self.totals[2], peak_pot),
            max(self.totals[3], peak_reserve),
            self.totals[4] + chips_left,
        ]


def _checked_rules(rules: str | GutsRules) -> GutsRules:
    rules = get_rules(rules)
    rules.require_base("simulate_tables", supports=("nobody_in", "cap", "reserve", "ante"))
    if rules.nobody_in == "weenie" or rules.ante_every_round:
        raise InputError("simulate_tables: nobody_in must be hold or reante, and antes must not be due every round")
    if rules.cap is not None and not rules.reserve:
        raise InputError("simulate_tables: a cap needs a reserve here; give reserve=True or no cap")
    return rules
