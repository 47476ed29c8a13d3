"""The numbers of hands of two or three cards: their places in colexicographic order."""

from functools import lru_cache
from itertools import combinations
from math import comb

import numpy as np
from numpy.typing import NDArray

from guts_sim.cards import N_CARDS


@lru_cache
def all_hands(n_cards: int) -> NDArray[np.uint8]:
    """All hands in colexicographic order, cards ascending, shape (n_hands, n_cards).

    Examples
    --------
    >>> all_hands(2)[:3].tolist()
    [[0, 1], [0, 2], [1, 2]]
    """
    hands = np.array(list(combinations(range(N_CARDS), n_cards)), np.uint8)
    return hands[np.lexsort(hands.T)]


def places_of(hands: NDArray[np.integer]) -> NDArray[np.int64]:
    """Numbers of hands, their cards in any order, shape (..., n_cards) to (...).

    Examples
    --------
    >>> places_of(np.array([[2, 1], [0, 1]])).tolist()
    [2, 0]
    """
    ascending = np.sort(np.asarray(hands, np.int64), axis=-1)
    smaller = np.array([[comb(card, i + 1) for card in range(N_CARDS)] for i in range(ascending.shape[-1])], np.int64)
    return np.asarray(sum(smaller[i][ascending[..., i]] for i in range(ascending.shape[-1])), np.int64)
