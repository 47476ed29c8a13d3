"""Charts of pot growth: the peak of the pot, and where a pot grows without bound."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, NullFormatter
from numpy.typing import NDArray

from guts_sim.plotting.style import (
    BLUE,
    ORANGE,
    TEXT_SIZE,
    add_legend,
    ink,
    new_chart,
    number_array,
    percent,
    set_title,
    shortened,
)

FloatArray = NDArray[np.float64]
LEAST_PROBABILITY = 1e-12
LINE_STYLES = ("-", "--", "-.", ":")


def draw_cascade(results: Mapping[str, Any]) -> Figure:
    """Draw the probability that the pot reaches each multiple of the antes, with the power law of its tail.

    Parameters
    ----------
    results : mapping
        ``results`` of a `guts_sim.cascade` answer.

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
        axes.errorbar(multiple, p, yerr=errors, fmt="o", color=BLUE, capsize=3, label="played, with interval")
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
    set_title(axes, _finding(results), _detail(results))
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


def draw_phase(results: Mapping[str, Any]) -> Figure:
    """Draw the mean multiplier and the probability that a cycle ends against the entry rate.

    Parameters
    ----------
    results : mapping
        ``results`` of a `guts_sim.phase_diagram` answer.

    Returns
    -------
    matplotlib.figure.Figure
    """
    figure, (upper, lower) = new_chart(5.4, (1.0, 1.0))
    rows: Sequence[Mapping[str, Any]] = results["rows"]
    caps = list(dict.fromkeys(row["cap"] for row in rows))
    for number, cap in enumerate(caps):
        here = [row for row in rows if row["cap"] == cap]
        entry = 100 * number_array(here, "entry")
        if number == 0:
            upper.plot(entry, number_array(here, "expected_multiplier"), "o-", color=BLUE, markersize=3)
        look: dict[str, Any] = {
            "linestyle": LINE_STYLES[number % len(LINE_STYLES)],
            "color": (BLUE, ORANGE)[number % 2],
            "marker": "o" if len(here) == 1 else None,  # of a line of one point nothing else would show
            "label": "no cap" if cap is None else f"cap {cap} with a reserve",
        }
        ends = number_array(here, "p_cycle_ends")
        if cap is None:  # every cycle ends, until everybody always enters: a step
            lower.plot(entry, ends, drawstyle="steps-post", **look)
        else:
            lower.plot(*_with_critical_point(entry, ends, results["critical_entry"]), **look)
    upper.axhline(1.0, color=ink(), linewidth=0.8)
    critical = results["critical_entry"]
    if critical is not None:
        for axes in (upper, lower):
            axes.axvline(100 * critical, color=ink(), linewidth=0.8, linestyle=":")
    upper.set_ylabel("mean multiplier of the pot", fontsize=TEXT_SIZE)
    lower.set_ylabel("probability that a cycle ends", fontsize=TEXT_SIZE)
    lower.set_xlabel("hands that enter (% of all hands)", fontsize=TEXT_SIZE)
    lower.set_ylim(-0.03, 1.03)
    detail = "Above the line at 1 expected stakes do not vanish, and with a reserve a cycle need not end."
    set_title(upper, _phase_finding(results["n_players"], critical), detail)
    add_legend(figure)
    return figure


def _with_critical_point(entry: FloatArray, ends: FloatArray, critical: float | None) -> tuple[FloatArray, FloatArray]:
    """Add the entry rate up to which every cycle ends: a full reserve gains on average where a free pot does."""
    if critical is None or not entry[0] < 100 * critical < entry[-1]:
        return entry, ends
    place = int(np.searchsorted(entry, 100 * critical))
    return np.insert(entry, place, 100 * critical), np.insert(ends, place, 1.0)


def _phase_finding(n_players: int, critical: float | None) -> str:
    if critical is None:
        return f"{n_players} players: the pot shrinks on average at every entry rate"
    return f"{n_players} players: the pot grows on average above an entry rate of {percent(critical, 1)}"
