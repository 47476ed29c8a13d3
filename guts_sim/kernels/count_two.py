"""Counting families of disjoint two-card hands by dynamic programming over ranks.

A two-card class is a rank and a lower rank, or a pair, so a hand is an edge between two ranks and
only the number of free suits per rank matters. Ranks are visited from the deuce up. A card is
"open" while it waits for a partner of a higher rank; closing k of s open cards with cards of the
current rank can be done in choose(free, k) * s * (s - 1) * ... * (s - k + 1) ways. The best
class allowed, (H, l), needs one exception: cards that will be paired with rank H are set aside
when their own rank passes ("the row of H"), because hands (H, j) with j < l are weaker than
(H, l) and those with j > l are forbidden.

All terms are positive and every sum has at most a few thousand of them, so the relative error of
a count is about 1e-14 and counts below 2^53 are exact.
"""

import numpy as np

from guts_sim.kernels._jit import helper, kernel, lean

N_RANKS = 13
N_SUITS = 4
MOST_CLOSED = 20  # two cards for each of ten players: more cards can never be open


def _choose_table():
    table = np.zeros((N_SUITS + 1, N_SUITS + 1))
    for n in range(N_SUITS + 1):
        table[n, 0] = 1.0
        for k in range(1, n + 1):
            table[n, k] = table[n, k - 1] * (n - k + 1) / k
    return table


def _falling_table():
    table = np.zeros((MOST_CLOSED + 1, N_SUITS + 1))
    for n in range(MOST_CLOSED + 1):
        table[n, 0] = 1.0
        for k in range(1, N_SUITS + 1):
            table[n, k] = table[n, k - 1] * max(n - k + 1, 0)
    return table


CHOOSE = _choose_table()  # [n, k]: ways to choose k of n
FALLING = _falling_table()  # [n, k]: n (n - 1) ... (n - k + 1)
# GROUPINGS[c, n, u]: ways to form u disjoint groups of c = 1 or 2 cards from n cards of one rank
GROUPINGS = np.zeros((3, N_SUITS + 1, N_SUITS + 1))
GROUPINGS[1] = CHOOSE
GROUPINGS[2, :, :3] = [[1, 0, 0], [1, 0, 0], [1, 1, 0], [1, 3, 0], [1, 6, 3]]


@lean
def nonpair_class(high, low):
    """Class index of an unpaired hand: 32 is 0, AK is 77."""
    return high * (high - 1) // 2 + low


@lean
def pair_class(rank):
    """Class index of a pair: 22 is 78, AA is 90."""
    return N_RANKS * (N_RANKS - 1) // 2 + rank


@lean
def add_rank(source, row, target, to_row, free, factor, begun, n_max):
    """Add to target[to_row, open, hands] what one more rank makes of source[row, open, hands].

    `free` cards of the rank may close open hands or open new ones; the others have begun `begun` hands
    in one of `factor` ways. Modified in place: target.
    """
    for n_open in range(n_max + 1):
        for closed in range(min(n_open, free) + 1):
            ways = factor * CHOOSE[free, closed] * FALLING[n_open, closed]
            for opened in range(min(free - closed, n_max - n_open + closed) + 1):
                weight = ways * CHOOSE[free - closed, opened]
                still_open = n_open - closed + opened
                more = opened + begun
                for hands in range(n_open, n_max + 1 - more):
                    target[to_row, still_open, hands + more] += weight * source[row, n_open, hands]


@lean
def read_nonpair(source, free, low, high, u, table):
    """Take the counts of class (high, low) from the state below rank `high`.

    Every hand set aside, and the u hands of the class itself, need one card of rank `high`.
    """
    n_max = source.shape[1] - 1
    for row in range(free[high] - u + 1):
        for hands in range(n_max - u + 1):
            cell = nonpair_class(high, low)
            table[cell, u, hands] += FALLING[free[high], row + u] * source[row, 0, hands]


@helper
def count_below(free, cards, table):
    """Fill table[class, u, m] for every class with one card (or two: pairs) of its lower rank.

    See `fill_family_table`. Weaker hands take their cards of that rank in the same way: one each, set
    aside for the row of the best class, or two each, which makes weaker pairs.
    """
    n_max = table.shape[2] - 1
    rows = N_SUITS + 1 if cards == 1 else 1
    shape = (rows, n_max + 1, n_max + 1)  # [set aside for the row, open, hands]
    prefix = np.zeros(shape)  # ranks below `low`
    prefix[0, 0, 0] = 1.0
    for low in range(N_RANKS):
        longer = np.zeros(shape)
        for u in range(min(free[low] // cards, n_max) + 1):
            ways, left = GROUPINGS[cards, free[low], u], free[low] - cards * u
            source = np.zeros(shape)
            for row in range(rows):
                add_rank(prefix, row, source, row, left, ways, 0, n_max - u)
                to_row = row + u * (2 - cards)
                if to_row < rows:
                    add_rank(prefix, row, longer, to_row, left, ways, u, n_max)
            for rank in range(low + 1, N_RANKS):
                if cards == 1:
                    read_nonpair(source, free, low, rank, u, table)
                target = np.zeros(shape)
                for row in range(max(rows - u, 1)):
                    add_rank(source, row, target, row, free[rank], 1.0, 0, n_max - u)
                source = target
            if cards == 2:
                for hands in range(n_max - u + 1):
                    table[pair_class(low), u, hands] = source[0, 0, hands]
        prefix = longer


@kernel
def fill_family_table(free_suits, table):
    """Count the families of u hands of class b and m hands weaker than b, for every b at once.

    free_suits: int64[deck, 13], cards left of each rank in each of several decks.
    table: float64[deck, 91, 5, n + 1], zero on entry; afterwards table[d, b, u, m] is the number of
    sets of u + m <= n pairwise disjoint hands, u of class b and m of weaker classes.
    """
    for deck in range(free_suits.shape[0]):
        for cards in range(1, 3):
            count_below(free_suits[deck], cards, table[deck])
