"""Sessions played slowly, round by round, with the plain settlement and the referee's reading of hands."""

import naive_rounds
import naive_settlement as money

from guts_sim.hands import get_ranking, hand_class
from guts_sim.settlement import show_hand

UNIT = 2520


class Session:
    """One session; amounts are whole units of 1/2520 chip."""

    def __init__(self, rules, plans, number, *, cycles, loss_limits, pass_policy):
        n_players = len(plans)
        self.rules, self.plans, self.number, self.pass_policy = rules, plans, number, pass_policy
        self.switches = {name: getattr(rules, name) for name in money.BASE}
        for name in ("ante", "cap", "match_limit"):
            if self.switches[name] is not None:
                self.switches[name] *= UNIT
        if self.switches["stakes"] == "credit" and any(loss_limits):
            self.switches["stakes"] = "table"
        endless = 10**17
        self.stacks = [endless if rules.bankroll is None else rules.bankroll * UNIT] * n_players
        self.limits = [limit * UNIT for limit in loss_limits]
        self.pots = [{"pot": 0, "reserve": 0, "left": cycles} for _ in range(rules.n_pots)]
        self.nets = [0] * n_players
        self.active = set(range(n_players))
        self.stopped = set()
        self.dealer = number % n_players
        self.n_rounds = self.n_cycles = 0
        self.orders = [0] * n_players
        self.peak_pot = self.peak_reserve = 0

    @property
    def on_table(self):
        return sum(pot["pot"] + pot["reserve"] for pot in self.pots)

    def left_of(self, seat):
        """Players who are still in the session, clockwise, beginning on the left of a seat."""
        n_players = len(self.plans)
        return [(seat + k) % n_players for k in range(1, n_players + 1) if (seat + k) % n_players in self.active]

    def book(self, table):
        for seat in range(len(self.plans)):
            self.nets[seat] += table.won[seat] - table.paid[seat]
        if self.switches["stakes"] != "credit":
            self.stacks = [table.stacks[seat] for seat in range(len(self.plans))]
        self.active = set(table.active)
        self.peak_pot = max(self.peak_pot, sum(pot["pot"] for pot in self.pots))
        self.peak_reserve = max(self.peak_reserve, sum(pot["reserve"] for pot in self.pots))

    def open_cycles(self):
        empty = [pot for pot in self.pots if pot["pot"] + pot["reserve"] == 0 and pot["left"] > 0]
        if not empty:
            return
        stacks = None if self.switches["stakes"] == "credit" else self.stacks
        table = money.Table(len(self.plans), self.dealer, stacks, self.active)
        money.antes(self.switches, empty, table, new_cycle=True)
        self.book(table)

    def deal(self, key, deal):
        rules, n_players = self.rules, len(self.plans)
        n_hands = n_players + (rules.ghost != "none")
        cards = naive_rounds.deal(key, deal, n_hands * rules.cards + rules.community)
        hands = [cards[i * rules.cards : (i + 1) * rules.cards] for i in range(n_hands)]
        if rules.pass_left:
            passing = {seat: self.passed(hands[seat]) for seat in self.active}
            for seat, card in passing.items():
                neighbour = self.left_of(seat)[0]
                place = hands[neighbour].index(passing[neighbour]) if passing[neighbour] in hands[neighbour] else None
                assert place is not None
                hands[neighbour] = [*hands[neighbour][:place], -1 - card, *hands[neighbour][place + 1 :]]
            hands = [[card if card >= 0 else -1 - card for card in hand] for hand in hands]
        return hands, cards[n_hands * rules.cards :]

    def passed(self, hand):
        ranks = [card // 4 for card in hand]
        if self.pass_policy == "keep-best" and len(set(ranks)) == 2 and len(hand) == 3:
            return next(card for card in hand if ranks.count(card // 4) == 1)
        return min(hand)

    def declare(self, hands, entry_key, deal):
        """Whether every seat is in, pot by pot."""
        rules, n_pots, n_hands = self.rules, len(self.pots), len(hands)
        entered = [[False] * len(self.plans) for _ in self.pots]
        in_turn = rules.declaration == "sequential"
        order, heard = self.left_of(self.dealer), 0
        for place, seat in enumerate(order):
            for i, pot in enumerate(self.pots):
                if pot["pot"] == 0:
                    continue
                is_last = place + 1 == len(order)
                case = next(
                    case
                    for case in self.plans[seat].cases
                    if case.applies(
                        pot=pot["pot"] // UNIT,
                        position=len(self.plans) if is_last else place + 1,
                        heard=heard if in_turn else 0,
                        n_players=len(self.plans),
                    )
                )
                play = case.low if i else case.play
                own = get_ranking(f"low{rules.cards}") if i else rules.ranking
                threshold = round(play.entry[hand_class(hands[seat], own)] * 2**31)
                entered[i][seat] = naive_rounds.enters(entry_key, deal, i * n_hands + seat, n_pots * n_hands, threshold)
            heard += any(pot[seat] for pot in entered)
        return entered

    def scores(self, entered, hands, common):
        """Scores as the settlement reads them, all hands ranked against each other."""
        for i, pot in enumerate(self.pots):
            shown = [show_hand(hand, self.rules, common=common, low=bool(i)).strength for hand in hands]
            place = {strength: k + 1 for k, strength in enumerate(sorted(set(shown)))}
            pot["scores"] = [
                0 if seat not in self.active or pot["pot"] == 0
                else place[shown[seat]] * (1 if entered[i][seat] else -1)
                for seat in range(len(self.plans))
            ]  # fmt: skip
            pot["ghost"] = place[shown[-1]] if self.rules.ghost != "none" else 1

    def play_round(self, key, entry_key):
        deal = (self.n_rounds << 40) + self.number
        hands, common = self.deal(key, deal)
        self.scores(self.declare(hands, entry_key, deal), hands, common)
        order, everybody = self.left_of(self.dealer), len(self.active) == len(self.plans)
        contested = [pot for pot in self.pots if pot["pot"] > 0]
        before = list(self.nets)
        stacks = None if self.switches["stakes"] == "credit" else self.stacks
        table = money.settle(self.switches, contested, dealer=self.dealer, stacks=stacks, active=self.active)
        self.book(table)
        self.n_rounds += 1
        flows = [after - earlier for after, earlier in zip(self.nets, before)]
        if everybody and self.rules.declaration == "sequential":
            for place, seat in enumerate(order):
                self.orders[place] += len(flows) * flows[seat] - sum(flows)
        for pot in contested:
            if pot["pot"] + pot["reserve"] == 0:
                pot["left"] -= 1
                self.n_cycles += 1
        for seat in sorted(self.active):
            if 0 < self.limits[seat] <= -self.nets[seat]:
                self.active.discard(seat)
                self.stopped.add(seat)

    def play(self, key, entry_key, rounds, share):
        """Play to the end; returns whether the number of rounds ended it."""
        while True:
            before = set(self.active)
            self.open_cycles()
            if len(self.active) > 1:
                self.play_round(key, entry_key)
            is_over = all(pot["left"] == 0 for pot in self.pots)
            alone = len(self.active) < 2
            if is_over or alone or self.n_rounds == rounds:
                break
            self.dealer = self.left_of(self.dealer)[0]
        if self.on_table and (share or alone):
            total = self.on_table
            seats = [seat for seat in range(len(self.plans)) if seat in (self.active or before)]
            each, rest = divmod(total, len(seats))
            first = min(seats, key=lambda seat: (seat - self.dealer - 1) % len(self.plans))
            for seat in seats:
                self.nets[seat] += each + (rest if seat == first else 0)
                self.stacks[seat] += each + (rest if seat == first else 0)
            for pot in self.pots:
                pot["pot"] = pot["reserve"] = 0
        return not (is_over or alone)

    @property
    def ruined(self):
        if self.switches["stakes"] == "credit":
            return set()
        seats = set(range(len(self.plans))) - self.stopped
        return {seat for seat in seats if seat not in self.active or self.stacks[seat] == 0}
