"""Deal the opponents once and score every hand the hero could hold.

A deal of the opponents' cards informs every hero hand at the same time: a hand counts as often as it
can still be made from the cards that are left. Hands are grouped in *information sets*: hands that look
alike to the hero up to a renaming of suits. Two-card Guts has 91, because suits never matter there; three
cards have 1,755:

    286 rank triples i > j > k, five suit patterns each, pattern-major (index = pattern * 286 + triple):
        0 all suited, 1 i and j suited, 2 i and k suited, 3 j and k suited, 4 three different suits
    156 pairs with a kicker, two patterns each: the kicker's suit is one of the pair's, or not
     13 trips

The opponents' mixing is integrated out exactly, so the only noise left is that of the deal. Values are
integers in units of 1/VALUE_SCALE pot, in which everything that pure strategies can win is a whole
number; so the sums do not depend on their order.

Work runs over GROUP deals at a time, arrays being (thing, lane).
"""

import numpy as np

from guts_sim.kernels._jit import helper, kernel, lean
from guts_sim.kernels.deal import LANES, deal_lanes, deal_scratch
from guts_sim.kernels.units import VALUE_SCALE

N_TRIPLES = 286
N_KICKED_PAIRS = 156
N_SETS_TWO = 91
N_SETS_THREE = 5 * N_TRIPLES + 2 * N_KICKED_PAIRS + 13

GROUP = 64  # deals scored together; LANES is a multiple
# The most hands of one set is 24 and the most that a decision can be worth is less than 2 pots, so
# the sum over a group, 24 * 2 * VALUE_SCALE * GROUP, stays below 2**31.


@helper
def popcount4(mask):
    """Number of suits in a four-bit mask, without a branch or a table; all in uint8."""
    pairs = np.uint8(np.uint8(mask & np.uint8(5)) + np.uint8(np.uint8(mask >> np.uint8(1)) & np.uint8(5)))
    return np.uint8(np.uint8(pairs & np.uint8(3)) + np.uint8(pairs >> np.uint8(2)))


@helper
def mark_left(cards, first_lane, n_lanes, left):
    """``left[rank, lane]``: four-bit mask of the suits nobody holds; 0 in lanes that are not wanted."""
    for rank in range(13):
        for lane in range(GROUP):
            left[rank, lane] = np.uint8(15) * np.uint8(lane < n_lanes)
    for i in range(cards.shape[0]):
        for lane in range(n_lanes):
            card = cards[i, first_lane + lane]
            left[card >> 2, lane] ^= np.uint8(1) << (card & np.uint8(3))


@lean
def opponent_classes(cards, lane, hand_size, table, classes):
    """Fill ``classes`` with the opponents' hand classes in one lane, the strongest first."""
    for player in range(classes.size):
        at = player * hand_size
        a = np.int64(cards[at, lane])
        b = np.int64(cards[at + 1, lane])
        index = (a >> 2) * 13 + (b >> 2)
        if hand_size == 3:
            c = np.int64(cards[at + 2, lane])
            flush = np.int64((a ^ b) & 3 == 0) & np.int64((b ^ c) & 3 == 0)
            index = flush * 2197 + index * 13 + (c >> 2)
        hand_class = table[index]
        place = player
        while place > 0 and classes[place - 1] < hand_class:
            classes[place] = classes[place - 1]
            place -= 1
        classes[place] = hand_class


@lean
def split_groups(classes, entry, group_class, group_size, stay_out):
    """Collect equal hands; ``stay_out`` is the probability that a whole group stays out."""
    n_groups = 0
    at = 0
    while at < classes.size:
        hand_class = classes[at]
        group_class[n_groups] = hand_class
        group_size[n_groups] = 0
        stay_out[n_groups] = 1.0
        while at < classes.size and classes[at] == hand_class:
            group_size[n_groups] += 1
            stay_out[n_groups] *= 1.0 - entry[hand_class]
            at += 1
        n_groups += 1
    return n_groups


