"""Strength, class, category and description of hands."""

from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt

from guts_sim.cards import N_CARDS, N_RANKS, N_SUITS, format_card, listed_counts, parse_cards
from guts_sim.errors import InputError
from guts_sim.hands.classes import guts_table, hand_classes
from guts_sim.hands.keys import key_categories, key_groups, keys_to_classes
from guts_sim.hands.rankings import Ranking, get_ranking

_RANK_WORDS = (
    "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace",
)  # fmt: skip


def rank_hands(cards: npt.ArrayLike, ranking: str | Ranking = "guts3", *, check: bool = True) -> Any:
    """Strength of hands: the LARGER ``hand_rank`` wins, equal ones tie.

    Parameters
    ----------
    cards : array_like of integer, shape (..., n_cards)
        Card codes 0..51, one hand along the last axis in any order; or one hand as text, ``"As Kd Qc"``.
    ranking : str or Ranking
        Order of hands; see `get_ranking`.
    check : bool
        Whether to look for cards that a hand holds twice. The number and the range of the cards are
        checked in any case.

    Returns
    -------
    ndarray of uint16 or int32, shape (...)
        uint16 and equal to the `hand_class` for rankings of one to three cards; otherwise an int32 key
        that can be compared with keys of the same ranking (``exposed``: and number of cards) only.
        A scalar for a single hand.

    Raises
    ------
    InputError
        If the cards are not card codes, are too many or too few for the ranking, or repeat in a hand.

    Notes
    -----
    Arrays of five to seven cards in Fortran order (card by card) are ranked fastest.

    Examples
    --------
    >>> rank_hands("As Kd Qc") > rank_hands("2h 2d 3c")
    np.True_
    >>> rank_hands([[48, 49], [51, 47]], "guts2")
    array([90, 77], dtype=uint16)
    """
    ranking = get_ranking(ranking)
    hands = _checked_hands(cards, ranking, check)
    if ranking.family == "table":
        return _table_ranks(hands, ranking)[()]
    return _keys(hands, ranking)[()]


def hand_class(cards: npt.ArrayLike, ranking: str | Ranking = "guts3", *, check: bool = True) -> Any:
    """Dense index of equal hands, 0 the weakest.

    Parameters
    ----------
    cards : array_like of integer, shape (..., n_cards)
        As for `rank_hands`.
    ranking : str or Ranking
        Any ranking with a finite list of classes.
    check : bool
        Whether to look for cards that a hand holds twice.

    Returns
    -------
    ndarray of uint16, shape (...)
        Position in `class_names`. A scalar for a single hand.

    Raises
    ------
    InputError
        As for `rank_hands`, or if the ranking has no list of classes.

    Examples
    --------
    >>> hand_class("As Ks Qs", "guts3"), hand_class("7c 5d 4h 3s 2c", "high5")
    (np.uint16(740), np.uint16(0))
    """
    ranking = get_ranking(ranking)
    if ranking.n_classes is None:
        raise InputError(f"ranking {ranking} has no list of classes: they depend on the number of cards")
    ranks = rank_hands(cards, ranking, check=check)
    return ranks if ranking.family == "table" else keys_to_classes(ranks, ranking)


def hand_category(cards: npt.ArrayLike, ranking: str | Ranking = "guts3", *, check: bool = True) -> Any:
    """Category of hands, as position in ``ranking.categories`` (0 the weakest).

    Parameters
    ----------
    cards : array_like of integer, shape (..., n_cards)
        As for `rank_hands`.
    ranking : str or Ranking
        Any ranking.
    check : bool
        Whether to look for cards that a hand holds twice.

    Returns
    -------
    ndarray of uint8, shape (...)
        A scalar for a single hand.

    Raises
    ------
    InputError
        As for `rank_hands`.

    Examples
    --------
    >>> get_ranking("guts3").categories[hand_category("As Kd Qc", "guts3")]
    'straight'
    """
    ranking = get_ranking(ranking)
    ranks = rank_hands(cards, ranking, check=check)
    if ranking.family != "table":
        return key_categories(ranks, ranking)
    place = {category: index for index, category in enumerate(ranking.categories)}
    of_class = np.array([place[item.category] for item in hand_classes(ranking)], dtype=np.uint8)
    return of_class[ranks]


def describe_hand(cards: npt.ArrayLike, ranking: str | Ranking = "guts3") -> str:
    """Say in words what one hand is.

    Parameters
    ----------
    cards : sequence of int, or str
        One hand as card codes or as text.
    ranking : str or Ranking
        Any ranking.

    Returns
    -------
    str
        The category and the ranks that decide, in the order in which they are compared.

    Raises
    ------
    InputError
        As for `rank_hands`, or if there is more than one hand.

    Examples
    --------
    >>> describe_hand("Qs Qh 9c Qd 9d 8d 5s", "high5")
    'full house, queens over nines'
    >>> describe_hand("9s 9d Kh"), describe_hand("As 2d 3h")
    ('pair of nines, king kicker', 'straight, three high')
    >>> describe_hand("Ah 2c 3d 4s 5h", "low5")
    'five low, five-four-three-two-ace'
    """
    ranking = get_ranking(ranking)
    hand_rank = rank_hands(cards, ranking)
    if hand_rank.ndim:
        raise InputError(f"describe one hand at a time, got an array of shape {hand_rank.shape}")
    if ranking.family == "table":
        item = hand_classes(ranking)[hand_rank]
        distinct = list(dict.fromkeys(item.ranks))
        n_primary = 1 if item.category in ("pair", "trips", "straight", "straight flush") else 0
        return _in_words(item.category, distinct[:n_primary], distinct[n_primary:], ranking)
    return _in_words(*key_groups(int(hand_rank), ranking), ranking)


