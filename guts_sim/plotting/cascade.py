"""Chart of pot growth: how likely the pot is to reach each size."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, NullFormatter

from guts_sim.plotting.about import About
from guts_sim.plotting.style import (
    BLUE,
    ORANGE,
    SMALL_SIZE,
    TEXT_SIZE,
    add_legend,
    half_lengths,
    ink,
    new_chart,
    number_array,
    percent,
    set_title,
    shortened,
)

LEAST_PROBABILITY = 1e-12
RULES_OF_POWER_LAW: Mapping[str, Any] = {
    "cap": None,
    "match_limit": None,
    "pays": "all",
    "ghost": "none",
    "stakes": "credit",
    "high_low": False,
}
"""Rules under which every pot is a multiple of the last that has the same law."""
ROOM_AT_RIGHT = 5.0
"""Multiple of the antes up to which words fit at the right of a line."""
FARTHEST_CAP = 10.0
"""How many times the largest pot a cap may be to be shown."""
REASONS = {"round_limit": "were stopped at the limit of rounds", "outgrown": "were stopped because pots grew too large"}


def draw_cascade(results: Mapping[str, Any], about: About) -> Figure:
    """Draw the probability that the pot reaches each multiple of the antes, with the power law of its tail.

    Parameters
    ----------
    results : mapping
        ``results`` of a `guts_sim.cascade` answer.
    about : About
        Rules and confidence of the answer.

    Returns
    -------
    matplotlib.figure.Figure
    """
    figure, (axes,) = new_chart(4.4)
    rows = [row for row in results["peak"]["survival"] if (row["p_peak_at_least"] or 0.0) > LEAST_PROBABILITY]
    lowest = _draw_survival(axes, rows, about)
    index = results["tail_index"]
    if index is not None and len(rows) > 1 and not _is_bounded(results, about.rules):
        _draw_power_law(axes, rows, index)
    largest = max((row["multiple"] for row in rows), default=1.0)
    cap = _cap_in_antes(results, about.rules)
    if cap is not None and cap <= FARTHEST_CAP * largest:
        _mark_cap(axes, results["peak"], cap, about.rules["cap"])
        largest = max(largest, cap)
    _scale_logarithmically(axes, largest, lowest)
    axes.set_xlabel("peak of the pot (multiples of all players' antes)", fontsize=TEXT_SIZE)
    axes.set_ylabel("probability of at least this", fontsize=TEXT_SIZE)
    set_title(figure, _finding(results), _detail(results))
    add_legend(figure)
    return figure


def _draw_survival(axes: Axes, rows: Sequence[Mapping[str, Any]], about: About) -> float:
    """Draw the probabilities, sampled ones with intervals, and return the lowest that is drawn."""
    if not rows:
        words = "the cap is below the antes"
        axes.annotate(words, (0.5, 0.5), xycoords="axes fraction", ha="center", fontsize=TEXT_SIZE)
        return 1.0
    multiple, p = number_array(rows, "multiple"), number_array(rows, "p_peak_at_least")
    if len(rows) == 1:
        axes.annotate("no pot is larger than the antes", (1.0, p[0]), (8, 0), textcoords="offset points", va="center")
    if "stderr" not in rows[0]:
        axes.plot(multiple, p, "o-", color=BLUE, label="exact")
        return float(p.min())
    reach = half_lengths(rows, "p_peak_at_least", about.half_width)
    axes.errorbar(multiple, p, yerr=reach, fmt="o", color=BLUE, capsize=3, label=f"played, {about.interval}")
    ends = p - reach[0]
    return float(ends.min(where=ends > 0.0, initial=float(p.min())))


def _draw_power_law(axes: Axes, rows: Sequence[Mapping[str, Any]], index: float) -> None:
    """Draw the line that the tail follows, through the middle point."""
    multiple, middle = number_array(rows, "multiple"), rows[len(rows) // 2]
    tail = middle["p_peak_at_least"] * (multiple / middle["multiple"]) ** -index
    axes.plot(multiple, tail, linestyle="--", color=ORANGE, label=f"power law, index {index:.3g}")


def _is_bounded(results: Mapping[str, Any], rules: Mapping[str, Any]) -> bool:
    """Whether a cap or another rule keeps the pot from growing as the power law says."""
    if rules:
        return any(rules.get(name, usual) != usual for name, usual in RULES_OF_POWER_LAW.items())
    survival = results["peak"]["survival"]
    is_exact = bool(survival) and "stderr" not in survival[0]
    return results["drift"] is not None or (is_exact and survival[-1]["p_peak_at_least"] == 0.0)


def _cap_in_antes(results: Mapping[str, Any], rules: Mapping[str, Any]) -> float | None:
    """Read the cap as a multiple of all players' antes; None if there is none, or one that is below them."""
    cap = rules.get("cap")
    if cap is None or cap < results["antes"] or rules.get("high_low"):  # sizes of two pots together have no cap
        return None
    return float(cap) / float(results["antes"])


