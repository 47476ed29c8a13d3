"""Whole hands of Anaconda with betting, one at a time, by strategies that are rows of integers.

The rules are those of `guts_sim.games.anaconda`, the plain referee, with which the kernel agrees action for action.
Seats are numbered from the dealer's left; the dealer sits last.
"""

import numpy as np

from guts_sim.kernels._jit import kernel, lean
from guts_sim.kernels.anaconda_play_cards import arrange, exposed_class, seven_key, strength_index, suit_masks
from guts_sim.kernels.anaconda_play_codes import (
    AT_SHOWDOWN,
    BLUFF,
    CALL,
    CREDIT,
    MAX_RAISES,
    MOST_CREDIT,
    NOISE,
    ORDER,
    ORDER_ROUND,
    POLICY,
    RAISE_AT,
    REVEALS,
    SLOW,
    UNIT,
    WON,
    WORDS_PER_DEAL,
    WORDS_PER_ROUND,
)
from guts_sim.kernels.evaluate import CARD_BITS, exposed_key
from guts_sim.kernels.pass_choice import sort_hand
from guts_sim.kernels.pass_codes import BATCH, HAND_SIZE
from guts_sim.kernels.pass_play import choose_fewer, choose_three
from guts_sim.kernels.rand import word

FOLD, STAY, RAISE = 0, 1, 2
# Columns of a seat's state.
ACTIVE, PAID, IN_ROUND, ACTED, RAISED, BIN, SHOWN, KEY = range(8)
N_COLUMNS = 8


@lean
def equity(table, n_seats, seat, beats, stage, credit):
    """Chance of beating everybody who is in, of ``UNIT``: opponents are taken as independent.

    Whoever bet or raised is credited with a better hand: the lower part of his range is cut off.
    """
    chance = UNIT
    for other in range(n_seats):
        if other != seat and table[other, ACTIVE]:
            better = np.int64(beats[stage, table[other, SHOWN], table[seat, BIN]])
            cut = min(credit * table[other, RAISED], MOST_CREDIT)
            if cut > 0:  # spares most of the divisions
                better = max(better - cut, 0) * UNIT // (UNIT - cut)
            chance = (chance * better) >> 16
    return chance


@lean
def decide(table, n_seats, seat, n_active, n_bets, pot, parameters, who, beats, stage, random_word):
    """What a strategy does; `guts_sim.studies.anaconda_player.decide` says the same in plain Python."""
    owed = n_bets - table[seat, IN_ROUND]
    can_raise = n_bets <= MAX_RAISES
    first = STAY if owed == 0 else FOLD
    last = RAISE if can_raise else STAY
    piece = np.uint64(0xFFFF)
    if np.int64(random_word & piece) < parameters[who, NOISE]:
        return first + ((np.int64(random_word >> np.uint64(48)) * (last - first + 1)) >> 16)
    chance = equity(table, n_seats, seat, beats, stage, parameters[who, CREDIT])
    fair = UNIT // n_active
    is_strong = chance >= fair + (((UNIT - fair) * parameters[who, RAISE_AT]) >> 16)
    if is_strong and owed == 0 and np.int64((random_word >> np.uint64(32)) & piece) < parameters[who, SLOW]:
        return STAY
    is_bluff = np.int64((random_word >> np.uint64(16)) & piece) < parameters[who, BLUFF]
    if can_raise and (is_strong or is_bluff):
        return RAISE
    if owed == 0 or is_strong or chance * (pot + owed) >= owed * parameters[who, CALL]:
        return STAY
    return FOLD


@lean
def bet(table, n_seats, seat, betting_round, stage, parameters, players, beats, bet_key, deal, record, at, n_recorded):
    """One betting round, opened by ``seat``; the number of actions recorded so far."""
    n_active, pot = count_active(table, n_seats), 0
    for other in range(n_seats):
        pot += table[other, PAID]
        table[other, IN_ROUND] = 0
        table[other, ACTED] = 0
    waiting, n_bets = n_active, 0
    counter = deal * np.uint64(WORDS_PER_DEAL) + np.uint64(WORDS_PER_ROUND * betting_round)
    while waiting > 0 and n_active > 1:
        if table[seat, ACTIVE]:
            random_word = word(bet_key, counter + np.uint64(8 * seat + table[seat, ACTED]))
            action = decide(
                table, n_seats, seat, n_active, n_bets, pot, parameters, players[seat], beats, stage, random_word
            )
            table[seat, ACTED] += 1
            if n_recorded < record.shape[1]:
                record[at, n_recorded] = np.uint8(4 * seat + action)
                n_recorded += 1
            waiting -= 1
            if action == FOLD:
                table[seat, ACTIVE] = 0
                n_active -= 1
            else:
                if action == RAISE:
                    n_bets += 1
                    table[seat, RAISED] += 1
                    waiting = n_active - 1
                paid = n_bets - table[seat, IN_ROUND]
                table[seat, IN_ROUND] = n_bets
                table[seat, PAID] += paid
                pot += paid
        seat = seat + 1 if seat + 1 < n_seats else 0
    return n_recorded


