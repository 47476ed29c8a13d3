"""What all charts share: colours, sizes, titles, and a figure that notebooks show by themselves."""

import base64
import io
import textwrap
from collections.abc import Mapping, Sequence
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
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
        self.savefig(stream, format="png", dpi=DOTS_PER_INCH)
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


def plain(text: str) -> str:
    """Text of users, in which a dollar is a dollar and begins no formula."""
    return text.replace("$", r"\$")


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
        labels,
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
    """Number with its sign, a minus as long as on the axes: −0.54."""
    return f"{value:+.{digits}f}".replace("-", "\u2212")


def shortened(text: str, most: int = 28) -> str:
    """End of a long text, such as the path of a strategy's file, so that it leaves room for the panel."""
    return text if len(text) <= most else "…" + text[1 - most :]


def significant(value: float, digits: int = 3) -> str:
    """Return a number with so many significant digits and no exponent: 0.000054."""
    return np.format_float_positional(value, precision=digits, fractional=False, trim="-")


def count_word(n: int) -> str:
    """Write a small number out, as running text does."""
    words = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
    return words[n] if 0 <= n < len(words) else str(n)
