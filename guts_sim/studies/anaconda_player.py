"""Strategies at the referee's table, in plain Python: what the kernel plays, one readable decision at a time."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations
from math import comb

import numpy as np

from guts_sim.games.anaconda import (
    FOLD,
    HAND_SIZE,
    RAISE,
    STAY,
    AnacondaRules,
    Cards,
    Table,
    actions,
    begin_hand,
    fix_orders,
    pass_batches,
    play_action,
)
from guts_sim.games.anaconda_strategy import AnacondaStrategy
from guts_sim.hands import rank_hands
from guts_sim.kernels.anaconda_play_codes import (
    FOUR,
    MOST_CREDIT,
    NOTHING,
    ORDER_ROUND,
    PAIRED,
    RUN,
    SUITED,
    THREE,
    TWO_PAIRED,
    UNIT,
    WORDS_PER_DEAL,
    WORDS_PER_ROUND,
)
from guts_sim.kernels.pass_codes import BATCH, LOWEST, RANDOM
from guts_sim.passing import PassPolicy, get_policy
from guts_sim.studies.anaconda_beliefs import beliefs
from guts_sim.studies.anaconda_hands import Beliefs, HandKeys

_STRAIGHTS = [{12, 0, 1, 2, 3}, *(set(range(low, low + 5)) for low in range(9))]
_SHOWS = {(2,): PAIRED, (2, 2): TWO_PAIRED, (3,): THREE, (4,): FOUR}
Move = int | dict[int, Cards]


@dataclass
class HandPlayer:
    """One hand played by strategies, move by move.

    Attributes
    ----------
    strategies : sequence of AnacondaStrategy
        Seat by seat.
    rules : AnacondaRules
        The switches.
    keys : HandKeys
        Keys of random decisions.
    deal : int
        Number of the deal, which random decisions depend on.
    expected : str
        Order of reveal that the reading of exposed cards assumes.
    moves : list of (Table, Move)
        Every table and what was done there: an action, or batches or orders by seat.
    """

    strategies: Sequence[AnacondaStrategy]
    rules: AnacondaRules
    keys: HandKeys
    deal: int
    expected: str = "random"
    moves: list[tuple[Table, Move]] = field(default_factory=list)

    def play(self, hands: Sequence[Sequence[int]]) -> Table:
        """Play the hand to its end and return the last table."""
        n_players = len(self.strategies)
        self.beliefs = beliefs(self.rules.passes, self.expected)
        self.policies = [get_policy(strategy.passing, n_players) for strategy in self.strategies]
        self.raised = [0] * n_players
        table = begin_hand([sorted(hand) for hand in hands], self.rules)
        acted: Counter[tuple[int, int]] = Counter()
        while table.waits_for != "nothing":
            if table.waits_for == "action":
                seat = table.turns[0]
                at = WORDS_PER_ROUND * table.round_number + 8 * seat + acted[seat, table.round_number]
                action = self._action(table, seat, _word(self.keys.bets, WORDS_PER_DEAL * self.deal + at))
                move: Move = action
                acted[seat, table.round_number] += 1
                self.raised[seat] += action == RAISE
                after = play_action(table, action)
            elif table.waits_for == "pass":
                move = {seat: self._batch(table, seat) for seat in table.active}
                after = pass_batches(table, move)
            else:
                move = {seat: self._order(table, seat) for seat in table.active}
                after = fix_orders(table, move)
            self.moves.append((table, move))
            table = after
        return table

    def _action(self, table: Table, seat: int, random_word: int) -> int:
        _, call, strong, bluff, slow, credit, noise = self.strategies[seat].numbers()
        pieces = [(random_word >> 16 * i) % UNIT for i in range(4)]
        allowed = actions(table)
        if pieces[0] < noise:
            return allowed[pieces[3] * len(allowed) >> 16]
        chance = self._chance(table, seat, credit)
        fair = UNIT // len(table.active)
        owed = table.betting.owed[0]
        is_strong = chance >= fair + ((UNIT - fair) * strong >> 16)
        if is_strong and owed == 0 and pieces[2] < slow:
            return STAY
        if RAISE in allowed and (is_strong or pieces[1] < bluff):
            return RAISE
        pays = chance * (table.pot + owed) >= owed * call
        return STAY if owed == 0 or is_strong or pays else FOLD

    def _chance(self, table: Table, seat: int, credit: int) -> int:
        """Chance of beating everybody who is in, in 1/65536."""
        step = own_step(table.hands[seat], min(table.round_number, len(self.rules.passes)), self.beliefs)
        chance = UNIT
        for other in table.active:
            if other != seat:
                shown = table.exposed(other)
                better = int(self.beliefs.beats[len(shown), exposed_class(shown), step])
                cut = min(credit * self.raised[other], MOST_CREDIT)
                better = (better - cut) * UNIT // (UNIT - cut) if better > cut else 0
                chance = chance * better >> 16
        return chance

    def _batch(self, table: Table, seat: int) -> Cards:
        n_cards, _ = self.rules.passes[table.round_number]
        at = 64 * self.deal + 8 * table.round_number + seat
        options = comb(HAND_SIZE, n_cards)
        random_option = (_word(self.keys.passes, at) >> 32) * options >> 32
        return cards_to_pass(table.hands[seat], n_cards, self.policies[seat], random_option)

    def _order(self, table: Table, seat: int) -> Cards:
        at = WORDS_PER_DEAL * self.deal + WORDS_PER_ROUND * ORDER_ROUND + 8 * seat
        return reveal_order(best_five(table.hands[seat]), self.strategies[seat].order, _word(self.keys.bets, at))


def cards_to_pass(hand: Sequence[int], n_cards: int, policy: PassPolicy, random_option: int) -> Cards:
    """Cards that a policy passes; `guts_sim.kernels.pass_choice` says the same."""
    held = sorted(hand)
    options = list(combinations(held, n_cards))
    if policy.kind == LOWEST:
        return options[0]
    if policy.kind == RANDOM:
        return options[random_option]
    rest = [tuple(card for card in held if card not in option) for option in options]
    if n_cards < BATCH:
        scores = rank_hands(rest, "high5").tolist()
    else:
        pairs = zip(rest, options)
        scores = [policy.keep_score[_place(kept)] + policy.pass_score[_place(passed)] for kept, passed in pairs]
    return options[int(np.argmax(scores))]


def best_five(hand: Sequence[int]) -> Cards:
    """Best five cards, the highest first; of equal choices that with the higher suits."""
    options = list(combinations(sorted(hand, reverse=True), 5))
    return options[int(np.argmax(rank_hands(options, "high5")))]


def reveal_order(five: Sequence[int], order: str, random_word: int = 0) -> Cards:
    """Five cards in the order in which they are revealed.

    Examples
    --------
    A full house is shown as two pair:

    >>> from guts_sim.cards import format_cards, parse_cards
    >>> format_cards(reveal_order(parse_cards("Qs Qh Qd 9d 9c"), "hide"))
    '9c Qd 9d Qh Qs'
    """
    left, shown = list(five), []
    while len(left) > 1:
        ranks = Counter(card // 4 for card in (left if order == "hide" else five))
        telling = max(left, key=lambda card: (ranks[card // 4], card // 4))
        if order == "random":
            telling = left[((random_word >> 12 * (len(left) - 1)) % 4096) * len(left) >> 12]
        left.remove(telling)
        shown.append(telling)
    last_first = (*shown, *left)
    return last_first if order == "honest" else last_first[::-1]


def own_step(hand: Sequence[int], n_passes: int, known: Beliefs) -> int:
    """Step of strength that seven cards can expect to end at, after so many passes."""
    key = int(rank_hands(hand, "high5"))
    category, primary, kickers = key >> 26, key >> 13 & 0x1FFF, key & 0x1FFF
    return int(known.bins[n_passes, category << 13 | (primary or kickers)])


def exposed_class(cards: Sequence[int]) -> int:
    """What exposed cards show: groups, or else whether they fit a flush or a straight; and the rank of it."""
    ranks = Counter(card // 4 for card in cards)
    groups = tuple(sorted((n for n in ranks.values() if n > 1), reverse=True))
    if groups:
        return 13 * _SHOWS[groups] + max(rank for rank, n in ranks.items() if n > 1)
    shows = NOTHING
    if len(cards) > 1:
        shows += SUITED * (len({card % 4 for card in cards}) == 1)
        shows += RUN * any(set(ranks) <= straight for straight in _STRAIGHTS)
    return 13 * shows + max(ranks, default=0)


def _place(cards: Sequence[int]) -> int:
    """Index of ascending cards in the combinatorial number system."""
    return sum(comb(card, k) for k, card in enumerate(cards, 1))


def _word(key: np.uint64, counter: int) -> int:
    """Random word number ``counter`` of a key."""
    from guts_sim.kernels.rand import fill_words

    out = np.empty(1, np.uint64)
    fill_words(key, np.uint64(counter), out)
    return int(out[0])
