"""Estimates with their uncertainty: proportions, means, and smooth functions of sums over batches of deals."""

from collections.abc import Callable
from copy import copy
from dataclasses import dataclass
from math import inf, nan, sqrt
from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.typing import NDArray

from guts_sim.checks import ABOVE_0, HIGHEST_CONFIDENCE, check_number
from guts_sim.errors import InputError

FloatArray = NDArray[np.float64]
FEWEST_BATCHES = 8  # a standard error from 8 batches is itself uncertain by a quarter


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

    @property
    def half_width(self) -> float:
        """Half of the length of the interval."""
        return (self.ci_high - self.ci_low) / 2

    def as_dict(self) -> dict[str, float]:
        """Plain numbers under the keys of the JSON output."""
        return {
            "value": self.value,
            "stderr": self.stderr,
            "ci_low": self.ci_low,
            "ci_high": self.ci_high,
        }


_HIGHEST_OF_A_LOOK = 1.0 - 1e-15
"""Each of many looks at a run is made at a higher confidence than the run is."""


def exact(value: float, confidence: float = 0.95) -> Estimate:
    """Wrap a value known without sampling error."""
    return Estimate(value, 0.0, value, value, confidence, 0)


def check_confidence(confidence: object) -> float:
    """Return ``confidence`` if it lies strictly between 0 and 1 (and not next to 1), else raise InputError."""
    allowed = "a number between 0 and 1, such as 0.95"
    return check_number(confidence, "confidence", allowed, ABOVE_0, HIGHEST_CONFIDENCE)


def z_score(confidence: float) -> float:
    """Two-sided normal quantile: 1.96 for 0.95."""
    if not 0.0 < confidence < _HIGHEST_OF_A_LOOK:
        check_confidence(confidence)
    return NormalDist().inv_cdf(0.5 + confidence / 2)


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
    p = successes / n
    return Estimate(p, sqrt(p * (1 - p) / n), *_wilson_limits(p, n, confidence), confidence, n)


