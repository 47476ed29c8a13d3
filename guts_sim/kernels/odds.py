"""One known hand against random hands that all go to the showdown."""

import numpy as np

from guts_sim.kernels._jit import kernel
from guts_sim.kernels.deal import LANES, deal_lanes, deal_scratch
from guts_sim.kernels.guts import hand_index, look_up


@kernel
def count_odds(key, first, n_deals, hero_class, hand_size, known, table, counts):
    """Count how the hero fares against the first 1, 2, ... opponents of each deal.

    Parameters
    ----------
    key, first, n_deals : uint64, uint64, int64
        Which deals; see the deal kernels.
    hero_class : int64
        Class of the hero's hand.
    hand_size : int64
        2 or 3.
    known : uint8
        The hero's cards and all others that cannot be dealt, ascending.
    table : uint16
        Hand class by table index.
    counts : int64 (n_opponents, n_opponents + 2), modified in place
        Row k - 1, against k opponents: column 0, deals in which somebody is better; column 1 + j, deals in
        which nobody is better and j opponents tie.
    """
    n_opponents = counts.shape[0]
    scratch = deal_scratch(n_opponents * hand_size)
    cards = np.empty((n_opponents * hand_size, LANES), np.uint8)
    index = np.empty(LANES, np.uint16)
    classes = np.empty((n_opponents, LANES), np.uint16)
    for start in range(0, n_deals, LANES):
        deal_lanes(key, first + np.uint64(start), known, scratch, cards)
        for player in range(n_opponents):
            hand_index(cards, hand_size, player, index)
            look_up(table, index, classes[player])
        for lane in range(min(LANES, n_deals - start)):
            beaten = False
            tied = 0
            for player in range(n_opponents):
                opponent_class = np.int64(classes[player, lane])
                beaten |= opponent_class > hero_class
                tied += opponent_class == hero_class
                counts[player, 0 if beaten else 1 + tied] += 1
