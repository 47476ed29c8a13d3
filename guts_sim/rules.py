"""The rules of Guts as data: switches, profiles, and what combinations make sense.

Rule numbers (G1 ... G20) refer to docs/rules.md.
"""

from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass, fields, replace
from types import MappingProxyType
from typing import Any, Literal, get_args

import numpy as np

from guts_sim.checks import check_count, shown
from guts_sim.errors import InputError
from guts_sim.hands import Ranking, get_ranking, guts3_ranking

MIN_PLAYERS, MAX_PLAYERS = 2, 10
MAX_CHIPS = 10**12
"""Largest ante and cap: sums of pots stay far below what 64-bit integers hold."""

Ties = Literal["split", "suits"]
Declaration = Literal["simultaneous", "sequential", "blind"]
NobodyIn = Literal["hold", "reante", "weenie"]
Pays = Literal["all", "lowest"]
Stakes = Literal["credit", "table", "eliminate"]
Ghost = Literal["none", "lone", "all"]
GhostTie = Literal["player", "ghost"]


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
    ties : {"split", "suits"}
        Equal hands share, or are parted by suit: spades > hearts > diamonds > clubs (G4).
    declaration : {"simultaneous", "sequential", "blind"}
        All at once, in turn from the dealer's left, or without looking at the cards (G5, G6, G7).
    nobody_in : {"hold", "reante", "weenie"}
        Everybody out: the pot stays, every player antes again, or the best hand matches the pot (G8).
    ante : int
        Chips that each player puts into each pot when its cycle begins (G14).
    ante_every_round : bool
        Every player antes before each round, not only when a cycle begins (G10).
    pays : {"all", "lowest"}
        All losers match, or only the lowest hand that is in (G12).
    match_limit : int or None
        Most chips that one match may cost; None for no limit (G12).
    cap : int or None
        Most chips the next active pot may hold; None for no cap (G12).
    reserve : bool
        Keep what exceeds the cap for later pots. Without it the losers' payments shrink equally (G12).
    stakes : {"credit", "table", "eliminate"}
        Anyone can always pay; payments end with a player's chips; or who cannot pay in full is out (G15).
    bankroll : int or None
        Chips that every player brings, for stakes other than credit (G15).
    community : {0, 1}
        Common cards, revealed after the declarations (G17).
    pass_left : {0, 1}
        Cards that each player passes to the left before the declarations (G18).
    high_low : bool
        A second pot is played for the lowest hand (G19).
    ghost : {"none", "lone", "all"}
        A neutral hand that a lone player, or everybody who is in, has to beat (G20).
    ghost_tie : {"player", "ghost"}
        Who wins when the best hand equals the ghost's (G20).

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
    ties: Ties = "split"
    declaration: Declaration = "simultaneous"
    nobody_in: NobodyIn = "hold"
    ante: int = 1
    ante_every_round: bool = False
    pays: Pays = "all"
    match_limit: int | None = None
    cap: int | None = None
    reserve: bool = False
    stakes: Stakes = "credit"
    bankroll: int | None = None
    community: int = 0
    pass_left: int = 0
    high_low: bool = False
    ghost: Ghost = "none"
    ghost_tie: GhostTie = "player"

    def __post_init__(self) -> None:
        self._check_values()
        self._check_hands()
        self._check_money()
        self._check_variants()

    def _check_values(self) -> None:
        """Refuse values that a switch cannot have, whatever the others are; make plain ints and bools of the rest."""
        checked: dict[str, Any] = {"cards": _checked_cards(self.cards), "ante": _checked_chips("ante", self.ante)}
        checked |= {name: _checked_flag(name, getattr(self, name)) for name in _FLAGS}
        checked |= {name: _checked_choice(name, getattr(self, name)) for name in _CHOICES}
        checked |= {name: check_count(getattr(self, name), name, 0, 1) for name in ("community", "pass_left")}
        for name in ("cap", "match_limit", "bankroll"):
            if getattr(self, name) is not None:
                checked[name] = _checked_chips(name, getattr(self, name))
        for name, value in checked.items():
            object.__setattr__(self, name, value)

    def _check_hands(self) -> None:
        if self.n_showdown_cards == 2 and not self.straights_flushes:
            raise InputError(
                "straights_flushes, cards: two-card hands have none; switch it off with 3 cards or a community card"
            )
        reordered = self.trips_above_straight_flush or self.straight_below_flush
        if reordered and (self.n_showdown_cards == 2 or not self.straights_flushes):
            raise InputError(
                "trips_above_straight_flush, straight_below_flush: these orders need hands of 3 cards with"
                " straights and flushes"
            )

    def _check_money(self) -> None:
        if self.reserve and self.cap is None:
            raise InputError("reserve: a reserve collects what exceeds the cap, so it needs one; give a cap as well")
        if self.bankroll is None:
            return
        if self.stakes == "credit":
            raise InputError("bankroll, stakes: with credit anyone can always pay; choose stakes table or eliminate")
        if self.bankroll < self.ante * self.n_pots:
            least = self.ante * self.n_pots
            raise InputError(f"bankroll, ante: {self.bankroll} chips do not pay the first antes; give {least} or more")

    def _check_variants(self) -> None:
        if self.pass_left and self.declaration == "blind":
            raise InputError(
                "pass_left, declaration: a player looks at the cards to pass one, blind declares without looking"
            )
        if self.high_low and self.ties == "suits":
            raise InputError(
                "high_low, ties: no table agrees which suit would win the low pot; choose ties split with high_low"
            )
        if self.ghost_tie == "ghost" and self.ghost == "none":
            raise InputError("ghost_tie, ghost: there is no ghost to tie with; choose ghost lone or all")
        if self.ghost_tie == "ghost" and self.ties == "suits":
            raise InputError("ghost_tie, ties: by suits no hand ever ties with the ghost; choose ties split")

    @property
    def n_showdown_cards(self) -> int:
        """Cards that a hand counts at the showdown: with a community card the best three (G17)."""
        return min(3, self.cards + self.community)

    @property
    def n_pots(self) -> int:
        """Pots that are played side by side (G19)."""
        return 2 if self.high_low else 1

    @property
    def ranking(self) -> Ranking:
        """How the players' own cards compare, without any community card (G2, G3)."""
        return get_ranking("guts2") if self.cards == 2 else self.showdown_ranking

    @property
    def showdown_ranking(self) -> Ranking:
        """How hands compare at the showdown, for the pot or the high pot (G2, G3, G17)."""
        if self.n_showdown_cards == 2:
            return get_ranking("guts2")
        return guts3_ranking(
            straights_flushes=self.straights_flushes,
            trips_above_straight_flush=self.trips_above_straight_flush,
            straight_below_flush=self.straight_below_flush,
        )

    @property
    def low_ranking(self) -> Ranking:
        """How hands compare for the low pot (G19)."""
        return get_ranking(f"low{self.n_showdown_cards}")

    @property
    def profile(self) -> str:
        """Name of the profile with these switches (``home`` is dealt with 2 or 3 cards), else ``"custom"``."""
        for name, rules in PROFILES.items():
            if self == rules or (name == "home" and self == replace(rules, cards=3)):
                return name
        return "custom"

    def check_players(self, n_players: int) -> int:
        """Return ``n_players`` if these rules and one deck can serve them (G1).

        Parameters
        ----------
        n_players : int
            2 to 10.

        Returns
        -------
        int

        Raises
        ------
        InputError
            It is no such number.
        """
        try:
            return check_count(n_players, "players", MIN_PLAYERS, MAX_PLAYERS)
        except InputError:
            raise InputError(
                f"players: {shown(n_players)} is not allowed; Guts takes {MIN_PLAYERS} to {MAX_PLAYERS} players"
            ) from None

    def n_cards_dealt(self, n_players: int) -> int:
        """Cards that a round takes from the deck: the players', the ghost's and the community card (G1).

        Ten players with three cards, a ghost and a community card take 34, so every table fits the deck.

        Parameters
        ----------
        n_players : int
            Players at the table.

        Returns
        -------
        int

        Examples
        --------
        >>> GutsRules(cards=3, ghost="all", community=1).n_cards_dealt(10)
        34
        """
        return (n_players + (self.ghost != "none")) * self.cards + self.community

    def require_base(self, study: str, supports: Collection[str] = ()) -> None:
        """Refuse switches that a study does not solve, by name.

        Parameters
        ----------
        study : str
            Name of the study, for the message.
        supports : collection of str
            Switches that the study does solve, whatever their value.

        Raises
        ------
        InputError
            A switch outside ``supports`` differs from the base game: ties split, simultaneous declaration,
            all losers match in full on credit, nobody in holds or re-antes, and none of the variants.

        Examples
        --------
        >>> GutsRules(ghost="lone").require_base("odds")
        Traceback (most recent call last):
        ...
        guts_sim.errors.InputError: odds: not solved with ghost lone; allowed there is ghost none
        """
        odd = self.beyond_base(supports)
        if odd:
            given = ", ".join(f"{name} {getattr(self, name)}" for name in odd)
            wanted = ", ".join(f"{name} {' or '.join(map(str, _BASE[name]))}" for name in odd)
            raise InputError(f"{study}: not solved with {given}; allowed there is {wanted}")

    def beyond_base(self, supports: Collection[str] = ()) -> list[str]:
        """Names of the switches outside ``supports`` that differ from the base game; see `require_base`.

        Parameters
        ----------
        supports : collection of str
            Switches that may have any value.

        Returns
        -------
        list of str

        Examples
        --------
        >>> GutsRules(ghost="lone", pays="lowest").beyond_base(supports=["pays"])
        ['ghost']
        """
        return [name for name, solved in _BASE.items() if name not in supports and getattr(self, name) not in solved]

    def with_switches(self, **switches: Any) -> "GutsRules":
        """Return a copy with some switches changed.

        What has no meaning without a switch that is taken away goes with it, unless it is given too: the reserve
        with the cap, the three-card orders with the third card, ``ghost_tie`` with the ghost, and the bankroll
        with stakes that need one.

        Parameters
        ----------
        **switches
            New values by name, for example ``cards=3``; see the attributes.

        Returns
        -------
        GutsRules

        Raises
        ------
        InputError
            There is no such switch, its value is not allowed, or switches do not fit together.

        Examples
        --------
        >>> PROFILES["two-card"].with_switches(cap=None).reserve
        False
        """
        known = {f.name for f in fields(self)}
        for name in switches:
            if name not in known:
                raise InputError(f"rules: there is no switch {name!r}; known are {', '.join(sorted(known))}")
        if "cap" in switches and switches["cap"] is None:
            switches.setdefault("reserve", False)
        taken_away = "cards" in switches or "community" in switches
        if taken_away and switches.get("cards", self.cards) == 2 and not switches.get("community", self.community):
            for name, default in _THREE_CARD_DEFAULTS.items():
                switches.setdefault(name, default)
        if switches.get("ghost") == "none":
            switches.setdefault("ghost_tie", "player")
        if switches.get("stakes") == "credit":
            switches.setdefault("bankroll", None)
        return replace(self, **switches)

    def as_dict(self) -> dict[str, Any]:
        """Profile and all switches by name, for results.

        Returns
        -------
        dict

        Examples
        --------
        >>> GutsRules(cap=20).as_dict()["cap"]
        20
        """
        return {"profile": self.profile} | asdict(self)


