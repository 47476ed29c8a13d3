"""What players of Anaconda believe about hands: steps of strength, and chances against what others show.

Computed once, from deals of a fixed key in which four players pass `keep-best`, call to the end and reveal their best
five in the order that is expected. All arithmetic is in integers, so that everybody decides alike on every machine.
"""

from dataclasses import replace
from functools import cache

import numpy as np
from numpy.typing import NDArray

from guts_sim.engine import run_key
from guts_sim.games.anaconda import AnacondaRules
from guts_sim.games.anaconda_strategy import PRESETS
from guts_sim.kernels.anaconda_play_codes import N_BINS, N_CLASSES, N_INDICES, REVEALS, UNIT
from guts_sim.studies.anaconda_hands import Beliefs, HandKeys, play_deals

N_TABLES, N_SEATS = 1 << 15, 4  # 131,072 hands
PURPOSE_BELIEFS = 10
_PRIOR = 8  # hands of the same group of exposed cards that are added to those seen of a class
_SCALE = 4096
Passes = tuple[tuple[int, int], ...]


@cache
def beliefs(passes: Passes, order: str = "random") -> Beliefs:
    """Return the beliefs for a programme of passes, if cards are revealed in an order.

    Examples
    --------
    >>> found = beliefs(((3, 1),))
    >>> found.beats[0, 0, 0] < found.beats[0, 0, -1]
    np.True_
    """
    seen = _seen_by_callers(passes, order)
    final, classes = seen[:, len(passes)], seen[:, -REVEALS:]
    counts = np.bincount(final, minlength=N_INDICES)
    twice_below = 2 * np.cumsum(counts) - counts  # twice the hands that are weaker, and those as strong once
    n_hands = len(final)
    means = [_mean_by_index(seen[:, n_passes], twice_below[final]) for n_passes in range(len(passes))]
    rows = [_to_bins(mean, n_hands) for mean in means]
    bins = np.array([*rows, _to_bins(twice_below, n_hands)])
    final_bins = bins[-1][final].astype(np.int64)
    steps = np.array([_beats(classes[:, shown], final_bins) for shown in range(REVEALS)])
    blind = (2 * np.arange(N_BINS) + 1) * UNIT // (2 * N_BINS)
    beats = np.concatenate([np.broadcast_to(blind, (1, N_CLASSES, N_BINS)), steps])
    return Beliefs(bins, beats.astype(np.uint16))


def _seen_by_callers(passes: Passes, order: str) -> NDArray[np.int32]:
    """What hands are worth after 0, 1, ... passes and what they show, by hand."""
    nothing = Beliefs(np.zeros((len(passes) + 1, N_INDICES), np.uint8), np.zeros((5, N_CLASSES, N_BINS), np.uint16))
    key = run_key(0, PURPOSE_BELIEFS)
    caller = replace(PRESETS["caller"], passing="keep-best", order=order)
    line_up = np.zeros((1, N_SEATS), np.int64)
    keys = HandKeys(key, key, run_key(1, PURPOSE_BELIEFS))
    played = play_deals(keys, 0, N_TABLES, AnacondaRules(passes), [caller], line_up, nothing, look=True)
    return played.seen.reshape(N_TABLES * N_SEATS, -1)


def _mean_by_index(indices: NDArray[np.int32], values: NDArray[np.int64]) -> NDArray[np.int64]:
    """Mean value of the hands of every index; an index that was not seen takes the next weaker one's."""
    n = np.bincount(indices, minlength=N_INDICES)
    total = np.bincount(indices, values, N_INDICES).astype(np.int64)  # whole numbers below 2**53: exact
    nearest = np.maximum.accumulate(np.where(n > 0, np.arange(N_INDICES), -1))
    nearest[nearest < 0] = nearest[nearest >= 0][0]
    return np.asarray((total // np.maximum(n, 1))[nearest])


def _to_bins(twice_below: NDArray[np.int64], n_hands: int) -> NDArray[np.uint8]:
    return np.minimum(twice_below * N_BINS // (2 * n_hands), N_BINS - 1).astype(np.uint8)


def _beats(classes: NDArray[np.int32], bins: NDArray[np.int64]) -> NDArray[np.int64]:
    """Chance of every step against hands that show each class, (class, step)."""
    seen = np.bincount(classes.astype(np.int64) * N_BINS + bins, minlength=N_CLASSES * N_BINS)
    counts = seen.reshape(-1, 13, N_BINS)
    group = counts.sum(axis=1, keepdims=True)
    prior = _PRIOR * (_SCALE * group + N_BINS) // (group.sum(axis=2, keepdims=True) + 1)
    weight = (_SCALE * counts + prior).reshape(N_CLASSES, N_BINS) + 1
    twice_below = 2 * np.cumsum(weight, axis=1) - weight
    return np.asarray(twice_below * UNIT // (2 * weight.sum(axis=1, keepdims=True)))
