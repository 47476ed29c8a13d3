"""Who pays what in one round of Guts: exact integers, in any sub-unit of a chip, under every rule.

The order is the table's: all pots are paid out, then the matches are collected into the next pots, then
emptied pots are refilled from their reserves, then antes that are due between rounds are put in.

Rules are an int64 array; see `rule_codes`. Helpers take them as a tuple (`terms_of`), which stays in registers,
where an array would be read again after every payment. Arrays are handed on whole, with an index, since a row taken
out of one has its references counted, which costs more than the arithmetic. Scores are int64, one per player:
above 0 the player is in, the larger the stronger; below 0 out with a hand that the rules may show (-5 is a stronger
hand than -3); 0 out with a hand that nobody sees, or not in the session. Ghost scores are on the same scale,
above 0.

``active`` (int64, 0 or 1) says who is still in the session and ``stacks`` (int64) what each player has; both are
updated in place, and on credit neither is read. ``members`` is working memory, one entry per player.
"""

import numpy as np

from guts_sim.kernels._jit import kernel, lean
from guts_sim.kernels.rule_codes import (
    CREDIT,
    ELIMINATE,
    GHOST_LONE,
    NO_GHOST,
    REANTE,
    RULE_ANTE,
    RULE_ANTE_EVERY_ROUND,
    RULE_CAP,
    RULE_GHOST,
    RULE_GHOST_WINS_TIES,
    RULE_MATCH_LIMIT,
    RULE_NOBODY_IN,
    RULE_PAYS_LOWEST,
    RULE_RESERVE,
    RULE_STAKES,
    TABLE,
    WEENIE,
)

# Largest pot, reserve, stack or balance that may enter a round: twelve times it, more than one pot can
# come to in a round of ten players, still fits into int64.
MAX_CHIPS = 1 << 58

SETTLED, TOO_LARGE = range(2)
MATCHES, ANTES, OPENING = range(3)  # when players pay
N_RECORDS = 4
RECORD_BEST, RECORD_TAKEN, RECORD_OWED, RECORD_DUE = range(N_RECORDS)


@lean
def terms_of(rules):
    """The rules as a tuple."""
    return (
        rules[0], rules[1], rules[2], rules[3], rules[4], rules[5], rules[6], rules[7], rules[8], rules[9],
    )  # fmt: skip


@lean
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


@lean
def limit_of(player, owed, terms, stacks):
    """Most that the player can pay of what is owed."""
    return owed if terms[RULE_STAKES] == CREDIT else min(owed, stacks[player])


@lean
def common_level(owed, payers, total, terms, stacks):
    """Largest level that adds up to at most ``total`` if every payer pays it, or all he has where that is less.

    Returns (level, what is left over). ``total`` is less than the payers could pay.
    """
    level = np.int64(-1)
    raised = np.int64(0)
    left = total
    n_open = 1
    while raised > level:
        level = raised
        left = total
        n_open = 0
        for player in range(payers.size):
            if payers[player]:
                limit = limit_of(player, owed, terms, stacks)
                if limit > level:
                    n_open += 1
                else:
                    left -= limit
        raised = left // n_open
    return level, left - level * n_open


@lean
def charge(owed, level, rest, payers, dealer, terms, active, stacks, paid):
    """Every payer pays ``level``, or all he has where that is less; the ``rest`` falls to the first who can pay it,
    from the dealer's left, none of them paying more than ``owed``.

    Who cannot pay the level is out of the session where the rules say so.
    """
    player = dealer
    for _ in range(payers.size):
        player = player + 1 if player + 1 < payers.size else 0
        if payers[player]:
            limit = limit_of(player, owed, terms, stacks)
            if limit < level and terms[RULE_STAKES] == ELIMINATE:
                active[player] = 0
            amount = min(limit, level)
            extra = min(rest, limit - amount)
            rest -= extra
            paid[player] += amount + extra
            if terms[RULE_STAKES] != CREDIT:
                stacks[player] -= amount + extra


