"""Which cards a player passes: policies as tables of scores.

A hand is kept in ascending order. An *option* is a set of positions to pass, numbered in lexicographic order, so
that option 0 passes the lowest cards. A policy has a kind:

``LOWEST``  passes the lowest cards, option 0;
``RANDOM``  takes any option with equal chances;
``SCORED``  takes the option whose score is highest, the first of them if several are. The score is
            ``keep_score[index of the cards kept] + pass_score[index of the cards passed]``, where the index of
            ascending cards ``c_1 < c_2 < ...`` is ``C(c_1, 1) + C(c_2, 2) + ...`` (the combinatorial number system).

A later pass of one or two cards (of seven) leaves five or six, whose best five are a hand already: a ``SCORED`` player
then keeps the strongest, and passes the lower cards where several are equally strong.

A random choice reads word ``64 * deal + 8 * pass number + seat`` of the key of choices.
"""

from itertools import combinations
from math import comb

import numpy as np

from guts_sim.kernels._jit import helper, inlined, lean
from guts_sim.kernels.deal import LANES
from guts_sim.kernels.evaluate import CARD_BITS, high5_key
from guts_sim.kernels.pass_codes import BATCH, HAND_SIZE, KEPT, MOST_OPTIONS, N_KEPT, PASSED
from guts_sim.kernels.rand import word

# COLEX[k, card] = C(card, k + 1): what an ascending hand's card number k adds to its index.
COLEX = np.array([[comb(card, k + 1) for card in range(52)] for k in range(N_KEPT)], np.int32)
# By number of cards passed: the positions as bits of a mask, option by option.
N_OPTIONS = np.array([comb(HAND_SIZE, m) for m in range(BATCH + 1)], np.int64)
OPTION_MASKS = np.zeros((BATCH + 1, MOST_OPTIONS), np.int64)
for _m in range(BATCH + 1):
    for _option, _positions in enumerate(combinations(range(HAND_SIZE), _m)):
        OPTION_MASKS[_m, _option] = sum(1 << position for position in _positions)
# A sorting network for seven keys: 16 comparators (Knuth, The Art of Computer Programming, vol. 3, section 5.3.4).
NETWORK = np.array(
    [(0, 6), (2, 3), (4, 5), (0, 2), (1, 4), (3, 6), (0, 1), (2, 5), (3, 4), (1, 2), (4, 6), (2, 3), (4, 5), (1, 2),
     (3, 4), (5, 6)],
    np.int64,
)  # fmt: skip


@lean
def random_option(choice_key, deal, pass_number, seat, n_options):
    """An option with equal chances (up to parts in 2**32)."""
    counter = deal * np.uint64(64) + np.uint64(8 * pass_number + seat)
    return np.int64(((word(choice_key, counter) >> np.uint64(32)) * np.uint64(n_options)) >> np.uint64(32))


@lean
def sort_hand(hand):
    """Sort a short array in place."""
    for i in range(1, hand.size):
        card = hand[i]
        at = i
        while at > 0 and hand[at - 1] > card:
            hand[at] = hand[at - 1]
            at -= 1
        hand[at] = card


@lean
def scored_option(hand, keep_score, pass_score):
    """Best option of three cards to pass from seven in ascending order."""
    best = 0
    best_score = np.int32(0)
    for option in range(MOST_OPTIONS):
        kept = 0
        for k in range(N_KEPT):
            kept += COLEX[k, hand[KEPT[option, k]]]
        passed = 0
        for k in range(BATCH):
            passed += COLEX[k, hand[PASSED[option, k]]]
        score = np.int32(keep_score[kept] + pass_score[passed])
        if option == 0 or score > best_score:
            best, best_score = option, score
    return best


@lean
def hand_key(bits, n_cards):
    """Key of a hand given as the sum of its cards' bits."""
    return high5_key(
        np.uint16(bits),
        np.uint16(bits >> np.uint64(16)),
        np.uint16(bits >> np.uint64(32)),
        np.uint16(bits >> np.uint64(48)),
        n_cards,
    )


