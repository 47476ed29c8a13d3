"""Judge a field: what every hand is worth against it, what a round looks like, what a deviation gains."""

from concurrent.futures import Executor
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from guts_sim.engine import PURPOSE_DEALS, PURPOSE_ENTRY, run_blocks, run_key
from guts_sim.estimate import BatchSums, Estimate, exact, mean_of_counts, normal, wilson
from guts_sim.exact import RoundLaw, exact_hand_values, exact_round_law, exact_values, supports
from guts_sim.hands import get_ranking, guts_table
from guts_sim.solve import sampled_values
from guts_sim.strategy import Strategy

FloatArray = NDArray[np.float64]
# What the deals of a run are for; each purpose has a key of its own, so that measuring uses fresh deals.
PURPOSE_SOLVE, PURPOSE_SEARCH, PURPOSE_MEASURE = 2, 3, 4


@dataclass(frozen=True)
class RunOptions:
    """How to run Monte Carlo: deals per measurement, seed, confidence, workers."""

    n_deals: int
    seed: int
    confidence: float
    workers: int | None = None
    executor: Executor | None = None
    progress: bool | None = None


@dataclass(frozen=True, eq=False)
class SampleState:
    """The sums behind a sampled assessment, to continue from."""

    scores: BatchSums
    joint: NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Assessment:
    """Values of all hands in one round against opponents who share a field, in units of the pot.

    Attributes
    ----------
    field : Strategy
        What the opponents do.
    ev_in, ev_out, delta, stderr : ndarray, shape (n_classes,)
        Value of entering, of staying out, the difference and its standard error (0 if exact).
    exploitability : Estimate
        Gain per deal of the best deviation when everybody plays the field.
    best_reply_value : Estimate
        Pots per deal that the best reply earns.
    law : RoundLaw
        Joint law of players in and players tied for best when everybody plays the field.
    n : int
        Deals; 0 if exact.
    """

    field: Strategy
    ev_in: FloatArray
    ev_out: FloatArray
    delta: FloatArray
    stderr: FloatArray
    exploitability: Estimate
    best_reply_value: Estimate
    law: RoundLaw
    n: int
    complete: bool
    confidence: float
    state: "SampleState | None" = None

    @property
    def best_reply(self) -> FloatArray:
        """1 for the classes that do better by entering."""
        return (self.delta > 0).astype(np.float64)

    def round_stats(self) -> dict[str, Any]:
        """Figures of one round when everybody plays the field; with intervals if they are estimates."""
        law = self.law
        stats: dict[str, Any] = {
            "p_nobody": law.p_nobody,
            "p_one": law.p_one,
            "p_contested": law.p_contested,
            "expected_multiplier": law.expected_multiplier,
            "expected_rounds": 1.0 / law.p_one if law.p_one > 0 else None,
            "tail_index": law.tail_index(),
            "supercritical": law.expected_multiplier >= 1.0,
            "multiplier_law": {str(m): float(p) for m, p in enumerate(law.multiplier_law)},
        }
        if self.n:
            estimates = self._round_estimates()
            for part in ("stderr", "ci_low", "ci_high"):
                stats[part] = {name: getattr(e, part) for name, e in estimates.items()}
        return stats

    def _round_estimates(self) -> dict[str, Estimate]:
        def proportion(p: float) -> Estimate:
            return wilson(round(p * self.n), self.n, self.confidence)

        law = self.law
        counts = np.rint(law.multiplier_law * self.n).astype(np.int64)
        return {
            "p_nobody": proportion(law.p_nobody),
            "p_one": proportion(law.p_one),
            "p_contested": proportion(law.p_contested),
            "expected_multiplier": mean_of_counts(np.arange(counts.size, dtype=float), counts, self.confidence),
        }


def assess(
    n_players: int, field: Strategy, method: str, options: RunOptions, state: SampleState | None = None
) -> Assessment:
    """Judge ``field`` by counting (``method="exact"``) or by Monte Carlo (``"mc"``), continuing from ``state``."""
    if method == "exact":
        return _assess_exactly(n_players, field, options.confidence)
    return _assess_by_sampling(n_players, field, options, state)


def can_count(n_players: int, field: Strategy) -> bool:
    """Whether the field can be judged exactly."""
    return supports(n_players, field.ranking.hand_sizes[0], field.entry)


def _assess_exactly(n_players: int, field: Strategy, confidence: float) -> Assessment:
    values = exact_values(n_players, field.ranking, field.entry)
    exploitability = values.exploitability(field.entry)
    if field.ranking.hand_sizes == (3,):
        # Suits tell a player a little more than the class does; certify against that too.
        hands = exact_hand_values(n_players, field.ranking, field.entry)
        exploitability = hands.values.exploitability(field.entry[hands.hand_class])
    reply = float(values.frequency @ np.maximum(values.ev_in, values.ev_out))
    return Assessment(
        field=field,
        ev_in=values.ev_in,
        ev_out=values.ev_out,
        delta=values.delta,
        stderr=np.zeros_like(values.delta),
        exploitability=exact(exploitability, confidence),
        best_reply_value=exact(reply, confidence),
        law=exact_round_law(n_players, field.ranking, field.entry),
        n=0,
        complete=True,
        confidence=confidence,
    )


def _assess_by_sampling(n_players: int, field: Strategy, options: RunOptions, state: SampleState | None) -> Assessment:
    values = sampled_values(
        n_players,
        field.ranking,
        field.entry,
        options.n_deals,
        run_key(options.seed, PURPOSE_MEASURE),
        continue_from=None if state is None else state.scores,
        workers=options.workers,
        executor=options.executor,
        progress=options.progress,
    )
    joint = np.zeros((n_players + 1, n_players + 1), np.int64) if state is None else state.joint.copy()
    n_rounds = play_rounds(joint, n_players, field, values.n, options)
    confidence = options.confidence
    return Assessment(
        field=field,
        ev_in=values.ev_in,
        ev_out=values.ev_out,
        delta=values.delta,
        stderr=values.stderr,
        exploitability=normal(values.exploitability, values.exploitability_stderr, values.n, confidence),
        best_reply_value=normal(values.best_reply_value, values.best_reply_stderr, values.n, confidence),
        law=RoundLaw(joint / n_rounds),
        n=values.n,
        complete=values.complete and n_rounds == values.n,
        confidence=confidence,
        state=SampleState(values.batches, joint),
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


def play_rounds(joint: NDArray[np.int64], n_players: int, field: Strategy, n_rounds: int, options: RunOptions) -> int:
    """Add rounds to the counts in ``joint`` up to ``n_rounds`` in all; return how many there are then."""

    def add(_start: int, _stop: int, counts: NDArray[np.int64]) -> None:
        joint[...] += counts

    n_before = int(joint.sum())
    if n_rounds > n_before:
        task = RoundTask(
            run_key(options.seed, PURPOSE_DEALS),
            run_key(options.seed, PURPOSE_ENTRY),
            n_players,
            field.ranking.name,
            field.entry,
        )
        run_blocks(
            task,
            n_rounds - n_before,
            add,
            first=n_before,
            workers=options.workers,
            executor=options.executor,
            progress=options.progress,
        )
    return int(joint.sum())
