"""Plain-Python cycles of Guts: every history of a table, round by round. Nothing here knows the library.

A round law is a dict from (what happens) to probability: "nobody", or the number of losers (0: the pot is taken).
"""

from collections import defaultdict


def settle(pot, reserve, happens, antes, cap=None, keeps_reserve=False, nobody="hold", every_round=False, limit=None):
    """Pot and reserve after a round, as the rules tell it."""
    if happens == "nobody":
        due = antes if nobody == "reante" or every_round else 0
        return put_in(pot, reserve, due, cap, keeps_reserve)
    match = pot if limit is None else min(pot, limit)
    next_pot, reserve = put_in(0, reserve, happens * match, cap, keeps_reserve)
    if happens == 0:
        next_pot = reserve if cap is None else min(reserve, cap)
        reserve -= next_pot
    if every_round and next_pot + reserve > 0:
        next_pot, reserve = put_in(next_pot, reserve, antes, cap, keeps_reserve)
    return next_pot, reserve


def put_in(pot, reserve, chips, cap, keeps_reserve):
    room = chips if cap is None else max(cap - pot, 0)
    excess = max(chips - room, 0)
    return pot + chips - excess, reserve + (excess if keeps_reserve else 0)


def play_out(law, n_rounds, antes, cap=None, keeps_reserve=False, least=1e-10, **rules):
    """Follow all histories for some rounds, leaving those alone that are less likely than ``least``.

    Returns P(ended after exactly r rounds) for r = 0 .. n_rounds and, over the cycles that ended, the laws
    of the peak pot and the peak reserve.
    """
    pot, reserve = put_in(0, 0, antes, cap, keeps_reserve)
    tables = {(pot, reserve, pot, reserve): 1.0}
    ended = [0.0]
    peak_pots, peak_reserves = defaultdict(float), defaultdict(float)
    for _ in range(n_rounds):
        after = defaultdict(float)
        ended.append(0.0)
        for (pot, reserve, peak_pot, peak_reserve), p in tables.items():
            for happens, q in law.items():
                next_pot, next_reserve = settle(pot, reserve, happens, antes, cap, keeps_reserve, **rules)
                if next_pot + next_reserve == 0:
                    ended[-1] += p * q
                    peak_pots[peak_pot] += p * q
                    peak_reserves[peak_reserve] += p * q
                else:
                    peaks = max(peak_pot, next_pot), max(peak_reserve, next_reserve)
                    after[next_pot, next_reserve, *peaks] += p * q
        tables = {state: p for state, p in after.items() if p > least}
    return ended, dict(peak_pots), dict(peak_reserves)


def ended_after(law, n_rounds, antes, cap=None, keeps_reserve=False, least=1e-12, **rules):
    """P(the cycle ends after exactly r rounds) for r = 0 .. n_rounds."""
    tables = {put_in(0, 0, antes, cap, keeps_reserve): 1.0}
    ended = [0.0]
    for _ in range(n_rounds):
        after = defaultdict(float)
        for table, p in tables.items():
            for happens, q in law.items():
                after[settle(*table, happens, antes, cap, keeps_reserve, **rules)] += p * q
        ended.append(after.pop((0, 0), 0.0))
        tables = {table: p for table, p in after.items() if p > least}
    return ended


def end_probability_with_hold(law, antes, cap):
    """P(a cycle with cap and reserve ever ends) if the pot stays when nobody is in.

    While there is a reserve the table gains (losers - 1) caps a round: a branching process in which each
    cap on the table has as many children as there are losers, and which dies out with probability phi.
    """
    taken, stays = law[0], law.get("nobody", 0.0)
    losers = {n: p for n, p in law.items() if n != "nobody" and n > 0}
    phi = 0.0
    for _ in range(100_000):
        phi = taken + stays * phi + sum(p * phi**n for n, p in losers.items())
    chance = dict.fromkeys(range(1, cap), 0.0)

    def ends_from(chips):
        caps, rest = divmod(chips, cap)
        return phi**caps * (chance[rest] if rest else 1.0)

    for _ in range(20_000):
        before = dict(chance)
        for chips in chance:
            chance[chips] = taken + stays * chance[chips] + sum(p * ends_from(n * chips) for n, p in losers.items())
        if max(abs(chance[c] - before[c]) for c in chance) < 1e-15:
            break
    return ends_from(antes)
