"""The plain scalar form of the fast kernels: one deal at a time, no lanes.

Every kernel here takes the arguments of the one it is named after and fills the same numbers, bit for bit. They
are what a careful author writes who does not think in lanes, the reference of the tests, and the yardstick
of the benchmarks.
"""

import numpy as np

from guts_sim.kernels._jit import helper, kernel, lean
from guts_sim.kernels.anaconda import HAND_SIZE
from guts_sim.kernels.carry import (
    CARRY_MAX_POT,
    CARRY_REANTE,
    CHIPS_PAID,
    CHIPS_WON,
    TABLE_ABANDONED,
    TABLE_CHIPS_LEFT,
    TABLE_ENDED,
    TABLE_PEAK_POT,
    TABLE_PEAK_RESERVE,
    TABLE_SHIFT,
    open_sums,
    opening,
    pay_antes,
)
from guts_sim.kernels.deal import deal_one
from guts_sim.kernels.evaluate import CATEGORY_SHIFT, high5_key
from guts_sim.kernels.guts import (
    ALWAYS,
    DEALS_PER_ENTRY_WORD,
    SEAT_IN,
    SEAT_LOST,
    SEAT_NET,
    SEAT_SOLE,
    SEAT_TIED,
    UNITS,
)
from guts_sim.kernels.rand import word
from guts_sim.kernels.showdown import SHARE_SOLE, SHARE_TIED

HALF_BITS = np.uint64(32)
HALF_MASK = np.uint64(0xFFFFFFFF)


@helper
def table_index_of(cards, hand_size, player):
    """Table index of one hand: the ranks as digits of base 13, flushes of three cards apart."""
    at = hand_size * player
    index = np.int64(cards[at] >> 2) * 13 + np.int64(cards[at + 1] >> 2)
    if hand_size == 3:
        index = index * 13 + np.int64(cards[at + 2] >> 2)
        if cards[at] & 3 == cards[at + 1] & 3 == cards[at + 2] & 3:
            index += 2197
    return index


@lean
def draws_to_enter(entry_key, deal, player, n_players, threshold):
    """Whether the random number of (deal, player) lets a hand with this threshold in."""
    if threshold == 0 or threshold == ALWAYS:
        return threshold == ALWAYS
    counter = deal // DEALS_PER_ENTRY_WORD * np.uint64(n_players) + np.uint64(player)
    half = word(entry_key, counter) >> (deal % DEALS_PER_ENTRY_WORD * HALF_BITS) & HALF_MASK
    return np.uint32(half) >> np.uint32(1) < threshold


@helper
def score_one(cards, hand_size, entry_key, deal, table, thresholds, strategy_of, scores):
    """Scores of the players of one deal: 0 for out, ``hand_class + 1`` for in."""
    n_players = strategy_of.size
    for player in range(n_players):
        hand_class = table[table_index_of(cards, hand_size, player)]
        threshold = thresholds[strategy_of[player], hand_class]
        scores[player] = 0
        if draws_to_enter(entry_key, deal, player, n_players, threshold):
            scores[player] = np.int64(hand_class) + 1


@helper
def best_of(scores):
    """Best score, how many hands have it, and how many players are in."""
    best, n_best, n_in = 0, 0, 0
    for player in range(scores.size):
        score = scores[player]
        if score > 0:
            n_in += 1
            if score > best:
                best, n_best = score, 1
            elif score == best:
                n_best += 1
    return best, n_best, n_in


@helper
def count_one(scores, joint, seats):
    """Count the outcome of one round at pot 1."""
    best, n_best, n_in = best_of(scores)
    joint[n_in, n_best] += 1
    for player in range(scores.size):
        if scores[player] > 0:
            seats[player, SEAT_IN] += 1
            if scores[player] < best:
                seats[player, SEAT_LOST] += 1
                seats[player, SEAT_NET] -= UNITS
            elif n_best == 1:
                seats[player, SEAT_SOLE] += 1
                seats[player, SEAT_NET] += UNITS
            else:
                seats[player, SEAT_TIED] += 1
                seats[player, SEAT_NET] += UNITS // n_best


@kernel
def count_rounds_scalar(key, entry_key, first, n_deals, hand_size, table, thresholds, strategy_of, joint, seats):
    """The scalar twin of `guts.count_rounds`."""
    n_players = strategy_of.size
    cards = np.empty(n_players * hand_size, np.uint8)
    scores = np.empty(n_players, np.int64)
    known = np.empty(0, np.uint8)
    joint[:] = 0
    seats[:] = 0
    for i in range(n_deals):
        deal = first + np.uint64(i)
        deal_one(key, deal, known, cards)
        score_one(cards, hand_size, entry_key, deal, table, thresholds, strategy_of, scores)
        count_one(scores, joint, seats)


