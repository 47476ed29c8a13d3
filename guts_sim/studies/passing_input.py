"""Checks of what the passing studies are given."""

from collections.abc import Collection, Iterable, Mapping

from guts_sim.cards import N_CARDS, format_cards, parse_cards
from guts_sim.checks import check_count
from guts_sim.errors import InputError
from guts_sim.kernels.pass_codes import HAND_SIZE
from guts_sim.passing import PassPolicy

MOST_PLAYERS = 7
Cards = tuple[int, ...]
GivenCards = str | Iterable[str | int]
GivenPolicy = str | PassPolicy | Mapping[str, int]


def recorded_policy(given: GivenPolicy, read: PassPolicy) -> str | dict[str, int]:
    """Return the policy's name if that finds it again anywhere, else its weights."""
    if read.weights and not (isinstance(given, str) and not given.strip().lower().endswith(".csv")):
        return dict(read.weights)
    return read.name


def checked_pass(chosen: GivenCards, hand: Cards, n_cards: int) -> Cards:
    """Cards of a pass, refused if it is not ``n_cards`` of the hand."""
    try:
        cards = parse_cards(chosen, count=n_cards)
    except InputError as error:
        raise InputError(f"chosen pass: {error}") from None
    for card in cards:
        if card not in hand:
            raise InputError(f"chosen pass: {format_cards([card])} is not in the hand {format_cards(hand)}")
    return cards


def checked_dead(dead: GivenCards, hand: Cards, n_players: int) -> Cards:
    """Cards out of play, ascending; the deck must still hold a hand for everybody."""
    try:
        cards = parse_cards(dead)
    except InputError as error:
        raise InputError(f"dead: {error}") from None
    for card in cards:
        if card in hand:
            raise InputError(f"dead: {format_cards([card])} is in the hand {format_cards(hand)}")
    most = N_CARDS - len(hand) * n_players
    if len(cards) > most:
        raise InputError(f"dead: {n_players} players leave {most} cards in the deck, got {len(cards)} dead ones")
    return tuple(sorted(cards))


def checked_folded(folded: Collection[int], n_players: int) -> list[int]:
    """Seats that are out, counted to the left from the hero's; somebody else must be in."""
    seats = sorted({check_count(seat, "folded seat", 1, n_players - 1) for seat in folded})
    if len(seats) > n_players - 2:
        raise InputError(f"folded: all {n_players - 1} opponents have folded; at least one must be in")
    return seats


def anaconda_rules(passes: str) -> dict[str, str | int]:
    """What the passing studies play of Anaconda: the passes, and a showdown of everybody who is in."""
    return {"game": "anaconda", "cards": HAND_SIZE, "passes": passes, "betting": "none"}
