"""Rows of the result table, bars and verdicts."""

from dataclasses import dataclass
from typing import Any

AIM_MET = "aim met"
MUST_MET = "must met"
MISSED = "missed"
NO_BAR = ""
SKIPPED = "skipped"


@dataclass(frozen=True)
class Bar:
    """What must be reached, and what is aimed at."""

    must: float
    aim: float


@dataclass(frozen=True)
class Row:
    """One measured quantity.

    Attributes
    ----------
    entry
        Name of the benchmark.
    subject, against
        What was measured; what it was compared with ("" if with nothing).
    quantity
        ``ratio`` of rates (subject / against), or the unit of the figures (``s``, ``MB``, ``rounds/s``).
    low, median, high
        Over the rounds; None if skipped.
    rounds, clock
        How many rounds; ``cpu`` or ``wall`` seconds.
    rival_rate
        Median rate of what the subject was compared with, in units of the entry per second.
    bar, verdict, note
        What was to be reached, whether it was, and remarks (or why the row was skipped).
    """

    entry: str
    subject: str
    against: str
    quantity: str
    low: float | None
    median: float | None
    high: float | None
    rounds: int
    clock: str
    rival_rate: float | None = None
    bar: Bar | None = None
    verdict: str = NO_BAR
    note: str = ""

    def as_dict(self) -> dict[str, Any]:
        """Flat mapping with the bar as two columns and figures of four significant digits."""
        return {
            "entry": self.entry,
            "subject": self.subject,
            "against": self.against,
            "quantity": self.quantity,
            "low": _rounded(self.low),
            "median": _rounded(self.median),
            "high": _rounded(self.high),
            "rival_rate": _rounded(self.rival_rate),
            "must": self.bar.must if self.bar else None,
            "aim": self.bar.aim if self.bar else None,
            "verdict": self.verdict,
            "rounds": self.rounds,
            "clock": self.clock,
            "note": self.note,
        }


def _rounded(value: float | None) -> float | None:
    return None if value is None else float(f"{value:.4g}")


def skipped(entry: str, subject: str, against: str, reason: str, bar: Bar | None = None) -> Row:
    """Row of something that could not be measured here."""
    return Row(entry, subject, against, "", None, None, None, 0, "", bar=bar, verdict=SKIPPED, note=reason)


def higher_is_better(value: float, bar: Bar | None) -> str:
    """Verdict on a quantity that has to reach the bar."""
    if bar is None:
        return NO_BAR
    return AIM_MET if value >= bar.aim else MUST_MET if value >= bar.must else MISSED


def lower_is_better(value: float, bar: Bar | None) -> str:
    """Verdict on a quantity that has to stay below the bar."""
    if bar is None:
        return NO_BAR
    return AIM_MET if value <= bar.aim else MUST_MET if value <= bar.must else MISSED