@helper
def pay_one(scores, pot, chips):
    """The best hands take the pot, beaten hands match it; returns (players in, losers)."""
    best, n_best, n_in = best_of(scores)
    for player in range(scores.size):
        if scores[player] > 0:
            if scores[player] == best:
                chips[player, CHIPS_WON] += UNITS * pot // n_best
            else:
                chips[player, CHIPS_PAID] += UNITS * pot
    return n_in, n_in - n_best


@helper
def carry_one(n_in, n_losers, pot, reserve, rules, totals):
    """Pot and reserve that the next round is played for."""
    cap, open_pot, open_reserve = opening(rules)
    if n_in == 0:
        pot += rules[CARRY_REANTE] * (np.int64(open_pot) + np.int64(open_reserve))
    else:
        pot *= n_losers
    if pot > cap:
        reserve += pot - cap
        pot = np.int64(cap)
    if pot == 0:
        pot = min(reserve, np.int64(cap))
        reserve -= pot
    totals[TABLE_PEAK_POT] = max(totals[TABLE_PEAK_POT], pot)
    totals[TABLE_PEAK_RESERVE] = max(totals[TABLE_PEAK_RESERVE], reserve)
    if pot == 0:
        totals[TABLE_ENDED] += 1
    elif max(pot, reserve) > rules[CARRY_MAX_POT]:
        totals[TABLE_ABANDONED] += 1
        totals[TABLE_CHIPS_LEFT] += pot + reserve
    else:
        return pot, reserve
    return np.int64(open_pot), np.int64(open_reserve)


@kernel
def carry_rounds_scalar(
    key,
    entry_key,
    first,
    n_tables,
    n_rounds,
    hand_size,
    table,
    thresholds,
    strategy_of,
    rules,
    joint,
    seats,
    chips,
    totals,
):
    """The scalar twin of `carry.carry_rounds`."""
    n_players = strategy_of.size
    cards = np.empty(n_players * hand_size, np.uint8)
    scores = np.empty(n_players, np.int64)
    known = np.empty(0, np.uint8)
    open_sums(rules, joint, seats, chips, totals)
    _, open_pot, open_reserve = opening(rules)
    for i in range(n_tables):
        pot, reserve = np.int64(open_pot), np.int64(open_reserve)
        for round_number in range(n_rounds):
            deal = (np.uint64(round_number) << TABLE_SHIFT) + first + np.uint64(i)
            deal_one(key, deal, known, cards)
            score_one(cards, hand_size, entry_key, deal, table, thresholds, strategy_of, scores)
            count_one(scores, joint, seats)
            n_in, n_losers = pay_one(scores, pot, chips)
            pot, reserve = carry_one(n_in, n_losers, pot, reserve, rules, totals)
        totals[TABLE_CHIPS_LEFT] += pot + reserve
    pay_antes(rules, n_tables, joint, chips, totals)


@helper
def count_shares(values, tied, seats):
    """Who has the largest value, alone or with others; all values are positive."""
    best, n_best, _ = best_of(values)
    tied[n_best] += 1
    for player in range(values.size):
        if values[player] == best:
            seats[player, SHARE_SOLE if n_best == 1 else SHARE_TIED] += 1


@kernel
def count_one_card_scalar(key, first, n_deals, n_players, tied, seats):
    """The scalar twin of `indian.count_one_card`."""
    cards = np.empty(n_players, np.uint8)
    ranks = np.empty(n_players, np.int64)
    known = np.empty(0, np.uint8)
    tied[:] = 0
    seats[:] = 0
    for i in range(n_deals):
        deal_one(key, first + np.uint64(i), known, cards)
        for player in range(n_players):
            ranks[player] = (cards[player] >> 2) + 1
        count_shares(ranks, tied, seats)


@helper
def seven_card_key(cards):
    """Key of the best five of seven cards."""
    masks = np.zeros(4, np.uint16)
    for card in cards:
        masks[card & 3] |= np.uint16(1 << (card >> 2))
    return high5_key(masks[0], masks[1], masks[2], masks[3], HAND_SIZE)


@kernel
def count_seven_cards_scalar(key, first, n_deals, n_players, tied, seats, categories):
    """The scalar twin of `anaconda.count_seven_cards`."""
    cards = np.empty(n_players * HAND_SIZE, np.uint8)
    keys = np.empty(n_players, np.int64)
    known = np.empty(0, np.uint8)
    tied[:] = 0
    seats[:] = 0
    categories[:] = 0
    for i in range(n_deals):
        deal_one(key, first + np.uint64(i), known, cards)
        for player in range(n_players):
            keys[player] = seven_card_key(cards[HAND_SIZE * player : HAND_SIZE * (player + 1)])
            categories[player, keys[player] >> CATEGORY_SHIFT] += 1
        count_shares(keys, tied, seats)
