"""Chart of a sequential `threshold` answer: who enters with what, after which calls."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray

from guts_sim.plotting.style import BLUE, SMALL_SIZE, TEXT_SIZE, Chart, percent, set_title, tidy

Results = Mapping[str, Any]
BINS = 100
WIDTH, ROW_HEIGHT, MARGIN = 7.2, 0.26, 1.9


def draw_threshold_nodes(results: Results) -> Figure:
    """Draw one bar of all hands per seat and number of players heard to be in, dark where hands enter.

    Parameters
    ----------
    results : mapping
        ``results`` of a `guts_sim.threshold` answer under sequential declaration.

    Returns
    -------
    matplotlib.figure.Figure
    """
    nodes = [node for node in results["nodes"] if node["reach"] > 0]
    entering = np.array([_entering_by_share(results["equilibrium"]["hands"], node) for node in nodes])
    figure = Chart(figsize=(WIDTH, MARGIN + ROW_HEIGHT * len(nodes)), dpi=200, layout="constrained")
    axes = figure.subplots()
    tidy(axes)
    edges = np.linspace(0, 100, BINS + 1)
    for row, shares in enumerate(entering):
        axes.bar(edges[:-1], 0.8 * shares, 100 / BINS, row - 0.4, align="edge", color=BLUE, linewidth=0)
        axes.plot([0, 100], [row - 0.4, row - 0.4], color="0.6", linewidth=0.5)
        reach = percent(nodes[row]["reach"], 1)
        axes.annotate(reach, (101, row), va="center", fontsize=SMALL_SIZE, annotation_clip=False)
    axes.annotate("comes about", (101, -0.9), va="center", fontsize=SMALL_SIZE, annotation_clip=False)
    axes.set_yticks(range(len(nodes)), [f"seat {node['position']}, {node['heard']} in before" for node in nodes])
    axes.set_ylim(len(nodes) - 0.5, -1.3)
    axes.set_xlim(0, 100)
    axes.set_xlabel("hands at least this strong (% of all hands); height: probability of entering", fontsize=TEXT_SIZE)
    set_title(
        axes,
        f"Seat {_best_seat(results)} does best when {results['n_players']} players declare in turn",
        "Who has heard others enter needs a better hand; seats in the order of declaration",
    )
    return figure


def _best_seat(results: Results) -> int:
    return int(max(results["seats"], key=lambda row: row["value"])["seat"])


def _entering_by_share(rows: Sequence[Mapping[str, Any]], node: Mapping[str, Any]) -> NDArray[np.float64]:
    """Mean entry probability in each hundredth of all hands, the strongest first."""
    chosen = [row for row in rows if (row["position"], row["heard"]) == (node["position"], node["heard"])]
    frequency = np.array([row["frequency"] for row in chosen])
    entered = np.concatenate([[0.0], np.cumsum(frequency * [row["enter"] for row in chosen])])
    reached = np.concatenate([[0.0], np.cumsum(frequency)]) / frequency.sum()
    shares = np.interp(np.linspace(0, 1, BINS + 1), reached, entered / frequency.sum())
    return np.asarray(np.diff(shares) * BINS)
