"""Counting deals of two-card hands by the number of hands that enter and their best class.

The dynamic programme of `count_two` with two exceptions instead of one: the field's threshold t and
the best in-hand b > t. Of each family of hands that holds u hands of class b and otherwise only weaker
ones, those above t are in, those of class t are in with a given chance, those below are out. Cards
are set aside for the row of t and for the row of b when their own rank passes.

A class is given as (high rank, low rank), equal ranks for a pair.
"""

import numpy as np

from guts_sim.kernels._jit import helper, kernel
from guts_sim.kernels.count_two import CHOOSE, FALLING, N_RANKS, N_SUITS, PAIRINGS

OUT, MIXED, IN = 0, 1, 2


@helper
def compare(rank, boundary):
    """Side of a boundary rank on which a hand falls: OUT below it, MIXED at it, IN above it."""
    return OUT if rank < boundary else (MIXED if rank == boundary else IN)


@helper
def entering(side, hands, entered, chance):
    """Probability that exactly `entered` of `hands` hands on that side of the threshold are in."""
    if side == MIXED:
        return CHOOSE[hands, entered] * chance**entered * (1.0 - chance) ** (hands - entered)
    return 1.0 if entered == (hands if side == IN else 0) else 0.0


@helper
def add_rank_by_entries(source, target, free, factor, begun, entered, close_limit, closing_in, n_max):
    """`count_two.add_rank` on [hands in, open, hands], where `begun` hands of which `entered` are in
    have used other cards of this rank, at most `close_limit` open cards are closed, and the hands so
    closed are in or out together. Modified in place: target."""
    for n_open in range(n_max + 1):
        for closed in range(min(n_open, free, close_limit) + 1):
            ways = factor * CHOOSE[free, closed] * FALLING[n_open, closed]
            more_in = entered + (closed if closing_in else 0)
            for opened in range(free - closed + 1):
                weight = ways * CHOOSE[free - closed, opened]
                still_open = n_open - closed + opened
                if still_open > n_max:
                    break
                for n_in in range(n_max + 1 - more_in):
                    for hands in range(max(n_open, n_in), n_max + 1 - opened - begun):
                        value = source[n_in, n_open, hands]
                        target[n_in + more_in, still_open, hands + opened + begun] += weight * value


@helper
def add_rank_with_rows(rank, source, target, used, free, factor, t_high, t_low, b_high, b_low, chance, n_max):
    """One more rank, any of whose free cards may be set aside for the rows of t and b or be paired.

    source, target: [aside for t, aside for b, hands in, open, hands]; used[aside for t, aside for b] marks
    blocks of the source that are not zero.
    """
    b_is_pair = b_high == b_low
    one_row = t_high == b_high and not b_is_pair
    t_row = t_high if t_high > t_low and not one_row else -1
    most_t = free if rank < t_row else 0
    most_b = free // 2 if b_is_pair and rank < b_high else (free if not b_is_pair and rank < b_low else 0)
    t_side = compare(rank, t_low)
    b_side = t_side if one_row or (b_is_pair and t_high == t_low) else IN
    closing_in = t_high > t_low and rank > t_high
    for t_aside in range(N_SUITS + 1):
        for b_aside in range(N_SUITS + 1):
            if not used[t_aside, b_aside]:
                continue
            left, t_ways, close_limit = free, factor, N_SUITS
            if rank == t_row:  # its partners were set aside before; nothing else is closed by this rank
                if t_aside > free:
                    continue
                left, t_ways, close_limit = free - t_aside, factor * FALLING[free, t_aside], 0
            for to_t in range(min(most_t, left, N_SUITS - t_aside) + 1):
                for to_b in range(most_b + 1):
                    b_cards = 2 * to_b if b_is_pair else to_b
                    if to_t + b_cards > left or (not b_is_pair and b_aside + to_b > N_SUITS):
                        break
                    ways = t_ways * CHOOSE[left, to_t]
                    ways *= PAIRINGS[left - to_t, to_b] if b_is_pair else CHOOSE[left - to_t, to_b]
                    next_t = 0 if rank == t_row else t_aside + to_t
                    next_b = 0 if b_is_pair else b_aside + to_b
                    for entered in range(to_t + to_b + 1):
                        weight = 0.0
                        for t_in in range(max(0, entered - to_b), min(entered, to_t) + 1):
                            t_chance = entering(t_side, to_t, t_in, chance)
                            weight += t_chance * entering(b_side, to_b, entered - t_in, chance)
                        if weight > 0.0:
                            add_rank_by_entries(
                                source[t_aside, b_aside],
                                target[next_t, next_b],
                                left - to_t - b_cards,
                                ways * weight,
                                to_t + to_b,
                                entered,
                                close_limit,
                                closing_in,
                                n_max,
                            )


@helper
def mark_used(source, used):
    for t_aside in range(N_SUITS + 1):
        for b_aside in range(N_SUITS + 1):
            used[t_aside, b_aside] = np.any(source[t_aside, b_aside])


@helper
def count_by_entries(t_high, t_low, chance, b_high, b_low, u, n_weaker, counts):
    """Add to counts[i] the families of u hands of class b and n_weaker weaker ones, i of which are in."""
    shape = (N_SUITS + 1, N_SUITS + 1, n_weaker + 1, n_weaker + 1, n_weaker + 1)
    source = np.zeros(shape)
    source[0, 0, 0, 0, 0] = 1.0
    used = np.zeros((N_SUITS + 1, N_SUITS + 1), np.bool_)
    for rank in range(N_RANKS):
        if rank == b_high and b_high > b_low:
            for aside in range(N_SUITS - u + 1):
                for n_in in range(n_weaker + 1):
                    counts[n_in] += FALLING[N_SUITS, aside + u] * source[0, aside, n_in, 0, n_weaker]
            return
        free, factor = N_SUITS, 1.0
        if rank == b_low:
            if b_high == b_low:
                free, factor = N_SUITS - 2 * u, PAIRINGS[N_SUITS, u]
            else:
                free, factor = N_SUITS - u, CHOOSE[N_SUITS, u]
        mark_used(source, used)
        target = np.zeros(shape)
        add_rank_with_rows(
            rank, source, target, used, free, factor, t_high, t_low, b_high, b_low, chance, n_weaker
        )
        source = target
    for n_in in range(n_weaker + 1):
        counts[n_in] += source[0, 0, n_in, 0, n_weaker]


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
            by_entries = np.zeros(n_players - u + 1)
            count_by_entries(t_high, t_low, chance, b_high, b_low, u, n_players - u, by_entries)
            for others_in in range(n_players - u + 1):
                counts[others_in + u, u] += by_entries[others_in]
