"""Read a round that is to be settled: who is in, with which cards, for which pots."""

import json
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from guts_sim.cards import format_card, parse_cards
from guts_sim.checks import check_count, read_count
from guts_sim.errors import InputError
from guts_sim.rules import GutsRules, get_rules
from guts_sim.settlement import Contest, ShownHand, show_hand
from guts_sim.settlement.referee import ghost_plays

Cards = str | Iterable[str | int]
Hands = Mapping[str, Cards | None] | Iterable[str]
Chips = int | str | Fraction
ROLES = ("in", "high", "low", "both", "out")
FILE_KEYS = (
    *ROLES, "pot", "low_pot", "reserve_chips", "low_reserve_chips", "seats", "dealer", "stacks", "ghost_hand",
    "community_card", "whole_chips", "rules",
)  # fmt: skip

_FRACTION = re.compile(r"\d{1,30}(/\d{1,30})?", re.ASCII)
_MOST_CHIPS = 10**30


@dataclass(frozen=True)
class Player:
    """A player, what was declared, and the cards if they are known."""

    name: str
    role: str
    cards: tuple[int, ...] | None

    def is_in_for(self, pot: str) -> bool:
        """Whether the player contests the pot: ``"pot"``, ``"high pot"`` or ``"low pot"``."""
        return self.role in {"pot": ("in",), "high pot": ("high", "both"), "low pot": ("low", "both")}[pot]


def read_chips(value: object, name: str) -> Fraction:
    """Read an exact amount of at least 0: a whole number, a Fraction, or text such as ``"20/3"``.

    Examples
    --------
    >>> read_chips("20/3", "pot"), read_chips(6, "pot")
    (Fraction(20, 3), Fraction(6, 1))
    """
    try:
        if isinstance(value, str):
            amount = Fraction(value) if _FRACTION.fullmatch(value.strip()) else Fraction(read_count(value, name, 0))
        else:
            amount = value if isinstance(value, Fraction) else Fraction(check_count(value, name, 0))
        if not 0 <= amount <= _MOST_CHIPS:
            raise InputError(name)
    except (InputError, ZeroDivisionError):
        raise InputError(
            f"{name}: {_short(value)} is not allowed; give chips of 0 or more, as a number or a fraction such as 20/3"
        ) from None
    return amount


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 40 else text[:37] + "..."


def read_players(roles: Mapping[str, Hands], seats: Sequence[str] | None, n_cards: int) -> tuple[Player, ...]:
    """Players clockwise, each with one declaration; by default in the order in which they are given."""
    players: dict[str, Player] = {}
    for role, hands in roles.items():
        for name, cards in _named_hands(role, hands):
            if name in players:
                raise InputError(f"{name}: declared {players[name].role} and {role}; every player declares once")
            players[name] = Player(name, role, None if cards is None else _read_hand(name, cards, n_cards))
    if seats is None:
        return tuple(players.values())
    if isinstance(seats, str) or not isinstance(seats, Sequence):
        raise InputError(f"seats: {_short(seats)} is not allowed; list the names clockwise")
    order = [read_name("seats", name) for name in seats]
    if sorted(order) != sorted(players):
        raise InputError(f"seats: {', '.join(order)} does not name every player once; they are {', '.join(players)}")
    return tuple(players[name] for name in order)


def _named_hands(role: str, hands: Hands) -> list[tuple[str, Cards | None]]:
    if isinstance(hands, str) or not isinstance(hands, Iterable):
        raise InputError(
            f"{role}: {_short(hands)} is not allowed; give a mapping of names to cards, or a list of names"
        )
    pairs = list(hands.items()) if isinstance(hands, Mapping) else [(name, None) for name in hands]
    return [(read_name(role, name), cards) for name, cards in pairs]


def read_name(what: str, name: object) -> str:
    """Name of a player: some printable text."""
    if not isinstance(name, str) or not name.strip() or not name.isprintable():
        raise InputError(f"{what}: {_short(name)} is no name; a player's name is printable text")
    return name.strip()


def _read_hand(name: str, cards: Cards, n_cards: int | None) -> tuple[int, ...]:
    try:
        return parse_cards(cards, count=n_cards)
    except InputError as error:
        raise InputError(f"{name}: {error}") from None


def cards_in_first_hand(roles: Mapping[str, Hands]) -> int | None:
    """Size of the first hand that is given, by which the rules are chosen; None if no hand is."""
    for role, hands in roles.items():
        for name, cards in _named_hands(role, hands):
            if cards is not None:
                return len(_read_hand(name, cards, None))
    return None


