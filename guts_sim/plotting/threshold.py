"""Chart of a `threshold` answer: what entering gains over staying out, hand by hand."""

from collections.abc import Mapping
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from guts_sim.plotting.close_up import draw_close_up
from guts_sim.plotting.hand_curve import (
    HandCurve,
    decisions,
    draw_band,
    entering_runs,
    fill_decisions,
    fill_hands,
    hand_curve,
    name_landmarks,
)
from guts_sim.plotting.style import (
    BLUE,
    DARK,
    LIGHT,
    SMALL_SIZE,
    TEXT_SIZE,
    add_legend,
    count_word,
    ink,
    new_chart,
    percent,
    set_title,
    shortened,
    significant,
)
from guts_sim.plotting.threshold_nodes import draw_threshold_nodes

Results = Mapping[str, Any]

HANDS_LABEL = "hands at least this strong (% of all hands)"
DELTA_LABEL = "in minus out (pots per deal)"
ENTRY_LABEL = "enters (%)"
LIKELY = 0.5
"""Entry probability from which a title says that a hand is in."""
LANDMARKS_HEIGHT = 17.0
"""Points that the named hands along the top take."""


def draw_threshold(results: Results) -> Figure:
    """Draw in minus out against hand strength, and entry probabilities where they matter.

    Parameters
    ----------
    results : mapping
        ``results`` of a `guts_sim.threshold` answer.

    Returns
    -------
    matplotlib.figure.Figure
        One bar per seat and calls heard where players declare in turn; else one panel for a threshold equilibrium,
        and a second one with entry probabilities if the equilibrium mixes, or if there is a field to reply to.
    """
    if "nodes" in results:
        return draw_threshold_nodes(results)
    figure = _draw_reply(results) if "field" in results else _draw_equilibrium(results)
    figure.axes[-1].set_xlabel(HANDS_LABEL, fontsize=TEXT_SIZE)
    add_legend(figure)
    return figure


def _draw_equilibrium(results: Results) -> Figure:
    curve = hand_curve(results["equilibrium"]["hands"])
    mixes = results["equilibrium"]["kind"] == "class"
    figure, panels = new_chart(5.6, (3.0, 1.0)) if mixes else new_chart(4.6)
    _draw_delta(panels[0], curve, curve.enter)
    _mark_threshold(panels[0], results, mixes)
    draw_close_up(panels[0], curve, mixes)
    if mixes:
        _draw_entry(panels[1], curve)
    set_title(panels[0], _equilibrium_finding(results, curve), _equilibrium_detail(results, curve), LANDMARKS_HEIGHT)
    return figure


def _draw_reply(results: Results) -> Figure:
    """Draw what entering gains against the field, with the equilibrium for comparison."""
    curve, equilibrium = hand_curve(results["field"]["hands"]), hand_curve(results["equilibrium"]["hands"])
    figure, panels = new_chart(5.4, (3.0, 1.0))
    _draw_delta(panels[0], curve, curve.best_reply)
    panels[0].stairs(
        equilibrium.delta,
        equilibrium.edges,
        baseline=None,
        color=ink(),
        linewidth=1.5,
        linestyle=(0, (1, 1)),
        label="in minus out at equilibrium",
    )
    _draw_both_entries(panels[1], curve)
    set_title(panels[0], _reply_finding(results, curve), _reply_detail(results, curve), LANDMARKS_HEIGHT)
    return figure


def _draw_delta(axes: Axes, curve: HandCurve, entry: Any) -> None:
    """Fill the curve by what ``entry`` decides, over all hands."""
    axes.use_sticky_edges = False  # else the lowest value would lie on the frame
    fill_decisions(axes, curve, entry)
    axes.stairs(curve.delta, curve.edges, baseline=None, color=ink(), linewidth=0.6)
    draw_band(axes, curve)
    axes.axhline(0.0, color=ink(), linewidth=0.8)
    axes.set_xlim(0.0, 100.0)
    axes.set_ylabel(DELTA_LABEL, fontsize=TEXT_SIZE)
    name_landmarks(axes, curve)


