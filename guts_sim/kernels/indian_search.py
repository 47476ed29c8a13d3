"""Learning and best replies by walking the betting round: what a seat can get on given visible cards.

Values are in chips. A walk goes down and comes back through explicit stacks, one entry per action deep (compiled code
of functions that call themselves cannot be kept on disk), so nothing is allocated on the way.
"""

import numpy as np

from guts_sim.kernels._jit import kernel, lean
from guts_sim.kernels.card_game import N_ACTIONS
from guts_sim.kernels.indian_play import DECISIONS_PER_HAND
from guts_sim.kernels.one_card import FOLD, NEXT, POT, PRICE, advance, best_strength, decide, unit_interval, view_of
from guts_sim.kernels.rand import GAMMA, attempt_key, mix64

DEPTHS = DECISIONS_PER_HAND
NODE, N_ACTIVE, VIEW, TRIED = 0, 1, 2, 3  # columns of a stack of places
PAID, BEST, PLAYED = 0, 1, 2  # columns of a stack of chips


@lean
def prize_of(seat, cards, order, n_active, pot):
    """Chips that an active seat gets from the pot."""
    best = best_strength(cards, order, n_active)
    if np.int64(cards[seat]) != best:
        return 0.0
    n_winners = 0
    for i in range(n_active):
        n_winners += np.int64(np.int64(cards[order[i]]) == best)
    return pot / n_winners


@lean
def go_down(depth, action, moves, orders, places, chips, is_own):
    """Enter the child of an action on the stacks."""
    node = places[depth, NODE]
    places[depth + 1, N_ACTIVE] = advance(orders[depth], places[depth, N_ACTIVE], action, orders[depth + 1])
    places[depth + 1, NODE] = moves[node, action, NEXT]
    chips[depth + 1, PAID] = chips[depth, PAID]
    if is_own:
        chips[depth + 1, PAID] += moves[node, action, PRICE]


@lean
def enter_root(node, order, paid, orders, places, chips):
    for i in range(order.size):
        orders[0, i] = order[i]
    places[0, NODE] = node
    places[0, N_ACTIVE] = order.size
    chips[0, PAID] = paid


@lean
def search_deal(seat, cards, current, moves, nodes, deck, orders, places, chips, random, gains, sums):
    """Follow all own actions of a seat and one drawn action of the others wherever they act.

    Adds to ``gains`` what each own action would have gained, and to ``sums`` the strategies of the others where
    they act. ``random``: uint64 (1,), state of the draws; the root is on the stacks.
    """
    depth = 0
    is_new = True
    result = 0.0
    while depth >= 0:
        node = places[depth, NODE]
        n_active = places[depth, N_ACTIVE]
        order = orders[depth]
        if node >= moves.shape[0]:
            result = prize_of(seat, cards, order, n_active, nodes[node, POT]) - chips[depth, PAID]
            is_new = False
            depth -= 1
            continue
        is_own = order[0] == seat
        if is_new:
            view = view_of(cards, order, n_active, node, nodes, deck)
            places[depth, VIEW] = view
            places[depth, TRIED] = -1
            chips[depth, PLAYED] = 0.0
            if not is_own:
                random[0] += GAMMA
                action = decide(current[node, view], unit_interval(mix64(random[0])))
                for other in range(N_ACTIONS):
                    sums[node, view, other] += current[node, view, other]
                go_down(depth, action, moves, orders, places, chips, False)
                depth += 1
                continue
        elif not is_own:
            depth -= 1  # the drawn action's value is this node's
            continue
        view = places[depth, VIEW]
        action = places[depth, TRIED]
        if action >= 0:
            chips[depth, PLAYED] += current[node, view, action] * result
            gains[node, view, action] += result
        action += 1
        if action == FOLD and moves[node, FOLD, NEXT] >= 0:  # costs what is paid; no need to see who wins
            chips[depth, PLAYED] -= current[node, view, FOLD] * chips[depth, PAID]
            gains[node, view, FOLD] -= chips[depth, PAID]
        while action < N_ACTIONS and (action == FOLD or moves[node, action, NEXT] < 0):
            action += 1
        if action < N_ACTIONS:
            places[depth, TRIED] = action
            go_down(depth, action, moves, orders, places, chips, True)
            depth += 1
            is_new = True
            continue
        result = chips[depth, PLAYED]
        for action in range(N_ACTIONS):
            if moves[node, action, NEXT] >= 0:
                gains[node, view, action] -= result
        is_new = False
        depth -= 1


@kernel
def sample_gains(entry_key, first, cards, current, moves, nodes, deck, gains, sums):
    """Add up sampled gains and strategies over deals ``first`` (uint64) on; every seat searches every deal.

    ``cards``: uint8 (deal, seat), strengths. ``current``: float64 (decision, view, action). Added to:
    ``gains``, ``sums`` of the same shape.
    """
    n_players = cards.shape[1]
    orders = np.empty((DEPTHS, n_players), np.int64)
    places = np.empty((DEPTHS, 4), np.int64)
    chips = np.empty((DEPTHS, 3), np.float64)
    random = np.empty(1, np.uint64)
    start = np.arange(n_players)
    ante = nodes[0, POT] / n_players
    for i in range(cards.shape[0]):
        random[0] = attempt_key(entry_key, first + np.uint64(i) + np.uint64(1))
        for seat in range(n_players):
            enter_root(0, start, ante, orders, places, chips)
            search_deal(seat, cards[i], current, moves, nodes, deck, orders, places, chips, random, gains, sums)


@lean
def is_active(seat, order, n_active):
    for i in range(n_active):
        if order[i] == seat:
            return True
    return False


