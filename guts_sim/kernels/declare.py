"""One table's round before the money moves: hands, the passed card, declarations, and what hands are worth.

``hands`` is int64 (hand, 3): the players' cards and, last, the ghost's. Contests, one or two, are the pot (or the
high pot) and the low pot. A player decides with the row ``rows[contest, player, band, place, heard]`` of
``thresholds``, in units of 2**-31 per class of the own hand: ``band`` counts the limits in ``bounds`` that the
pot has reached; ``place`` and ``heard`` are 0 unless players declare in turn, else the place in the
order (n_players - 1 for the last, however many are left) and how many have declared in before.
"""

import numpy as np

from guts_sim.kernels._jit import lean
from guts_sim.kernels.play_codes import (
    PASS_KEEP_BEST,
    PLAY_BY_SUIT,
    PLAY_COMMUNITY,
    PLAY_HAND_SIZE,
    PLAY_PASS,
    PLAY_SEQUENTIAL,
    PLAY_STRAIGHTS,
)
from guts_sim.kernels.rule_codes import GHOST_ALL, GHOST_LONE, RULE_GHOST, RULE_NOBODY_IN, WEENIE
from guts_sim.kernels.scalar import draws_to_enter

ACE = 12
SUIT_BITS = 6  # suits of three cards


@lean
def take_hands(cards, lane, hand_size, hands):
    """Cards of one lane, hand by hand."""
    for hand in range(hands.shape[0]):
        for i in range(hand_size):
            hands[hand, i] = np.int64(cards[hand * hand_size + i, lane])


@lean
def next_active(player, active):
    """The next player on the left who is still in the session."""
    for _ in range(active.size):
        player = player + 1 if player + 1 < active.size else 0
        if active[player]:
            break
    return player


@lean
def passed_card(hands, player, hand_size, policy):
    """Place of the card that a player passes: the lowest, or what does not belong to a pair."""
    if policy == PASS_KEEP_BEST and hand_size == 3:
        rank_0, rank_1, rank_2 = hands[player, 0] >> 2, hands[player, 1] >> 2, hands[player, 2] >> 2
        if rank_0 == rank_1 != rank_2:
            return 2
        if rank_0 == rank_2 != rank_1:
            return 1
        if rank_1 == rank_2 != rank_0:
            return 0
    lowest = 0
    for i in range(1, hand_size):
        if hands[player, i] < hands[player, lowest]:
            lowest = i
    return lowest


@lean
def pass_cards(hands, play, active, places, cards):
    """Everybody passes a card to the left at the same time. ``places`` and ``cards`` are working memory."""
    for player in range(active.size):
        places[player] = passed_card(hands, player, play[PLAY_HAND_SIZE], play[PLAY_PASS])
        cards[player] = hands[player, places[player]]
    for player in range(active.size):
        if active[player]:
            left = next_active(player, active)
            hands[left, places[left]] = cards[player]


@lean
def class_of_cards(a, b, c, size, tables, i):
    """Class of two or three cards for pot ``i``; the table index is that of `guts.hand_index`."""
    index = (a >> 2) * 13 + (b >> 2)
    if size == 3:
        index = index * 13 + (c >> 2)
        if ((a ^ b) | (a ^ c)) & 3 == 0:
            index += 2197
    return np.int64(tables[i, index])


@lean
def weight_in_hand(card, a, b, c, ace_is_low):
    """Place of a card in its hand where suits decide: pairs first, then high ranks, then good suits."""
    rank = card >> 2
    alike = np.int64(rank == a >> 2) + np.int64(rank == b >> 2) + np.int64(rank == c >> 2)
    height = 0 if ace_is_low and rank == ACE else rank + 1
    return ((alike << 4) + height << 2) + (card & 3)


