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

from guts_sim.kernels._jit import helper, kernel

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
PAIRINGS = np.array(  # [n, v]: ways to form v disjoint pairs from n cards of one rank
    [[1.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [1.0, 3.0, 0.0], [1.0, 6.0, 3.0]]
)


@helper
def nonpair_class(high, low):
    """Class index of an unpaired hand: 32 is 0, AK is 77."""
    return high * (high - 1) // 2 + low


@helper
def pair_class(rank):
    """Class index of a pair: 22 is 78, AA is 90."""
    return N_RANKS * (N_RANKS - 1) // 2 + rank


@helper
def add_rank(source, target, free, factor, extra, n_max):
    """Add to target[open, hands] what one more rank with `free` usable cards makes of source.

    `factor` counts the ways of the cards of this rank that were already given another use, `extra`
    the hands which those cards begin. Modified in place: target.
    """
    for n_open in range(n_max + 1):
        for closed in range(min(n_open, free) + 1):
            ways = factor * CHOOSE[free, closed] * FALLING[n_open, closed]
            for opened in range(free - closed + 1):
                weight = ways * CHOOSE[free - closed, opened]
                still_open = n_open - closed + opened
                new_hands = opened + extra
                if still_open > n_max:
                    break
                for hands in range(n_open, n_max + 1 - new_hands):
                    target[still_open, hands + new_hands] += weight * source[n_open, hands]


@helper
def add_rank_with_row(source, target, free, n_max):
    """`add_rank` for a rank whose cards may also be set aside for the row of the best class.

    source, target: [set aside, open, hands]; a card that is set aside begins a hand.
    """
    for row in range(N_SUITS + 1):
        for aside in range(min(free, N_SUITS - row) + 1):
            add_rank(source[row], target[row + aside], free - aside, CHOOSE[free, aside], aside, n_max)


@helper
def count_below_nonpairs(free, n_max, table):
    """Fill table[class, u, m] for every unpaired class; see `fill_family_table`."""
    shape = (N_SUITS + 1, n_max + 1, n_max + 1)
    prefix = np.zeros(shape)  # ranks below `low`, any of whose cards may be set aside for the row
    prefix[0, 0, 0] = 1.0
    for low in range(N_RANKS - 1):
        for u in range(min(free[low], n_max) + 1):
            passing = np.zeros(shape)
            for row in range(N_SUITS + 1 - u):
                add_rank(prefix[row], passing[row], free[low] - u, CHOOSE[free[low], u], 0, n_max - u)
            for high in range(low + 1, N_RANKS):
                cell = table[nonpair_class(high, low), u]
                for row in range(free[high] - u + 1):
                    ways = FALLING[free[high], row + u]
                    for hands in range(n_max - u + 1):
                        cell[hands] += ways * passing[row, 0, hands]
                beyond = np.zeros(shape)
                for row in range(N_SUITS + 1 - u):
                    add_rank(passing[row], beyond[row], free[high], 1.0, 0, n_max - u)
                passing = beyond
        longer = np.zeros(shape)
        add_rank_with_row(prefix, longer, free[low], n_max)
        prefix = longer


@helper
def count_below_pairs(free, n_max, table):
    """Fill table[class, u, m] for every pair; see `fill_family_table`."""
    shape = (n_max + 1, n_max + 1)
    prefix = np.zeros(shape)
    prefix[0, 0] = 1.0
    for rank in range(N_RANKS):
        for u in range(min(free[rank] // 2, n_max) + 1):
            passing = np.zeros(shape)
            add_rank(prefix, passing, free[rank] - 2 * u, PAIRINGS[free[rank], u], 0, n_max - u)
            for higher in range(rank + 1, N_RANKS):
                beyond = np.zeros(shape)
                add_rank(passing, beyond, free[higher], 1.0, 0, n_max - u)
                passing = beyond
            for hands in range(n_max - u + 1):
                table[pair_class(rank), u, hands] = passing[0, hands]
        longer = np.zeros(shape)
        for pairs in range(free[rank] // 2 + 1):
            add_rank(prefix, longer, free[rank] - 2 * pairs, PAIRINGS[free[rank], pairs], pairs, n_max)
        prefix = longer


@kernel
def fill_family_table(free_suits, n_max, table):
    """Count the families of u hands of class b and m hands weaker than b, for every b at once.

    free_suits: int64[deck, 13], cards left of each rank in each of several decks.
    table: float64[deck, 91, 5, n_max + 1], zero on entry; afterwards table[d, b, u, m] is the number
    of sets of u + m <= n_max pairwise disjoint hands, u of class b and m of weaker classes.
    """
    for deck in range(free_suits.shape[0]):
        count_below_nonpairs(free_suits[deck], n_max, table[deck])
        count_below_pairs(free_suits[deck], n_max, table[deck])