@lean
def pass_on(hands, masks, after, table, n_seats, shift):
    """Move every active seat's batch at once to the next active seat on one side; the hands stay sorted."""
    for seat in range(n_seats):
        if not table[seat, ACTIVE]:
            continue
        giver = (seat + n_seats - shift) % n_seats
        while not table[giver, ACTIVE]:
            giver = (giver + n_seats - shift) % n_seats
        at = 0
        for i in range(HAND_SIZE):
            if (masks[seat] >> i) & 1 == 0:
                after[seat, at] = hands[seat, i]
                at += 1
        for i in range(HAND_SIZE):
            if (masks[giver] >> i) & 1 == 1:
                card = hands[giver, i]
                place = at
                while place > 0 and after[seat, place - 1] > card:
                    after[seat, place] = after[seat, place - 1]
                    place -= 1
                after[seat, place] = card
                at += 1
    for seat in range(n_seats):
        if table[seat, ACTIVE]:
            for i in range(HAND_SIZE):
                hands[seat, i] = after[seat, i]


@lean
def count_active(table, n_seats):
    n_active = 0
    for seat in range(n_seats):
        n_active += table[seat, ACTIVE]
    return n_active


@lean
def look(hands, table, n_seats, bins, n_passed, seen, at):
    """Let everybody who is in see what the seven cards are worth."""
    for seat in range(n_seats):
        if table[seat, ACTIVE]:
            key = seven_key(hands, seat)
            table[seat, KEY] = np.int64(key)
            index = strength_index(key)
            table[seat, BIN] = np.int64(bins[n_passed, index])
            if at < seen.shape[0]:
                seen[at, seat, n_passed] = np.int32(index)


@lean
def reveal(five, table, bits, n_seats, n_shown, seen, at):
    """Everybody who is in turns over the next card; the seat that opens: the strongest exposed, the first of equals."""
    opener, strongest = 0, np.int32(-1)
    for seat in range(n_seats):
        if table[seat, ACTIVE]:
            bits[seat] |= CARD_BITS[five[seat, n_shown - 1]]
            key = exposed_key(*suit_masks(bits[seat]))
            table[seat, SHOWN] = exposed_class(bits[seat], key, n_shown)
            if at < seen.shape[0]:
                seen[at, seat, seen.shape[2] - REVEALS + n_shown - 1] = np.int32(table[seat, SHOWN])
            if key > strongest:
                opener, strongest = seat, key
    return opener


@lean
def settle(table, n_seats, net, flags, deal, line_up):
    """Give the pot to the best hand that is in; what cannot be divided goes chip by chip to the first of equals."""
    n_active, pot, best = count_active(table, n_seats), 0, np.int64(-1)
    for seat in range(n_seats):
        pot += table[seat, PAID]
        if table[seat, ACTIVE]:
            best = max(best, table[seat, KEY])
    n_best = 0
    for seat in range(n_seats):
        n_best += np.int64(table[seat, ACTIVE] != 0 and table[seat, KEY] == best)
    share, odd = pot // n_best, pot % n_best
    for seat in range(n_seats):
        gain = -table[seat, PAID]
        flag = 0
        if table[seat, ACTIVE]:
            flag = AT_SHOWDOWN if n_active > 1 else 0
            if table[seat, KEY] == best:
                gain += share + (1 if odd > 0 else 0)
                odd -= 1
                flag += WON
        net[deal, line_up, seat] = np.int16(gain)
        flags[deal, line_up, seat] = np.uint8(flag)


@lean
def choose_masks(hands, table, n_passed, number, policy_of, kinds, keep_scores, pass_scores, key, deal, known, masks):
    """What everybody who is in passes: positions as bits of a mask.

    The first pass of a policy depends on the deal alone: ``known`` (policy, seat) keeps it for other line-ups.
    """
    for seat in range(hands.shape[0]):
        if not table[seat, ACTIVE]:
            continue
        p = policy_of[seat]
        if number == 0 and known[p, seat] >= 0:
            masks[seat] = known[p, seat]
        elif n_passed == BATCH:
            scores = keep_scores[p], pass_scores[p]
            masks[seat] = choose_three(hands[seat], kinds[p], *scores, key, deal, number, seat)
        else:
            masks[seat] = choose_fewer(hands[seat], n_passed, kinds[p], key, deal, number, seat)
        if number == 0:
            known[p, seat] = masks[seat]


@lean
def begin(dealt, hands, table, bits, n_seats):
    """Everybody antes and gets his cards."""
    for seat in range(n_seats):
        for i in range(HAND_SIZE):
            hands[seat, i] = dealt[seat, i]
        bits[seat] = np.uint64(0)
        table[seat, ACTIVE], table[seat, PAID] = 1, 1
        table[seat, RAISED], table[seat, SHOWN], table[seat, KEY] = 0, 0, 0


