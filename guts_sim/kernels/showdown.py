"""Who holds the best hand, in lanes: for games in which everybody is in.

``values`` is an array (player, LANES) of any integer type; the larger value wins, all values are positive, and
lanes that hold 0 take no part.
"""

import numpy as np

from guts_sim.kernels._jit import inlined, lean
from guts_sim.kernels.deal import LANES

N_SHARE_COUNTS = 2
SHARE_SOLE, SHARE_TIED = range(N_SHARE_COUNTS)


@lean
def clear_showdown(best, n_best):
    """A best value of 1 to begin with, so that a lane that takes no part (0) has no best hand."""
    for lane in range(LANES):
        best[lane] = 1
    for lane in range(LANES):
        n_best[lane] = np.uint8(0)


@lean
def raise_best_value(values, best):
    for lane in range(LANES):
        best[lane] = max(best[lane], values[lane])


@lean
def mark_best(values, best, is_best):
    for lane in range(LANES):
        is_best[lane] = np.uint8(values[lane] == best[lane])


@lean
def add_marks(marks, totals):
    for lane in range(LANES):
        totals[lane] = np.uint8(totals[lane] + marks[lane])


@lean
def count_value(row, value):
    """How many lanes of a uint8 row hold ``value``."""
    count = np.uint16(0)
    for lane in range(LANES):
        count = np.uint16(count + np.uint16(row[lane] == value))
    return np.int64(count)


@lean
def keep_ties(marks, n_best):
    """Keep the marks of lanes with several best hands."""
    for lane in range(LANES):
        marks[lane] = np.uint8(marks[lane] & np.uint8(n_best[lane] > np.uint8(1)))


@inlined
def showdown_buffers(n_players, values):
    """Working memory of `count_showdowns`; ``values`` only lends its type."""
    best = np.empty_like(values[0])
    is_best = np.empty((n_players, LANES), np.uint8)
    n_best = np.empty(LANES, np.uint8)
    return best, is_best, n_best


@lean
def count_showdowns(values, buffers, tied, seats):
    """Add the showdowns of all lanes to ``tied[number of best hands]`` and ``seats[player, SHARE_...]``."""
    best, is_best, n_best = buffers
    n_players = values.shape[0]
    clear_showdown(best, n_best)
    for player in range(n_players):
        raise_best_value(values[player], best)
    for player in range(n_players):
        mark_best(values[player], best, is_best[player])
        add_marks(is_best[player], n_best)
    for k in range(1, tied.size):
        tied[k] += count_value(n_best, np.uint8(k))
    for player in range(n_players):
        n_all = count_value(is_best[player], np.uint8(1))
        keep_ties(is_best[player], n_best)
        n_tied = count_value(is_best[player], np.uint8(1))
        seats[player, SHARE_TIED] += n_tied
        seats[player, SHARE_SOLE] += n_all - n_tied
