"""Charts of whole hands of Anaconda."""

from collections.abc import Mapping
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
    ink,
    new_chart,
    number_array,
    set_title,
    signed,
    tidy,
)

BAR_HEIGHT = 0.66
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
    names = [f"{row['player']}  {row['strategy']}" for row in rows]
    figure = _chips(names, rows, "net", "net chips per hand", about)
    best = max(rows, key=lambda row: row["net"])
    n_players = results["n_players"]
    set_title(
        figure,
        f"{_capital(best['strategy'])} wins {signed(best['net'])} chips per hand",
        f"Anaconda, {n_players} players, every deal played from all {n_players} seats",
    )
    return figure


def draw_anaconda_tournament(results: Results, about: About) -> Figure:
    """Draw what every strategy wins among players of every other one, as a table of colours."""
    names = results["strategies"]
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
    axes.set_xticks(range(n), names)
    axes.set_yticks(range(n), names)
    axes.tick_params(length=0)
    axes.set_xlabel("what all others play", fontsize=TEXT_SIZE)
    axes.set_ylabel("what the player does", fontsize=TEXT_SIZE)
    best = max(results["overall"], key=lambda row: row["net"])
    half = about.half_width * float(np.nan_to_num(number_array(results["rows"], "stderr")).max())
    set_title(
        figure,
        f"{_capital(best['strategy'])} wins most on average over the other fields ({signed(best['net'])})",
        f"Anaconda, {results['n_players']} players: net chips per hand of one player (row) among others (column);"
        f" {about.interval}s within ±{half:.2f}",
    )
    return figure


def draw_anaconda_orders(results: Results, about: About) -> Figure:
    """Draw what every order of reveal earns more than the strongest card first, with intervals."""
    rows = [row for row in results["rows"] if row["order"] != "honest"]
    names = [ORDER_WORDS[row["order"]] for row in rows]
    figure = _chips(names, rows, "gain", "gain over showing the strongest card first (chips per hand)", about)
    best = max(results["rows"], key=lambda row: row["net"])
    expected = results["expected"]
    reading = "every order alike" if expected == "random" else ORDER_WORDS[expected]
    set_title(
        figure,
        f"Revealing {ORDER_WORDS[best['order']]} earns most",
        f"One {results['strategy']} player among {results['n_players'] - 1} who expect {reading}, on the same deals",
    )
    return figure


def _chips(names: list[str], rows: Any, key: str, label: str, about: About) -> Figure:
    """Horizontal bars of chips with intervals."""
    figure, (axes,) = new_chart(1.7 + 0.34 * len(rows))
    places = np.arange(1, len(rows) + 1)
    value = number_array(rows, key)
    stderr = np.nan_to_num(number_array(rows, "stderr" if key == "net" else f"{key}_stderr"))
    axes.barh(places, value, BAR_HEIGHT, **DARK)
    axes.errorbar(
        value,
        places,
        xerr=about.half_width * stderr,
        linestyle="none",
        ecolor=ink(),
        elinewidth=1.2,
        capsize=2.5,
        label=about.interval,
    )
    _write_values(axes, places, value, about.half_width * stderr)
    axes.axvline(0.0, color=ink(), linewidth=0.8)
    axes.set_yticks(places, names)
    axes.set_ylim(len(rows) + 0.6, 0.4)
    axes.margins(x=0.14)
    axes.set_xlabel(label, fontsize=TEXT_SIZE)
    add_legend(figure)
    return figure


def _write_values(axes: Axes, places: Any, value: Any, half: Any) -> None:
    for place, mean, reach in zip(places, value, half):
        is_left = mean < 0
        axes.annotate(
            signed(mean, 3),
            (mean - reach if is_left else mean + reach, place),
            (-5 if is_left else 5, 0),
            textcoords="offset points",
            ha="right" if is_left else "left",
            va="center",
            fontsize=SMALL_SIZE,
        )


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