@lean
def arrange_all(hands, five, table, n_seats, parameters, players, bet_key, deal):
    """Everybody who is in discards two cards and fixes the order of the others."""
    counter = deal * np.uint64(WORDS_PER_DEAL) + np.uint64(WORDS_PER_ROUND * ORDER_ROUND)
    for seat in range(n_seats):
        if table[seat, ACTIVE]:
            random_word = word(bet_key, counter + np.uint64(8 * seat))
            arrange(hands, seat, table[seat, KEY], parameters[players[seat], ORDER], random_word, five)


@kernel
def play_hands(
    cards, first, pass_key, bet_key, passes, n_reveals, line_ups, parameters, kinds, keep_scores, pass_scores, bins,
    beats, net, flags, record, seen,
):  # fmt: skip
    """Play every deal with every line-up.

    Parameters
    ----------
    cards : uint8 (deal, 7 * seat)
        Hands side by side, from the dealer's left.
    first, pass_key, bet_key : uint64
        Number of the first deal; keys of random passes, and of random actions and orders.
    passes : int64 (pass, 2)
        Number of cards, and places to the left: 1, or ``n_seats - 1`` for the right. A betting round follows each.
    n_reveals : int64
        Rounds in which a card is revealed; with none the showdown follows the last pass's betting round.
    line_ups : int64 (line-up, seat)
        Rows of ``parameters`` that the seats play.
    parameters : int64 (strategy, N_PARAMETERS)
        See `anaconda_play_codes`.
    kinds, keep_scores, pass_scores
        Pass policies; see `pass_choice`.
    bins : uint8 (passes + 1, N_INDICES)
        Step of strength that seven cards can expect to end at, after so many passes.
    beats : uint16 (5, N_CLASSES, N_BINS)
        Chance that a hand of that step beats another that shows 0 to 4 cards of that class.
    net : int16 (deal, line-up, seat), overwritten
        Chips won or lost.
    flags : uint8 (deal, line-up, seat), overwritten
        ``AT_SHOWDOWN`` and ``WON``.
    record : uint8 (deal * line-up, most actions)
        Filled with ``4 * seat + action``; columns may be none.
    seen : int32 (deal * line-up, seat, passes + 5)
        Filled with the index of a hand after 0, 1, ... passes, and the class of what it shows after each reveal, as far
        as the seat is in; rows may be none.
    """
    n_seats, n_line_ups = line_ups.shape[1], line_ups.shape[0]
    n_passes = passes.shape[0]
    dealt = np.empty((n_seats, HAND_SIZE), np.uint8)
    hands = np.empty((n_seats, HAND_SIZE), np.uint8)
    after = np.empty((n_seats, HAND_SIZE), np.uint8)
    five = np.empty((n_seats, 5), np.uint8)
    known = np.empty((kinds.size, n_seats), np.int64)
    policy_of = np.empty(n_seats, np.int64)
    masks = np.empty(n_seats, np.int64)
    bits = np.empty(n_seats, np.uint64)
    table = np.empty((n_seats, N_COLUMNS), np.int64)
    for row in range(cards.shape[0]):
        deal = first + np.uint64(row)
        known[:] = -1
        for seat in range(n_seats):
            for i in range(HAND_SIZE):
                dealt[seat, i] = cards[row, HAND_SIZE * seat + i]
            sort_hand(dealt[seat])
        for line_up in range(n_line_ups):
            players = line_ups[line_up]
            for seat in range(n_seats):
                policy_of[seat] = parameters[players[seat], POLICY]
            begin(dealt, hands, table, bits, n_seats)
            n_recorded, at = 0, row * n_line_ups + line_up
            for number in range(1 + n_passes + n_reveals):
                if number > 0 and count_active(table, n_seats) == 1:
                    break
                n_shown, opener = max(number - n_passes, 0), 0
                if 0 < number <= n_passes:
                    n_passed, shift = passes[number - 1, 0], passes[number - 1, 1]
                    choose_masks(
                        hands, table, n_passed, number - 1, policy_of, kinds, keep_scores, pass_scores, pass_key, deal,
                        known, masks,
                    )  # fmt: skip
                    pass_on(hands, masks, after, table, n_seats, shift)
                if n_shown == 0:
                    look(hands, table, n_seats, bins, number, seen, at)
                else:
                    if n_shown == 1:
                        arrange_all(hands, five, table, n_seats, parameters, players, bet_key, deal)
                    opener = reveal(five, table, bits, n_seats, n_shown, seen, at)
                n_recorded = bet(
                    table, n_seats, opener, number, n_shown, parameters, players, beats, bet_key, deal, record, at,
                    n_recorded,
                )  # fmt: skip
            settle(table, n_seats, net, flags, row, line_up)
