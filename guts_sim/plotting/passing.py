"""Charts of answers about passing."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import NDArray

from guts_sim.plotting.about import About
from guts_sim.plotting.style import (
    DARK,
    LIGHT,
    ORANGE,
    SMALL_SIZE,
    TEXT_SIZE,
    add_legend,
    count_word,
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

BAR_HEIGHT = 0.72
INCHES_PER_BAR = 0.2
Results = Mapping[str, Any]
FloatArray = NDArray[np.float64]


def draw_passes(results: Results, about: About) -> Figure:
    """Draw what every pass of a hand is worth, with intervals, the best on top.

    Parameters
    ----------
    results : mapping
        ``results`` of a `guts_sim.pass_values` answer.
    about : About
        Rules and confidence of the answer.

    Returns
    -------
    matplotlib.figure.Figure
    """
    rows = results["rows"]
    figure, (axes,) = new_chart(1.6 + INCHES_PER_BAR * max(len(rows), 4))
    in_percent = results["game"] == "anaconda"
    scale = 100.0 if in_percent else 1.0
    reach = half_lengths(rows, "equity", about.half_width)
    rivals = _rivals(rows, about)
    _bars(axes, [row["pass"] for row in rows], scale * number_array(rows, "equity"), scale * reach, about, rivals)
    if "n_active" in results:
        axes.axvline(scale / results["n_active"], color=ink(), linewidth=1.0, linestyle=":", label="fair share")
    axes.set_xlabel("equity (% of the pot)" if in_percent else "value (pots of the round)", fontsize=TEXT_SIZE)
    axes.set_ylabel("cards passed", fontsize=TEXT_SIZE)
    best = rows[0]
    worth = percent(best["equity"], 1) if in_percent else f"{signed(best['equity'], 3)} pots"
    n_rivals = int(rivals.sum())
    beside = "" if n_rivals == 0 else " or one other" if n_rivals == 1 else f" or one of {count_word(n_rivals)} others"
    detail = _who(results) + unknown_errors(reach)
    set_title(figure, f"{results['hand']}: pass {best['pass']} ({worth}){beside}", detail)
    add_legend(figure)
    return figure


def _rivals(rows: Sequence[Mapping[str, Any]], about: About) -> NDArray[np.bool_]:
    """Which passes these deals cannot tell from the best; all were valued on the same ones."""
    loss, stderr = number_array(rows, "loss"), number_array(rows, "loss_stderr")
    found: NDArray[np.bool_] = ~(loss > about.half_width * stderr)  # an unknown error tells nothing
    found[0] = False
    return found


def draw_tournament(results: Results, about: About) -> Figure:
    """Draw how far every policy can be exploited (or, if that was not measured, all pairings), with intervals."""
    rows, key, label = results["exploitability"], "gain", "gain of a best reply (% of the pot)"
    names = [row["policy"] for row in rows]
    if not rows:
        rows, key, label = results["rows"], "equity", "equity (% of the pot)"
        names = [f"{row['policy']} among {row['field']}" for row in rows]
    figure, (axes,) = new_chart(1.9 + 0.3 * len(rows))
    values, reach = 100 * number_array(rows, key), 100 * half_lengths(rows, key, about.half_width)
    _bars(axes, names, values, reach, about)
    for place, (value, end) in enumerate(zip(values, values + np.nan_to_num(reach[1])), 1):
        at = (max(end, 0.0), place)
        axes.annotate(f"{value:.2f}", at, (5, 0), textcoords="offset points", va="center", fontsize=SMALL_SIZE)
    axes.margins(x=0.12)
    axes.set_xlabel(label, fontsize=TEXT_SIZE)
    finding = _first(
        names, -values, reach[::-1], "is hardest to exploit", "No policy is clearly the hardest to exploit"
    )
    if key == "equity":
        finding = _first(names, values, reach, "earns most", "None clearly earns most")
    detail = f"Pass policies among {results['n_players']} players of Anaconda who all go to the showdown"
    set_title(figure, finding[0].upper() + finding[1:], detail + unknown_errors(reach))
    add_legend(figure)
    return figure


def _first(names: list[str], values: FloatArray, reach: FloatArray, claim: str, otherwise: str) -> str:
    """Claim it for the largest value, unless the interval of another reaches into its own."""
    best = leader(values, reach)
    return otherwise if best is None else f"{names[best]} {claim}"


def draw_pass_hands(results: Results, about: About) -> Figure:
    """Draw how often each category comes before and after passing, and at the showdown."""
    rows = results["rows"]
    figure, (axes,) = new_chart(3.6)
    places = np.arange(1, len(rows) + 1, dtype=np.float64)
    looks = (("before", "seven cards dealt", LIGHT), ("after", "after passing", DARK))
    for shift, (key, label, look) in zip((-0.2, 0.2), looks):
        axes.barh(places + shift, 100 * number_array(rows, key), 0.38, label=label, **look)
    winner = 100 * number_array(rows, "winner")
    look = {"marker": "D", "markersize": 3.5, "color": ORANGE, "markeredgecolor": ink(), "markeredgewidth": 0.6}
    axes.plot(winner, places, linestyle="none", label="best hand of the table", **look)
    # Not above 100 % and not below 0 %; the rows have no ends of their own.
    reaches = [100 * _within(rows, key, about.half_width) for key in ("after", "winner")]
    after = 100 * number_array(rows, "after")
    draw_intervals(axes, after, places + 0.2, reaches[0], about.interval)
    draw_intervals(axes, winner, places, reaches[1], about.interval)
    _name_places(axes, [row["category"] for row in rows])
    axes.set_xlim(left=0.0)
    axes.set_xlabel("share of all hands; of all pots (%)", fontsize=TEXT_SIZE)
    most = max(rows, key=lambda row: row["winner"])
    finding = f"{most['category']} wins most often: {percent(most['winner'], 1)} of the pots"
    if leader(winner, reaches[1]) is None:
        finding = (
            f"no category clearly wins most often; {most['category']} has {percent(most['winner'], 1)} of the pots"
        )
    set_title(
        figure,
        finding[0].upper() + finding[1:],
        f"{results['n_players']} players who all pass by “{results['policy']}”, best five of seven"
        + unknown_errors(np.hstack(reaches)),
    )
    add_legend(figure)
    return figure


def _within(rows: Sequence[Mapping[str, Any]], key: str, half_width: float) -> FloatArray:
    """How far the intervals of probabilities reach without leaving 0 to 1."""
    p = number_array(rows, key)
    reach: FloatArray = np.minimum(half_lengths(rows, key, half_width, f"{key}_"), [p, 1.0 - p])
    return reach


def draw_exposed(results: Results, about: About) -> Figure:
    """Draw the final hand behind exposed cards, with intervals."""
    rows = [row for row in results["rows"] if row["probability"] > 0]
    figure, (axes,) = new_chart(1.9 + 0.3 * len(rows))
    names = [row["category"] for row in rows]
    reach = 100 * half_lengths(rows, "probability", about.half_width)
    _bars(axes, names, 100 * number_array(rows, "probability"), reach, about)
    axes.set_xlabel("probability (%)", fontsize=TEXT_SIZE)
    most = max(rows, key=lambda row: row["probability"])
    set_title(
        figure,
        f"Behind {results['exposed']}: {most['category']} in {percent(most['probability'], 1)}",
        f"Final hand of an opponent if everybody passes by “{results['policy']}”{unknown_errors(reach)}",
    )
    add_legend(figure)
    return figure


def _bars(
    axes: Axes,
    names: list[str],
    value: FloatArray,
    reach: FloatArray,
    about: About,
    rivals: NDArray[np.bool_] | None = None,
) -> None:
    """Horizontal bars with intervals, the first on top, and their names; rivals of the first look different."""
    places = np.arange(1, len(names) + 1)
    rivals = np.zeros(len(names), np.bool_) if rivals is None else rivals
    axes.barh(places[~rivals], value[~rivals], BAR_HEIGHT, **DARK)
    if rivals.any():
        label = "not told apart from the best"
        axes.barh(places[rivals], value[rivals], BAR_HEIGHT, label=label, **LIGHT)
    draw_intervals(axes, value, places, reach, about.interval)
    axes.axvline(0.0, color=ink(), linewidth=0.8)
    _name_places(axes, names)


def _name_places(axes: Axes, names: list[str]) -> None:
    name_ticks(axes.yaxis, range(1, len(names) + 1), [shortened(name) for name in names])
    axes.set_ylim(len(names) + 0.6, 0.4)


def _who(results: Results) -> str:
    others = results.get("n_active", results["n_players"]) - 1
    who = f"{count_word(others)} opponents who pass" if others > 1 else "an opponent who passes"
    return f"Every pass of this hand on the same deals, against {who} by “{results['policy']}”"
