"""Chart of an `odds` answer: win, tie and lose against one, two, ... opponents."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patheffects import withStroke

from guts_sim.plotting.about import About
from guts_sim.plotting.style import (
    BLUE,
    DARK,
    LIGHT,
    SMALL_SIZE,
    STRIPED,
    TEXT_SIZE,
    add_legend,
    count_word,
    half_lengths,
    ink,
    new_chart,
    number_array,
    paper,
    percent,
    set_title,
    shortened,
    unknown_errors,
)

OUTCOMES = (("win", DARK), ("tie", LIGHT), ("lose", STRIPED))
BAR_HEIGHT = 0.7
INCHES_PER_BAR = 0.36
ROWS_FOR_LABEL = 4  # fewer are not as high as the long label
ROOM_FOR_LABEL = 9.0
"""Least width of a bar, in %, into which its number is written."""


def draw_odds(results: Mapping[str, Any], about: About) -> Figure:
    """Draw how often a hand wins, ties and loses a showdown, and its equity, by number of opponents.

    Parameters
    ----------
    results : mapping
        ``results`` of a `guts_sim.odds` answer.
    about : About
        Rules and confidence of the answer.

    Returns
    -------
    matplotlib.figure.Figure
    """
    rows = results["rows"]
    figure, (axes,) = new_chart(1.7 + INCHES_PER_BAR * len(rows))
    _draw_outcomes(axes, rows)
    _draw_equity(axes, rows, about)
    axes.set_xlim(0.0, 100.0)
    axes.set_ylim(len(rows) + 0.5, 0.5)  # one opponent on top
    axes.set_yticks(range(1, len(rows) + 1))
    label = "opponents at the showdown" if len(rows) >= ROWS_FOR_LABEL else "opponents"
    axes.set_ylabel(label, fontsize=TEXT_SIZE)
    axes.set_xlabel("outcome of the showdown (% of deals); equity (% of the pot)", fontsize=TEXT_SIZE)
    set_title(figure, _finding(results), _detail(results, about))
    add_legend(figure)
    return figure


def _draw_outcomes(axes: Axes, rows: Sequence[Mapping[str, Any]]) -> None:
    opponents = number_array(rows, "opponents")
    left = np.zeros(len(rows))
    for outcome, look in OUTCOMES:
        share = 100 * number_array(rows, outcome)
        axes.barh(opponents, share, BAR_HEIGHT, left, label=outcome, **look)
        if outcome != "tie":
            _write_shares(axes, opponents, share, left, at_right=outcome == "lose")
        left += share


def _write_shares(axes: Axes, opponents: Any, share: Any, left: Any, at_right: bool) -> None:
    """Write the numbers at the outer ends of the bars, where no equity marker can hide them."""
    for y, width, start in zip(opponents, share, left):
        if width < ROOM_FOR_LABEL:
            continue
        axes.text(
            start + width - 0.8 if at_right else start + 0.8,
            y,
            _share_text(width),
            ha="right" if at_right else "left",
            va="center",
            fontsize=SMALL_SIZE,
            color=ink() if at_right else "white",
            bbox={"facecolor": paper() if at_right else BLUE, "edgecolor": "none", "pad": 1.2},
            zorder=4,  # over the intervals
        )


def _share_text(share: float) -> str:
    """Percentage with one digit, or as many as tell it from 100."""
    return _not_rounded_up(share / 100).removesuffix("\u00a0%")


def _draw_equity(axes: Axes, rows: Sequence[Mapping[str, Any]], about: About) -> None:
    """Mark the equity with its interval, and the share that each player has before the cards are seen."""
    opponents = number_array(rows, "opponents")
    equity, reach = 100 * number_array(rows, "equity"), 100 * half_lengths(rows, "equity", about.half_width)
    is_sampled = bool(np.nan_to_num(reach).any())
    _, caps, whiskers = axes.errorbar(
        equity,
        opponents,
        xerr=np.nan_to_num(reach) if is_sampled else None,
        linestyle="none",
        marker="D",
        markersize=5,
        markerfacecolor=paper(),
        markeredgecolor=ink(),
        ecolor=ink(),
        capsize=3,
        clip_on=False,
        zorder=3,
        label="equity" + (f", {about.interval}" if is_sampled else ""),
    )
    for line in (*caps, *whiskers):  # seen on bars of any colour
        line.set_path_effects([withStroke(linewidth=3.0, foreground=paper())])
    axes.plot(
        100 / (1 + opponents),
        opponents,
        linestyle="none",
        marker="|",
        markersize=11,
        markeredgewidth=1.5,
        color=ink(),
        path_effects=[withStroke(linewidth=3.5, foreground=paper())],
        label="fair share",
    )


def _finding(results: Mapping[str, Any]) -> str:
    first, last = results["rows"][0], results["rows"][-1]
    finding = f"{results['cards']}: equity {_not_rounded_up(first['equity'])} against one opponent"
    if last is not first:
        finding += f", {_not_rounded_up(last['equity'])} against {count_word(last['opponents'])}"
    return finding


def _not_rounded_up(p: float) -> str:
    """Percentage with one digit, or as many as tell it from 0 and 100 %."""
    return percent(p, 1 if 0.0005 <= p < 0.9995 or p in (0.0, 1.0) else 2)


def _detail(results: Mapping[str, Any], about: About) -> str:
    """Say who is at the showdown and, if there is a field, what entering and staying out are worth."""
    unknown = unknown_errors(half_lengths(results["rows"], "equity", about.half_width))
    if "advice" not in results:
        return f"{results['hand']} when everybody goes to the showdown{unknown}"
    field, stderr = results["field"], results["delta_stderr"]
    margin = about.half_width * (float("nan") if stderr is None else stderr)
    return (
        f"{results['hand']} when everybody goes to the showdown{unknown}."
        f" Against {count_word(results['rows'][-1]['opponents'])} who play “{shortened(field['spec'])}”"
        f" ({percent(field['entry_prob'])} of hands): in {results['ev_in']:+.4f}, out {results['ev_out']:+.4f},"
        f" in minus out {results['delta']:+.4f}"
        + (" (error unknown)" if np.isnan(margin) else f" ± {margin:.4f}" if margin > 0 else "")
        + f" pots per deal; stay {results['advice']}"
    )