@lean
def collect(owed, n_payers, payers, pot, reserve, dealer, terms, active, stacks, paid):
    """Each of ``n_payers`` puts ``owed``, or all he has where that is less, into the pot; returns (pot, reserve,
    collected).

    What would lift the pot above the cap goes to the reserve; without a reserve the payments shrink equally.
    """
    total = owed * n_payers
    if terms[RULE_STAKES] != CREDIT:
        total = np.int64(0)
        for player in range(payers.size):
            if payers[player]:
                total += limit_of(player, owed, terms, stacks)
    accepted = total
    if terms[RULE_CAP] > 0:
        accepted = min(total, max(terms[RULE_CAP] - pot, 0))
    level, rest = owed, np.int64(0)
    if accepted < total and not terms[RULE_RESERVE]:
        level, rest = common_level(owed, payers, accepted, terms, stacks)
        total = accepted
    elif terms[RULE_STAKES] == CREDIT:
        for player in range(payers.size):
            paid[player] += owed * payers[player]
        return pot + accepted, reserve + total - accepted, total
    charge(owed, level, rest, payers, dealer, terms, active, stacks, paid)
    return pot + accepted, reserve + total - accepted, total


@lean
def find_best(scores, i):
    """Best score for pot ``i`` among those who are in (0 if nobody is), its first seat, and how many are in."""
    best, seat, n_in = np.int64(0), 0, 0
    for player in range(scores.shape[1]):
        n_in += scores[i, player] > 0
        if scores[i, player] > best:
            best, seat = scores[i, player], player
    return best, seat, n_in


@lean
def ghost_beats(best, n_in, ghost, terms):
    """Whether a ghost plays against the players who are in, and wins."""
    if terms[RULE_GHOST] == NO_GHOST or (terms[RULE_GHOST] == GHOST_LONE and n_in > 1):
        return False
    return ghost > best or (ghost == best and terms[RULE_GHOST_WINS_TIES] != 0)


@lean
def pay_out(pot, scores, i, best, seat, n_in, dealer, members, won):
    """Give the pot to the best hands that are in."""
    if n_in == 1:
        won[seat] += pot
        return
    for player in range(members.size):
        members[player] = np.int64(scores[i, player] == best)
    share_out(pot, members, dealer, won)


@lean
def mark_losers(scores, i, best, taken, terms, members):
    """Mark those who owe a match after a showdown; returns how many there are."""
    last = best - 1 if taken else best  # the strongest score that loses
    if terms[RULE_PAYS_LOWEST]:
        for player in range(members.size):
            if scores[i, player] > 0:
                last = min(last, scores[i, player])
    n_marked = 0
    for player in range(members.size):
        members[player] = np.int64(0 < scores[i, player] <= last)
        n_marked += members[player]
    return n_marked


@lean
def mark_strongest_out(scores, i, members):
    """Mark the best of the hands that are out and seen; returns how many there are."""
    strongest = np.int64(-1)
    for player in range(members.size):
        strongest = min(strongest, scores[i, player])
    n_marked = 0
    for player in range(members.size):
        members[player] = np.int64(scores[i, player] == strongest)
        n_marked += members[player]
    return n_marked


@lean
def mark_matching(scores, i, best, taken, terms, members):
    """Mark those who owe a match for pot ``i``; returns how many there are."""
    if best > 0:
        return mark_losers(scores, i, best, taken, terms, members)
    if terms[RULE_NOBODY_IN] == WEENIE:
        return mark_strongest_out(scores, i, members)
    return 0


@lean
def mark_antes(terms, active, members):
    """Mark everybody who is still in the session; returns how many there are."""
    n_marked = 0
    for player in range(members.size):
        members[player] = 1 if terms[RULE_STAKES] == CREDIT else active[player]
        n_marked += members[player]
    return n_marked


@lean
def match_owed(pot, terms):
    return pot if terms[RULE_MATCH_LIMIT] == 0 else min(pot, terms[RULE_MATCH_LIMIT])


@lean
def refill(pot, reserve, cap):
    """Move chips from the reserve into an emptied pot: up to the cap, or all where there is none."""
    moved = reserve if cap == 0 else min(reserve, cap)
    return pot + moved, reserve - moved


@lean
def ante_is_due(pot, reserve, best, terms):
    """Whether antes are put in between this round and the next of the same cycle."""
    if best == 0 and terms[RULE_NOBODY_IN] == REANTE:
        return True
    return terms[RULE_ANTE_EVERY_ROUND] != 0 and pot + reserve > 0


@lean
def mark_due_antes(stage, pots, reserves, open_pots, records, terms):
    """Mark in ``records`` the pots for which an ante is due; returns how many there are."""
    n_due = 0
    for i in range(pots.size):
        is_empty = pots[i] + reserves[i] == 0
        if stage == ANTES:
            due = not is_empty and ante_is_due(pots[i], reserves[i], records[i, RECORD_BEST], terms)
        else:
            due = is_empty and (open_pots >> i) & 1 != 0
        records[i, RECORD_DUE] = due
        n_due += due
    return n_due


