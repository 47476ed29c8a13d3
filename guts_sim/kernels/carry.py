"""Tables of Guts that carry their pots from round to round, in lanes.

Every lane is a table with its own pot and reserve. A table plays a fixed number of rounds; where a cycle
ends (pot and reserve empty) everybody antes and a new cycle begins in the next round, and so does a table
whose pot or reserve has outgrown ``CARRY_MAX_POT``, which is counted as abandoned. No lane ever waits, so
this is the fastest way to the long-run law of pots and payments; `cascade` follows single cycles instead.

Pots and reserves are whole chips: matches are multiples of the pot, and only what a tied winner takes can be a
fraction. Winnings are therefore kept in units of 1/2520 chip. The cap either feeds a reserve or does not exist;
payments reduced to the cap, which are fractions, are left to `cascade`.

Round ``r`` of table ``t`` is played with deal number ``r * 2**40 + t``, as in `cascade`.
"""

import numpy as np

from guts_sim.kernels._jit import inlined, kernel, lean
from guts_sim.kernels.deal import LANES, deal_lanes, deal_scratch
from guts_sim.kernels.guts import (
    BEST,
    N_BEST,
    N_IN,
    N_ROWS,
    TIED_LANES,
    UNITS,
    entry_tables,
    finish_seats,
    score_lanes,
    scoring_buffers,
    settle_lanes,
)

N_CARRY_RULES = 5
CARRY_ANTE, CARRY_CAP, CARRY_REANTE, CARRY_MAX_POT, CARRY_N_PLAYERS = range(N_CARRY_RULES)
# Ten times it fits into int32, and so does the sum of 256 pots below it.
LARGEST_MAX_POT = 1 << 22
NO_CAP = np.int32(0x7FFFFFFF)

N_TABLE_COUNTS = 5
TABLE_ENDED, TABLE_ABANDONED, TABLE_PEAK_POT, TABLE_PEAK_RESERVE, TABLE_CHIPS_LEFT = range(N_TABLE_COUNTS)
N_CHIP_COUNTS = 2
CHIPS_WON, CHIPS_PAID = range(N_CHIP_COUNTS)

TABLE_SHIFT = np.uint64(40)


@lean
def opening(rules):
    """Cap and what the antes of a new cycle make: (cap, pot, reserve), in chips."""
    antes = np.int32(rules[CARRY_ANTE] * rules[CARRY_N_PLAYERS])
    cap = NO_CAP if rules[CARRY_CAP] == 0 else np.int32(rules[CARRY_CAP])
    pot = min(antes, cap)
    return cap, pot, np.int32(antes - pot)


@lean
def sum_pots(scores, best, pots):
    """Sums of the pots of the lanes in which this player is in, and in which his hand is the best.

    One loop, so that the pots, the wide row, are read once.
    """
    staked = np.int32(0)
    taken = np.int32(0)
    for lane in range(LANES):
        is_in = np.int32(-np.int32(scores[lane] > np.uint16(0)))
        is_best = np.int32(-np.int32(scores[lane] == best[lane]))
        staked = np.int32(staked + np.int32(is_in & pots[lane]))
        taken = np.int32(taken + np.int32(is_best & pots[lane]))
    return np.int64(staked), np.int64(taken)


@lean
def share_tied_pots(scores, rows, n_tied, pots, chips):
    """Where several hands are best, which were counted as taking a pot each: give everyone his part."""
    for k in range(n_tied):
        lane = rows[TIED_LANES, k]
        pot = np.int64(pots[lane]) * UNITS
        too_much = pot - pot // np.int64(rows[N_BEST, lane])
        for player in range(scores.shape[0]):
            if scores[player, lane] == rows[BEST, lane]:
                chips[player, CHIPS_WON] -= too_much


@lean
def pay_lanes(scores, rows, n_tied, pots, chips):
    """Best hands take the pots, beaten hands match them. ``rows``, ``n_tied``: from `guts.settle_lanes`."""
    for player in range(scores.shape[0]):
        staked, taken = sum_pots(scores[player], rows[BEST], pots)
        chips[player, CHIPS_WON] += UNITS * taken
        chips[player, CHIPS_PAID] += UNITS * (staked - taken)
    share_tied_pots(scores, rows, n_tied, pots, chips)


@lean
def next_pots(n_in, n_best, reante, cap, open_pot, open_reserve, pots, reserves):
    """What the next round is played for: matches, or the old pot if nobody is in; what exceeds the cap is in
    the reserve; an empty pot is refilled from it; where both are empty everybody antes.

    Returns cycles ended and the peaks of pot and reserve.
    """
    n_ended, peak_pot, peak_reserve = np.int32(0), np.int32(0), np.int32(0)
    for lane in range(LANES):
        nobody = np.int32(-np.int32(n_in[lane] == np.uint16(0)))
        losers = np.int32(np.uint16(n_in[lane] - n_best[lane]))
        kept = np.int32(nobody & np.int32(pots[lane] + reante))
        pot = np.int32(np.int32(losers * pots[lane]) + kept)
        excess = np.int32(max(np.int32(pot - cap), np.int32(0)))
        reserve = np.int32(reserves[lane] + excess)
        refill = np.int32(min(reserve, cap) & np.int32(-np.int32(pot == np.int32(0))))
        pot = np.int32(np.int32(pot - excess) + refill)
        reserve = np.int32(reserve - refill)
        peak_pot = max(peak_pot, pot)
        peak_reserve = max(peak_reserve, reserve)
        # Not so a lane that takes no part: it has no pot either, but no players in.
        ended = np.int32(np.int32(-np.int32(pot == np.int32(0))) & np.int32(~nobody))
        n_ended = np.int32(n_ended - ended)
        pots[lane] = np.int32(pot + np.int32(ended & open_pot))
        reserves[lane] = np.int32(reserve + np.int32(ended & open_reserve))
    return np.int64(n_ended), np.int64(peak_pot), np.int64(peak_reserve)