def _mark_threshold(axes: Axes, results: Results, mixes: bool) -> None:
    """Draw a line after the weakest hand that enters, with its name and how many hands enter."""
    found = results["threshold"]
    if found["hand"] is None:
        return
    axes.axvline(100 * found["entry_prob"], color=ink(), linewidth=1.0, linestyle="--")
    axes.annotate(
        f"{'nearest threshold: ' if mixes else ''}{found['hand']} or better, {percent(found['entry_prob'])} of hands",
        (100 * found["entry_prob"], 1.0),
        xycoords=("data", "axes fraction"),
        xytext=(5, -3),
        textcoords="offset points",
        va="top",
        fontsize=SMALL_SIZE,
    )


def _draw_entry(axes: Axes, curve: HandCurve) -> None:
    entering, mixing, _ = decisions(curve.enter)
    fill_hands(axes, curve.edges, 100 * curve.enter, entering, **DARK)
    fill_hands(axes, curve.edges, 100 * curve.enter, mixing, **LIGHT)
    axes.stairs(100 * curve.enter, curve.edges, baseline=None, color=ink(), linewidth=0.6, clip_on=False)
    _label_entry(axes)


def _draw_both_entries(axes: Axes, curve: HandCurve) -> None:
    field_look = {"facecolor": "0.75", "edgecolor": "0.35", "linewidth": 0.0, "hatch": "\\\\\\\\"}
    fill_hands(axes, curve.edges, 100 * curve.enter, curve.enter > 0, label="field enters", **field_look)
    axes.stairs(
        100 * curve.best_reply,
        curve.edges,
        baseline=None,
        color=BLUE,
        linewidth=2.0,
        clip_on=False,
        label="best reply enters",
    )
    _label_entry(axes)


def _label_entry(axes: Axes) -> None:
    axes.set_ylim(0.0, 105.0)
    axes.set_yticks([0, 50, 100])
    axes.set_ylabel(ENTRY_LABEL, fontsize=TEXT_SIZE)


def _equilibrium_finding(results: Results, curve: HandCurve) -> str:
    if results["equilibrium"]["kind"] == "threshold":
        return f"{_table(results)}: stay in with {results['threshold']['hand']} or better"
    for start, stop in entering_runs(curve)[1:]:
        if curve.enter[start:stop].max() >= LIKELY:
            likely = start + int(curve.enter[start:stop].argmax())
            return f"{_table(results)}: in with {curve.names[likely]}, out with the stronger {curve.names[start - 1]}"
    return f"{_table(results)}: some hands enter at random"


def _equilibrium_detail(results: Results, curve: HandCurve) -> str:
    detail = f"What entering gains over staying out while all play the equilibrium ({_method(curve)})"
    if results["equilibrium"]["kind"] == "threshold":
        return detail
    gain = results["threshold"]["exploitability"]["value"]
    leak = f"can be exploited for {significant(gain, 2)} pots per deal" if gain > 0 else "cannot be told from it"
    return f"{detail}; {percent(results['equilibrium']['entry_prob'])} of hands enter. The nearest threshold {leak}"


def _reply_finding(results: Results, curve: HandCurve) -> str:
    return f"{_table(results)}: against “{shortened(results['field']['spec'])}”, {_advice(curve, results)}"


def _reply_detail(results: Results, curve: HandCurve) -> str:
    field, gain = results["field"], results["best_response"]["gain"]["value"]
    return (
        f"What entering gains over staying out while all others enter with {percent(field['entry_prob'])} of hands; the"
        f" best reply earns {significant(gain)} pots per deal more than playing like them ({_method(curve)})"
    )


def _advice(curve: HandCurve, results: Results) -> str:
    """Best reply in words."""
    n_entering = int(curve.best_reply.sum())
    if n_entering in (0, len(curve.names)):
        return f"{'enter' if n_entering else 'stay out'} with every hand"
    if curve.best_reply[:n_entering].all():
        return f"enter with {curve.names[n_entering - 1]} or better"
    return f"enter with {percent(results['best_response']['entry_prob'])} of hands"


def _method(curve: HandCurve) -> str:
    return "counted exactly" if curve.is_exact else "measured on sampled deals"


def _table(results: Results) -> str:
    return f"{count_word(results['n_players']).capitalize()} players, {count_word(results['cards'])} cards"