def _wilson_limits(p: float, n: int, confidence: float) -> tuple[float, float]:
    z = z_score(confidence)
    centre = (p + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    low = 0.0 if p == 0 else max(0.0, centre - half)
    high = 1.0 if p == 1 else min(1.0, centre + half)
    return low, high


def normal(
    value: float, stderr: float, n: int, confidence: float = 0.95, minimum: float = -inf, maximum: float = inf
) -> Estimate:
    """Wrap a mean over many deals with the normal interval, cut to the values that are possible.

    Examples
    --------
    >>> e = normal(0.5, 1.0, 100, minimum=0.0)
    >>> e.ci_low, round(e.ci_high, 2)
    (0.0, 2.46)
    """
    half = z_score(confidence) * stderr
    return Estimate(value, stderr, max(value - half, minimum), min(value + half, maximum), confidence, n)


def mean_of_counts(values: FloatArray, counts: NDArray[np.int64], confidence: float = 0.95) -> Estimate:
    """Mean of a variable that takes ``values[i]`` in ``counts[i]`` of the deals, with the normal interval.

    The standard error is nan for a single deal, which says nothing about the scatter.
    """
    n, mean, stderr = _moments(values, counts)
    return normal(mean, stderr, n, confidence, float(values.min()), float(values.max()))


def mean_share(shares: FloatArray, counts: NDArray[np.int64], confidence: float = 0.95) -> Estimate:
    """Mean of shares between 0 and 1 that were won, ``shares[i]`` in ``counts[i]`` of the deals.

    The interval is Wilson's, as if every share were 0 or 1. No other variable of that mean scatters more,
    so it is never too short, and like Wilson's it stays honest if all deals end alike.

    Examples
    --------
    >>> e = mean_share(np.array([0.0, 0.5, 1.0]), np.array([0, 0, 10]))
    >>> e.value, round(e.ci_low, 4), e.ci_high
    (1.0, 0.7225, 1.0)
    """
    n, mean, stderr = _moments(shares, counts)
    return Estimate(mean, stderr, *_wilson_limits(mean, n, confidence), confidence, n)


def _moments(values: FloatArray, counts: NDArray[np.int64]) -> tuple[int, float, float]:
    """Number of deals, mean, and standard error of the mean."""
    n = int(counts.sum())
    mean = float(values @ counts) / n
    if n == 1:
        return n, mean, nan
    return n, mean, sqrt(float((values - mean) ** 2 @ counts) / (n - 1) / n)


class BatchSums:
    """Sums over deals, kept in a bounded number of consecutive batches of whole blocks.

    The scatter between batches gives standard errors for any smooth function of the sums, however the
    numbers of one deal are correlated. When ``2 * min_batches`` batches are full, neighbours are merged, so
    memory is flat in n and what is kept depends on n alone. An unfinished last block is kept
    apart: a run that is continued does that block again, from deal ``n_whole`` on.

    Parameters
    ----------
    block_size : int
        Deals per whole block.
    min_batches : int
        Batches kept after a merge.

    Attributes
    ----------
    n_whole : int
        Deals in whole blocks.
    """

    def __init__(self, block_size: int, min_batches: int = 64) -> None:
        self.block_size = block_size
        self.min_batches = min_batches
        self.n_whole = 0
        self._batches: list[NDArray[Any]] = []
        self._blocks_per_batch = 1
        self._blocks_in_last = 0
        self._tail: NDArray[Any] | None = None
        self._n_tail = 0

    def copy(self) -> "BatchSums":
        """Return an independent copy to continue from."""
        twin = copy(self)
        twin._batches = list(self._batches)
        return twin

    @property
    def combine(self) -> None:
        """Blocks come one by one: each belongs to a batch."""
        return None

    def add(self, start: int, stop: int, sums: NDArray[Any]) -> None:
        """Take in the sums of deals ``start .. stop - 1``, a whole block or the last piece of a run."""
        if stop - start < self.block_size:
            self._tail, self._n_tail = sums, stop - start
            return
        self._tail, self._n_tail = None, 0
        self.n_whole += stop - start
        if self._blocks_in_last:
            self._batches[-1] = self._batches[-1] + sums
        else:
            if len(self._batches) == 2 * self.min_batches:
                self._batches = [a + b for a, b in zip(self._batches[::2], self._batches[1::2])]
                self._blocks_per_batch *= 2
            self._batches.append(sums)
        self._blocks_in_last = (self._blocks_in_last + 1) % self._blocks_per_batch

    def state(self) -> dict[str, Any]:
        """Sums over whole blocks, to be taken up by `restore`."""
        return {
            "n_whole": self.n_whole,
            "batches": list(self._batches),
            "blocks_per_batch": self._blocks_per_batch,
            "blocks_in_last": self._blocks_in_last,
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Take up the sums of a run that was cut into the same blocks."""
        self.n_whole, self._batches = state["n_whole"], list(state["batches"])
        self._blocks_per_batch, self._blocks_in_last = state["blocks_per_batch"], state["blocks_in_last"]
        self._tail, self._n_tail = None, 0

    @property
    def n(self) -> int:
        """Deals taken in."""
        return self.n_whole + self._n_tail

    @property
    def total(self) -> NDArray[Any]:
        """Sums over all deals."""
        pieces = self._batches if self._tail is None else [*self._batches, self._tail]
        return np.asarray(np.sum(pieces, axis=0))

    def stderr(self, statistic: Callable[[NDArray[Any]], FloatArray]) -> FloatArray:
        """Jackknife standard error of ``statistic(total)`` over the batches.

        Deals of a batch still being filled are left out: at most one batch in ``min_batches``. With
        fewer than ``FEWEST_BATCHES`` the scatter itself is too uncertain to be worth a number: nan.

        References
        ----------
        B. Efron and C. Stein, "The jackknife estimate of variance", Ann. Statist. 9 (1981) 586-596.
        """
        full = self._batches if self._blocks_in_last == 0 else self._batches[:-1]
        if len(full) < FEWEST_BATCHES:
            return np.full_like(statistic(self.total), np.nan)
        total = np.sum(full, axis=0)
        left_out = np.array([statistic(total - batch) for batch in full])
        spread = ((left_out - left_out.mean(axis=0)) ** 2).sum(axis=0)
        return np.asarray(np.sqrt((len(full) - 1) / len(full) * spread))
