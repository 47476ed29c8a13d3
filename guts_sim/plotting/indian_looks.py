"""How the actions of Indian poker look, in all charts."""

from collections.abc import Mapping, Sequence
from typing import Any

from guts_sim.plotting.style import DARK, LIGHT, STRIPED

LOOKS: Mapping[str, Mapping[str, Any]] = {
    "fold": STRIPED,
    "out": STRIPED,
    "check": LIGHT,
    "call": LIGHT,
    "bet": DARK,
    "raise": DARK,
    "in": DARK,
}
LABELS = (("fold", "fold (or out)"), ("check", "check or call"), ("bet", "bet or raise (or in)"))
"""One action of each look, and what to call all that look like it."""


def label_of(action: str) -> str:
    """Name of all actions that look like this one."""
    return next(label for word, label in LABELS if LOOKS[word] is LOOKS[action])


def unit_of_values(strategy: Sequence[Mapping[str, Any]]) -> str:
    """Unit in which a solved game is valued: hands are bet on, or declared for as in Guts."""
    declares = any(row["action"] in ("in", "out") for row in strategy)
    return "pots above a fair share" if declares else "chips a hand"
