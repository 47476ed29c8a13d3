"""Phase diagram of a table: at which entry rates the pot grows, and which caps let a cycle end."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import QuadMesh
from matplotlib.figure import Figure
from matplotlib.patheffects import withStroke
from numpy.typing import NDArray

from guts_sim.plotting.about import About
from guts_sim.plotting.style import (
    BLUE,
    COLOURS,
    SMALL_SIZE,
    TEXT_SIZE,
    ink,
    new_chart,
    percent,
    set_title,
)

FloatArray = NDArray[np.float64]
MOST_NUMBERS = 24
"""Entry rates up to which there is room for a number in every cell."""
SINGLE_WIDTH = 5.0  # of the column of a single entry rate, in % of all hands
INCHES_PER_CAP = 0.26


def draw_phase(results: Mapping[str, Any], about: About) -> Figure:
    """Draw the mean multiplier against the entry rate, and how likely a cycle ends on a map of caps and entry rates.

    Parameters
    ----------
    results : mapping
        ``results`` of a `guts_sim.phase_diagram` answer.
    about : About
        Rules and confidence of the answer.

    Returns
    -------
    matplotlib.figure.Figure
    """
    rows: Sequence[Mapping[str, Any]] = results["rows"]
    entries = sorted({row["entry"] for row in rows})
    caps = sorted({row["cap"] for row in rows}, key=lambda cap: np.inf if cap is None else cap)
    map_height = max(0.3 + INCHES_PER_CAP * len(caps), 0.8)
    figure, (upper, lower) = new_chart(3.4 + map_height, (2.2, map_height))
    critical = results["critical_entry"]
    edges = _edges(100 * np.array(entries), critical)
    is_seen = critical is not None and edges[0] <= 100 * critical <= edges[-1]
    line = critical if is_seen else None
    multiplier = {row["entry"]: row["expected_multiplier"] for row in rows}
    upper.plot(
        100 * np.array(entries), [multiplier[entry] for entry in entries], "o-", color=BLUE, markersize=3, clip_on=False
    )
    upper.axhline(1.0, color=ink(), linewidth=0.8)
    upper.set_ylabel("mean multiplier of the pot", fontsize=TEXT_SIZE)
    ends = {(row["cap"], row["entry"]): row["p_cycle_ends"] for row in rows}
    table = np.array([[ends[cap, entry] for entry in entries] for cap in caps], np.float64)
    mesh = lower.pcolormesh(edges, np.arange(len(caps) + 1), 100 * table, cmap=COLOURS, vmin=0.0, vmax=100.0)
    if len(entries) <= MOST_NUMBERS:
        _write_numbers(lower, edges, table)
    else:
        _add_scale(lower, mesh)
    lower.set_yticks(np.arange(len(caps)) + 0.5, ["no cap" if cap is None else f"{cap:,}" for cap in caps])
    lower.tick_params(axis="y", length=0)
    lower.set_ylabel("cap (chips)", fontsize=TEXT_SIZE)
    lower.set_xlabel("hands that enter (% of all hands)", fontsize=TEXT_SIZE)
    lower.set_xlim(edges[0], edges[-1])
    if line is not None:
        outline = [withStroke(linewidth=2.6, foreground="white")]
        upper.axvline(100 * line, color=ink(), linewidth=1.0, linestyle="--")
        lower.axvline(100 * line, color="black", linewidth=1.2, path_effects=outline)
    set_title(figure, _finding(results["n_players"], critical), _detail(line))
    lower.set_title("probability that a cycle ends (%); caps have a reserve", loc="left", fontsize=SMALL_SIZE)
    return figure


def _edges(centres: FloatArray, critical: float | None) -> FloatArray:
    """Sides of the columns: half-way between entry rates, and as far beyond the first and the last, if they exist.

    Between the entry rates on both sides of the critical one the columns meet there, so that no column has both.
    """
    if centres.size == 1:
        sides = np.array([centres[0] - SINGLE_WIDTH / 2, centres[0] + SINGLE_WIDTH / 2])
    else:
        middles = (centres[1:] + centres[:-1]) / 2
        sides = np.concatenate([[2 * centres[0] - middles[0]], middles, [2 * centres[-1] - middles[-1]]])
    if critical is not None and centres[0] < 100 * critical < centres[-1]:
        sides[np.searchsorted(centres, 100 * critical)] = 100 * critical
    inside: FloatArray = np.clip(sides, 0.0, 100.0)
    return inside


def _write_numbers(axes: Axes, edges: FloatArray, table: FloatArray) -> None:
    """Write the percentage into every cell, so that nobody has to compare colours."""
    size = SMALL_SIZE - (1.5 if table.shape[1] > 12 else 0.5)
    for (row, column), p in np.ndenumerate(table):
        axes.text(
            (edges[column] + edges[column + 1]) / 2,
            row + 0.5,
            rounded_percentage(float(p)),
            ha="center",
            va="center",
            fontsize=size,
            color="black" if p > 0.5 else "white",
        )


def _add_scale(axes: Axes, mesh: QuadMesh) -> None:
    """Explain the colours beside the map, within its row, so that both panels keep one x axis."""
    side = axes.inset_axes((1.02, 0.0, 0.02, 1.0))
    bar = axes.figure.colorbar(mesh, cax=side)
    bar.outline.set_visible(False)
    side.tick_params(labelsize=SMALL_SIZE)


def rounded_percentage(p: float) -> str:
    """Whole per cent; what is not certain never reads 0 or 100."""
    if 0.0 < p < 0.005:
        return "<1"
    if 0.995 <= p < 1.0 - 1e-9:
        return ">99"
    return f"{100 * p:.0f}"


def _finding(n_players: int, critical: float | None) -> str:
    if critical is None:
        return f"{n_players} players: the pot shrinks on average at every entry rate"
    return f"{n_players} players: the pot grows on average above an entry rate of {percent(critical, 1)}"


def _detail(line: float | None) -> str:
    if line is None:
        return "Everybody enters with the same share of the strongest hands; every number is counted."
    return "Right of the line expected stakes do not vanish, and with a cap and a reserve a cycle need not end."
