"""The scoring kernel against enumeration with fractions."""

from fractions import Fraction
from itertools import combinations

import naive_hands
import naive_rounds
import naive_values
import numpy as np
import pytest

from guts_sim.hands import class_names, get_ranking, guts_table, hand_class
from guts_sim.kernels import score
from guts_sim.kernels._jit import uncached
from guts_sim.kernels.units import VALUE_SCALE
from guts_sim.solve.sampled import hand_sets, set_of_hand

KEY = 0x1234_5678_9ABC_DEF0
STRENGTH = {"guts2": naive_hands.guts2, "guts3": naive_hands.guts3}


def classes_by_hand(ranking_name):
    """Class of every hand by its sorted cards."""
    size = get_ranking(ranking_name).hand_sizes[0]
    hands = list(combinations(range(52), size))
    return dict(zip(hands, naive_hands.dense([STRENGTH[ranking_name](hand) for hand in hands])))


@pytest.fixture(scope="module", params=["guts2", "guts3"])
def ranking(request):
    return get_ranking(request.param)


def kernel_sums(ranking, n_players, entry, first, n_deals):
    sets = hand_sets(ranking)
    sums = np.zeros((3, sets.set_class.size), np.int64)
    size = ranking.hand_sizes[0]
    table = guts_table(ranking)
    score.score_hands(np.uint64(KEY), first, n_deals, n_players - 1, size, entry, table, sets.set_class, sums)
    return sums


def naive_sums(ranking, n_players, entry, first, n_deals):
    """Rows of ``score_hands``, the two rows of values as exact fractions of a unit."""
    size = ranking.hand_sizes[0]
    deals = [naive_rounds.deal(KEY, number, (n_players - 1) * size) for number in range(first, first + n_deals)]
    exact_entry = [Fraction(p) for p in entry.tolist()]
    rows = naive_values.score(deals, size, classes_by_hand(ranking.name), exact_entry)
    labels = naive_values.set_labels(size)
    hands, gains, outs = ([row.get(label, 0) for label in labels] for row in rows)
    return hands, [VALUE_SCALE * gain for gain in gains], [VALUE_SCALE * out for out in outs]


def entry_from(ranking, share):
    """Pure threshold near a share of the classes."""
    n_classes = len(class_names(ranking))
    return (np.arange(n_classes) >= round((1 - share) * n_classes)).astype(float)


@pytest.mark.parametrize("n_players", [2, 3, 5, 10])
@pytest.mark.parametrize("share", [0.0, 0.3, 1.0])
def test_pure_strategies_are_scored_exactly(ranking, n_players, share):
    entry = entry_from(ranking, share)
    n_deals = 4 if ranking.hand_sizes == (2,) else 1
    hands, gains, outs = naive_sums(ranking, n_players, entry, 1000, n_deals)
    sums = kernel_sums(ranking, n_players, entry, 1000, n_deals)
    assert sums[0].tolist() == hands
    assert sums[1].tolist() == gains
    assert sums[2].tolist() == outs


@pytest.mark.parametrize("n_players", [2, 4, 6])
def test_mixed_strategies_are_scored_within_rounding(ranking, n_players):
    n_classes = len(class_names(ranking))
    entry = np.random.default_rng(n_players).integers(0, 9, n_classes) / 8
    hands, *values = naive_sums(ranking, n_players, entry, 77, 2)
    sums = kernel_sums(ranking, n_players, entry, 77, 2)
    assert sums[0].tolist() == hands
    # Every hand of every deal is rounded to the nearest unit; 1e-6 units for the float arithmetic before that.
    half_units = np.array(hands) * (0.5 + 1e-6)
    for row, exact in zip(sums[1:], values):
        assert (np.abs(row - np.array(exact, float)) <= half_units).all()


@pytest.mark.parametrize("n_opponents", [1, 4, 9])
def test_available_hands_are_those_the_remaining_cards_make(ranking, n_opponents):
    size = ranking.hand_sizes[0]
    labels = naive_values.set_labels(size)
    for number in range(20):
        taken = naive_rounds.deal(KEY, number, n_opponents * size)
        left = [card for card in range(52) if card not in taken]
        counts = dict.fromkeys(labels, 0)
        for hand in combinations(left, size):
            counts[naive_values.set_label(hand)] += 1
        sums = kernel_sums(ranking, n_opponents + 1, np.zeros(len(class_names(ranking))), number, 1)
        assert sums[0].tolist() == list(counts.values())


