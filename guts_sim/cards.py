"""Cards: codes, parsing and formatting.

A card is one small integer, ``4 * rank + suit``. Rank 0..12 is 2..A and suit 0..3 is clubs, diamonds,
hearts, spades, so cards sorted by code are sorted by rank first and by the suit tie-break second.
"""

import operator
import unicodedata
from collections.abc import Collection, Iterable
from typing import TypeVar

from guts_sim.errors import InputError

RANKS = "23456789TJQKA"
"""Rank letters in ascending order; the position is the rank code."""

SUITS = "cdhs"
"""Suit letters in ascending order (clubs, diamonds, hearts, spades); the position is the suit code."""

SUIT_SYMBOLS = "♣♦♥♠"
"""Suit symbols in the order of `SUITS`."""

N_RANKS = 13
N_SUITS = 4
N_CARDS = 52

_HOLLOW_SYMBOLS = "♧♢♡♤"
_RANK_CODES = {letter: code for code, letter in enumerate(RANKS)}
_SUIT_CODES = {
    letter: code for letters in (SUITS, SUIT_SYMBOLS, _HOLLOW_SYMBOLS) for code, letter in enumerate(letters)
}
# Only ASCII blanks separate: a no-break space or an ideographic space is reported like any other odd sign.
_SEPARATORS = frozenset(" \t\r\n\v\f,")
# Phones and chat programs append one of these to a suit symbol to choose its text or emoji look.
_VARIATION_SELECTORS = frozenset("\ufe0e\ufe0f")
_CARD_SYNTAX = "a card is a rank 2-9 T J Q K A (or 10) and then a suit c d h s, as in As or 10h"
_RANK_SYNTAX = "a rank is one of 2-9 T J Q K A (or 10)"
_SHOWN_LENGTH = 24
_Item = TypeVar("_Item", str, int, str | int)


def parse_card(text: str) -> int:
    """Read one card.

    Parameters
    ----------
    text : str
        Rank and suit, for example ``As``, ``th``, ``10h`` or ``A♠``.

    Returns
    -------
    int
        Card code 0..51.

    Raises
    ------
    InputError
        If the text is anything but exactly one card.

    Examples
    --------
    >>> parse_card("2c"), parse_card("As"), parse_card("10h") == parse_card("tH")
    (0, 51, True)
    """
    return parse_cards(text, count=1)[0]


def parse_cards(cards: str | Iterable[str | int], count: int | Collection[int] | None = None) -> tuple[int, ...]:
    """Read cards, all different, in the order given.

    Parameters
    ----------
    cards : str or iterable of (str or int)
        Text such as ``"As Kd, 10h"`` or ``"AsKd10h"``: any case, letters or suit symbols, with blanks,
        commas or nothing between cards. Or a sequence whose items are single cards, as text or code.
    count : int or collection of int, optional
        How many cards are wanted; with a collection, any of these numbers.

    Returns
    -------
    tuple of int
        Card codes 0..51.

    Raises
    ------
    InputError
        If something is not a card, a card appears twice, or the number of cards is wrong. Signs outside
        ASCII are named with their code point, since look-alikes cannot be told apart by eye.

    Examples
    --------
    >>> parse_cards("2c As")
    (0, 51)
    >>> format_cards(parse_cards("10h,j♠9C"))
    'Th Js 9c'
    >>> parse_cards(["As", 50], count=2)
    (51, 50)
    >>> parse_cards("As As")
    Traceback (most recent call last):
        ...
    guts_sim.errors.InputError: card As appears twice in 'As As'
    """
    if isinstance(cards, str):
        codes = _scan_cards(cards)
        shown = _shown(cards)
    else:
        codes = [_card_code(item) for item in _items(cards)]
        shown = f"'{format_cards(codes)}'"
    _check_distinct(codes, shown)
    if count is not None:
        _check_count(len(codes), count, shown)
    return tuple(codes)


def parse_ranks(text: str) -> tuple[int, ...]:
    """Read ranks without suits, in the order given; a rank may come up to four times.

    Parameters
    ----------
    text : str
        Ranks such as ``"K 9 4"``, ``"K,10,4"`` or ``"kT4"``.

    Returns
    -------
    tuple of int
        Rank codes 0..12 (2..A).

    Raises
    ------
    InputError
        If something is not a rank, or a rank comes more than four times.

    Examples
    --------
    >>> parse_ranks("A 10 2")
    (12, 8, 0)
    """
    ranks = []
    position = 0
    while position < len(text):
        if text[position] in _SEPARATORS:
            position += 1
            continue
        rank, after = _scan_rank(text, position)
        if rank is None:
            raise InputError(_not_understood("rank", text, position, position, _RANK_SYNTAX))
        ranks.append(rank)
        position = after
    for rank in ranks:
        if ranks.count(rank) > N_SUITS:
            raise InputError(f"rank {RANKS[rank]} comes {ranks.count(rank)} times in {_shown(text)}, at most 4 exist")
    return tuple(ranks)


