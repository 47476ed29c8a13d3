"""The int32 keys of five-card and exposed hands: how to take them apart and which values occur."""

from dataclasses import dataclass
from functools import cache
from math import comb

import numpy as np
import numpy.typing as npt

from guts_sim.cards import N_RANKS
from guts_sim.hands.classes import hand_classes
from guts_sim.hands.rankings import Ranking

# The layout that the kernels fill; a test compares the two, since importing them would import numba.
CATEGORY_SHIFT = 26
PRIMARY_SHIFT = 13
RANK_BITS = 0x1FFF
LOW_TOP = 8 << CATEGORY_SHIFT
CATEGORY_CODES = {
    "high card": 0,
    "pair": 1,
    "two pair": 2,
    "trips": 3,
    "straight": 4,
    "flush": 5,
    "full house": 6,
    "quads": 7,
    "straight flush": 8,
}
_PRIMARY_SIZE = {
    "high card": 0,
    "pair": 1,
    "two pair": 2,
    "trips": 1,
    "straight": 1,
    "flush": 0,
    "full house": 1,
    "quads": 1,
    "straight flush": 1,
}


def key_categories(keys: npt.NDArray[np.int32], ranking: Ranking) -> npt.NDArray[np.uint8]:
    """Positions in ``ranking.categories`` of the categories of keys."""
    place = np.zeros(len(CATEGORY_CODES), dtype=np.uint8)
    for index, category in enumerate(ranking.categories):
        place[CATEGORY_CODES[category]] = index
    categories: npt.NDArray[np.uint8] = place[_upright(keys, ranking) >> CATEGORY_SHIFT]
    return categories


def key_groups(key: int, ranking: Ranking) -> tuple[str, list[int], list[int]]:
    """Category, primary ranks and kickers of one key, the highest rank first."""
    upright = LOW_TOP - key if ranking.low else key
    names = list(CATEGORY_CODES)
    primary = _ranks_in((upright >> PRIMARY_SHIFT) & RANK_BITS, ranking.low)
    return names[upright >> CATEGORY_SHIFT], primary, _ranks_in(upright & RANK_BITS, ranking.low)


def keys_to_classes(keys: npt.NDArray[np.int32], ranking: Ranking) -> npt.NDArray[np.uint16]:
    """Dense class of each key of five to seven cards."""
    slots = slot_tables(ranking)
    upright = _upright(keys, ranking)
    slot = slots.bases[upright >> PRIMARY_SHIFT] + slots.kickers[upright & RANK_BITS]
    classes: npt.NDArray[np.uint16] = slots.classes[slot]
    return classes


@dataclass(frozen=True)
class SlotTables:
    """Tables that number the keys of a ranking almost densely, by one addition.

    Attributes
    ----------
    bases : ndarray of int32, shape (9 * 8192,)
        First slot of a category and primary mask, by ``key >> 13``.
    kickers : ndarray of int32, shape (8192,)
        Place of a kicker mask among the masks of equally many bits, by ``key & 0x1fff``.
    classes : ndarray of uint16, shape (n_slots,)
        Class of each slot. Slots whose primary and kickers overlap never occur.
    """

    bases: npt.NDArray[np.int32]
    kickers: npt.NDArray[np.int32]
    classes: npt.NDArray[np.uint16]


@cache
def slot_tables(ranking: Ranking) -> SlotTables:
    """Slot tables of ``high5`` or ``low5``; for low hands they take ``LOW_TOP - key``."""
    masks = np.arange(RANK_BITS + 1)
    sizes = np.bitwise_count(masks)
    kickers = np.zeros(RANK_BITS + 1, dtype=np.int32)
    for size in range(N_RANKS + 1):
        kickers[sizes == size] = np.arange(comb(N_RANKS, size))

    bases = np.zeros(len(CATEGORY_CODES) << PRIMARY_SHIFT, dtype=np.int32)
    keys = _upright(_class_keys(ranking), ranking)
    heads, first = np.unique(keys >> PRIMARY_SHIFT, return_index=True)
    widths = np.array([comb(N_RANKS, int(sizes[key & RANK_BITS])) for key in keys[first]])
    bases[heads] = np.cumsum(widths) - widths

    classes = np.zeros(widths.sum(), dtype=np.uint16)
    classes[bases[keys >> PRIMARY_SHIFT] + kickers[keys & RANK_BITS]] = np.arange(keys.size)
    return SlotTables(bases, kickers, classes)


def _class_keys(ranking: Ranking) -> npt.NDArray[np.int32]:
    """Keys of the classes of a ranking, in ascending order."""
    keys = []
    for hand_class in hand_classes(ranking):
        ranks = list(dict.fromkeys(hand_class.ranks))
        n_primary = _PRIMARY_SIZE[hand_class.category]
        kickers = [] if "straight" in hand_class.category else ranks[n_primary:]
        upright = CATEGORY_CODES[hand_class.category] << CATEGORY_SHIFT
        upright |= _mask_of(ranks[:n_primary], ranking.low) << PRIMARY_SHIFT | _mask_of(kickers, ranking.low)
        keys.append(LOW_TOP - upright if ranking.low else upright)
    return np.array(keys, dtype=np.int32)


def _upright(keys: npt.NDArray[np.int32], ranking: Ranking) -> npt.NDArray[np.int32]:
    """Keys of low hands turned to the layout of high hands, with the ace below the two."""
    return LOW_TOP - keys if ranking.low else keys


def _mask_of(ranks: list[int], ace_low: bool) -> int:
    return sum(1 << ((rank + 1) % N_RANKS if ace_low else rank) for rank in ranks)


def _ranks_in(mask: int, ace_low: bool) -> list[int]:
    places = [place for place in reversed(range(N_RANKS)) if mask >> place & 1]
    return [(place - 1) % N_RANKS for place in places] if ace_low else places
