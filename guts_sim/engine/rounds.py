"""Simulated independent rounds of Guts under strategies: entry probabilities by hand class, or functions."""

from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

import numpy as np
from numpy.typing import NDArray

from guts_sim.checks import check_count
from guts_sim.engine.blocks import DEFAULT_BLOCK_SIZE, MAX_DEALS, run_blocks
from guts_sim.engine.checkpoint import Checkpoint, CheckpointPath, checkpoint_path, seed_to_use
from guts_sim.engine.long_run import run_sums
from guts_sim.engine.players import AnyStrategy, Seats, seats_for
from guts_sim.engine.seeds import PURPOSE_ENTRY, resolve_seed, run_key
from guts_sim.engine.sums import TallySums
from guts_sim.errors import InputError
from guts_sim.hands import Ranking, default_ranking, get_ranking
from guts_sim.interruption import interruptible
from guts_sim.rules import MAX_PLAYERS, MIN_PLAYERS

MAX_CARRIED_POT = 1 << 22  # chips
MONEY_UNITS = 2520  # to the chip


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

    Examples
    --------
    >>> counts = simulate_rounds(5, "A4+", n_rounds=10_000, seed=1)
    >>> counts.entry_prob.round(2).tolist(), int(counts.joint.sum())
    ([0.18, 0.18, 0.18, 0.18, 0.18], 10000)
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
        return np.asarray(self.seats[:, 4] / (MONEY_UNITS * self.n_rounds))

    @property
    def net_stderr(self) -> NDArray[np.float64]:
        """Standard error of `net`, counting every tie as one of two hands (never too small)."""
        _, sole, tied, lost, _ = self.seats.T
        variance = (sole + lost + tied / 4) / self.n_rounds - self.net**2
        return np.asarray(np.sqrt(np.maximum(variance, 0.0) / self.n_rounds))


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
    checkpoint: CheckpointPath = None,
) -> RoundCounts:
    """Play independent rounds of Guts and count what happens.

    Parameters
    ----------
    n_players : int
        2 to 10.
    strategies : strategy or sequence of strategies
        One for all players, or a list (tuple) with one for each. A strategy is a `Strategy`; the text of a field
        (``"A4+"``, ``"top:30%"``); an array of entry probabilities, shape (n_classes,), the weakest class first;
        or a function ``decide(hand_class, player, pot, cards)``, see Notes.
    hand_size : int
        Cards per player, 2 or 3.
    ranking : str or Ranking, optional
        Order of hands; None takes ``guts2`` or ``guts3``.
    n_rounds : int
        How many rounds.
    pot : int, optional
        Chips in the pot, which functions are told; None: one for each player. Counts are in pots.
    seed : int, optional
        Seed of the deals, 0 or larger; drawn and recorded if not given.
    first : int
        Number of the first round; a run continued with ``first=n_rounds`` plays the rounds of a longer run.
    block_size, workers, executor, progress
        See `run_blocks`. They never change the counts.
    checkpoint : path-like, optional
        File to which the counts over finished blocks are written every few seconds and from which a run is taken
        up, as from the option ``--checkpoint``; not with functions as strategies.

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
    n_rounds = check_count(n_rounds, "n_rounds", maximum=MAX_DEALS)
    file = None
    if checkpoint is not None:
        if first or seats.functions:
            what = "first" if first else "a function as strategy"
            raise InputError(f"checkpoint: it does not go with {what}; leave one of them out")
        seed = seed_to_use(seed, checkpoint)
        file = Checkpoint(checkpoint_path(checkpoint), _owner(seats, seed))
    seed = resolve_seed(seed)
    sums = TallySums(RoundTally.empty(n_players), block_size)
    task = _RoundTask(seats, run_key(seed), run_key(seed, PURPOSE_ENTRY), pot)
    how: dict[str, Any] = {"workers": workers, "executor": executor, "progress": progress, "block_size": block_size}
    if file is None:
        complete = run_blocks(task, n_rounds, sums.add, first=first, **how).complete
    else:
        complete = run_sums(task, sums, n_rounds, checkpoint=file, **how).complete
    tally = sums.tally
    return RoundCounts(seed, tally.n, complete, tally.joint, tally.seats)


def _owner(seats: Seats, seed: int) -> dict[str, Any]:
    """Whose checkpoint it is: everything that decides what is counted."""
    strategies = sha256(b"".join(part.tobytes() for part in (seats.table, seats.thresholds, seats.strategy_of)))
    parameters = {"n_players": seats.n_players, "hand_size": seats.hand_size, "strategies": strategies.hexdigest()}
    return {"command": "simulate_rounds", "rules": {}, "parameters": parameters, "seed": seed}


@dataclass(frozen=True, eq=False)
class RoundTally:
    """Counts of rounds; see `RoundCounts`."""

    joint: NDArray[np.int64]
    seats: NDArray[np.int64]

    @classmethod
    def empty(cls, n_players: int) -> "RoundTally":
        """Nothing counted yet."""
        return cls(np.zeros((n_players + 1, n_players + 1), np.int64), np.zeros((n_players, 5), np.int64))

    def __add__(self, other: "RoundTally") -> "RoundTally":
        return RoundTally(self.joint + other.joint, self.seats + other.seats)

    @property
    def n(self) -> int:
        """Rounds counted."""
        return int(self.joint.sum())


@dataclass(frozen=True, eq=False)
class _RoundTask:
    """Counts of a block of independent rounds; picklable, so that processes can run it."""

    seats: Seats
    key: np.uint64
    entry_key: np.uint64
    pot: int

    def __call__(self, start: int, stop: int) -> RoundTally:
        seats = self.seats
        tally = RoundTally.empty(seats.n_players)
        joint, totals = tally.joint, tally.seats
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
        return tally


def _checked_ranking(hand_size: int, ranking: str | Ranking | None) -> Ranking:
    hand_size = check_count(hand_size, "hand_size", 2, 3)
    chosen = default_ranking(hand_size) if ranking is None else get_ranking(ranking)
    if chosen.hand_sizes != (hand_size,):
        raise InputError(f"ranking {chosen} does not compare hands of {hand_size} cards; guts{hand_size} does")
    return chosen
