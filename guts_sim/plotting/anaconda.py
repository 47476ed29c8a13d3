"""Charts of whole hands of Anaconda."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from guts_sim.games.anaconda_strategy import ORDER_WORDS
from guts_sim.plotting.about import About
from guts_sim.plotting.style import (
    DARK,
    SMALL_SIZE,
    TEXT_SIZE,
    add_legend,
    beginning,
    draw_intervals,
    half_lengths,
    ink,
    leader,
    name_ticks,
    new_chart,
    number_array,
    set_title,
    shortened,
    signed,
    tidy,
    unknown_errors,
)

BAR_HEIGHT = 0.66
LETTERS_OF_COLUMNS = 84
"""Letters that fit side by side under the columns."""
Results = Mapping[str, Any]


def draw_anaconda(results: Results, about: About) -> Figure:
    """Draw what every player at a table wins, with intervals.

    Parameters
    ----------
    results : mapping
        ``results`` of a `guts_sim.anaconda` answer.
    about : About
        Rules and confidence of the answer.

    Returns
    -------
    matplotlib.figure.Figure
    """
    rows = results["rows"]
    names = [f"{row['player']}  {shortened(row['strategy'])}" for row in rows]
    figure = _chips(names, rows, "net", "net chips per hand", about)
    n_players = results["n_players"]
    detail = f"Anaconda, {n_players} players, every deal played from all {n_players} seats"
    reach = half_lengths(rows, "net", about.half_width)
    set_title(figure, _winner(results["strategies"], about), detail + unknown_errors(reach))
    return figure


def _winner(strategies: Sequence[Mapping[str, Any]], about: About) -> str:
    """Which strategy wins most, as far as the intervals tell."""
    if len(strategies) == 1:
        return f"All play {shortened(strategies[0]['strategy'])}: nobody wins on average"
    best = leader(number_array(strategies, "net"), half_lengths(strategies, "net", about.half_width))
    if best is None:
        return "No strategy clearly wins most"
    row = strategies[best]
    return f"{_capital(shortened(row['strategy']))} wins most: {signed(row['net'])} chips per hand"


def draw_anaconda_tournament(results: Results, about: About) -> Figure:
    """Draw what every strategy wins among players of every other one, as a table of colours."""
    names = [beginning(name, 24) for name in results["strategies"]]
    n = len(names)
    net = number_array(results["rows"], "net").reshape(n, n)
    figure, (axes,) = new_chart(1.9 + 0.36 * n)
    limit = float(np.abs(net).max()) or 1.0
    axes.imshow(net, cmap="PuOr", vmin=-limit, vmax=limit, aspect="auto")
    for own in range(n):
        for field in range(n):
            if own != field:
                is_dark = abs(net[own, field]) > 0.6 * limit
                colour = "white" if is_dark else "black"
                text = signed(net[own, field])
                axes.text(field, own, text, ha="center", va="center", fontsize=SMALL_SIZE, color=colour)
    tidy(axes)
    name_ticks(axes.xaxis, range(n), names)
    name_ticks(axes.yaxis, range(n), names)
    if max(map(len, names)) * n > LETTERS_OF_COLUMNS:
        axes.tick_params(axis="x", labelrotation=30)
        for label in axes.get_xticklabels():
            label.set(ha="right", rotation_mode="anchor")
    axes.tick_params(length=0)
    axes.set_xlabel("what all others play", fontsize=TEXT_SIZE)
    axes.set_ylabel("what the player does", fontsize=TEXT_SIZE)
    reach = half_lengths(results["rows"], "net", about.half_width)
    within = f"; {about.interval}s within ±{np.nanmax(reach):.2f}" if np.nan_to_num(reach).any() else ""
    set_title(
        figure,
        _best_over_fields(results["overall"], about),
        f"Anaconda, {results['n_players']} players: net chips per hand of one player (row) among others (column)"
        + within
        + unknown_errors(reach),
    )
    return figure


def _best_over_fields(overall: Sequence[Mapping[str, Any]], about: About) -> str:
    best = leader(number_array(overall, "net"), half_lengths(overall, "net", about.half_width))
    if best is None:
        return "No strategy clearly wins most on average over the other fields"
    row = overall[best]
    return f"{_capital(shortened(row['strategy']))} wins most on average over the other fields ({signed(row['net'])})"


def draw_anaconda_orders(results: Results, about: About) -> Figure:
    """Draw what every order of reveal earns more than the strongest card first, with intervals."""
    rows = [row for row in results["rows"] if row["order"] != "honest"]
    names = [ORDER_WORDS[row["order"]] for row in rows]
    figure = _chips(names, rows, "gain", "gain over showing the strongest card first (chips per hand)", about)
    everything = results["rows"]
    reach = half_lengths(everything, "gain", about.half_width, "gain_")
    best = leader(number_array(everything, "gain"), reach)
    expected = results["expected"]
    reading = "every order alike" if expected == "random" else ORDER_WORDS[expected]
    set_title(
        figure,
        "No order of revealing clearly earns most"
        if best is None
        else f"Revealing {ORDER_WORDS[everything[best]['order']]} earns most",
        f"One {shortened(results['strategy'])} player among {results['n_players'] - 1} who expect {reading}, on the"
        f" same deals{unknown_errors(reach)}",
    )
    return figure


def _chips(names: list[str], rows: Any, key: str, label: str, about: About) -> Figure:
    """Horizontal bars of chips with intervals."""
    figure, (axes,) = new_chart(1.7 + 0.34 * len(rows))
    places = np.arange(1, len(rows) + 1)
    value = number_array(rows, key)
    reach = half_lengths(rows, key, about.half_width, "" if key == "net" else f"{key}_")
    axes.barh(places, value, BAR_HEIGHT, **DARK)
    draw_intervals(axes, value, places, reach, about.interval)
    _write_values(axes, places, value, np.nan_to_num(reach))
    axes.axvline(0.0, color=ink(), linewidth=0.8)
    name_ticks(axes.yaxis, range(1, len(rows) + 1), names)
    axes.set_ylim(len(rows) + 0.6, 0.4)
    axes.margins(x=0.14)
    axes.set_xlabel(label, fontsize=TEXT_SIZE)
    add_legend(figure)
    return figure


def _write_values(axes: Axes, places: Any, value: Any, reach: Any) -> None:
    for place, mean, below, above in zip(places, value, *reach):
        is_left = mean < 0
        axes.annotate(
            signed(mean, 3),
            (mean - below if is_left else mean + above, place),
            (-5 if is_left else 5, 0),
            textcoords="offset points",
            ha="right" if is_left else "left",
            va="center",
            fontsize=SMALL_SIZE,
        )


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
