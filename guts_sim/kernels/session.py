"""Sessions of Guts under every rule: cycle after cycle, with bankrolls, limits and an end.

Lanes hold neighbouring sessions. Round ``r`` of session ``s`` is played with deal number ``r * 2**40 + s``, so that
the lanes of a block read consecutive deals in every round, no two rounds share a deal, and any session can be
played again alone. Once few sessions of a block are still running their deals are drawn one by one. The first
dealer of session ``s`` is seat ``s mod n_players``.

What a table carries from round to round lies in a row of ``state`` and is copied into small arrays for the round,
which helpers take one by one: rows of arrays and tuples of arrays have their references counted.
"""

import numpy as np

from guts_sim.kernels._jit import kernel, lean
from guts_sim.kernels.cascade import (
    CYCLE_ENDED,
    CYCLE_OVERFLOW,
    CYCLE_PEAK_POT,
    CYCLE_PEAK_RESERVE,
    CYCLE_POT_LEFT,
    CYCLE_RESERVE_LEFT,
    CYCLE_ROUND_LIMIT,
    CYCLE_ROUNDS,
    CYCLE_STATUS,
)
from guts_sim.kernels.deal import LANES, deal_lanes, deal_one, deal_scratch
from guts_sim.kernels.declare import declare, next_active, pass_cards, show_hands, take_hands
from guts_sim.kernels.play_codes import (
    FATE_PLAYING,
    FATE_RUINED,
    FATE_STOPPED,
    LARGEST_AMOUNT,
    NO_PASS,
    PLAY_COMMUNITY,
    PLAY_CYCLES,
    PLAY_GHOSTS,
    PLAY_HAND_SIZE,
    PLAY_PASS,
    PLAY_POTS,
    PLAY_ROUNDS,
    PLAY_SEQUENTIAL,
    PLAY_SHARE_LEFT,
    PLAY_STACK,
    SESSION_CYCLES,
)
from guts_sim.kernels.rule_codes import CREDIT, RULE_STAKES
from guts_sim.kernels.settlement import MATCHES, N_RECORDS, OPENING, settle_pots, share_out, terms_of

ROUND_SHIFT = np.uint64(40)
NO_LIMIT = 1 << 62
SPARSE = 16  # up to so many running tables single deals are cheaper than a block of them
RUNNING = -1


@lean
def deal_running(key, deal, n_running, first_row, records, known, scratch, one_deal, cards):
    """Cards of all lanes, or of the running ones alone where these are few."""
    if n_running > SPARSE:
        deal_lanes(key, deal, known, scratch, cards)
        return
    for lane in range(min(LANES, records.shape[0] - first_row)):
        if records[first_row + lane, CYCLE_STATUS] == RUNNING:
            deal_one(key, deal + np.uint64(lane), known, one_deal)
            for i in range(one_deal.size):
                cards[i, lane] = one_deal[i]


@lean
def sit_down(lane, row, play, n_pots, state, records, fates):
    """Begin a session: no chips on the table, a stack in front of everybody."""
    for i in range(n_pots):
        state[lane, i] = state[lane, n_pots + i] = 0
        state[lane, 2 * n_pots + i] = play[PLAY_CYCLES] if play[PLAY_CYCLES] > 0 else NO_LIMIT
    n_players = fates.shape[1]
    for player in range(n_players):
        state[lane, 3 * n_pots + player] = play[PLAY_STACK]
        state[lane, 3 * n_pots + n_players + player] = 1
        fates[row, player] = FATE_PLAYING
    for column in range(records.shape[1]):
        records[row, column] = 0
    records[row, CYCLE_STATUS] = RUNNING


