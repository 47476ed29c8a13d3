"""Dealing one card each, as strengths: what the kernels of Indian poker compare."""

import numpy as np
from numpy.typing import NDArray

from guts_sim.cards import N_CARDS, N_SUITS
from guts_sim.games.walk import Walk

Floats = NDArray[np.float64]


def deal_strengths(walk: Walk, key: np.uint64, first: int, n_deals: int) -> NDArray[np.uint8]:
    """Strengths of the cards of deals ``first``, ``first + 1``, ...; shape (deal, seat)."""
    from guts_sim.kernels.deal import fill_deals

    cards = np.empty((n_deals, walk.n_players), np.uint8)
    fill_deals(key, np.uint64(first), np.empty(0, np.uint8), cards)
    return strengths_of(walk, cards)


def strengths_of(walk: Walk, cards: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Strengths of card codes."""
    codes = cards if walk.suit_bits else cards // np.uint8(N_SUITS)
    return np.asarray(np.uint8(walk.n_strengths - 1) - codes if walk.low_wins else codes)


def own_card_weights(walk: Walk, strengths: NDArray[np.uint8], seat: int) -> Floats:
    """Law of the card that a seat cannot see, given the others': (deal, strength).

    Examples
    --------
    >>> from guts_sim.games.indian import IndianRules
    >>> from guts_sim.games.walk import walk_of
    >>> weights = own_card_weights(walk_of(2, IndianRules()), np.array([[0, 12]], np.uint8), seat=0)
    >>> [round(51 * weight) for weight in weights[0, -2:]]
    [4, 3]
    """
    left = np.full((len(strengths), walk.n_strengths), N_CARDS // walk.n_strengths, np.int64)
    rows = np.arange(len(strengths))
    for other in range(walk.n_players):
        if other != seat:
            left[rows, strengths[:, other]] -= 1
    return np.asarray(left / left.sum(axis=1, keepdims=True))
