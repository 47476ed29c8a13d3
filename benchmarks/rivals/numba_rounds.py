"""Guts rounds in plain scalar numba: one table, one deal at a time, an ordinary shuffle.

What a careful author writes who does not think in lanes. The library's own scalar twins give the same
counts as its lanes, bit for bit, and pay for that; this one is free to deal in the way that suits it best.
"""

import numba
import numpy as np

from benchmarks.rivals.rounds import LARGEST_POT, MAX_MULTIPLIER

DECK = 52
_STEP = np.uint64(0x9E3779B97F4A7C15)
_FACTOR_1, _FACTOR_2 = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
_S30, _S27, _S31, _S16 = np.uint64(30), np.uint64(27), np.uint64(31), np.uint64(16)
_LOW = np.uint64(0xFFFF)
# Pieces whose product leaves less than this would make some cards likelier than others.
_REMAINDERS = np.array([0] + [65536 % span for span in range(1, DECK + 1)], np.uint64)


@numba.njit(error_model="numpy")
def _next_word(state):
    z = state
    z = (z ^ (z >> _S30)) * _FACTOR_1
    z = (z ^ (z >> _S27)) * _FACTOR_2
    return z ^ (z >> _S31)


@numba.njit(error_model="numpy")
def _shuffle_top(deck, n_cards, state):
    """Bring ``n_cards`` random cards to the front; four draws per random word."""
    word, pieces = np.uint64(0), 0
    for i in range(n_cards):
        span = np.uint64(DECK - i)
        while True:
            if pieces == 0:
                state += _STEP
                word, pieces = _next_word(state), 4
            product = (word & _LOW) * span
            word >>= _S16
            pieces -= 1
            low = product & _LOW
            if low >= span or low >= _REMAINDERS[DECK - i]:
                break
        j = i + np.int64(product >> _S16)
        deck[i], deck[j] = deck[j], deck[i]
    return state


@numba.njit(error_model="numpy")
def _table_index(deck, at, hand_size):
    index = (deck[at] >> 2) * 13 + (deck[at + 1] >> 2)
    if hand_size == 3:
        index = index * 13 + (deck[at + 2] >> 2)
        if ((deck[at] ^ deck[at + 1]) | (deck[at] ^ deck[at + 2])) & 3 == 0:
            index += 2197
    return index


@numba.njit(error_model="numpy")
def play_numba(seed, n_rounds, n_players, hand_size, table, first_class, histogram, nets):
    """Add the multipliers of ``n_rounds`` rounds to ``histogram`` (MAX_MULTIPLIER,), chips to ``nets``."""
    state = np.uint64(seed)
    deck = np.arange(DECK)
    classes = np.empty(n_players, np.int64)
    pot = n_players
    for _ in range(n_rounds):
        state = _shuffle_top(deck, n_players * hand_size, state)
        best, n_best, n_in = -1, 0, 0
        for player in range(n_players):
            hand_class = np.int64(table[_table_index(deck, player * hand_size, hand_size)])
            classes[player] = hand_class
            if hand_class >= first_class:
                n_in += 1
                if hand_class > best:
                    best, n_best = hand_class, 1
                elif hand_class == best:
                    n_best += 1
        if n_in == 0:
            histogram[1] += 1
            continue
        share = pot if n_best == 1 else pot // n_best
        for player in range(n_players):
            if classes[player] == best:
                nets[player] += share
            elif classes[player] >= first_class:
                nets[player] -= pot
        histogram[n_in - n_best] += 1
        pot *= n_in - n_best
        if pot == 0 or pot > LARGEST_POT:
            pot = n_players
            for player in range(n_players):
                nets[player] -= 1


def rounds_played(
    seed: int, n_rounds: int, n_players: int, hand_size: int, table: np.ndarray, first_class: int
) -> np.ndarray:
    """Histogram of the multiplier of the pot."""
    histogram, nets = np.zeros(MAX_MULTIPLIER, np.int64), np.zeros(n_players, np.int64)
    play_numba(seed, n_rounds, n_players, hand_size, table, first_class, histogram, nets)
    return histogram
