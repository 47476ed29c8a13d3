"""The rules of Guts as data: switches, profiles, and what combinations make sense.

Rule numbers (G1 ... G14) refer to docs/rules.md.
"""

from dataclasses import asdict, dataclass, fields, replace
from typing import Any, Literal, get_args

from guts_sim.errors import InputError
from guts_sim.hands import Ranking, get_ranking, guts3_ranking

MIN_PLAYERS, MAX_PLAYERS = 2, 10
NobodyIn = Literal["hold", "reante"]


def _check_chips(name: str, value: object) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise InputError(f"{name}: {value!r} is not allowed; give a whole number of chips, at least 1")


@dataclass(frozen=True)
class GutsRules:
    """One complete set of rules.

    Attributes
    ----------
    cards : int
        Cards per player, 2 or 3 (G1).
    straights_flushes : bool
        Three cards: straights and flushes count (G3).
    trips_above_straight_flush, straight_below_flush : bool
        Three cards: house orders of the categories (G3).
    nobody_in : {"hold", "reante"}
        Everybody out: the pot stays, or every player antes again (G8).
    ante : int
        Chips that each player puts in when a cycle begins (G14).
    cap : int or None
        Most chips the next active pot may hold; None for no cap (G12).
    reserve : bool
        Keep what exceeds the cap for later pots. Without it the losers' payments shrink equally (G12).
    ante_every_round : bool
        Every player antes before each round, not only when a cycle begins (G10).

    Examples
    --------
    >>> PROFILES["two-card"].cap
    20
    >>> PROFILES["home"].with_switches(cards=3).ranking.n_classes
    741
    """

    cards: int = 2
    straights_flushes: bool = True
    trips_above_straight_flush: bool = False
    straight_below_flush: bool = False
    nobody_in: NobodyIn = "hold"
    ante: int = 1
    cap: int | None = None
    reserve: bool = False
    ante_every_round: bool = False

    def __post_init__(self) -> None:
        if self.cards not in (2, 3) or isinstance(self.cards, bool):
            raise InputError(f"cards: {self.cards!r} is not allowed; Guts is dealt with 2 or 3 cards per player")
        if self.nobody_in not in get_args(NobodyIn):
            allowed = " or ".join(get_args(NobodyIn))
            raise InputError(f"nobody_in: {self.nobody_in!r} is not allowed; choose {allowed}")
        _check_chips("ante", self.ante)
        if self.cap is not None:
            _check_chips("cap", self.cap)
        if self.reserve and self.cap is None:
            raise InputError("reserve: a reserve collects what exceeds the cap, so it needs one; give a cap as well")
        if self.cards == 2 and not self.straights_flushes:
            raise InputError("straights_flushes: two-card hands have none; switch it off with 3 cards only")
        reordered = self.trips_above_straight_flush or self.straight_below_flush
        if reordered and (self.cards == 2 or not self.straights_flushes):
            raise InputError(
                "trips_above_straight_flush, straight_below_flush: these orders need 3 cards with straights and flushes"
            )

    @property
    def ranking(self) -> Ranking:
        """How hands compare (G2, G3)."""
        if self.cards == 2:
            return get_ranking("guts2")
        return guts3_ranking(
            straights_flushes=self.straights_flushes,
            trips_above_straight_flush=self.trips_above_straight_flush,
            straight_below_flush=self.straight_below_flush,
        )

    @property
    def profile(self) -> str:
        """Name of the profile with these switches (``home`` is dealt with 2 or 3 cards), else ``"custom"``."""
        for name, rules in PROFILES.items():
            if self == rules or (name == "home" and self == replace(rules, cards=3)):
                return name
        return "custom"

    def check_players(self, n_players: int) -> int:
        """Return ``n_players`` if these rules and one deck can serve them, else raise InputError (G1)."""
        if isinstance(n_players, bool) or not isinstance(n_players, int) or not MIN_PLAYERS <= n_players <= MAX_PLAYERS:
            raise InputError(
                f"players: {n_players!r} is not allowed; Guts takes {MIN_PLAYERS} to {MAX_PLAYERS} players"
            )
        return n_players

    def with_switches(self, **switches: Any) -> "GutsRules":
        """Return a copy with some switches changed.

        Taking the cap away (``cap=None``) takes the reserve with it unless ``reserve`` is given too, and going to
        two cards drops the three-card orders in the same way.
        """
        known = {f.name for f in fields(self)}
        for name in switches:
            if name not in known:
                raise InputError(f"rules: there is no switch {name!r}; known are {', '.join(sorted(known))}")
        if "cap" in switches and switches["cap"] is None:
            switches.setdefault("reserve", False)
        if switches.get("cards") == 2:
            for name, default in _THREE_CARD_DEFAULTS.items():
                switches.setdefault(name, default)
        return replace(self, **switches)

    def as_dict(self) -> dict[str, Any]:
        """Profile and all switches by name, for results."""
        return {"profile": self.profile} | asdict(self)


_THREE_CARD_DEFAULTS = {
    "straights_flushes": True,
    "trips_above_straight_flush": False,
    "straight_below_flush": False,
}

PROFILES: dict[str, GutsRules] = {
    "two-card": GutsRules(cards=2, nobody_in="hold", ante=1, cap=20, reserve=True),
    "home": GutsRules(cards=2, nobody_in="reante", ante=1),
}
"""Ready rule sets by name (G21). ``home`` is played with 2 or 3 cards."""


def get_rules(rules: "str | GutsRules", **switches: Any) -> GutsRules:
    """Return a profile by name, or the rules given, with switches changed.

    Parameters
    ----------
    rules : str or GutsRules
        ``"two-card"``, ``"home"``, or a rule set of your own.
    **switches
        Fields of `GutsRules` to change; see `GutsRules.with_switches`.

    Raises
    ------
    InputError
        Unknown profile or switch, or switches that do not fit together.
    """
    if isinstance(rules, str):
        name = rules.strip().lower()
        if name not in PROFILES:
            raise InputError(f"rules: there is no profile {rules!r}; known are {', '.join(PROFILES)}")
        rules = PROFILES[name]
    if not isinstance(rules, GutsRules):
        raise InputError(f"rules: {type(rules).__name__} given; allowed is a profile name or a GutsRules")
    return rules.with_switches(**switches) if switches else rules

