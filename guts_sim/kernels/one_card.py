"""What all kernels that walk a table of players through a betting round share: views, decisions, payoffs.

``moves``: int32 (decision, action, 2), next node (-1: not allowed) and chips to pay. ``nodes``: int32 (node, 3),
pot, players who wait, those of them who have not acted. ``order``: the active players in the order of their turns;
who acts is in front, and the player who bet last stands right behind those who wait. ``deck``: int64 (4,), number
of different strengths, bits of a strength below its rank, whether views are exact, number of views. ``cards``:
strengths by seat, larger beats smaller; seat 0 acts first.
"""

import numpy as np

from guts_sim.kernels._jit import lean
from guts_sim.kernels.one_card_codes import GAPS, HOLDERS
from guts_sim.kernels.units import SUBUNITS

FOLD, STAY, RAISE = 0, 1, 2
NEXT, PRICE = 0, 1
POT, WAITING, FRESH = 0, 1, 2
N_STRENGTHS, SUIT_BITS, IS_EXACT, N_VIEWS = 0, 1, 2, 3


@lean
def gap_class(gap):
    """How far the second best visible card is behind the best: equal, 1-2, 3-5 ranks, more or none."""
    if gap == 0:
        return 0
    if gap <= 2:
        return 1
    return 2 if gap <= 5 else 3


@lean
def holder_class(index, fresh, waiting):
    """What the player at an index of the queue has done: nothing yet, has to answer, bet last, called."""
    if index < fresh:
        return 0
    if index < waiting:
        return 1
    return 2 if index == waiting else 3


@lean
def summarise(cards, order, n_active, node, nodes, deck):
    """View of the player in front: best visible rank, what its (last) holder has done, gap to the second best."""
    best = -1
    second = -1
    index = 0
    for i in range(1, n_active):
        rank = np.int64(cards[order[i]]) >> deck[SUIT_BITS]
        if rank >= best:
            second = best
            best = rank
            index = i
        elif rank > second:
            second = rank
    gap = GAPS - 1 if second < 0 else gap_class(best - second)
    return (best * HOLDERS + holder_class(index, nodes[node, FRESH], nodes[node, WAITING])) * GAPS + gap


@lean
def view_of(cards, order, n_active, node, nodes, deck):
    """Number of what the player in front sees; exact views number the ranks of all others in seat order."""
    if deck[IS_EXACT] == 0:
        return summarise(cards, order, n_active, node, nodes, deck)
    view = np.int64(0)
    for seat in range(cards.size):
        if seat != order[0]:
            view = view * deck[N_STRENGTHS] + np.int64(cards[seat])
    return view


@lean
def advance(order, n_active, action, after):
    """Write the order after an action into ``after`` (which may be ``order``); return the number of active players."""
    actor = order[0]
    for i in range(n_active - 1):
        after[i] = order[i + 1]
    if action == FOLD:
        return n_active - 1
    after[n_active - 1] = actor
    return n_active


@lean
def decide(probs, uniform):
    """Action by a random number from 0 to below 1; one of probability 0 is never taken."""
    if uniform < probs[FOLD]:
        return FOLD
    if uniform >= 1.0 - probs[RAISE]:
        return RAISE
    return STAY


@lean
def unit_interval(word):
    """Random number from 0 to below 1 with 53 bits."""
    return np.float64(word >> np.uint64(11)) * (1.0 / 9007199254740992.0)


@lean
def best_strength(cards, order, n_active):
    best = np.int64(-1)
    for i in range(n_active):
        best = max(best, np.int64(cards[order[i]]))
    return best


@lean
def share_pot(cards, order, n_active, pot, shares):
    """Prize of every seat in 1/2520 chip: the best active cards split the pot."""
    for seat in range(shares.size):
        shares[seat] = 0
    best = best_strength(cards, order, n_active)
    n_winners = np.int64(0)
    for i in range(n_active):
        n_winners += np.int64(np.int64(cards[order[i]]) == best)
    for i in range(n_active):
        if np.int64(cards[order[i]]) == best:
            shares[order[i]] = np.int64(pot) * (SUBUNITS // n_winners)
