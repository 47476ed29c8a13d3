"""What all charts share: colours, sizes, titles, and a figure that notebooks show by themselves."""

import base64
import io
import os
import textwrap
from collections.abc import Mapping, Sequence
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties
from matplotlib.layout_engine import ConstrainedLayoutEngine
from matplotlib.legend import Legend
from numpy.typing import NDArray

# Okabe and Ito's palette: told apart by colour-blind readers. In grey, blue is dark and the other two are light;
# stripes and dots tell those apart.
BLUE = "#0072B2"
SKY = "#56B4E9"
ORANGE = "#E69F00"
DARK: Mapping[str, Any] = {"facecolor": BLUE, "edgecolor": BLUE, "linewidth": 0.0}
LIGHT: Mapping[str, Any] = {"facecolor": SKY, "edgecolor": BLUE, "linewidth": 0.0, "hatch": "...."}
COLOURS = "cividis"
"""Colour map of heat maps: from dark to light, in grey as well, and the same to colour-blind readers."""
STRIPED: Mapping[str, Any] = {"facecolor": ORANGE, "edgecolor": "white", "linewidth": 0.0, "hatch": "////"}

WIDTH = 7.2  # inches: the text width of a page
DOTS_PER_INCH = 200
POINTS_PER_INCH = 72
TITLE_SIZE = 10.5
TEXT_SIZE = 9.0
SMALL_SIZE = 8.0
TITLE_LETTERS = 72
DETAIL_LETTERS = 100
LEGEND_LETTERS = 110
LETTERS_OF_HANDLE = 8


class Chart(Figure):
    """A figure that a notebook displays even if pyplot was never imported."""

    def _repr_png_(self) -> tuple[bytes, dict[str, int]]:
        """Return the PNG and its size on screen: half its pixels, so that it is sharp on dense displays."""
        stream = io.BytesIO()
        self.savefig(stream, format="png", dpi=DOTS_PER_INCH, pil_kwargs={"compress_level": 1})  # quickly
        width, height = np.rint(self.get_size_inches() * DOTS_PER_INCH / 2)
        return stream.getvalue(), {"width": int(width), "height": int(height)}

    def _ipython_display_(self) -> None:
        """Show that PNG: whoever imports pyplot has all figures drawn otherwise, and this one twice as large."""
        from IPython.display import display

        data, size = self._repr_png_()
        shown = {"image/png": base64.b64encode(data).decode(), "text/plain": repr(self)}
        display(shown, metadata={"image/png": size}, raw=True)


def ink() -> str:
    """Colour of text and lines, which follows the user's light or dark style."""
    return str(mpl.rcParams["text.color"])


def paper() -> str:
    """Colour behind the panels."""
    return str(mpl.rcParams["axes.facecolor"])


def new_chart(height: float, panel_heights: Sequence[float] = (1.0,)) -> tuple[Chart, list[Axes]]:
    """Return an empty chart, ``height`` inches high, of panels that share their x axis, from the top."""
    figure = Chart(figsize=(WIDTH, height), dpi=DOTS_PER_INCH, layout="constrained")
    grid = figure.subplots(
        len(panel_heights), 1, sharex=True, squeeze=False, gridspec_kw={"height_ratios": list(panel_heights)}
    )
    panels: list[Axes] = list(grid[:, 0])
    for panel in panels:
        tidy(panel)
    return figure, panels


def tidy(axes: Axes) -> None:
    """Leave only the lines that carry information."""
    axes.spines[["top", "right"]].set_visible(False)
    axes.tick_params(labelsize=SMALL_SIZE)
    axes.set_axisbelow(True)


def set_title(figure: Figure, finding: str, detail: str) -> None:
    """Write the finding in bold across the page, and under it how to read the chart."""
    finding, detail = balanced(finding, TITLE_LETTERS), balanced(detail, DETAIL_LETTERS)
    height = POINTS_PER_INCH * figure.get_size_inches()[1]
    at = 4.0
    for text, size, weight in ((finding, TITLE_SIZE, "bold"), (detail, SMALL_SIZE, "normal")):
        place = 1.0 - at / height
        figure.text(0.01, place, plain(text), va="top", fontsize=size, fontweight=weight, in_layout=False)
        at += 1.3 * size * (1 + text.count("\n")) + 3.0
    engine = figure.get_layout_engine()
    assert isinstance(engine, ConstrainedLayoutEngine)
    engine.set(rect=(0.0, 0.0, 1.0, 1.0 - at / height))


def add_note(figure: Figure, note: str) -> None:
    """Write a note under the chart, over the entries of its legend if it has one."""
    if not note:
        return
    legend = figure.legends[0] if figure.legends else _legend(figure, [], [])
    legend.set_title(plain(balanced(note, DETAIL_LETTERS)), FontProperties(size=SMALL_SIZE))


def write_figure(figure: Figure, path: str | os.PathLike[str], ending: str) -> None:
    """Write a chart as ``png``, ``svg`` or ``pdf``, the latter with TrueType fonts, whose text others can edit."""
    with mpl.rc_context({"pdf.fonttype": 42}):
        figure.savefig(path, format=ending)


def plain(text: str) -> str:
    """Text of users, in which a dollar is a dollar and begins no formula."""
    return text.replace("$", r"\$")


def name_ticks(axis: Axis, places: Sequence[float], names: Sequence[str], size: float = SMALL_SIZE) -> None:
    """Write names that users chose at these places of an axis."""
    axis.set_ticks(places, [plain(name) for name in names], fontsize=size)


