"""Hands and sessions of Indian poker under any strategies.

In hand ``h`` of session ``s`` of ``n`` players, which has number ``s * n + h``, player ``h`` deals, so seat ``k``
is player ``(h + 1 + k) % n``. Decision ``i`` of a hand reads word ``128 * hand + i`` of the key of the decisions.
"""

import numpy as np

from guts_sim.kernels._jit import kernel, lean
from guts_sim.kernels.one_card import (
    NEXT,
    POT,
    PRICE,
    advance,
    decide,
    share_pot,
    unit_interval,
    view_of,
)
from guts_sim.kernels.rand import word
from guts_sim.kernels.units import SUBUNITS

DECISIONS_PER_HAND = 128
NET, SQUARE, STANDING = 0, 1, 2


@lean
def play_hand(hand, entry_key, dealer, cards, strategies, who, moves, nodes, deck, order, shares, net):
    """Play one hand; overwrite ``net`` by seat in 1/2520 chip."""
    n_players = cards.size
    for seat in range(n_players):
        order[seat] = seat
        net[seat] = -np.int64(nodes[0, POT]) // n_players * SUBUNITS
    n_active = n_players
    node = 0
    n_decided = 0
    while node < moves.shape[0]:
        seat = order[0]
        player = (dealer + 1 + seat) % n_players
        view = view_of(cards, order, n_active, node, nodes, deck)
        random = word(entry_key, hand * np.uint64(DECISIONS_PER_HAND) + np.uint64(n_decided))
        action = decide(strategies[who[player], node, view], unit_interval(random))
        net[seat] -= np.int64(moves[node, action, PRICE]) * SUBUNITS
        n_active = advance(order, n_active, action, order)
        node = moves[node, action, NEXT]
        n_decided += 1
    share_pot(cards, order, n_active, nodes[node, POT], shares)
    for seat in range(n_players):
        net[seat] += shares[seat]


@kernel
def play_sessions(entry_key, first, cards, strategies, who, moves, nodes, deck, players, positions):
    """Play whole rotations of the dealer, sessions ``first`` (uint64), ``first + 1``, ... of a run.

    ``cards``: uint8 (session, dealer, seat), strengths of the cards dealt.
    ``strategies``: float64 (strategy, decision, view, action); ``who``: int64, strategy of each player.
    Added to, int64 in 1/2520 chip: ``players`` (player, 3), sums over sessions of the net, of its square, and
    of the parts of first places; ``positions`` (player, seat, 2), sums over hands of the net and of its square.
    """
    n_players = who.size
    order = np.empty(n_players, np.int64)
    shares = np.empty(n_players, np.int64)
    net = np.empty(n_players, np.int64)
    total = np.empty(n_players, np.int64)
    for session in range(cards.shape[0]):
        for player in range(n_players):
            total[player] = 0
        for dealer in range(n_players):
            hand = (first + np.uint64(session)) * np.uint64(n_players) + np.uint64(dealer)
            play_hand(
                hand, entry_key, dealer, cards[session, dealer], strategies, who, moves, nodes, deck, order, shares, net
            )
            for seat in range(n_players):
                player = (dealer + 1 + seat) % n_players
                total[player] += net[seat]
                positions[player, seat, NET] += net[seat]
                positions[player, seat, SQUARE] += net[seat] * net[seat]
        best = total[0]
        for player in range(1, n_players):
            best = max(best, total[player])
        n_best = np.int64(0)
        for player in range(n_players):
            n_best += np.int64(total[player] == best)
        for player in range(n_players):
            players[player, NET] += total[player]
            players[player, SQUARE] += total[player] * total[player]
            if total[player] == best:
                players[player, STANDING] += SUBUNITS // n_best
