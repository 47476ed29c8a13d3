"""Cycles of Guts: tables that carry pot and reserve from round to round until both are empty.

Lanes hold neighbouring cycles. Round ``r`` of cycle ``c`` is played with deal number
``r * 2**40 + c``, so that the cycles of a lane block read consecutive deals in every round, no two
rounds share a deal, and any cycle can be played again alone. Once few tables of a block are still
running their deals are drawn one by one.
"""

import numpy as np

from guts_sim.kernels._jit import helper, kernel
from guts_sim.kernels.bins import EXACT, PER_OCTAVE
from guts_sim.kernels.deal import LANES, deal_lanes, deal_one, deal_scratch
from guts_sim.kernels.guts import entry_tables, score_lanes, scoring_buffers
from guts_sim.kernels.rule_codes import (
    GHOST_LONE,
    NO_GHOST,
    RULE_GHOST,
    RULE_GHOST_WINS_TIES,
    RULE_NOBODY_IN,
    RULE_PAYS_LOWEST,
    WEENIE,
)
from guts_sim.kernels.settlement import MAX_CHIPS, post_antes, settle_seats

MAX_CYCLES = 1 << 40
MAX_ROUNDS = 1 << 20
ROUND_SHIFT = np.uint64(40)
SPARSE = 16  # up to so many running tables single deals are cheaper than a block of them

N_CYCLE_COLUMNS = 6
CYCLE_STATUS, CYCLE_ROUNDS, CYCLE_PEAK_POT, CYCLE_PEAK_RESERVE, CYCLE_POT_LEFT, CYCLE_RESERVE_LEFT = range(
    N_CYCLE_COLUMNS
)
CYCLE_ENDED, CYCLE_ROUND_LIMIT, CYCLE_OVERFLOW = range(3)
_RUNNING = -1


@helper
def open_tables(first, n_live, rules, seat_rows, cycles, nets):
    """Begin cycles ``first`` .. ``first + n_live - 1``: everyone antes."""
    members, _, paid, _ = seat_rows
    n_players = members.size
    for lane in range(n_live):
        for player in range(n_players):
            paid[player] = 0
        dealer = (np.int64(first) + lane) % n_players
        pot, reserve = post_antes(np.int64(0), np.int64(0), dealer, rules, members, paid)
        cycles[lane, CYCLE_STATUS] = _RUNNING
        cycles[lane, CYCLE_ROUNDS] = 0
        cycles[lane, CYCLE_PEAK_POT] = cycles[lane, CYCLE_POT_LEFT] = pot
        cycles[lane, CYCLE_PEAK_RESERVE] = cycles[lane, CYCLE_RESERVE_LEFT] = reserve
        for player in range(n_players):
            nets[lane, player] = -paid[player]


@helper
def deal_running(key, deal, n_running, cycles, known, scratch, one_deal, cards):
    """Cards of all lanes, or of the running ones alone where these are few."""
    if n_running > SPARSE:
        deal_lanes(key, deal, known, scratch, cards)
        return
    for lane in range(cycles.shape[0]):
        if cycles[lane, CYCLE_STATUS] == _RUNNING:
            deal_one(key, deal + np.uint64(lane), known, one_deal)
            for i in range(one_deal.size):
                cards[i, lane] = one_deal[i]


@helper
def class_in_lane(cards, lane, hand_size, player, table):
    """Class of one hand; the table index is that of `guts.hand_index`."""
    at = hand_size * player
    index = np.int64(cards[at, lane] >> 2) * 13 + np.int64(cards[at + 1, lane] >> 2)
    if hand_size == 3:
        index = index * 13 + np.int64(cards[at + 2, lane] >> 2)
        if (cards[at, lane] ^ cards[at + 1, lane] | cards[at, lane] ^ cards[at + 2, lane]) & 3 == 0:
            index += 2197
    return np.int64(table[index])


@helper
def show_outs(cards, lane, hand_size, table, seat_scores):
    """If nobody is in, turn the scores into those of hands that are out: minus the class, less one."""
    for score in seat_scores:
        if score > 0:
            return
    for player in range(seat_scores.size):
        seat_scores[player] = -1 - class_in_lane(cards, lane, hand_size, player, table)


@helper
def ghost_wins(seat_scores, ghost, rules):
    """Whether the ghost plays against those who are in, and beats them."""
    n_in, best = 0, np.int64(0)
    for score in seat_scores:
        n_in += score > 0
        best = max(best, score)
    if n_in == 0 or (rules[RULE_GHOST] == GHOST_LONE and n_in > 1):
        return False
    return ghost > best or (ghost == best and rules[RULE_GHOST_WINS_TIES] != 0)


