"""The bit evaluators of five to seven and of exposed cards against the plain rules."""

import itertools
import re

import naive_hands as naive
import numba.core.caching
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from guts_sim import hands
from guts_sim.cards import parse_cards
from guts_sim.hands import keys as key_layout
from guts_sim.kernels import _jit, evaluate

NAIVE = {"high5": naive.high5, "low5": naive.low5, "exposed": naive.exposed}


def random_hands(n_hands, n_cards, seed, deck=52):
    """Hands without repeats; a short deck of high cards makes rare categories common."""
    rng = np.random.default_rng(seed)
    return (51 - np.argsort(rng.random((n_hands, deck)), axis=1)[:, :n_cards]).astype(np.uint8)


def suit_masks(cards):
    masks = np.zeros((4, len(cards)), dtype=np.uint16)
    for column in cards.T:
        masks[column % 4, np.arange(len(cards))] |= np.left_shift(1, column // 4, dtype=np.uint16)
    return masks


@pytest.mark.parametrize("deck", [52, 32, 16])
@pytest.mark.parametrize(
    ("ranking", "n_cards"), [*itertools.product(["high5", "low5"], [5, 6, 7]), *(("exposed", n) for n in (1, 2, 3, 4))]
)
def test_keys_order_random_hands_like_the_plain_rules(ranking, n_cards, deck):
    cards = random_hands(1500, n_cards, seed=n_cards, deck=deck)
    values = [NAIVE[ranking](hand) for hand in cards.tolist()]
    keys = hands.rank_hands(cards, ranking)
    assert naive.dense(keys.tolist()) == naive.dense(values)
    names = [hands.get_ranking(ranking).categories[index] for index in hands.hand_category(cards, ranking)]
    assert names == [naive.HIGH5_ORDER[abs(category)] for category, _ in values]


@settings(max_examples=300, deadline=None)
@given(st.integers(5, 7), st.data())
def test_any_two_hands_compare_like_the_plain_rules(n_cards, data):
    deck = st.integers(0, data.draw(st.sampled_from([15, 27, 51])))
    first, second = (data.draw(st.lists(deck, min_size=n_cards, max_size=n_cards, unique=True)) for _ in range(2))
    for ranking in ("high5", "low5"):
        fast = np.sign(np.diff(hands.rank_hands([first, second], ranking)))[0]
        slow = [NAIVE[ranking](hand) for hand in (first, second)]
        assert fast == (slow[0] < slow[1]) - (slow[0] > slow[1])


@pytest.mark.parametrize("ranking", ["high5", "low5"])
def test_one_hand_of_every_class_is_found_in_its_class(ranking):
    """All 7,462 high and 6,175 low classes give distinct keys in ascending order."""
    cards = np.array([example(item) for item in hands.hand_classes(ranking)], dtype=np.uint8)
    keys = hands.rank_hands(cards, ranking)
    assert (np.diff(keys) > 0).all()
    assert (keys > 0).all()
    assert (hands.hand_class(cards, ranking) == np.arange(len(cards))).all()


def example(item):
    """Some hand of a class: suits that make no flush unless the class is one."""
    if "flush" in item.category:
        return [4 * rank for rank in item.ranks]
    used = dict.fromkeys(item.ranks, 0)
    cards = []
    for place, rank in enumerate(item.ranks):
        # The first card alone is not a club, unless it shares its rank: then the suits differ anyway.
        suit = used[rank] if item.ranks.count(rank) > 1 else int(place == 0)
        used[rank] += 1
        cards.append(4 * rank + suit)
    return cards


@pytest.mark.parametrize("text", ["As Kd Qh Jc Ts 2d 3c", "5c 5d 5h 9s 9c 2d 2h", "2s 4s 6s 8s Ts Kd Kh"])
def test_all_orders_of_seven_cards_are_one_hand(text):
    cards = parse_cards(text)
    orders = np.array(list(itertools.permutations(cards)), dtype=np.uint8)
    for ranking in ("high5", "low5"):
        assert len(np.unique(hands.rank_hands(orders, ranking))) == 1


@given(st.permutations(range(4)), st.integers(0, 2**32 - 1))
@settings(max_examples=50, deadline=None)
def test_suits_are_interchangeable(suits, seed):
    cards = random_hands(50, 7, seed)
    swapped = (cards // 4 * 4 + np.array(suits, dtype=np.uint8)[cards % 4]).astype(np.uint8)
    for ranking in ("high5", "low5"):
        assert (hands.rank_hands(cards, ranking) == hands.rank_hands(swapped, ranking)).all()


@pytest.mark.parametrize("n_hands", [0, 1, 17, 1023, 1024, 1025, 2500])
@pytest.mark.parametrize("n_cards", [5, 6, 7])
def test_rows_columns_and_masks_agree(n_hands, n_cards):
    cards = random_hands(n_hands, n_cards, seed=n_hands)
    from_rows = hands.rank_hands(cards, "high5")
    assert (hands.rank_hands(np.asfortranarray(cards), "high5") == from_rows).all()
    from_masks = np.empty(n_hands, dtype=np.int32)
    evaluate.high5_from_masks(suit_masks(cards), n_cards, from_masks)
    assert (from_masks == from_rows).all()


def test_arrays_that_are_not_contiguous():
    cards = random_hands(60, 14, seed=3)
    expected = hands.rank_hands(np.ascontiguousarray(cards[::2, ::2]), "high5")
    assert (hands.rank_hands(cards[::2, ::2], "high5") == expected).all()
    block = random_hands(60, 7, seed=4).reshape(3, 20, 7)
    expected = hands.rank_hands(block, "high5")
    assert (hands.rank_hands(np.asfortranarray(block), "high5") == expected).all()
    assert expected.shape == (3, 20)


def test_more_cards_never_weaken_a_hand():
    cards = random_hands(2000, 7, seed=5)
    for ranking in ("high5", "low5"):
        five, six, seven = (hands.rank_hands(cards[:, :n], ranking) for n in (5, 6, 7))
        assert (five <= six).all()
        assert (six <= seven).all()


def test_the_layout_of_keys_is_the_kernels():
    for name in ("CATEGORY_SHIFT", "PRIMARY_SHIFT", "LOW_TOP"):
        assert getattr(key_layout, name) == getattr(evaluate, name)
    assert key_layout.RANK_BITS == evaluate.KICKER_BITS
    for category, code in key_layout.CATEGORY_CODES.items():
        if category != "high card":
            assert getattr(evaluate, category.upper().replace(" ", "_")) == code


def test_the_scalar_twin_of_the_lanes():
    cards = random_hands(40, 7, seed=6)
    masks = suit_masks(cards)
    keys = hands.rank_hands(cards, "high5")
    high5_key = _jit.uncached(evaluate.high5_key)
    assert [high5_key(*masks[:, i], 7) for i in range(40)] == keys.tolist()


def test_the_loop_over_lanes_is_vectorised():
    """A cast or a helper that LLVM cannot follow costs a factor of ten, and nothing else would show it."""
    fresh = _jit.kernel(evaluate.high5_from_masks.py_func)
    fresh._cache = numba.core.caching.NullCache()
    fresh(np.zeros((4, 64), dtype=np.uint16), 7, np.empty(64, dtype=np.int32))
    (code,) = fresh.inspect_llvm().values()
    assert re.search(r"and <(8|16|32) x i16>", code)
