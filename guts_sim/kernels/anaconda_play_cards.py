"""Hands and exposed cards of Anaconda: strength, what cards on the table show, the order in which they are revealed."""

import numpy as np

from guts_sim.kernels._jit import lean
from guts_sim.kernels.anaconda_play_codes import (
    FOUR,
    HIDE,
    HONEST,
    PAIRED,
    RUN,
    SHUFFLED,
    SUITED,
    THREE,
    TWO_PAIRED,
)
from guts_sim.kernels.evaluate import (
    CARD_BITS,
    CATEGORY_SHIFT,
    FLUSH,
    FULL_HOUSE,
    KICKER_BITS,
    PRIMARY_SHIFT,
    STRAIGHT,
    STRAIGHT_FLUSH,
    high5_key,
)
from guts_sim.kernels.pass_codes import HAND_SIZE

# Cards of each primary rank in the best five, by category.
OF_PRIMARY = np.array([0, 2, 2, 3, 1, 0, 3, 4, 1], np.int64)
# What exposed groups show, by category; nothing else is possible with four cards.
SHOWS = np.array([0, PAIRED, TWO_PAIRED, THREE, 0, 0, 0, FOUR], np.int64)
WHEEL = 0x100F


@lean
def strength_index(key):
    """Category and the ranks that make it, without lesser kickers: below ``N_INDICES``."""
    key = np.int64(key)
    ranks = (key >> PRIMARY_SHIFT) & KICKER_BITS
    if ranks == 0:
        ranks = key & KICKER_BITS
    return (key >> CATEGORY_SHIFT) << 13 | ranks


@lean
def high_bit(mask):
    rank = -1
    while mask > 0:
        mask >>= 1
        rank += 1
    return rank


@lean
def exposed_class(bits, key, n_shown):
    """What one to four exposed cards show; below ``N_CLASSES``. ``key`` is theirs."""
    key = np.int64(key)
    category = key >> CATEGORY_SHIFT
    if category > 0:
        return 13 * SHOWS[category] + high_bit((key >> PRIMARY_SHIFT) & KICKER_BITS)
    ranks = key & KICKER_BITS
    shows = 0
    if n_shown > 1:
        field = bits
        while field & np.uint64(0xFFFF) == np.uint64(0):
            field >>= np.uint64(16)
        if field <= np.uint64(0xFFFF):
            shows += SUITED
        with_low_ace = ranks << 1 | ranks >> 12
        for low in range(10):
            straight = 0x1F << low
            if (ranks << 1) & ~straight == 0 or (with_low_ace & 0x1FFF) & ~straight == 0:
                shows += RUN
                break
    return 13 * shows + high_bit(ranks)


@lean
def arrange(hands, seat, key, order, random_word, five):
    """Best five of a sorted hand into ``five[seat]``, in the order in which they will be revealed."""
    key = np.int64(key)
    category = key >> CATEGORY_SHIFT
    primary, kickers = (key >> PRIMARY_SHIFT) & KICKER_BITS, key & KICKER_BITS
    if category == STRAIGHT or category == STRAIGHT_FLUSH:
        top = high_bit(primary)
        primary = 0x1F << (top - 4) if top >= 4 else WHEEL
    suit = -1
    if category == FLUSH or category == STRAIGHT_FLUSH:
        for s in range(4):
            held = 0
            for i in range(HAND_SIZE):
                held += np.int64((hands[seat, i] & 3) == s)
            if held >= 5:
                suit = s
    n = 0
    same, last_rank = 0, -1
    for i in range(HAND_SIZE - 1, -1, -1):
        card = np.int64(hands[seat, i])
        rank = card >> 2
        if suit >= 0 and (card & 3) != suit:
            continue
        same = same + 1 if rank == last_rank else 1
        last_rank = rank
        wanted = 0
        if (primary >> rank) & 1:
            wanted = OF_PRIMARY[category]
        elif (kickers >> rank) & 1:
            wanted = 2 if category == FULL_HOUSE else 1
        if same <= wanted and n < 5:
            five[seat, n] = np.uint8(card)
            n += 1
    sort_for_reveal(five, seat, order, random_word)


@lean
def sort_for_reveal(five, seat, order, random_word):
    """Order five cards from the last place to the first: the most telling of those left comes last.

    ``HIDE`` looks at the groups among the cards left, which keeps what is exposed as weak as it can be at every step.
    """
    for last in range(4, 0, -1):
        best, best_score = 0, -1
        for i in range(last + 1):
            rank = five[seat, i] >> 2
            count = 0
            for j in range(last + 1 if order == HIDE else 5):
                count += np.int64((five[seat, j] >> 2) == rank)
            score = 16 * count + rank
            if score > best_score:
                best, best_score = i, score
        if order == SHUFFLED:
            piece = np.int64((random_word >> np.uint64(12 * last)) & np.uint64(0xFFF))
            best = (piece * (last + 1)) >> 12
        card = five[seat, best]
        for i in range(best, last):
            five[seat, i] = five[seat, i + 1]
        five[seat, last] = card
    if order == HONEST:
        for i in range(2):
            card = five[seat, i]
            five[seat, i] = five[seat, 4 - i]
            five[seat, 4 - i] = card


@lean
def seven_key(hands, seat):
    bits = np.uint64(0)
    for i in range(HAND_SIZE):
        bits |= CARD_BITS[hands[seat, i]]
    return high5_key(*suit_masks(bits), HAND_SIZE)


@lean
def suit_masks(bits):
    return (
        np.uint16(bits),
        np.uint16(bits >> np.uint64(16)),
        np.uint16(bits >> np.uint64(32)),
        np.uint16(bits >> np.uint64(48)),
    )
