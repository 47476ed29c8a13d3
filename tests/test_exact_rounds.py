"""Published and exact values, the properties of thresholds and laws, and refused input."""

from math import comb

import numpy as np
import pytest

from guts_sim.errors import InputError
from guts_sim.exact import (
    RoundLaw,
    exact_hand_values,
    exact_round_law,
    exact_threshold,
    exact_values,
    hand_odds_exact,
    supports,
    two_card_values,
)
from guts_sim.hands import class_frequencies, class_index, class_names

GUTS2 = class_names("guts2")
TWO_CARD_THRESHOLDS = {2: "J7", 3: "K4", 4: "A2", 5: "A4", 6: "A7", 7: "A9", 8: "AT", 9: "AJ", 10: "AQ"}
TWO_CARD_ENTRY = {2: 0.505279, 3: 0.312217, 5: 0.179487}
THREE_CARD_THRESHOLDS = [
    (2, "guts3", "K98", 0.503167),
    (3, "guts3", "AQ4", 0.304977),
    (2, "guts3-plain", "K42", 0.519276),
    (2, "guts3-trips-top", "K98", 0.503167),
    (3, "guts3-flush-over-straight", "AQ4", 0.304977),
]


def threshold(name, ranking="guts2"):
    n_classes = len(class_names(ranking))
    return (np.arange(n_classes) >= class_index(name, ranking)).astype(float)


def top_fraction(fraction):
    """Two-card field that enters with exactly that probability, mixing in one class."""
    frequency = class_frequencies("guts2") / comb(52, 2)
    entry = np.zeros(91)
    left = fraction
    for index in range(90, -1, -1):
        entry[index] = min(1.0, left / frequency[index])
        left -= entry[index] * frequency[index]
        if left <= 0.0:
            break
    return entry


@pytest.mark.parametrize(("n_players", "name"), TWO_CARD_THRESHOLDS.items())
def test_two_card_equilibria_are_pure_and_exact(n_players, name):
    equilibrium = exact_threshold(n_players)
    assert GUTS2[equilibrium.index] == name
    assert equilibrium.exploitability == 0.0
    assert equilibrium.exact
    if n_players in TWO_CARD_ENTRY:
        assert equilibrium.entry_prob == pytest.approx(TWO_CARD_ENTRY[n_players], abs=5e-7)
    enters = equilibrium.entry_probs == 1.0
    assert np.all(equilibrium.values.delta[enters] > 0.0)
    assert np.all(equilibrium.values.delta[~enters] < 0.0)


@pytest.mark.parametrize("n_players", [2, 3, 5, 10])
def test_two_card_equilibrium_is_unique_among_thresholds(n_players):
    exact = [
        index
        for index in range(91)
        if two_card_values(n_players, np.arange(91) >= index).exploitability(np.arange(91) >= index) == 0.0
    ]
    assert [GUTS2[index] for index in exact] == [TWO_CARD_THRESHOLDS[n_players]]


@pytest.mark.parametrize(("n_players", "ranking", "name", "entry_prob"), THREE_CARD_THRESHOLDS)
def test_three_card_equilibria(n_players, ranking, name, entry_prob):
    equilibrium = exact_threshold(n_players, ranking)
    assert class_names(ranking)[equilibrium.index] == name
    assert equilibrium.entry_prob == pytest.approx(entry_prob, abs=5e-7)
    assert equilibrium.exploitability == 0.0


def test_suits_matter_a_little_with_three_players_and_three_cards():
    """No class gains by deviating from AQ4+, but some suit patterns within a class do."""
    entry = threshold("AQ4", "guts3")
    assert exact_values(3, "guts3", entry).exploitability(entry) == 0.0
    hands = exact_hand_values(3, "guts3", entry)
    assert 0.0 < hands.values.exploitability(entry[hands.hand_class]) < 1e-7
    assert hands.multiplicity.sum() == 22100
    assert len(hands.cards) == 1755


def test_low_hands_have_no_exact_threshold():
    equilibrium = exact_threshold(2, "low2")
    assert 0.0 < equilibrium.exploitability < 1e-4
    everything = [
        exact_values(2, "low2", np.arange(91) >= index).exploitability(np.arange(91) >= index) for index in range(91)
    ]
    assert equilibrium.exploitability == min(everything)


