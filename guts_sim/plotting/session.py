"""Chart of sessions: how the balances of players and strategies scatter."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from guts_sim.errors import InputError
from guts_sim.plotting.about import About
from guts_sim.plotting.style import (
    BLUE,
    ORANGE,
    SKY,
    SMALL_SIZE,
    TEXT_SIZE,
    add_legend,
    ink,
    new_chart,
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
    axes.set_yticks(places, labels)
    axes.set_ylim(-0.6, len(groups) - 0.4)
    axes.set_xlabel("balance at the end of a session (chips)", fontsize=TEXT_SIZE)
    _note_chances(axes, groups, places)
    set_title(figure, finding(results), _detail(results))
    add_legend(figure)
    return figure


def groups_and_labels(results: Mapping[str, Any]) -> tuple[Sequence[Mapping[str, Any]], list[str]]:
    """Seats, or strategies where all players of a strategy fare alike, and what to call them.

    Parameters
    ----------
    results : mapping
        What has ``seats`` and ``strategies`` as `guts_sim.session` gives them.
    """
    seats, strategies = results["seats"], results["strategies"]
    if 1 < len(strategies) < len(seats):
        return strategies, [_label(group, seats) for group in strategies]
    return seats, [_named(seat) for seat in seats]


def _label(group: Mapping[str, Any], seats: Sequence[Mapping[str, Any]]) -> str:
    """Name a player who is alone with his strategy, and count those who share theirs."""
    if group["players"] == 1:
        return _named(seats[group["seats"][0]])
    return f"{shortened(group['strategy'])} ({group['players']} of {len(seats)})"


def _named(seat: Mapping[str, Any]) -> str:
    return f"{seat['name']}: {shortened(seat['strategy'])}"


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


def finding(results: Mapping[str, Any]) -> str:
    """Who does best, or how far balances scatter where all play alike."""
    strategies = results["strategies"]
    if len(strategies) == 1:
        net = strategies[0]["net"]
        return f"{len(results['seats'])} players who play alike: a balance scatters by {net['sd']:.1f} chips"
    best = max(strategies, key=lambda group: float(group["net"]["value"]))
    return f"{_label(best, results['seats'])} does best: {signed(best['net']['value'])} chips per session"


def _detail(results: Mapping[str, Any]) -> str:
    text = f"A session takes {results['rounds']['value']:.1f} rounds on average"
    ruined = [group["p_ruin"]["value"] for group in results["strategies"] if group["p_ruin"] is not None]
    return text + (f"; a player is ruined with probability up to {percent(max(ruined), 1)}." if ruined else ".")
