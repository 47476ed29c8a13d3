"""An independent reader of Anaconda logs: follows every line and refuses what the rules do not allow.

Knows nothing of the library but how cards are written; hands are compared by `naive_hands`.
"""

import re

import naive_hands

RANKS, SUITS = "23456789TJQKA", "cdhs"
MOST_BETS = 4  # a bet and three raises


def cards_in(text):
    return [4 * RANKS.index(card[0]) + SUITS.index(card[1]) for card in text.split()]


class LogReader:
    """Plays a log; every method reads lines of one kind and asserts that they are right."""

    def __init__(self, lines, passes=((3, 1),), n_reveals=4):
        self.lines = [line for line in lines if line]
        self.at = 0
        self.passes, self.n_reveals = passes, n_reveals
        self.hands, self.paid, self.folded, self.orders = {}, {}, set(), {}
        self.seen = set()  # actions met, for tests that want to be sure of having seen some

    def take(self, pattern):
        found = re.fullmatch(pattern, self.lines[self.at])
        assert found, (pattern, self.lines[self.at])
        self.at += 1
        return found.groups()

    def sees(self, pattern):
        return self.at < len(self.lines) and re.fullmatch(pattern, self.lines[self.at])

    @property
    def active(self):
        return [seat for seat in self.hands if seat not in self.folded]

    @property
    def pot(self):
        return sum(self.paid.values())

    def read(self):
        while not self.sees("Everybody antes.*"):
            self.at += 1
        (pot,) = self.take(r"Everybody antes 1: pot (\d+)\.")
        while self.sees("  seat . is dealt.*"):
            seat, cards = self.take(r"  seat (\d) is dealt (.*)")
            self.hands[int(seat)] = cards_in(cards)
            self.paid[int(seat)] = 1
        assert int(pot) == self.pot
        assert list(self.hands) == list(range(1, len(self.hands) + 1))
        everything = [card for hand in self.hands.values() for card in hand]
        assert len(set(everything)) == len(everything) == 7 * len(self.hands)
        self.betting_round(1, 1)
        for number, (n_cards, places) in enumerate(self.passes):
            if len(self.active) > 1:
                self.one_pass(n_cards, places)
                self.betting_round(number + 2, self.active[0])
        if len(self.active) > 1 and self.n_reveals:
            self.fix_orders()
        for n_shown in range(1, self.n_reveals + 1):
            if len(self.active) > 1:
                self.betting_round(1 + len(self.passes) + n_shown, self.reveal(n_shown))
        self.end()
        assert self.at == len(self.lines)
        return self

    def betting_round(self, number, opener):
        head = self.take(r"Betting round (\d+), pot (\d+), seat (\d) opens\.")
        assert tuple(map(int, head)) == (number, self.pot, opener)
        in_round = dict.fromkeys(self.active, 0)
        waiting = [*range(opener, len(self.hands) + 1), *range(1, opener)]
        waiting = [seat for seat in waiting if seat not in self.folded]
        level = 0
        while waiting and len(self.active) > 1:
            seat = waiting.pop(0)
            assert int(self.lines[self.at].split()[1]) == seat
            owed = level - in_round[seat]
            if self.sees(r"  seat \d (check|fold)s"):
                _, word = self.take(r"  seat (\d) (check|fold)s")
                assert (word == "check") == (owed == 0)
                if word == "fold":
                    self.folded.add(seat)
            else:
                _, word, paid, pot = self.take(r"  seat (\d) (call|bet|raise)s, pays (\d+): pot (\d+)")
                assert (word == "bet") == (level == 0)
                if word != "call":
                    level += 1
                    assert level <= MOST_BETS
                    after = [s % len(self.hands) + 1 for s in range(seat, seat + len(self.hands) - 1)]
                    waiting = [s for s in after if s in self.active]
                assert int(paid) == owed + (word != "call") == level - in_round[seat] > 0
                in_round[seat] = level
                self.paid[seat] += int(paid)
                assert int(pot) == self.pot
            self.seen.add((word, seat))
        if len(self.active) > 1:
            assert {in_round[seat] for seat in self.active} == {level}
        assert max(self.paid.values()) <= 1 + 4 * number

    def one_pass(self, n_cards, places):
        side = "left" if places > 0 else "right"
        self.take(rf"{n_cards} cards? to the {side}\.")
        active, moved = self.active, {}
        for seat in active:
            giver, cards, taker = self.take(r"  seat (\d) passes (.*) to seat (\d)")
            batch = cards_in(cards)
            assert int(giver) == seat
            assert int(taker) == active[(active.index(seat) + places) % len(active)]
            assert len(set(batch)) == len(batch) == n_cards
            assert set(batch) <= set(self.hands[seat])  # so nothing that is only being received
            moved[int(taker)] = batch
            self.hands[seat] = [card for card in self.hands[seat] if card not in batch]
        for seat in active:
            self.hands[seat] += moved[seat]
        assert all(len(self.hands[seat]) == 7 for seat in active)
        assert len({card for hand in self.hands.values() for card in hand}) == 7 * len(self.hands)

    def fix_orders(self):
        self.take(r"Two cards are discarded, the order of the others is fixed\.")
        for seat in self.active:
            who, discarded, kept = self.take(r"  seat (\d) discards (.*), keeps (.*)")
            assert int(who) == seat
            self.orders[seat] = cards_in(kept)
            assert len(self.orders[seat]) == 5
            assert sorted(self.orders[seat] + cards_in(discarded)) == sorted(self.hands[seat])
            assert naive_hands.high5(self.orders[seat]) == naive_hands.high5(self.hands[seat])  # the best five

    def reveal(self, n_shown):
        self.take(rf"Card {n_shown} is revealed\.")
        for seat in self.active:
            who, shown = self.take(r"  seat (\d) shows (.*)")
            assert int(who) == seat
            assert cards_in(shown) == self.orders[seat][:n_shown]
        strength = {seat: naive_hands.exposed(self.orders[seat][:n_shown]) for seat in self.active}
        return min(seat for seat in self.active if strength[seat] == max(strength.values()))

    def end(self):
        active = self.active
        winners = active
        if len(active) > 1:
            assert int(*self.take(r"Showdown, pot (\d+)\.")) == self.pot
            final = {}
            for seat in active:
                who, cards, _ = self.take(r"  seat (\d) has ([^:]*): (.*)")
                assert int(who) == seat
                assert cards_in(cards) == self.orders.get(seat, self.hands[seat])
                final[seat] = naive_hands.high5(cards_in(cards))
            winners = [seat for seat in active if final[seat] == max(final.values())]
        self.showdown = len(active) > 1
        taken = dict.fromkeys(self.hands, 0)
        for place, seat in enumerate(winners):
            taken[seat] = self.pot // len(winners) + (place < self.pot % len(winners))
            who, chips = self.take(r"  seat (\d) takes (\d+)")
            assert (int(who), int(chips)) == (seat, taken[seat])
        self.net = {seat: taken[seat] - self.paid[seat] for seat in self.hands}
        assert sum(self.net.values()) == 0
        self.take("Net: " + re.escape(", ".join(f"seat {s} {chips:+d}" for s, chips in self.net.items())) + r"\.")
