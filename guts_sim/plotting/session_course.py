"""Chart of the course of sessions: a fan of balances for every player or strategy."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from guts_sim.errors import InputError
from guts_sim.plotting.about import About
from guts_sim.plotting.session import BANDS, cut_off, finding, groups_and_labels, scale_balances
from guts_sim.plotting.style import (
    DOTS_PER_INCH,
    ORANGE,
    SMALL_SIZE,
    TEXT_SIZE,
    WIDTH,
    Chart,
    add_legend,
    ink,
    plain,
    set_title,
    tidy,
)

PANEL_HEIGHT = 1.9
LETTERS_PER_ROW = 84
"""Letters that fit over all the panels side by side."""


def draw_session_course(results: Mapping[str, Any], about: About) -> Figure:
    """Draw the quantiles and the mean of balances against the cycles played, a panel per player or strategy.

    Parameters
    ----------
    results : mapping
        ``results`` of a `guts_sim.session_course` answer.
    about : About
        Rules and confidence of the answer.

    Returns
    -------
    matplotlib.figure.Figure
    """
    points = [point for point in results["points"] if point["seats"][0]["net"] is not None]
    if not points:
        raise InputError("nothing to draw: amounts outgrew every number, so there are no balances")
    n_labels = len(groups_and_labels(points[-1])[1])
    n_columns = n_labels if n_labels < 4 else 2 if n_labels == 4 else 3
    at_each = [groups_and_labels(point, LETTERS_PER_ROW // n_columns) for point in points]
    labels = at_each[-1][1]
    n_rows = -(-len(labels) // n_columns)
    figure = Chart(figsize=(WIDTH, 1.4 + PANEL_HEIGHT * n_rows), dpi=DOTS_PER_INCH, layout="constrained")
    grid = figure.subplots(n_rows, n_columns, sharex=True, sharey=True, squeeze=False)
    panels = list(grid.flat)
    lengths = np.array([0] + [point["length"] for point in points])
    for number, (axes, label) in enumerate(zip(panels, labels)):
        tidy(axes)
        _draw_fan(axes, lengths, [groups[number] for groups, _ in at_each])
        axes.set_title(plain(label), loc="left", fontsize=SMALL_SIZE)
    for axes in panels[len(labels) :]:
        axes.set_visible(False)
    scale = scale_balances(panels[0], "y", [group["net"] for groups, _ in at_each for group in groups])
    panels[0].xaxis.set_major_locator(MaxNLocator(nbins=5, integer=True))
    for axes in panels[max(len(labels) - n_columns, 0) : len(labels)]:  # the lowest of each column
        axes.tick_params(labelbottom=True)
        axes.set_xlabel(f"{results['unit']} played", fontsize=TEXT_SIZE)
    for axes in grid[:, 0]:
        axes.set_ylabel("balance (chips)", fontsize=TEXT_SIZE)
    detail = f"Balances of the same sessions as they go on ({results['unit']}: {lengths[-1]})."
    set_title(figure, finding(points[-1], about), detail + cut_off(results) + scale)
    add_legend(figure)
    return figure


def _draw_fan(axes: Axes, lengths: Any, groups: Sequence[Mapping[str, Any]]) -> None:
    """Bands between quantiles, from a balance of 0 before the first deal, and the mean."""
    axes.axhline(0.0, color=ink(), linewidth=0.8)
    nets = [group["net"] for group in groups]
    for low, high, _, colour, label in BANDS:
        lower, upper = ([0.0] + [net["quantiles"][q] for net in nets] for q in (low, high))
        if colour is None:  # lines, as thin as in the chart of the end
            for edge in (lower, upper):
                axes.plot(lengths, edge, color=ink(), linewidth=0.9, linestyle=":", label=label)
        else:
            axes.fill_between(lengths, lower, upper, color=colour, linewidth=0.0, label=label)
    means = [0.0] + [net["value"] for net in nets]
    axes.plot(lengths, means, "D-", color=ORANGE, markeredgecolor=ink(), markersize=3.5, linewidth=1.2, label="mean")
