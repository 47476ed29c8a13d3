"""Charts of reference tables: hands against the number of players."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patheffects import withStroke
from numpy.typing import NDArray

from guts_sim.hands import class_frequencies
from guts_sim.plotting.about import About
from guts_sim.plotting.hand_curve import landmarks
from guts_sim.plotting.style import (
    BLUE,
    COLOURS,
    ORANGE,
    SMALL_SIZE,
    TEXT_SIZE,
    add_legend,
    count_word,
    new_chart,
    number_array,
    set_title,
    significant,
    unknown_errors,
)

Results = Mapping[str, Any]
FloatArray = NDArray[np.float64]

N_HANDS = 1326  # of two cards
HIGHEST_DELTA = 0.5  # colours end here, so that they tell apart what is close to the line
BEST_HANDS = 60.0
"""Share of hands, in %, below which thresholds have nothing more to show."""


def draw_threshold_table(results: Results, about: About) -> Figure:
    """Draw what entering gains over staying out, hands against players, with a line round the hands that enter.

    Parameters
    ----------
    results : mapping
        ``results`` of a `guts_sim.threshold_table` answer.
    about : About
        Rules and confidence of the answer.

    Returns
    -------
    matplotlib.figure.Figure
    """
    hands, players = results["hands"], np.array(results["players"])
    delta = np.array([row["delta"] for row in hands], np.float64)
    enters = np.array([row["enter"] for row in hands], np.float64) >= 0.5
    edges = _edges(number_array(hands, "frequency"))
    figure, (axes,) = new_chart(5.4)
    _draw_map(axes, players, edges, delta, "in minus out (pots per deal)", HIGHEST_DELTA)
    _outline(axes, players, edges, enters)
    _name_hands(axes, [row["hand"] for row in hands], edges, BEST_HANDS)
    axes.set_xlabel("players", fontsize=TEXT_SIZE)
    is_simple = (enters[1:] <= enters[:-1]).all()  # no hand enters below one that stays out
    _outline_legend(
        figure, "enters above the line" if is_simple else "edges of what enters, from the strongest hands down"
    )
    first, last = results["rows"][0], results["rows"][-1]
    set_title(
        figure,
        f"{count_word(results['cards']).capitalize()} cards: {first['threshold']} or better among"
        f" {count_word(first['n_players'])}, {last['threshold']} or better among {count_word(last['n_players'])}",
        f"What entering gains over staying out while all play the equilibrium ({_accuracy(hands, about)})",
    )
    return figure


def draw_odds_table(results: Results, about: About) -> Figure:
    """Draw the equity of every hand of two cards against the number of opponents.

    Parameters
    ----------
    results : mapping
        ``results`` of a `guts_sim.odds_table` answer.
    about : About
        Rules and confidence of the answer.

    Returns
    -------
    matplotlib.figure.Figure
    """
    rows = results["rows"]
    opponents = np.array([int(key.rpartition("_")[2]) for key in rows[0] if key != "hand"])
    equity = np.array([[row[f"against_{n}"] for n in opponents] for row in rows])
    edges = _edges(class_frequencies("guts2")[::-1] / N_HANDS)
    fair = 1.0 / (1.0 + opponents)
    figure, (axes,) = new_chart(5.4)
    _draw_map(axes, opponents, edges, 100 * equity, "equity (% of the pot)")
    _outline(axes, opponents, edges, equity >= fair)
    _name_hands(axes, [row["hand"] for row in rows], edges, 100.0)
    axes.set_xlabel("opponents at the showdown", fontsize=TEXT_SIZE)
    _outline_legend(figure, "at least the fair share above the line")
    weakest = [rows[int(np.flatnonzero(column)[-1])]["hand"] for column in (equity >= fair).T]
    set_title(
        figure,
        f"Better than a fair share: {weakest[0]} against {count_word(opponents[0])}, {weakest[-1]} against"
        f" {count_word(opponents[-1])}",
        "Equity of hands of two cards when everybody goes to the showdown (counted exactly)",
    )
    return figure


def draw_coalition_table(results: Results, about: About) -> Figure:
    """Draw what one honest player loses to all others, by the number of players.

    Parameters
    ----------
    results : mapping
        ``results`` of the table of coalitions with continuous hands.
    about : About
        Rules and confidence of the answer.

    Returns
    -------
    matplotlib.figure.Figure
    """
    rows = results["rows"]
    players = number_array(rows, "n_players")
    figure, (axes,) = new_chart(3.8)
    series = (
        ("value_at_equilibrium", "keeps to the equilibrium of an honest table", "s--", ORANGE),
        ("value", "answers the coalition best", "o-", BLUE),
    )
    for key, label, look, colour in series:
        axes.plot(players, -number_array(rows, key), look, color=colour, markersize=5, label=label)
    axes.set_ylim(bottom=0.0)
    axes.set_xticks(players)
    axes.set_xlabel("players, all but one in league", fontsize=TEXT_SIZE)
    axes.set_ylabel("loss (antes per pot of one ante each)", fontsize=TEXT_SIZE)
    last = rows[-1]
    set_title(
        figure,
        f"All against one: {-rows[0]['value']:.3f} antes a pot among {count_word(rows[0]['n_players'])},"
        f" {-last['value']:.3f} among {count_word(last['n_players'])}",
        "Loss of the honest player; continuous hands, no cards shared, exact",
    )
    add_legend(figure)
    return figure


def _edges(frequency: FloatArray) -> FloatArray:
    """Where each class begins and ends, in % of all hands that are at least as strong."""
    return 100 * np.concatenate([[0.0], np.cumsum(frequency)])


def _draw_map(
    axes: Axes,
    columns: NDArray[np.int_],
    edges: FloatArray,
    values: FloatArray,
    label: str,
    highest: float | None = None,
) -> None:
    """One column per number, one stripe per class, as high as its share of all hands; colours end at ``highest``."""
    sides = np.arange(len(columns) + 1) + columns[0] - 0.5
    mesh = axes.pcolormesh(sides, edges, values, cmap=COLOURS, vmax=highest, rasterized=True)
    bar = axes.figure.colorbar(mesh, ax=axes, pad=0.02, aspect=30, extend="neither" if highest is None else "max")
    bar.set_label(label, fontsize=TEXT_SIZE)
    bar.ax.tick_params(labelsize=SMALL_SIZE)
    bar.outline.set_visible(False)
    axes.set_xticks(columns)
    axes.set_ylabel("hands at least this strong (% of all hands)", fontsize=TEXT_SIZE)


def _outline(axes: Axes, columns: NDArray[np.int_], edges: FloatArray, inside: NDArray[np.bool_]) -> None:
    """Line between the classes inside and those outside, column by column."""
    for column, chosen in zip(columns, inside.T):
        for edge in edges[1:-1][chosen[1:] != chosen[:-1]]:
            axes.plot([column - 0.5, column + 0.5], [edge, edge], **_line())


def _line() -> dict[str, Any]:
    return {
        "color": "black",
        "linewidth": 1.6,
        "solid_capstyle": "butt",
        "path_effects": [withStroke(linewidth=3.4, foreground="white")],
    }


def _outline_legend(figure: Figure, label: str) -> None:
    handles = [Line2D([], [], label=label, **_line())]
    figure.legend(handles=handles, loc="outside lower center", fontsize=SMALL_SIZE, frameon=False)


def _name_hands(axes: Axes, names: Sequence[str], edges: FloatArray, lowest: float) -> None:
    """Name some hands along the right side; leave out what is weaker than the best ``lowest`` %."""
    axes.set_ylim(lowest, 0.0)  # the strongest on top
    side = axes.secondary_yaxis("right")
    found = [i for i in landmarks(names, edges) if edges[i] <= lowest]
    side.set_yticks([float(edges[i]) for i in found], [names[i] for i in found])
    side.tick_params(labelsize=SMALL_SIZE - 0.5, length=3, pad=1.5)
    side.spines["right"].set_visible(False)


def _accuracy(hands: Sequence[Mapping[str, Any]], about: About) -> str:
    """Say how exact the values are, and whether there are errors that nobody knows (None in saved results)."""
    stderr = np.array([row["stderr"] for row in hands], np.float64)
    known = stderr[~np.isnan(stderr)]
    unknown = unknown_errors(about.half_width * stderr)
    if not known.any():
        return f"some counted exactly{unknown}" if known.size and unknown else unknown[2:] or "counted exactly"
    half = significant(about.half_width * float(np.quantile(known, 0.99)), 1)
    return f"{about.interval}s of 99\u00a0% of the values within ±{half}{unknown}"
