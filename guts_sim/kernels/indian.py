"""Showdowns of Indian poker in lanes: one card each, the highest rank wins, suits are equal.

One card decides, so a rank is all there is to evaluate and every row fits into 8-bit lanes.
"""

import numpy as np

from guts_sim.kernels._jit import helper, kernel
from guts_sim.kernels.deal import LANES, deal_lanes, deal_scratch

N_SHARE_COUNTS = 2
SHARE_SOLE, SHARE_TIED = range(N_SHARE_COUNTS)
MAX_TIED = 4  # there are four cards of each rank


@helper
def ranks_of_cards(cards, ranks):
    for lane in range(LANES):
        ranks[lane] = np.uint8(np.uint8(cards[lane] >> np.uint8(2)) + np.uint8(1))


@helper
def raise_best_rank(ranks, best):
    for lane in range(LANES):
        best[lane] = max(best[lane], ranks[lane])


@helper
def mark_best(ranks, best, is_best):
    for lane in range(LANES):
        is_best[lane] = np.uint8(ranks[lane] == best[lane])


@helper
def add_marks(marks, totals):
    for lane in range(LANES):
        totals[lane] = np.uint8(totals[lane] + marks[lane])


@helper
def count_value(row, value):
    """How many lanes hold ``value``."""
    count = np.uint16(0)
    for lane in range(LANES):
        count = np.uint16(count + np.uint16(row[lane] == value))
    return np.int64(count)


@helper
def count_marked_ties(marks, n_best):
    """How many lanes are marked and have several best hands."""
    count = np.uint16(0)
    for lane in range(LANES):
        count = np.uint16(count + np.uint16(np.uint8(marks[lane] & np.uint8(n_best[lane] > np.uint8(1)))))
    return np.int64(count)


@helper
def count_best_ranks(ranks, best, is_best, n_best, tied, seats):
    """Count the showdowns of all lanes. Lanes of ``ranks`` that are 0 take no part."""
    for lane in range(LANES):
        best[lane] = np.uint8(1)
        n_best[lane] = np.uint8(0)
    for player in range(ranks.shape[0]):
        raise_best_rank(ranks[player], best)
    for player in range(ranks.shape[0]):
        mark_best(ranks[player], best, is_best[player])
        add_marks(is_best[player], n_best)
    for k in range(1, tied.size):
        tied[k] += count_value(n_best, np.uint8(k))
    for player in range(ranks.shape[0]):
        n_tied = count_marked_ties(is_best[player], n_best)
        seats[player, SHARE_TIED] += n_tied
        seats[player, SHARE_SOLE] += count_value(is_best[player], np.uint8(1)) - n_tied


@kernel
def count_one_card(key, first, n_deals, n_players, tied, seats):
    """Deal one card each and count who holds the highest rank.

    ``key``, ``first``: uint64, which deals; ``n_deals``, ``n_players``: int64. Overwritten: ``tied``: int64
    (5,), deals by the number of players who share the highest rank (entry 0 stays 0); ``seats``: int64
    (player, 2), deals won alone and deals tied for best.
    """
    scratch = deal_scratch(n_players)
    cards = np.empty((n_players, LANES), np.uint8)
    ranks = np.empty((n_players, LANES), np.uint8)
    is_best = np.empty((n_players, LANES), np.uint8)
    best = np.empty(LANES, np.uint8)
    n_best = np.empty(LANES, np.uint8)
    known = np.empty(0, np.uint8)
    tied[:] = 0
    seats[:] = 0
    for start in range(0, n_deals, LANES):
        deal_lanes(key, first + np.uint64(start), known, scratch, cards)
        for player in range(n_players):
            ranks_of_cards(cards[player], ranks[player])
            for lane in range(min(LANES, n_deals - start), LANES):
                ranks[player, lane] = np.uint8(0)
        count_best_ranks(ranks, best, is_best, n_best, tied, seats)
