"""Slow plain-Python settlement of one round of Guts under every rule. Nothing here uses the package.

Amounts are whole units: every division that leaves a rest gives it to the first player concerned left of the
dealer, unit by unit where one player could not bear it alone.
"""

BASE = {
    "nobody_in": "hold",
    "ante": 1,
    "ante_every_round": False,
    "pays": "all",
    "match_limit": None,
    "cap": None,
    "reserve": False,
    "stakes": "credit",
    "ghost": "none",
    "ghost_tie": "player",
}


class Table:
    def __init__(self, n_players, dealer, stacks, active):
        self.seats = [(dealer + step) % n_players for step in range(1, n_players + 1)]  # from the dealer's left
        self.stacks = stacks and dict(enumerate(stacks))
        self.active = set(active)
        self.won = dict.fromkeys(range(n_players), 0)
        self.paid = dict.fromkeys(range(n_players), 0)

    def has(self, seat):
        return float("inf") if self.stacks is None else self.stacks[seat]

    def give(self, seat, amount):
        self.won[seat] += amount
        if self.stacks is not None:
            self.stacks[seat] += amount

    def take(self, seat, amount):
        self.paid[seat] += amount
        if self.stacks is not None:
            self.stacks[seat] -= amount

    def clockwise(self, seats):
        return [seat for seat in self.seats if seat in seats]


def is_in(pot):
    return {seat for seat, score in enumerate(pot["scores"]) if score > 0}


def pay_out(rules, pot, table):
    """Winners of a pot; the pot goes to them at once."""
    pot["before"] = pot["pot"]
    pot["winners"] = set()
    seats = is_in(pot)
    if not seats:
        return
    best = max(pot["scores"][seat] for seat in seats)
    meets_ghost = rules["ghost"] == "all" or (rules["ghost"] == "lone" and len(seats) == 1)
    if meets_ghost and pot["ghost"] > best:
        return
    if meets_ghost and pot["ghost"] == best and rules["ghost_tie"] == "ghost":
        return
    pot["winners"] = {seat for seat in seats if pot["scores"][seat] == best}
    each, rest = divmod(pot["pot"], len(pot["winners"]))
    for place, seat in enumerate(table.clockwise(pot["winners"])):
        table.give(seat, each + (rest if place == 0 else 0))
    pot["pot"] = 0


def who_matches(rules, pot):
    if not is_in(pot):
        seen = {seat for seat, score in enumerate(pot["scores"]) if score < 0}
        if rules["nobody_in"] != "weenie" or not seen:
            return set()
        strongest = min(pot["scores"][seat] for seat in seen)
        return {seat for seat in seen if pot["scores"][seat] == strongest}
    losers = is_in(pot) - pot["winners"]
    if rules["pays"] == "all" or not losers:
        return losers
    lowest = min(pot["scores"][seat] for seat in losers)
    return {seat for seat in losers if pot["scores"][seat] == lowest}


def put_in(rules, pot, table, owed, payers):
    """Collect; returns what was collected."""
    most = {seat: min(owed, table.has(seat)) for seat in table.clockwise(payers)}
    total = sum(most.values())
    room = total if rules["cap"] is None else max(0, min(total, rules["cap"] - pot["pot"]))
    level = owed
    if not rules["reserve"] and room < total:
        level = 0
        while sum(min(level + 1, limit) for limit in most.values()) <= room:
            level += 1
        amounts = {seat: min(level, limit) for seat, limit in most.items()}
        for seat in amounts:
            amounts[seat] += min(room - sum(amounts.values()), most[seat] - amounts[seat])
        total = room
    else:
        amounts = most
    for seat, amount in amounts.items():
        if rules["stakes"] == "eliminate" and table.has(seat) < level:
            table.active.discard(seat)
        table.take(seat, amount)
    pot["pot"] += room
    pot["reserve"] += total - room
    return total


def antes(rules, pots, table, *, new_cycle):
    if rules["stakes"] == "eliminate":
        needed = rules["ante"] * len(pots)
        table.active = {seat for seat in table.active if not pots or table.has(seat) >= needed}
    if rules["stakes"] == "table" and new_cycle and pots:
        table.active = {seat for seat in table.active if table.has(seat) > 0}
    for pot in pots:
        put_in(rules, pot, table, rules["ante"], table.active)


def settle(rules, pots, *, dealer=0, stacks=None, active=None, open_cycles=False):
    """Settle a round; ``pots``: dicts with pot, reserve, scores and ghost, which are changed.

    Scores: above 0 in, below 0 out with a hand that may be seen (the lower the stronger), 0 out. Returns the table.
    """
    rules = {**BASE, **rules}
    n_players = len(pots[0]["scores"])
    stacks = None if rules["stakes"] == "credit" else stacks
    table = Table(n_players, dealer, stacks, range(n_players) if active is None else active)
    for pot in pots:
        pay_out(rules, pot, table)
    for pot in pots:
        owed = pot["before"] if rules["match_limit"] is None else min(pot["before"], rules["match_limit"])
        collected = put_in(rules, pot, table, owed, who_matches(rules, pot))
        if pot["winners"] and collected == 0:
            moved = pot["reserve"] if rules["cap"] is None else min(pot["reserve"], rules["cap"])
            pot["pot"] += moved
            pot["reserve"] -= moved
    due = [
        pot
        for pot in pots
        if (rules["nobody_in"] == "reante" and not is_in(pot))
        or (rules["ante_every_round"] and pot["pot"] + pot["reserve"] > 0)
    ]
    antes(rules, due, table, new_cycle=False)
    if open_cycles:
        antes(rules, [pot for pot in pots if pot["pot"] + pot["reserve"] == 0], table, new_cycle=True)
    return table
