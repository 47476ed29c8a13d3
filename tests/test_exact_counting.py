"""The counting kernels against plain enumeration."""

from fractions import Fraction
from math import comb

import naive_guts as naive
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from guts_sim.exact.hand_lists import HandList, hand_list
from guts_sim.exact.small_fields import class_values, hero_values, small_round_law
from guts_sim.exact.two_card import (
    Threshold,
    best_law,
    class_ranks,
    deck_families,
    threshold_values,
    two_card_class,
)
from guts_sim.exact.two_card_law import threshold_round_law
from guts_sim.kernels.count_two import fill_family_table


def count_families(free, n_max):
    table = np.zeros((1, 91, 5, n_max + 1))
    fill_family_table(np.array([free], dtype=np.int64), table)
    return table[0]


def strength_of_class(index):
    high, low = class_ranks(index)
    return (int(high == low), high, low)


def random_deck(draw_suits):
    """Thirteen ranks, most of them without cards, so that enumeration stays small."""
    free = [0] * 13
    for rank, suits in draw_suits.items():
        free[rank] = suits
    return free


def test_class_ranks_is_the_inverse_of_the_class_index():
    assert [two_card_class(class_ranks(index)) for index in range(91)] == list(range(91))
    assert [two_card_class(class_ranks(index)[::-1]) for index in range(91)] == list(range(91))
    strengths = [strength_of_class(index) for index in range(91)]
    assert strengths == sorted(strengths)


@settings(max_examples=15, deadline=None, derandomize=True)
@given(st.dictionaries(st.integers(0, 12), st.integers(1, 4), min_size=2, max_size=3))
def test_families_on_small_decks(suits):
    free = random_deck(suits)
    cards = [(rank, suit) for rank in range(13) for suit in range(free[rank])]
    table = count_families(free, 4)
    for index in range(91):
        if any(free[rank] == 0 for rank in class_ranks(index)):
            assert not table[index, 1:].any()
            continue
        for n_best in range(4):
            for n_weaker in range(4 - n_best):
                expected = naive.families_below(cards, strength_of_class(index), n_best, n_weaker)
                assert table[index, n_best, n_weaker] == expected


def test_families_of_the_whole_deck_add_up_to_all_families():
    """Split by their best class, the families of m hands are all there are."""
    table = deck_families()
    for m in range(1, 6):
        total = sum(table[:, u, m - u].sum() for u in range(1, min(m, 4) + 1))
        ordered = np.prod([comb(52 - 2 * hand, 2) for hand in range(m)], dtype=float)
        assert total * np.prod(np.arange(1.0, m + 1)) == pytest.approx(ordered, rel=1e-13)


@pytest.mark.parametrize("n_opponents", range(1, 10))
def test_best_opponent_laws_sum_to_one(n_opponents):
    law = best_law(n_opponents)
    np.testing.assert_allclose(law[:, :, 1:].sum(axis=(1, 2)), 1.0, rtol=0, atol=1e-13)


def small_hand_list(n_ranks, n_suits, hand_size, strength):
    """A `HandList` of a small deck in which every hand is its own hero."""
    deck = [4 * rank + suit for rank in range(n_ranks) for suit in range(n_suits)]
    hands = sorted(
        (tuple(hand) for hand in naive.combinations(deck, hand_size)),
        key=lambda hand: strength(tuple(map(naive.code_to_card, hand))),
    )
    strengths = [strength(tuple(map(naive.code_to_card, hand))) for hand in hands]
    levels = sorted(set(strengths))
    starts = np.searchsorted([levels.index(s) for s in strengths], np.arange(len(levels) + 1))
    cards = np.array(hands, dtype=np.int64)
    ones = np.ones(len(hands), dtype=np.int64)
    return HandList(cards, starts, cards, starts, ones, deck_size=len(deck)), levels


SMALL_DECKS = [
    (4, 2, 2, naive.guts_two),
    (3, 3, 2, naive.guts_two),
    (3, 3, 3, naive.guts_three_plain),
    (5, 2, 3, naive.guts_three_plain),
]


@pytest.mark.parametrize("n_players", [2, 3])
@pytest.mark.parametrize(("n_ranks", "n_suits", "hand_size", "strength"), SMALL_DECKS)
def test_any_field_on_small_decks(n_ranks, n_suits, hand_size, strength, n_players):
    hands, levels = small_hand_list(n_ranks, n_suits, hand_size, strength)
    # Entry probabilities in eighths, among them 0 and 1, in no particular order.
    eighths = [(5 * place + 3) % 9 for place in range(len(levels))]
    fractions = {level: Fraction(eighth, 8) for level, eighth in zip(levels, eighths)}
    entry_probs = np.array([float(fractions[level]) for level in levels])
    deck = naive.make_deck(n_ranks, n_suits)

    values = hero_values(hands, n_players, entry_probs)
    for place in range(0, len(hands.heroes), 7):
        hero = tuple(naive.code_to_card(int(code)) for code in hands.heroes[place])
        ev_in, ev_out = naive.hero_values(deck, hero, n_players, strength, fractions.__getitem__)
        assert values.ev_in[place] == pytest.approx(float(ev_in), abs=1e-13)
        assert values.ev_out[place] == pytest.approx(float(ev_out), abs=1e-13)

    law = small_round_law(hands, n_players, entry_probs)
    expected = np.zeros((n_players + 1, n_players + 1))
    for cell, chance in naive.round_law(deck, hand_size, n_players, strength, fractions.__getitem__).items():
        expected[cell] = float(chance)
    np.testing.assert_allclose(law.joint, expected, rtol=0, atol=1e-13)


