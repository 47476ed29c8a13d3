"""Counting deals of two-card hands by the number of hands that enter and their best class.

The dynamic programme of `count_two` with two exceptions instead of one: the field's threshold t and
the best in-hand b > t. Of each family of hands that holds u hands of class b and otherwise only weaker
ones, those above t are in, those of class t are in with a given chance, those below are out. Cards
are set aside for the row of t and for the row of b when their own rank passes.

A class is given as (high rank, low rank), equal ranks for a pair.
"""

import numpy as np

from guts_sim.kernels._jit import helper, kernel, lean
from guts_sim.kernels.count_two import CHOOSE, FALLING, GROUPINGS, N_RANKS, N_SUITS

OUT, MIXED, IN = 0, 1, 2
ROW = N_SUITS + 1


@lean
def compare(rank, boundary):
    """Side of a boundary rank on which a hand falls: OUT below it, MIXED at it, IN above it."""
    return OUT if rank < boundary else (MIXED if rank == boundary else IN)


@lean
def entering(side, hands, entered, chance):
    """Probability that exactly `entered` of `hands` hands on that side of the threshold are in."""
    if side == MIXED:
        return CHOOSE[hands, entered] * chance**entered * (1.0 - chance) ** (hands - entered)
    return 1.0 if entered == (hands if side == IN else 0) else 0.0


@lean
def add_rank_by_entries(source, cell, target, to_cell, free, factor, close_limit, closing_in, begun, entered):
    """`count_two.add_rank` on [cell, hands in, open, hands], where `begun` hands, `entered` of which are in,
    have used other cards of this rank, at most `close_limit` open hands are closed, and those are in
    or out together. Modified in place: target."""
    n_max = source.shape[1] - 1
    for n_open in range(n_max + 1):
        for closed in range(min(n_open, free, close_limit) + 1):
            ways = factor * CHOOSE[free, closed] * FALLING[n_open, closed]
            more_in = entered + closed * closing_in
            for opened in range(min(free - closed, n_max - n_open + closed) + 1):
                weight = ways * CHOOSE[free - closed, opened]
                still_open = n_open - closed + opened
                more = opened + begun
                for n_in in range(n_max + 1 - max(more_in, more)):
                    for hands in range(max(n_open, n_in), n_max + 1 - more):
                        value = source[cell, n_in, n_open, hands]
                        target[to_cell, n_in + more_in, still_open, hands + more] += weight * value


@lean
def chance_of_entries(t_side, to_t, b_side, to_b, entered, chance):
    """Probability that `entered` of the hands just begun are in: to_t on one side of t, to_b on another."""
    total = 0.0
    for t_in in range(max(0, entered - to_b), min(entered, to_t) + 1):
        t_chance = entering(t_side, to_t, t_in, chance)
        total += t_chance * entering(b_side, to_b, entered - t_in, chance)
    return total


@lean
def add_rank_with_rows(rank, source, target, free, factor, t_high, t_low, b_high, b_low, chance):
    """One more rank, any of whose free cards may be set aside for the rows of t and b or be paired.

    source, target: [ROW * aside for t + aside for b, hands in, open, hands].
    """
    b_is_pair = b_high == b_low
    one_row = t_high == b_high and not b_is_pair
    t_row = t_high if t_high > t_low and not one_row else -1
    cards_per_b = 2 if b_is_pair else 1
    most_t = free if rank < t_row else 0
    most_b = free // cards_per_b if rank < b_low else 0
    t_side = compare(rank, t_low)
    b_side = t_side if one_row or (b_is_pair and t_high == t_low) else IN
    closing_in = 1 if t_high > t_low and rank > t_high else 0
    for cell in range(ROW * ROW):
        t_aside, b_aside = cell // ROW, cell % ROW
        left, t_ways, close_limit = free, factor, N_SUITS
        if rank == t_row:  # its partners were set aside before; it closes no other open hand
            left, t_ways, close_limit = free - t_aside, factor * FALLING[free, t_aside], 0
        if left < 0 or not np.any(source[cell]):
            continue
        for to_t in range(min(most_t, left, N_SUITS - t_aside) + 1):
            for to_b in range(min(most_b, (left - to_t) // cards_per_b) + 1):
                next_b = b_aside if b_is_pair else b_aside + to_b
                if next_b > N_SUITS:
                    break
                ways = t_ways * CHOOSE[left, to_t] * GROUPINGS[cards_per_b, left - to_t, to_b]
                next_t = 0 if rank == t_row else t_aside + to_t
                unused = left - to_t - cards_per_b * to_b
                begun = to_t + to_b
                for entered in range(begun + 1):
                    weight = ways * chance_of_entries(t_side, to_t, b_side, to_b, entered, chance)
                    if weight > 0.0:
                        to_cell = ROW * next_t + next_b
                        add_rank_by_entries(
                            source, cell, target, to_cell, unused, weight, close_limit, closing_in, begun, entered
                        )


@helper
def count_by_entries(t_high, t_low, chance, b_high, b_low, u, n_weaker, counts):
    """Add to counts[i, u] the families of u hands of class b and n_weaker weaker ones, i - u of them in."""
    shape = (ROW * ROW, n_weaker + 1, n_weaker + 1, n_weaker + 1)
    source = np.zeros(shape)
    source[0, 0, 0, 0] = 1.0
    b_is_pair = b_high == b_low
    cards_per_b = 2 if b_is_pair else 1
    for rank in range(N_RANKS if b_is_pair else b_high):
        free, factor = N_SUITS, 1.0
        if rank == b_low:
            free, factor = N_SUITS - cards_per_b * u, GROUPINGS[cards_per_b, N_SUITS, u]
        target = np.zeros(shape)
        add_rank_with_rows(rank, source, target, free, factor, t_high, t_low, b_high, b_low, chance)
        source = target
    for aside in range(1 if b_is_pair else N_SUITS - u + 1):
        ways = 1.0 if b_is_pair else FALLING[N_SUITS, aside + u]
        for n_in in range(n_weaker + 1):
            counts[n_in + u, u] += ways * source[aside, n_in, 0, n_weaker]


@kernel
def fill_contested_counts(t_high, t_low, chance, best_classes, n_players, counts):
    """Count the deals whose best in-hand is above the threshold, by hands in and hands tied best.

    best_classes: int64[n, 2], the (high, low) of every class above the threshold (t_high, t_low), which
    is entered with `chance`. counts: float64[n_players + 1, n_players + 1], zero on entry; afterwards
    counts[k, w] is the expected number of sets of n_players hands with k in, w of them the best.
    """
    for best in range(len(best_classes)):
        b_high, b_low = best_classes[best]
        most_equal = N_SUITS if b_high > b_low else N_SUITS // 2
        for u in range(1, min(most_equal, n_players) + 1):
            count_by_entries(t_high, t_low, chance, b_high, b_low, u, n_players - u, counts)
