"""Inset of a threshold chart: the hands between in and out, on their own scale."""

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import ConnectionPatch, Rectangle

from guts_sim.plotting.hand_curve import HandCurve, draw_band, entering_runs, fill_decisions
from guts_sim.plotting.style import BLUE, SMALL_SIZE, ink, paper, tidy

CLASSES_AROUND = 6
"""Hand classes shown on each side of the decision."""
LOWEST, HIGHEST, TOP = 0.42, 0.56, 0.86
"""Where the inset may begin and where it ends, as shares of the panel's height."""
ROOM_FOR_TICKS = 0.17  # below the inset, above the zero line
LETTER_WIDTH = 0.018
"""Width of a letter of a hand's name as a share of the inset's width, rounded up."""


def draw_close_up(axes: Axes, curve: HandCurve, mixes: bool) -> None:
    """Show the hands between in and out in the corner that the curve leaves empty, if it leaves one."""
    low, high = axes.get_ylim()
    bottom = max(LOWEST, -low / (high - low) + ROOM_FOR_TICKS)
    if bottom > HIGHEST or len(curve.names) < CLASSES_AROUND:
        return
    chosen = classes_between(curve)
    left = max(0.46, min(curve.edges[chosen.stop] / 100 + 0.06, 0.6))
    corner = axes.inset_axes((left, bottom, 0.99 - left, TOP - bottom))
    tidy(corner)
    corner.set_facecolor(paper())
    corner.tick_params(labelsize=SMALL_SIZE - 1)
    corner.axhline(0.0, color=ink(), linewidth=0.8)
    if mixes:
        _draw_areas(corner, curve, chosen)
        _connect(axes, corner)
    else:
        _draw_points(corner, curve, chosen)


def _connect(axes: Axes, corner: Axes) -> None:
    """Frame what is enlarged, with lines from the top of the frame to the bottom of the inset."""
    (left, right), (low, high) = corner.get_xlim(), corner.get_ylim()
    frame = Rectangle((left, low), right - left, high - low, fill=False, edgecolor=ink(), linewidth=0.6)
    axes.add_patch(frame)
    for x, end in ((left, 0.0), (right, 1.0)):
        line = ConnectionPatch(
            (x, high), (end, 0.0), "data", "axes fraction", axesA=axes, axesB=corner, color=ink(), linewidth=0.6
        )
        line.set_in_layout(False)
        axes.add_artist(line)
    for text in (*corner.get_xticklabels(), corner.xaxis.label):  # the lines pass behind
        text.set_bbox({"facecolor": paper(), "edgecolor": "none", "pad": 1.0})


def classes_between(curve: HandCurve) -> slice:
    """Classes from a little above the first that may stay out to a little below the last that may enter."""
    n, runs = len(curve.names), entering_runs(curve)
    first_out = next((i for i in range(n) if curve.enter[i] < 1.0), n)
    after_last_in = runs[-1][1] if runs else 0
    start, stop = sorted((first_out, after_last_in))
    return slice(max(start - CLASSES_AROUND, 0), min(stop + CLASSES_AROUND, n))


def _draw_points(corner: Axes, curve: HandCurve, chosen: slice) -> None:
    """One marker per hand class, filled where it enters."""
    names = curve.names[chosen]
    x = np.arange(len(names))
    delta, half_width, enters = curve.delta[chosen], curve.half_width[chosen], curve.enter[chosen] > 0
    for mask, marker, face, edge in ((enters, "o", BLUE, BLUE), (~enters, "s", paper(), ink())):
        corner.errorbar(
            x[mask],
            delta[mask],
            half_width[mask] if half_width.any() else None,
            linestyle="none",
            marker=marker,
            markersize=4,
            markerfacecolor=face,
            markeredgecolor=edge,
            ecolor=ink(),
            elinewidth=0.8,
        )
    corner.set_xticks(x, names, rotation=90 if max(map(len, names)) > 3 else 0)
    corner.set_title("close to the threshold (pots per deal)", fontsize=SMALL_SIZE, loc="left")


def _draw_areas(corner: Axes, curve: HandCurve, chosen: slice) -> None:
    """Draw the areas of the panel at a scale on which indifferent hands can be told from the others."""
    fill_decisions(corner, curve, curve.enter)
    draw_band(corner, curve)
    corner.set_xlim(curve.edges[chosen.start], curve.edges[chosen.stop])
    part = curve.delta[chosen]
    low, high = float(part.min()), float(np.quantile(part, 0.98))
    corner.set_ylim(1.2 * low, max(1.3 * high, -0.5 * low))
    corner.set_title("close to indifference (pots per deal)", fontsize=SMALL_SIZE, loc="left")
    corner.set_xlabel("% of all hands", fontsize=SMALL_SIZE - 1, labelpad=1)
    _name_islands(corner, curve)


def _name_islands(corner: Axes, curve: HandCurve) -> None:
    """Name the runs of hands that may enter, beginning where hands enter at random; the likeliest first.

    A name that would run into another one is left out.
    """
    uncertain = next((i for i, entry in enumerate(curve.enter) if entry < 1.0), 0)
    runs = [(max(start, uncertain), stop) for start, stop in entering_runs(curve) if stop > uncertain]
    low, high = corner.get_xlim()
    letter = LETTER_WIDTH * (high - low)
    taken: list[tuple[float, float]] = []
    for start, stop in sorted(runs, key=lambda run: -curve.enter[slice(*run)].max()):
        name = curve.names[start] if stop == start + 1 else f"{curve.names[start]}–{curve.names[stop - 1]}"
        left = float(curve.edges[start])
        right = left + letter * (len(name) + 1)
        if all(right < other_left or other_right < left for other_left, other_right in taken):
            taken.append((left, right))
            top = np.max((curve.delta + np.nan_to_num(curve.half_width))[start:stop])
            corner.annotate(
                name,
                (left, min(max(float(top), 0.0), 0.98 * corner.get_ylim()[1])),
                xytext=(1, 2),
                textcoords="offset points",
                fontsize=SMALL_SIZE - 1.5,
            )
