"""Rank and compare given hands; count all hands of a size by category."""

from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import combinations
from math import comb
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from guts_sim.cards import N_CARDS, format_card, format_cards, listed_counts, parse_cards
from guts_sim.errors import InputError
from guts_sim.hands import (
    Ranking,
    class_names,
    default_ranking,
    describe_hand,
    get_ranking,
    hand_category,
    hand_class,
    hand_classes,
    rank_hands,
)
from guts_sim.hands.keys import slot_tables
from guts_sim.interruption import interruptible

if TYPE_CHECKING:
    import pandas as pd

Cards = str | Iterable[str | int]


@dataclass(frozen=True)
class RankedHand:
    """What one hand is worth.

    Attributes
    ----------
    cards : str
        The hand's own cards, without the board.
    category : str
        Kind of hand, for example ``"pair"``.
    name : str
        Class name (``99K``) for hands of up to three cards, otherwise a description in words.
    description : str
        The hand in words.
    hand_rank : int
        Strength; larger is stronger. Comparable within one ranking.
    hand_class : int or None
        Dense index of equal hands, 0 the weakest; None where the ranking has no list of classes.
    """

    cards: str
    category: str
    name: str
    description: str
    hand_rank: int
    hand_class: int | None

    @property
    def rows(self) -> list[dict[str, Any]]:
        """One row: cards, category, name and hand_rank."""
        keys = ("cards", "category", "name", "hand_rank")
        return [{key: getattr(self, key) for key in keys}]

    @property
    def frame(self) -> "pd.DataFrame":
        """The row as a table."""
        return _frame(self.rows)


@dataclass(frozen=True)
class Comparison:
    """Outcome of a showdown.

    Attributes
    ----------
    ranking : str
        Name of the ranking.
    board : str
        Cards that all hands share, may be empty.
    winners : tuple of int
        0-based positions of the strongest hands, in ascending order.
    hands : tuple of RankedHand
        The hands in the order given.
    """

    ranking: str
    board: str
    winners: tuple[int, ...]
    hands: tuple[RankedHand, ...]

    @property
    def rows(self) -> list[dict[str, Any]]:
        """One row per hand: cards, category, name and hand_rank."""
        return [row for hand in self.hands for row in hand.rows]

    @property
    def frame(self) -> "pd.DataFrame":
        """The rows as a table."""
        return _frame(self.rows)


@dataclass(frozen=True)
class FrequencyTable:
    """How many of all hands of a size fall into each category.

    Attributes
    ----------
    ranking : str
        Name of the ranking.
    n_cards : int
        Cards per hand.
    n_hands : int
        Number of hands: all sets of ``n_cards`` out of 52 cards.
    n_classes : int
        Number of different strengths that occur.
    rows : list of dict
        ``{category, hands, probability}`` per category that occurs, the strongest first.
    class_counts : ndarray of int64
        Number of hands of each class of the ranking, the weakest first, zeros included; for rankings
        without a list of classes, of each strength that occurs.
    """

    ranking: str
    n_cards: int
    n_hands: int
    n_classes: int
    rows: list[dict[str, Any]]
    class_counts: npt.NDArray[np.int64] = field(compare=False, repr=False)

    @property
    def frame(self) -> "pd.DataFrame":
        """The rows as a table."""
        return _frame(self.rows)


@interruptible
def rank_hand(cards: Cards, ranking: str | Ranking = "guts3") -> RankedHand:
    """Name one hand and give its strength.

    Parameters
    ----------
    cards : str or sequence of (str or int)
        The hand; see `guts_sim.cards.parse_cards`.
    ranking : str or Ranking
        Order of hands; see `guts_sim.hands.get_ranking`.

    Returns
    -------
    RankedHand

    Raises
    ------
    InputError
        If the cards cannot be read, repeat, or are too many or too few for the ranking.

    Examples
    --------
    >>> hand = rank_hand("9s Kh 9d")
    >>> hand.name, hand.description
    ('99K', 'pair of nines, king kicker')
    """
    ranking = get_ranking(ranking)
    return _ranked(parse_cards(cards, count=ranking.hand_sizes), (), ranking)


@interruptible
def compare_hands(
    hands: Sequence[Cards], ranking: str | Ranking = "guts3", *, board: Cards | None = None
) -> Comparison:
    """Find the winners of a showdown.

    Parameters
    ----------
    hands : sequence of hands
        Each as text or as a sequence of cards; see `guts_sim.cards.parse_cards`.
    ranking : str or Ranking
        Order of hands; see `guts_sim.hands.get_ranking`.
    board : str or sequence of (str or int), optional
        Cards that belong to every hand.

    Returns
    -------
    Comparison
        Several winners share equally: suits break no ties here.

    Raises
    ------
    InputError
        If there is no hand, cards cannot be read, a card is in two places, or a hand with the board is
        too large or too small for the ranking. Exposed cards compare only with equally many others.

    Examples
    --------
    >>> compare_hands(["As Kd Qc", "2h 2d 3c"]).winners
    (0,)
    >>> compare_hands(["8d Qc", "8c Qs"], "high5", board="9s 2h 6d 7s 4c").winners
    (0, 1)
    """
    ranking = get_ranking(ranking)
    if isinstance(hands, str) or len(hands) == 0:
        raise InputError(f"hands must be a sequence of at least one hand, got {hands!r}")
    shared = () if board is None else parse_cards(board)
    parsed = [parse_cards(hand) for hand in hands]
    _check_sizes(parsed, len(shared), ranking)
    _check_places(parsed, shared)
    ranked = tuple(_ranked(own, shared, ranking) for own in parsed)
    best = max(hand.hand_rank for hand in ranked)
    winners = tuple(position for position, hand in enumerate(ranked) if hand.hand_rank == best)
    return Comparison(ranking.name, format_cards(shared), winners, ranked)