def format_card(card: int) -> str:
    """Write one card code as rank and suit letter.

    Examples
    --------
    >>> format_card(51)
    'As'
    """
    code = _card_code(card)
    return RANKS[code // N_SUITS] + SUITS[code % N_SUITS]


def format_cards(cards: Iterable[int], separator: str = " ") -> str:
    """Write card codes as text that `parse_cards` reads back.

    Parameters
    ----------
    cards : iterable of int
        Card codes 0..51 (a one-dimensional array will do).
    separator : str
        What stands between two cards.

    Returns
    -------
    str
        For example ``"As Kd Th"``.

    Raises
    ------
    InputError
        If a value is not a card code.

    Examples
    --------
    >>> format_cards([51, 45, 34])
    'As Kd Th'
    """
    return separator.join(format_card(card) for card in _items(cards))


def _scan_cards(text: str) -> list[int]:
    codes = []
    position = 0
    while position < len(text):
        if text[position] in _SEPARATORS:
            position += 1
            continue
        start = position
        rank, position = _scan_rank(text, position)
        suit = _SUIT_CODES.get(_lower_ascii(text[position : position + 1]))
        if rank is None or suit is None:
            raise InputError(_not_understood("card", text, start, position, _CARD_SYNTAX))
        is_symbol = not text[position].isascii()
        position += 1
        if is_symbol and text[position : position + 1] in _VARIATION_SELECTORS:
            position += 1
        codes.append(N_SUITS * rank + suit)
    return codes


def _scan_rank(text: str, position: int) -> tuple[int | None, int]:
    """Rank code at the position, or None, and the position after it."""
    if text.startswith("10", position):
        return _RANK_CODES["T"], position + 2
    rank = _RANK_CODES.get(_upper_ascii(text[position]))
    return rank, position + (rank is not None)


def _lower_ascii(letter: str) -> str:
    return letter.lower() if letter.isascii() else letter


def _upper_ascii(letter: str) -> str:
    return letter.upper() if letter.isascii() else letter


def _not_understood(kind: str, text: str, start: int, position: int, syntax: str) -> str:
    """One line for text that cannot be read, naming an odd sign by its code point."""
    end = position
    while end < len(text) and text[end] not in _SEPARATORS:
        end += 1
    message = f"{kind} {_shown(text[start:end])} not understood"
    odd = text[position : position + 1]
    if odd and odd not in _SUIT_CODES and not (odd.isascii() and odd.isprintable()):
        message += f": {_shown(odd)} is U+{ord(odd):04X} {unicodedata.name(odd, 'without a name')}"
    return f"{message}; {syntax}"


def _shown(text: str) -> str:
    """Quote a text on one line, shortened, with unprintable signs escaped."""
    if len(text) > _SHOWN_LENGTH:
        text = text[:_SHOWN_LENGTH] + "..."
    return repr(text)


def _items(cards: Iterable[_Item]) -> list[_Item]:
    if isinstance(cards, str | bytes):
        raise InputError(f"cards must be text to parse or a sequence of cards, got {_shown(str(cards))}")
    try:
        return list(cards)
    except TypeError:
        raise InputError(f"cards must be text or a sequence of cards, got {_shown(repr(cards))}") from None


def _card_code(item: str | int) -> int:
    if isinstance(item, str):
        return parse_card(item)
    try:
        if isinstance(item, bool):
            raise TypeError
        code = operator.index(item)
    except TypeError:
        raise InputError(f"{_shown(repr(item))} is neither a card such as As nor a card code 0..51") from None
    if not 0 <= code < N_CARDS:
        raise InputError(f"card code {code} is outside 0..51")
    return code


def _check_distinct(codes: list[int], shown: str) -> None:
    seen = set()
    for code in codes:
        if code in seen:
            raise InputError(f"card {format_card(code)} appears twice in {shown}")
        seen.add(code)


def _check_count(found: int, wanted: int | Collection[int], shown: str) -> None:
    allowed = [wanted] if isinstance(wanted, int) else sorted(wanted)
    if found not in allowed:
        raise InputError(f"expected {listed_counts(allowed)}, got {found}: {shown}")


def listed_counts(counts: list[int] | tuple[int, ...]) -> str:
    """Numbers of cards in words for messages: ``5, 6 or 7 cards``."""
    *rest, last = [str(count) for count in counts]
    numbers = f"{', '.join(rest)} or {last}" if rest else last
    return f"{numbers} card" if numbers == "1" else f"{numbers} cards"
