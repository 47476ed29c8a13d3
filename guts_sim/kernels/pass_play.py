"""Whole programmes of passes, one deal at a time: final hands after one or several passes in any direction.

The scalar counterpart of `pass_values`, bit for bit where both apply. Seats run to the left: what seat s passes with
shift d goes to seat ``(s + d) % n_seats``. All batches of a pass are chosen before any is received.
"""

import numpy as np

from guts_sim.kernels._jit import kernel, lean
from guts_sim.kernels.deal import deal_one
from guts_sim.kernels.pass_choice import (
    N_OPTIONS,
    OPTION_MASKS,
    random_option,
    scored_option,
    sort_hand,
    strongest_option,
)
from guts_sim.kernels.pass_codes import BATCH, HAND_SIZE, LOWEST, RANDOM


@lean
def choose_three(hand, kind, keep_score, pass_score, choice_key, deal, pass_number, seat):
    """Which three of seven ascending cards a policy passes: the positions as bits of a mask."""
    option = 0
    if kind == RANDOM:
        option = random_option(choice_key, deal, pass_number, seat, N_OPTIONS[BATCH])
    elif kind != LOWEST:
        option = scored_option(hand, keep_score, pass_score)
    return OPTION_MASKS[BATCH, option]


@lean
def choose_fewer(hand, n_passed, kind, choice_key, deal, pass_number, seat):
    """Which one or two of seven ascending cards a policy passes, as a mask."""
    option = 0
    if kind == RANDOM:
        option = random_option(choice_key, deal, pass_number, seat, N_OPTIONS[n_passed])
    elif kind != LOWEST:
        option = strongest_option(hand, n_passed)
    return OPTION_MASKS[n_passed, option]


@lean
def move_batches(hands, masks, shift, after):
    """Let every seat keep what its mask leaves and receive the batch that is meant for it; sort the hands."""
    n_seats = hands.shape[0]
    for seat in range(n_seats):
        giver = (seat + n_seats - shift) % n_seats
        at = 0
        for i in range(HAND_SIZE):
            if (masks[seat] >> i) & 1 == 0:
                after[seat, at] = hands[seat, i]
                at += 1
        for i in range(HAND_SIZE):
            if (masks[giver] >> i) & 1 == 1:
                after[seat, at] = hands[giver, i]
                at += 1
    for seat in range(n_seats):
        sort_hand(after[seat])
        for i in range(HAND_SIZE):
            hands[seat, i] = after[seat, i]


@lean
def deal_hands(key, deal, known, hero, cards, hands):
    """Deal and sort the hands of all seats; seat 0 gets ``hero`` if that is not empty."""
    deal_one(key, deal, known, cards)
    first_seat = 0
    if hero.size > 0:
        first_seat = 1
        for i in range(HAND_SIZE):
            hands[0, i] = hero[i]
    for seat in range(first_seat, hands.shape[0]):
        for i in range(HAND_SIZE):
            hands[seat, i] = cards[HAND_SIZE * (seat - first_seat) + i]
        sort_hand(hands[seat])


@kernel
def play_passes(key, choice_key, first, known, hero, passes, policy_of_seat, kinds, keep_scores, pass_scores, hands):
    """Fill ``hands`` with the final hands after all passes.

    Parameters
    ----------
    key, choice_key, first : uint64
        Which deals, and the key of random choices.
    known, hero : uint8
        Cards that are not dealt, ascending; and seat 0's hand, ascending, or nothing: then it is dealt too.
    passes : int64 (n_passes, 2)
        Number of cards, and how many seats to the left they go (modulo the seats).
    policy_of_seat, kinds, keep_scores, pass_scores : int64 (seat,), int64 (policy,), int32 (policy, ...) twice
        Policies, and who plays which; see `pass_choice`.
    hands : uint8 (deal, option, seat, 7), overwritten
        Ascending. Several options are what seat 0 may pass first, in order; with one, seat 0 follows its policy.
    """
    n_deals, n_options, n_seats = hands.shape[:3]
    cards = np.empty(HAND_SIZE * n_seats - hero.size, np.uint8)
    dealt = np.empty((n_seats, HAND_SIZE), np.uint8)
    after = np.empty((n_seats, HAND_SIZE), np.uint8)
    chosen = np.empty(n_seats, np.int64)
    masks = np.empty(n_seats, np.int64)
    for row in range(n_deals):
        deal = first + np.uint64(row)
        deal_hands(key, deal, known, hero, cards, dealt)
        for option in range(n_options):
            work = hands[row, option]
            for seat in range(n_seats):
                for i in range(HAND_SIZE):
                    work[seat, i] = dealt[seat, i]
            for number in range(passes.shape[0]):
                n_passed = passes[number, 0]
                for seat in range(n_seats):
                    if number > 0 or option == 0:
                        p = policy_of_seat[seat]
                        hand, kind = work[seat], kinds[p]
                        if n_passed == BATCH:
                            scores = keep_scores[p], pass_scores[p]
                            masks[seat] = choose_three(hand, kind, *scores, choice_key, deal, number, seat)
                        else:
                            masks[seat] = choose_fewer(hand, n_passed, kind, choice_key, deal, number, seat)
                        if number == 0:
                            chosen[seat] = masks[seat]
                    else:
                        masks[seat] = chosen[seat]
                if number == 0 and n_options > 1:
                    masks[0] = OPTION_MASKS[n_passed, option]
                move_batches(work, masks, passes[number, 1], after)