@interruptible
def frequency_table(n_cards: int = 3, ranking: str | Ranking | None = None, *, n_threads: int = 1) -> FrequencyTable:
    """Count all hands of a size by category, one by one.

    Parameters
    ----------
    n_cards : int
        Cards per hand.
    ranking : str or Ranking, optional
        Order of hands; by default ``high1``, ``guts2``, ``guts3``, ``exposed`` (four cards) or ``high5``
        by the number of cards.
    n_threads : int
        Threads that share the work from five cards on; the result does not depend on it.

    Returns
    -------
    FrequencyTable

    Raises
    ------
    InputError
        If the ranking does not rank hands of that size, or a number is out of range.

    Notes
    -----
    The 133,784,560 hands of seven cards take one to two seconds.

    Examples
    --------
    >>> table = frequency_table(3)
    >>> [(row["category"], row["hands"]) for row in table.rows][:3]
    [('straight flush', 48), ('trips', 52), ('straight', 720)]
    >>> table.n_hands, table.n_classes
    (22100, 741)
    """
    n_cards = _checked_int("n_cards", n_cards, 1, 7)
    n_threads = _checked_int("n_threads", n_threads, 1, 256)
    ranking = default_ranking(n_cards) if ranking is None else get_ranking(ranking)
    if n_cards not in ranking.hand_sizes:
        raise InputError(f"ranking {ranking} is for {listed_counts(ranking.hand_sizes)}, not for {n_cards}")
    if n_cards >= 5:
        counts, categories = _count_five_card_classes(n_cards, ranking, n_threads)
    else:
        counts, categories = _count_small_hands(n_cards, ranking)
    n_hands = comb(N_CARDS, n_cards)
    by_category = np.bincount(categories, weights=counts, minlength=len(ranking.categories)).astype(np.int64)
    rows = [
        {"category": category, "hands": int(hands), "probability": int(hands) / n_hands}
        for category, hands in zip(ranking.categories[::-1], by_category[::-1])
        if hands
    ]
    counts.flags.writeable = False
    return FrequencyTable(ranking.name, n_cards, n_hands, int(np.count_nonzero(counts)), rows, counts)


def _ranked(own: tuple[int, ...], shared: tuple[int, ...], ranking: Ranking) -> RankedHand:
    cards = np.array(own + shared, dtype=np.uint8)
    index = None if ranking.n_classes is None else int(hand_class(cards, ranking))
    description = describe_hand(cards, ranking)
    named = ranking.family == "table" and index is not None
    return RankedHand(
        cards=format_cards(own),
        category=ranking.categories[hand_category(cards, ranking)],
        name=class_names(ranking)[index] if named and index is not None else description,
        description=description,
        hand_rank=int(rank_hands(cards, ranking)),
        hand_class=index,
    )


def _check_sizes(hands: list[tuple[int, ...]], n_shared: int, ranking: Ranking) -> None:
    for position, hand in enumerate(hands):
        if len(hand) + n_shared not in ranking.hand_sizes:
            board = f" and {n_shared} on the board" if n_shared else ""
            raise InputError(
                f"ranking {ranking} needs {listed_counts(ranking.hand_sizes)}, "
                f"hand {position} has {len(hand)}{board}: {format_cards(hand)!r}"
            )
        if ranking.family == "exposed" and len(hand) != len(hands[0]):
            raise InputError(
                f"exposed hands need equally many cards: hand 0 has {len(hands[0])}, hand {position} has {len(hand)}"
            )


def _check_places(hands: list[tuple[int, ...]], shared: tuple[int, ...]) -> None:
    """Refuse a card that lies in two places."""
    place = dict.fromkeys(shared, "on the board")
    for position, hand in enumerate(hands):
        for card in hand:
            if card in place:
                raise InputError(f"card {format_card(card)} is {place[card]} and in hand {position}")
        place.update(dict.fromkeys(hand, f"in hand {position}"))


def _checked_int(name: str, value: int, least: int, most: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or not least <= value <= most:
        raise InputError(f"{name} must be a whole number from {least} to {most}, got {value!r}")
    return int(value)


def _count_small_hands(n_cards: int, ranking: Ranking) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.uint8]]:
    """Hands per class, or per strength that occurs, and the category of each."""
    hands = np.array(list(combinations(range(N_CARDS), n_cards)), dtype=np.uint8)
    ranks = rank_hands(hands, ranking, check=False)
    _, first, counts = np.unique(ranks, return_index=True, return_counts=True)
    categories = hand_category(hands[first], ranking, check=False)
    return counts.astype(np.int64), categories


def _count_five_card_classes(
    n_cards: int, ranking: Ranking, n_threads: int
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.uint8]]:
    """Hands per class, and the category of each class."""
    from guts_sim.kernels.enumerate import count_hands

    slots = slot_tables(ranking)

    def count_from(lowest_card: int) -> npt.NDArray[np.int64]:
        counts = np.zeros(slots.classes.size, dtype=np.int64)
        count_hands(n_cards, lowest_card, lowest_card + 1, ranking.low, slots.bases, slots.kickers, counts)
        return counts

    with ThreadPoolExecutor(n_threads) as pool:
        per_slot = sum(pool.map(count_from, range(N_CARDS)), np.zeros(slots.classes.size, dtype=np.int64))
    classes = hand_classes(ranking)
    counts = np.zeros(len(classes), dtype=np.int64)
    np.add.at(counts, slots.classes, per_slot)
    place = {category: index for index, category in enumerate(ranking.categories)}
    return counts, np.array([place[item.category] for item in classes], dtype=np.uint8)


def _frame(rows: list[dict[str, Any]]) -> "pd.DataFrame":
    import pandas as pd

    return pd.DataFrame(rows)
