"""Plain-text tables and numbers for summaries."""

from collections.abc import Sequence
from typing import Any


def percent(p: float, digits: int = 4) -> str:
    """Probability as a percentage, without needless zeros: 17.9487 %."""
    return f"{100 * p:.{digits}f} %"


def with_error(value: float, stderr: float, digits: int = 6) -> str:
    """A value, and its standard error where there is one."""
    return f"{value:.{digits}f}" if stderr == 0 else f"{value:.{digits}f} (stderr {stderr:.1e})"


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