@helper
def lay_down(seat_scores, rules):
    """Turn those who owe a match to a ghost into the best hands among those who are out.

    Under the Weenie rule they then match a pot that stays, which is what losing to the ghost means.
    """
    lowest = MAX_CHIPS
    for score in seat_scores:
        if score > 0:
            lowest = min(lowest, score)
    for player in range(seat_scores.size):
        owes = seat_scores[player] > 0
        if rules[RULE_PAYS_LOWEST]:
            owes = seat_scores[player] == lowest
        seat_scores[player] = -1 if owes else 0


@helper
def play_table(scores, hands, lane, dealer, rules, seat_rows, cycle, net):
    """One round at one table; updates its ``cycle`` row and ``net``. ``rules``: see `rules_by_winner`."""
    members, won, paid, seat_scores = seat_rows
    for player in range(net.size):
        seat_scores[player] = np.int64(scores[player, lane])
    row = 0
    if rules[0, RULE_NOBODY_IN] == WEENIE:
        cards, hand_size, table = hands
        show_outs(cards, lane, hand_size, table, seat_scores)
    if rules[0, RULE_GHOST] != NO_GHOST and ghost_wins(seat_scores, np.int64(scores[net.size, lane]), rules[0]):
        lay_down(seat_scores, rules[0])
        row = 1
    pot, reserve = settle_seats(
        cycle[CYCLE_POT_LEFT], cycle[CYCLE_RESERVE_LEFT], seat_scores, dealer, rules[row], members, won, paid
    )
    largest = max(pot, reserve)
    for player in range(net.size):
        net[player] += won[player] - paid[player]
        largest = max(largest, abs(net[player]))
    cycle[CYCLE_ROUNDS] += 1
    cycle[CYCLE_POT_LEFT] = pot
    cycle[CYCLE_RESERVE_LEFT] = reserve
    cycle[CYCLE_PEAK_POT] = max(cycle[CYCLE_PEAK_POT], pot)
    cycle[CYCLE_PEAK_RESERVE] = max(cycle[CYCLE_PEAK_RESERVE], reserve)
    if pot == 0 and reserve == 0:
        cycle[CYCLE_STATUS] = CYCLE_ENDED
    elif largest > MAX_CHIPS:
        cycle[CYCLE_STATUS] = CYCLE_OVERFLOW


@helper
def rules_by_winner(rules):
    """Rules of a round that a player wins (row 0), and of one that the ghost wins; see `lay_down`."""
    by_winner = np.empty((2, rules.size), np.int64)
    by_winner[0] = rules
    by_winner[1] = rules
    by_winner[1, RULE_NOBODY_IN] = WEENIE
    return by_winner


@helper
def play_round(scores, hands, first, round_number, rules, seat_rows, cycles, nets):
    """One round at every running table; returns how many go on."""
    n_running = 0
    for lane in range(cycles.shape[0]):
        if cycles[lane, CYCLE_STATUS] == _RUNNING:
            dealer = (np.int64(first) + lane + round_number) % nets.shape[1]
            play_table(scores, hands, lane, dealer, rules, seat_rows, cycles[lane], nets[lane])
            n_running += cycles[lane, CYCLE_STATUS] == _RUNNING
    return n_running


