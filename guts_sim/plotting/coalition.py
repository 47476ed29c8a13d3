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
    draw_intervals,
    ink,
    new_chart,
    number_array,
    set_title,
    signed,
    unknown_errors,
)

FloatArray = NDArray[np.float64]
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
    places = np.arange(len(rows), dtype=np.float64)
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
    low, high = axes.get_xlim()
    axes.set_xlim(low if axes.dataLim.x0 < 0.0 else 0.0, max(high, LEAST_WIDTH))
    axes.axvline(0.0, color=ink(), linewidth=0.8)
    axes.set_ylabel("colluders", fontsize=TEXT_SIZE)
    axes.set_xlabel("loss of each honest player (antes per pot of one ante each)", fontsize=TEXT_SIZE)
    set_title(figure, _finding(results, about), _detail(results, about))
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
    loss = 0.0 - value  # no -0.0
    length = np.where(np.isfinite(loss), loss, 0.0)
    half = np.nan_to_num(about.half_width * _error(stderr))
    axes.barh(where, length, BAR_HEIGHT, label=label, **look)
    draw_intervals(axes, loss, where, np.full((2, loss.size), half), about.interval)
    for y, amount, end in zip(where, loss, length):
        axes.annotate(
            _in_words(amount),
            (max(end + half, 0.0), y),
            xytext=(4, 0),
            textcoords="offset points",
            va="center",
            fontsize=SMALL_SIZE,
            color=ink(),
        )


def _error(stderr: float | None) -> float:
    """Read a standard error; nan if it is unknown, which is None in saved results."""
    return float("nan") if stderr is None else float(stderr)


def _in_words(loss: float) -> str:
    if np.isnan(loss):
        return "unknown"
    return signed(loss, 4).removeprefix("+") if np.isfinite(loss) else "without bound"


def _finding(results: Mapping[str, Any], about: About) -> str:
    n, colluders = count_word(results["n_players"]), count_word(results["colluders"]).capitalize()
    if results["hands"] == "cards":
        is_reply = results["honest"] is not None
        value = results["value"] if is_reply else results["equilibrium"]["value"]
        if value is None or not np.isfinite(value):
            return f"{colluders} of {n} collude: too few deals tell what an honest player loses"
        who = "an honest player" if is_reply else "a player at the equilibrium"
        return f"{colluders} of {n} collude: {who} {_loses(results, about)}"
    if results["value"] is None or not np.isfinite(results["value"]):
        return f"Of {n} players all but one can win without bound from the last"
    if abs(results["value"]) < 1e-9:
        return f"Among {n} players a coalition of {count_word(results['colluders'])} gains nothing"
    return f"{colluders} of {n} collude: an honest player loses at least {-results['value']:.4f} antes a pot"


def _loses(results: Mapping[str, Any], about: About) -> str:
    """What a player of real cards loses or gains, unless that is within its error of nothing."""
    is_reply = results["honest"] is not None
    value = results["value"] if is_reply else results["equilibrium"]["value"]
    half = about.half_width * _stderr_of(results, is_reply)
    if half > 0.0 and abs(value) <= half:
        return f"loses {_in_words(-value)} ± {half:.4f} antes a pot, within the error of 0"
    least = "at least " if is_reply and value < 0.0 else ""
    return f"{'loses' if value <= 0.0 else 'gains'} {least}{abs(value):.4f} antes a pot"


def _stderr_of(results: Mapping[str, Any], is_reply: bool) -> float:
    """Standard error of one of the two values; what is counted, or does not say, has none."""
    return _error((results.get("value_estimate", {}) if is_reply else results["equilibrium"]).get("stderr", 0.0))


def _unknown(results: Mapping[str, Any], about: About) -> str:
    """Words about errors of real cards that nobody knows."""
    if results["hands"] == "continuous":
        return ""
    kinds = (False, True) if results["honest"] is not None else (False,)
    return unknown_errors(about.half_width * np.array([_stderr_of(results, is_reply) for is_reply in kinds]))


def _detail(results: Mapping[str, Any], about: About) -> str:
    hands = (
        "Continuous hands" if results["hands"] == "continuous" else f"{count_word(results['cards']).capitalize()} cards"
    )
    sees = "colluders see each other's cards" if results["shared_cards"] else "no cards shared"
    several = "; several honest players all use one threshold" if len(results["rows"]) > 1 else ""
    return f"{hands}, {sees}{several}{_unknown(results, about)}"
