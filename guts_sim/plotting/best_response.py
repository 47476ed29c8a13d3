"""Chart of a `best-response` answer: entry and worth by pot, entry by pot and own chips, or what the reply wins."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from guts_sim.plotting.about import About
from guts_sim.plotting.style import (
    BLUE,
    DARK,
    ORANGE,
    SKY,
    SMALL_SIZE,
    STRIPED,
    TEXT_SIZE,
    add_legend,
    draw_intervals,
    half_lengths,
    ink,
    name_ticks,
    new_chart,
    number_array,
    percent,
    set_title,
    shortened,
    signed,
    unknown_errors,
)

NOTHING = 1e-9
"""Chips that are only an error of rounding."""
LEAST_ROOM = 0.01
"""Chips that the axis shows where nothing is won."""


def draw_best_response(results: Mapping[str, Any], about: About) -> Figure:
    """Draw how the reply depends on the pot; where it does not, what it wins.

    Parameters
    ----------
    results : mapping
        ``results`` of a `guts_sim.best_response` answer.
    about : About
        Rules and confidence of the answer.

    Returns
    -------
    matplotlib.figure.Figure
    """
    if results["looks_at_stack"]:
        return _by_stack(results)
    return _by_pot(results) if results["looks_at_pot"] else _by_strategy(results, about)


def _by_pot(results: Mapping[str, Any]) -> Figure:
    figure, (upper, lower) = new_chart(5.6, (1.0, 1.0))
    rows = [row for row in results["policy"] if row["reserve"] == 0]
    pot = number_array(rows, "pot")
    # A pot takes certain sizes only; the thin line joins them for the eye.
    look: dict[str, Any] = {"marker": "o", "color": BLUE, "linewidth": 0.7}
    upper.plot(pot, 100 * number_array(rows, "entry_prob"), label="best reply", **look)
    upper.set_ylim(0.0, 105.0)
    other = results["equilibrium_strategy"]
    upper.axhline(100 * other["entry_prob"], color=ORANGE, linestyle="--", label=_equilibrium(other))
    lower.plot(pot, number_array(rows, "worth") / pot, **look)
    lower.axhline(1.0 / results["n_players"], color=ink(), linewidth=0.8, linestyle=":", label="fair share")
    upper.set_ylabel("hands that enter (%)", fontsize=TEXT_SIZE)
    lower.set_ylabel("worth of a chip in the pot (chips)", fontsize=TEXT_SIZE)
    lower.set_xlabel("pot (chips), reserve empty", fontsize=TEXT_SIZE)
    lower.xaxis.set_major_locator(MaxNLocator(integer=True))
    set_title(figure, _moves(rows), _against(results))
    add_legend(figure)
    return figure


def _moves(rows: Sequence[Mapping[str, Any]]) -> str:
    """How entry changes from the smallest pot to the largest."""
    entry = number_array(rows, "entry_prob")
    low, high = rows[0], rows[-1]
    if np.allclose(entry, entry[0]):
        return f"The best reply enters with {percent(entry[0])} of hands at every pot"
    steps = np.diff(entry)
    if (steps < 0).any() and (steps > 0).any():
        return f"The best reply moves between {percent(entry.min())} and {percent(entry.max())} of hands with the pot"
    return (
        f"The best reply gets {'looser' if entry[-1] > entry[0] else 'tighter'}: {percent(entry[0])} of hands at a pot"
        f" of {low['pot']:,}, {percent(entry[-1])} at {high['pot']:,}"
    )


def _equilibrium(other: Mapping[str, Any]) -> str:
    """Name the equilibrium, with what it plays unless that says no more."""
    return "equilibrium" if other["spec"] == "equilibrium" else f"equilibrium, {shortened(other['spec'])}"


def _by_stack(results: Mapping[str, Any]) -> Figure:
    """One line for each of a few stacks: how entry depends on the pot."""
    figure, (axes,) = new_chart(3.4)
    rows = [row for row in results["policy"] if row["reserve"] == 0]
    largest = max(row["pot"] for row in rows)
    if all(row["pot"] == largest for row in rows):  # as among two players, of whom the loser makes the same pot again
        return _at_one_pot(results, rows)
    stacks = np.array(sorted(row["stack"] for row in rows if row["pot"] == largest))
    chosen = stacks[np.unique((np.array([0.0, 0.25, 1.0]) * (stacks.size - 1)).astype(int))]
    found = []
    for stack, color, mark in zip(chosen, (BLUE, ORANGE, SKY), "osD"):
        here = [row for row in rows if row["stack"] == stack]
        entry = number_array(here, "entry_prob")
        axes.plot(number_array(here, "pot"), 100 * entry, f"{mark}-", color=color, markersize=4, label=_left(stack))
        found.append(f"{percent(entry[-1])} with {_left(stack)}")
    other = results["equilibrium_strategy"]
    axes.axhline(100 * other["entry_prob"], color=ink(), linestyle="--", label=_equilibrium(other))
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.set_ylim(-3, 103)
    axes.set_xlabel("pot (chips), reserve empty", fontsize=TEXT_SIZE)
    axes.set_ylabel("hands that enter (%)", fontsize=TEXT_SIZE)
    finding = f"Hands that enter a pot of {largest}: {found[0]}, {found[-1]}"
    set_title(figure, finding, _against(results))
    add_legend(figure)
    return figure


def _at_one_pot(results: Mapping[str, Any], rows: Sequence[Mapping[str, Any]]) -> Figure:
    """How entry depends on the stack where the pot never changes."""
    figure, (axes,) = new_chart(3.4)
    pot, stack, entry = rows[0]["pot"], number_array(rows, "stack"), 100 * number_array(rows, "entry_prob")
    axes.plot(stack, entry, "o-", color=BLUE, markersize=4, label="best reply")
    other = results["equilibrium_strategy"]
    axes.axhline(100 * other["entry_prob"], color=ORANGE, linestyle="--", label=_equilibrium(other))
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.set_ylim(-3, 103)
    axes.set_xlabel(f"chips left (pot {pot}, reserve empty)", fontsize=TEXT_SIZE)
    axes.set_ylabel("hands that enter (%)", fontsize=TEXT_SIZE)
    ends = [f"{percent(rows[i]['entry_prob'])} with {_left(rows[i]['stack'])}" for i in (0, -1)]
    set_title(figure, f"Hands that enter a pot of {pot}: {ends[0]}, {ends[-1]}", _against(results))
    add_legend(figure)
    return figure


def _left(stack: int) -> str:
    return "1 chip left" if stack == 1 else f"{stack} chips left"


def _by_strategy(results: Mapping[str, Any], about: About) -> Figure:
    figure, (axes,) = new_chart(2.3)
    other = results["equilibrium_strategy"]
    bars = [("best reply", results["value"], DARK), (_equilibrium(other), other["value"], STRIPED)]
    values, ends = [], [0.0]
    for place, (_, estimate, style) in enumerate(bars):
        if estimate is None:
            axes.annotate(
                "no finite value",
                (0.0, place),
                xytext=(4, 0),
                textcoords="offset points",
                va="center",
                fontsize=SMALL_SIZE,
            )
            continue
        value, reach = estimate["value"], half_lengths([estimate], "value", about.half_width)
        axes.barh(place, value, 0.6, **style)
        draw_intervals(axes, np.array([value]), [place], reach, about.interval)
        values.append((value, float(np.nan_to_num(reach[int(value >= 0.0), 0])), place))
        ends += [value - float(np.nan_to_num(reach[0, 0])), value + float(np.nan_to_num(reach[1, 0]))]
    _write_values(axes, values)
    room = 0.2 * (max(ends) - min(ends)) or LEAST_ROOM
    axes.set_xlim(min(ends) - (room if min(ends) < 0.0 else 0.0), max(ends) + room)
    axes.axvline(0.0, color=ink(), linewidth=0.8)
    name_ticks(axes.yaxis, range(len(bars)), [name for name, *_ in bars])
    axes.set_ylim(len(bars) - 0.5, -0.5)
    axes.set_xlabel("net chips per cycle", fontsize=TEXT_SIZE)
    row = results["policy"][0]
    if results["supercritical"]:
        finding = "Supercritical: no reply to these opponents has a finite value"
    else:
        hands = percent(row["entry_prob"])
        finding = f"The best reply enters with {hands} of hands and wins {results['value']['value']:.4g} chips a cycle"
    set_title(figure, finding, _against(results))
    add_legend(figure)
    return figure


def _write_values(axes: Axes, values: Sequence[tuple[float, float, int]]) -> None:
    """Write every value beyond the end of its bar and interval."""
    for value, reach, place in values:
        is_left = value < 0.0
        axes.annotate(
            signed(value, 6 if NOTHING < abs(value) < 0.01 else 4),
            (value - reach if is_left else value + reach, place),
            (-4 if is_left else 4, 0),
            textcoords="offset points",
            ha="right" if is_left else "left",
            va="center",
            fontsize=SMALL_SIZE,
        )


def _sampling(results: Mapping[str, Any]) -> str:
    """Say that the numbers come from sampled deals where no interval is drawn."""
    estimates = [results["value"], results["equilibrium_strategy"]["value"]]
    stderr = np.array([one["stderr"] for one in estimates if one is not None], np.float64)
    if results["looks_at_pot"] or results["looks_at_stack"]:
        return " Values and entry were found on sampled deals." if (np.isnan(stderr) | (stderr > 0)).any() else ""
    return f" Sampled{unknown_errors(stderr)}." if np.isnan(stderr).any() else ""


def _against(results: Mapping[str, Any]) -> str:
    opponents = [results["field"]] if "field" in results else results["fields"]
    described = ", ".join(f"{shortened(one['spec'])} ({percent(one['entry_prob'])})" for one in opponents)
    return f"{results['n_players']} players; the opponents play {described} at every pot.{_sampling(results)}"