def _mark_cap(axes: Axes, peak: Mapping[str, Any], multiple: float, cap: int) -> None:
    """Draw a line at the largest pot that a cap allows, and say how many cycles get there."""
    axes.axvline(multiple, color=ink(), linewidth=1.0, linestyle=":", label=f"cap, {cap:,} chips")
    at_right = multiple > ROOM_AT_RIGHT
    axes.annotate(
        _share_at_cap(peak, cap),
        (multiple, 1.0),
        (-5 if at_right else 5, -2),
        xycoords=("data", "axes fraction"),
        textcoords="offset points",
        ha="right" if at_right else "left",
        va="top",
        fontsize=SMALL_SIZE,
    )


def _share_at_cap(peak: Mapping[str, Any], cap: int) -> str:
    """How many cycles get to the cap, if it is one of the sizes that are told."""
    counted = [row["p_peak_at_least"] for row in peak["survival"] if row["chips"] == cap]
    return f"{percent(counted[0], 1)} reach the cap" if counted and counted[0] is not None else ""


def _scale_logarithmically(axes: Axes, largest: float, lowest: float) -> None:
    """Show at least a decade both ways, and multiples as plain numbers."""
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlim(0.8, max(12.0, 1.3 * largest))
    axes.set_ylim(min(0.08, 0.3 * lowest), 1.6)
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,g}"))
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_minor_formatter(NullFormatter())


def _finding(results: Mapping[str, Any]) -> str:
    multiplier = results["expected_multiplier"]
    low, high = (results.get(end, {}).get("expected_multiplier", multiplier) for end in ("ci_low", "ci_high"))
    size = f"{results['n_players']} players: a round multiplies the pot by {multiplier:.3f} on average"
    if None in (low, high) or not (low > 1.0 or high < 1.0 or low == high):
        return f"{size}; whether it grows is not decided"
    if math.isclose(multiplier, 1.0, abs_tol=1e-12):
        return f"{size}, so it keeps its size"
    return f"{size}, so it {'grows' if multiplier > 1 else 'shrinks'}"


def _detail(results: Mapping[str, Any]) -> str:
    players = (
        f"Everybody plays {shortened(results['field']['spec'])}" if "field" in results else "Seats play differently"
    )
    return f"{players}; {_ends(results)}."


def _ends(results: Mapping[str, Any]) -> str:
    """How likely a cycle ends; where some were stopped, how many of those that were played."""
    stopped = results.get("given_up", {})
    n_stopped = sum(stopped.values())
    if not n_stopped:
        return f"a cycle ends with probability {results['p_cycle_ends']:.4g}"
    n = round(n_stopped / (1.0 - results["p_cycle_ends"]))
    reasons = [f"{stopped[name]:,} {reason}" for name, reason in REASONS.items() if stopped[name]]
    return f"of {n:,} cycles {n - n_stopped:,} were played to the end, {' and '.join(reasons)}"
