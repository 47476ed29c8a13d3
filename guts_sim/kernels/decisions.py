"""Score every hand a player could hold, in or out, under any rules of Guts.

Where `score` has formulas for the base game, here the settlement itself says what a decision is worth: the
opponents are dealt, act as their strategies tell them, and the round is settled once with the hero in and once
with the hero out. Only the place of the hero's hand among the other hands matters for that, so a deal needs a
handful of settlements, whatever the number of hands that are scored.

Each deal also plays one round in which the hero, too, is dealt a hand and follows a strategy, to count what rounds look
like.

Seats run in the order of declaration, the dealer last. ``node`` is what a player has heard before declaring: 0 if all
declare at once, else ``seat * (seat + 1) // 2 + heard`` with ``heard`` earlier players in. Hands are numbered in
colexicographic order (`hand_place`), opponents from the hero's left. A deal holds the opponents' hands, then the
ghost's, the community card, and the hero's own hand.
"""

import numpy as np

from guts_sim.kernels._jit import inlined, kernel, lean
from guts_sim.kernels.deal import LANES, deal_lanes, deal_scratch
from guts_sim.kernels.decisions_layout import (
    COUNTED_EMPTY,
    COUNTED_LEFT,
    COUNTED_ROUNDS,
    LAYOUT_CARDS,
    LAYOUT_COMMUNITY,
    LAYOUT_PASS,
    LAYOUT_PLAYERS,
    LAYOUT_SEQUENTIAL,
    LAYOUT_STACK,
    LAYOUT_STRIDE,
    LAYOUT_STRIDE_IN_BATCH,
    SCORED_GAIN,
    SCORED_HANDS,
    SCORED_OUT,
)
from guts_sim.kernels.rand import word
from guts_sim.kernels.rule_codes import CREDIT, ELIMINATE, NO_GHOST, RULE_GHOST, RULE_NOBODY_IN, RULE_STAKES, WEENIE
from guts_sim.kernels.settlement import MATCHES, N_RECORDS, settle_pots, terms_of

WORDS_PER_DEAL = np.uint64(16)  # random words that the players of one deal may use
UNIFORM_SHIFT = np.uint64(11)
UNIFORM_STEP = 2.0**-53


@lean
def pair_place(a, b):
    """Number of a two-card hand, cards in any order."""
    high, low = max(a, b), min(a, b)
    return high * (high - 1) // 2 + low


@lean
def triple_place(a, b, c):
    """Number of a three-card hand, cards in any order."""
    top = max(a, max(b, c))
    bottom = min(a, min(b, c))
    middle = a + b + c - top - bottom
    return top * (top - 1) * (top - 2) // 6 + middle * (middle - 1) // 2 + bottom


@lean
def hand_place(hand):
    """Number of a hand of two or three cards (int64)."""
    if hand.size == 2:
        return pair_place(hand[0], hand[1])
    return triple_place(hand[0], hand[1], hand[2])


@lean
def shown_strength(hand, common, strength):
    """Strength at the showdown; ``common`` is the community card, -1 for none."""
    if common < 0:
        return strength[hand_place(hand)]
    if hand.size == 2:
        return strength[triple_place(hand[0], hand[1], common)]
    best = max(strength[triple_place(hand[0], hand[1], hand[2])], strength[triple_place(hand[0], hand[1], common)])
    best = max(best, strength[triple_place(hand[0], hand[2], common)])
    return max(best, strength[triple_place(hand[1], hand[2], common)])


@lean
def give(hand, lost, received):
    """Replace the card ``lost`` of a hand by the one received."""
    for i in range(hand.size):
        if hand[i] == lost:
            hand[i] = received


@lean
def draw_uniforms(entry_key, deal, uniforms):
    """One number in [0, 1) per player, the hero's first."""
    for player in range(uniforms.size):
        drawn = word(entry_key, deal * WORDS_PER_DEAL + np.uint64(player))
        uniforms[player] = np.float64(drawn >> UNIFORM_SHIFT) * UNIFORM_STEP