def _checked_flag(name: str, value: object) -> bool:
    if not isinstance(value, bool | np.bool_):
        raise InputError(f"{name}: {shown(value)} is not allowed; give True or False")
    return bool(value)


def _checked_cards(value: object) -> int:
    try:
        return check_count(value, "cards", 2, 3)
    except InputError:
        raise InputError(f"cards: {shown(value)} is not allowed; Guts is dealt with 2 or 3 cards per player") from None


def _checked_chips(name: str, value: object) -> int:
    try:
        return check_count(value, name, 1, MAX_CHIPS)
    except InputError:
        raise InputError(
            f"{name}: {shown(value)} is not allowed; give a whole number of chips from 1 to {MAX_CHIPS:,}"
        ) from None


def _checked_choice(name: str, value: object) -> str:
    if not isinstance(value, str) or value not in _CHOICES[name]:
        raise InputError(f"{name}: {shown(value)} is not allowed; choose {' or '.join(_CHOICES[name])}")
    return value


_FLAGS = (
    "straights_flushes",
    "trips_above_straight_flush",
    "straight_below_flush",
    "ante_every_round",
    "reserve",
    "high_low",
)
_CHOICES = {
    "ties": get_args(Ties),
    "declaration": get_args(Declaration),
    "nobody_in": get_args(NobodyIn),
    "pays": get_args(Pays),
    "stakes": get_args(Stakes),
    "ghost": get_args(Ghost),
    "ghost_tie": get_args(GhostTie),
}
# What the studies of the base game solve, by switch.
_BASE: dict[str, tuple[Any, ...]] = {
    "ties": ("split",),
    "declaration": ("simultaneous",),
    "nobody_in": ("hold", "reante"),
    "pays": ("all",),
    "match_limit": (None,),
    "stakes": ("credit",),
    "community": (0,),
    "pass_left": (0,),
    "high_low": (False,),
    "ghost": ("none",),
}
VARIANT_SWITCHES = (*_BASE, "ghost_tie")
"""Switches beyond the base game."""
_THREE_CARD_DEFAULTS = {
    "straights_flushes": True,
    "trips_above_straight_flush": False,
    "straight_below_flush": False,
}

