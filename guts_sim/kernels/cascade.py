"""Cycles of Guts, from the first antes until pot and reserve are empty: how they are recorded and counted.

`session.play_sessions` plays them, as sessions of one cycle.
"""

import numpy as np

from guts_sim.kernels._jit import kernel, lean
from guts_sim.kernels.bins import EXACT, PER_OCTAVE

N_CYCLE_COLUMNS = 6
CYCLE_STATUS, CYCLE_ROUNDS, CYCLE_PEAK_POT, CYCLE_PEAK_RESERVE, CYCLE_POT_LEFT, CYCLE_RESERVE_LEFT = range(
    N_CYCLE_COLUMNS
)
CYCLE_ENDED, CYCLE_ROUND_LIMIT, CYCLE_OVERFLOW = range(3)

N_HISTOGRAMS = 3
HISTOGRAM_ROUNDS, HISTOGRAM_POT, HISTOGRAM_RESERVE = range(N_HISTOGRAMS)
N_MOMENTS = 6
MOMENT_ROUNDS, MOMENT_ROUNDS_2, MOMENT_POT, MOMENT_POT_2, MOMENT_RESERVE, MOMENT_RESERVE_2 = range(N_MOMENTS)


@lean
def bin_of(value):
    """Place of a whole number in the bins of `bins`."""
    octave = 0
    while value >= EXACT:
        value >>= 1
        octave += 1
    return value if octave == 0 else EXACT + (octave - 1) * PER_OCTAVE + value - PER_OCTAVE


@lean
def add_moments(rounds, pot, reserve, moments):
    moments[MOMENT_ROUNDS] += rounds
    moments[MOMENT_ROUNDS_2] += rounds * rounds
    moments[MOMENT_POT] += pot
    moments[MOMENT_POT_2] += pot * pot
    moments[MOMENT_RESERVE] += reserve
    moments[MOMENT_RESERVE_2] += reserve * reserve


@kernel
def tally_cycles(cycles, nets, unit, cap, levels, statuses, histograms, reached, moments, net_moments):
    """Add the cycles that `session.play_sessions` wrote to counts in flat memory.

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
