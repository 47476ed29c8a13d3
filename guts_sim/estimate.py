"""Estimates with their uncertainty: proportions, ratios of batch sums, thresholds of confidence."""

from collections.abc import Callable
from copy import copy
from dataclasses import dataclass
from math import sqrt
from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.typing import NDArray

from guts_sim.errors import InputError

FloatArray = NDArray[np.float64]


@dataclass(frozen=True)
class Estimate:
    """A number and how well it is known.

    Attributes
    ----------
    value : float
        The estimate.
    stderr : float
        Its standard error; 0 for exact values.
    ci_low, ci_high : float
        Confidence interval.
    confidence : float
        Probability with which such intervals cover the true value.
    n : int
        Deals behind the estimate; 0 for exact values.
    """

    value: float
    stderr: float
    ci_low: float
    ci_high: float
    confidence: float
    n: int

    def as_dict(self) -> dict[str, float]:
        """Plain numbers under the keys of the JSON output."""
        return {
            "value": self.value,
            "stderr": self.stderr,
            "ci_low": self.ci_low,
            "ci_high": self.ci_high,
        }


def exact(value: float, confidence: float = 0.95) -> Estimate:
    """Wrap a value known without sampling error."""
    return Estimate(value, 0.0, value, value, confidence, 0)


def check_confidence(confidence: float) -> float:
    """Return ``confidence`` if it lies strictly between 0 and 1, else raise InputError."""
    if not isinstance(confidence, int | float) or not 0.0 < confidence < 1.0:
        raise InputError(f"confidence: {confidence!r} is not allowed; give a number between 0 and 1, such as 0.95")
    return float(confidence)


def z_score(confidence: float) -> float:
    """Two-sided normal quantile: 1.96 for 0.95."""
    return NormalDist().inv_cdf(0.5 + check_confidence(confidence) / 2)


def wilson(successes: int, n: int, confidence: float = 0.95) -> Estimate:
    """Proportion with Wilson's score interval, which stays inside [0, 1] and is honest at 0 and n.

    Parameters
    ----------
    successes, n : int
        0 <= successes <= n and n >= 1.
    confidence : float
        Coverage of the interval.

    References
    ----------
    E. B. Wilson, "Probable inference, the law of succession, and statistical inference",
    J. Amer. Statist. Assoc. 22 (1927) 209-212.

    Examples
    --------
    >>> e = wilson(0, 50)
    >>> e.value, e.ci_low, round(e.ci_high, 4)
    (0.0, 0.0, 0.0713)
    """
    if not 0 <= successes <= n or n < 1:
        raise InputError(f"wilson: {successes} of {n} is no proportion; allowed is 0 <= successes <= n, n >= 1")
    z = z_score(confidence)
    p = successes / n
    centre = (p + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    low = 0.0 if successes == 0 else max(0.0, centre - half)
    high = 1.0 if successes == n else min(1.0, centre + half)
    return Estimate(p, sqrt(p * (1 - p) / n), low, high, confidence, n)


def normal(value: float, stderr: float, n: int, confidence: float = 0.95) -> Estimate:
    """Wrap a mean over many deals with the normal interval."""
    half = z_score(confidence) * stderr
    return Estimate(value, stderr, value - half, value + half, confidence, n)


def mean_of_counts(values: FloatArray, counts: NDArray[np.int64], confidence: float = 0.95) -> Estimate:
    """Mean of a variable that takes ``values[i]`` in ``counts[i]`` of the deals."""
    n = int(counts.sum())
    mean = float(values @ counts) / n
    variance = float((values - mean) ** 2 @ counts) / max(n - 1, 1)
    return normal(mean, sqrt(variance / n), n, confidence)


class BatchSums:
    """Sums over deals, kept in a bounded number of consecutive batches of whole blocks.

    The scatter between batches gives standard errors for any smooth function of the sums, however the
    numbers of one deal are correlated. When ``2 * min_batches`` batches are full, neighbours are merged, so
    memory is flat in n and what is kept depends on n alone. An unfinished last block is kept
    apart: a run that is continued does that block again.

    Parameters
    ----------
    block_size : int
        Deals per whole block.
    min_batches : int
        Batches kept after a merge.
    """

    def __init__(self, block_size: int, min_batches: int = 64) -> None:
        self.block_size = block_size
        self.min_batches = min_batches
        self.n_whole = 0  # deals in whole blocks
        self._batches: list[NDArray[Any]] = []
        self._blocks_per_batch = 1
        self._blocks_in_last = 0
        self._tail: NDArray[Any] | None = None

    def copy(self) -> "BatchSums":
        """Return an independent copy to continue from."""
        twin = copy(self)
        twin._batches = list(self._batches)
        return twin

    def add(self, start: int, stop: int, sums: NDArray[Any]) -> None:
        """Take in the sums of deals ``start .. stop - 1``, a whole block or the last piece of a run."""
        if stop - start < self.block_size:
            self._tail = sums
            return
        self._tail = None
        self.n_whole += stop - start
        if self._blocks_in_last:
            self._batches[-1] = self._batches[-1] + sums
        else:
            if len(self._batches) == 2 * self.min_batches:
                self._batches = [a + b for a, b in zip(self._batches[::2], self._batches[1::2])]
                self._blocks_per_batch *= 2
            self._batches.append(sums)
        self._blocks_in_last = (self._blocks_in_last + 1) % self._blocks_per_batch

    @property
    def total(self) -> NDArray[Any]:
        """Sums over all deals."""
        pieces = self._batches if self._tail is None else [*self._batches, self._tail]
        return np.asarray(np.sum(pieces, axis=0))

    def stderr(self, statistic: Callable[[NDArray[Any]], FloatArray]) -> FloatArray:
        """Jackknife standard error of ``statistic(total)`` over the batches; nan with fewer than two.

        Deals of a batch still being filled are left out: at most one batch in ``min_batches``.

        References
        ----------
        B. Efron and C. Stein, "The jackknife estimate of variance", Ann. Statist. 9 (1981) 586-596.
        """
        full = self._batches if self._blocks_in_last == 0 else self._batches[:-1]
        if len(full) < 2:
            return np.full_like(statistic(self.total), np.nan)
        total = np.sum(full, axis=0)
        left_out = np.array([statistic(total - batch) for batch in full])
        spread = ((left_out - left_out.mean(axis=0)) ** 2).sum(axis=0)
        return np.asarray(np.sqrt((len(full) - 1) / len(full) * spread))