@lean
def suits_by_weight(a, b, c, has_straights):
    """Suits of a hand as one number, that of the card which counts most first; ``c`` is negative for two cards."""
    ranks = (1 << (a >> 2)) | (1 << (b >> 2))
    if c >= 0:
        ranks |= 1 << (c >> 2)
    ace_is_low = has_straights and ranks == (1 << ACE) | 3
    first = weight_in_hand(a, a, b, c, ace_is_low)
    second = weight_in_hand(b, a, b, c, ace_is_low)
    third = weight_in_hand(c, a, b, c, ace_is_low) if c >= 0 else 0
    first, second = max(first, second), min(first, second)
    second, third = max(second, third), min(second, third)
    first, second = max(first, second), min(first, second)
    return ((first & 3) << 4) + ((second & 3) << 2) + (third & 3)


@lean
def score_of_cards(a, b, c, size, play, tables, i):
    """Score of a shown hand, at least 1."""
    score = class_of_cards(a, b, c, size, tables, i)
    if play[PLAY_BY_SUIT]:
        score = (score << SUIT_BITS) + suits_by_weight(a, b, c, play[PLAY_STRAIGHTS])
    return score + 1


@lean
def score_of_hand(hands, hand, common, play, tables, i):
    """Score of one hand at the showdown, with the common card if there is one (negative: none)."""
    a, b, c = hands[hand, 0], hands[hand, 1], hands[hand, 2]
    size = play[PLAY_HAND_SIZE]
    if size == 2:
        return score_of_cards(a, b, common, 2 + play[PLAY_COMMUNITY], play, tables, i)
    score = score_of_cards(a, b, c, 3, play, tables, i)
    if play[PLAY_COMMUNITY]:
        score = max(score, score_of_cards(a, b, common, 3, play, tables, i))
        score = max(score, score_of_cards(a, common, c, 3, play, tables, i))
        score = max(score, score_of_cards(common, b, c, 3, play, tables, i))
    return score


@lean
def declare(hands, pots, dealer, deal, entry_key, play, own_tables, thresholds, rows, bounds, active, scores):
    """Everybody declares for every pot that has chips: ``scores`` (pot, player) become 1 for in and 0 for out."""
    n_pots, n_players = scores.shape
    n_hands = hands.shape[0]
    n_active = 0
    for player in range(n_players):
        n_active += active[player]
    in_turn = play[PLAY_SEQUENTIAL] != 0
    n_heard, n_declared = 0, 0
    player = dealer
    for _ in range(n_players):
        player = player + 1 if player + 1 < n_players else 0
        place, heard = 0, 0
        if in_turn:
            heard = n_heard
            place = n_players - 1 if n_declared + 1 == n_active else n_declared
        is_heard = False
        for i in range(n_pots):
            scores[i, player] = 0
            if not active[player] or pots[i] == 0:
                continue
            band = 0
            while band < bounds.size and pots[i] >= bounds[band]:
                band += 1
            hand_class = class_of_cards(
                hands[player, 0], hands[player, 1], hands[player, 2], play[PLAY_HAND_SIZE], own_tables, i
            )
            threshold = thresholds[rows[i, player, band, place, heard], hand_class]
            if draws_to_enter(entry_key, deal, i * n_hands + player, n_pots * n_hands, threshold):
                scores[i, player] = 1
                is_heard = True
        n_declared += active[player]
        n_heard += is_heard


@lean
def show_hands(hands, common, pots, play, show_tables, terms, active, scores, ghosts):
    """Turn declarations into scores where hands decide: of those who are in, of the ghost, and where the best hand
    that is out has to match, of those who are out, as negative numbers."""
    n_pots, n_players = scores.shape
    for i in range(n_pots):
        n_in = 0
        for player in range(n_players):
            n_in += scores[i, player]
        weenie = n_in == 0 and terms[RULE_NOBODY_IN] == WEENIE and pots[i] > 0
        ghost = (terms[RULE_GHOST] == GHOST_ALL and n_in > 0) or (terms[RULE_GHOST] == GHOST_LONE and n_in == 1)
        if ghost:
            ghosts[i] = score_of_hand(hands, n_players, common, play, show_tables, i)
        if n_in > 1 or ghost or weenie:
            for player in range(n_players):
                if weenie and active[player]:
                    scores[i, player] = -score_of_hand(hands, player, common, play, show_tables, i)
                elif scores[i, player] > 0:
                    scores[i, player] = score_of_hand(hands, player, common, play, show_tables, i)
