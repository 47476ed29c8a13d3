"""Slow plain-Python twins of the random words, the deals and the Guts rounds. Nothing here uses the kernels."""

from fractions import Fraction

MASK = 2**64 - 1
GAMMA = 0x9E3779B97F4A7C15


def mix64(z):
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
    return z ^ (z >> 31)


def word(key, counter):
    return mix64((key + (counter + 1) * GAMMA) & MASK)


def attempt_key(key, attempt):
    return key if attempt == 0 else mix64(key ^ mix64(attempt * GAMMA & MASK))


def digits(key, number, n_cards, n_left):
    """Digits of a deal and the attempt that was accepted."""
    attempt = 0
    while True:
        this_key = attempt_key(key, attempt)
        drawn = []
        for i in range(n_cards):
            piece = word(this_key, (number // 4 * n_cards + i) & MASK) >> (16 * (number % 4)) & 0xFFFF
            digit, low = divmod(piece * (n_left - i), 65536)
            if low < 65536 % (n_left - i):
                break
            drawn.append(digit)
        else:
            return drawn, attempt
        attempt += 1


def deal(key, number, n_cards, known=()):
    """Draw from a real list of the cards that are left."""
    left = [card for card in range(52) if card not in known]
    return [left.pop(digit) for digit in digits(key, number, n_cards, len(left))[0]]


def hand_strength(cards):
    """Comparable strength of two or three cards; straights beat flushes."""
    ranks = sorted((card // 4 for card in cards), reverse=True)
    ordered = sorted(ranks, key=lambda rank: (ranks.count(rank), rank), reverse=True)
    most = ranks.count(ordered[0])
    if len(cards) == 2:
        return (most, ordered)
    wheel = ranks == [12, 1, 0]
    straight = wheel or ranks == [ranks[0], ranks[0] - 1, ranks[0] - 2]
    flush = len({card % 4 for card in cards}) == 1
    if wheel:
        ordered = [1, 0, -1]
    if straight and flush:
        category = 5
    elif most == 3:
        category = 4
    elif straight:
        category = 3
    elif flush:
        category = 2
    else:
        category = most - 1
    return (category, ordered)


def enters(entry_key, number, player, n_players, threshold):
    half = word(entry_key, number // 2 * n_players + player) >> (32 * (number % 2)) & 0xFFFFFFFF
    return half >> 1 < threshold


def settle(pot, reserve, hands, *, ante, cap=None, keeps_reserve=False, reante=False, ante_every_round=False):
    """Net of every seat, next pot and next reserve, in exact fractions. ``hands``: None for out."""
    net = [Fraction(0)] * len(hands)
    players_in = [seat for seat, hand in enumerate(hands) if hand is not None]

    def put_in(seats, amount, table):
        pot_now, reserve_now = table
        total = amount * len(seats)
        excess = Fraction(0) if cap is None else max(Fraction(0), min(total, pot_now + total - cap))
        if not keeps_reserve:
            total, excess = total - excess, Fraction(0)
        for seat in seats:
            net[seat] -= Fraction(total) / len(seats)
        return pot_now + total - excess, reserve_now + excess

    if not players_in:
        table = (Fraction(pot), Fraction(reserve))
        if reante or ante_every_round:
            table = put_in(range(len(hands)), ante, table)
        return net, *table
    best = max(hands[seat] for seat in players_in)
    winners = [seat for seat in players_in if hands[seat] == best]
    losers = [seat for seat in players_in if hands[seat] != best]
    for seat in winners:
        net[seat] += Fraction(pot, len(winners))
    table = (Fraction(0), Fraction(reserve))
    if losers:
        table = put_in(losers, pot, table)
    else:
        moved = table[1] if cap is None else min(table[1], Fraction(cap))
        table = (moved, table[1] - moved)
    if ante_every_round and sum(table) > 0:
        table = put_in(range(len(hands)), ante, table)
    return net, *table
