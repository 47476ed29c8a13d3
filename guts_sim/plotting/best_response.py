"""Chart of a `best-response` answer: entry and worth by pot, entry by pot and own chips, or what the reply wins."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.figure import Figure

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
    ink,
    new_chart,
    number_array,
    percent,
    set_title,
    shortened,
)


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
    figure, (upper, lower) = new_chart(5.0, (1.0, 1.0))
    rows = [row for row in results["policy"] if row["reserve"] == 0]
    pot = number_array(rows, "pot")
    # A pot takes certain sizes only; the thin line joins them for the eye.
    look: dict[str, Any] = {"marker": "o", "color": BLUE, "linewidth": 0.7}
    upper.plot(pot, 100 * number_array(rows, "entry_prob"), label="best reply", **look)
    upper.set_ylim(0.0, 105.0)
    other = results["equilibrium_strategy"]
    upper.axhline(100 * other["entry_prob"], color=ORANGE, linestyle="--", label=f"equilibrium, {other['spec']}")
    lower.plot(pot, number_array(rows, "worth") / pot, **look)
    lower.axhline(1.0 / results["n_players"], color=ink(), linewidth=0.8, linestyle=":", label="fair share")
    upper.set_ylabel("hands that enter (%)", fontsize=TEXT_SIZE)
    lower.set_ylabel("worth of a chip in the pot (chips)", fontsize=TEXT_SIZE)
    lower.set_xlabel("pot (chips), reserve empty", fontsize=TEXT_SIZE)
    low, high = rows[0], rows[-1]
    if np.isclose(low["entry_prob"], high["entry_prob"]):
        finding = f"The best reply enters with {percent(low['entry_prob'])} of hands at small and large pots"
    else:
        moves = "looser" if high["entry_prob"] > low["entry_prob"] else "tighter"
        finding = (
            f"The best reply gets {moves}: {percent(low['entry_prob'])} of hands at a pot of {low['pot']},"
            f" {percent(high['entry_prob'])} at {high['pot']}"
        )
    set_title(figure, finding, _against(results))
    add_legend(figure)
    return figure


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
    axes.axhline(100 * other["entry_prob"], color=ink(), linestyle="--", label=f"equilibrium, {other['spec']}")
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
    axes.axhline(100 * other["entry_prob"], color=ORANGE, linestyle="--", label=f"equilibrium, {other['spec']}")
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
    bars = [("best reply", results["value"], DARK), (f"equilibrium, {other['spec']}", other["value"], STRIPED)]
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
        error = [[estimate["value"] - estimate["ci_low"]], [estimate["ci_high"] - estimate["value"]]]
        axes.barh(place, estimate["value"], 0.6, xerr=error if estimate["stderr"] else None, **style)
    axes.axvline(0.0, color=ink(), linewidth=0.8)
    axes.set_yticks(range(len(bars)), [name for name, *_ in bars], fontsize=SMALL_SIZE)
    axes.set_ylim(len(bars) - 0.5, -0.5)
    sampled = any(estimate is not None and estimate["stderr"] for _, estimate, _ in bars)
    axes.set_xlabel("net chips per cycle" + (f", {about.interval}" if sampled else ""), fontsize=TEXT_SIZE)
    row = results["policy"][0]
    if results["supercritical"]:
        finding = "Supercritical: no reply to these opponents has a finite value"
    else:
        hands = percent(row["entry_prob"])
        finding = f"The best reply enters with {hands} of hands and wins {results['value']['value']:.4g} chips a cycle"
    set_title(figure, finding, _against(results))
    return figure


def _against(results: Mapping[str, Any]) -> str:
    opponents = [results["field"]] if "field" in results else results["fields"]
    described = ", ".join(f"{shortened(one['spec'])} ({percent(one['entry_prob'])})" for one in opponents)
    return f"{results['n_players']} players; the opponents play {described} at every pot."