@lean
def take_up(lane, state, pots, reserves, cycles_left, stacks, active, were_active):
    """Copy a table out of ``state``."""
    n_pots, n_players = pots.size, stacks.size
    for i in range(n_pots):
        pots[i] = state[lane, i]
        reserves[i] = state[lane, n_pots + i]
        cycles_left[i] = state[lane, 2 * n_pots + i]
    for player in range(n_players):
        stacks[player] = state[lane, 3 * n_pots + player]
        active[player] = state[lane, 3 * n_pots + n_players + player]
        were_active[player] = active[player]


@lean
def put_down(lane, state, pots, reserves, cycles_left, stacks, active):
    """Copy a table back into ``state``."""
    n_pots, n_players = pots.size, stacks.size
    for i in range(n_pots):
        state[lane, i] = pots[i]
        state[lane, n_pots + i] = reserves[i]
        state[lane, 2 * n_pots + i] = cycles_left[i]
    for player in range(n_players):
        state[lane, 3 * n_pots + player] = stacks[player]
        state[lane, 3 * n_pots + n_players + player] = active[player]


@lean
def sum_of(values):
    total = np.int64(0)
    for value in values:
        total += value
    return total


@lean
def pots_to_open(pots, reserves, cycles_left):
    """Empty pots for which a cycle is left, as bits."""
    bits = np.int64(0)
    for i in range(pots.size):
        if pots[i] + reserves[i] == 0 and cycles_left[i] > 0:
            bits |= np.int64(1) << i
    return bits


@lean
def book(row, pots, reserves, won, paid, records, nets):
    """Write down what everybody won and paid, what is on the table, and the largest it has been.

    Returns the largest amount of all.
    """
    pot, reserve = sum_of(pots), sum_of(reserves)
    records[row, CYCLE_POT_LEFT] = pot
    records[row, CYCLE_RESERVE_LEFT] = reserve
    records[row, CYCLE_PEAK_POT] = max(records[row, CYCLE_PEAK_POT], pot)
    records[row, CYCLE_PEAK_RESERVE] = max(records[row, CYCLE_PEAK_RESERVE], reserve)
    largest = max(pot, reserve)
    for player in range(won.size):
        nets[row, player] += won[player] - paid[player]
        largest = max(largest, abs(nets[row, player]))
    return largest


@lean
def add_by_order(row, dealer, won, paid, orders):
    """What the round was worth to those who declared first, second, ...: their own flow of chips and an equal part
    of what the table gained, times the number of players. Returns the size of the largest sum so far, over 16."""
    gained = sum_of(paid) - sum_of(won)
    player = dealer
    largest = np.int64(0)
    for place in range(won.size):
        player = player + 1 if player + 1 < won.size else 0
        orders[row, place] += won.size * (won[player] - paid[player]) + gained
        largest = max(largest, abs(orders[row, place]))
    return largest >> 4


@lean
def count_cycles(row, pots, reserves, cycles_left, records):
    """Count the cycles that this round ended; returns whether the session has played all of its cycles."""
    is_over = True
    for i in range(pots.size):
        if cycles_left[i] > 0 and pots[i] + reserves[i] == 0:
            cycles_left[i] -= 1
            records[row, SESSION_CYCLES] += 1
        is_over &= cycles_left[i] == 0
    return is_over


@lean
def stop_losers(row, loss_limits, active, nets, fates):
    """Those who are down by as much as they allow themselves leave."""
    for player in range(active.size):
        if active[player] and 0 < loss_limits[player] <= -nets[row, player]:
            active[player] = 0
            fates[row, player] = FATE_STOPPED


@lean
def note_ruin(row, active, stacks, fates):
    """Those whom the rules took out, or who have nothing left when the session ends, are ruined."""
    for player in range(active.size):
        if fates[row, player] == FATE_PLAYING and (not active[player] or stacks[player] == 0):
            fates[row, player] = FATE_RUINED


