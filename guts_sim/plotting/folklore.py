"""Chart of a `folklore` answer: for how many players each rule of thumb holds."""

from collections.abc import Mapping, Sequence
from typing import Any

from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from guts_sim.plotting.about import About
from guts_sim.plotting.style import BLUE, ORANGE, SMALL_SIZE, TEXT_SIZE, ink, new_chart, set_title

INCHES_PER_ROW = 0.3
MARKS: Mapping[bool, Mapping[str, Any]] = {
    True: {"marker": "o", "color": BLUE},
    False: {"marker": "x", "color": ORANGE},
}
SHORT = {
    "F1": "tens or better",
    "F2": "a pair with a face card",
    "F3": "a large pot: play tight",
    "F4": "three others are in",
    "F5": "10 to 30 antes by round 4",
    "F6": "a fivefold pot: bluffs",
    "F7": "two in league",
    "F8": "4 to 7 players",
    "F9": "a loss limit",
}
LABELS = {True: "bears the rule out", False: "contradicts it"}


def draw_folklore(results: Mapping[str, Any], about: About) -> Figure:
    """Draw a line per rule and kind of hands with a mark for each number of players.

    Parameters
    ----------
    results : mapping
        ``results`` of a `guts_sim.folklore` answer.
    about : About
        Rules and confidence of the answer.

    Returns
    -------
    matplotlib.figure.Figure
    """
    deciding = [row for row in results["findings"] if row["holds"] is not None]
    lines = list(dict.fromkeys((row["rule"], row["cards"]) for row in deciding))
    figure, (axes,) = new_chart(1.9 + INCHES_PER_ROW * len(lines))
    for place, line in enumerate(lines):
        here = [row for row in deciding if (row["rule"], row["cards"]) == line]
        for n in sorted({row["n_players"] for row in here}):
            holds = all(row["holds"] for row in here if row["n_players"] == n)
            axes.plot(n, place, linestyle="none", markersize=7, **MARKS[holds])
    axes.set_yticks(range(len(lines)), [_label(*line) for line in lines], fontsize=SMALL_SIZE)
    axes.set_ylim(len(lines) - 0.5, -0.5)
    axes.set_xticks(range(2, 11))
    axes.set_xlabel("players", fontsize=TEXT_SIZE)
    axes.grid(axis="y", color=ink(), alpha=0.15)
    detail = "A cross: at least one number that was measured contradicts the rule"
    set_title(figure, _finding(results["rules"]), detail)
    handles = [Line2D([], [], linestyle="none", label=LABELS[holds], **mark) for holds, mark in MARKS.items()]
    figure.legend(handles=handles, loc="outside lower center", ncols=2, fontsize=SMALL_SIZE, frameon=False)
    return figure


def _label(rule: str, cards: int | None) -> str:
    return f"{rule}  {SHORT[rule]}, {'any hands' if cards is None else f'{cards} cards'}"


def _finding(rules: Sequence[Mapping[str, Any]]) -> str:
    everywhere = [rule["rule"] for rule in rules if all(v == "holds" for v in rule["verdicts"].values())]
    held = f"{', '.join(everywhere)} of {len(rules)}" if everywhere else f"none of {len(rules)}"
    return f"Rules of thumb that hold wherever they were tested: {held}"
