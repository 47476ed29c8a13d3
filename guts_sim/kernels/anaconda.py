"""Showdowns of Anaconda in lanes: seven cards each, the best five count.

What a showdown without passing, betting and folding amounts to; up to seven players take 49 cards. Hands are
gathered card by card into one rank mask per suit, and evaluated as in `evaluate`.
"""

import numpy as np

from guts_sim.kernels._jit import kernel, lean
from guts_sim.kernels.deal import LANES, deal_lanes, deal_scratch
from guts_sim.kernels.evaluate import CATEGORY_SHIFT, high5_lanes
from guts_sim.kernels.showdown import count_showdowns, count_value, showdown_buffers

HAND_SIZE = 7
N_CATEGORIES = 9


@lean
def bit_in(card, suit):
    """Bit of the card's rank if it has this suit, else nothing."""
    bit = np.uint16(np.uint16(1) << (np.uint16(card >> np.uint8(2)) & np.uint16(15)))
    has_suit = np.uint16(np.uint16(0) - np.uint16(np.uint16(card & np.uint8(3)) == suit))
    return np.uint16(bit & has_suit)


@lean
def bits_in(card_0, card_1, card_2, suit):
    return np.uint16(np.uint16(bit_in(card_0, suit) | bit_in(card_1, suit)) | bit_in(card_2, suit))


@lean
def begin_masks(cards, clubs, diamonds, hearts, spades):
    """Masks of the first card."""
    for lane in range(LANES):
        card = cards[lane]
        clubs[lane] = bit_in(card, np.uint16(0))
        diamonds[lane] = bit_in(card, np.uint16(1))
        hearts[lane] = bit_in(card, np.uint16(2))
        spades[lane] = bit_in(card, np.uint16(3))


@lean
def add_three_cards(cards_0, cards_1, cards_2, clubs, diamonds, hearts, spades):
    """Three cards at a time: reading and writing the masks costs as much as finding the bits."""
    for lane in range(LANES):
        a, b, c = cards_0[lane], cards_1[lane], cards_2[lane]
        clubs[lane] |= bits_in(a, b, c, np.uint16(0))
        diamonds[lane] |= bits_in(a, b, c, np.uint16(1))
        hearts[lane] |= bits_in(a, b, c, np.uint16(2))
        spades[lane] |= bits_in(a, b, c, np.uint16(3))


@lean
def gather_hand(cards, masks):
    """Rank masks of the suits, uint16 (4, LANES), of one hand: ``cards`` uint8 (HAND_SIZE, LANES)."""
    begin_masks(cards[0], masks[0], masks[1], masks[2], masks[3])
    for i in range(1, HAND_SIZE, 3):
        add_three_cards(cards[i], cards[i + 1], cards[i + 2], masks[0], masks[1], masks[2], masks[3])


@lean
def category_row(keys, row):
    for lane in range(LANES):
        row[lane] = np.uint8(np.uint32(keys[lane]) >> np.uint32(CATEGORY_SHIFT))


@kernel
def count_seven_cards(key, first, n_deals, n_players, tied, seats, categories):
    """Deal seven cards each and count whose best five win, and what everybody holds.

    ``key``, ``first``: uint64, which deals; ``n_deals``, ``n_players``: int64. Overwritten: ``tied``: int64
    (n_players + 1,), deals by the number of players who share the best hand (entry 0 stays 0); ``seats``:
    int64 (player, 2), deals won alone and tied for best; ``categories``: int64 (player, 9), hands by category.
    """
    scratch = deal_scratch(n_players * HAND_SIZE)
    cards = np.empty((n_players * HAND_SIZE, LANES), np.uint8)
    masks = np.empty((4, LANES), np.uint16)
    keys = np.empty((n_players, LANES), np.int32)
    row = np.empty(LANES, np.uint8)
    buffers = showdown_buffers(n_players, keys)
    known = np.empty(0, np.uint8)
    tied[:] = 0
    seats[:] = 0
    categories[:] = 0
    for start in range(0, n_deals, LANES):
        n_live = min(LANES, n_deals - start)
        deal_lanes(key, first + np.uint64(start), known, scratch, cards)
        for player in range(n_players):
            gather_hand(cards[HAND_SIZE * player : HAND_SIZE * (player + 1)], masks)
            high5_lanes(masks[0], masks[1], masks[2], masks[3], HAND_SIZE, keys[player])
            category_row(keys[player], row)
            for lane in range(n_live, LANES):
                row[lane] = np.uint8(N_CATEGORIES)
                keys[player, lane] = np.int32(0)
            for category in range(N_CATEGORIES):
                categories[player, category] += count_value(row, np.uint8(category))
        count_showdowns(keys, buffers, tied, seats)