@lean
def share_left(row, dealer, active, were_active, stacks, members, won, records, nets):
    """Divide what is left on the table among those who still play, or who played this round if nobody does."""
    nobody = sum_of(active) == 0
    for player in range(active.size):
        won[player] = 0
        members[player] = were_active[player] if nobody else active[player]
    share_out(records[row, CYCLE_POT_LEFT] + records[row, CYCLE_RESERVE_LEFT], members, dealer, won)
    for player in range(active.size):
        nets[row, player] += won[player]
        stacks[player] += won[player]
    records[row, CYCLE_POT_LEFT] = records[row, CYCLE_RESERVE_LEFT] = 0


@lean
def play_lanes(
    first_deal, start, n_lanes, entry_key, play, own_tables, show_tables, thresholds, rows, bounds, terms, loss_limits,
    cards, dealers, state, pots, reserves, cycles_left, stacks, active, were_active, members, won, paid, hands, scores,
    ghosts, pot_records, records, nets, fates, orders,
):  # fmt: skip
    """One round at every running table of a block; returns how many go on."""
    n_players = nets.shape[1]
    n_running = 0
    for lane in range(n_lanes):
        row = start + lane
        if records[row, CYCLE_STATUS] != RUNNING:
            continue
        deal = first_deal + np.uint64(lane)
        dealer = dealers[lane]
        take_up(lane, state, pots, reserves, cycles_left, stacks, active, were_active)
        open_pots = pots_to_open(pots, reserves, cycles_left)
        largest, n_seated = np.int64(0), np.int64(0)
        is_over = False
        # Antes of new cycles, then the round: one loop, so that settle_pots is compiled only once.
        for stage in range(OPENING, MATCHES - 1, MATCHES - OPENING):
            if stage == OPENING and open_pots == 0:
                continue
            if stage == MATCHES:
                n_seated = sum_of(active)
                if n_seated < 2:
                    break
                take_hands(cards, lane, play[PLAY_HAND_SIZE], hands)
                common = np.int64(cards[cards.shape[0] - 1, lane]) if play[PLAY_COMMUNITY] else np.int64(-1)
                if play[PLAY_PASS] != NO_PASS:
                    pass_cards(hands, play, active, members, won)
                declare(
                    hands, pots, dealer, deal, entry_key, play, own_tables, thresholds, rows, bounds, active,
                    scores,
                )  # fmt: skip
                show_hands(hands, common, pots, play, show_tables, terms, active, scores, ghosts)
                open_pots = np.int64(0)
            settle_pots(
                pots, reserves, scores, ghosts, dealer, terms, stage, open_pots, pot_records, members, active,
                stacks, won, paid,
            )  # fmt: skip
            largest = book(row, pots, reserves, won, paid, records, nets)
            if stage == MATCHES:
                if play[PLAY_SEQUENTIAL] and n_seated == n_players:
                    largest = max(largest, add_by_order(row, dealer, won, paid, orders))
                records[row, CYCLE_ROUNDS] += 1
                is_over = count_cycles(row, pots, reserves, cycles_left, records)
                stop_losers(row, loss_limits, active, nets, fates)
        is_alone = sum_of(active) < 2
        if largest > LARGEST_AMOUNT:
            records[row, CYCLE_STATUS] = CYCLE_OVERFLOW
            continue
        if is_over or is_alone:
            records[row, CYCLE_STATUS] = CYCLE_ENDED
        elif records[row, CYCLE_ROUNDS] == play[PLAY_ROUNDS]:
            records[row, CYCLE_STATUS] = CYCLE_ROUND_LIMIT
        else:
            put_down(lane, state, pots, reserves, cycles_left, stacks, active)
            dealers[lane] = next_active(dealer, active)
            n_running += 1
            continue
        if records[row, CYCLE_POT_LEFT] + records[row, CYCLE_RESERVE_LEFT] > 0:
            if is_alone or play[PLAY_SHARE_LEFT]:
                share_left(row, dealer, active, were_active, stacks, members, won, records, nets)
        if terms[RULE_STAKES] != CREDIT:
            note_ruin(row, active, stacks, fates)
    return n_running


