"""A quantity per hand class, laid out by the share of hands that are at least as strong.

Under some rules hands have no order of their own: a card that is passed or shared, say. Those are laid out by what
entering gains.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray

from guts_sim.hands import class_names
from guts_sim.plotting.about import About
from guts_sim.plotting.style import DARK, LIGHT, SMALL_SIZE, STRIPED, ink, number_array

FloatArray = NDArray[np.float64]
BoolArray = NDArray[np.bool_]

SUITS = "cdhs"
LANDMARK_GAP = 4.5
"""Least distance between two named hands on the upper axis, in % of hands."""

NOTICEABLE = 0.01
"""Entry probability below which a chart does not dwell on a hand."""


@dataclass(frozen=True, eq=False)
class HandCurve:
    """Values of all hand classes, the strongest first, or those that gain most by entering.

    Attributes
    ----------
    names : list of str
        Hand classes.
    edges : ndarray of float64, shape (n_classes + 1,)
        Class i takes up ``edges[i] .. edges[i + 1]`` % of all hands.
    delta : ndarray of float64, shape (n_classes,)
        In minus out, in pots per deal.
    half_width : ndarray of float64, shape (n_classes,)
        Half-width of the interval of ``delta``; 0 for exact values, nan if unknown.
    interval : str
        Name of that interval.
    by_strength : bool
        Whether the order is that of strength.
    enter, best_reply : ndarray of float64, shape (n_classes,)
        Entry probabilities of the field and of the best reply to it.
    """

    names: Sequence[str]
    edges: FloatArray
    delta: FloatArray
    half_width: FloatArray
    interval: str
    by_strength: bool
    enter: FloatArray
    best_reply: FloatArray

    @property
    def is_exact(self) -> bool:
        """Whether the values carry no sampling error."""
        return not self.half_width.any()  # nan counts as an error

    @property
    def is_threshold(self) -> bool:
        """Whether all hands from one on enter for certain, and all others stay out for certain."""
        return bool(np.isin(self.enter, (0.0, 1.0)).all() and (np.diff(self.enter) <= 0).all())

    @property
    def has_errors(self) -> bool:
        """Whether the sampling errors are known; too few deals tell none."""
        return bool(np.isfinite(self.half_width).any())


def hand_curve(rows: Sequence[Mapping[str, Any]], about: About, cards: int) -> HandCurve:
    """Read the rows of a `threshold` answer, for hands of so many cards."""
    strengths = strengths_of([row["hand"] for row in rows], about, cards)
    if strengths is not None:
        rows = [rows[i] for i in np.argsort(-strengths, kind="stable")]
    columns = ("frequency", "delta", "stderr", "enter", "best_reply")
    frequency, delta, stderr, enter, best_reply = (number_array(rows, c) for c in columns)
    return HandCurve(
        names=[row["hand"] for row in rows],
        edges=100 * np.concatenate([[0.0], np.cumsum(frequency)]),
        delta=delta,
        half_width=about.half_width * stderr,
        interval=about.interval,
        by_strength=strengths is not None,
        enter=enter,
        best_reply=best_reply,
    )


def strengths_of(names: Sequence[str], about: About, cards: int) -> FloatArray | None:
    """Strength of each hand under the rules, higher is better; None if the hands have no order of their own."""
    order = {name: strength for strength, name in enumerate(class_names(about.ranking(cards)))}
    classes = [name.split(" ") for name in names]  # where suits break ties, ``"KQ h"``
    if any(hand not in order or len(suit) > 1 or not set(suit) <= set(SUITS) for hand, *suit in classes):
        return None
    return np.array([order[hand] + sum((1 + SUITS.index(letter)) / 5 for letter in suit) for hand, *suit in classes])


def in_order_of(curve: HandCurve, other: HandCurve) -> HandCurve:
    """The same curve with its classes in the order of another one, so that both can share an axis."""
    place = {name: i for i, name in enumerate(curve.names)}
    order = [place[name] for name in other.names]
    columns = {name: getattr(curve, name)[order] for name in ("delta", "half_width", "enter", "best_reply")}
    return replace(curve, names=other.names, edges=other.edges, by_strength=other.by_strength, **columns)


def entering_runs(curve: HandCurve) -> list[tuple[int, int]]:
    """Ranges ``start, stop`` of consecutive classes that enter noticeably often, the strongest first."""
    runs = []
    for enters, group in groupby(range(len(curve.names)), key=lambda i: bool(curve.enter[i] >= NOTICEABLE)):
        if enters:
            members = list(group)
            runs.append((members[0], members[-1] + 1))
    return runs


def fill_decisions(axes: Axes, curve: HandCurve, entry: FloatArray) -> None:
    """Fill between zero and in minus out, with one look for each of in, mixed and out."""
    entering, mixing, staying = decisions(entry)
    fill_hands(axes, curve.edges, curve.delta, entering, label="in", **DARK)
    fill_hands(axes, curve.edges, curve.delta, mixing, label="in or out at random", **LIGHT)
    fill_hands(axes, curve.edges, curve.delta, staying, label="out", **STRIPED)


def decisions(entry: FloatArray) -> tuple[BoolArray, BoolArray, BoolArray]:
    """Classes that are always in, sometimes in, never in."""
    entering, staying = entry >= 1.0, entry <= 0.0
    return entering, ~(entering | staying), staying


def fill_hands(axes: Axes, edges: FloatArray, values: FloatArray, chosen: BoolArray, **look: Any) -> None:
    """Fill from zero to the values of the chosen classes; draw nothing if none is chosen."""
    if chosen.any():
        axes.stairs(np.where(chosen, values, np.nan), edges, fill=True, **look)


def draw_band(axes: Axes, curve: HandCurve) -> None:
    """Shade the intervals of in minus out, if there are any."""
    if not (curve.half_width > 0).any():
        return
    low, high = curve.delta - curve.half_width, curve.delta + curve.half_width
    axes.stairs(
        high, curve.edges, baseline=low, fill=True, color=ink(), alpha=0.35, linewidth=0.0, label=curve.interval
    )


def name_landmarks(axes: Axes, curve: HandCurve) -> None:
    """Name some hands along the top: the strongest of each kind of hand and of each highest rank."""
    if not curve.by_strength:
        return
    upper = axes.secondary_xaxis("top")
    found = landmarks(curve.names, curve.edges)
    upper.set_xticks([float(curve.edges[i]) for i in found], [curve.names[i].split(" ")[0] for i in found])
    upper.tick_params(labelsize=SMALL_SIZE - 0.5, length=3, pad=1.5)
    upper.spines["top"].set_visible(False)


def landmarks(names: Sequence[str], edges: FloatArray) -> list[int]:
    """Classes worth naming, in order, no two closer than `LANDMARK_GAP`; ``edges`` as in `HandCurve`.

    Hands with a suffix (``AKQ-straight``) lie too close together for their long names. A new pattern of pairs goes
    before a new highest rank where there is no room for both.
    """
    kinds: dict[int, int] = {}
    tops: dict[tuple[int, str], int] = {}
    for i, name in enumerate(name.split(" ")[0] for name in names):
        if "-" not in name:
            n_ranks = len(set(name))
            kinds.setdefault(n_ranks, i)
            tops.setdefault((n_ranks, name[0]), i)
    kept: list[int] = []
    for i in [*kinds.values(), *tops.values()]:
        if all(abs(edges[i] - edges[j]) >= LANDMARK_GAP for j in kept):
            kept.append(i)
    return sorted(kept)
