"""Chart of a `hands table` answer: how many hands there are of each category."""

from collections.abc import Mapping, Sequence
from math import comb
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator

from guts_sim.plotting.about import About
from guts_sim.plotting.style import BLUE, SMALL_SIZE, TEXT_SIZE, count_word, new_chart, percent, set_title, significant

DECK = 52
INCHES_PER_BAR = 0.32


def draw_hand_table(results: Mapping[str, Any], about: About) -> Figure:
    """Draw the share of each category on a logarithmic axis, with the number of hands beside its bar.

    Parameters
    ----------
    results : mapping
        ``results`` of a ``hands table`` answer.
    about : About
        Rules and confidence of the answer.

    Returns
    -------
    matplotlib.figure.Figure
    """
    rows = [row for row in results["rows"] if row["hands"] > 0]
    figure, (axes,) = new_chart(1.3 + INCHES_PER_BAR * len(rows))
    _draw_bars(axes, rows)
    _scale(axes, rows)
    axes.set_xlabel(f"share of the {results['n_hands']:,} hands (%, logarithmic)", fontsize=TEXT_SIZE)
    set_title(figure, _finding(results, rows), "Number of hands of each category, the strongest on top")
    return figure


def _draw_bars(axes: Axes, rows: Sequence[Mapping[str, Any]]) -> None:
    shares = [100 * row["probability"] for row in rows]
    bars = axes.barh(range(len(rows)), shares, 0.7, color=BLUE)
    labels = [f"{row['hands']:,}  ({significant(100 * row['probability'])}\u00a0%)" for row in rows]
    axes.bar_label(bars, labels, padding=4, fontsize=SMALL_SIZE)
    axes.set_yticks(range(len(rows)), [row["category"] for row in rows])
    axes.invert_yaxis()


def _scale(axes: Axes, rows: Sequence[Mapping[str, Any]]) -> None:
    """Let the axis begin at the power of ten below the rarest category; leave room for the numbers."""
    rarest = 100 * min(row["probability"] for row in rows)
    start = 100.0
    while start >= rarest:
        start /= 10
    axes.set_xscale("log")
    axes.set_xlim(start, 100.0)
    axes.xaxis.set_major_locator(LogLocator(10))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_major_formatter(FuncFormatter(lambda share, _: f"{share:g}"))


def _finding(results: Mapping[str, Any], rows: Sequence[Mapping[str, Any]]) -> str:
    rarest, commonest = (choose(rows, key=lambda row: row["hands"]) for choose in (min, max))
    size = next((k for k in range(1, 8) if comb(DECK, k) == results["n_hands"]), None)
    hands = "Hands" if size is None else f"{count_word(size).capitalize()}-card hands"
    finding = f"{hands}: {commonest['category']} {percent(commonest['probability'], 1)}"
    if rarest is not commonest:
        finding += f", {rarest['category']} once in {1 / rarest['probability']:,.0f}"
    return finding