@lean
def end_value(seat, cards, order, n_active, pot, paid, reach):
    """Value of an end, or of having folded, summed over the own card with its weights."""
    best = np.int64(-1)
    n_best = 0
    if not is_active(seat, order, n_active):
        best = np.int64(reach.size)  # no own card wins
    for i in range(n_active):
        if order[i] != seat:
            other = np.int64(cards[order[i]])
            if other > best:
                best = other
                n_best = 1
            elif other == best:
                n_best += 1
    total = 0.0
    for strength in range(reach.size):
        prize = 0.0
        if strength > best:
            prize = pot
        elif strength == best:
            prize = pot / (n_best + 1)
        total += reach[strength] * (prize - paid)
    return total


@lean
def split_reach(strategies, who, node, seat, cards, order, n_active, nodes, deck, reach, chosen):
    """Reach of the three children by own card when another seat acts; ``chosen`` (3, strength) is overwritten."""
    for strength in range(reach.size):
        for action in range(N_ACTIONS):
            chosen[action, strength] = 0.0
        if reach[strength] != 0.0:
            cards[seat] = np.uint8(strength)
            view = view_of(cards, order, n_active, node, nodes, deck)
            for action in range(N_ACTIONS):
                chosen[action, strength] = reach[strength] * strategies[who[order[0]], node, view, action]


@lean
def copy_row(row, out):
    for i in range(row.size):
        out[i] = row[i]


@lean
def is_zero(row):
    for i in range(row.size):
        if row[i] != 0.0:
            return False
    return True


@lean
def enter_decision(seat, cards, strategies, who, nodes, deck, order, place, chip, reach, chosen):
    """Prepare a node that is reached for the first time."""
    node, n_active = place[NODE], place[N_ACTIVE]
    place[TRIED] = -1
    chip[PLAYED] = 0.0
    if order[0] == seat:
        place[VIEW] = view_of(cards, order, n_active, node, nodes, deck)
        chip[BEST] = -np.inf
        for action in range(N_ACTIONS):
            copy_row(reach, chosen[action])
    else:
        chip[BEST] = 0.0
        split_reach(strategies, who, node, seat, cards, order, n_active, nodes, deck, reach, chosen)


@lean
def take_back(seat, strategies, who, order, place, chip, best, played):
    """Add the value of the action that was followed to the values of its node."""
    if order[0] == seat:
        chip[BEST] = max(chip[BEST], best)
        chip[PLAYED] += strategies[who[seat], place[NODE], place[VIEW], place[TRIED]] * played
    else:
        chip[BEST] += best
        chip[PLAYED] += played


@lean
def next_action(place, moves, chosen):
    """The next action that is allowed and that somebody takes; 3 if there is none."""
    action = place[TRIED] + 1
    while action < N_ACTIONS and (moves[place[NODE], action, NEXT] < 0 or is_zero(chosen[action])):
        action += 1
    return action


@lean
def search_replies(seat, cards, strategies, who, moves, nodes, deck, orders, places, chips, reach, chosen):
    """Values of the root on the stacks: those of the best reply and of the own strategy are left in ``chips[0]``.

    ``reach[depth]``: weight of each own card times the probability that the others come here with it.
    """
    depth = 0
    is_new = True
    best = 0.0
    played = 0.0
    while depth >= 0:
        node = places[depth, NODE]
        if node >= moves.shape[0] or not is_active(seat, orders[depth], places[depth, N_ACTIVE]):
            best = end_value(
                seat, cards, orders[depth], places[depth, N_ACTIVE], nodes[node, POT], chips[depth, PAID], reach[depth]
            )
            played = best
            if depth == 0:
                chips[0, BEST] = best
                chips[0, PLAYED] = best
            is_new = False
            depth -= 1
            continue
        if is_new:
            enter_decision(
                seat,
                cards,
                strategies,
                who,
                nodes,
                deck,
                orders[depth],
                places[depth],
                chips[depth],
                reach[depth],
                chosen[depth],
            )
        else:
            take_back(seat, strategies, who, orders[depth], places[depth], chips[depth], best, played)
        action = next_action(places[depth], moves, chosen[depth])
        if action == N_ACTIONS:
            best = chips[depth, BEST]
            played = chips[depth, PLAYED]
            is_new = False
            depth -= 1
            continue
        places[depth, TRIED] = action
        copy_row(chosen[depth, action], reach[depth + 1])
        go_down(depth, action, moves, orders, places, chips, orders[depth, 0] == seat)
        depth += 1
        is_new = True


@kernel
def reply_values(seat, node, order, paid, reach, cards, strategies, who, moves, nodes, deck, values):
    """Values to ``seat`` from a node on, (best reply, own strategy), when the others play ``strategies``.

    ``order``: int64, active seats in the order of their turns; ``paid``: chips that the seat has put in;
    ``cards``: uint8 (deal, seat), the own card free; ``reach``: float64 (deal, strength), weight of each own
    card. Overwritten: ``values``: float64 (deal, 2), summed over the own card with its weights.
    """
    orders = np.empty((DEPTHS, cards.shape[1]), np.int64)
    places = np.empty((DEPTHS, 4), np.int64)
    chips = np.empty((DEPTHS, 3), np.float64)
    reaches = np.empty((DEPTHS, reach.shape[1]), np.float64)
    chosen = np.empty((DEPTHS, N_ACTIONS, reach.shape[1]), np.float64)
    for i in range(cards.shape[0]):
        enter_root(node, order, paid, orders, places, chips)
        copy_row(reach[i], reaches[0])
        search_replies(seat, cards[i], strategies, who, moves, nodes, deck, orders, places, chips, reaches, chosen)
        values[i, 0] = chips[0, BEST]
        values[i, 1] = chips[0, PLAYED]
