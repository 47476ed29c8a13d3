"""Classes of equal hands: their order, names, sizes and, up to three cards, their look-up tables."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import combinations_with_replacement, permutations
from math import prod

import numpy as np
import numpy.typing as npt

from guts_sim.cards import N_RANKS, RANKS, parse_ranks
from guts_sim.errors import InputError
from guts_sim.hands.rankings import Ranking, get_ranking

_ACE = N_RANKS - 1
_SUIT_CHOICES = {1: 4, 2: 6, 3: 4, 4: 1}
_SUFFIXED = ("flush", "straight", "straight flush")


@dataclass(frozen=True)
class HandClass:
    """Hands that tie with each other.

    Attributes
    ----------
    category : str
        One of the ranking's categories.
    ranks : tuple of int
        Rank codes in the order in which they are compared: the largest group first, an ace that ends a
        small straight last.
    n_hands : int
        Number of sets of cards in the class.
    """

    category: str
    ranks: tuple[int, ...]
    n_hands: int

    @property
    def name(self) -> str:
        """Name such as ``99K`` or ``K98-flush``."""
        letters = "".join(RANKS[rank] for rank in self.ranks)
        if self.category in _SUFFIXED:
            return f"{letters}-{self.category.replace(' ', '-')}"
        return letters


def hand_classes(ranking: str | Ranking) -> tuple[HandClass, ...]:
    """Classes of a ranking, the weakest first.

    Parameters
    ----------
    ranking : str or Ranking
        Any ranking with a finite list of classes; for ``high5`` and ``low5`` the sizes are those of
        five-card hands.

    Returns
    -------
    tuple of HandClass
        The position is the ``hand_class``.

    Raises
    ------
    InputError
        If the ranking is unknown or has no list of classes.

    Examples
    --------
    >>> hand_classes("guts2")[-1]
    HandClass(category='pair', ranks=(12, 12), n_hands=6)
    """
    ranking = get_ranking(ranking)
    if ranking.n_classes is None:
        raise InputError(f"ranking {ranking} has no list of classes: they depend on the number of cards")
    return _sorted_classes(ranking)


def class_names(ranking: str | Ranking) -> tuple[str, ...]:
    """Names of the classes, the weakest first.

    Parameters
    ----------
    ranking : str or Ranking
        Any ranking with a finite list of classes.

    Returns
    -------
    tuple of str
        Two cards ``AA``, ``J7``; three cards ``777``, ``99K``, ``K98``, ``K98-flush``, ``32A-straight``.

    Raises
    ------
    InputError
        If the ranking is unknown or has no list of classes.

    Examples
    --------
    >>> class_names("guts2")[:2], class_names("guts2")[-2:]
    (('32', '42'), ('KK', 'AA'))
    >>> class_names("guts3")[-1]
    'AKQ-straight-flush'
    """
    return tuple(hand_class.name for hand_class in hand_classes(ranking))


def class_categories(ranking: str | Ranking) -> tuple[str, ...]:
    """Category of each class, the weakest class first.

    Parameters
    ----------
    ranking : str or Ranking
        Any ranking with a finite list of classes.

    Returns
    -------
    tuple of str
        One of the ranking's ``categories`` per class.

    Raises
    ------
    InputError
        If the ranking is unknown or has no list of classes.

    Examples
    --------
    >>> class_categories("guts3").count("pair")
    156
    """
    return tuple(hand_class.category for hand_class in hand_classes(ranking))


def class_frequencies(ranking: str | Ranking) -> npt.NDArray[np.int64]:
    """Count the hands (sets of cards) in each class, the weakest class first.

    Parameters
    ----------
    ranking : str or Ranking
        Any ranking with a finite list of classes; ``high5`` and ``low5`` count five-card hands.

    Returns
    -------
    ndarray of int64, shape (n_classes,)
        Sums to the number of hands: 1,326 for two cards, 22,100 for three, 2,598,960 for five.

    Raises
    ------
    InputError
        If the ranking is unknown or has no list of classes.

    Examples
    --------
    >>> class_frequencies("guts2")[[0, -1]].tolist(), int(class_frequencies("guts3").sum())
    ([16, 6], 22100)
    """
    return np.array([hand_class.n_hands for hand_class in hand_classes(ranking)], dtype=np.int64)


def class_index(name: str, ranking: str | Ranking) -> int:
    """Position of a class in the order of its ranking, 0 the weakest.

    Parameters
    ----------
    name : str
        Name as in `class_names`, with the ranks in any order and case: ``J7``, ``7j``, ``k99``,
        ``A23-straight``, ``10 9 8 straight flush``.
    ranking : str or Ranking
        Any ranking with a finite list of classes.

    Returns
    -------
    int
        The ``hand_class``.

    Raises
    ------
    InputError
        If the name is no class of the ranking; the message lists the classes of the same ranks.

    Examples
    --------
    >>> class_index("aa", "guts2"), class_index("23", "guts2")
    (90, 0)
    >>> class_index("987", "guts3")
    Traceback (most recent call last):
        ...
    guts_sim.errors.InputError: '987' is no class of guts3; write 987-straight or 987-straight-flush
    """
    ranking = get_ranking(ranking)
    lookup = _lookup(ranking)
    if not isinstance(name, str):
        raise InputError(f"a class of {ranking} is text such as {_example(ranking)}, got {name!r}")
    ranks, suffix = _read_name(name)
    spellings = lookup.get(tuple(sorted(ranks)))
    if spellings is None:
        raise InputError(f"{name!r} is no class of {ranking}; write a name such as {_example(ranking)}")
    if suffix not in spellings:
        names = " or ".join(class_names(ranking)[index] for index in spellings.values())
        raise InputError(f"{name!r} is no class of {ranking}; write {names}")
    return spellings[suffix]


def guts_table(ranking: str | Ranking) -> npt.NDArray[np.uint16]:
    """Look-up table from the ranks of a hand to its class, for hands of one to three cards.

    With ranks ``r`` in any order and ``flush`` 1 where all three suits agree, the index is ``r0``,
    ``13*r0 + r1`` or ``2197*flush + 169*r0 + 13*r1 + r2``.

    Parameters
    ----------
    ranking : str or Ranking
        A ranking of the family ``"table"``: the ``guts`` and ``low`` orders and ``high1``.

    Returns
    -------
    ndarray of uint16, shape (13,), (169,) or (4394,)
        The ``hand_class``, 0 the weakest. Read-only, the same array at every call. A flush cannot hold a
        pair; those entries repeat the value without the flush.

    Raises
    ------
    InputError
        If the ranking is unknown or is not evaluated by a table.

    Examples
    --------
    >>> table = guts_table("guts2")
    >>> int(table[12 * 13 + 11]), class_names("guts2")[table[12 * 13 + 11]]
    (77, 'AK')
    """
    ranking = get_ranking(ranking)
    if ranking.family != "table":
        raise InputError(f"ranking {ranking} has no table; use the evaluator of {ranking.family} hands")
    return _filled_table(ranking)


@cache
def _sorted_classes(ranking: Ranking) -> tuple[HandClass, ...]:
    strength = {category: place for place, category in enumerate(ranking.categories)}
    direction = -1 if ranking.low else 1

    def order(hand_class: HandClass) -> tuple[int, ...]:
        heights = (direction * _height(rank, ranking.low) for rank in hand_class.ranks)
        return strength[hand_class.category], *heights

    return tuple(sorted(_classes_of(ranking), key=order))


@cache
def _filled_table(ranking: Ranking) -> npt.NDArray[np.uint16]:
    size = ranking.hand_sizes[0]
    counts_flushes = size == 3
    table = np.zeros((1 + counts_flushes, *(N_RANKS,) * size), dtype=np.uint16)
    for index, hand_class in enumerate(hand_classes(ranking)):
        for ranks in permutations(hand_class.ranks):
            if hand_class.category in ("flush", "straight flush"):
                table[(1, *ranks)] = index
            else:
                table[(0, *ranks)] = index
                if "flush" not in ranking.categories or len(set(ranks)) < size:
                    table[(-1, *ranks)] = index
    table = table.reshape(-1)
    table.flags.writeable = False
    return table


def _height(rank: int, low: bool) -> int:
    """Height of a rank within its ranking: with low hands the ace is the lowest."""
    return (rank + 1) % N_RANKS if low else rank


def _classes_of(ranking: Ranking) -> Iterator[HandClass]:
    size = ranking.hand_sizes[0]
    for ranks in combinations_with_replacement(range(N_RANKS), size):
        groups = Counter(ranks)
        if max(groups.values()) > 4:
            continue
        ordered = _compared_order(groups, ranking.low)
        n_hands = prod(_SUIT_CHOICES[n] for n in groups.values())
        if len(groups) < size or "flush" not in ranking.categories:
            yield HandClass(_group_category(groups), ordered, n_hands)
            continue
        straight = _straight_order(ordered)
        yield HandClass("straight" if straight else "high card", straight or ordered, n_hands - 4)
        yield HandClass("straight flush" if straight else "flush", straight or ordered, 4)


def _compared_order(groups: Counter[int], low: bool) -> tuple[int, ...]:
    by_weight = sorted(groups, key=lambda rank: (groups[rank], _height(rank, low)), reverse=True)
    return tuple(rank for rank in by_weight for _ in range(groups[rank]))


def _straight_order(descending: tuple[int, ...]) -> tuple[int, ...] | None:
    """Ranks of a straight from its top down, or None; the ace may end the lowest straight."""
    wheel_end = tuple(range(len(descending) - 2, -1, -1))
    if descending == (_ACE, *wheel_end):
        return (*wheel_end, _ACE)
    top = descending[0]
    return descending if descending == tuple(range(top, top - len(descending), -1)) else None


def _group_category(groups: Counter[int]) -> str:
    largest, *others = sorted(groups.values(), reverse=True)
    second = others[0] if others else 0
    if largest == 3 and second == 2:
        return "full house"
    if largest == 2 and second == 2:
        return "two pair"
    return {1: "high card", 2: "pair", 3: "trips", 4: "quads"}[largest]


@cache
def _lookup(ranking: Ranking) -> dict[tuple[int, ...], dict[str, int]]:
    """Class index by sorted ranks and then by suffix."""
    lookup: dict[tuple[int, ...], dict[str, int]] = {}
    for index, hand_class in enumerate(hand_classes(ranking)):
        suffix = hand_class.category if hand_class.category in _SUFFIXED else ""
        lookup.setdefault(tuple(sorted(hand_class.ranks)), {})[suffix] = index
    return lookup


def _read_name(name: str) -> tuple[tuple[int, ...], str]:
    """Ranks and suffix of a class name; the suffix is empty, a flush, a straight or both."""
    words = name.replace("-", " ").replace("_", " ").split()
    suffix = " ".join(word.lower() for word in words if word.lower() in ("straight", "flush"))
    ranks = " ".join(word for word in words if word.lower() not in ("straight", "flush"))
    return parse_ranks(ranks), suffix


def _example(ranking: Ranking) -> str:
    names = class_names(ranking)
    return f"{names[-1]} or {names[len(names) // 2]}"
