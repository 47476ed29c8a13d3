"""Measure fields on fresh deals: one pass over the blocks serves all fields at once."""

from collections.abc import Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from guts_sim.checks import check_count, shown
from guts_sim.engine import PURPOSE_DEALS, PURPOSE_ENTRY, resolve_seed, run_key
from guts_sim.engine.checkpoint import Checkpoint
from guts_sim.engine.long_run import run_sums
from guts_sim.engine.sums import State
from guts_sim.errors import InputError
from guts_sim.estimate import BatchSums, check_confidence
from guts_sim.hands import get_ranking, guts_table
from guts_sim.solve.sampled import SCORE_BLOCK, ScoreTask
from guts_sim.strategy import Strategy
from guts_sim.studies.fields import checked_deals

FloatArray = NDArray[np.float64]
# What the deals of a run are for; each purpose has a key of its own, so that measuring uses fresh deals.
PURPOSE_SOLVE, PURPOSE_SEARCH, PURPOSE_MEASURE = 2, 3, 4


@dataclass(frozen=True)
class RunOptions:
    """How to run Monte Carlo: deals per measurement, seed, confidence, workers, what to take up, when to end.

    ``effort`` is a factor of the deals on which equilibria are sought.
    """

    n_deals: int
    seed: int
    confidence: float
    workers: int | None = None
    executor: Executor | None = None
    progress: bool | None = None
    checkpoint: Checkpoint | None = None
    precision: float | None = None
    effort: float = 1.0

    def __post_init__(self) -> None:
        """Refuse workers and executors that cannot be before any work begins, also where it turns out to be exact."""
        if self.workers is not None:
            object.__setattr__(self, "workers", check_count(self.workers, "workers"))
        if self.executor is not None and not callable(getattr(self.executor, "submit", None)):
            raise InputError(f"executor: {shown(self.executor)} takes no tasks; give an Executor of concurrent.futures")


def read_run_options(
    deals: int | None,
    default: int,
    seed: int | None,
    confidence: float,
    workers: int | None,
    executor: Executor | None,
    progress: bool | None,
) -> RunOptions:
    """Check how to run, before any work begins; a seed is drawn if none is given.

    Raises
    ------
    InputError
        An argument is not allowed.
    """
    return RunOptions(
        n_deals=checked_deals(deals, default),
        seed=resolve_seed(seed),
        confidence=check_confidence(confidence),
        workers=workers,
        executor=executor,
        progress=progress,
    )


@dataclass(frozen=True, eq=False)
class RoundTask:
    """Play the rounds ``start .. stop - 1`` of a run and count (players in, tied for best)."""

    key: np.uint64
    entry_key: np.uint64
    n_players: int
    ranking_name: str
    entry: FloatArray

    def __call__(self, start: int, stop: int) -> NDArray[np.int64]:
        """Joint counts, shape (n_players + 1, n_players + 1)."""
        from guts_sim.kernels.guts import ALWAYS, count_rounds

        ranking = get_ranking(self.ranking_name)
        thresholds = np.rint(self.entry * float(ALWAYS)).astype(np.uint32)[None, :]
        joint = np.zeros((self.n_players + 1, self.n_players + 1), np.int64)
        seats = np.zeros((self.n_players, 5), np.int64)
        count_rounds(
            self.key,
            self.entry_key,
            np.uint64(start),
            stop - start,
            ranking.hand_sizes[0],
            guts_table(ranking),
            thresholds,
            np.zeros(self.n_players, np.int64),
            joint,
            seats,
        )
        return joint


@dataclass(frozen=True, eq=False)
class FieldTask:
    """Score hands against several fields, and play rounds of each; can be sent to other processes."""

    scores: Sequence[ScoreTask]
    rounds: Sequence[RoundTask]

    def __call__(self, start: int, stop: int) -> list[tuple[NDArray[np.int64], NDArray[np.int64]]]:
        """Scores and joint counts of deals ``start .. stop - 1`` for each field."""
        return [(score(start, stop), play(start, stop)) for score, play in zip(self.scores, self.rounds)]


class Sample:
    """Sums over the deals on which one field was measured.

    Attributes
    ----------
    scores : BatchSums
        See `ScoreTask`.
    rounds : BatchSums
        See `RoundTask`.
    """

    def __init__(self) -> None:
        self.scores = BatchSums(SCORE_BLOCK)
        self.rounds = BatchSums(SCORE_BLOCK)

    def copy(self) -> "Sample":
        """Return an independent copy to continue from."""
        twin = Sample()
        twin.scores, twin.rounds = self.scores.copy(), self.rounds.copy()
        return twin

    def add(self, start: int, stop: int, scores: NDArray[np.int64], rounds: NDArray[np.int64]) -> None:
        """Take in one block."""
        self.scores.add(start, stop, scores)
        self.rounds.add(start, stop, rounds)


class _SamplesOfFields:
    """The samples of several fields as one thing that blocks are added to."""

    def __init__(self, samples: Sequence[Sample]) -> None:
        self._samples = samples

    @property
    def n_whole(self) -> int:
        return min(sample.scores.n_whole for sample in self._samples)

    @property
    def combine(self) -> None:
        """Blocks come one by one: each belongs to a batch."""
        return None

    def add(self, start: int, stop: int, results: list[tuple[NDArray[np.int64], NDArray[np.int64]]]) -> None:
        for sample, (scores, rounds) in zip(self._samples, results):
            sample.add(start, stop, scores, rounds)

    def state(self) -> State:
        return {"fields": [[sample.scores.state(), sample.rounds.state()] for sample in self._samples]}

    def restore(self, state: State) -> None:
        for sample, (scores, rounds) in zip(self._samples, state["fields"], strict=True):
            sample.scores.restore(scores)
            sample.rounds.restore(rounds)


def measure(
    n_players: int, fields: Mapping[str, Strategy], options: RunOptions, before: Mapping[str, Sample]
) -> dict[str, Sample]:
    """Measure every field on the same deals, continuing from ``before``.

    Parameters
    ----------
    n_players : int
        Players at the table.
    fields : mapping of str to Strategy
        What to measure.
    options : RunOptions
        How many deals in all, and how.
    before : mapping of str to Sample
        Nothing, or for every field a sample of the same number of deals; left as they are.

    Returns
    -------
    dict of str to Sample
        All with the same number of deals, which is less than asked for after an interruption.

    Raises
    ------
    KeyboardInterrupt
        Stopped before there was anything to report.
    """
    samples = {name: before[name].copy() if before else Sample() for name in fields}
    run_sums(
        _task(n_players, list(fields.values()), options.seed),
        _SamplesOfFields(list(samples.values())),
        options.n_deals,
        block_size=SCORE_BLOCK,
        workers=options.workers,
        executor=options.executor,
        progress=options.progress,
        checkpoint=options.checkpoint,
        part="measure",
    )
    if any(sample.scores.n == 0 for sample in samples.values()):
        raise KeyboardInterrupt
    return samples


def _task(n_players: int, fields: Sequence[Strategy], seed: int) -> FieldTask:
    key, play_key = run_key(seed, PURPOSE_MEASURE), run_key(seed, PURPOSE_DEALS)
    entry_key = run_key(seed, PURPOSE_ENTRY)
    return FieldTask(
        [ScoreTask(key, n_players, field.ranking.name, field.entry) for field in fields],
        [RoundTask(play_key, entry_key, n_players, field.ranking.name, field.entry) for field in fields],
    )
