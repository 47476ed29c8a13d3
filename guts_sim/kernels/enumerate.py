"""Count every five-, six- or seven-card hand of the deck.

Hands are visited as a prefix of all but two cards, in ascending order, times every pair of later cards. The
pairs are sorted so that those after a given card come first, which makes the inner loop one run of lanes.
"""

import numpy as np

from guts_sim.kernels._jit import helper, kernel
from guts_sim.kernels.evaluate import (
    CARD_BITS,
    KICKER_BITS,
    LOW_TOP,
    PRIMARY_SHIFT,
    high5_lanes,
    low5_key,
)

_N_CARDS = 52
# Runs are filled up to whole vectors with lanes that nobody counts: a scalar rest would cost more.
_LANE_STEP = 32
_PAIRS = [(i, j) for i in range(_N_CARDS - 2, -1, -1) for j in range(i + 1, _N_CARDS)]
_N_PAIRS = len(_PAIRS)
_N_LANES = -(-_N_PAIRS // _LANE_STEP) * _LANE_STEP
_PAIR_MASKS = np.zeros((4, _N_LANES), dtype=np.uint16)
for _lane, _pair in enumerate(_PAIRS):
    for _card in _pair:
        _PAIR_MASKS[_card % 4, _lane] |= 1 << (_card // 4)


@helper
def _add_to_pairs(prefix_bits, n_lanes, masks):
    """Fill n lanes of ``masks`` with the prefix and one pair each."""
    for suit in range(4):
        prefix = np.uint16(prefix_bits >> np.uint64(16 * suit))
        for i in range(n_lanes):
            masks[suit, i] = _PAIR_MASKS[suit, i] | prefix


@helper
def _count_keys(keys, n, low, bases, kickers, counts):
    for i in range(n):
        key = LOW_TOP - keys[i] if low else keys[i]
        counts[bases[key >> PRIMARY_SHIFT] + kickers[key & KICKER_BITS]] += 1


@helper
def _next_prefix(prefix, size, first_stop):
    """Move to the next ascending prefix that leaves two cards above it; False after the last."""
    for place in range(size - 1, -1, -1):
        limit = _N_CARDS - 2 - size + place if place else first_stop - 1
        if prefix[place] < limit:
            prefix[place] += 1
            for later in range(place + 1, size):
                prefix[later] = prefix[later - 1] + 1
            return True
    return False


@kernel
def count_hands(n_cards, first_start, first_stop, low, bases, kickers, counts):
    """Add to ``counts`` (n_slots,) int64 the hands whose lowest card lies in [first_start, first_stop).

    ``bases`` and ``kickers`` are the slot tables of the ranking, which is ace-to-five low if ``low``.
    """
    size = n_cards - 2
    masks = np.empty((4, _N_LANES), np.uint16)
    keys = np.empty(_N_LANES, np.int32)
    prefix = np.arange(first_start, first_start + size)
    going = first_start < min(first_stop, _N_CARDS - n_cards + 1)
    first_stop = min(first_stop, _N_CARDS - n_cards + 1)
    while going:
        bits = np.uint64(0)
        for card in prefix:
            bits |= CARD_BITS[card]
        above = _N_CARDS - 1 - prefix[size - 1]
        n_hands = above * (above - 1) // 2
        n_lanes = (n_hands + _LANE_STEP - 1) // _LANE_STEP * _LANE_STEP
        _add_to_pairs(bits, n_lanes, masks)
        c, d, h, s = masks[0, :n_lanes], masks[1, :n_lanes], masks[2, :n_lanes], masks[3, :n_lanes]
        if low:
            for i in range(n_hands):
                keys[i] = low5_key(c[i], d[i], h[i], s[i])
        else:
            high5_lanes(c, d, h, s, n_cards, keys[:n_lanes])
        _count_keys(keys, n_hands, low, bases, kickers, counts)
        going = _next_prefix(prefix, size, first_stop)
