"""Chart of a `coalition` answer: what each honest player loses, by number of colluders."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import NDArray

from guts_sim.plotting.about import About
from guts_sim.plotting.style import (
    DARK,
    SMALL_SIZE,
    STRIPED,
    TEXT_SIZE,
    add_legend,
    count_word,
    ink,
    new_chart,
    number_array,
    set_title,
)

FloatArray = NDArray[np.floating[Any]]
BAR_HEIGHT = 0.36
INCHES_PER_ROW = 0.55
LEAST_WIDTH = 0.01
"""Antes that the axis shows where nobody loses anything."""


def draw_coalition(results: Mapping[str, Any], about: About) -> Figure:
    """Draw what a coalition of each size costs an honest player, at the equilibrium and at his best reply.

    Parameters
    ----------
    results : mapping
        ``results`` of a `guts_sim.coalition` answer.
    about : About
        Rules and confidence of the answer.

    Returns
    -------
    matplotlib.figure.Figure
    """
    rows = results["rows"]
    figure, (axes,) = new_chart(1.9 + INCHES_PER_ROW * len(rows))
    places = np.arange(len(rows))
    solved = results["hands"] == "continuous" or results["honest"] is not None
    naive, value = results["equilibrium"], results.get("value_estimate", {})
    label = "keeps to the equilibrium of an honest table"
    side = BAR_HEIGHT / 2 if solved else 0.0
    _draw_losses(
        axes, places - side, number_array(rows, "value_at_equilibrium"), naive.get("stderr"), label, STRIPED, about
    )
    if solved:
        label = "answers the coalition best"
        _draw_losses(axes, places + side, number_array(rows, "value"), value.get("stderr"), label, DARK, about)
    axes.set_yticks(places, [str(row["colluders"]) for row in rows])
    axes.invert_yaxis()
    axes.margins(x=0.15)
    axes.set_xlim(left=0.0, right=None if axes.get_xlim()[1] > LEAST_WIDTH else LEAST_WIDTH)
    axes.set_ylabel("colluders", fontsize=TEXT_SIZE)
    axes.set_xlabel("loss of each honest player (antes per pot of one ante each)", fontsize=TEXT_SIZE)
    set_title(figure, _finding(results), _detail(results))
    add_legend(figure)
    return figure


def _draw_losses(
    axes: Axes,
    where: FloatArray,
    value: FloatArray,
    stderr: float | None,
    label: str,
    look: Mapping[str, Any],
    about: About,
) -> None:
    """Bars with their numbers; a sampled value, the only one of its chart, has an interval."""
    loss = np.maximum(-value, 0.0)
    length = np.where(np.isfinite(loss), loss, 0.0)
    half = about.half_width * float(np.nan_to_num(stderr or 0.0))
    axes.barh(where, length, BAR_HEIGHT, label=label, **look)
    if half > 0:
        axes.errorbar(
            loss, where, xerr=half, linestyle="none", ecolor=ink(), elinewidth=1.2, capsize=2.5, label=about.interval
        )
    for y, amount, end in zip(where, loss, length):
        axes.annotate(
            f"{amount:.4f}" if np.isfinite(amount) else "unknown" if np.isnan(amount) else "without bound",
            (end + half, y),
            xytext=(4, 0),
            textcoords="offset points",
            va="center",
            fontsize=SMALL_SIZE,
            color=ink(),
        )


def _finding(results: Mapping[str, Any]) -> str:
    n, colluders = count_word(results["n_players"]), count_word(results["colluders"]).capitalize()
    if results["hands"] == "cards":
        value = results["equilibrium"]["value"] if results["honest"] is None else results["value"]
        if value is None or not np.isfinite(value):
            return f"{colluders} of {n} collude: too few deals tell what an honest player loses"
    if results["hands"] == "cards" and results["honest"] is None:
        loss = -results["equilibrium"]["value"]
        return f"{colluders} of {n} collude: a player at the equilibrium loses {loss:.3f} antes a pot"
    if results["value"] is None or not np.isfinite(results["value"]):
        return f"Of {n} players all but one can win without bound from the last"
    if abs(results["value"]) < 1e-9:
        return f"Among {n} players a coalition of {count_word(results['colluders'])} gains nothing"
    return f"{colluders} of {n} collude: an honest player loses at least {-results['value']:.4f} antes a pot"


def _detail(results: Mapping[str, Any]) -> str:
    hands = (
        "Continuous hands" if results["hands"] == "continuous" else f"{count_word(results['cards']).capitalize()} cards"
    )
    sees = "colluders see each other's cards" if results["shared_cards"] else "no cards shared"
    several = "; several honest players all use one threshold" if len(results["rows"]) > 1 else ""
    return f"{hands}, {sees}{several}"