@kernel
def play_cascade(key, entry_key, first, hand_size, table, thresholds, strategy_of, rules, round_limit, cycles, nets):
    """Play cycles ``first``, ``first + 1``, ... and record how each of them went.

    ``key`` .. ``strategy_of`` as in `guts.count_rounds` (``first`` counts cycles); if the rules have a ghost,
    ``strategy_of`` has one entry more, a strategy that always enters. ``rules``: see `rule_codes`, with stakes on
    credit. ``round_limit``: rounds after which a cycle is given up, at most MAX_ROUNDS. Overwritten,
    one row per cycle: ``cycles``: int64 (cycle, 6), the CYCLE_ columns: status, rounds played, peaks of
    pot and reserve (the first pot included), and what is left of both; ``nets``: int64 (cycle, player),
    balances. A cycle ends (CYCLE_ENDED), is given up (CYCLE_ROUND_LIMIT), or stops when an amount
    exceeds MAX_CHIPS (CYCLE_OVERFLOW); in each case nets, pot left and reserve left add up to 0.
    """
    n_cycles, n_players = nets.shape
    n_hands = strategy_of.size
    scratch = deal_scratch(n_hands * hand_size)
    cards = np.zeros((n_hands * hand_size, LANES), np.uint8)
    one_deal = np.empty(n_hands * hand_size, np.uint8)
    known = np.empty(0, np.uint8)
    scores = np.empty((n_hands, LANES), np.uint16)
    tables = entry_tables(table, thresholds)
    buffers = scoring_buffers(n_hands)
    seat_rows = (
        np.empty(n_players, np.int64),
        np.empty(n_players, np.int64),
        np.empty(n_players, np.int64),
        np.empty(n_players, np.int64),
    )
    by_winner = rules_by_winner(rules)
    hands = (cards, hand_size, table)
    for start in range(0, n_cycles, LANES):
        begin = first + np.uint64(start)
        block = cycles[start : start + LANES]
        block_nets = nets[start : start + LANES]
        n_running = block.shape[0]
        open_tables(begin, n_running, rules, seat_rows, block, block_nets)
        round_number = 0
        while n_running > 0 and round_number < round_limit:
            deal = (np.uint64(round_number) << ROUND_SHIFT) + begin
            deal_running(key, deal, n_running, block, known, scratch, one_deal, cards)
            score_lanes(cards, hand_size, entry_key, deal, strategy_of, tables, buffers, scores)
            n_running = play_round(scores, hands, begin, round_number, by_winner, seat_rows, block, block_nets)
            round_number += 1
        for lane in range(block.shape[0]):
            if block[lane, CYCLE_STATUS] == _RUNNING:
                block[lane, CYCLE_STATUS] = CYCLE_ROUND_LIMIT


N_HISTOGRAMS = 3
HISTOGRAM_ROUNDS, HISTOGRAM_POT, HISTOGRAM_RESERVE = range(N_HISTOGRAMS)
N_MOMENTS = 6
MOMENT_ROUNDS, MOMENT_ROUNDS_2, MOMENT_POT, MOMENT_POT_2, MOMENT_RESERVE, MOMENT_RESERVE_2 = range(N_MOMENTS)


@helper
def bin_of(value):
    """Place of a whole number in the bins of `bins`."""
    octave = 0
    while value >= EXACT:
        value >>= 1
        octave += 1
    return value if octave == 0 else EXACT + (octave - 1) * PER_OCTAVE + value - PER_OCTAVE


@helper
def add_moments(rounds, pot, reserve, moments):
    moments[MOMENT_ROUNDS] += rounds
    moments[MOMENT_ROUNDS_2] += rounds * rounds
    moments[MOMENT_POT] += pot
    moments[MOMENT_POT_2] += pot * pot
    moments[MOMENT_RESERVE] += reserve
    moments[MOMENT_RESERVE_2] += reserve * reserve


@kernel
def tally_cycles(cycles, nets, unit, cap, levels, statuses, histograms, reached, moments, net_moments):
    """Add the cycles that `play_cascade` wrote to counts in flat memory.

    ``unit``: units of money per chip. ``cap``: in units, 0 for none. ``levels``: int64, in units. Added to:
    ``statuses``: int64 (3,), cycles by status; ``histograms``: int64 (3, N_BINS), ended cycles by
    rounds, peak pot and peak reserve in whole chips, and other cycles whose pot reached the cap by peak pot;
    ``reached``: int64 (level,), cycles whose pot reached the level; ``moments``: float64 (6,), sums over ended
    cycles, in chips; ``net_moments``: float64 (player, 2), sums of nets and their squares, in chips.
    """
    for i in range(cycles.shape[0]):
        status = cycles[i, CYCLE_STATUS]
        statuses[status] += 1
        peak = cycles[i, CYCLE_PEAK_POT]
        for level in range(levels.size):
            reached[level] += peak >= levels[level]
        pot, reserve = peak // unit, cycles[i, CYCLE_PEAK_RESERVE] // unit
        if status == CYCLE_ENDED or (cap > 0 and peak >= cap):
            histograms[HISTOGRAM_POT, bin_of(pot)] += 1
        if status != CYCLE_ENDED:
            continue
        rounds = cycles[i, CYCLE_ROUNDS]
        histograms[HISTOGRAM_ROUNDS, bin_of(rounds)] += 1
        histograms[HISTOGRAM_RESERVE, bin_of(reserve)] += 1
        add_moments(np.float64(rounds), np.float64(pot), np.float64(reserve), moments)
        for player in range(nets.shape[1]):
            net = nets[i, player] / np.float64(unit)
            net_moments[player, 0] += net
            net_moments[player, 1] += net * net