def balanced(text: str, most_letters: int) -> str:
    """Break ``text`` into as few lines as it needs, and those about equally long."""
    n_lines = len(textwrap.wrap(text, most_letters))
    width = next(
        width for width in range(len(text) // n_lines, most_letters + 1) if len(textwrap.wrap(text, width)) == n_lines
    )
    return textwrap.fill(text, width)


def add_legend(figure: Figure) -> None:
    """List the labelled artists of all panels once under the chart, in as few rows as fit."""
    entries: dict[str, Any] = {}
    for panel in figure.axes:
        for handle, label in zip(*panel.get_legend_handles_labels()):
            entries.setdefault(label, handle)
    _legend(figure, list(entries.values()), list(entries))


def _legend(figure: Figure, handles: Sequence[Any], labels: Sequence[str]) -> Legend:
    letters = sum(len(label) + LETTERS_OF_HANDLE for label in labels)
    rows = max(1, -(-letters // LEGEND_LETTERS))
    return figure.legend(
        handles,
        [plain(label) for label in labels],
        loc="outside lower center",
        ncols=max(1, -(-len(labels) // rows)),
        fontsize=SMALL_SIZE,
        frameon=False,
    )


def number_array(rows: Sequence[Mapping[str, Any]], key: str) -> NDArray[np.float64]:
    """Return one column of a table; unknown numbers (None in saved results) become nan."""
    return np.array([row[key] for row in rows], np.float64)


def percent(p: float, digits: int = 2) -> str:
    """Probability in words, ``17.95 %``, with a space at which no line breaks."""
    return f"{100 * p:.{digits}f}\u00a0%"


def signed(value: float, digits: int = 2) -> str:
    """Number with its sign, a minus as long as on the axes: −0.54; what rounds to 0 has no sign."""
    text = f"{value:+,.{digits}f}"
    return (text if text.strip("+-0.") else text[1:]).replace("-", "\u2212")


def shortened(text: str, most: int = 28) -> str:
    """End of a long text, such as the path of a strategy's file, so that it leaves room for the panel."""
    return text if len(text) <= most else "…" + text[1 - most :]


def beginning(text: str, most: int = 20) -> str:
    """Beginning of a long text, such as the name of a player."""
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"


def half_lengths(
    rows: Sequence[Mapping[str, Any]], key: str, half_width: float, prefix: str = ""
) -> NDArray[np.float64]:
    """How far the interval of every row reaches below and above its value.

    Parameters
    ----------
    rows : sequence of mapping
        Rows with ``stderr`` and perhaps ``ci_low`` and ``ci_high``, which are taken where they are known.
    key : str
        Column of the values.
    half_width : float
        Half-width of an interval in standard errors, for rows without ends of their own.
    prefix : str
        What stands before ``stderr``, ``ci_low`` and ``ci_high`` in the names of the columns.

    Returns
    -------
    ndarray
        Shape (2, rows): below and above; nan where the error is unknown.

    Examples
    --------
    >>> rows = [{"p": 0.0, "stderr": 0.0, "ci_low": 0.0, "ci_high": 0.5}, {"p": 0.5, "stderr": 0.125}]
    >>> half_lengths(rows, "p", 2.0).tolist()
    [[0.0, 0.25], [0.5, 0.25]]
    """
    value = number_array(rows, key)
    stderr, low, high = (
        np.array([row.get(f"{prefix}{part}") for row in rows], np.float64) for part in ("stderr", "ci_low", "ci_high")
    )
    ends = np.maximum([value - low, high - value], 0.0)
    return np.where(np.isnan(ends), half_width * stderr, ends)


def leader(values: NDArray[np.float64], reach: NDArray[np.float64]) -> int | None:
    """Index of the largest value; None if the interval of another reaches into its own, or may do so.

    Parameters
    ----------
    values : ndarray
        What is compared.
    reach : ndarray
        How far each interval reaches to both sides, or, shape (2, values), below and above; nan if unknown.

    Examples
    --------
    >>> leader(np.array([0.1, 0.5, 0.2]), np.array([0.1, 0.1, 0.1]))
    1
    >>> leader(np.array([0.1, 0.5, 0.2]), np.array([0.1, 0.2, 0.2])) is None
    True
    """
    if np.isnan(values).any():
        return None
    below, above = np.broadcast_to(reach, (2, values.size))
    best = int(values.argmax())
    rivals = np.delete(values + above, best)
    return best if bool((rivals < values[best] - below[best]).all()) else None


def draw_intervals(axes: Axes, value: NDArray[np.float64], places: Any, reach: NDArray[np.float64], label: str) -> None:
    """Draw horizontal intervals; where none is known or all are points, nothing and no entry in the legend."""
    if np.nan_to_num(reach).any():
        axes.errorbar(
            value,
            places,
            xerr=np.nan_to_num(reach),
            linestyle="none",
            ecolor=ink(),
            elinewidth=1.2,
            capsize=2.5,
            label=label,
        )


def unknown_errors(reach: NDArray[np.float64]) -> str:
    """Words for the end of a detail line where errors are unknown, else nothing."""
    missing = np.isnan(reach)
    if not missing.any():
        return ""
    return f"; too few deals to tell {'the' if missing.all() else 'some'} errors"


def significant(value: float, digits: int = 3) -> str:
    """Return a number with so many significant digits and no exponent: 0.000054."""
    return np.format_float_positional(value, precision=digits, fractional=False, trim="-")


def count_word(n: int) -> str:
    """Write a small number out, as running text does."""
    words = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
    return words[n] if 0 <= n < len(words) else str(n)
