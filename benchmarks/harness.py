"""Races between contenders: calibrated work, interleaved rounds, ratios per round.

A shared machine changes its speed from second to second. What survives is the ratio of two contenders that
ran right after each other, so every round times all contenders in turn (A B C, A B C, ...), and a race is
judged by the median of its per-round ratios.
"""

import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from statistics import median

import numpy as np

from benchmarks.rows import Bar, Row, higher_is_better, skipped

CLOCKS = {"cpu": time.process_time, "wall": time.perf_counter}
# Means of two contenders may differ by so many standard errors of the difference.
AGREEMENT = 5.0
_GROWTH = 4


class Unavailable(Exception):
    """A contender cannot run here; the message says why."""


@dataclass(frozen=True)
class Settings:
    """How long to measure: rounds, and seconds that each contender works per round."""

    rounds: int = 7
    seconds: float = 0.25

    @classmethod
    def quick(cls) -> "Settings":
        return cls(rounds=3, seconds=0.02)


@dataclass(frozen=True)
class Work:
    """Something to be timed.

    ``run(k)`` does ``k`` times ``grain`` units of work. What it returns, if anything, is a histogram of the
    multiplier of the pot (how many rounds ended with 0, 1, 2, ... losing payments), by which the harness
    checks that all contenders play the same game.
    """

    run: Callable[[int], "np.ndarray | None"]
    grain: int = 1


@dataclass(frozen=True)
class Contender:
    """A name, how to get its `Work` (or raise `Unavailable`), and the bar for the subject's lead over it."""

    name: str
    prepare: Callable[[], Work]
    bar: Bar | None = None
    note: str = ""


@dataclass(frozen=True)
class Race:
    """One subject of this library against its rivals, all doing the same ``unit`` of work."""

    name: str
    title: str
    unit: str
    subject: Contender
    rivals: tuple[Contender, ...]
    clock: str = "cpu"

    def measure(self, settings: Settings) -> list[Row]:
        """Time everyone; one row for the subject's own rate and one per rival."""
        try:
            subject = self.subject.prepare()
        except Unavailable as reason:
            return [skipped(self.name, self.subject.name, rival.name, str(reason), rival.bar) for rival in self.rivals]
        works, rows = [(self.subject, subject)], []
        for rival in self.rivals:
            try:
                works.append((rival, rival.prepare()))
            except Unavailable as reason:
                rows.append(skipped(self.name, self.subject.name, rival.name, str(reason), rival.bar))
        rates, histograms = race([work for _, work in works], settings, CLOCKS[self.clock])
        rows.insert(0, _rate_row(self, rates[0], self.subject))
        for (rival, _), rival_rates, histogram in zip(works[1:], rates[1:], histograms[1:], strict=True):
            check_agreement(f"{self.name}: {self.subject.name} and {rival.name}", histograms[0], histogram)
            rows.append(_ratio_row(self, rates[0], rival_rates, rival))
        return rows


def race(
    works: list[Work], settings: Settings, clock: Callable[[], float]
) -> tuple[list[list[float]], list[np.ndarray | None]]:
    """Units per second of every contender in every round, and the histograms of all its rounds added up."""
    repeats = [calibrate(work, settings.seconds, clock) for work in works]
    rates: list[list[float]] = [[] for _ in works]
    histograms: list[np.ndarray | None] = [None for _ in works]
    for _ in range(settings.rounds):
        for i, (work, k) in enumerate(zip(works, repeats, strict=True)):
            seconds, histogram = timed(work, k, clock)
            rates[i].append(k * work.grain / seconds)
            if histogram is not None:
                histograms[i] = histogram if histograms[i] is None else histograms[i] + histogram
    return rates, histograms


def timed(work: Work, k: int, clock: Callable[[], float]) -> tuple[float, np.ndarray | None]:
    """Seconds of ``run(k)``, never 0, and what it returned."""
    start = clock()
    histogram = work.run(k)
    return max(clock() - start, 1e-9), histogram


def calibrate(work: Work, seconds: float, clock: Callable[[], float]) -> int:
    """How often to repeat the grain so that it takes about ``seconds``; the first call warms up."""
    work.run(1)
    k = 1
    while True:
        elapsed, _ = timed(work, k, clock)
        if elapsed >= seconds / _GROWTH:
            return max(1, round(k * seconds / elapsed))
        k *= _GROWTH


def check_agreement(who: str, ours: np.ndarray | None, theirs: np.ndarray | None) -> None:
    """Compare the mean multipliers of two contenders; both must have played the same game."""
    if ours is None or theirs is None:
        return
    (mean_1, error_1), (mean_2, error_2) = mean_and_error(ours), mean_and_error(theirs)
    if abs(mean_1 - mean_2) > AGREEMENT * float(np.hypot(error_1, error_2)):
        raise AssertionError(f"{who} disagree: mean multipliers {mean_1:.5f} and {mean_2:.5f}")


def mean_and_error(histogram: np.ndarray) -> tuple[float, float]:
    """Mean of a histogram over 0, 1, 2, ... and its standard error."""
    values, n = np.arange(len(histogram)), histogram.sum()
    mean = histogram @ values / n
    variance = histogram @ (values - mean) ** 2 / n
    return float(mean), float(np.sqrt(variance / n))


def usable_cores() -> int:
    """Count the processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _rate_row(entry: Race, rates: list[float], subject: Contender) -> Row:
    return Row(
        entry=entry.name,
        subject=subject.name,
        against="",
        quantity=f"{entry.unit}/s",
        low=min(rates),
        median=median(rates),
        high=max(rates),
        rounds=len(rates),
        clock=entry.clock,
        note=subject.note,
    )


def _ratio_row(entry: Race, ours: list[float], theirs: list[float], rival: Contender) -> Row:
    ratios = [a / b for a, b in zip(ours, theirs, strict=True)]
    return Row(
        entry=entry.name,
        subject=entry.subject.name,
        against=rival.name,
        quantity="ratio",
        low=min(ratios),
        median=median(ratios),
        high=max(ratios),
        rounds=len(ratios),
        clock=entry.clock,
        rival_rate=median(theirs),
        bar=rival.bar,
        verdict=higher_is_better(median(ratios), rival.bar),
        note=rival.note,
    )
