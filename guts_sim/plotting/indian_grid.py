"""Strategy of three players of Indian poker: a grid of the two cards seen for each of the likeliest spots."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import PolyCollection
from matplotlib.figure import Figure
from numpy.typing import NDArray

from guts_sim.errors import InputError
from guts_sim.plotting.about import About
from guts_sim.plotting.indian_looks import LABELS, LOOKS, label_of, unit_of_values
from guts_sim.plotting.style import (
    DOTS_PER_INCH,
    SMALL_SIZE,
    WIDTH,
    Chart,
    add_legend,
    percent,
    set_title,
    signed,
    tidy,
)

FloatArray = NDArray[np.float64]
Spot = tuple[str, int]
"""History and seat."""
Mix = Mapping[str, FloatArray]
"""Probability of each action by the ranks of the two cards seen, in seat order, shape (13, 13)."""

RANKS = "23456789TJQKA"
SUITS = 4
MOST_PANELS = 9
COLUMNS = 3
PANEL_HEIGHT = 2.25  # inches
HEIGHT_OF_WORDS = 1.75


def draw_grids(results: Mapping[str, Any], about: About) -> Figure:
    """Draw what three players do, by the two cards they see, where they get most often.

    Parameters
    ----------
    results : mapping
        ``results`` of a `guts_sim.indian_solve` answer for three players.
    about : About
        Rules and confidence of the answer.

    Returns
    -------
    matplotlib.figure.Figure
    """
    if any(row["seat"] is None for row in results["strategy"]):
        raise InputError(
            "nothing to draw: where suits break ties, the strategy of three players is by summaries of the cards; use"
            " the table"
        )
    mixes = _mixes(results["strategy"])
    reach = {spot: probability_of(spot, mixes) for spot in mixes}
    likeliest = set(sorted(mixes, key=lambda spot: -reach[spot])[:MOST_PANELS])
    chosen = sorted((spot for spot in mixes if spot in likeliest), key=lambda spot: (len(spot[0].split()), spot[1]))
    n_rows = -(-len(chosen) // COLUMNS)
    figure = Chart(figsize=(WIDTH, HEIGHT_OF_WORDS + PANEL_HEIGHT * n_rows), dpi=DOTS_PER_INCH, layout="constrained")
    panels = list(figure.subplots(n_rows, COLUMNS, squeeze=False).flat)
    for axes, spot in zip(panels, chosen):
        _draw_grid(axes, spot, mixes[spot], reach[spot])
    for axes in panels[len(chosen) :]:
        axes.set_visible(False)
    unit = unit_of_values(results["strategy"])
    values = ", ".join(signed(value, 3) for value in results["value"])
    left_out = "" if len(chosen) == len(mixes) else f" The {len(chosen)} likeliest of {len(mixes)} spots."
    set_title(
        figure,
        f"Three players: the seats are worth {values} {unit}",
        "A cell's colours are the probabilities of the actions, by the cards on the others' foreheads."
        f"{left_out} All gains by deviating add up to {results['nash_conv']:.3f} {unit.partition(' above')[0]}.",
    )
    add_legend(figure)
    return figure


def _mixes(rows: Sequence[Mapping[str, Any]]) -> dict[Spot, dict[str, FloatArray]]:
    """Read the strategy: for every spot the probability of each action by the two cards seen."""
    mixes: dict[Spot, dict[str, FloatArray]] = {}
    for row in rows:
        mix = mixes.setdefault((row["history"], row["seat"]), {})
        table = mix.setdefault(row["action"], np.zeros((len(RANKS), len(RANKS))))
        first, second = (RANKS.index(card) for card in row["sees"].split())
        table[first, second] = row["prob"]
    return mixes


@cache
def deal_weights() -> FloatArray:
    """Probability of the ranks that three players hold, shape (13, 13, 13)."""
    left = np.zeros((len(RANKS),) * 3)
    for ranks in np.ndindex(left.shape):
        left[ranks] = np.prod([SUITS - ranks[:seat].count(rank) for seat, rank in enumerate(ranks)])
    weights: FloatArray = left / left.sum()
    weights.setflags(write=False)  # one array serves all spots
    return weights


def probability_of(spot: Spot, mixes: Mapping[Spot, Mix]) -> float:
    """How often play gets to a spot: the probability of all actions on the way, over all deals."""
    history, _ = spot
    actor = dict(list(mixes))  # the seat of each history
    actions = history.split()
    at_spot = deal_weights()
    for length, action in enumerate(actions):
        past = " ".join(actions[:length])
        # An axis of length 1 for the actor's own card, which does not matter to him.
        at_spot = at_spot * np.expand_dims(mixes[past, actor[past]][action], actor[past] - 1)
    return float(at_spot.sum())


def _draw_grid(axes: Axes, spot: Spot, mix: Mix, reach: float) -> None:
    """Divide every cell between the actions, fold below and raise on top."""
    history, seat = spot
    tidy(axes)
    bottom = np.zeros((len(RANKS), len(RANKS)))
    for word, _ in LABELS:
        for action in (name for name in mix if LOOKS[name] is LOOKS[word]):
            cells = [
                _rectangle(column, row + bottom[column, row], float(mix[action][column, row]))
                for column, row in np.ndindex(bottom.shape)
                if mix[action][column, row] > 0.0
            ]
            axes.add_collection(PolyCollection(cells, label=label_of(action), **LOOKS[action]))
            bottom += mix[action]
    first, second = (other for other in (1, 2, 3) if other != seat)
    ticks, names = range(0, len(RANKS), 2), RANKS[::2]
    for axis, other in ((axes.xaxis, first), (axes.yaxis, second)):
        axis.set_ticks([tick + 0.5 for tick in ticks], list(names))
        axis.set_label_text(f"card of seat {other}", fontsize=SMALL_SIZE)
        axis.labelpad = 1
    axes.tick_params(length=2, pad=1.5, labelsize=SMALL_SIZE - 1)
    axes.set(xlim=(0, len(RANKS)), ylim=(0, len(RANKS)), aspect="equal")
    where = f"seat {seat} after {history}" if history else f"seat {seat}"
    axes.set_title(f"{where}\n{percent(reach, 1)} of deals", loc="left", fontsize=SMALL_SIZE - 0.5)


def _rectangle(left: float, bottom: float, height: float) -> list[tuple[float, float]]:
    return [(left, bottom), (left + 1, bottom), (left + 1, bottom + height), (left, bottom + height)]
