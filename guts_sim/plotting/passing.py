"""Charts of answers about passing."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from guts_sim.plotting.about import About
from guts_sim.plotting.style import (
    DARK,
    LIGHT,
    SMALL_SIZE,
    TEXT_SIZE,
    add_legend,
    count_word,
    ink,
    new_chart,
    number_array,
    percent,
    set_title,
)

BAR_HEIGHT = 0.72
INCHES_PER_BAR = 0.2
Results = Mapping[str, Any]


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
    value, stderr = scale * number_array(rows, "equity"), scale * number_array(rows, "stderr")
    _bars(axes, [row["pass"] for row in rows], value, stderr, about)
    if "n_active" in results:
        axes.axvline(scale / results["n_active"], color=ink(), linewidth=1.0, linestyle=":", label="fair share")
    axes.set_xlabel("equity (% of the pot)" if in_percent else "value (pots of the round)", fontsize=TEXT_SIZE)
    axes.set_ylabel("cards passed", fontsize=TEXT_SIZE)
    best = rows[0]
    worth = percent(best["equity"], 1) if in_percent else f"{best['equity']:+.3f} pots"
    set_title(figure, f"{results['hand']}: pass {best['pass']} ({worth})", _who(results))
    add_legend(figure)
    return figure


def draw_tournament(results: Results, about: About) -> Figure:
    """Draw how far every policy can be exploited (or, if that was not measured, all pairings), with intervals."""
    rows, key, label = results["exploitability"], "gain", "gain of a best reply (% of the pot)"
    names = [row["policy"] for row in rows]
    if not rows:
        rows, key, label = results["rows"], "equity", "equity (% of the pot)"
        names = [f"{row['policy']} among {row['field']}" for row in rows]
    figure, (axes,) = new_chart(1.9 + 0.3 * len(rows))
    values, stderr = 100 * number_array(rows, key), 100 * number_array(rows, "stderr")
    _bars(axes, names, values, stderr, about)
    for place, (value, end) in enumerate(zip(values, values + about.half_width * stderr), 1):
        at = (max(end, 0.0), place)
        axes.annotate(f"{value:.2f}", at, (5, 0), textcoords="offset points", va="center", fontsize=SMALL_SIZE)
    axes.margins(x=0.12)
    axes.set_xlabel(label, fontsize=TEXT_SIZE)
    half = about.half_width * stderr
    finding = _first(names, -values, half, "is hardest to exploit", "No policy is clearly the hardest to exploit")
    if key == "equity":
        finding = _first(names, values, half, "earns most", "None clearly earns most")
    detail = f"Pass policies among {results['n_players']} players of Anaconda who all go to the showdown"
    set_title(figure, finding[0].upper() + finding[1:], detail)
    add_legend(figure)
    return figure


def _first(names: list[str], values: Any, half: Any, claim: str, otherwise: str) -> str:
    """Claim it for the largest value, unless the interval of another reaches into its own."""
    half = np.nan_to_num(half)
    best = int(values.argmax())
    rivals = np.delete(values + half, best)
    is_clear = not rivals.size or rivals.max() < values[best] - half[best]
    return f"{names[best]} {claim}" if is_clear else otherwise


def draw_pass_hands(results: Results, about: About) -> Figure:
    """Draw how often each category comes before and after passing, and at the showdown."""
    rows = results["rows"]
    figure, (axes,) = new_chart(3.6)
    places = np.arange(1, len(rows) + 1, dtype=np.float64)
    looks = (("before", "seven cards dealt", LIGHT), ("after", "after passing", DARK))
    for shift, (key, label, look) in zip((-0.2, 0.2), looks):
        axes.barh(places + shift, 100 * number_array(rows, key), 0.38, label=label, **look)
    axes.errorbar(
        100 * number_array(rows, "winner"),
        places,
        xerr=100 * about.half_width * number_array(rows, "winner_stderr"),
        linestyle="none",
        marker="D",
        markersize=4,
        color=ink(),
        label=f"best hand of the table, {about.interval}",
        capsize=2.5,
    )
    _name_places(axes, [row["category"] for row in rows])
    axes.set_xlim(left=0.0)
    axes.set_xlabel("share of all hands; of all pots (%)", fontsize=TEXT_SIZE)
    most = max(rows, key=lambda row: row["winner"])
    finding = f"{most['category']} wins most often: {percent(most['winner'], 1)} of the pots"
    set_title(
        figure,
        finding[0].upper() + finding[1:],
        f"{results['n_players']} players who all pass by “{results['policy']}”, best five of seven",
    )
    add_legend(figure)
    return figure


def draw_exposed(results: Results, about: About) -> Figure:
    """Draw the final hand behind exposed cards, with intervals."""
    rows = [row for row in results["rows"] if row["probability"] > 0]
    figure, (axes,) = new_chart(1.9 + 0.3 * len(rows))
    names = [row["category"] for row in rows]
    _bars(axes, names, 100 * number_array(rows, "probability"), 100 * number_array(rows, "stderr"), about)
    axes.set_xlabel("probability (%)", fontsize=TEXT_SIZE)
    most = max(rows, key=lambda row: row["probability"])
    set_title(
        figure,
        f"Behind {results['exposed']}: {most['category']} in {percent(most['probability'], 1)}",
        f"Final hand of an opponent if everybody passes by “{results['policy']}”",
    )
    add_legend(figure)
    return figure


def _bars(axes: Axes, names: list[str], value: Any, stderr: Any, about: About) -> None:
    """Horizontal bars with intervals, the first on top, and their names."""
    places = np.arange(1, len(names) + 1)
    axes.barh(places, value, BAR_HEIGHT, **DARK)
    axes.errorbar(
        value,
        places,
        xerr=about.half_width * np.nan_to_num(stderr),
        linestyle="none",
        ecolor=ink(),
        elinewidth=1.2,
        capsize=2.5,
        label=about.interval,
    )
    axes.axvline(0.0, color=ink(), linewidth=0.8)
    _name_places(axes, names)


def _name_places(axes: Axes, names: list[str]) -> None:
    axes.set_yticks(range(1, len(names) + 1), names)
    axes.set_ylim(len(names) + 0.6, 0.4)


def _who(results: Results) -> str:
    others = results.get("n_active", results["n_players"]) - 1
    who = f"{count_word(others)} opponents who pass" if others > 1 else "an opponent who passes"
    return f"Every pass of this hand on the same deals, against {who} by “{results['policy']}”"
