"""Charts of Indian poker: what to do at the table, the strategy of two players, results of sessions."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from guts_sim.errors import InputError
from guts_sim.plotting.about import About
from guts_sim.plotting.indian_grid import RANKS, draw_grids
from guts_sim.plotting.indian_looks import LOOKS, label_of, unit_of_values
from guts_sim.plotting.style import (
    DARK,
    SMALL_SIZE,
    TEXT_SIZE,
    add_legend,
    draw_intervals,
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
    unknown_errors,
)

PANEL_HEIGHT = 1.0


def draw_indian(results: Mapping[str, Any], about: About) -> Figure:
    """Draw the value of each action at the table.

    Parameters
    ----------
    results : mapping
        ``results`` of a `guts_sim.indian` answer.
    about : About
        Rules and confidence of the answer.

    Returns
    -------
    matplotlib.figure.Figure
    """
    rows = results["actions"]
    if not rows:
        raise InputError("nothing to draw: the others never act like this, so the actions have no value")
    figure, (axes,) = new_chart(1.6 + 0.4 * len(rows))
    evs = number_array(rows, "ev")
    for i, row in enumerate(rows):
        axes.barh(i, row["ev"], 0.6, **LOOKS[row["action"]])
        axes.annotate(
            signed(row["ev"], 3),
            (row["ev"], i),
            xytext=(4 if row["ev"] >= 0 else -4, 0),
            textcoords="offset points",
            ha="left" if row["ev"] >= 0 else "right",
            va="center",
            fontsize=SMALL_SIZE,
        )
    axes.set_yticks(range(len(rows)), [row["action"] for row in rows])
    axes.invert_yaxis()
    axes.axvline(0.0, color=ink(), linewidth=0.8)
    room = 0.2 * max(1.0, float(np.abs(evs).max()))
    axes.set_xlim(min(0.0, evs.min()) - room, max(0.0, evs.max()) + room)
    axes.set_xlabel("net chips of the hand", fontsize=TEXT_SIZE)
    odds = results["odds"]
    history = f" after {' '.join(results['history'])}" if results["history"] else ""
    others = ", ".join(map(shortened, dict.fromkeys(results["strategies"])))
    set_title(
        figure,
        f"You see {' '.join(results['see'])}: {results['advice']}",
        f"Seat {results['seat']} of {results['n_players']}{history}; the others play {others}. From the cards alone"
        f" yours is best {percent(odds['win'], 1)}, tied {percent(odds['tie'], 1)}, beaten {percent(odds['lose'], 1)}.",
    )
    return figure


def draw_indian_solve(results: Mapping[str, Any], about: About) -> Figure:
    """Draw the strategy: probability of each action by the card seen, or by both, a panel per history.

    Parameters
    ----------
    results : mapping
        ``results`` of a `guts_sim.indian_solve` answer for two or three players.
    about : About
        Rules and confidence of the answer.

    Returns
    -------
    matplotlib.figure.Figure
    """
    if results["n_players"] == 3:
        return draw_grids(results, about)
    if results["n_players"] > 3:
        raise InputError("nothing to draw: the strategy of more than three players has too many cases; use the table")
    rows = results["strategy"]
    spots = list(dict.fromkeys((row["history"], row["seat"]) for row in rows))
    figure, panels = new_chart(1.5 + PANEL_HEIGHT * len(spots), [1.0] * len(spots))
    for axes, (history, seat) in zip(panels, spots):
        chosen = [row for row in rows if (row["history"], row["seat"]) == (history, seat)]
        _draw_mix(axes, chosen)
        axes.annotate(
            f"seat {seat}" + (f" after {history}" if history else ""),
            (1.0, 1.0),
            xycoords="axes fraction",
            xytext=(0.0, 2.0),
            textcoords="offset points",
            ha="right",
            fontsize=SMALL_SIZE,
        )
    in_suits = len({row["sees"] for row in rows}) > len(RANKS)
    suits = "; of a rank clubs, diamonds, hearts, spades" if in_suits else ""
    panels[-1].set_xlabel(f"card on the other's forehead{suits}", fontsize=TEXT_SIZE)
    value = results["value"][0]
    set_title(
        figure,
        f"Two players: seat 1 is worth {signed(value, 4)} {unit_of_values(rows)}",
        "Probability of each action in an equilibrium; where actions are equally good, other mixes may be as well.",
    )
    add_legend(figure)
    return figure


def _draw_mix(axes: Axes, rows: Sequence[Mapping[str, Any]]) -> None:
    """Stack the probabilities of the actions over the cards."""
    seen = list(dict.fromkeys(row["sees"] for row in rows))  # ranks, or cards in suits, the weakest first
    bottom = np.zeros(len(seen))
    for action in dict.fromkeys(row["action"] for row in rows):
        prob = np.array([row["prob"] for row in rows if row["action"] == action])
        look = LOOKS[action]
        axes.bar(range(len(seen)), 100 * prob, 0.8, bottom, label=label_of(action), **look)
        bottom += 100 * prob
    ranks = list(dict.fromkeys(card[0] for card in seen))
    suits = len(seen) // len(ranks)
    axes.set_xticks([suits * place + (suits - 1) / 2 for place in range(len(ranks))], ranks)
    axes.set_yticks([0, 50, 100], ["0", "50", "100 %"])


def draw_indian_session(results: Mapping[str, Any], about: About) -> Figure:
    """Draw the net chips per session of every player, with intervals.

    Parameters
    ----------
    results : mapping
        ``results`` of a `guts_sim.indian_session` answer.
    about : About
        Rules and confidence of the answer.

    Returns
    -------
    matplotlib.figure.Figure
    """
    rows = results["players"]
    figure, (axes,) = new_chart(1.6 + 0.36 * len(rows))
    net, reach = number_array(rows, "net"), half_lengths(rows, "net", about.half_width)
    axes.barh(range(len(rows)), net, 0.6, **DARK)
    draw_intervals(axes, net, range(len(rows)), reach, about.interval)
    name_ticks(axes.yaxis, range(len(rows)), [f"{row['player']}  {shortened(row['strategy'])}" for row in rows])
    axes.invert_yaxis()
    axes.axvline(0.0, color=ink(), linewidth=0.8)
    axes.set_xlabel("net chips per session", fontsize=TEXT_SIZE)
    set_title(
        figure,
        _winner(rows, leader(net, reach)),
        f"{results['sessions']:,} sessions of {results['n_players']} hands; everybody deals once"
        f"{unknown_errors(reach)}.",
    )
    add_legend(figure)
    return figure


def _winner(rows: Sequence[Mapping[str, Any]], best: int | None) -> str:
    if best is None:
        return "No player clearly wins most"
    row = rows[best]
    return f"Player {row['player']} ({shortened(row['strategy'])}) wins most: {signed(row['net'])} chips a session"
