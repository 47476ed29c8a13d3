"""Showdowns of one and of seven cards: scalar twins, the plain rules, and exact values."""

import naive_hands
import naive_rounds as naive
import numpy as np
import pytest

from guts_sim.kernels.anaconda import N_CATEGORIES, count_seven_cards
from guts_sim.kernels.deal import fill_deals
from guts_sim.kernels.indian import MAX_TIED, count_one_card
from guts_sim.kernels.scalar import count_one_card_scalar, count_seven_cards_scalar

KEY = np.uint64(1984)

# P(the highest rank is shared) for 2 .. 10 players with one card each, by counting the ways to deal the top rank.
TOP_RANK_SHARED = [0.058824, 0.087059, 0.116447, 0.145938, 0.175541, 0.205230, 0.234980, 0.264763, 0.294549]

# Seven-card hands of each category, of 133,784,560; the figures every table of seven-card frequencies gives.
SEVEN_CARD_HANDS = [23294460, 58627800, 31433400, 6461620, 6180020, 4047644, 3473184, 224848, 41584]
ALL_SEVEN_CARD_HANDS = 133_784_560


def one_card(n_deals, n_players, first=0, kernel=count_one_card):
    tied = np.full(MAX_TIED + 1, -1, np.int64)
    seats = np.full((n_players, 2), -1, np.int64)
    kernel(KEY, np.uint64(first), n_deals, n_players, tied, seats)
    return tied, seats


def seven_cards(n_deals, n_players, first=0, kernel=count_seven_cards):
    tied = np.full(n_players + 1, -1, np.int64)
    seats = np.full((n_players, 2), -1, np.int64)
    categories = np.full((n_players, N_CATEGORIES), -1, np.int64)
    kernel(KEY, np.uint64(first), n_deals, n_players, tied, seats, categories)
    return tied, seats, categories


def assert_near(count, n, probability):
    """Within 5 standard errors: an error budget of 6e-7 per check."""
    assert abs(count - n * probability) < 5 * (n * probability * (1 - probability)) ** 0.5


def shares_of(values, tied, seats):
    """Count one showdown of any comparable values."""
    winners = [seat for seat, value in enumerate(values) if value == max(values)]
    tied[len(winners)] += 1
    for seat in winners:
        seats[seat, int(len(winners) > 1)] += 1


@pytest.mark.parametrize("n_players", range(2, 11))
@pytest.mark.parametrize(("first", "n_deals"), [(0, 1), (3, 256), (2**45 + 1, 1500)])
def test_one_card_equals_its_twin(n_players, first, n_deals):
    fast = one_card(n_deals, n_players, first)
    slow = one_card(n_deals, n_players, first, count_one_card_scalar)
    assert all(np.array_equal(a, b) for a, b in zip(fast, slow))


@pytest.mark.parametrize("n_players", range(2, 8))
@pytest.mark.parametrize(("first", "n_deals"), [(0, 1), (3, 256), (2**45 + 1, 700)])
def test_seven_cards_equal_their_twin(n_players, first, n_deals):
    fast = seven_cards(n_deals, n_players, first)
    slow = seven_cards(n_deals, n_players, first, count_seven_cards_scalar)
    assert all(np.array_equal(a, b) for a, b in zip(fast, slow))


def test_one_card_equals_the_plain_rules():
    tied, seats = np.zeros(MAX_TIED + 1, np.int64), np.zeros((6, 2), np.int64)
    for number in range(800):
        shares_of([card // 4 for card in naive.deal(int(KEY), number, 6)], tied, seats)
    fast = one_card(800, 6)
    assert np.array_equal(fast[0], tied)
    assert np.array_equal(fast[1], seats)


@pytest.mark.parametrize("n_players", [2, 7])
def test_seven_cards_equal_the_plain_rules(n_players):
    n_deals = 150
    tied, seats = np.zeros(n_players + 1, np.int64), np.zeros((n_players, 2), np.int64)
    categories = np.zeros((n_players, N_CATEGORIES), np.int64)
    deals = np.empty((n_deals, 7 * n_players), np.uint8)
    fill_deals(KEY, np.uint64(0), np.empty(0, np.uint8), deals)
    for cards in deals.tolist():
        hands = [naive_hands.high5(cards[7 * seat : 7 * seat + 7]) for seat in range(n_players)]
        shares_of(hands, tied, seats)
        for seat, (category, _) in enumerate(hands):
            categories[seat, category] += 1
    assert all(np.array_equal(a, b) for a, b in zip(seven_cards(n_deals, n_players), (tied, seats, categories)))


def test_one_card_exact_values():
    n = 1_000_000
    for n_players, shared in zip(range(2, 11), TOP_RANK_SHARED):
        tied, seats = one_card(n, n_players)
        assert tied[0] == 0
        assert tied.sum() == n
        assert_near(tied[2:].sum(), n, shared)
        for seat in seats:
            assert_near(seat[0], n, (1 - shared) / n_players)
    tied, seats = one_card(n, 2)
    assert_near(tied[2], n, 1 / 17)
    assert_near(seats[0, 0], n, 8 / 17)


@pytest.mark.parametrize("n_players", [2, 4, 7])
def test_seven_cards_categories_and_seats(n_players):
    n = 300_000
    tied, seats, categories = seven_cards(n, n_players)
    assert tied[0] == 0
    assert tied.sum() == n
    assert (categories.sum(axis=1) == n).all()
    for seat in range(n_players):
        for category, hands in enumerate(SEVEN_CARD_HANDS):
            assert_near(categories[seat, category], n, hands / ALL_SEVEN_CARD_HANDS)
    for column in range(2):
        mean = seats[:, column].mean()
        assert (abs(seats[:, column] - mean) < 5 * mean**0.5).all()
    assert seats[:, 0].sum() == tied[1]
    assert seats[:, 1].sum() == (tied * np.arange(n_players + 1))[2:].sum()


@pytest.mark.parametrize("count", [one_card, seven_cards])
def test_any_split_gives_the_same_counts(count):
    whole = count(3000, 5)
    for cut in (1, 255, 2050):
        parts = count(cut, 5), count(3000 - cut, 5, first=cut)
        for total, one, other in zip(whole, *parts):
            assert np.array_equal(total, one + other)


@pytest.mark.slow
def test_seven_cards_chi_square():
    from scipy.stats import chi2

    n = 20_000_000
    _, _, categories = seven_cards(n, 1)
    expected = n * np.array(SEVEN_CARD_HANDS) / ALL_SEVEN_CARD_HANDS
    statistic = ((categories[0] - expected) ** 2 / expected).sum()
    assert chi2.sf(statistic, N_CATEGORIES - 1) > 1e-6
