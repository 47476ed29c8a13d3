"""Chart of pot growth: how likely the pot is to reach each size."""

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, NullFormatter
from numpy.typing import NDArray

from guts_sim.plotting.about import About
from guts_sim.plotting.style import (
    BLUE,
    ORANGE,
    TEXT_SIZE,
    add_legend,
    new_chart,
    number_array,
    set_title,
    shortened,
)

FloatArray = NDArray[np.float64]
LEAST_PROBABILITY = 1e-12


def draw_cascade(results: Mapping[str, Any], about: About) -> Figure:
    """Draw the probability that the pot reaches each multiple of the antes, with the power law of its tail.

    Parameters
    ----------
    results : mapping
        ``results`` of a `guts_sim.cascade` answer.
    about : About
        Rules and confidence of the answer.

    Returns
    -------
    matplotlib.figure.Figure
    """
    figure, (axes,) = new_chart(4.4)
    rows = [row for row in results["peak"]["survival"] if (row["p_peak_at_least"] or 0.0) > LEAST_PROBABILITY]
    multiple, p = number_array(rows, "multiple"), number_array(rows, "p_peak_at_least")
    if rows and "stderr" in rows[0]:
        low, high = number_array(rows, "ci_low"), number_array(rows, "ci_high")
        errors = np.maximum([p - low, high - p], 0.0)
        axes.errorbar(multiple, p, yerr=errors, fmt="o", color=BLUE, capsize=3, label=f"played, {about.interval}")
    else:
        axes.plot(multiple, p, "o-", color=BLUE, label="exact")
    if len(rows) == 1:
        axes.annotate("no pot is larger than the antes", (1.0, p[0]), (8, 0), textcoords="offset points", va="center")
    index = results["tail_index"]
    if index is not None and len(rows) > 1 and not _is_bounded(results):
        middle = len(rows) // 2
        tail = p[middle] * (multiple / multiple[middle]) ** -index
        axes.plot(multiple, tail, linestyle="--", color=ORANGE, label=f"power law, index {index:.3g}")
    _scale_logarithmically(axes, multiple, p)
    axes.set_xlabel("peak of the pot (multiples of all players' antes)", fontsize=TEXT_SIZE)
    axes.set_ylabel("probability of at least this", fontsize=TEXT_SIZE)
    set_title(figure, _finding(results), _detail(results))
    add_legend(figure)
    return figure


def _is_bounded(results: Mapping[str, Any]) -> bool:
    """Whether a cap keeps the pot from the sizes at which its tail would show."""
    survival = results["peak"]["survival"]
    is_exact = bool(survival) and "stderr" not in survival[0]
    return results["drift"] is not None or (is_exact and survival[-1]["p_peak_at_least"] == 0.0)


def _scale_logarithmically(axes: Axes, multiple: FloatArray, p: FloatArray) -> None:
    """Show at least a decade both ways, and multiples as plain numbers."""
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlim(0.8, max(12.0, 1.3 * float(multiple.max(initial=1.0))))
    axes.set_ylim(min(0.08, 0.3 * float(p.min(initial=1.0))), 1.6)
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,g}"))
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_minor_formatter(NullFormatter())


def _finding(results: Mapping[str, Any]) -> str:
    multiplier = results["expected_multiplier"]
    growth = "grows" if multiplier > 1 else "shrinks"
    if math.isclose(multiplier, 1.0, abs_tol=1e-12):
        growth = "keeps its size"
    return f"{results['n_players']} players: a round multiplies the pot by {multiplier:.3f} on average, so it {growth}"


def _detail(results: Mapping[str, Any]) -> str:
    players = (
        f"Everybody plays {shortened(results['field']['spec'])}" if "field" in results else "Seats play differently"
    )
    return f"{players}; a cycle ends with probability {results['p_cycle_ends']:.4g}."
