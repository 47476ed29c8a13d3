import time

import naive_rounds as naive
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from guts_sim.engine import deal, run_key
from guts_sim.errors import InputError
from guts_sim.kernels._jit import kernel
from guts_sim.kernels.deal import LANES, fill_deals, fill_deals_one_by_one, mark_rejected, multiply_high

NOTHING = np.empty(0, np.uint8)
KEY = np.uint64(0xDEC0DE)
P_VALUE_BUDGET = 1e-6


def dealt(n_deals, n_cards, first=0, known=NOTHING, key=KEY, fill=fill_deals):
    out = np.full((n_deals, n_cards), 255, np.uint8)
    fill(np.uint64(key), np.uint64(first), np.asarray(known, np.uint8), out)
    return out


@kernel
def digits_of_every_piece(span, least, digits, rejected):
    pieces = np.empty(LANES, np.uint16)
    for start in range(0, 65536, LANES):
        for lane in range(LANES):
            pieces[lane] = np.uint16(start + lane)
            rejected[start + lane] = np.uint16(0)
        multiply_high(pieces, span, digits[start:])
        mark_rejected(pieces, span, least, rejected[start:])


@pytest.mark.parametrize("span", range(1, 53))
def test_every_digit_comes_from_equally_many_pieces(span):
    digits, rejected = np.empty(65536, np.uint16), np.empty(65536, np.uint16)
    digits_of_every_piece(np.uint16(span), np.uint16(65536 % span), digits, rejected)
    counts = np.bincount(digits[rejected == 0], minlength=span)
    assert counts.tolist() == [65536 // span] * span


@pytest.mark.parametrize("n_cards", [1, 2, 3, 4, 7, 15, 28, 49, 52])
@pytest.mark.parametrize("first", [0, 1, 255, 2**53 - 700])
def test_lanes_equal_the_scalar_twin(n_cards, first):
    lanes = dealt(600, n_cards, first)
    assert np.array_equal(lanes, dealt(600, n_cards, first, fill=fill_deals_one_by_one))


@settings(deadline=None, max_examples=60)
@given(
    key=st.integers(0, 2**64 - 1),
    first=st.integers(0, 2**53),
    known=st.sets(st.integers(0, 51), max_size=12),
    n_cards=st.integers(1, 40),
)
def test_deals_equal_the_plain_python_twin(key, first, known, n_cards):
    cards = dealt(7, n_cards, first, sorted(known), key)
    assert cards.tolist() == [naive.deal(key, first + i, n_cards, known) for i in range(7)]


@pytest.mark.parametrize("n_cards", [15, 52])
def test_redrawn_deals_equal_the_plain_python_twin(n_cards):
    redrawn = [d for d in range(3000) if naive.digits(int(KEY), d, n_cards, 52)[1] > 0]
    assert len(redrawn) > 3
    cards = dealt(3000, n_cards)
    for number in redrawn:
        assert cards[number].tolist() == naive.deal(int(KEY), number, n_cards)


@settings(deadline=None)
@given(cuts=st.lists(st.integers(1, 1499), max_size=6, unique=True), first=st.integers(0, 10**12))
def test_any_split_gives_the_same_deals(cuts, first):
    whole = dealt(1500, 6, first)
    edges = [0, *sorted(cuts), 1500]
    parts = [dealt(stop - start, 6, first + start) for start, stop in zip(edges, edges[1:])]  # noqa: RUF007
    assert np.array_equal(whole, np.concatenate(parts))


def check_no_card_twice(cards):
    assert cards.max() < 52
    seen = np.zeros(cards.shape[0], np.uint64)
    for column in cards.T:
        bit = np.uint64(1) << column.astype(np.uint64)
        assert not (seen & bit).any()
        seen |= bit


def chi_square_p(counts, expected):
    from scipy.stats import chi2

    statistic = ((counts - expected) ** 2 / expected).sum()
    return chi2.sf(statistic, counts.size - 1)


def check_uniform(n_deals, first):
    """No repeats; every position sees every card, and pairs of positions every ordered pair, equally often."""
    by_position = np.zeros((15, 52))
    by_pair = np.zeros((3, 52 * 52))
    pairs = [(0, 1), (0, 14), (6, 9)]
    for start in range(0, n_deals, 10**6):
        cards = dealt(10**6, 15, first + start)
        check_no_card_twice(cards)
        for position in range(15):
            by_position[position] += np.bincount(cards[:, position], minlength=52)
        for row, (a, b) in enumerate(pairs):
            by_pair[row] += np.bincount(cards[:, a].astype(np.int64) * 52 + cards[:, b], minlength=52 * 52)
    for counts in by_position:
        assert chi_square_p(counts, n_deals / 52) > P_VALUE_BUDGET
    off_diagonal = ~np.eye(52, dtype=bool).ravel()
    for counts in by_pair:
        assert counts[~off_diagonal].sum() == 0
        assert chi_square_p(counts[off_diagonal], n_deals / (52 * 51)) > P_VALUE_BUDGET


def test_a_million_deals_are_uniform():
    check_uniform(10**6, first=0)


@pytest.mark.slow
def test_ten_million_deals_are_uniform():
    check_uniform(10**7, first=10**9)


@pytest.mark.slow
def test_neighbouring_deals_are_independent():
    """Deals that share their words: ordered pairs of the first cards of deals d and d + lag."""
    cards = dealt(10**7, 2, 0)[:, 0].astype(np.int64)
    for lag in (1, 2, 3, 4, 256):
        counts = np.bincount(cards[:-lag] * 52 + cards[lag:], minlength=52 * 52)
        assert chi_square_p(counts, counts.sum() / 52**2) > P_VALUE_BUDGET


def test_whole_decks_are_permutations():
    assert (np.sort(dealt(2000, 52), axis=1) == np.arange(52)).all()


@pytest.mark.parametrize("known", [[0], [51], [0, 1, 2, 51], list(range(0, 52, 4))])
def test_known_cards_never_appear_and_all_others_do(known):
    cards = dealt(4000, 8, known=known)
    check_no_card_twice(cards)
    assert set(np.unique(cards)) == set(range(52)) - set(known)


def test_public_deal_shape_seat_order_and_repeatability():
    hands = deal(300, 5, 3, seed=11)
    assert hands.shape == (300, 5, 3)
    assert hands.dtype == np.uint8
    assert np.array_equal(hands, dealt(300, 15, key=run_key(11)).reshape(300, 5, 3))
    assert np.array_equal(deal(200, 5, 3, seed=11, first=100), hands[100:])
    assert not np.array_equal(hands, deal(300, 5, 3, seed=12))
    assert not np.array_equal(deal(300, 5, 3), deal(300, 5, 3))


def test_public_deal_accepts_known_cards_in_any_order_and_counts_as_floats():
    hands = deal(1e3, 10, 5, seed=0, known=[51, 0])
    check_no_card_twice(hands.reshape(1000, 50))
    assert not np.isin(hands, [0, 51]).any()


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        ((10, 18, 3), {}, r"18 players x 3 cards need 54 cards, but the deck has 52 \(at most 17 players\)"),
        ((10, 26, 2), {"known": [5]}, r"need 52 cards, but the deck has 51 \(at most 25 players\)"),
        ((0, 5, 3), {}, "n_deals must be a whole number"),
        ((1.5, 5, 3), {}, "n_deals must be a whole number"),
        ((10, True, 3), {}, "n_players must be a whole number"),
        ((10, 5, "3"), {}, "hand_size must be a whole number"),
        ((10, 5, 3), {"first": -1}, "first must be a whole number"),
        ((10, 5, 3), {"seed": -1}, "seed must be an integer"),
        ((10, 5, 3), {"known": [52]}, "known card must be a whole number from 0 to 51, got 52"),
        ((10, 5, 3), {"known": [3, 3]}, "card 3 is given twice"),
    ],
)
def test_public_deal_refuses(arguments, options, message):
    with pytest.raises(InputError, match=message) as refusal:
        deal(*arguments, **options)
    assert "\n" not in str(refusal.value)


@pytest.mark.slow
def test_lanes_are_vectorised():
    """A compiler that loses the vector code loses a factor of ten here, so a factor of two tells."""
    out = np.empty((200_000, 15), np.uint8)

    def seconds(fill):
        start = time.process_time()
        fill(KEY, np.uint64(0), NOTHING, out)
        return time.process_time() - start

    lanes = min(seconds(fill_deals) for _ in range(5))
    one_by_one = min(seconds(fill_deals_one_by_one) for _ in range(5))
    assert one_by_one / lanes > 2