@lean
def declare(hero_seat, hero_in, sequential, groups, uniforms, entry, is_in):
    """Let everybody declare in turn; ``is_in`` is by player, the hero being 0. Returns the hero's node."""
    n_players = is_in.size
    heard = 0
    hero_node = 0
    for seat in range(n_players):
        player = seat - hero_seat
        if player < 0:
            player += n_players
        node = seat * (seat + 1) // 2 + heard if sequential else 0
        if player == 0:
            hero_node = node
            is_in[0] = hero_in
        else:
            is_in[player] = uniforms[player] < entry[player, node, groups[player]]
        heard += is_in[player]
    return hero_node


@lean
def settle_for_hero(hero_seat, is_in, strengths, ghost, pot, terms, table):
    """Settle a round; returns the hero's flow plus an equal share in what stays on the table, times the number of
    players, and the pot (with its reserve) that stays. Who is eliminated has no share."""
    pots, reserves, scores, ghosts, records, members, active, stacks, won, paid, brought = table
    n_players = is_in.size
    shows_outs = terms[RULE_NOBODY_IN] == WEENIE
    for player in range(n_players):
        seat = hero_seat + player
        if seat >= n_players:
            seat -= n_players
        out = -1 - strengths[player] if shows_outs else 0
        scores[0, seat] = strengths[player] if is_in[player] else out
    pots[0] = pot
    reserves[0] = 0
    ghosts[0] = ghost
    if terms[RULE_STAKES] != CREDIT:
        for player in range(n_players):
            active[player] = 1
            stacks[player] = brought[player]
    settle_pots(
        pots, reserves, scores, ghosts, n_players - 1, terms, MATCHES, 0, records, members, active, stacks, won, paid
    )
    left = pots[0] + reserves[0]
    share = left
    if terms[RULE_STAKES] == ELIMINATE:
        share = active[hero_seat] * (left * n_players // active.sum())
    return n_players * (won[hero_seat] - paid[hero_seat]) + share, left


@lean
def read_hand(cards, at, hand):
    for i in range(hand.size):
        hand[i] = np.int64(cards[at + i])


@lean
def opponents_after_pass(cards, hand, common, passed, strength, hand_group, hero_pass, strengths, groups):
    """Strengths and groups of the opponents' hands; with ``hero_pass >= 0`` every player passes a card to the
    left, and the first opponent gets the hero's. Returns the card that the hero receives (-1 without a pass)."""
    received = hero_pass
    for player in range(1, strengths.size):
        read_hand(cards, (player - 1) * hand.size, hand)
        if hero_pass >= 0:
            lost = np.int64(passed[hand_place(hand)])
            give(hand, lost, received)
            received = lost
        groups[player] = hand_group[hand_place(hand)]
        strengths[player] = shown_strength(hand, common, strength)
    return received


@lean
def taken_cards(cards, n_taken):
    """The opponents', the ghost's and the common cards as a set of bits."""
    taken = np.uint64(0)
    for i in range(n_taken):
        taken |= np.uint64(1) << np.uint64(cards[i])
    return taken


@lean
def rivals_of(strengths, ghost, is_in, rules, rivals):
    """Strengths that matter for the hero's result, ascending and each once; returns how many there are.

    ``is_in`` marks who is in if the hero is, or if not. Nobody's hand matters who stays out, unless the best of those
    may have to match.
    """
    outs_matter = rules[RULE_NOBODY_IN] == WEENIE
    n_rivals = 0
    for player in range(strengths.size):  # player 0 stands for the ghost
        strength = ghost if player == 0 else strengths[player]
        if strength == 0 or (player > 0 and is_in[player] == 0 and not outs_matter):
            continue
        at = n_rivals
        while at > 0 and rivals[at - 1] > strength:
            rivals[at] = rivals[at - 1]
            at -= 1
        rivals[at] = strength
        n_rivals += 1
    n_different = 0
    for i in range(n_rivals):
        if n_different == 0 or rivals[n_different - 1] != rivals[i]:
            rivals[n_different] = rivals[i]
            n_different += 1
    return n_different


@lean
def decide_both_ways(hero_seat, layout, terms, pot, ghost, entry, table, players, steps):
    """Settle the round for every standing of the hero's hand among the others.

    Fills ``step_of`` (uint8, by strength), ``gain`` and ``out`` (by step): in-minus-out and value of staying out.
    Returns the hero's node.
    """
    strengths, groups, uniforms, is_in, in_either, rivals = players
    step_of, gain, out = steps
    sequential = layout[LAYOUT_SEQUENTIAL] != 0
    in_either[:] = 0
    node = 0
    for hero_in in range(2):
        node = declare(hero_seat, hero_in, sequential, groups, uniforms, entry, is_in)
        for player in range(is_in.size):
            in_either[player] |= is_in[player]
    n_rivals = rivals_of(strengths, ghost, in_either, terms, rivals)
    for hero_in in range(2):
        declare(hero_seat, hero_in, sequential, groups, uniforms, entry, is_in)
        from_strength = np.int64(1)
        for step in range(2 * n_rivals + 1):
            # Even steps lie between two rivals, odd ones are ties with one.
            rival = step >> 1
            below = rivals[rival] if rival < n_rivals else step_of.size
            upto = below + (step & 1)
            if upto == from_strength:
                continue
            strengths[0] = from_strength
            value, _ = settle_for_hero(hero_seat, is_in, strengths, ghost, pot, terms, table)
            if hero_in:
                gain[step] = value - out[step]
            else:
                out[step] = value
                step_of[from_strength:upto] = np.uint8(step)
            from_strength = upto
    return node


@lean
def look_at_hands(begin, end, stride, lost, received, common, taken, hands, strength, hand_set, hand, seen):
    """Strength and information set of hands that lose one card and receive another (-1 both: of the hands as they are).

    Hands that share a card with ``taken`` are passed over: they may hold the received card already.
    """
    hand_cards, hand_mask, _ = hands
    seen_strength, seen_set = seen
    for h in range(begin, end, stride):
        if hand_mask[h] & taken:
            continue
        for i in range(hand.size):
            card = np.int64(hand_cards[h, i])
            hand[i] = received if card == lost else card
        seen_strength[h] = shown_strength(hand, common, strength)
        seen_set[h] = hand_set[hand_place(hand)]


@lean
def add_hands_left(begin, end, stride, taken, hand_mask, seen, steps, n_scored, gain_sum, out_sum):
    """Add the results of the hands that are left in the deck to their information sets."""
    seen_strength, seen_set = seen
    step_of, gain, out = steps
    for h in range(begin, end, stride):
        left = np.int64((hand_mask[h] & taken) == 0)
        step = step_of[seen_strength[h]]
        at = seen_set[h]
        n_scored[at] += left
        gain_sum[at] += left * gain[step]
        out_sum[at] += left * out[step]


@lean
def score_hands_of_deal(
    cards, deal, n_taken, hero_seat, layout, terms, pot, ghost, common, hands, batches, information, strength, entry,
    table, players, hand, seen, steps, sums
):  # fmt: skip
    """Score hands left in the deck: one in ``stride``; with a pass, some of those that pass one card in ``stride``."""
    batch_start, batch_card = batches
    hand_group, hand_set = information
    passing = layout[LAYOUT_PASS] != 0
    stride = np.int64(layout[LAYOUT_STRIDE])
    offset = np.int64(deal % np.uint64(stride))
    taken = taken_cards(cards, n_taken)
    for batch in range(offset if passing else 0, batch_card.size, stride if passing else 1):
        lost = batch_card[batch]
        if passing and (taken >> np.uint64(lost)) & np.uint64(1):
            continue
        received = opponents_after_pass(
            cards, hand, common, hands[2], strength, hand_group, lost, players[0], players[1]
        )
        node = decide_both_ways(hero_seat, layout, terms, pot, ghost, entry, table, players, steps)
        begin, end, step = batch_start[batch] + offset, batch_start[batch + 1], stride
        if passing:
            step = np.int64(layout[LAYOUT_STRIDE_IN_BATCH])
            begin = batch_start[batch] + np.int64(deal // np.uint64(stride) % np.uint64(step))
        if passing or common >= 0:
            look_at_hands(begin, end, step, lost, received, common, taken, hands, strength, hand_set, hand, seen)
        add_hands_left(
            begin, end, step, taken, hands[1], seen, steps, sums[SCORED_HANDS, node], sums[SCORED_GAIN, node],
            sums[SCORED_OUT, node],
        )  # fmt: skip


@lean
def play_dealt_round(
    cards, n_taken, hero_seat, layout, terms, pot, ghost, common, hands, information, strength, entry, table, players,
    hand, rounds, seats
):  # fmt: skip
    """Play the round with the hand that the hero is dealt, and count it."""
    passed, hand_group = hands[2], information[0]
    strengths, groups, uniforms, is_in = players[:4]
    sequential = layout[LAYOUT_SEQUENTIAL] != 0
    read_hand(cards, n_taken, hand)
    lost = np.int64(-1)
    if layout[LAYOUT_PASS] != 0:
        lost = np.int64(passed[hand_place(hand)])
    received = opponents_after_pass(cards, hand, common, passed, strength, hand_group, lost, strengths, groups)
    read_hand(cards, n_taken, hand)
    give(hand, lost, received)
    strengths[0] = shown_strength(hand, common, strength)
    groups[0] = hand_group[hand_place(hand)]
    hero_in = np.int64(0)
    for _ in range(2):  # what the hero hears does not depend on what he then says
        node = declare(hero_seat, hero_in, sequential, groups, uniforms, entry, is_in)
        hero_in = np.int64(uniforms[0] < entry[0, node, groups[0]])
    value, left = settle_for_hero(hero_seat, is_in, strengths, ghost, pot, terms, table)
    n_in = is_in.sum()
    rounds[COUNTED_ROUNDS, n_in] += 1
    rounds[COUNTED_LEFT, n_in] += left
    rounds[COUNTED_EMPTY, n_in] += left == 0
    net = value - pot  # beyond an equal share of the pot that was there
    seats[hero_seat, 0] += 1
    seats[hero_seat, 1] += net
    seats[hero_seat, 2] += net * net


@inlined
def settlement_memory(n_players, stack):
    """Arrays that `settle_pots` works on, and what everybody has before the round."""
    return (
        np.zeros(1, np.int64), np.zeros(1, np.int64), np.zeros((1, n_players), np.int64), np.zeros(1, np.int64),
        np.zeros((1, N_RECORDS), np.int64), np.zeros(n_players, np.int64), np.ones(n_players, np.int64),
        np.zeros(n_players, np.int64), np.zeros(n_players, np.int64), np.zeros(n_players, np.int64),
        np.full(n_players, stack, np.int64),
    )  # fmt: skip


@kernel
def score_decisions(
    key,
    entry_key,
    first,
    n_deals,
    layout,
    rules,
    pot,
    hands,
    batches,
    information,
    strength,
    entry,
    sums,
    rounds,
    seats,
):
    """Add the values of every node and information set over deals ``first .. first + n_deals - 1``.

    Parameters
    ----------
    key, entry_key, first, n_deals : uint64, uint64, int64, int64
        Keys of the cards and of mixed decisions, and which deals; see the deal kernels.
    layout : int64 (N_LAYOUT,)
        Players, cards per hand, community cards, whether declarations are sequential, whether a card is passed; the
        stride: each deal scores one hand (with a pass, the hands that pass one card) in so many; of these with a pass
        one in so many; and what everybody has, in units, unless the stakes are on credit.
    rules : int64
        See `rule_codes`.
    pot : int64
        Active pot in units; there is no reserve.
    hands : tuple of (int64 (n_hands, cards), uint64 (n_hands,), uint8 (n_hands,))
        All hands, batch by batch: cards, the same as bits; and by place the card that is passed from a hand.
    batches : tuple of (int64 (n_batches + 1,), int64 (n_batches,))
        Where each batch of hands begins, and the card that is passed from its hands; one batch with -1 without a pass.
    information : tuple of (int32 (n_hands,), int32 (n_hands,))
        By place of a hand its group, on which strategies depend, and its information set, for which values are added.
    strength : int32
        Strength at the showdown by place of the two or three cards shown; above 0, the larger the stronger.
    entry : float64 (n_players, n_nodes, n_groups)
        Entry probabilities of the hero (0) and of the opponents from the hero's left.
    sums : int64 (3, n_nodes, n_sets), modified in place
        Hands scored, their in-minus-out, their value of staying out; values in units times the number of players.
    rounds : int64 (3, n_players + 1), modified in place
        By number of players in: rounds, what was left on the table, and rounds that left nothing.
    seats : int64 (n_players, 3), modified in place
        Rounds with the hero in that seat, sum and sum of squares of their worth beyond an equal share of the pot.
    """
    n_players = layout[LAYOUT_PLAYERS]
    n_hand_cards = layout[LAYOUT_CARDS]
    has_ghost = rules[RULE_GHOST] != NO_GHOST
    at_ghost = (n_players - 1) * n_hand_cards
    at_common = at_ghost + n_hand_cards * np.int64(has_ghost)
    n_taken = at_common + layout[LAYOUT_COMMUNITY]
    n_cards = n_taken + n_hand_cards
    known = np.empty(0, np.uint8)
    scratch = deal_scratch(n_cards)
    lanes = np.empty((n_cards, LANES), np.uint8)
    cards = np.empty(n_cards, np.uint8)
    hand = np.empty(n_hand_cards, np.int64)
    players = (
        np.zeros(n_players, np.int64), np.zeros(n_players, np.int64), np.empty(n_players, np.float64),
        np.zeros(n_players, np.int64), np.zeros(n_players, np.int64), np.zeros(n_players, np.int64),
    )  # fmt: skip
    strongest = 0
    for value in strength:
        strongest = max(strongest, np.int64(value))
    n_steps = 2 * n_players + 1
    steps = (np.zeros(strongest + 1, np.uint8), np.zeros(n_steps, np.int64), np.zeros(n_steps, np.int64))
    n_hands = hands[1].size
    seen = (np.zeros(n_hands, np.int32), np.zeros(n_hands, np.int32))
    as_dealt, none_taken = np.int64(-1), np.uint64(0)
    if layout[LAYOUT_COMMUNITY] == 0:
        look_at_hands(
            0, n_hands, 1, as_dealt, as_dealt, as_dealt, none_taken, hands, strength, information[1], hand, seen
        )  # fmt: skip
    table = settlement_memory(n_players, layout[LAYOUT_STACK])
    terms = terms_of(rules)
    for start in range(0, n_deals, LANES):
        deal_lanes(key, np.uint64(first + start), known, scratch, lanes)
        for lane in range(min(LANES, n_deals - start)):
            deal = np.uint64(first + start + lane)
            for i in range(n_cards):
                cards[i] = lanes[i, lane]
            hero_seat = np.int64(deal % np.uint64(n_players))
            common = np.int64(cards[at_common]) if layout[LAYOUT_COMMUNITY] else np.int64(-1)
            ghost = np.int64(0)
            if has_ghost:
                read_hand(cards, at_ghost, hand)
                ghost = np.int64(shown_strength(hand, common, strength))
            draw_uniforms(entry_key, deal, players[2])
            score_hands_of_deal(
                cards, deal, n_taken, hero_seat, layout, terms, pot, ghost, common, hands, batches, information,
                strength, entry, table, players, hand, seen, steps, sums,
            )  # fmt: skip
            play_dealt_round(
                cards, n_taken, hero_seat, layout, terms, pot, ghost, common, hands, information, strength, entry,
                table, players, hand, rounds, seats,
            )  # fmt: skip
