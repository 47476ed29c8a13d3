"""Chart of a sequential `threshold` answer: who enters with what, after which calls."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray

from guts_sim.plotting.about import About
from guts_sim.plotting.hand_curve import strengths_of
from guts_sim.plotting.style import BLUE, SMALL_SIZE, TEXT_SIZE, new_chart, percent, set_title, shortened

Results = Mapping[str, Any]
Rows = Sequence[Mapping[str, Any]]
BINS = 100
ROW_HEIGHT, MARGIN = 0.26, 1.9


def draw_threshold_nodes(results: Results, about: About) -> Figure:
    """Draw one bar of all hands per seat and number of players heard to be in, dark where hands enter.

    Parameters
    ----------
    results : mapping
        ``results`` of a `guts_sim.threshold` answer under sequential declaration.
    about : About
        Rules and confidence of the answer.

    Returns
    -------
    matplotlib.figure.Figure
        With a field it shows the best reply to it, else the equilibrium.
    """
    who, what = ("field", "best_reply") if "field" in results else ("equilibrium", "enter")
    all_rows = results[who]["hands"]
    nodes = [node for node in results["nodes"] if node["reach"] > 0 and any(_is_at(row, node) for row in all_rows)]
    of_nodes = [[row for row in all_rows if _is_at(row, node)] for node in nodes]
    names = sorted({row["hand"] for row in all_rows})
    strengths = strengths_of(names, about, results["cards"])
    order = {} if strengths is None else dict(zip(names, strengths.tolist()))
    figure, (axes,) = new_chart(MARGIN + ROW_HEIGHT * len(nodes))
    edges = np.linspace(0, 100, BINS + 1)
    for place, (node, rows) in enumerate(zip(nodes, of_nodes)):
        rows = sorted(rows, key=lambda row: -order.get(row["hand"], 0.0))  # else as they come, by what they gain
        shares = _mean_by_share(rows, what)
        axes.bar(edges[:-1], -0.8 * shares, 100 / BINS, place + 0.4, align="edge", color=BLUE, linewidth=0)
        axes.plot([0, 100], [place + 0.4, place + 0.4], color="0.6", linewidth=0.5)
        reach = "<0.1\u00a0%" if node["reach"] < 0.0005 else percent(node["reach"], 1)
        axes.annotate(reach, (101, place), va="center", fontsize=SMALL_SIZE, annotation_clip=False)
    comes_about = "comes about" if who == "equilibrium" else "at equilibrium"
    axes.annotate(comes_about, (101, -0.9), va="center", fontsize=SMALL_SIZE, annotation_clip=False)
    axes.set_yticks(range(len(nodes)), [f"seat {node['position']}, {node['heard']} in before" for node in nodes])
    axes.set_ylim(len(nodes) - 0.4, -1.3)
    axes.set_xlim(0, 100)
    hands = "hands at least this strong" if order else "hands that gain at least as much by entering"
    axes.set_xlabel(f"{hands} (% of all hands); height: probability of entering", fontsize=TEXT_SIZE)
    set_title(figure, *(_reply_words(results) if who == "field" else _equilibrium_words(results, about)))
    return figure


def _is_at(row: Mapping[str, Any], node: Mapping[str, Any]) -> bool:
    return (row["position"], row["heard"]) == (node["position"], node["heard"])


def _equilibrium_words(results: Results, about: About) -> tuple[str, str]:
    """Finding and detail: which seat does best, if that is clear."""
    seats = sorted(results["seats"], key=lambda row: -row["value"])
    first, second = seats[0], seats[1]
    margin = about.half_width * float(np.hypot(first["stderr"], second["stderr"]))
    is_clear = first["value"] - second["value"] > margin
    best = f"Seat {int(first['seat'])} does best" if is_clear else "No seat clearly does best"
    finding = f"{best} when {results['n_players']} players declare in turn"
    return finding, "Who has heard others enter needs a better hand; seats in the order of declaration"


def _reply_words(results: Results) -> tuple[str, str]:
    field, gain = results["field"], results["best_response"]["gain"]["value"]
    finding = (
        f"Best reply to \u201c{shortened(field['spec'])}\u201d when {results['n_players']} players declare in turn"
    )
    return finding, f"It earns {gain:.3g} pots per deal more than playing like them; seats in the order of declaration"


def _mean_by_share(rows: Rows, what: str) -> NDArray[np.float64]:
    """Mean probability of entering in each hundredth of all hands, the first rows first."""
    frequency = np.array([row["frequency"] for row in rows])
    entered = np.concatenate([[0.0], np.cumsum(frequency * [row[what] for row in rows])])
    reached = np.concatenate([[0.0], np.cumsum(frequency)]) / frequency.sum()
    shares = np.interp(np.linspace(0, 1, BINS + 1), reached, entered / frequency.sum())
    return np.asarray(np.diff(shares) * BINS)