@lean
def strongest_option(hand, n_passed):
    """Option of one or two cards to pass from seven that leaves the strongest hand."""
    best = 0
    best_key = np.int32(-1)
    for option in range(N_OPTIONS[n_passed]):
        bits = np.uint64(0)
        for i in range(HAND_SIZE):
            if not (OPTION_MASKS[n_passed, option] >> i) & 1:
                bits |= CARD_BITS[hand[i]]
        key = hand_key(bits, HAND_SIZE - n_passed)
        if key > best_key:
            best, best_key = option, key
    return best


@helper
def exchange(low, high):
    """Put the lower card of each lane into ``low``."""
    for lane in range(LANES):
        a, b = low[lane], high[lane]
        low[lane] = min(a, b)
        high[lane] = max(a, b)


@helper
def sort_lanes(hand):
    """Sort each lane's hand, uint8 (7, LANES), in place."""
    for i in range(NETWORK.shape[0]):
        exchange(hand[NETWORK[i, 0]], hand[NETWORK[i, 1]])


@helper
def fill_terms(cards, terms, out):
    """What the cards of a row add to an index."""
    for lane in range(LANES):
        out[lane] = terms[cards[lane]]


@helper
def add_three(a, b, c, out):
    for lane in range(LANES):
        out[lane] = np.int32(np.int32(a[lane] + b[lane]) + c[lane])


@helper
def add_row(a, out):
    for lane in range(LANES):
        out[lane] = np.int32(out[lane] + a[lane])


@helper
def look_up_scores(keep_score, kept, pass_score, passed, score):
    for lane in range(LANES):
        score[lane] = keep_score[kept[lane]] + pass_score[passed[lane]]


@helper
def keep_better(score, option, best, choice):
    """Take the option in the lanes where it scores more than the best so far."""
    for lane in range(LANES):
        better = np.int32(np.int32(0) - np.int32(score[lane] > best[lane]))
        choice[lane] = np.int32(np.int32(choice[lane] & np.int32(~better)) | np.int32(np.int32(option) & better))
        best[lane] = max(best[lane], score[lane])


@inlined
def choice_buffers():
    """Working memory of `choose_scored`: terms (position, place, lane), then four rows."""
    return np.empty((HAND_SIZE, N_KEPT, LANES), np.int32), np.empty((4, LANES), np.int32)


@lean
def choose_scored(hand, keep_score, pass_score, buffers, choice):
    """The option with the highest score in every lane, into ``choice`` (int32)."""
    terms, rows = buffers
    kept, passed, score, best = rows[0], rows[1], rows[2], rows[3]
    for position in range(HAND_SIZE):
        for place in range(N_KEPT):
            fill_terms(hand[position], COLEX[place], terms[position, place])
    best[:] = np.int32(-(2**31))
    choice[:] = 0
    for option in range(MOST_OPTIONS):
        k, p = KEPT[option], PASSED[option]
        add_three(terms[k[0], 0], terms[k[1], 1], terms[k[2], 2], kept)
        add_row(terms[k[3], 3], kept)
        add_three(terms[p[0], 0], terms[p[1], 1], terms[p[2], 2], passed)
        look_up_scores(keep_score, kept, pass_score, passed, score)
        keep_better(score, np.int32(option), best, choice)


@helper
def choose_random(choice_key, first, seat, choice):
    for lane in range(LANES):
        choice[lane] = np.int32(random_option(choice_key, first + np.uint64(lane), 0, seat, MOST_OPTIONS))


@helper
def split_hand(hand, choice, kept, passed):
    """Sums of the card bits (uint64) of what is kept and of what is passed."""
    for lane in range(LANES):
        option = choice[lane]
        bits = np.uint64(0)
        for k in range(N_KEPT):
            bits |= CARD_BITS[hand[KEPT[option, k], lane]]
        kept[lane] = bits
        bits = np.uint64(0)
        for k in range(BATCH):
            bits |= CARD_BITS[hand[PASSED[option, k], lane]]
        passed[lane] = bits
