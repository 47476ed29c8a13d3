"""Passing in plain Python, straight from the rules: the reference for the kernels. Nothing here uses them."""

from fractions import Fraction
from itertools import combinations

import naive_hands
import naive_rounds


def kept_of(hand, passed):
    return [card for card in hand if card not in passed]


def ways(hand, n_cards):
    """Everything that can be passed, the lowest cards first."""
    return list(combinations(sorted(hand), n_cards))


def lowest(hand, n_cards, draw):
    return ways(hand, n_cards)[0]


def random(hand, n_cards, draw):
    options = ways(hand, n_cards)
    return options[(draw >> 32) * len(options) >> 32]


def keep_best(hand, n_cards, draw):
    def strength(passed):
        kept = kept_of(hand, passed)
        return naive_hands.high5(kept) if len(kept) >= 5 else naive_hands.exposed(kept)

    return max(ways(hand, n_cards), key=strength)  # the first of the best


def linear(keep_score, pass_score):
    """Policy from two functions of ascending cards; later passes keep the strongest hand."""

    def choose(hand, n_cards, draw):
        if n_cards < 3:
            return keep_best(hand, n_cards, draw)
        return max(ways(hand, 3), key=lambda passed: keep_score(kept_of(sorted(hand), passed)) + pass_score(passed))

    return choose


def final_hands(hands, passes, policies, choice_key, number, first_pass=None):
    """Play a programme of passes; seat 0 passes ``first_pass`` first, if that is given."""
    hands = [sorted(hand) for hand in hands]
    n = len(hands)
    for p, (n_cards, places) in enumerate(passes):
        batches = []
        for seat, (hand, policy) in enumerate(zip(hands, policies)):
            draw = naive_rounds.word(choice_key, 64 * number + 8 * p + seat)
            batches.append(first_pass if p == 0 and seat == 0 and first_pass else policy(hand, n_cards, draw))
        hands = [sorted([*kept_of(hands[seat], batches[seat]), *batches[(seat - places) % n]]) for seat in range(n)]
    return hands


def hero_code(hands):
    """How many share the best place with seat 0, himself included; 0 if he is beaten."""
    values = [naive_hands.high5(hand) for hand in hands]
    return values.count(values[0]) if values[0] == max(values) else 0


def deal_opponents(key, number, n_opponents, known):
    cards = naive_rounds.deal(key, number, 7 * n_opponents, known)
    return [cards[7 * j : 7 * j + 7] for j in range(n_opponents)]


def round_value(hero, others, n_players):
    """Values of in and out for the hero, with 1/N of the next pot; ``others`` are the hands that are in."""
    best = max(others, default=None)
    n_best = others.count(best) if others else 0
    out = Fraction(len(others) - n_best if others else 1, n_players)
    if best is None or hero > best:
        return Fraction(1) + Fraction(len(others), n_players), out
    if hero == best:
        return Fraction(1, 1 + n_best) + Fraction(len(others) - n_best, n_players), out
    return Fraction(-1) + Fraction(len(others) + 1 - n_best, n_players), out
