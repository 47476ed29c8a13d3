"""Every hand of a ranking sorted by class, and the hero hands that differ by more than their suits."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, permutations
from math import comb, prod

import numpy as np
from numpy.typing import ArrayLike, NDArray

from guts_sim.errors import InputError
from guts_sim.exact.results import Floats
from guts_sim.hands import Ranking, get_ranking, guts_table

Ints = NDArray[np.int64]
RankingOrClasses = str | Ranking | ArrayLike

_SIZE_OF_COUNT = {comb(52, size): size for size in (2, 3)}
_SIZE_OF_TABLE = {13**2: 2, 2 * 13**3: 3}


@dataclass(frozen=True, eq=False)
class HandList:
    """All hands of 2 or 3 cards with their classes, and the hero hands to be evaluated.

    Attributes
    ----------
    hands : int64 array, shape (n_hands, hand_size)
        Every hand, cards ascending, sorted by class (weakest first).
    starts : int64 array, shape (n_classes + 1,)
        ``hands[starts[c]:starts[c + 1]]`` is class c.
    heroes : int64 array, shape (n_heroes, hand_size)
        One hand for each kind that no exchange of suits turns into another, sorted by class; every
        hand where the classes themselves depend on suits.
    hero_starts : int64 array, shape (n_classes + 1,)
        As `starts`, for `heroes`.
    multiplicity : int64 array, shape (n_heroes,)
        Number of hands that each hero hand stands for; sums to n_hands.
    deck_size : int
        Cards in the deck from which hands are dealt.
    """

    hands: Ints
    starts: Ints
    heroes: Ints
    hero_starts: Ints
    multiplicity: Ints
    deck_size: int = 52

    @property
    def hand_size(self) -> int:
        """Cards per hand."""
        return int(self.hands.shape[1])

    @property
    def n_classes(self) -> int:
        """Number of classes."""
        return len(self.starts) - 1

    @property
    def hero_classes(self) -> Ints:
        """Class of each hero hand."""
        return np.repeat(np.arange(self.n_classes), np.diff(self.hero_starts))

    @property
    def frequency(self) -> Floats:
        """Probability of each class."""
        return np.diff(self.starts) / len(self.hands)

    def n_deals(self, n_opponents: int) -> int:
        """Count the ways to deal hands to that many distinct opponents of a hero."""
        left = self.deck_size - self.hand_size
        return prod(comb(left - dealt * self.hand_size, self.hand_size) for dealt in range(n_opponents))

    def class_means(self, per_hero: Floats) -> Floats:
        """Mean over the hands of each class of a value known per hero hand."""
        sums = np.add.reduceat(per_hero * self.multiplicity, self.hero_starts[:-1])
        return sums / np.diff(self.starts)

    def mean(self, per_hero: Floats) -> float:
        """Mean over all hands of a value known per hero hand."""
        return float(per_hero @ self.multiplicity) / len(self.hands)


@lru_cache(maxsize=2)
def all_hands(hand_size: int) -> Ints:
    """Every hand of that size, cards ascending, in the order of `itertools.combinations`."""
    hands = np.array(list(combinations(range(52), hand_size)), dtype=np.int64)
    hands.flags.writeable = False
    return hands


def hand_list(ranking: RankingOrClasses) -> HandList:
    """Hands of a ranking, or of an array that gives the class of each combination.

    Parameters
    ----------
    ranking : str, Ranking or int array of shape (1326,) or (22100,)
        A ranking of two- or three-card hands, or the class (0 the weakest, no class empty) of every
        hand in the order of ``itertools.combinations(range(52), hand_size)``.

    Returns
    -------
    HandList

    Raises
    ------
    InputError
        If the ranking is unknown or of other hand sizes, or the array cannot be a list of classes.

    Examples
    --------
    >>> hands = hand_list("guts3")
    >>> hands.n_classes, len(hands.hands), len(hands.heroes)
    (741, 22100, 1755)
    """
    if isinstance(ranking, str | Ranking):
        return _named_list(get_ranking(ranking))
    return _sorted_list(_checked_classes(ranking))


@lru_cache(maxsize=8)
def _named_list(ranking: Ranking) -> HandList:
    size = ranking.hand_sizes[0]
    if ranking.family != "table" or size not in (2, 3):
        raise InputError(f"ranking {ranking} is not counted exactly; choose one of two- or three-card hands")
    table = guts_table(ranking)
    hands = all_hands(size)
    ranks, suits = hands // 4, hands % 4
    index = ranks @ 13 ** np.arange(size)[::-1]
    if size == 3:
        index += 13**3 * np.all(suits == suits[:, :1], axis=1)
    return _sorted_list(table[index].astype(np.int64))


def _checked_classes(classes: ArrayLike) -> Ints:
    array = np.asarray(classes)
    if array.ndim != 1 or len(array) not in _SIZE_OF_COUNT or not np.issubdtype(array.dtype, np.integer):
        raise InputError(
            f"classes: got shape {array.shape} of {array.dtype}; allowed are 1326 (two cards) or 22100 "
            "(three cards) integers, or the name of a ranking"
        )
    array = array.astype(np.int64)
    if array.min() < 0 or np.any(np.bincount(array) == 0):
        raise InputError("classes: every class from 0 to the largest must hold at least one hand")
    return array


def _sorted_list(classes: Ints) -> HandList:
    size = _SIZE_OF_COUNT[len(classes)]
    hands = all_hands(size)
    n_classes = int(classes.max()) + 1
    order = np.argsort(classes, kind="stable")
    heroes, multiplicity = _suit_orbits(classes)
    hero_order = np.argsort(classes[heroes], kind="stable")
    heroes, multiplicity = heroes[hero_order], multiplicity[hero_order]
    boundaries = np.arange(n_classes + 1)
    return HandList(
        np.ascontiguousarray(hands[order]),
        np.searchsorted(classes[order], boundaries),
        np.ascontiguousarray(hands[heroes]),
        np.searchsorted(classes[heroes], boundaries),
        multiplicity,
    )


def _suit_orbits(classes: Ints) -> tuple[Ints, Ints]:
    """One hand per orbit of the 24 exchanges of suits, and the orbit sizes.

    Where two hands of one orbit are of different classes (suits break ties), every hand is its own orbit.
    """
    representative = _representatives(_SIZE_OF_COUNT[len(classes)])
    if np.any(classes[representative] != classes):
        return np.arange(len(classes)), np.ones(len(classes), dtype=np.int64)
    heroes, multiplicity = np.unique(representative, return_counts=True)
    return heroes.astype(np.int64), multiplicity.astype(np.int64)


@lru_cache(maxsize=2)
def _representatives(size: int) -> Ints:
    """Index of the first hand of each hand's orbit."""
    hands = all_hands(size)
    place = 52 ** np.arange(size)[::-1]
    codes = hands @ place
    lowest = codes.copy()
    for exchange in permutations(range(4)):
        suits: Sequence[int] = exchange
        moved = np.sort(4 * (hands // 4) + np.array(suits)[hands % 4], axis=1)
        np.minimum(lowest, moved @ place, out=lowest)
    return np.searchsorted(codes, lowest).astype(np.int64)