def test_five_players_two_cards():
    equilibrium = exact_threshold(5)
    law = equilibrium.law
    assert law.p_nobody == pytest.approx(0.354425, abs=5e-7)
    assert law.p_one == pytest.approx(0.431241, abs=5e-7)
    assert law.p_contested == pytest.approx(1 - 0.354425 - 0.431241, abs=1e-6)
    assert law.expected_multiplier == pytest.approx(0.599246, abs=5e-7)
    assert law.expected_rounds == pytest.approx(2.31889, abs=5e-6)
    assert law.expected_rounds_until_taken == pytest.approx(1.0 / law.multiplier_law[0])
    assert law.entry_prob == pytest.approx(equilibrium.entry_prob, abs=1e-14)
    assert law.n_players == 5


def test_tens_or_better_is_exploited_by_entering_with_anything():
    entry = threshold("TT")
    values = two_card_values(5, entry)
    assert np.all(values.delta > 0.0)
    assert values.exploitability(entry) == pytest.approx(0.6444, abs=5e-5)


def test_top_half_with_five_players_is_supercritical():
    entry = top_fraction(0.5)
    law = exact_round_law(5, "guts2", entry)
    assert law.entry_prob == pytest.approx(0.5, abs=1e-14)
    assert law.expected_multiplier == pytest.approx(1.532, abs=5e-4)


def test_multiplier_law_and_tail_of_three_players():
    law = exact_threshold(3).law
    np.testing.assert_allclose(law.multiplier_law, [0.46564, 0.50959, 0.02476], atol=5e-6)
    assert law.tail_index() == pytest.approx(4.308, abs=5e-4)
    solved = sum(law.multiplier_law[m] * m ** law.tail_index() for m in (1, 2))
    assert solved == pytest.approx(1.0, abs=1e-12)


def test_tail_index_exists_only_where_pots_grow_and_are_taken():
    assert exact_threshold(2).law.tail_index() is None
    never = exact_round_law(5, "guts2", np.zeros(91))
    assert never.p_nobody == pytest.approx(1.0, abs=1e-14)
    assert never.tail_index() is None
    assert never.expected_rounds == np.inf
    stuck = np.zeros((4, 4))
    stuck[3, 1] = 1.0
    assert RoundLaw(stuck).tail_index() is None
    assert RoundLaw(stuck).expected_rounds_until_taken == np.inf
    assert exact_round_law(5, "guts2", np.ones(91)).tail_index() is None  # five hands cannot all tie


def test_tail_index_below_one_where_expected_stakes_grow():
    law = exact_round_law(5, "guts2", top_fraction(0.5))
    assert law.expected_multiplier > 1.0
    index = law.tail_index()
    assert index is not None
    assert 0.0 < index < 1.0
    moment = sum(chance * m**index for m, chance in enumerate(law.multiplier_law) if m > 0)
    assert moment == pytest.approx(1.0, abs=1e-12)


def test_all_in_three_card_ties_heads_up():
    law = exact_round_law(2, "guts3", np.ones(741))
    assert law.joint[2, 2] * 407_170_400 == pytest.approx(450_528, abs=1e-3)


# Chance that the best place is shared when everybody shows two cards; simulated values, error 3e-5.
SHARED_BEST = {3: 0.00988, 4: 0.01262, 5: 0.01527, 6: 0.01768, 7: 0.01983, 8: 0.02183, 9: 0.02369, 10: 0.02541}


@pytest.mark.parametrize(("n_players", "chance"), SHARED_BEST.items())
def test_shared_best_hands(n_players, chance):
    law = exact_round_law(n_players, "guts2", np.ones(91))
    assert law.joint[n_players, 2:].sum() == pytest.approx(chance, abs=1.5e-4)


def test_nobody_holds_a_three_card_pair_heads_up():
    law = exact_round_law(2, "guts3-plain", threshold("223", "guts3-plain"))
    straights_and_flushes = exact_round_law(2, "guts3", threshold("223", "guts3"))
    assert straights_and_flushes.p_nobody == pytest.approx(0.55365, abs=1e-4)
    assert law.p_nobody > straights_and_flushes.p_nobody


def test_always_and_never_in():
    always = two_card_values(4, np.ones(91))
    assert not always.p_nobody_else.any()
    never = two_card_values(4, np.zeros(91))
    np.testing.assert_allclose(never.ev_in, 1.0, atol=1e-14)
    np.testing.assert_allclose(never.ev_out, 0.25, atol=1e-14)
    assert never.frequency.sum() == pytest.approx(1.0, abs=1e-14)


