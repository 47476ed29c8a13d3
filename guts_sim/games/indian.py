"""The rules of Indian poker with their switches.

- I1: 52 cards, ace high, 2 to 10 players; everybody brings 100 chips, and a session is one rotation of dealers.
- I2: Ante 1 and one card each from the dealer's left; every player sees all cards but the own one.
- I3: One betting round from the dealer's left. Nothing bet: check, fold or bet 1. Facing a bet: fold, call, or raise
  by 1 if nobody has raised. After a raise all others who are active act again.
- I4: Folded chips are lost. The last player left takes the pot without showing; otherwise the highest rank among the
  active players does, and equal ranks split it.
- I5: After everyone has dealt once the highest balance wins; ties are shared.
- I6: Switches from other tables: suits ordered, more raises, the lowest card wins, Guts settlement on one card.
"""

from dataclasses import asdict, dataclass, fields, replace
from typing import Any, Literal, get_args

from guts_sim.checks import check_count, shown
from guts_sim.errors import InputError
from guts_sim.games.betting import BettingLimits

MIN_PLAYERS, MAX_PLAYERS = 2, 10
MOST_RAISES = 9
MAX_CHIPS = 10**6

Ties = Literal["split", "suits"]
Best = Literal["high", "low"]
Settlement = Literal["betting", "guts"]
Declaration = Literal["simultaneous", "sequential"]
_CHOICES = {"ties": Ties, "best": Best, "settlement": Settlement, "declaration": Declaration}


@dataclass(frozen=True)
class IndianRules:
    """Rules of one hand and of a session of Indian poker.

    Attributes
    ----------
    max_raises : int
        Raises that may follow the bet, all players together (I3, I6).
    fold_unbet : bool
        Whether a player may fold when nothing is bet (I3).
    ties : {"split", "suits"}
        Equal ranks share the pot, or spades > hearts > diamonds > clubs decide (I4, I6).
    best : {"high", "low"}
        The highest or the lowest card wins (I4, I6).
    settlement : {"betting", "guts"}
        A betting round, or everybody declares in or out and losers match the pot (I6).
    declaration : {"simultaneous", "sequential"}
        Guts settlement: all declare at once, or in turn from the dealer's left.
    bankroll : int
        Chips that every player brings to a session (I1).

    Examples
    --------
    >>> IndianRules().profile, IndianRules(max_raises=3).profile
    ('indian', 'custom')
    """

    max_raises: int = 1
    fold_unbet: bool = True
    ties: Ties = "split"
    best: Best = "high"
    settlement: Settlement = "betting"
    declaration: Declaration = "simultaneous"
    bankroll: int = 100

    def __post_init__(self) -> None:
        object.__setattr__(self, "max_raises", check_count(self.max_raises, "max_raises", 0, MOST_RAISES))
        object.__setattr__(self, "bankroll", check_count(self.bankroll, "bankroll", 1, MAX_CHIPS))
        if not isinstance(self.fold_unbet, bool):
            raise InputError(f"fold_unbet must be True or False, got {shown(self.fold_unbet)}")
        for name, kind in _CHOICES.items():
            if getattr(self, name) not in get_args(kind):
                allowed = ", ".join(get_args(kind))
                raise InputError(f"{name}: {shown(getattr(self, name))} is not allowed; choose {allowed}")
        if self.settlement == "guts" and (self.max_raises != 1 or not self.fold_unbet):
            raise InputError("settlement, max_raises, fold_unbet: with Guts settlement there is no betting round")
        if self.settlement == "betting" and self.declaration != "simultaneous":
            raise InputError("declaration, settlement: players declare in or out with settlement guts only")

    @property
    def limits(self) -> BettingLimits:
        """What the betting round allows."""
        return BettingLimits(max_raises=self.max_raises, fold_unbet=self.fold_unbet)

    @property
    def most_paid(self) -> int:
        """Most chips that a hand can cost a player: ante, bet and raises."""
        return self.limits.ante + self.limits.bet * (1 + self.max_raises)

    @property
    def profile(self) -> str:
        """``"indian"`` if every switch has its default, else ``"custom"``."""
        return "indian" if self == IndianRules() else "custom"

    def as_dict(self) -> dict[str, Any]:
        """Every switch, with the name of the profile and the number of cards first.

        Returns
        -------
        dict
        """
        return {"profile": self.profile, "game": "indian", "cards": 1} | asdict(self)

    def with_switches(self, **switches: Any) -> "IndianRules":
        """Return a copy with some switches changed.

        Parameters
        ----------
        **switches
            New values by name, for example ``max_raises=3``; see the attributes.

        Returns
        -------
        IndianRules

        Raises
        ------
        InputError
            There is no such switch, its value is not allowed, or switches do not fit together.

        Examples
        --------
        >>> IndianRules().with_switches(best="low").best
        'low'
        """
        known = [f.name for f in fields(self)]
        for name in switches:
            if name not in known:
                raise InputError(f"rules: there is no switch {shown(name)}; Indian poker has {', '.join(known)}")
        return replace(self, **switches)

    @staticmethod
    def check_players(n_players: object) -> int:
        """Return ``n_players`` if that many can play (I1).

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
        return check_count(n_players, "players", MIN_PLAYERS, MAX_PLAYERS)


def read_rules(rules: IndianRules | None, switches: dict[str, Any]) -> IndianRules:
    """Return the rules given, or the default ones, with some switches changed."""
    if rules is not None and not isinstance(rules, IndianRules):
        raise InputError(f"rules: {shown(rules)} is not allowed; give an IndianRules")
    return (rules or IndianRules()).with_switches(**switches)