def check_roles(players: Sequence[Player], rules: GutsRules) -> None:
    """Refuse declarations that the rules do not know."""
    wrong = ("in",) if rules.high_low else ("high", "low", "both")
    for player in players:
        if player.role in wrong:
            allowed = "high, low, both or out" if rules.high_low else "in or out, or switch high_low on"
            raise InputError(f"{player.name}: cannot declare {player.role} under these rules; declare {allowed}")


def check_places(players: Sequence[Player], others: Mapping[str, Sequence[int]]) -> None:
    """Refuse a card that lies in two places."""
    place: dict[int, str] = {}
    hands = {player.name: player.cards or () for player in players} | dict(others)
    for owner, cards in hands.items():
        for card in cards:
            if card in place:
                raise InputError(f"card {format_card(card)} is in two places: {place[card]} and {owner}")
            place[card] = owner


def contest_for(
    pot: str,
    amounts: tuple[Fraction, Fraction],
    players: Sequence[Player],
    rules: GutsRules,
    ghost: tuple[int, ...] | None,
    common: tuple[int, ...],
) -> Contest:
    """One pot with the hands that decide about it."""
    entered = tuple(player.is_in_for(pot) for player in players)
    low = pot == "low pot"
    shown: list[ShownHand | None] = [None] * len(players)
    for seat in _seats_that_show(entered, rules):
        cards = players[seat].cards
        if cards is None:
            raise InputError(f"{players[seat].name}: the cards are missing; the {pot} depends on them")
        _require_common(common, rules)
        shown[seat] = show_hand(cards, rules, common=common, low=low)
    spectre = None
    if ghost_plays(rules, sum(entered)):
        if ghost is None:
            raise InputError(f"ghost_hand: the ghost's cards are missing; the {pot} depends on them")
        spectre = show_hand(ghost, rules, common=common, low=low)
    return Contest(
        pot,
        *amounts,
        entered,
        tuple(None if hand is None else hand.strength for hand in shown),
        None if spectre is None else spectre.strength,
        tuple("" if hand is None else hand.text for hand in shown),
        "" if spectre is None else spectre.text,
    )


def _seats_that_show(entered: Sequence[bool], rules: GutsRules) -> list[int]:
    """Seats whose hands decide: of those in a showdown, or of all if nobody is in and the best has to match."""
    n_in = sum(entered)
    if n_in == 0:
        return list(range(len(entered))) if rules.nobody_in == "weenie" else []
    if n_in == 1 and not ghost_plays(rules, 1):
        return []
    return [seat for seat, is_in in enumerate(entered) if is_in]


def _require_common(common: tuple[int, ...], rules: GutsRules) -> None:
    if len(common) != rules.community:
        raise InputError("community_card: it is missing; the rules have a community card")


def read_extra_cards(value: Cards | None, name: str, n_cards: int, wanted: bool, switch: str) -> tuple[int, ...] | None:
    """Cards of the ghost or on the board, refused where the rules have none."""
    if value is None:
        return None
    if not wanted:
        raise InputError(f"{name}: the rules have none; choose {switch}")
    return _read_hand(name, value, n_cards)


def read_round_file(path: str | os.PathLike[str]) -> dict[str, Any]:
    """Read a round from a JSON file, as arguments of `guts_sim.settle`.

    Parameters
    ----------
    path : path-like
        One object with the keys ``in``, ``out``, ``high``, ``low``, ``both`` (names to cards, or lists of names),
        ``pot``, ``reserve_chips``, ``stacks`` and so on, and ``rules``: a profile name or an object of switches.

    Returns
    -------
    dict

    Raises
    ------
    InputError
        The file cannot be read, or holds something else.
    """
    try:
        data = json.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}") from None
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path}: no valid JSON: {error}") from None
    if not isinstance(data, dict):
        raise InputError(f"{path}: a round is one JSON object with keys such as in, out, pot and rules")
    unknown = [key for key in data if key not in FILE_KEYS]
    if unknown:
        raise InputError(f"{path}: key {unknown[0]!r} is not known; known are {', '.join(FILE_KEYS)}")
    arguments = {"players_in" if key == "in" else key: value for key, value in data.items()}
    if "pot" not in data:
        raise InputError(f"{path}: the key pot is missing; give the chips in the pot")
    if isinstance(data.get("rules"), dict):
        switches = dict(data["rules"])
        profile = switches.pop("profile", "custom")
        arguments["rules"] = get_rules(GutsRules() if profile == "custom" else profile, **switches)
    return arguments