@lean
def drop_who_cannot_ante(n_due, opening, terms, active, stacks):
    """Take players out who cannot pay all antes that are due (where the rules eliminate), or have nothing left
    when a cycle begins (table stakes); they keep their chips."""
    least = np.int64(0)
    if terms[RULE_STAKES] == ELIMINATE:
        least = n_due * terms[RULE_ANTE]
    elif terms[RULE_STAKES] == TABLE and opening:
        least = np.int64(1)
    if least > 0 and n_due > 0:
        for player in range(active.size):
            if stacks[player] < least:
                active[player] = 0


@lean
def settle_pots(
    pots, reserves, scores, ghosts, dealer, terms, first_stage, open_pots, records, members, active, stacks, won, paid
):
    """Body of `settle_round`, without its check; ``terms``: see `terms_of`.

    ``first_stage``: MATCHES to settle a round, OPENING to put in the antes of new cycles alone. ``open_pots``: bit
    ``i`` is set if pot ``i`` may begin a new cycle. ``records``: int64 (pot, 4) and ``members``: int64 (player) are
    working memory.
    """
    n_pots, n_players = scores.shape
    for player in range(n_players):
        won[player] = 0
        paid[player] = 0
    for i in range(n_pots if first_stage == MATCHES else 0):
        best, seat, n_in = find_best(scores, i)
        taken = n_in > 0 and not ghost_beats(best, n_in, ghosts[i], terms)
        records[i, RECORD_BEST] = best
        records[i, RECORD_TAKEN] = taken
        records[i, RECORD_OWED] = match_owed(pots[i], terms)
        if taken:
            pay_out(pots[i], scores, i, best, seat, n_in, dealer, members, won)
            pots[i] = 0
    if terms[RULE_STAKES] != CREDIT:
        for player in range(n_players):
            stacks[player] += won[player]
    for stage in range(first_stage, OPENING + (open_pots != 0)):
        if stage != MATCHES:
            n_due = mark_due_antes(stage, pots, reserves, open_pots, records, terms)
            drop_who_cannot_ante(n_due, stage == OPENING, terms, active, stacks)
        for i in range(n_pots):
            taken = records[i, RECORD_TAKEN] != 0
            n_owing = 0
            if stage == MATCHES:
                owed = records[i, RECORD_OWED]
                n_owing = mark_matching(scores, i, records[i, RECORD_BEST], taken, terms, members)
            elif records[i, RECORD_DUE]:
                owed = terms[RULE_ANTE]
                n_owing = mark_antes(terms, active, members)
            collected = np.int64(0)
            if n_owing > 0:  # the one place where chips are collected: every other would be compiled again
                pots[i], reserves[i], collected = collect(
                    owed, n_owing, members, pots[i], reserves[i], dealer, terms, active, stacks, paid
                )
            if stage == MATCHES and taken and collected == 0:
                pots[i], reserves[i] = refill(pots[i], reserves[i], terms[RULE_CAP])


@lean
def any_too_large(amounts):
    for amount in amounts:
        if amount > MAX_CHIPS:
            return True
    return False


@kernel
def settle_round(pots, reserves, scores, ghosts, dealer, rules, open_cycles, active, stacks, won, paid):
    """Settle one round; returns a status.

    ``scores``: int64 (pot, player). ``ghosts``: int64 (pot), read if the rules have a ghost. ``dealer``: seat
    of the dealer. ``open_cycles``: whether the antes of new cycles are put in as well; an empty table on which
    nobody is in is thereby opened. Updated in place: ``pots``, ``reserves``: int64 (pot); ``active``, ``stacks``:
    int64 (player). Overwritten: ``won`` and ``paid``, int64 (player), what each seat took and put in; balances change
    by ``won - paid``. The cycle of a pot is over when it and its reserve are both 0. The status is TOO_LARGE,
    and nothing is settled, if an amount exceeds MAX_CHIPS.
    """
    if any_too_large(pots) or any_too_large(reserves):
        return TOO_LARGE
    if rules[RULE_STAKES] != CREDIT and any_too_large(stacks):
        return TOO_LARGE
    members = np.empty(active.size, np.int64)
    records = np.empty((pots.size, N_RECORDS), np.int64)
    terms = terms_of(rules)
    open_pots = np.int64(-1) if open_cycles else np.int64(0)
    settle_pots(
        pots, reserves, scores, ghosts, dealer, terms, MATCHES, open_pots, records, members, active, stacks, won, paid
    )
    return SETTLED
