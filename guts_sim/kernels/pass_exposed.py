"""What an opponent holds behind the cards he has shown, given how everybody passes.

A player's final seven are four of his own and three of his right neighbour's. The exposed cards lie somewhere among
the fourteen that these two were dealt: they are put into random places, the rest is dealt, and the deal counts if the
policies let all exposed cards reach the player's best five. Where several choices of five are equally strong, each is
as likely as the other to be shown.
"""

import numpy as np

from guts_sim.kernels._jit import helper, kernel
from guts_sim.kernels.deal import deal_one
from guts_sim.kernels.evaluate import CARD_BITS, CATEGORY_SHIFT
from guts_sim.kernels.pass_choice import hand_key, sort_hand
from guts_sim.kernels.pass_codes import EXPOSED_UNITS, HAND_SIZE
from guts_sim.kernels.pass_play import choose_three
from guts_sim.kernels.rand import word

N_CATEGORIES = 9
N_FIVES = 21  # of seven cards
CARDS_OF_A_RANK = np.uint64(0x0001000100010001)
N_SUMS = N_CATEGORIES + 13  # by category, and by rank of the hidden card if only one is hidden


@helper
def place_exposed(exposed, n_places, place_key, deal, hand):
    """Put the exposed cards into random places of the first ``n_places``; the other places hold 255."""
    for i in range(hand.size):
        hand[i] = np.uint8(255)
    for i in range(exposed.size):
        left = np.uint64(n_places - i)
        skip = np.int64(
            ((word(place_key, deal * np.uint64(8) + np.uint64(i)) >> np.uint64(32)) * left) >> np.uint64(32)
        )
        at = 0
        while hand[at] != 255 or skip > 0:
            if hand[at] == 255:
                skip -= 1
            at += 1
        hand[at] = exposed[i]


@helper
def bits_of(hand, mask, wanted):
    """Sum of the card bits of the positions whose bit in ``mask`` is ``wanted``."""
    bits = np.uint64(0)
    for i in range(HAND_SIZE):
        if (mask >> i) & 1 == wanted:
            bits |= CARD_BITS[hand[i]]
    return bits


@helper
def add_final_hand(bits, shown, weights):
    """Weigh the choices of five of the best strength that hold what is shown; return category and total weight.

    ``weights`` int64 (13,), overwritten: by rank of the hidden card where exactly one is hidden.
    """
    cards = np.empty(HAND_SIZE, np.uint64)
    n = 0
    for card in range(52):
        if bits & CARD_BITS[card]:
            cards[n] = CARD_BITS[card]
            n += 1
    fives = np.empty(N_FIVES, np.uint64)
    keys = np.empty(N_FIVES, np.int32)
    best = np.int32(0)
    n = 0
    for i in range(HAND_SIZE):
        for j in range(i):
            fives[n] = bits ^ cards[i] ^ cards[j]
            keys[n] = hand_key(fives[n], 5)
            best = max(best, keys[n])
            n += 1
    n_best = 0
    n_fitting = 0
    weights[:] = 0
    for n in range(N_FIVES):
        n_best += keys[n] == best
        if keys[n] == best and fives[n] & shown == shown:
            n_fitting += 1
            hidden = fives[n] ^ shown
            if hidden & (hidden - np.uint64(1)) == np.uint64(0):
                for rank in range(13):
                    weights[rank] += hidden & (CARDS_OF_A_RANK << np.uint64(rank)) != np.uint64(0)
    for rank in range(13):
        weights[rank] = weights[rank] * EXPOSED_UNITS // n_best
    return best >> CATEGORY_SHIFT, n_fitting * EXPOSED_UNITS // n_best


@kernel
def count_exposed(key, place_key, choice_key, first, n_deals, exposed, known, gave, kind, keep_score, pass_score, sums):
    """Add up how often the exposed cards come with each final hand.

    Parameters
    ----------
    key, place_key, choice_key, first, n_deals : uint64 four times, int64
        Which deals, and the keys of random places and choices.
    exposed, known, gave : uint8
        Cards shown; cards that are not dealt (shown, dead and given ones), ascending; and the three cards that the
        player got, if that is known, else none.
    kind, keep_score, pass_score : int64, int32, int32
        Everybody's policy; see `pass_choice`.
    sums : int64 (1 + N_SUMS, 3), modified in place
        Row 0: weight w of the deals that count, its square, deals. Other rows, by category and hidden rank, the weight
        v falling there: v, v * v, v * w. In EXPOSED_UNITS.
    """
    n_hands = 1 if gave.size else 2
    shown = np.uint64(0)
    given = np.uint64(0)
    for card in exposed:
        shown |= CARD_BITS[card]
    for card in gave:
        given |= CARD_BITS[card]
    own = np.empty(exposed.size, np.uint8)
    n_own = 0
    for card in exposed:
        if not CARD_BITS[card] & given:
            own[n_own] = card
            n_own += 1
    own = own[:n_own]
    cards = np.empty(HAND_SIZE * n_hands - n_own, np.uint8)
    places = np.empty(2 * HAND_SIZE, np.uint8)
    weights = np.empty(13, np.int64)
    for number in range(n_deals):
        deal = first + np.uint64(number)
        place_exposed(own, HAND_SIZE * n_hands, place_key, deal, places)
        deal_one(key, deal, known, cards)
        at = 0
        for i in range(HAND_SIZE * n_hands):
            if places[i] == 255:
                places[i] = cards[at]
                at += 1
        bits = given
        for h in range(n_hands):
            hand = places[HAND_SIZE * h : HAND_SIZE * (h + 1)]
            sort_hand(hand)
            mask = choose_three(hand, kind, keep_score, pass_score, choice_key, deal, 0, h)
            bits |= bits_of(hand, mask, h)
        if bits & shown != shown:
            continue
        category, weight = add_final_hand(bits, shown, weights)
        if weight == 0:
            continue
        sums[0, 0] += weight
        sums[0, 1] += weight * weight
        sums[0, 2] += 1
        for row in range(N_SUMS):
            part = 0
            if row < N_CATEGORIES:
                if row == category:
                    part = weight
            else:
                part = weights[row - N_CATEGORIES]
            sums[1 + row, 0] += part
            sums[1 + row, 1] += part * part
            sums[1 + row, 2] += part * weight
