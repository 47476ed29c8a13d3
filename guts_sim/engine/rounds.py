"""Simulated rounds of Guts under any strategies: entry probabilities per hand class, or functions of the user's."""

from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from guts_sim.checks import check_count
from guts_sim.engine.blocks import DEFAULT_BLOCK_SIZE, run_blocks
from guts_sim.engine.players import AnyStrategy, Seats, seats_for
from guts_sim.engine.seeds import PURPOSE_ENTRY, resolve_seed, run_key
from guts_sim.errors import InputError
from guts_sim.hands import Ranking, default_ranking, get_ranking
from guts_sim.interruption import interruptible
from guts_sim.rules import MAX_PLAYERS, MIN_PLAYERS, GutsRules, get_rules

# Money of 2520 units to the chip, in pots of at most 2**22 chips: so many rounds of a block stay within int64.
MAX_BLOCK_ROUNDS = 1 << 29
TABLES_PER_BLOCK = 1 << 13
MAX_ROUNDS_PER_TABLE = 1 << 16
MAX_CARRIED_POT = 1 << 22
_UNITS = 2520


@dataclass(frozen=True, eq=False)
class RoundCounts:
    """What happened in independent rounds.

    Attributes
    ----------
    seed : int
        The seed used.
    n_rounds : int
        Rounds counted.
    complete : bool
        False if the run was interrupted.
    joint : ndarray of int64, shape (n_players + 1, n_players + 1)
        Rounds by (players in, players who share the best hand; 0 if nobody is in).
    seats : ndarray of int64, shape (n_players, 5)
        Per player: rounds in, won alone, tied for best, lost, and the net in 1/2520 of the pot: all of it for a
        win, an equal part for a tie, minus one pot for a loss.
    """

    seed: int
    n_rounds: int
    complete: bool
    joint: NDArray[np.int64]
    seats: NDArray[np.int64]

    @property
    def entry_prob(self) -> NDArray[np.float64]:
        """Share of the rounds in which each player was in."""
        return np.asarray(self.seats[:, 0] / self.n_rounds)

    @property
    def nobody_prob(self) -> float:
        """Share of the rounds in which nobody was in."""
        return float(self.joint[0, 0] / self.n_rounds)

    @property
    def net(self) -> NDArray[np.float64]:
        """Mean net of each player from the active pot, in pots; the share in the next pot is not counted."""
        return np.asarray(self.seats[:, 4] / (_UNITS * self.n_rounds))

    @property
    def net_stderr(self) -> NDArray[np.float64]:
        """Standard error of `net`, counting every tie as one of two hands (never too small)."""
        _, sole, tied, lost, _ = self.seats.T
        variance = (sole + lost + tied / 4) / self.n_rounds - self.net**2
        return np.asarray(np.sqrt(np.maximum(variance, 0.0) / self.n_rounds))


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
        return np.array([(won - paid) / (_UNITS * n_rounds) for won, paid in zip(self.won, self.paid)])


