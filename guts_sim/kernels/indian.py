"""Showdowns of Indian poker in lanes: one card each, the highest rank wins, suits are equal.

One card decides, so a rank is all there is to evaluate and every row fits into 8-bit lanes.
"""

import numpy as np

from guts_sim.kernels._jit import kernel, lean
from guts_sim.kernels.deal import LANES, deal_lanes, deal_scratch
from guts_sim.kernels.showdown import count_showdowns, showdown_buffers

MAX_TIED = 4  # there are four cards of each rank


@lean
def rank_cards(cards, ranks):
    """Ranks from 1 on, so that 0 is free for lanes that take no part."""
    for lane in range(LANES):
        ranks[lane] = np.uint8(np.uint8(cards[lane] >> np.uint8(2)) + np.uint8(1))


@kernel
def count_one_card(key, first, n_deals, n_players, tied, seats):
    """Deal one card each and count who holds the highest rank.

    ``key``, ``first``: uint64, which deals; ``n_deals``, ``n_players``: int64. Overwritten: ``tied``: int64
    (MAX_TIED + 1,), deals by the number of players who share the highest rank (entry 0 stays 0); ``seats``:
    int64 (player, 2), deals won alone and deals tied for best.
    """
    scratch = deal_scratch(n_players)
    cards = np.empty((n_players, LANES), np.uint8)
    ranks = np.empty((n_players, LANES), np.uint8)
    buffers = showdown_buffers(n_players, ranks)
    known = np.empty(0, np.uint8)
    tied[:] = 0
    seats[:] = 0
    for start in range(0, n_deals, LANES):
        deal_lanes(key, first + np.uint64(start), known, scratch, cards)
        for player in range(n_players):
            rank_cards(cards[player], ranks[player])
            for lane in range(min(LANES, n_deals - start), LANES):
                ranks[player, lane] = np.uint8(0)
        count_showdowns(ranks, buffers, tied, seats)