def _in_words(category: str, primary: list[int], kickers: list[int], ranking: Ranking) -> str:
    if category in ("straight", "straight flush"):
        return f"{category}, {_RANK_WORDS[primary[0]]} high"
    listed = "-".join(_RANK_WORDS[rank] for rank in kickers)
    if category == "high card":
        top = f"{_RANK_WORDS[kickers[0]]} {'low' if ranking.low else 'high'}"
        return top if len(kickers) == 1 else f"{top}, {listed}"
    if category == "flush":
        return f"flush, {listed}"
    groups = [_plural(rank) for rank in primary]
    if category == "full house":
        return f"full house, {groups[0]} over {_plural(kickers[0])}"
    text = {
        "pair": f"pair of {groups[0]}",
        "two pair": f"two pair, {' and '.join(groups)}",
        "trips": f"three {groups[0]}",
        "quads": f"four {groups[0]}",
    }[category]
    if not kickers:
        return text
    return f"{text}, {listed} kicker{'s' * (len(kickers) > 1)}"


def _plural(rank: int) -> str:
    word = _RANK_WORDS[rank]
    return word + ("es" if word.endswith("x") else "s")


def _checked_hands(cards: npt.ArrayLike, ranking: Ranking, check: bool) -> npt.NDArray[np.uint8]:
    if isinstance(cards, str):
        cards = parse_cards(cards, count=ranking.hand_sizes)
    hands = _array(cards)
    n_cards = hands.shape[-1] if hands.ndim else 0
    if n_cards not in ranking.hand_sizes:
        raise InputError(
            f"ranking {ranking} needs {listed_counts(ranking.hand_sizes)} along the last axis, "
            f"got an array of shape {hands.shape}"
        )
    if hands.size and (hands.min() < 0 or hands.max() >= N_CARDS):
        raise InputError(f"card codes must lie in 0..51, got {hands.min()}..{hands.max()}")
    hands = hands.astype(np.uint8, copy=False)
    if check:
        _check_no_repeats(hands)
    return hands


def _array(cards: npt.ArrayLike) -> npt.NDArray[Any]:
    try:
        hands = np.asarray(cards)
    except ValueError:
        raise InputError("cards must form an array with equally many cards in every hand") from None
    if hands.dtype.kind not in "iu":
        raise InputError(f"cards must be integer codes 0..51 or one hand as text, got dtype {hands.dtype}")
    return hands


def _columns(hands: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    """Cards card by card, shape (n_cards, ...): whole-array steps on strided cards are several times slower."""
    return np.ascontiguousarray(np.moveaxis(hands, -1, 0))


def _check_no_repeats(hands: npt.NDArray[np.uint8]) -> None:
    columns = _columns(hands)
    for i, j in combinations(range(len(columns)), 2):
        repeated = columns[i] == columns[j]
        if repeated.any():
            where = np.unravel_index(int(repeated.argmax()), repeated.shape)
            place = f" in hand {tuple(map(int, where))}" if where else ""
            raise InputError(f"card {format_card(int(columns[(i, *where)]))} appears twice{place}")


def _table_ranks(hands: npt.NDArray[np.uint8], ranking: Ranking) -> npt.NDArray[np.uint16]:
    columns = _columns(hands)
    index = np.zeros(hands.shape[:-1], dtype=np.uint16)
    for column in columns:
        index = index * np.uint16(N_RANKS) + column // np.uint8(N_SUITS)
    if len(columns) == 3:
        differing_suits = ((columns[0] ^ columns[1]) | (columns[1] ^ columns[2])) & np.uint8(3)
        index += np.uint16(N_RANKS**3) * (differing_suits == 0)
    return np.asarray(guts_table(ranking)[index])


def _keys(hands: npt.NDArray[np.uint8], ranking: Ranking) -> npt.NDArray[np.int32]:
    from guts_sim.kernels import evaluate

    leading, n_cards = hands.shape[:-1], hands.shape[-1]
    rows = hands.reshape(-1, n_cards)
    keys = np.empty(len(rows), dtype=np.int32)
    if ranking.family == "high5" and not rows.flags.c_contiguous and rows.flags.f_contiguous:
        evaluate.high5_from_columns(rows.T, keys)
    else:
        fill = {
            "high5": evaluate.high5_from_rows,
            "low5": evaluate.low5_from_rows,
            "exposed": evaluate.exposed_from_rows,
        }[ranking.family]
        fill(np.ascontiguousarray(rows), keys)
    return keys.reshape(leading)
