"""Declaring without having looked at the cards: one probability, from the law of what is left on the table.

Who declares blind knows nothing, so all players are alike, and with ``k`` of them in only the mean of what is then left
on the table, ``left[k]`` in pots, says what a round is worth. What all players get and what is left add up to the pot:
``k * worth_in + (N - k) * worth_out = 1``, where an out-player gets ``left[k] / N``. So nobody's cards need to be told
apart, and a deal is played once with every number of players in.
"""

from concurrent.futures import Executor
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from guts_sim.engine import run_all_blocks
from guts_sim.estimate import BatchSums, Estimate, exact, normal
from guts_sim.kernels.decisions_layout import COUNTED_EMPTY, COUNTED_LEFT, COUNTED_ROUNDS
from guts_sim.solve.decision_values import DecisionValues
from guts_sim.solve.decisions import BLOCK, DecisionGame, DecisionSolution, Sums, decision_task
from guts_sim.solve.regret_matching import scaled

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
DEALS_TO_SOLVE = 500_000
_LEFT, _EMPTY = 0, 1


@dataclass(frozen=True)
class BlindTask:
    """Play the deals ``start .. stop - 1`` with 0, 1, ... all players in; can be sent to other processes."""

    game: DecisionGame
    key: np.uint64

    def __call__(self, start: int, stop: int) -> IntArray:
        """Sums by number of players in: units left on the table and rounds that left nothing; last, the rounds."""
        n_players = self.game.n_players
        left_and_empty = np.zeros((2, n_players + 1), np.int64)
        for n_in in range(n_players + 1):
            entry = (np.arange(n_players) < n_in).astype(np.float64)[:, None, None]
            task = decision_task(self.game, entry, (self.key, self.key), scores_hands=False)
            rounds = Sums.of(task(start, stop), self.game).rounds
            left_and_empty[_LEFT, n_in] = rounds[COUNTED_LEFT, n_in]
            left_and_empty[_EMPTY, n_in] = rounds[COUNTED_EMPTY, n_in]
            assert rounds[COUNTED_ROUNDS, n_in] == stop - start
        return np.append(left_and_empty.ravel(), stop - start)


@dataclass(frozen=True, eq=False)
class TableLaw:
    """Means by number of players in, shape (n_players + 1,): pots left on the table, and chances to empty it."""

    left: FloatArray
    p_empty: FloatArray

    @classmethod
    def of(cls, sums: IntArray, game: DecisionGame) -> "TableLaw":
        """Read the sums of a `BlindTask`."""
        left, empty = sums[:-1].reshape(2, game.n_players + 1) / sums[-1]
        return cls(left / game.pot_units, empty)

    @property
    def n_players(self) -> int:
        """Players at the table."""
        return len(self.left) - 1

    def worth_of_out(self) -> FloatArray:
        """Worth of staying out, by how many of the others are in, shape (n_players,)."""
        worth = self.left[:-1] / self.n_players
        worth[0] = 1.0 / self.n_players  # all are alike, also where the best of them has to match the pot
        return worth

    def worth_of_in(self) -> FloatArray:
        """Worth of entering, by how many of the others are in, shape (n_players,)."""
        n_in = np.arange(1, self.n_players + 1)
        outs_get = (self.n_players - n_in) * self.left[1:] / self.n_players
        return np.asarray((1.0 - outs_get) / n_in)

    def gain_of_entering(self, entry_prob: float) -> float:
        """In-minus-out per round, in pots, where everybody else enters with a probability."""
        others = in_law(self.n_players - 1, entry_prob)
        return float(others @ (self.worth_of_in() - self.worth_of_out()))


def in_law(n_players: int, entry_prob: float) -> FloatArray:
    """Law of the number of players in, each independently: binomial probabilities, shape (n_players + 1,).

    Examples
    --------
    >>> in_law(2, 0.5).round(4).tolist()
    [0.25, 0.5, 0.25]
    """
    from scipy.stats import binom

    return np.asarray(binom.pmf(np.arange(n_players + 1), n_players, entry_prob), np.float64)


