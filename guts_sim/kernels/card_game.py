"""Counterfactual regret minimisation on games of one card each whose deals are listed, in lanes of deals.

Every player in turn: probabilities that the others come to each node are carried down the tree, values are
carried up, and what each action would have gained is added to the regrets of its place and view. Nodes are
numbered so that children follow their parents; an action that is not allowed has child -1.
"""

import numpy as np

from guts_sim.kernels._jit import helper, kernel

N_ACTIONS = 3
LANES = 256


@helper
def match_regrets(regrets, legal, probs):
    """Probabilities in proportion to the positive regrets of one view; equal ones if there are none."""
    total = 0.0
    n_legal = 0
    for action in range(N_ACTIONS):
        if legal[action]:
            n_legal += 1
            total += max(regrets[action], 0.0)
    for action in range(N_ACTIONS):
        if not legal[action]:
            probs[action] = 0.0
        elif total > 0.0:
            probs[action] = max(regrets[action], 0.0) / total
        else:
            probs[action] = 1.0 / n_legal


@helper
def copy_lanes(row, n_lanes, out):
    for lane in range(n_lanes):
        out[lane] = row[lane]


@helper
def clear_lanes(n_lanes, out):
    for lane in range(n_lanes):
        out[lane] = 0.0


@helper
def carry_down(reach, probs, action, view, start, n_lanes, out):
    """Reach of a child by an action of another player."""
    for lane in range(n_lanes):
        out[lane] = reach[lane] * probs[view[start + lane], action]


@helper
def add_value(values, probs, action, view, start, n_lanes, out):
    for lane in range(n_lanes):
        out[lane] += values[lane] * probs[view[start + lane], action]


@helper
def add_gain(reach, child_values, values, action, view, start, n_lanes, gains):
    for lane in range(n_lanes):
        gains[view[start + lane], action] += reach[lane] * (child_values[lane] - values[lane])


@helper
def set_payoffs(stake, outcome, paid, start, n_lanes, out):
    for lane in range(n_lanes):
        out[lane] = stake * outcome[start + lane] - paid


@helper
def gains_of_deals(
    seat,
    start,
    n_lanes,
    actor,
    place,
    child,
    standing,
    stake,
    paid,
    weight,
    view,
    outcome,
    current,
    reach,
    values,
    gains,
):
    """Add to ``gains`` what each action of a seat would have gained on ``n_lanes`` deals from ``start`` on."""
    n_decisions = actor.size
    for lane in range(n_lanes):
        reach[0, lane] = weight[start + lane]
    for node in range(n_decisions):
        for action in range(N_ACTIONS):
            below = child[node, action]
            if below >= 0:
                if actor[node] == seat:
                    copy_lanes(reach[node], n_lanes, reach[below])
                else:
                    probs = current[place[node]]
                    carry_down(reach[node], probs, action, view[actor[node]], start, n_lanes, reach[below])
    for end in range(stake.size):
        set_payoffs(
            stake[end], outcome[standing[end], seat], paid[end, seat], start, n_lanes, values[n_decisions + end]
        )
    for node in range(n_decisions - 1, -1, -1):
        clear_lanes(n_lanes, values[node])
        probs = current[place[node]]
        for action in range(N_ACTIONS):
            if child[node, action] >= 0:
                add_value(values[child[node, action]], probs, action, view[actor[node]], start, n_lanes, values[node])
        if actor[node] == seat:
            for action in range(N_ACTIONS):
                below = child[node, action]
                if below >= 0:
                    add_gain(
                        reach[node], values[below], values[node], action, view[seat], start, n_lanes, gains[place[node]]
                    )


@helper
def own_reach(seat, actor, place, child, current, mine):
    """Probability that a seat's own decisions lead to each node, by view."""
    for seen in range(mine.shape[1]):
        mine[0, seen] = 1.0
    for node in range(actor.size):
        for action in range(N_ACTIONS):
            below = child[node, action]
            if 0 <= below < actor.size:
                for seen in range(mine.shape[1]):
                    mine[below, seen] = mine[node, seen]
                    if actor[node] == seat:
                        mine[below, seen] *= current[place[node], seen, action]


@helper
def take_in(seat, weight, keep_gain, keep_loss, actor, place, legal, mine, gains, regrets, sums, current):
    """Add the current strategy of a seat to the average, then the gains to the regrets, kept non-negative."""
    done = np.zeros(legal.shape[0], np.bool_)
    for node in range(actor.size):
        here = place[node]
        if actor[node] != seat or done[here]:
            continue
        done[here] = True
        for seen in range(mine.shape[1]):
            for action in range(N_ACTIONS):
                sums[here, seen, action] += weight * mine[node, seen] * current[here, seen, action]
                before = regrets[here, seen, action]
                before *= keep_gain if before > 0.0 else keep_loss
                regrets[here, seen, action] = before + gains[here, seen, action]
            match_regrets(regrets[here, seen], legal[here], current[here, seen])


@kernel
def minimise_regrets(
    first,
    n_iterations,
    alpha,
    beta,
    power,
    actor,
    place,
    child,
    legal,
    standing,
    stake,
    paid,
    weight,
    view,
    outcome,
    regrets,
    sums,
):
    """Run iterations ``first`` .. ``first + n_iterations - 1`` of CFR+, players one after the other.

    ``regrets``, ``sums``: float64 (place, view, action), updated; the average strategy is ``sums`` normalised,
    in which iteration t weighs ``(t + 1) ** power``. The rest are the arrays of `games.card_game.CardGame`, with
    ``stake``, ``paid`` and ``outcome`` in chips.
    """
    n_nodes = actor.size + stake.size
    reach = np.empty((n_nodes, LANES), np.float64)
    values = np.empty((n_nodes, LANES), np.float64)
    mine = np.empty((actor.size, regrets.shape[1]), np.float64)
    gains = np.empty_like(regrets)
    current = np.empty_like(regrets)
    for here in range(regrets.shape[0]):
        for seen in range(regrets.shape[1]):
            match_regrets(regrets[here, seen], legal[here], current[here, seen])
    for iteration in range(first, first + n_iterations):
        turn = iteration + 1.0
        factor = turn**power
        keep_gain = turn**alpha / (turn**alpha + 1.0)
        keep_loss = turn**beta / (turn**beta + 1.0)
        for seat in range(view.shape[0]):
            gains[:] = 0.0
            for start in range(0, weight.size, LANES):
                gains_of_deals(
                    seat,
                    start,
                    min(LANES, weight.size - start),
                    actor,
                    place,
                    child,
                    standing,
                    stake,
                    paid,
                    weight,
                    view,
                    outcome,
                    current,
                    reach,
                    values,
                    gains,
                )
            own_reach(seat, actor, place, child, current, mine)
            take_in(seat, factor, keep_gain, keep_loss, actor, place, legal, mine, gains, regrets, sums, current)
