"""Who pays what in one round of Guts: exact integers, in any sub-unit of a chip.

The order is the table's: the active pot is paid out, then the losers' matches are collected into the next
pot, then an empty pot is refilled from the reserve, then antes that are due between rounds are paid. While
nobody is in the pot lies as it is; it is not refilled.

``rules`` is an int64 array indexed by the ``RULE_`` constants: ante and cap in the unit of the pot (cap 0:
none) and three switches, 0 or 1.
"""

import numpy as np

from guts_sim.kernels._jit import helper, kernel

N_RULES = 5
RULE_ANTE, RULE_CAP, RULE_RESERVE, RULE_REANTE, RULE_ANTE_EVERY_ROUND = range(N_RULES)

# Largest pot, reserve or balance that may enter a round: ten times it, the most that a round
# of ten players can move, still fits into int64.
MAX_CHIPS = 1 << 58

SETTLED, TOO_LARGE = range(2)


@helper
def share_out(total, members, dealer, amounts):
    """Add ``total`` to ``amounts`` in equal parts; what cannot be divided goes to the first member
    left of the dealer."""
    n_players = members.size
    n_members = 0
    for player in range(n_players):
        n_members += members[player]
    each = total // n_members
    rest = total - each * n_members
    player = dealer
    for _ in range(n_players):
        player = player + 1 if player + 1 < n_players else 0
        if members[player]:
            amounts[player] += each + rest
            rest = 0


@helper
def collect(each, payers, pot, reserve, dealer, rules, paid):
    """Every payer puts ``each`` into the pot; returns the new (pot, reserve).

    What would lift the pot above the cap goes to the reserve; without a reserve the payments shrink equally.
    """
    total = np.int64(0)
    for player in range(payers.size):
        total += each * payers[player]
    if total == 0:
        return pot, reserve
    accepted = total
    if rules[RULE_CAP] > 0:
        accepted = min(total, max(rules[RULE_CAP] - pot, 0))
    collected = total if rules[RULE_RESERVE] else accepted
    share_out(collected, payers, dealer, paid)
    return pot + accepted, reserve + collected - accepted


@helper
def refill(pot, reserve, cap):
    """Move chips from the reserve into the pot: up to the cap, or all where there is none."""
    moved = reserve if cap == 0 else min(reserve, max(cap - pot, 0))
    return pot + moved, reserve - moved


@helper
def post_antes(pot, reserve, dealer, rules, everyone, paid):
    """Every player antes; returns the new (pot, reserve)."""
    for player in range(everyone.size):
        everyone[player] = 1
    return collect(rules[RULE_ANTE], everyone, pot, reserve, dealer, rules, paid)


@helper
def settle_seats(pot, reserve, scores, dealer, rules, members, won, paid):
    """Body of `settle_round`; ``members`` is int64 working memory, one entry per player."""
    n_players = scores.size
    best = 0
    for player in range(n_players):
        best = max(best, scores[player])
        won[player] = 0
        paid[player] = 0
    if best == 0:
        if rules[RULE_REANTE] or rules[RULE_ANTE_EVERY_ROUND]:
            pot, reserve = post_antes(pot, reserve, dealer, rules, members, paid)
        return pot, reserve
    for player in range(n_players):
        members[player] = np.int64(scores[player] == best)
    share_out(pot, members, dealer, won)
    n_losers = 0
    for player in range(n_players):
        members[player] = np.int64(0 < scores[player] < best)
        n_losers += members[player]
    match = pot
    pot, reserve = collect(match, members, np.int64(0), reserve, dealer, rules, paid)
    if n_losers == 0:
        pot, reserve = refill(pot, reserve, rules[RULE_CAP])
    if rules[RULE_ANTE_EVERY_ROUND] and pot + reserve > 0:
        pot, reserve = post_antes(pot, reserve, dealer, rules, members, paid)
    return pot, reserve


@kernel
def settle_round(pot, reserve, scores, dealer, rules, won, paid):
    """Settle one round; returns (next pot, next reserve, status).

    ``scores``: int64 (player), 0 for out, else the larger the stronger. ``dealer``: seat of the dealer.
    Overwritten: ``won`` and ``paid``, int64 (player), what each seat took and put in; balances change by
    ``won - paid``. A cycle is over when the next pot and reserve are both 0; the antes of a new cycle are
    not part of the round. The status is TOO_LARGE, and nothing is settled, if pot or reserve exceed
    MAX_CHIPS.
    """
    if pot > MAX_CHIPS or reserve > MAX_CHIPS:
        return pot, reserve, TOO_LARGE
    members = np.empty(scores.size, np.int64)
    next_pot, next_reserve = settle_seats(pot, reserve, scores, dealer, rules, members, won, paid)
    return next_pot, next_reserve, SETTLED