@lean
def group_values(n_groups, group_class, group_size, stay_out, entry, n_players, equal, below):
    """In-minus-out for a hero hand as strong as each group, and just below it; return two values more.

    ``nobody_above`` is the probability that no group passed so far has come in. With K others in
    and w of them tied for best the hero gets, in pots,

        out:               1/N if K = 0, else (K - w)/N
        in, best alone:    1 + K/N
        in, tied with j:   1/(1 + j) + (K - j)/N
        in, beaten:        -1 + (K + 1 - w)/N

    where 1/N of the next pot is everybody's share in what is then on the table. Returned are the value of
    staying out and in-minus-out for a hand above all groups.
    """
    expected_in = 0.0
    expected_best = 0.0  # E[w]
    nobody_above = 1.0
    for g in range(n_groups):
        entering = group_size[g] * entry[group_class[g]]
        expected_in += entering
        expected_best += nobody_above * entering
        nobody_above *= stay_out[g]
    out = (nobody_above + expected_in - expected_best) / n_players

    best_above = 0.0  # E[w; the best of the others is in a group already passed]
    nobody_above = 1.0
    for g in range(n_groups):
        enter = entry[group_class[g]]
        tied = nobody_above * group_size[g] * enter
        share = 1.0  # E[1/(1 + j)] with j of the group in
        if enter > 0.0:
            share = (1.0 - stay_out[g] * (1.0 - enter)) / ((group_size[g] + 1) * enter)
        beaten = 1.0 - nobody_above
        losers = expected_in + beaten - best_above - tied
        equal[g] = nobody_above * share - beaten + losers / n_players - out
        best_above += tied
        nobody_above *= stay_out[g]
        beaten = 1.0 - nobody_above
        below[g] = nobody_above - beaten + (expected_in + beaten - best_above) / n_players - out
    return out, 1.0 + expected_in / n_players - out


@lean
def to_units(value):
    """Pots to integer units, rounded to the nearest."""
    return np.int32(np.floor(value * VALUE_SCALE + 0.5))


