"""Chart of sessions: how the balances of players and strategies scatter."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator, FuncFormatter, MaxNLocator, NullLocator

from guts_sim.errors import InputError
from guts_sim.plotting.about import About
from guts_sim.plotting.style import (
    BLUE,
    ORANGE,
    SKY,
    SMALL_SIZE,
    TEXT_SIZE,
    add_legend,
    beginning,
    half_lengths,
    ink,
    leader,
    name_ticks,
    new_chart,
    number_array,
    percent,
    set_title,
    shortened,
    signed,
)

# Quantiles, height and colour of a bar; None: the colour of lines.
BANDS = (
    ("0.01", "0.99", 0.04, None, "98 % of sessions"),
    ("0.05", "0.95", 0.34, SKY, "90 %"),
    ("0.25", "0.75", 0.34, BLUE, "half"),
)
ROW_HEIGHT = 0.42
FAR = 50.0
"""Logarithmic from here on: how many times the range of nearly all sessions may exceed that of half of them."""
MOST_TICKS = 7
LETTERS_OF_LABEL = 40
LONG_NUMBER = 1e6
"""Chips from which only few numbers fit along an axis."""


def draw_session(results: Mapping[str, Any], about: About) -> Figure:
    """Draw the quantiles and the mean of every seat's balance, with the probability of being ahead.

    Parameters
    ----------
    results : mapping
        ``results`` of a `guts_sim.session` answer.
    about : About
        Rules and confidence of the answer.

    Returns
    -------
    matplotlib.figure.Figure
    """
    groups, labels = groups_and_labels(results)
    if groups[0]["net"] is None:
        raise InputError("nothing to draw: amounts outgrew every number, so there are no balances")
    figure, (axes,) = new_chart(1.7 + ROW_HEIGHT * len(groups))
    places = list(range(len(groups)))[::-1]
    axes.use_sticky_edges = False  # bars leave a margin at both ends
    axes.margins(x=0.04)
    axes.axvline(0.0, color=ink(), linewidth=0.8)
    for low, high, height, colour, label in BANDS:
        left = np.array([group["net"]["quantiles"][low] for group in groups], np.float64)
        right = np.array([group["net"]["quantiles"][high] for group in groups], np.float64)
        axes.barh(places, right - left, height, left, color=colour or ink(), label=label)
    means = [group["net"]["value"] for group in groups]
    axes.plot(means, places, "D", color=ORANGE, markeredgecolor=ink(), markersize=5, linestyle="", label="mean")
    name_ticks(axes.yaxis, places, labels)
    axes.set_ylim(-0.6, len(groups) - 0.4)
    scale = scale_balances(axes, "x", [group["net"] for group in groups])
    axes.set_xlabel("balance at the end of a session (chips)", fontsize=TEXT_SIZE)
    _note_chances(axes, groups, places)
    set_title(figure, finding(results, about), _detail(results) + scale)
    add_legend(figure)
    return figure


def groups_and_labels(
    results: Mapping[str, Any], most_letters: int = LETTERS_OF_LABEL
) -> tuple[Sequence[Mapping[str, Any]], list[str]]:
    """Seats, or strategies where all players of a strategy fare alike, and what to call them.

    Parameters
    ----------
    results : mapping
        What has ``seats`` and ``strategies`` as `guts_sim.session` gives them.
    most_letters : int
        How long a name may be.
    """
    seats, strategies = results["seats"], results["strategies"]
    if 1 < len(strategies) < len(seats):
        return strategies, [_label(group, seats, most_letters) for group in strategies]
    return seats, [_named(seat, most_letters) for seat in seats]


def _label(group: Mapping[str, Any], seats: Sequence[Mapping[str, Any]], most_letters: int = LETTERS_OF_LABEL) -> str:
    """Name a player who is alone with his strategy, and count those who share theirs."""
    if group["players"] == 1:
        return _named(seats[group["seats"][0]], most_letters)
    count = f" ({group['players']} of {len(seats)})"
    return shortened(group["strategy"], most_letters - len(count)) + count


def _named(seat: Mapping[str, Any], most_letters: int) -> str:
    """Player and strategy; each may use what the other leaves of the room, and has at least half of it."""
    room = most_letters - len(": ")
    name = beginning(seat["name"], max(room // 2, room - len(seat["strategy"])))
    return f"{name}: {shortened(seat['strategy'], room - len(name))}"


def scale_balances(axes: Axes, which: str, nets: Sequence[Mapping[str, Any]]) -> str:
    """Write amounts in full, and let the axis be logarithmic where a linear one would hide the middle half.

    Returns
    -------
    str
        A sentence about the logarithmic axis, after a space; empty if the axis is linear.
    """
    axis: Axis = axes.xaxis if which == "x" else axes.yaxis
    in_full = FuncFormatter(lambda chips, _: f"{chips:,.0f}".replace("-", "\u2212"))
    ends = np.array([[net["quantiles"][q] for q in ("0.01", "0.25", "0.75", "0.99")] for net in nets], np.float64)
    low, lower, upper, high = ends.T
    half = np.maximum(np.median(upper - lower), 1.0)
    if (high - low).max() <= FAR * half:
        is_wide = which == "x" and float(np.abs(ends).max()) >= LONG_NUMBER
        axis.set(major_formatter=in_full, major_locator=MaxNLocator(nbins=4 if is_wide else 7, integer=True))
        return ""
    linear = 10.0 ** np.ceil(np.log10(max(float(np.abs([lower, upper]).max()), 1.0)))
    set_scale = axes.set_xscale if which == "x" else axes.set_yscale
    set_scale("symlog", linthresh=linear)
    ticks = _powers(float(low.min()), float(high.max()), linear)
    axis.set(major_formatter=in_full, major_locator=FixedLocator(ticks), minor_locator=NullLocator())
    return f" The axis is logarithmic beyond {linear:,.0f} chips."


def _powers(low: float, high: float, linear: float) -> list[float]:
    """0, the ends of the linear part of an axis, and some of the powers of ten beyond, both ways."""
    longest = np.log10(max(-low, high, linear) / linear)
    stride = max(1, int(np.ceil(longest / (MOST_TICKS // 2))))
    powers = [linear * 10.0**power for power in range(0, int(longest) + 1, stride)]
    below = [-power for power in powers if power <= max(-low, linear)]
    return [*reversed(below), 0.0, *(power for power in powers if power <= max(high, linear))]


def _note_chances(axes: Axes, groups: Sequence[Mapping[str, Any]], places: Sequence[int]) -> None:
    for group, place in zip(groups, places):
        axes.annotate(
            f"ahead {percent(group['p_ahead']['value'], 1)}",
            (1.0, place),
            xycoords=("axes fraction", "data"),
            xytext=(4.0, 0.0),
            textcoords="offset points",
            va="center",
            fontsize=SMALL_SIZE,
        )


def finding(results: Mapping[str, Any], about: About) -> str:
    """Who does best, as far as the intervals tell, or how far balances scatter where all play alike."""
    strategies = results["strategies"]
    if len(strategies) == 1:
        net = strategies[0]["net"]
        return f"{len(results['seats'])} players who play alike: a balance scatters by {net['sd']:,.1f} chips"
    nets = [group["net"] for group in strategies]
    best = leader(number_array(nets, "value"), half_lengths(nets, "value", about.half_width))
    if best is None:
        worst = leader(-number_array(nets, "value"), half_lengths(nets, "value", about.half_width)[::-1])
        loser = "" if worst is None else f", but {_label(strategies[worst], results['seats'])} does worst"
        return f"No strategy clearly does best{loser}"
    label = _label(strategies[best], results["seats"])
    return f"{label} does best: {signed(nets[best]['value'])} chips per session"


def cut_off(results: Mapping[str, Any]) -> str:
    """Sentences about sessions that did not get to their end, each after a space."""
    return "".join(f" {note}" for note in results.get("notes", ()) if " sessions were " in note)


def _detail(results: Mapping[str, Any]) -> str:
    text = f"A session takes {results['rounds']['value']:,.1f} rounds on average"
    ruined = [group["p_ruin"]["value"] for group in results["strategies"] if group["p_ruin"] is not None]
    text += f"; a player is ruined with probability up to {percent(max(ruined), 1)}." if ruined else "."
    return text + cut_off(results)
