"""What a chart says beside its numbers: under which rules they hold and how sure its intervals are."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from statistics import NormalDist
from typing import Any

from guts_sim.games.indian import IndianRules
from guts_sim.hands import Ranking, get_ranking
from guts_sim.rules import PROFILES, GutsRules

NOT_SWITCHES = ("profile", "cards", "game")
SHOWS_ITS_CAP = ("cascade", "session", "session course", "best-response")
"""Studies of whole cycles, for which the cap always matters."""


@dataclass(frozen=True)
class About:
    """Rules and confidence of the answer that is drawn.

    Attributes
    ----------
    rules : mapping
        Rule switches, as ``Result.rules``; empty if unknown.
    confidence : float
        Coverage of the answer's intervals.
    """

    rules: Mapping[str, Any] = field(default_factory=dict)
    confidence: float = 0.95

    @property
    def half_width(self) -> float:
        """Half-width of an interval in standard errors."""
        return NormalDist().inv_cdf(0.5 + self.confidence / 2)

    @property
    def interval(self) -> str:
        """Name of the intervals: ``95 % interval``."""
        return f"{100 * self.confidence:g}\u00a0% interval"

    def ranking(self, cards: int) -> Ranking:
        """Order of hands of so many cards under these rules."""
        if "straights_flushes" in self.rules:
            return GutsRules(**{name: value for name, value in self.rules.items() if name != "profile"}).ranking
        return get_ranking(f"guts{cards}")

    def note(self, command: str) -> str:
        """Name the rules that differ from the usual ones, and the cap where it matters; empty if there are none."""
        usual = self._usual()
        named = {name: value for name, value in self.rules.items() if name in usual and value != usual[name]}
        if "cap" in self.rules and ("cap" in named or command in SHOWS_ITS_CAP):
            named |= {name: self.rules[name] for name in ("cap", "reserve")}
        words = [_in_words(name, value, named) for name, value in named.items()]
        return "Rules: " + ", ".join(word for word in words if word) if any(words) else ""

    def _usual(self) -> dict[str, Any]:
        """Switches that studies take if none are given, without what says which game it is."""
        game = self.rules.get("game", "guts" if self.rules else "")
        if game == "guts":
            usual = PROFILES["home" if self.rules.get("cards") == 3 else "two-card"].as_dict()
        else:
            usual = IndianRules().as_dict() if game == "indian" else {}
        return {name: value for name, value in usual.items() if name not in NOT_SWITCHES}


def _in_words(name: str, value: Any, named: Mapping[str, Any]) -> str:
    """One switch as a player would say it."""
    if name == "cap":
        has_reserve = named.get("reserve")
        reserve = "" if has_reserve is None else f" with{'' if has_reserve else 'out'} a reserve"
        return "no cap" if value is None else f"cap {value:,}{reserve}"
    if name == "reserve":  # said with the cap
        return "" if "cap" in named else ("a reserve" if value else "no reserve")
    words = name.replace("_", " ")
    if isinstance(value, bool):
        return words if value else f"no {words}"
    return f"no {words}" if value is None else f"{words} {value}"