@interruptible
def simulate_rounds(
    n_players: int,
    strategies: AnyStrategy | Sequence[AnyStrategy],
    *,
    hand_size: int = 2,
    ranking: str | Ranking | None = None,
    n_rounds: int = 1_000_000,
    pot: int | None = None,
    seed: int | None = None,
    first: int = 0,
    block_size: int = DEFAULT_BLOCK_SIZE,
    workers: int | None = None,
    executor: Executor | None = None,
    progress: bool | None = None,
) -> RoundCounts:
    """Play independent rounds of Guts and count what happens.

    Parameters
    ----------
    n_players
        2 to 10.
    strategies
        One for all players, or a list (tuple) with one for each. A strategy is a `Strategy`; the text of a field
        (``"A4+"``, ``"top:30%"``); an array of entry probabilities, shape (n_classes,), the weakest class first;
        or a function ``decide(hand_class, player, pot, cards)``, see Notes.
    hand_size
        Cards per player, 2 or 3.
    ranking
        Order of hands; None takes ``guts2`` or ``guts3``.
    n_rounds
        How many rounds.
    pot
        Chips in the pot, which functions are told; None: one for each player. Counts are in pots.
    seed
        See `resolve_seed`.
    first
        Number of the first round; a run continued with ``first=n_rounds`` plays the rounds of a longer run.
    block_size, workers, executor, progress
        See `run_blocks`. They never change the counts.

    Returns
    -------
    RoundCounts

    Raises
    ------
    InputError
        If a number is out of range, a strategy does not fit the ranking, or a function cannot be compiled.

    Notes
    -----
    A function gets the class of the player's own hand (0 the weakest, see `class_names`), his seat, the pot in
    chips, and his cards as a tuple of codes (``4 * rank + suit``), all of them integers. It returns
    whether he is in, or a float, the probability of entering (numbers beyond 0 and 1 count as these). It is
    compiled by numba, once for each function object, so it may use numbers, tuples and NumPy arrays, and what it
    reads from outside is frozen when it is first used. Functions already compiled by ``numba.njit`` are taken as
    they are. Decisions must depend on the arguments alone; random decisions are probabilities.

    The same strategy as an array and as a function gives the same counts to the last round.

    Examples
    --------
    >>> import numpy as np
    >>> ace_or_pair = simulate_rounds(5, "A4+", n_rounds=10_000, seed=1)
    >>> ace_or_pair.nobody_prob
    0.3524
    >>> def first_player_bluffs(hand_class, player, pot, cards):
    ...     return hand_class >= 68 or player == 0 and cards[0] // 4 == cards[1] // 4 + 1
    >>> mixed = simulate_rounds(5, [first_player_bluffs] + 4 * ["A4+"], n_rounds=10_000, seed=1)
    >>> np.array_equal(mixed.seats[1:, 0], ace_or_pair.seats[1:, 0])
    True
    """
    n_players = check_count(n_players, "n_players", MIN_PLAYERS, MAX_PLAYERS)
    seats = seats_for(n_players, strategies, _checked_ranking(hand_size, ranking))
    pot = n_players if pot is None else check_count(pot, "pot", maximum=MAX_CARRIED_POT)
    seed = resolve_seed(seed)
    joint = np.zeros((n_players + 1, n_players + 1), np.int64)
    totals = np.zeros((n_players, 5), np.int64)

    def accumulate(start: int, stop: int, block: tuple[NDArray[np.int64], NDArray[np.int64]]) -> None:
        np.add(joint, block[0], out=joint)
        np.add(totals, block[1], out=totals)

    status = run_blocks(
        _RoundTask(seats, run_key(seed), run_key(seed, PURPOSE_ENTRY), pot),
        n_rounds,
        accumulate,
        first=first,
        block_size=block_size,
        workers=workers,
        executor=executor,
        progress=progress,
    )
    return RoundCounts(seed, status.n_done, status.complete, joint, totals)


@dataclass(frozen=True, eq=False)
class _RoundTask:
    """Counts of a block of independent rounds; picklable, so that processes can run it."""

    seats: Seats
    key: np.uint64
    entry_key: np.uint64
    pot: int

    def __call__(self, start: int, stop: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        seats = self.seats
        joint = np.empty((seats.n_players + 1, seats.n_players + 1), np.int64)
        totals = np.empty((seats.n_players, 5), np.int64)
        deals = (self.key, self.entry_key, np.uint64(start), stop - start)
        if not seats.functions:
            from guts_sim.kernels.guts import count_rounds

            count_rounds(*deals, seats.hand_size, seats.table, seats.thresholds, seats.strategy_of, joint, totals)
        else:
            from guts_sim.kernels.hybrid import count_rounds_hybrid

            count_rounds_hybrid(
                seats.functions,
                *deals,
                seats.hand_size,
                seats.table,
                seats.thresholds,
                seats.strategy_of,
                seats.function_of,
                self.pot,
                joint,
                totals,
            )
        return joint, totals


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
    rules
        Profile or rules: ante, cap with reserve, and nobody_in (hold or reante) may be chosen freely.
    n_tables, rounds_per_table
        Tables, and rounds at each (at most 65,536).
    max_pot
        Chips; a cycle whose pot or reserve exceeds it is given up and counted (at most 4,194,304).
    seed, workers, executor, progress
        As for `simulate_rounds`.
    first
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


def _checked_ranking(hand_size: int, ranking: str | Ranking | None) -> Ranking:
    hand_size = check_count(hand_size, "hand_size", 2, 3)
    chosen = default_ranking(hand_size) if ranking is None else get_ranking(ranking)
    if chosen.hand_sizes != (hand_size,):
        raise InputError(f"ranking {chosen} does not compare hands of {hand_size} cards; guts{hand_size} does")
    return chosen


def _checked_rules(rules: str | GutsRules) -> GutsRules:
    rules = get_rules(rules)
    rules.require_base("simulate_tables", supports=("nobody_in", "cap", "reserve", "ante"))
    if rules.nobody_in == "weenie" or rules.ante_every_round:
        raise InputError("simulate_tables: nobody_in must be hold or reante, and antes must not be due every round")
    if rules.cap is not None and not rules.reserve:
        raise InputError("simulate_tables: a cap needs a reserve here; give reserve=True or no cap")
    return rules