def test_class_arrays_and_names_give_the_same():
    from guts_sim.exact.hand_lists import all_hands, hand_list

    hands = hand_list("guts3")
    index_of = {tuple(hand): place for place, hand in enumerate(all_hands(3).tolist())}
    classes = np.zeros(22100, dtype=np.int64)
    for c in range(741):
        for hand in hands.hands[hands.starts[c] : hands.starts[c + 1]].tolist():
            classes[index_of[tuple(hand)]] = c
    entry = np.linspace(0.0, 1.0, 741) ** 2
    named, listed = exact_values(3, "guts3", entry), exact_values(3, classes, entry)
    np.testing.assert_array_equal(named.delta, listed.delta)
    np.testing.assert_array_equal(named.frequency, class_frequencies("guts3") / 22100)


def test_suits_that_break_ties_are_classes_like_any_other():
    """Every two-card hand its own class: nobody ties, and each hand is its own hero."""
    classes = np.arange(1326)
    values = exact_hand_values(3, classes, np.full(1326, 0.5))
    assert len(values.cards) == 1326
    law = exact_round_law(3, classes, np.full(1326, 0.5))
    assert law.joint[2:, 2:].sum() == pytest.approx(0.0, abs=1e-13)
    assert law.p_nobody == pytest.approx(0.125, abs=1e-14)


# Two-card hand against one random hand: wins, ties, losses of 1,225.
ONE_OPPONENT = {
    "AA": (1224, 1, 0),
    "22": (1152, 1, 72),
    "AK": (1144, 9, 72),
    "A2": (1012, 9, 204),
    "KQ": (960, 9, 256),
    "J8": (616, 9, 600),
    "J7": (604, 9, 612),
    "32": (0, 9, 1216),
}
# Chance that at least one of nine opponents holds a higher pair.
HIGHER_PAIR_OF_NINE = {
    "K": 0.043925,
    "Q": 0.085987,
    "J": 0.126262,
    "T": 0.164821,
    "9": 0.201735,
    "8": 0.237070,
    "7": 0.270892,
    "6": 0.303262,
    "5": 0.334239,
    "4": 0.363882,
    "3": 0.392246,
    "2": 0.419382,
}
RANKS = "23456789TJQKA"


def cards_of(name):
    return tuple(4 * RANKS.index(rank) + suit for suit, rank in enumerate(name))


@pytest.mark.parametrize(("name", "counts"), ONE_OPPONENT.items())
def test_two_cards_against_one(name, counts):
    odds = hand_odds_exact(cards_of(name), 1)
    assert (odds.win * 1225, odds.tie * 1225, odds.lose * 1225) == pytest.approx(counts, abs=1e-9)
    assert odds.equity == pytest.approx((counts[0] + counts[1] / 2) / 1225)


@pytest.mark.parametrize(("rank", "chance"), HIGHER_PAIR_OF_NINE.items())
def test_higher_pairs_among_nine_opponents(rank, chance):
    assert hand_odds_exact(cards_of(2 * rank), 9).lose == pytest.approx(chance, abs=5e-7)


@pytest.mark.parametrize("rank", range(13))
def test_higher_pair_of_one_opponent(rank):
    odds = hand_odds_exact((4 * rank, 4 * rank + 1), 1)
    assert odds.lose == pytest.approx((84 - 6 * (rank + 2)) / 1225, abs=1e-15)


def test_nobody_among_six_holds_a_pair():
    law = exact_round_law(6, "guts2", threshold("22"))
    assert law.p_nobody == pytest.approx(0.6955990, abs=5e-8)


@pytest.mark.parametrize("n_opponents", [1, 2])
def test_two_card_odds_agree_between_methods(n_opponents):
    from guts_sim.exact.hand_lists import all_hands, hand_list

    hands = hand_list("guts2")
    position = {tuple(hand): place for place, hand in enumerate(all_hands(2).tolist())}
    classes = np.zeros(1326, dtype=np.int64)
    for c in range(91):
        for hand in hands.hands[hands.starts[c] : hands.starts[c + 1]].tolist():
            classes[position[tuple(hand)]] = c
    for name in ("AA", "J7", "32"):
        by_rank = hand_odds_exact(cards_of(name), n_opponents)
        by_card = hand_odds_exact(cards_of(name), n_opponents, classes)
        assert by_card.tie_by_count == pytest.approx(by_rank.tie_by_count, abs=1e-14)


