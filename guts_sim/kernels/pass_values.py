"""Every pass of three cards of one Anaconda hand at once, in lanes: what each wins at the showdown.

The opponents choose their passes once per deal. Of the opponents' final hands only the left
neighbour's depends on what the hero passes; so a deal costs two evaluations per pass, and all passes meet the same
cards.
Opponent 0 sits to the hero's left, the last one to his right; batches move to the left.
"""

import numpy as np

from guts_sim.kernels._jit import helper, kernel, lean
from guts_sim.kernels.deal import LANES
from guts_sim.kernels.evaluate import high5_lanes
from guts_sim.kernels.pass_choice import choice_buffers, choose_random, choose_scored, sort_lanes, split_hand
from guts_sim.kernels.pass_codes import HAND_SIZE, MOST_OPTIONS, RANDOM, SCORED, SHARE_UNITS
from guts_sim.kernels.showdown import count_value

# A hero who shares the best place with s - 1 others (code s) gets 1/s of the pot; code 0 loses.
SHARES = np.array([0] + [SHARE_UNITS // s for s in range(1, 8)], np.int16)


@helper
def add_constant(row, mask, out):
    """Add known cards to the hand of every lane."""
    for lane in range(LANES):
        out[lane] = np.uint16(row[lane] | mask)


@lean
def evaluate_with(masks, suit_masks, hands, keys):
    """Keys of seven cards: those of each lane's ``masks`` and the known ones."""
    for suit in range(4):
        add_constant(masks[suit], suit_masks[suit], hands[suit])
    high5_lanes(hands[0], hands[1], hands[2], hands[3], HAND_SIZE, keys)


@helper
def meet_best(keys, best, n_best):
    """Add a hand to the best of the lane and to how many hold it."""
    for lane in range(LANES):
        key = keys[lane]
        stronger = np.int32(key > best[lane])
        equal = np.int32(key == best[lane])
        n_best[lane] = np.int32(stronger + np.int32(np.int32(n_best[lane] + equal) * np.int32(np.int32(1) - stronger)))
        best[lane] = max(best[lane], key)


@helper
def score_hero(hero, left, best, n_best, code):
    """How many share the best place with the hero, himself included; 0 if he is beaten."""
    for lane in range(LANES):
        key = hero[lane]
        unbeaten = np.int32(np.int32(key >= left[lane]) & np.int32(key >= best[lane]))
        tied = np.int32(np.int32(key == left[lane]) + np.int32(np.int32(key == best[lane]) * n_best[lane]))
        code[lane] = np.uint8(np.int32(unbeaten * np.int32(np.int32(1) + tied)))


@helper
def fill_shares(code, shares):
    for lane in range(LANES):
        shares[lane] = SHARES[code[lane]]


@helper
def product_sum(a, b):
    """Sum of the products of two int16 rows; below 2**26."""
    total = np.int32(0)
    for lane in range(LANES):
        total = np.int32(total + np.int32(np.int32(a[lane]) * np.int32(b[lane])))
    return np.int64(total)


@helper
def fill_masks(bits, more_bits, masks):
    """Rank masks by suit of two sets of cards together."""
    for lane in range(LANES):
        both = bits[lane] | more_bits[lane]
        masks[0, lane] = np.uint16(both)
        masks[1, lane] = np.uint16(both >> np.uint64(16))
        masks[2, lane] = np.uint16(both >> np.uint64(32))
        masks[3, lane] = np.uint16(both >> np.uint64(48))


@helper
def add_products(shares, cross):
    for i in range(shares.shape[0]):
        for j in range(i + 1):
            cross[i, j] += product_sum(shares[i], shares[j])


@helper
def read_hands(cards, start, player, hand):
    """One player's hands from rows of deals into lanes; lanes beyond the last deal repeat it."""
    last = cards.shape[0] - 1
    for lane in range(LANES):
        row = min(start + lane, last)
        for i in range(HAND_SIZE):
            hand[i, lane] = cards[row, HAND_SIZE * player + i]


@kernel
def choose_passes(cards, choice_key, first, kind, keep_score, pass_score, parts):
    """Split every hand into what a policy keeps and what it passes.

    Parameters
    ----------
    cards : uint8 (deal, 7 * player)
        Hands side by side.
    choice_key, first : uint64
        Key of random choices, and the number of the first deal.
    kind, keep_score, pass_score : int64, int32, int32
        The players' policy; see `pass_choice`.
    parts : uint64 (group, player, 2, LANES), overwritten
        What each keeps, and what he passes, as sums of ``evaluate.CARD_BITS``. Group g holds the deals from
        ``LANES * g`` on; lanes beyond the last deal hold any cards.
    """
    hand = np.empty((HAND_SIZE, LANES), np.uint8)
    choice = np.zeros(LANES, np.int32)
    buffers = choice_buffers()
    for group in range(parts.shape[0]):
        start = LANES * group
        for player in range(parts.shape[1]):
            read_hands(cards, start, player, hand)
            sort_lanes(hand)
            if kind == RANDOM:
                choose_random(choice_key, first + np.uint64(start), player + 1, choice)
            elif kind == SCORED:
                choose_scored(hand, keep_score, pass_score, buffers, choice)
            split_hand(hand, choice, parts[group, player, 0], parts[group, player, 1])


@kernel
def count_passes(parts, n_deals, hero, outcomes, cross):
    """Count what every pass of the hero's hand leads to.

    Parameters
    ----------
    parts : uint64 (group, opponent, 2, LANES)
        The opponents' hands as `choose_passes` makes them; opponent 0 sits to the hero's left.
    n_deals : int64
        Deals to count, from the first.
    hero : uint16 (2, 35, 4)
        Rank masks by suit of what each option keeps, and of what it passes.
    outcomes : int64 (35, n_players + 1), modified in place
        Column s: best, shared by s players. Column 0 is left alone: what is missing are the deals lost.
    cross : int64 (35, 35), modified in place
        Lower triangle: sums of products of the shares of two passes, in squares of 1/SHARE_UNITS pot.
    """
    n_opponents = parts.shape[1]
    kept_masks, passed_masks = hero[0], hero[1]
    masks = np.empty((4, LANES), np.uint16)
    left = np.empty((4, LANES), np.uint16)
    received = np.empty((4, LANES), np.uint16)
    keys = np.empty(LANES, np.int32)
    left_keys = np.empty(LANES, np.int32)
    best = np.empty(LANES, np.int32)
    n_best = np.empty(LANES, np.int32)
    code = np.empty(LANES, np.uint8)
    shares = np.empty((MOST_OPTIONS, LANES), np.int16)
    for group in range(parts.shape[0]):
        part = parts[group]
        n_live = min(LANES, n_deals - LANES * group)
        best[:] = 0
        n_best[:] = 0
        fill_masks(part[n_opponents - 1, 1], part[n_opponents - 1, 1], received)
        fill_masks(part[0, 0], part[0, 0], left)
        for j in range(1, n_opponents):
            fill_masks(part[j, 0], part[j - 1, 1], masks)
            high5_lanes(masks[0], masks[1], masks[2], masks[3], HAND_SIZE, keys)
            meet_best(keys, best, n_best)
        for option in range(MOST_OPTIONS):
            evaluate_with(left, passed_masks[option], masks, left_keys)
            evaluate_with(received, kept_masks[option], masks, keys)
            score_hero(keys, left_keys, best, n_best, code)
            for lane in range(n_live, LANES):
                code[lane] = np.uint8(0)
            for shared in range(1, n_opponents + 2):
                outcomes[option, shared] += count_value(code, np.uint8(shared))
            fill_shares(code, shares[option])
        add_products(shares, cross)