def solve_blind(
    game: DecisionGame,
    key: np.uint64,
    *,
    effort: float = 1.0,
    workers: int | None = None,
    executor: Executor | None = None,
    progress: bool | None = None,
) -> DecisionSolution:
    """Find an entry probability from which nobody gains by another one.

    1 if entering gains where all others enter, 0 if it does not even where all others stay out; between these the
    probability at which entering and staying out are worth the same. ``effort`` is a factor of the number of deals.

    Raises
    ------
    KeyboardInterrupt
        Stopped before its end.
    """
    from scipy.optimize import brentq

    batches = BatchSums(BLOCK)
    n_deals = scaled(DEALS_TO_SOLVE, effort, BLOCK)
    run_all_blocks(
        BlindTask(game, key),
        n_deals,
        batches.add,
        block_size=BLOCK,
        workers=workers,
        executor=executor,
        progress=progress,
    )
    law = TableLaw.of(batches.total, game)
    if law.gain_of_entering(1.0) >= 0.0:
        entry_prob = 1.0
    elif law.gain_of_entering(0.0) <= 0.0:
        entry_prob = 0.0
    else:
        entry_prob = float(brentq(law.gain_of_entering, 0.0, 1.0))
    return DecisionSolution(np.full((1, 1), entry_prob), n_deals)


@dataclass(frozen=True, eq=False)
class BlindValues(DecisionValues):
    """Values of a blind declaration; how many players are in follows the binomial law, without sampling error.

    Attributes
    ----------
    entry_prob : float
        With which everybody enters.
    p_empty, p_empty_stderr : float
        Probability that a round leaves nothing on the table.
    """

    entry_prob: float
    p_empty: float
    p_empty_stderr: float

    def round_estimates(self, confidence: float) -> dict[str, Estimate]:
        """Probabilities of what a round looks like, and the mean multiplier."""
        law = in_law(len(self.in_counts) - 1, self.entry_prob)
        return {
            "p_nobody": exact(float(law[0]), confidence),
            "p_one": exact(float(law[1]), confidence),
            "p_contested": exact(float(law[2:].sum()), confidence),
            "p_table_empty": normal(self.p_empty, self.p_empty_stderr, self.n, confidence, minimum=0.0, maximum=1.0),
            "expected_multiplier": self.multiplier_estimate(confidence),
        }

    @property
    def expected_rounds(self) -> float | None:
        """Rounds until the table is empty; None if it never is."""
        return 1.0 / self.p_empty if self.p_empty > 0.0 else None


def blind_values(batches: BatchSums, game: DecisionGame, entry: FloatArray) -> BlindValues:
    """Turn the sums of played deals into values of one probability for all.

    Parameters
    ----------
    batches : BatchSums
        Of a `BlindTask`.
    game : DecisionGame
        What was played.
    entry : ndarray of float64, shape (1, 1)
        The probability with which everybody enters.
    """
    entry_prob, n_players = float(entry[0, 0]), game.n_players
    others, everybody = in_law(n_players - 1, entry_prob), in_law(n_players, entry_prob)

    def measured(sums: IntArray) -> FloatArray:
        law = TableLaw.of(sums, game)
        gain = law.gain_of_entering(entry_prob)
        deviation = max((1.0 - entry_prob) * gain, -entry_prob * gain)
        return np.array([others @ law.worth_of_out(), gain, deviation, everybody @ law.left, everybody @ law.p_empty])

    ev_out, gain, deviation, left, p_empty = (float(x) for x in measured(batches.total))
    _, gain_stderr, deviation_stderr, left_stderr, p_empty_stderr = (float(x) for x in batches.stderr(measured))
    one = np.ones((1, 1))
    return BlindValues(
        reach=one,
        ev_out=one * ev_out,
        delta=one * gain,
        stderr=one * gain_stderr,
        exploitability=deviation,
        exploitability_stderr=deviation_stderr,
        group_gain=deviation,
        group_gain_stderr=deviation_stderr,
        seat_values=np.zeros(n_players),  # all are alike
        seat_stderr=np.zeros(n_players),
        multiplier=left,
        multiplier_stderr=left_stderr,
        in_counts=np.zeros(n_players + 1, np.int64),
        n_emptied=0,
        n=batches.n,
        entry_prob=entry_prob,
        p_empty=p_empty,
        p_empty_stderr=p_empty_stderr,
    )