@pytest.mark.parametrize(("n_players", "hero"), [(2, (50, 37)), (2, (41, 20)), (2, (12, 13)), (2, (47, 8))])
def test_two_cards_on_the_real_deck_by_enumeration(n_players, hero):
    check_real_deck(n_players, hero)


@pytest.mark.slow
@pytest.mark.parametrize("hero", [(0, 1), (50, 51), (41, 20), (12, 7), (46, 10)])
def test_three_players_two_cards_by_enumeration(hero):
    check_real_deck(3, hero)


def check_real_deck(n_players, hero):
    boundary = strength_of_class(57)  # K4, entered with probability 3/4

    def entry(strength):
        return Fraction(3, 4) if strength == boundary else Fraction(int(strength > boundary))

    deck = naive.make_deck(13, 4)
    cards = tuple(map(naive.code_to_card, hero))
    ev_in, ev_out = naive.hero_values(deck, cards, n_players, naive.guts_two, entry)
    values = threshold_values(n_players, Threshold(57, 0.75))
    index = two_card_class((hero[0] // 4, hero[1] // 4))
    assert values.ev_in[index] == pytest.approx(float(ev_in), abs=1e-14)
    assert values.ev_out[index] == pytest.approx(float(ev_out), abs=1e-14)


@pytest.mark.parametrize("n_players", [2, 3])
@pytest.mark.parametrize(("index", "chance"), [(0, 1.0), (0, 0.3), (23, 0.5), (57, 1.0), (77, 0.1), (78, 0.6)])
def test_both_ways_of_counting_two_cards_agree(n_players, index, chance):
    hands = hand_list("guts2")
    entry_probs = (np.arange(91) > index).astype(float)
    entry_probs[index] = chance
    by_rank = threshold_values(n_players, Threshold(index, chance))
    by_card = class_values(hands, n_players, entry_probs)
    np.testing.assert_allclose(by_rank.ev_in, by_card.ev_in, rtol=0, atol=1e-14)
    np.testing.assert_allclose(by_rank.ev_out, by_card.ev_out, rtol=0, atol=1e-14)
    law_by_rank = threshold_round_law(n_players, Threshold(index, chance))
    law_by_card = small_round_law(hands, n_players, entry_probs)
    np.testing.assert_allclose(law_by_rank.joint, law_by_card.joint, rtol=0, atol=1e-14)


def law_by_in_hands(n_players, index):
    """Law of a round by listing the classes of those who are in: slow, for high pure thresholds.

    Hands are taken strongest class first; what is left of the deck must serve the others weaker hands.
    """
    joint = np.zeros((n_players + 1, n_players + 1))

    def descend(b, free, n_in, n_best, ways):
        if b < index:
            rest = count_families(free, n_players)[index, 0, n_players - n_in]
            joint[n_in, n_best] += ways * rest
            return
        high, low = class_ranks(b)
        u, choices, left = 0, 1.0, list(free)
        while True:
            descend(b - 1, tuple(left), n_in + u, n_best or u, ways * choices)
            pairs = comb(left[high], 2) if high == low else left[high] * left[low]
            u += 1
            if not pairs or n_in + u > n_players:
                return
            choices *= pairs / u
            left[high] -= 1
            left[low] -= 1

    descend(90, (4,) * 13, 0, 0, 1.0)
    return joint / joint.sum()


@pytest.mark.parametrize(("n_players", "index"), [(4, 86), (6, 87), (5, 85)])
def test_round_law_by_listing_the_hands_that_are_in(n_players, index):
    law = threshold_round_law(n_players, Threshold(index, 1.0))
    np.testing.assert_allclose(law.joint, law_by_in_hands(n_players, index), rtol=1e-12, atol=1e-16)


@pytest.mark.slow
def test_round_law_with_an_unpaired_threshold_by_listing():
    law = threshold_round_law(4, Threshold(76, 1.0))
    np.testing.assert_allclose(law.joint, law_by_in_hands(4, 76), rtol=1e-12, atol=1e-16)


@pytest.mark.parametrize("n_players", [4, 5, 7, 10])
@pytest.mark.parametrize(("index", "chance"), [(0, 1.0), (40, 0.25), (68, 1.0), (83, 0.5)])
def test_round_law_agrees_with_the_hero_tables(n_players, index, chance):
    """Each player as the hero: nobody, one, the number in and the number tied best."""
    field = Threshold(index, chance)
    law = threshold_round_law(n_players, field)
    values = threshold_values(n_players, field)
    entry = (np.arange(91) > index).astype(float)
    entry[index] = chance
    assert law.joint.sum() == pytest.approx(1.0, abs=1e-13)
    assert law.entry_prob == pytest.approx(values.frequency @ entry, abs=1e-13)
    assert law.p_nobody == pytest.approx(values.frequency @ ((1 - entry) * values.p_nobody_else), abs=1e-13)
    assert law.p_one == pytest.approx(n_players * (values.frequency @ (entry * values.p_nobody_else)), abs=1e-13)
    # All that is paid in is worth what is left: the mean payoff of everybody is the table's balance.
    mean_payoff = values.frequency @ (entry * values.ev_in + (1 - entry) * values.ev_out)
    flow = sum(law.joint[k, w] * (1.0 - (k - w)) for k in range(1, n_players + 1) for w in range(1, k + 1))
    assert n_players * mean_payoff == pytest.approx(flow + law.expected_multiplier, abs=1e-12)
    for u in range(4):
        tied = best_law(n_players - 1)[np.arange(91), np.arange(91), u]
        above = np.arange(91) > index
        pure_best = n_players * float(values.frequency[above] @ tied[above]) / (u + 1)
        lowest = threshold_round_law(n_players, Threshold(index, 0.0))
        assert lowest.joint[1:, u + 1].sum() == pytest.approx(pure_best, abs=1e-13)