@helper
def fill_gains(cards, first_lane, n_lanes, hand_size, n_players, entry, table, steps, gain, out):
    """``gain[c, lane]``: in-minus-out for a hero hand of class c; ``out[lane]``: value of staying out.

    Along c a lane's gain is a step function that changes at the opponents' classes only. The changes are
    listed by class, then one sweep down the classes copies the current values of all lanes.
    """
    first_step, next_step, equal_units, below_units = steps
    n_opponents = n_players - 1
    classes = np.empty(n_opponents, np.int32)
    group_class = np.empty(n_opponents, np.int32)
    group_size = np.empty(n_opponents, np.int32)
    stay_out = np.empty(n_opponents)
    equal = np.empty(n_opponents)
    below = np.empty(n_opponents)
    current = np.zeros(GROUP, np.int32)
    out[:] = 0
    first_step[:] = -1
    for lane in range(n_lanes):
        opponent_classes(cards, first_lane + lane, hand_size, table, classes)
        n_groups = split_groups(classes, entry, group_class, group_size, stay_out)
        lane_out, top = group_values(n_groups, group_class, group_size, stay_out, entry, n_players, equal, below)
        out[lane] = to_units(lane_out)
        current[lane] = to_units(top)
        for g in range(n_groups):
            step = lane * n_opponents + g
            equal_units[step] = to_units(equal[g])
            below_units[step] = to_units(below[g])
            next_step[step] = first_step[group_class[g]]
            first_step[group_class[g]] = step
    for c in range(gain.shape[0] - 1, -1, -1):
        step = first_step[c]
        while step >= 0:
            current[step // n_opponents] = equal_units[step]
            step = next_step[step]
        for lane in range(GROUP):
            gain[c, lane] = current[lane]
        step = first_step[c]
        while step >= 0:
            current[step // n_opponents] = below_units[step]
            step = next_step[step]


@helper
def count_two_card_sets(count, available):
    """Hands left of the 78 unpaired sets by (high, low), then of the 13 pairs: the order of strength."""
    s = 0
    for high in range(13):
        for low in range(high):
            for lane in range(GROUP):
                available[s, lane] = np.uint8(count[high, lane] * count[low, lane])
            s += 1
    for rank in range(13):
        for lane in range(GROUP):
            n = count[rank, lane]
            available[s, lane] = np.uint8(n * np.uint8(n - np.uint8(1))) >> np.uint8(1)
        s += 1


@helper
def count_triples(left, count, common, available):
    """Hands left of the unpaired three-card sets; ``common[i, k]`` counts the suits left in both ranks."""
    triple = 0
    for i in range(13):
        for j in range(i):
            for k in range(j):
                all_suited = available[triple]
                all_different = available[4 * N_TRIPLES + triple]
                for lane in range(GROUP):
                    both = np.uint8(left[i, lane] & left[j, lane])
                    all_suited[lane] = popcount4(np.uint8(both & left[k, lane]))
                for lane in range(GROUP):
                    hands = np.uint8(np.uint8(count[i, lane] * count[j, lane]) * count[k, lane])
                    all_different[lane] = np.uint8(hands - all_suited[lane])
                for pattern in range(1, 4):
                    # Two cards of one suit, the third (k, j, i in turn) of another. One loop, not three:
                    # each vectorised loop costs compile time.
                    third = k if pattern == 1 else j if pattern == 2 else i
                    suited = common[j if third == i else i, j if third == k else k]
                    n_third = count[third]
                    partly_suited = available[pattern * N_TRIPLES + triple]
                    for lane in range(GROUP):
                        hands = np.uint8(np.uint8(suited[lane] * n_third[lane]) - all_suited[lane])
                        partly_suited[lane] = hands
                        all_different[lane] = np.uint8(all_different[lane] - hands)
                triple += 1


@helper
def count_pairs_and_trips(count, common, available):
    """Hands left with a pair: kicker sharing a suit with it, kicker of another suit; then trips."""
    s = 5 * N_TRIPLES
    for rank in range(13):
        for kicker in range(13):
            if kicker != rank:
                for lane in range(GROUP):
                    n = count[rank, lane]
                    others = np.uint8(np.maximum(n, np.uint8(1)) - np.uint8(1))
                    shared = np.uint8(common[rank, kicker, lane] * others)
                    pairs = np.uint8(np.uint8(n * others) >> np.uint8(1))
                    available[s, lane] = shared
                    available[s + N_KICKED_PAIRS, lane] = np.uint8(np.uint8(pairs * count[kicker, lane]) - shared)
                s += 1
    s += N_KICKED_PAIRS
    for rank in range(13):
        for lane in range(GROUP):
            n = count[rank, lane]
            # 0, 0, 0, 1, 4 ways to take three of 0 .. 4 cards
            available[s, lane] = np.uint8(np.uint8(n == 3) + np.uint8(4) * np.uint8(n == 4))
        s += 1


@helper
def add_sets(available, gain, out, set_class, sums):
    """Add every information set's hands, gains and out values over the lanes."""
    for s in range(set_class.size):
        c = set_class[s]
        hands = np.int32(0)
        gains = np.int32(0)
        outs = np.int32(0)
        for lane in range(GROUP):
            n = np.int32(available[s, lane])
            hands += n
            gains += n * gain[c, lane]
            outs += n * out[lane]
        sums[0, s] += hands
        sums[1, s] += gains
        sums[2, s] += outs


@kernel
def score_hands(key, first, n_deals, n_opponents, hand_size, entry, table, set_class, sums):
    """Add the values of every information set over deals ``first .. first + n_deals - 1``.

    Parameters
    ----------
    key, first, n_deals : uint64, int64, int64
        Which deals; see the deal kernels.
    n_opponents, hand_size : int64
        The hero's own hand is not dealt.
    entry : float64 (n_classes,)
        Entry probability of an opponent per hand class.
    table : uint16
        Hand class by ranks (and flush), as made by ``hands.guts_table``.
    set_class : int32 (n_sets,)
        Hand class of each information set.
    sums : int64 (3, n_sets), modified in place
        Row 0: hands available; row 1: each times in-minus-out; row 2: each times the value of staying
        out, in units of 1/VALUE_SCALE pot.
    """
    n_cards = n_opponents * hand_size
    known = np.empty(0, np.uint8)
    scratch = deal_scratch(n_cards)
    cards = np.empty((n_cards, LANES), np.uint8)
    n_steps = GROUP * n_opponents
    steps = (
        np.empty(entry.size, np.int32),
        np.empty(n_steps, np.int32),
        np.empty(n_steps, np.int32),
        np.empty(n_steps, np.int32),
    )
    gain = np.empty((entry.size, GROUP), np.int32)
    out = np.empty(GROUP, np.int32)
    left = np.empty((13, GROUP), np.uint8)
    count = np.empty((13, GROUP), np.uint8)
    common = np.empty((13, 13, GROUP), np.uint8)
    available = np.empty((set_class.size, GROUP), np.uint8)
    for done in range(0, n_deals, LANES):
        deal_lanes(key, np.uint64(first + done), known, scratch, cards)
        for first_lane in range(0, min(LANES, n_deals - done), GROUP):
            n_lanes = min(GROUP, n_deals - done - first_lane)
            fill_gains(cards, first_lane, n_lanes, hand_size, n_opponents + 1, entry, table, steps, gain, out)
            mark_left(cards, first_lane, n_lanes, left)
            for rank in range(13):
                for lane in range(GROUP):
                    count[rank, lane] = popcount4(left[rank, lane])
            if hand_size == 2:
                count_two_card_sets(count, available)
            else:
                for rank in range(13):
                    for other in range(13):
                        for lane in range(GROUP):
                            both = np.uint8(left[rank, lane] & left[other, lane])
                            common[rank, other, lane] = popcount4(both)
                count_triples(left, count, common, available)
                count_pairs_and_trips(count, common, available)
            add_sets(available, gain, out, set_class, sums)
