"""What a rule of thumb is judged by: one finding per number of players, and the verdict over all of them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any

from guts_sim.estimate import Estimate, exact
from guts_sim.studies.measurement import RunOptions

PLAYERS = range(2, 11)
PURPOSE_FOLKLORE = 30
"""First of the purposes of random keys; each part of the study adds its own number."""


@dataclass(frozen=True)
class Finding:
    """One measured number.

    Attributes
    ----------
    rule : str
        The rule of thumb, ``"F1"`` to ``"F9"``.
    cards : int or None
        Cards per player; None for continuous hands.
    n_players : int
        Players at the table.
    measure : str
        What was measured.
    estimate : Estimate
        The number.
    holds : bool or None
        Whether it bears the rule out; None where it is shown for comparison only, or too few deals tell nothing.
    """

    rule: str
    cards: int | None
    n_players: int
    measure: str
    estimate: Estimate
    holds: bool | None

    def __post_init__(self) -> None:
        if not isfinite(self.estimate.value):  # too few deals to tell the number, so it bears nothing out
            object.__setattr__(self, "holds", None)

    def as_row(self) -> dict[str, Any]:
        """Row of the table."""
        return {
            "rule": self.rule,
            "cards": self.cards,
            "n_players": self.n_players,
            "measure": self.measure,
            **self.estimate.as_dict(),
            "n": self.estimate.n,
            "holds": self.holds,
        }


@dataclass(frozen=True)
class Judgement:
    """A rule of thumb with its findings.

    Attributes
    ----------
    rule, statement : str
        Its name, and what it says.
    criterion : str
        What is measured, and when the rule is said to hold.
    findings : sequence of Finding
        The numbers.
    note : str
        What they mean, in a sentence.
    """

    rule: str
    statement: str
    criterion: str
    findings: Sequence[Finding]
    note: str

    @property
    def verdicts(self) -> dict[str, str]:
        """Verdict by kind of hands."""
        kinds = list(dict.fromkeys(one.cards for one in self.findings if one.holds is not None))
        return {_kind(cards): _verdict([one for one in self.findings if one.cards == cards]) for cards in kinds}

    def as_dict(self) -> dict[str, Any]:
        """Plain data of the answer."""
        return {
            "rule": self.rule,
            "statement": self.statement,
            "criterion": self.criterion,
            "verdicts": self.verdicts,
            "note": self.note,
        }


def _kind(cards: int | None) -> str:
    return "continuous hands" if cards is None else f"{cards} cards"


def _verdict(findings: Sequence[Finding]) -> str:
    """Holds, false, or for which numbers of players it holds: where all findings that count bear it out."""
    counted = [one for one in findings if one.holds is not None]
    players = sorted({one.n_players for one in counted})
    good = [n for n in players if all(one.holds for one in counted if one.n_players == n)]
    if not good:
        return "false"
    return "holds" if good == players else f"holds for {_ranges(good)} players"


def _ranges(numbers: Iterable[int]) -> str:
    """Write numbers as ranges.

    Examples
    --------
    >>> _ranges([2, 4, 5, 6, 9])
    '2, 4-6, 9'
    """
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return ", ".join(str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in runs)


def known(value: float, options: RunOptions) -> Estimate:
    """Wrap an exact number."""
    return exact(float(value), options.confidence)
