"""Counts over sessions in flat memory, all of them integers, so that blocks add up exactly in any grouping.

Sums of squares of amounts need more than 64 bits, so sums are kept in pieces; see `add_value`.
"""

import numpy as np

from guts_sim.kernels._jit import kernel, lean
from guts_sim.kernels.cascade import CYCLE_OVERFLOW, CYCLE_ROUNDS, CYCLE_STATUS, bin_of
from guts_sim.kernels.play_codes import FATE_RUINED, FATE_STOPPED, SESSION_CYCLES

LOW_BITS = 29  # an amount of at most 2**59 is high * 2**29 + low
PIECE_BITS = 30  # and products of these are cut at 30 bits

N_COUNTS = 5
COUNT_AHEAD, COUNT_RUINED, COUNT_STOPPED, COUNT_WON, COUNT_SHARED = range(N_COUNTS)


@lean
def add_value(value, sums, row):
    """Add a value and its square to 8 pieces: high and low of the value, then of high*high, high*low, low*low."""
    high = value >> LOW_BITS
    low = value - (high << LOW_BITS)
    mask = (1 << PIECE_BITS) - 1
    sums[row, 0] += high
    sums[row, 1] += low
    sums[row, 2] += high * high >> PIECE_BITS
    sums[row, 3] += high * high & mask
    sums[row, 4] += high * low >> PIECE_BITS
    sums[row, 5] += high * low & mask
    sums[row, 6] += low * low >> PIECE_BITS
    sums[row, 7] += low * low & mask


@lean
def signed_bin(chips, n_bins):
    """Place of a whole number of chips among ``2 * n_bins`` bins, the negative ones first."""
    return n_bins + bin_of(chips) if chips >= 0 else n_bins - 1 - bin_of(-1 - chips)


@lean
def best_net(nets, i):
    """Largest balance of a session, and how many have it."""
    best, n_best = nets[i, 0], 0
    for player in range(nets.shape[1]):
        best = max(best, nets[i, player])
    for player in range(nets.shape[1]):
        n_best += nets[i, player] == best
    return best, n_best


@kernel
def tally_sessions(records, nets, fates, orders, unit, is_member, statuses, histograms, net_sums, other_sums, counts):
    """Add sessions that `session.play_sessions` played to counts; those that outgrew 64 bits to ``statuses`` alone.

    ``unit``: sub-units per chip. ``is_member``: uint8 (group, player). Added to: ``statuses``: int64 (3,), by
    status; ``histograms``: int64 (player, bin), nets in whole chips, see `signed_bin`; ``net_sums``: int64
    (group, 8), nets of all members together, see `add_value`; ``other_sums``: int64 (2 + player, 8), the same of
    rounds, cycles, and of the value of declaring first, second, ...; ``counts``: int64 (group, 5, player + 1),
    sessions by the number of members who were ahead, were ruined, had stopped, won alone, and shared the win.
    """
    n_groups, n_players = is_member.shape
    for i in range(nets.shape[0]):
        status = records[i, CYCLE_STATUS]
        statuses[status] += 1
        if status == CYCLE_OVERFLOW:
            continue
        add_value(records[i, CYCLE_ROUNDS], other_sums, 0)
        add_value(records[i, SESSION_CYCLES], other_sums, 1)
        for place in range(n_players):
            add_value(orders[i, place], other_sums, 2 + place)
            histograms[place, signed_bin(nets[i, place] // unit, histograms.shape[1] // 2)] += 1
        best, n_best = best_net(nets, i)
        for group in range(n_groups):
            total = np.int64(0)
            ahead, ruined, stopped, at_top = 0, 0, 0, 0
            for player in range(n_players):
                if is_member[group, player]:
                    total += nets[i, player]
                    ahead += nets[i, player] > 0
                    ruined += fates[i, player] == FATE_RUINED
                    stopped += fates[i, player] == FATE_STOPPED
                    at_top += nets[i, player] == best
            add_value(total, net_sums, group)
            counts[group, COUNT_AHEAD, ahead] += 1
            counts[group, COUNT_RUINED, ruined] += 1
            counts[group, COUNT_STOPPED, stopped] += 1
            counts[group, COUNT_WON, at_top if n_best == 1 else 0] += 1
            counts[group, COUNT_SHARED, at_top if n_best > 1 else 0] += 1
