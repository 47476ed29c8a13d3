"""Pass-the-trash Guts: one card goes to the left neighbour, then everybody declares.

For every card that the hero can pass, and every card that he may receive for it, what entering and staying out
are worth in one round at pot 1; the values are those of `score.group_values`.
"""

import numpy as np

from guts_sim.kernels._jit import kernel, lean
from guts_sim.kernels.deal import deal_one
from guts_sim.kernels.guts import UNITS
from guts_sim.kernels.pass_choice import COLEX, random_option, sort_hand
from guts_sim.kernels.pass_codes import LOWEST, RANDOM
from guts_sim.kernels.rand import word

N_GUTS_SUMS = 5
SUM_DEALS, SUM_IN, SUM_OUT, SUM_WIN, SUM_TIE = range(N_GUTS_SUMS)


@lean
def class_of(a, b, c, hand_size, table):
    """Hand class of two cards, or of three; see `guts.hand_index`."""
    index = (np.int64(a) >> 2) * 13 + (np.int64(b) >> 2)
    if hand_size == 3:
        suited = (a ^ b) & np.uint8(3) == 0 and (a ^ c) & np.uint8(3) == 0
        index = index * 13 + (np.int64(c) >> 2) + (2197 if suited else 0)
    return np.int64(table[index])


@lean
def passed_position(hand, kind, keep_score, pass_score, choice_key, deal, seat):
    """Position of the one card that a policy passes from an ascending hand."""
    if kind == LOWEST:
        return 0
    if kind == RANDOM:
        return random_option(choice_key, deal, 0, seat, hand.size)
    best = 0
    best_score = np.int32(0)
    for option in range(hand.size):
        kept = 0
        place = 0
        for i in range(hand.size):
            if i != option:
                kept += COLEX[place, hand[i]]
                place += 1
        score = np.int32(keep_score[kept] + pass_score[hand[option]])
        if option == 0 or score > best_score:
            best, best_score = option, score
    return best


@lean
def class_after(hand, position, received, table):
    """Hand class once the card at ``position`` is exchanged for ``received``."""
    hand_size = hand.size
    if hand_size == 2:
        return class_of(hand[1 - position], received, received, 2, table)
    return class_of(hand[(position + 1) % 3], hand[(position + 2) % 3], received, 3, table)


@kernel
def count_guts_passes(
    key,
    choice_key,
    entry_key,
    first,
    n_deals,
    hero,
    known,
    n_opponents,
    kind,
    keep_score,
    pass_score,
    table,
    thresholds,
    sums,
):
    """Add up the values of entering and of staying out, by card passed and card received.

    Parameters
    ----------
    key, choice_key, entry_key, first, n_deals : uint64 four times, int64
        Which deals, and the keys of random choices and of mixed entries.
    hero, known : uint8
        The hero's hand, and all cards that are not dealt, ascending.
    n_opponents : int64
        The first sits to the hero's left, the last one to his right.
    kind, keep_score, pass_score : int64, int32, int32
        The opponents' policy, scores by index of the cards kept and by card passed.
    table, thresholds : uint16, uint32
        Hand class by ranks; and the opponents' entry probability by class, see `guts`.
    sums : int64 (card passed, card received, N_GUTS_SUMS), modified in place
        Deals; values of in and of out in 1/UNITS pot; and the deals in which a hero who is in is best alone, or tied.
    """
    hand_size = hero.size
    n_players = n_opponents + 1
    share = UNITS // n_players
    cards = np.empty(hand_size * n_opponents, np.uint8)
    positions = np.empty(n_opponents, np.int64)
    hands = cards.reshape((n_opponents, hand_size))
    for number in range(n_deals):
        deal = first + np.uint64(number)
        deal_one(key, deal, known, cards)
        for j in range(n_opponents):
            sort_hand(hands[j])
            positions[j] = passed_position(hands[j], kind, keep_score, pass_score, choice_key, deal, j + 1)
        received = hands[n_opponents - 1, positions[n_opponents - 1]]
        for option in range(hand_size):
            n_in = 0
            best = -1
            n_best = 0
            for j in range(n_opponents):
                got = hero[option] if j == 0 else hands[j - 1, positions[j - 1]]
                hand_class = class_after(hands[j], positions[j], got, table)
                draw = word(entry_key, deal * np.uint64(16) + np.uint64(j)) >> np.uint64(33)
                if draw < np.uint64(thresholds[hand_class]):
                    n_in += 1
                    if hand_class > best:
                        best, n_best = hand_class, 0
                    n_best += hand_class == best
            hero_class = class_after(hero, option, received, table)
            out = share * (n_in - n_best) if n_in > 0 else share
            win = 0
            tie = 0
            if hero_class > best:
                win = 1
                value = UNITS + share * n_in
            elif hero_class == best:
                tie = 1
                value = UNITS // (1 + n_best) + share * (n_in - n_best)
            else:
                value = share * (n_in + 1 - n_best) - UNITS
            row = sums[option, received]
            row[SUM_DEALS] += 1
            row[SUM_IN] += value
            row[SUM_OUT] += out
            row[SUM_WIN] += win
            row[SUM_TIE] += tie