PROFILES: Mapping[str, GutsRules] = MappingProxyType(
    {
        "two-card": GutsRules(cards=2, nobody_in="hold", ante=1, cap=20, reserve=True),
        "home": GutsRules(cards=2, nobody_in="reante", ante=1),
    }
)
"""Ready rule sets by name (G21), read-only. ``home`` is played with 2 or 3 cards."""


def get_rules(rules: "str | GutsRules", **switches: Any) -> GutsRules:
    """Return a profile by name, or the rules given, with switches changed.

    Parameters
    ----------
    rules : str or GutsRules
        ``"two-card"``, ``"home"``, or a rule set of your own.
    **switches
        Fields of `GutsRules` to change; see `GutsRules.with_switches`.

    Returns
    -------
    GutsRules

    Raises
    ------
    InputError
        Unknown profile or switch, or switches that do not fit together.

    Examples
    --------
    >>> get_rules("home", cards=3, cap=50).cap
    50
    """
    if isinstance(rules, str):
        name = rules.strip().lower()
        if name not in PROFILES:
            raise InputError(f"rules: there is no profile {shown(rules)}; known are {', '.join(PROFILES)}")
        rules = PROFILES[name]
    if not isinstance(rules, GutsRules):
        raise InputError(f"rules: {type(rules).__name__} given; allowed is a profile name or a GutsRules")
    return rules.with_switches(**switches) if switches else rules