@pytest.mark.parametrize("cuts", [[1, 63, 64, 65], [255, 256, 257], [300, 20, 1]])
def test_any_cut_of_the_deals_gives_the_same_sums(ranking, cuts):
    entry = np.random.default_rng(1).random(len(class_names(ranking)))
    whole = kernel_sums(ranking, 5, entry, 9, sum(cuts))
    starts = 9 + np.cumsum([0, *cuts[:-1]])
    parts = [kernel_sums(ranking, 5, entry, int(start), cut) for start, cut in zip(starts, cuts)]
    assert np.array_equal(whole, sum(parts))


def test_hand_sets_are_told_apart_by_ranks_and_suit_patterns():
    labels = naive_values.set_labels(3)
    place = {label: index for index, label in enumerate(labels)}
    by_renaming = {}
    for hand in combinations(range(52), 3):
        index = set_of_hand(hand)
        assert index == place[naive_values.set_label(hand)]
        assert by_renaming.setdefault(naive_values.suits_renamed(hand), index) == index
    assert len(by_renaming) == len(labels) == score.N_SETS_THREE == 1755


def test_two_card_sets_are_the_classes():
    labels = naive_values.set_labels(2)
    for hand in combinations(range(52), 2):
        index = set_of_hand(hand)
        assert labels[index] == naive_values.set_label(hand)
        assert index == int(hand_class(np.array(hand, np.uint8), "guts2"))
    assert len(labels) == score.N_SETS_TWO


def test_sets_know_their_class_and_frequency(ranking):
    size = ranking.hand_sizes[0]
    sets = hand_sets(ranking)
    classes = classes_by_hand(ranking.name)
    counts = np.zeros(sets.set_class.size)
    for hand in combinations(range(52), size):
        index = set_of_hand(hand)
        counts[index] += 1
        assert sets.set_class[index] == classes[hand]
    assert np.allclose(sets.frequency, counts / counts.sum(), rtol=1e-15)


split_groups, values_of_groups = uncached(score.split_groups), uncached(score.group_values)


def group_values(classes, entry, n_players, n_classes):
    """Step function over the hero's classes that the helpers give for one deal: (out, gain per class)."""
    descending = np.sort(np.array(classes, np.int32))[::-1].copy()
    n_opponents = len(classes)
    group_class, group_size = np.empty(n_opponents, np.int32), np.empty(n_opponents, np.int32)
    stay_out, equal, below = (np.empty(n_opponents) for _ in range(3))
    n_groups = split_groups(descending, entry, group_class, group_size, stay_out)
    out, above = values_of_groups(n_groups, group_class, group_size, stay_out, entry, n_players, equal, below)
    gain = np.full(n_classes, above)
    for g in range(n_groups):
        gain[: group_class[g]] = below[g]
        gain[group_class[g]] = equal[g]
    return out, gain


@pytest.mark.parametrize("n_players", [2, 3, 5, 8])
def test_values_between_groups_of_equal_hands(n_players):
    # Eight classes make ties of several opponents frequent, which dealt hands almost never show.
    rng = np.random.default_rng(n_players)
    for _ in range(6):
        entry = rng.choice([0.0, 0.25, 0.5, 1.0], 8)
        classes = rng.integers(0, 8, n_players - 1).tolist()
        out, gain = group_values(classes, entry, n_players, 8)
        chances = [Fraction(p) for p in entry.tolist()]
        for hero in range(8):
            exact_in, exact_out = naive_values.values_against(n_players, hero, classes, chances)
            assert out == pytest.approx(float(exact_out), abs=1e-14)
            assert gain[hero] == pytest.approx(float(exact_in - exact_out), abs=1e-14)


def test_largest_sum_of_a_group_fits_32_bits():
    most_hands_of_a_set, most_pots = 24, 2
    assert most_hands_of_a_set * most_pots * VALUE_SCALE * score.GROUP < 2**31
    assert score.LANES % score.GROUP == 0