def test_three_card_odds():
    aces = hand_odds_exact((48, 49, 50), 1, "guts3")
    assert aces.lose * comb(49, 3) == pytest.approx(48 - 6, abs=1e-9)  # straight flushes without these aces
    assert aces.tie == pytest.approx(0.0, abs=1e-15)
    mixed, suited = (hand_odds_exact(cards, 2, "guts3") for cards in ((46, 41, 36), (46, 42, 36)))
    for odds in (mixed, suited):
        assert odds.win + odds.tie + odds.lose == pytest.approx(1.0, abs=1e-14)
        assert len(odds.tie_by_count) == 3
    assert mixed.lose < suited.lose  # of equal runs, two suits block fewer straight flushes


@pytest.mark.parametrize("hero", [(0, 5, 10), (12, 13, 50), (21, 25, 29), (3, 46, 51)])
def test_three_card_odds_by_enumeration(hero):
    from guts_sim.exact.hand_lists import hand_list

    hands = hand_list("guts3")
    classes = np.repeat(np.arange(741), np.diff(hands.starts))
    own = classes[np.flatnonzero((hands.hands == hero).all(axis=1))[0]]
    others = classes[~np.isin(hands.hands, hero).any(axis=1)]
    odds = hand_odds_exact(hero, 1, "guts3")
    assert odds.win == pytest.approx(np.mean(others < own), abs=1e-14)
    assert odds.tie == pytest.approx(np.mean(others == own), abs=1e-14)
    assert odds.lose == pytest.approx(np.mean(others > own), abs=1e-14)


def test_what_is_supported():
    assert supports(2, 2, np.full(91, 0.5))
    assert supports(10, 2, threshold("A4"))
    assert supports(4, 2, top_fraction(0.3))
    assert not supports(4, 2, np.full(91, 0.5))
    assert not supports(4, 3, np.ones(741))
    assert not supports(11, 2, np.ones(91))
    assert not supports(2, 1, np.ones(13))


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: two_card_values(11, np.ones(91)), "n_players: got 11, allowed are 2 to 10"),
        (lambda: two_card_values(True, np.ones(91)), "n_players"),
        (lambda: two_card_values(5, np.ones(90)), "91"),
        (lambda: two_card_values(5, ["often"] * 91), "91 numbers"),
        (lambda: two_card_values(5, np.full(91, 1.5)), "class 0 has 1.5"),
        (lambda: two_card_values(5, np.full(91, np.nan)), "class 0"),
        (lambda: two_card_values(5, np.full(91, 0.5)), "threshold"),
        (lambda: exact_values(4, "guts3", np.ones(741)), "allowed here are 2 to 3"),
        (lambda: exact_values(2, "guts4", np.ones(741)), "guts4"),
        (lambda: exact_values(2, "high5", np.ones(7462)), "high5"),
        (lambda: exact_values(2, np.zeros(100, dtype=int), np.ones(1)), "1326"),
        (lambda: exact_values(2, np.full(1326, 2), np.ones(3)), "at least one hand"),
        (lambda: exact_hand_values(5, "guts2", np.ones(91)), "allowed are 2 to 3"),
        (lambda: exact_threshold(4, "guts3"), "guts2"),
        (lambda: hand_odds_exact((1, 2, 3, 4), 1), "4 cards"),
        (lambda: hand_odds_exact((1, 1), 1), "twice"),
        (lambda: hand_odds_exact((1, 52), 1), "52"),
        (lambda: hand_odds_exact("As", 1), "whole numbers 0 to 51"),
        (lambda: hand_odds_exact((1, 2), 1, "guts3"), "takes 3"),
        (lambda: hand_odds_exact((1, 2), 10), "allowed are 1 to 9"),
        (lambda: hand_odds_exact((1, 2, 3), 3, "guts3"), "allowed are 1 to 2"),
        (lambda: hand_odds_exact((1, 2), "two"), "n_opponents"),
    ],
)
def test_refused_input(call, words):
    with pytest.raises(InputError, match=words) as error:
        call()
    assert "\n" not in str(error.value)
