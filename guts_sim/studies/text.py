"""Plain-text tables and numbers for summaries."""

import textwrap
from collections.abc import Sequence
from math import isfinite, isnan
from typing import Any

from guts_sim.results import LINE_WIDTH


def percent(p: float, digits: int = 4) -> str:
    """Probability as a percentage: 17.9487 %."""
    return f"{100 * p:.{digits}f} %"


def prose(text: str) -> list[str]:
    """Sentences as lines of a width that terminals show."""
    return textwrap.wrap(text, LINE_WIDTH, break_long_words=False, break_on_hyphens=False)


def figure(value: float, spec: str) -> str:
    """A number in some format, or a word where too few deals tell none.

    Examples
    --------
    >>> figure(0.25, "+.3f"), figure(float("nan"), ".1e"), figure(float("-inf"), ".1f")
    ('+0.250', 'unknown', 'no bound')
    """
    return "unknown" if isnan(value) else format(value, spec) if isfinite(value) else "no bound"


def with_error(value: float, stderr: float, digits: int = 6) -> str:
    """A value, and its standard error where there is one.

    Examples
    --------
    >>> with_error(0.25, 0.0), with_error(2.5e-8, 0.0), with_error(0.25, 0.001)
    ('0.250000', '2.5e-08', '0.250000 (stderr 1.0e-03)')
    """
    tiny = 0 < abs(value) < 100 * 10.0**-digits  # fixed digits would show next to nothing of it
    text = figure(value, ".1e" if tiny else f".{digits}f")
    if stderr == 0 or not isfinite(value):
        return text
    return f"{text} (stderr {figure(stderr, '.1e')})"


def table(header: Sequence[str], rows: Sequence[Sequence[Any]]) -> list[str]:
    """Columns aligned to the right, the first to the left."""
    cells = [list(map(str, row)) for row in [header, *rows]]
    widths = [max(len(row[i]) for row in cells) for i in range(len(header))]
    lines = []
    for row in cells:
        first = row[0].ljust(widths[0])
        rest = [cell.rjust(width) for cell, width in zip(row[1:], widths[1:])]
        lines.append("  ".join([first, *rest]).rstrip())
    lines.insert(1, "-" * max(map(len, lines)))
    return lines
