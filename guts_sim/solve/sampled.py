"""Values of every hand against a field, by deals of the opponents' cards alone.

The opponents are dealt, the hero is not: each deal scores every hand that the remaining cards can still make,
weighted by the number of ways to make it. One deal so informs all 741 three-card classes, where dealing
the hero too would inform one.
"""

from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import lru_cache
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from guts_sim.engine import run_all_blocks
from guts_sim.estimate import BatchSums
from guts_sim.hands import Ranking, get_ranking, guts_table
from guts_sim.kernels.units import VALUE_SCALE
from guts_sim.strategy import frequencies

FloatArray = NDArray[np.float64]
SCORE_BLOCK = 1024  # about a millisecond of work; short runs too get batches enough for a standard error


@dataclass(frozen=True, eq=False)
class HandSets:
    """Hands that look alike to their holder up to a renaming of suits.

    Attributes
    ----------
    set_class : ndarray of int32, shape (n_sets,)
        Hand class of each set.
    frequency : ndarray of float64, shape (n_sets,)
        Probability of being dealt a hand of the set; sums to 1.
    """

    set_class: NDArray[np.int32]
    frequency: FloatArray

    def per_class(self, weights: FloatArray, n_classes: int) -> FloatArray:
        """Sum a quantity over the sets of each class."""
        return np.bincount(self.set_class, weights=weights, minlength=n_classes).astype(np.float64, copy=False)


@lru_cache
def hand_sets(ranking: Ranking) -> HandSets:
    """Information sets of a Guts ranking, in the order that the scoring kernel uses."""
    table = guts_table(ranking).astype(np.int32)
    ranks = range(13)
    if ranking.hand_sizes == (2,):
        unpaired = [(table[high * 13 + low], 16) for high in ranks for low in range(high)]
        rows = unpaired + [(table[rank * 13 + rank], 6) for rank in ranks]
    else:
        rows = _three_card_sets(table.reshape(2, 13, 13, 13))
    classes, hands = np.array(rows).T
    return HandSets(classes.astype(np.int32), hands / hands.sum())


def _three_card_sets(table: NDArray[np.int32]) -> list[tuple[int, int]]:
    """(class, number of hands) of the 1,755 sets; the order is that of ``kernels.score``."""
    triples = [(i, j, k) for i in range(13) for j in range(i) for k in range(j)]
    pairs = [(rank, kicker) for rank in range(13) for kicker in range(13) if kicker != rank]
    rows = [(int(table[1][triple]), 4) for triple in triples]
    for n_hands in (12, 12, 12, 24):
        rows += [(int(table[0][triple]), n_hands) for triple in triples]
    for n_hands in (12, 12):
        rows += [(int(table[0][rank, rank, kicker]), n_hands) for rank, kicker in pairs]
    return rows + [(int(table[0][rank, rank, rank]), 4) for rank in range(13)]


@dataclass(frozen=True, eq=False)
class ScoreTask:
    """Score the deals ``start .. stop - 1`` of a run against one field; can be sent to other processes."""

    key: np.uint64
    n_players: int
    ranking_name: str
    entry: FloatArray

    def __call__(self, start: int, stop: int) -> NDArray[np.int64]:
        """Sums over the deals, shape (3, n_sets), as `guts_sim.kernels.score.score_hands` adds them."""
        from guts_sim.kernels.score import score_hands

        ranking = get_ranking(self.ranking_name)
        sets = hand_sets(ranking)
        sums = np.zeros((3, sets.set_class.size), np.int64)
        score_hands(
            self.key,
            start,
            stop - start,
            self.n_players - 1,
            ranking.hand_sizes[0],
            self.entry,
            guts_table(ranking),
            sets.set_class,
            sums,
        )
        return sums


@dataclass(frozen=True, eq=False)
class SampledValues:
    """What entering and staying out are worth with each hand, one round against a field.

    Payoffs are in units of the active pot. Arrays have one entry per hand class, the weakest first. Standard
    errors are nan where the deals are too few to tell.

    Attributes
    ----------
    ev_in, ev_out, delta, stderr : ndarray of float64, shape (n_classes,)
        Value of entering, of staying out, their difference, and the standard error of the difference.
    exploitability, exploitability_stderr : float
        Gain per deal of the best one-shot deviation from the field, in pots. The deviator may tell apart all
        hands that differ by more than a renaming of suits. Being the largest gain on the
        deals at hand, noise can only push it up.
    best_reply_value, best_reply_stderr : float
        What the reply that enters exactly where ``delta > 0`` earns per deal, in pots.
    best_reply_gain, best_reply_gain_stderr : float
        How much more that is than the field's own strategy earns.
    n : int
        Deals of the opponents' cards that were scored.
    """

    ev_in: FloatArray
    ev_out: FloatArray
    delta: FloatArray
    stderr: FloatArray
    exploitability: float
    exploitability_stderr: float
    best_reply_value: float
    best_reply_stderr: float
    best_reply_gain: float
    best_reply_gain_stderr: float
    n: int


def sampled_values(
    n_players: int,
    ranking: Ranking,
    entry: FloatArray,
    n_deals: int,
    key: np.uint64,
    *,
    workers: int | None = None,
    executor: Executor | None = None,
    progress: bool | None = None,
) -> SampledValues:
    """Estimate the values of all hands against opponents who enter with probabilities ``entry``.

    Parameters
    ----------
    n_players : int
        Players, the hero included.
    ranking : Ranking
        ``guts2`` or one of the three-card orders.
    entry : ndarray of float64, shape (n_classes,)
        The opponents' common entry probabilities.
    n_deals : int
        Deals to score.
    key : uint64
        Key of the run; fresh deals need a key of their own.
    workers, executor, progress
        See `guts_sim.engine.run_blocks`.

    Returns
    -------
    SampledValues

    Raises
    ------
    KeyboardInterrupt
        The run was stopped before its end.
    """
    batches = score_deals(
        n_players, ranking, entry, n_deals, key, workers=workers, executor=executor, progress=progress
    )
    return values_of(batches, ranking, entry)


