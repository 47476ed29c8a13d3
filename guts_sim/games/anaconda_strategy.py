"""Strategies of Anaconda as data: what a player passes, how he bets, and in which order he shows his cards."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from guts_sim.checks import read_number, read_share, shown
from guts_sim.errors import InputError
from guts_sim.kernels.anaconda_play_codes import HIDE, HONEST, LAST, SHUFFLED, UNIT

__all__ = [
    "ORDERS",
    "PRESETS",
    "AnacondaStrategy",
    "list_strategies",
    "read_anaconda_strategy",
    "seat_strategies",
]

ORDERS = {"last": LAST, "hide": HIDE, "honest": HONEST, "random": SHUFFLED}
"""Orders of reveal: strongest last; keep groups hidden; strongest first; at random."""
ORDER_WORDS = {
    "last": "strongest last",
    "hide": "groups hidden",
    "honest": "strongest first",
    "random": "at random",
}
MOST_CALL = 100.0


@dataclass(frozen=True)
class AnacondaStrategy:
    """How a player plays.

    Before every action the player estimates the chance to win against all who are in: his hand's step of strength
    against random final hands that show the same kind of cards. It is worth its *fair share* if all were alike.

    Attributes
    ----------
    name : str
        What to call it.
    passing : str
        Which cards are passed; see `guts_sim.passing.get_policy`.
    order : {"last", "hide", "honest", "random"}
        Order of reveal of the best five: the strongest card last; whatever keeps the exposed cards weakest (the
        groups stay hidden); the strongest first; or at random.
    call : float
        Calls when the chance is at least so many times the pot odds; 0 calls everything.
    strong : float
        Bets and raises from this part of the way between the fair share (0) and certainty (1) on; below 0 always,
        above 1 never.
    bluff : float
        Probability of a bet or raise with a lesser hand.
    slow : float
        Probability of checking a strong hand when nothing is bet (to raise later).
    credit : float
        Part of an opponent's hands, the weakest, that every bet or raise of his in this hand rules out.
    noise : float
        Probability of a random action, all allowed ones alike.
    """

    name: str
    passing: str = "equilibrium"
    order: str = "random"
    call: float = 1.0
    strong: float = 0.3
    bluff: float = 0.0
    slow: float = 0.0
    credit: float = 0.0
    noise: float = 0.0

    def numbers(self) -> list[int]:
        """All but the passing as the integers that are played by, in the order of the kernel's columns.

        Returns
        -------
        list of int
        """
        chances = (self.call, self.strong, self.bluff, self.slow, self.credit, self.noise)
        return [ORDERS[self.order], *(round(chance * UNIT) for chance in chances)]

    def as_dict(self) -> dict[str, Any]:
        """Every field by name.

        Returns
        -------
        dict
        """
        return asdict(self)


PRESETS = {
    strategy.name: strategy
    for strategy in (
        AnacondaStrategy("solid", call=1.1, strong=0.3, bluff=0.04, slow=0.05, credit=0.06),
        AnacondaStrategy("tight", call=1.7, strong=0.5, credit=0.1),
        AnacondaStrategy("loose", call=0.6, strong=0.25, bluff=0.05, credit=0.03),
        AnacondaStrategy("caller", call=0.0, strong=2.0),
        AnacondaStrategy("bluffer", call=0.8, strong=0.3, bluff=0.3, credit=0.04),
        AnacondaStrategy("always-raise", call=0.0, strong=-1.0),
        AnacondaStrategy("random", noise=1.0),
    )
}
"""Ready strategies by name."""
STRATEGY_SYNTAX = (
    f"{', '.join(PRESETS)}, each with changes such as tight:bluff=10%:order=honest "
    "(passing, order, call, strong, bluff, slow, credit, noise)"
)
GivenStrategy = str | Mapping[str, Any] | AnacondaStrategy
GivenStrategies = GivenStrategy | Sequence[GivenStrategy]
_CHANCES = ("bluff", "slow", "credit", "noise")


def read_anaconda_strategy(spec: GivenStrategy) -> AnacondaStrategy:
    """Read a strategy: a preset, with changes after colons.

    Parameters
    ----------
    spec : str, mapping or AnacondaStrategy
        Such as ``"solid"`` or ``"tight:bluff=10%:order=honest"``; a mapping holds every field.

    Returns
    -------
    AnacondaStrategy

    Raises
    ------
    InputError
        There is no such preset, field or value.

    Examples
    --------
    >>> read_anaconda_strategy("tight:bluff=10%:order=honest").bluff
    0.1
    """
    if isinstance(spec, AnacondaStrategy):
        return _checked(spec)
    if isinstance(spec, Mapping) and set(spec) == set(AnacondaStrategy.__dataclass_fields__):
        return _checked(AnacondaStrategy(**spec))
    if not isinstance(spec, str):
        raise InputError(f"strategy: {shown(spec)} is not allowed; give {STRATEGY_SYNTAX}")
    preset, *changes = [part.strip() for part in spec.split(":")]
    if preset not in PRESETS:
        raise InputError(f"strategy: there is no {shown(preset)}; choose {STRATEGY_SYNTAX}")
    given: dict[str, Any] = {}
    for change in changes:
        name, equals, value = (part.strip() for part in change.partition("="))
        if not equals or name not in AnacondaStrategy.__dataclass_fields__ or name == "name":
            raise InputError(f"strategy: {shown(change)} not understood; choose {STRATEGY_SYNTAX}")
        given[name] = value if name in ("passing", "order") else _number(name, value)
    name = ":".join([preset, *(change.replace(" ", "") for change in changes)])
    return _checked(replace(PRESETS[preset], name=name, **given))


def list_strategies(given: GivenStrategies) -> list[GivenStrategy]:
    """Take apart strategies that are separated by commas or listed.

    Parameters
    ----------
    given : str, strategy or sequence of these
        Such as ``"solid,tight"``.

    Returns
    -------
    list
        Strategies as they were given, not yet read.

    Raises
    ------
    InputError
        It is none of these.
    """
    if isinstance(given, str):
        return list(given.split(","))
    if isinstance(given, AnacondaStrategy | Mapping):
        return [given]
    if not isinstance(given, Sequence):
        raise InputError(f"strategies: {shown(given)} is not allowed; give {STRATEGY_SYNTAX}")
    return list(given)


def seat_strategies(given: GivenStrategies, n_players: int) -> list[AnacondaStrategy]:
    """One strategy for everybody, or one for each player.

    Parameters
    ----------
    given : str, strategy or sequence of these
        One, or as many as there are players.
    n_players : int
        Players at the table.

    Returns
    -------
    list of AnacondaStrategy
        One for each player.

    Raises
    ------
    InputError
        There is no such strategy, or another number of them.
    """
    strategies = [read_anaconda_strategy(spec) for spec in list_strategies(given)]
    if len(strategies) == 1:
        strategies *= n_players
    if len(strategies) != n_players:
        raise InputError(f"strategies: one for all or one for each of {n_players} players, got {len(strategies)}")
    return strategies


def _number(name: str, text: str) -> float:
    value = read_share(text) if name in _CHANCES else read_number(text)
    if value is None:
        wanted = "a number from 0 to 1 or a percentage" if name in _CHANCES else "a number"
        raise InputError(f"strategy: {name} must be {wanted}, got {shown(text)}")
    return float(value)


def _checked(strategy: AnacondaStrategy) -> AnacondaStrategy:
    if strategy.order not in ORDERS:
        raise InputError(f"strategy: order {shown(strategy.order)} is not allowed; choose {', '.join(ORDERS)}")
    if not 0.0 <= strategy.call <= MOST_CALL or not -1.0 <= strategy.strong <= 2.0:
        raise InputError(f"strategy {strategy.name}: call goes from 0 to {MOST_CALL:g}, strong from -1 to 2")
    for name in _CHANCES:
        if not 0.0 <= getattr(strategy, name) <= 1.0:
            raise InputError(f"strategy {strategy.name}: {name} goes from 0 to 1")
    return strategy