@lean
def abandon_outgrown(max_pot, open_pot, open_reserve, pots, reserves, totals):
    for lane in range(LANES):
        if pots[lane] > max_pot or reserves[lane] > max_pot:
            totals[TABLE_ABANDONED] += 1
            totals[TABLE_CHIPS_LEFT] += np.int64(pots[lane]) + np.int64(reserves[lane])
            pots[lane] = open_pot
            reserves[lane] = open_reserve


@lean
def carry_lanes(rows, rules, n_live, pots, reserves, totals):
    """Leave in ``pots`` and ``reserves`` what the next round is played for, nothing in lanes from ``n_live`` on."""
    cap, open_pot, open_reserve = opening(rules)
    reante = np.int32(rules[CARRY_REANTE] * rules[CARRY_ANTE] * rules[CARRY_N_PLAYERS])
    for lane in range(n_live, LANES):
        pots[lane] = np.int32(0)
        reserves[lane] = np.int32(0)
    n_ended, peak_pot, peak_reserve = next_pots(
        rows[N_IN], rows[N_BEST], reante, cap, open_pot, open_reserve, pots, reserves
    )
    totals[TABLE_ENDED] += n_ended
    totals[TABLE_PEAK_POT] = max(totals[TABLE_PEAK_POT], peak_pot)
    totals[TABLE_PEAK_RESERVE] = max(totals[TABLE_PEAK_RESERVE], peak_reserve)
    if max(peak_pot, peak_reserve) > rules[CARRY_MAX_POT]:
        abandon_outgrown(rules[CARRY_MAX_POT], open_pot, open_reserve, pots, reserves, totals)


@lean
def open_lanes(rules, pots, reserves):
    _, open_pot, open_reserve = opening(rules)
    for lane in range(LANES):
        pots[lane] = open_pot
        reserves[lane] = open_reserve


@lean
def clear_dead_lanes(n_live, scores):
    for player in range(scores.shape[0]):
        for lane in range(n_live, LANES):
            scores[player, lane] = np.uint16(0)


@inlined
def pay_antes(rules, n_tables, joint, chips, totals):
    """Book the antes once all rounds are played: of every cycle begun and, with reante, of every pass."""
    n_antes = n_tables + totals[TABLE_ENDED] + totals[TABLE_ABANDONED] + rules[CARRY_REANTE] * joint[0, 0]
    for player in range(chips.shape[0]):
        chips[player, CHIPS_PAID] += UNITS * rules[CARRY_ANTE] * n_antes


@inlined
def open_sums(rules, joint, seats, chips, totals):
    joint[:] = 0
    seats[:] = 0
    chips[:] = 0
    totals[:] = 0
    _, totals[TABLE_PEAK_POT], totals[TABLE_PEAK_RESERVE] = opening(rules)


@kernel
def carry_rounds(
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
    """Play ``n_rounds`` rounds at each of the tables ``first`` .. ``first + n_tables - 1``.

    ``key`` .. ``strategy_of`` as in `guts.count_rounds` (``first`` counts tables). ``rules``: int64, the CARRY_
    constants: ante (chips), cap (0: none, else with a reserve), reante (0 or 1), largest pot or reserve of a
    table that is not abandoned (at most LARGEST_MAX_POT), players. Overwritten: ``joint`` and ``seats`` as in
    `guts.count_rounds`; ``chips``: int64 (player, 2), won and paid (antes included) in 1/2520 chip; ``totals``:
    int64 (5,), cycles ended, tables abandoned, peaks of pot and reserve, chips left (on the tables after the
    last round and on abandoned ones). Won minus paid plus chips left add up to 0.
    """
    n_players = strategy_of.size
    scratch = deal_scratch(n_players * hand_size)
    cards = np.empty((n_players * hand_size, LANES), np.uint8)
    scores = np.empty((n_players, LANES), np.uint16)
    rows = np.empty((N_ROWS, LANES), np.uint16)
    pots, reserves = np.empty(LANES, np.int32), np.empty(LANES, np.int32)
    known = np.empty(0, np.uint8)
    tables = entry_tables(table, thresholds)
    buffers = scoring_buffers(n_players)
    open_sums(rules, joint, seats, chips, totals)
    for start in range(0, n_tables, LANES):
        n_live = min(LANES, n_tables - start)
        open_lanes(rules, pots, reserves)
        for round_number in range(n_rounds):
            deal = (np.uint64(round_number) << TABLE_SHIFT) + first + np.uint64(start)
            deal_lanes(key, deal, known, scratch, cards)
            score_lanes(cards, hand_size, entry_key, deal, strategy_of, tables, buffers, scores)
            clear_dead_lanes(n_live, scores)
            n_tied = settle_lanes(scores, rows, joint, seats)
            joint[0, 0] -= LANES - n_live
            pay_lanes(scores, rows, n_tied, pots, chips)
            carry_lanes(rows, rules, n_live, pots, reserves, totals)
        for lane in range(n_live):
            totals[TABLE_CHIPS_LEFT] += np.int64(pots[lane]) + np.int64(reserves[lane])
    finish_seats(seats)
    pay_antes(rules, n_tables, joint, chips, totals)
