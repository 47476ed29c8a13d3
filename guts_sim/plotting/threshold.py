"""Chart of a `threshold` answer: what entering gains over staying out, hand by hand."""

from collections.abc import Mapping
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from guts_sim.plotting.about import About
from guts_sim.plotting.close_up import draw_close_up
from guts_sim.plotting.hand_curve import (
    HandCurve,
    decisions,
    draw_band,
    entering_runs,
    fill_decisions,
    fill_hands,
    hand_curve,
    in_order_of,
    name_landmarks,
)
from guts_sim.plotting.style import (
    BLUE,
    DARK,
    LIGHT,
    SMALL_SIZE,
    STRIPED,
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
GAINS_LABEL = "hands that gain at least as much by entering (% of all hands)"
DELTA_LABEL = "in minus out (pots per deal)"
ENTRY_LABEL = "enters (%)"
EQUILIBRIUM = "equilibrium"
LIKELY = 0.5
"""Entry probability from which a title says that a hand is in."""


def draw_threshold(results: Results, about: About) -> Figure:
    """Draw in minus out against hand strength, and entry probabilities where they matter.

    Parameters
    ----------
    results : mapping
        ``results`` of a `guts_sim.threshold` answer.
    about : About
        Rules and confidence of the answer.

    Returns
    -------
    matplotlib.figure.Figure
        One bar per seat and calls heard where players declare in turn; else one panel for a threshold equilibrium,
        and a second one with entry probabilities if the equilibrium mixes, or if there is a field to reply to. With
        high and low pots each has a panel.
    """
    if "nodes" in results:
        return draw_threshold_nodes(results, about)
    if "low" in results:
        return _draw_both_pots(results, about)
    return _draw_reply(results, about) if "field" in results else _draw_equilibrium(results, about)


def _draw_equilibrium(results: Results, about: About) -> Figure:
    if len(results["equilibrium"]["hands"]) == 1:
        return _draw_blind(results, about)
    curve = hand_curve(results["equilibrium"]["hands"], about, results["cards"])
    mixes = not curve.is_threshold
    figure, panels = new_chart(5.6, (3.0, 1.0)) if mixes else new_chart(4.6)
    _draw_delta(panels[0], curve, curve.enter)
    _mark_threshold(panels[0], results, curve, mixes)
    draw_close_up(panels[0], curve, mixes)
    if mixes:
        _draw_entry(panels[1], curve)
    _label_hands(panels[-1], curve)
    set_title(figure, _equilibrium_finding(results, curve), _equilibrium_detail(results, curve))
    add_legend(figure)
    return figure


def _draw_blind(results: Results, about: About) -> Figure:
    """Nobody has seen a card: two bars, what entering and what staying out is worth."""
    (row,) = results["equilibrium"]["hands"]
    figure, (axes,) = new_chart(2.1)
    for place, (key, look) in enumerate((("ev_in", DARK), ("ev_out", STRIPED))):
        axes.barh(place, row[key], 0.6, **look)
        value = f"{row[key]:.4f}"
        axes.annotate(value, (row[key], place), (4, 0), textcoords="offset points", va="center", fontsize=SMALL_SIZE)
    axes.set_yticks([0, 1], ["in", "out"])
    axes.set_ylim(1.5, -0.5)
    axes.margins(x=0.12)
    axes.axvline(0.0, color=ink(), linewidth=0.8)
    axes.set_xlabel("worth (pots per deal)", fontsize=TEXT_SIZE)
    share, margin = percent(results["equilibrium"]["entry_prob"], 1), about.half_width * (row["stderr"] or 0.0)
    error = f" ± {significant(margin, 1)}" if margin > 0 else ""
    set_title(
        figure,
        f"{_table(results)}: enter with probability {share}, whatever the hand",
        f"Cards are looked at only after declaring; in minus out {row['delta']:+.4f}{error} pots per deal",
    )
    return figure


def _draw_reply(results: Results, about: About) -> Figure:
    """Draw what entering gains against the field, with the equilibrium for comparison."""
    curve, equilibrium = (hand_curve(results[who]["hands"], about, results["cards"]) for who in ("field", EQUILIBRIUM))
    equilibrium = in_order_of(equilibrium, curve)
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
    _label_hands(panels[-1], curve)
    set_title(figure, _reply_finding(results, curve), _reply_detail(results, curve))
    add_legend(figure)
    return figure


def _draw_both_pots(results: Results, about: About) -> Figure:
    """High and low as the two games that they are: in minus out for each half, filled by who enters."""
    who = "field" if "field" in results else EQUILIBRIUM
    figure, panels = new_chart(5.6, (1.0, 1.0))
    entries = []
    for axes, half, name in ((panels[0], results, "high"), (panels[1], results["low"], "low")):
        curve = hand_curve(half[who]["hands"], about, results["cards"])
        _draw_delta(axes, curve, curve.enter if who == EQUILIBRIUM else curve.best_reply)
        axes.set_title(f"{name} pot", loc="left", fontsize=SMALL_SIZE)
        entries.append(percent(half[who]["entry_prob"], 1))
        _label_hands(axes, curve)
    if who == EQUILIBRIUM:
        shares = results["declarations"]
        finding = f"{entries[0]} of hands enter for high, {entries[1]} for low"
        detail = (
            f"all play the equilibrium: {percent(shares['both'], 1)} for both, {percent(shares['out'], 1)} stay out"
        )
    else:
        finding = f"against “{shortened(results['field']['spec'])}”, best replies for high and for low"
        detail = f"all others enter with {entries[0]} of hands for high and {entries[1]} for low"
    set_title(
        figure,
        f"{_table(results)}: {finding}",
        f"What entering gains over staying out while {detail} (measured on sampled deals)",
    )
    add_legend(figure)
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


def _label_hands(axes: Axes, curve: HandCurve) -> None:
    axes.set_xlabel(HANDS_LABEL if curve.by_strength else GAINS_LABEL, fontsize=TEXT_SIZE)


def _mark_threshold(axes: Axes, results: Results, curve: HandCurve, mixes: bool) -> None:
    """Draw a line after the weakest hand that enters, with its name and how many hands enter."""
    found = results["threshold"]
    if found["hand"] is None or not curve.by_strength:
        return
    axes.axvline(100 * found["entry_prob"], color=ink(), linewidth=1.0, linestyle="--")
    on_left = found["entry_prob"] > 0.5  # there is more room than on the right
    axes.annotate(
        f"{'nearest threshold: ' if mixes else ''}{found['hand']} or better, {percent(found['entry_prob'])} of hands",
        (100 * found["entry_prob"], 1.0),
        xycoords=("data", "axes fraction"),
        xytext=(-5 if on_left else 5, -3),
        textcoords="offset points",
        ha="right" if on_left else "left",
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
    if curve.is_threshold and curve.by_strength and curve.enter.any():
        return f"{_table(results)}: stay in with {curve.names[int(curve.enter.sum()) - 1]} or better"
    share = percent(results["equilibrium"]["entry_prob"], 1)
    if curve.by_strength:
        for start, stop in entering_runs(curve)[1:]:
            if curve.enter[start:stop].max() >= LIKELY and curve.has_errors:
                likely = start + int(curve.enter[start:stop].argmax())
                return (
                    f"{_table(results)}: in with {curve.names[likely]}, out with the stronger {curve.names[start - 1]}"
                )
    at_random = ", some at random" if decisions(curve.enter)[1].any() else ""
    return f"{_table(results)}: {share} of hands enter{at_random}"


def _equilibrium_detail(results: Results, curve: HandCurve) -> str:
    detail = f"What entering gains over staying out while all play the equilibrium ({_method(curve)})"
    if curve.is_threshold or not curve.by_strength:
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
    if curve.by_strength and curve.best_reply[:n_entering].all():
        return f"enter with {curve.names[n_entering - 1]} or better"
    return f"enter with {percent(results['best_response']['entry_prob'])} of hands"


def _method(curve: HandCurve) -> str:
    if curve.is_exact:
        return "counted exactly"
    return "measured on sampled deals" if curve.has_errors else "measured on too few deals to tell its error"


def _table(results: Results) -> str:
    return f"{count_word(results['n_players']).capitalize()} players, {count_word(results['cards'])} cards"