def score_deals(
    n_players: int,
    ranking: Ranking,
    entry: FloatArray,
    n_deals: int,
    key: np.uint64,
    *,
    first: int = 0,
    workers: int | None = None,
    executor: Executor | None = None,
    progress: bool | None = None,
) -> BatchSums:
    """Sums over deals ``first .. first + n_deals - 1``; ``first`` is a multiple of ``SCORE_BLOCK``.

    Raises
    ------
    KeyboardInterrupt
        The run was stopped before its end.
    """
    batches = BatchSums(SCORE_BLOCK)
    run_all_blocks(
        ScoreTask(key, n_players, ranking.name, np.ascontiguousarray(entry)),
        n_deals,
        batches.add,
        first=first,
        block_size=SCORE_BLOCK,
        workers=workers,
        executor=executor,
        progress=progress,
    )
    return batches


def values_of(batches: BatchSums, ranking: Ranking, entry: FloatArray) -> SampledValues:
    """Turn the sums of scored deals into values of hands."""
    sets = hand_sets(ranking)
    sums = batches.total
    ev_out = _pots_per_hand(sets.per_class(sums[2], entry.size), sets.per_class(sums[0], entry.size))
    delta = gain_per_class(sums, ranking)
    reply = (delta > 0).astype(np.float64)[sets.set_class]

    def exploitability(total: FloatArray) -> FloatArray:
        return np.asarray(best_deviation_gain(total, ranking, entry))

    def reply_value(total: FloatArray) -> FloatArray:
        return np.asarray(sets.frequency @ _pots_per_hand(total[2] + reply * total[1], total[0]))

    def reply_gain(total: FloatArray) -> FloatArray:
        return np.asarray(sets.frequency @ ((reply - entry[sets.set_class]) * _pots_per_hand(total[1], total[0])))

    return SampledValues(
        ev_in=ev_out + delta,
        ev_out=ev_out,
        delta=delta,
        stderr=batches.stderr(lambda total: gain_per_class(total, ranking)),
        exploitability=float(exploitability(sums)),
        exploitability_stderr=float(batches.stderr(exploitability)),
        best_reply_value=float(reply_value(sums)),
        best_reply_stderr=float(batches.stderr(reply_value)),
        best_reply_gain=float(reply_gain(sums)),
        best_reply_gain_stderr=float(batches.stderr(reply_gain)),
        n=batches.n,
    )


def gain_per_class(sums: NDArray[Any], ranking: Ranking) -> FloatArray:
    """In-minus-out per class; 0 for classes that were never available."""
    sets = hand_sets(ranking)
    n_classes = frequencies(ranking).size
    return _pots_per_hand(sets.per_class(sums[1], n_classes), sets.per_class(sums[0], n_classes))


def best_deviation_gain(sums: NDArray[Any], ranking: Ranking, entry: FloatArray) -> float:
    """Pots per deal that a player gains by deciding best with every information set."""
    sets = hand_sets(ranking)
    gain = _pots_per_hand(sums[1], sums[0])
    enter = entry[sets.set_class]
    return float(sets.frequency @ np.maximum((1 - enter) * gain, -enter * gain))


def _pots_per_hand(units: FloatArray, hands: FloatArray) -> FloatArray:
    return np.divide(units, hands * float(VALUE_SCALE), out=np.zeros(np.shape(units)), where=np.greater(hands, 0))


def set_of_hand(cards: Sequence[int]) -> int:
    """Information set of a hand of two or three cards, as an index into `hand_sets`.

    Examples
    --------
    >>> set_of_hand((50, 51)) == set_of_hand((48, 49))  # any two aces
    True
    """
    ranked = sorted(((card // 4, card % 4) for card in cards), reverse=True)
    ranks = [rank for rank, _ in ranked]
    if len(cards) == 2:
        high, low = ranks
        return 78 + high if high == low else high * (high - 1) // 2 + low
    if ranks[0] == ranks[2]:
        return 5 * 286 + 2 * 156 + ranks[0]
    (_, a), (_, b), (_, c) = ranked
    if len(set(ranks)) == 2:
        first_pair = ranks[0] == ranks[1]
        rank, kicker = (ranks[0], ranks[2]) if first_pair else (ranks[2], ranks[0])
        shared = (c in (a, b)) if first_pair else (a in (b, c))
        return 5 * 286 + (0 if shared else 156) + rank * 12 + kicker - (kicker > rank)
    i, j, k = ranks
    triple = comb(i, 3) + comb(j, 2) + k
    pattern = 0 if a == b == c else 1 if a == b else 2 if a == c else 3 if b == c else 4
    return pattern * 286 + triple


def value_of_set(batches: BatchSums, index: int) -> tuple[float, float, float, float]:
    """In-value, out-value, their difference and its standard error for one information set."""

    def delta(total: NDArray[np.int64]) -> FloatArray:
        return _pots_per_hand(total[1, index], total[0, index])

    total = batches.total
    out = float(_pots_per_hand(total[2, index], total[0, index]))
    gain = float(delta(total))
    return out + gain, out, gain, float(batches.stderr(delta))