@kernel
def play_sessions(
    key,
    entry_key,
    first,
    play,
    own_tables,
    show_tables,
    thresholds,
    rows,
    bounds,
    rules,
    loss_limits,
    records,
    nets,
    fates,
    orders,
):
    """Play sessions ``first``, ``first + 1``, ... and record how each of them went.

    ``key``, ``entry_key``, ``first``: uint64. ``play``: int64, see `play_codes`. ``own_tables``, ``show_tables``:
    uint16 (pot, table index), classes of the hands that players see, and of those at the showdown. ``thresholds``,
    uint32 (row, class), ``rows``, int64 (pot, player, band, place, heard), and ``bounds``, int64 (bound), ascending:
    see `declare`. ``rules``: see `rule_codes`. ``loss_limits``: int64 (player), 0 for none; with any, stakes must not
    be on credit. Overwritten, one row per session: ``records``: int64 (session, 7), the CYCLE_ columns of
    `cascade` and SESSION_CYCLES; with two pots, amounts are those of both together, and so are cycles. ``nets``: int64
    (session, player), balances. ``fates``: int64 (session, player), FATE_ constants. ``orders``: int64
    (session, player), sums over rounds with all players, if they declare in turn: n_players times what a round
    was worth to the first to declare, the second, and so on. A session ends (CYCLE_ENDED) after its cycles or when
    fewer than two players are left; is stopped after its rounds (CYCLE_ROUND_LIMIT); or when an amount exceeds
    LARGEST_AMOUNT (CYCLE_OVERFLOW). In each case nets, pot left and reserve left add up to 0.
    """
    n_sessions, n_players = nets.shape
    n_pots, hand_size = play[PLAY_POTS], play[PLAY_HAND_SIZE]
    n_hands = n_players + play[PLAY_GHOSTS]
    n_cards = n_hands * hand_size + play[PLAY_COMMUNITY]
    scratch = deal_scratch(n_cards)
    cards = np.zeros((n_cards, LANES), np.uint8)
    one_deal = np.empty(n_cards, np.uint8)
    known = np.empty(0, np.uint8)
    state = np.empty((LANES, 3 * n_pots + 2 * n_players), np.int64)
    dealers = np.empty(LANES, np.int64)
    pots, reserves, cycles_left = np.empty(n_pots, np.int64), np.empty(n_pots, np.int64), np.empty(n_pots, np.int64)
    stacks, active = np.empty(n_players, np.int64), np.empty(n_players, np.int64)
    were_active, members = np.empty(n_players, np.int64), np.empty(n_players, np.int64)
    won, paid = np.empty(n_players, np.int64), np.empty(n_players, np.int64)
    hands = np.full((n_hands, 3), -1, np.int64)
    scores = np.zeros((n_pots, n_players), np.int64)
    ghosts = np.zeros(n_pots, np.int64)
    pot_records = np.zeros((n_pots, N_RECORDS), np.int64)
    terms = terms_of(rules)
    nets[:] = 0
    orders[:] = 0
    for start in range(0, n_sessions, LANES):
        begin = first + np.uint64(start)
        n_lanes = min(LANES, n_sessions - start)
        for lane in range(n_lanes):
            dealers[lane] = (np.int64(begin) + lane) % n_players
            sit_down(lane, start + lane, play, n_pots, state, records, fates)
        n_running = n_lanes
        round_number = 0
        while n_running > 0:
            first_deal = (np.uint64(round_number) << ROUND_SHIFT) + begin
            deal_running(key, first_deal, n_running, start, records, known, scratch, one_deal, cards)
            round_number += 1
            n_running = play_lanes(
                first_deal, start, n_lanes, entry_key, play, own_tables, show_tables, thresholds, rows, bounds, terms,
                loss_limits, cards, dealers, state, pots, reserves, cycles_left, stacks, active, were_active, members,
                won, paid, hands, scores, ghosts, pot_records, records, nets, fates, orders,
            )  # fmt: skip
