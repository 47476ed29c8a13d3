"""Rankings, classes and names, and showdowns as a user asks for them."""

import doctest
import itertools
import json
from collections import Counter
from pathlib import Path

import naive_hands as naive
import numpy as np
import pytest

import guts_sim.cards
from guts_sim import hands
from guts_sim.cards import parse_cards
from guts_sim.errors import InputError
from guts_sim.hands import classes, evaluation, rankings
from guts_sim.studies import hands as studies_hands
from guts_sim.studies.hands import compare_hands, frequency_table, rank_hand

CASES = json.loads((Path(__file__).parent / "data" / "hand_cases.json").read_text(encoding="utf-8"))
GUTS3_SWITCHES = {
    "guts3": {},
    "guts3-plain": {"straights_flushes": False},
    "guts3-trips-top": {"trips_above_straight_flush": True},
    "guts3-flush-over-straight": {"straight_below_flush": True},
    "guts3-trips-top-flush-over-straight": {"trips_above_straight_flush": True, "straight_below_flush": True},
}
WITH_CLASSES = [name for name in hands.ranking_names() if name != "exposed"]
TABLES = [name for name in WITH_CLASSES if hands.get_ranking(name).family == "table"]


@pytest.fixture(scope="module")
def all_threes():
    return np.array(list(itertools.combinations(range(52), 3)), dtype=np.uint8)


@pytest.mark.parametrize(
    "module", [guts_sim.cards, classes, evaluation, rankings, studies_hands], ids=lambda m: m.__name__
)
def test_examples_of_the_docstrings(module):
    outcome = doctest.testmod(module)
    assert outcome.attempted > 0
    assert outcome.failed == 0


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_known_showdowns(case):
    result = compare_hands(case["hands"], case["ranking"], board=case.get("board"))
    assert [hand.category for hand in result.hands] == case["categories"]
    assert list(result.winners) == case["winners"]


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_the_order_of_the_seats_does_not_matter(case):
    result = compare_hands(case["hands"][::-1], case["ranking"], board=case.get("board"))
    assert sorted(len(case["hands"]) - 1 - seat for seat in result.winners) == case["winners"]


@pytest.mark.parametrize(("name", "switches"), GUTS3_SWITCHES.items())
def test_three_card_orders_equal_the_plain_rules(all_threes, name, switches):
    expected = naive.dense([naive.guts3(cards, **switches) for cards in all_threes.tolist()])
    assert hands.guts3_ranking(**switches) == hands.get_ranking(name)
    assert hands.rank_hands(all_threes, name).tolist() == expected
    assert hands.hand_class(all_threes, name).tolist() == expected


def test_two_card_order_equals_the_plain_rules():
    pairs = np.array(list(itertools.combinations(range(52), 2)), dtype=np.uint8)
    expected = naive.dense([naive.guts2(cards) for cards in pairs.tolist()])
    assert hands.rank_hands(pairs, "guts2").tolist() == expected


@pytest.mark.parametrize(("name", "n_cards"), [("low2", 2), ("low3", 3)])
def test_low_orders_equal_the_plain_rules(name, n_cards):
    every = np.array(list(itertools.combinations(range(52), n_cards)), dtype=np.uint8)
    expected = naive.dense([naive.low_value(cards) for cards in every.tolist()])
    assert hands.rank_hands(every, name).tolist() == expected


def test_best_and_worst_lows():
    assert hands.class_names("low2")[-1] == "2A"
    assert hands.class_names("low3")[-1] == "32A"
    assert hands.class_names("low5")[-1] == "5432A"
    assert hands.class_names("low3")[0] == "KKK"


def test_every_run_in_every_suit_pattern():
    runs = [(12, 1, 0)] + [(low + 2, low + 1, low) for low in range(11)]
    for run in runs:
        patterns = [
            [4 * rank + suit for rank, suit in zip(run, suits)] for suits in itertools.product(range(4), repeat=3)
        ]
        names = hands.get_ranking("guts3").categories
        found = Counter(names[category] for category in hands.hand_category(patterns, "guts3"))
        assert found == {"straight": 60, "straight flush": 4}


def test_the_order_of_three_cards_does_not_matter(all_threes):
    values = hands.rank_hands(all_threes)
    for order in itertools.permutations(range(3)):
        assert (hands.rank_hands(all_threes[:, order]) == values).all()


@pytest.mark.parametrize("name", WITH_CLASSES)
def test_classes_are_complete_and_distinct(name):
    ranking = hands.get_ranking(name)
    names = hands.class_names(name)
    sizes = {1: 52, 2: 1326, 3: 22_100, 5: 2_598_960}
    assert len(names) == len(set(names)) == ranking.n_classes
    assert hands.class_frequencies(name).sum() == sizes[ranking.hand_sizes[0]]
    assert hands.class_frequencies(name).dtype == np.int64
    places = [ranking.categories.index(category) for category in hands.class_categories(name)]
    assert places == sorted(places)


@pytest.mark.parametrize("name", WITH_CLASSES)
def test_names_lead_back_to_their_class(name):
    names = hands.class_names(name)
    for index in range(0, len(names), max(1, len(names) // 200)):
        assert hands.class_index(names[index], name) == index
        assert hands.class_index(names[index].lower(), name) == index


@pytest.mark.parametrize("name", TABLES)
def test_tables_hold_the_class_whatever_the_order(name):
    ranking = hands.get_ranking(name)
    n_cards = ranking.hand_sizes[0]
    every = np.array(list(itertools.combinations(range(52), n_cards)), dtype=np.uint8)
    table = hands.guts_table(name)
    assert table.dtype == np.uint16
    assert table.size == (13, 169, 4394)[n_cards - 1]
    assert table is hands.guts_table(ranking)
    with pytest.raises(ValueError, match="read-only"):
        table[0] = 1
    expected = hands.rank_hands(every, name)
    for order in itertools.permutations(range(n_cards)):
        index = [0] * len(every)
        for cards in every[:, order].T.astype(int):
            index = np.multiply(13, index) + cards // 4
        suited = (every % 4 == every[:, :1] % 4).all(axis=1) & (n_cards == 3)
        assert (table[index + 2197 * suited] == expected).all()
    counts = np.bincount(expected, minlength=ranking.n_classes)
    assert (counts == hands.class_frequencies(name)).all()


def test_named_classes_of_two_and_three_cards():
    assert hands.class_names("guts2")[0] == "32"
    assert hands.class_names("guts2")[77:79] == ("AK", "22")
    three = hands.class_names("guts3")
    assert three[0] == "532"
    assert {"777", "99K", "K98", "K98-flush", "987-straight", "987-straight-flush", "32A-straight"} <= set(three)
    assert three[-12] == "32A-straight-flush"
    assert three[-1] == "AKQ-straight-flush"
    assert hands.class_names("guts3-plain")[-14:-12] == ("AAK", "222")
    assert Counter(hands.class_categories("guts3")) == {
        "straight flush": 12, "trips": 13, "straight": 12, "flush": 274, "pair": 156, "high card": 274,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("spelling", "name"),
    [
        ("7j", "J7"), ("10 9", "T9"), ("aa", "AA"), ("k99", "99K"), ("9k9", "99K"), ("A23-straight", "32A-straight"),
        ("789_Straight_Flush", "987-straight-flush"), ("89K Flush", "K98-flush"), ("8 k 9", "K98"),
    ],
)  # fmt: skip
def test_spellings_of_class_names(spelling, name):
    ranking = "guts2" if len(name) == 2 else "guts3"
    assert hands.class_names(ranking)[hands.class_index(spelling, ranking)] == name


@pytest.mark.parametrize(
    ("name", "ranking", "message"),
    [
        ("987", "guts3", "write 987-straight or 987-straight-flush"),
        ("K98-straight", "guts3", "write K98 or K98-flush"),
        ("99K-flush", "guts3", "write 99K"),
        ("K98-flush", "guts3-plain", "write K98"),
        ("AK", "guts3", "no class of guts3"),
        ("AKQ", "guts2", "no class of guts2"),
        ("", "guts2", "no class of guts2"),
        ("AX", "guts2", "rank 'X' not understood"),
        ("AsKd", "guts2", "rank"),
        (77, "guts2", "got 77"),
        ("AA", "exposed", "no list of classes"),
        ("AA", "guts9", "unknown ranking 'guts9'; choose from guts2"),
    ],
)
def test_refused_class_names(name, ranking, message):
    with pytest.raises(InputError, match=message):
        hands.class_index(name, ranking)


def test_switches_that_contradict_each_other():
    with pytest.raises(InputError, match="need straights_flushes=True"):
        hands.guts3_ranking(straights_flushes=False, straight_below_flush=True)


@pytest.mark.parametrize(
    ("cards", "ranking", "words"),
    [
        ("As Kd", "guts2", "ace high, ace-king"),
        ("6s 6d", "guts2", "pair of sixes"),
        ("7s 7d 7h", "guts3", "three sevens"),
        ("9s 9d Kh", "guts3", "pair of nines, king kicker"),
        ("As 2d 3h", "guts3", "straight, three high"),
        ("As Ks Qs", "guts3", "straight flush, ace high"),
        ("Ks 9s 8s", "guts3", "flush, king-nine-eight"),
        ("Ks 9s 8s", "guts3-plain", "king high, king-nine-eight"),
        ("Qs Qh 9c Qd 9d 8d 5s", "high5", "full house, queens over nines"),
        ("6c Qc Ad 6s Ac 3s 3d", "high5", "two pair, aces and sixes, queen kicker"),
        ("6c 6d 6h 6s Ac 3s 3d", "high5", "four sixes, ace kicker"),
        ("6c 6d 2h 9s Ac 3s 4d", "high5", "pair of sixes, ace-nine-four kickers"),
        ("Ah 2c 3d 4s 5h Kd 9c", "high5", "straight, five high"),
        ("Ah 2c 3d 4s 5h Kd 9c", "low5", "five low, five-four-three-two-ace"),
        ("Ah As 3d 3s 5h", "low5", "two pair, threes and aces, five kicker"),
        ("Kh", "exposed", "king high"),
        ("Kh Kd 9s", "exposed", "pair of kings, nine kicker"),
        ("Kh", "high1", "king high"),
    ],
)
def test_descriptions(cards, ranking, words):
    assert hands.describe_hand(cards, ranking) == words


def test_shapes_and_dtypes():
    block = np.array(parse_cards("As Kd Qc 2h 2d 3c 9s 8s 7s 4d 5d Kh"), dtype=np.uint8).reshape(2, 2, 3)
    ranks = hands.rank_hands(block)
    assert ranks.shape == (2, 2)
    assert ranks.dtype == np.uint16
    assert hands.rank_hands(np.empty((0, 3), dtype=np.uint8)).shape == (0,)
    assert isinstance(hands.rank_hands([0, 5, 9]), np.uint16)
    assert hands.rank_hands([[0, 5, 9, 13, 20]], "high5").dtype == np.int32
    assert hands.hand_class([[0, 5, 9, 13, 20]], "high5").dtype == np.uint16
    assert hands.hand_category([[0, 5, 9, 13, 20]], "high5").shape == (1,)


@pytest.mark.parametrize(
    ("cards", "ranking", "message"),
    [
        ([[0, 1]], "guts3", "needs 3 cards"),
        ([[0, 1, 2, 3]], "guts3", "needs 3 cards"),
        ([[0, 1, 2, 3]], "high5", "needs 5, 6 or 7 cards"),
        ([[0, 1, 2, 3, 4, 5, 6, 7]], "high5", "needs 5, 6 or 7 cards"),
        ([], "guts3", "integer codes"),
        (np.array(5), "guts3", "needs 3 cards"),
        ([[0, 1, 52]], "guts3", r"0\.\.51"),
        ([[0, 1, -1]], "guts3", r"0\.\.51"),
        ([[0, 1, 256]], "guts3", r"0\.\.51"),
        ([[0.0, 1.0, 2.0]], "guts3", "integer codes"),
        ([["As", "Kd", "Qc"]], "guts3", "integer codes"),
        ([[0, 1, 2], [3, 4]], "guts3", "equally many"),
        ([[3, 4, 5], [0, 7, 0]], "guts3", r"card 2c appears twice in hand \(1,\)"),
        ([7, 7], "guts2", "card 3s appears twice"),
        ("As Kd", "guts3", "expected 3 cards, got 2"),
        ([[0, 1, 2]], "nuts3", "unknown ranking"),
        ([[0, 1, 2]], None, "unknown ranking"),
    ],
)
def test_refused_hands(cards, ranking, message):
    with pytest.raises(InputError, match=message):
        hands.rank_hands(cards, ranking)


def test_repeats_may_go_unchecked_for_speed():
    assert hands.rank_hands([[0, 0]], "guts2", check=False) == hands.class_index("22", "guts2")


def test_one_description_at_a_time():
    with pytest.raises(InputError, match="one hand at a time"):
        hands.describe_hand([[0, 1, 2], [4, 5, 6]], "guts3")


def test_rows_of_a_comparison():
    result = compare_hands(["As Kd Qc", [2, 1, 4]], "guts3")
    assert result.rows == [
        {"cards": "As Kd Qc", "category": "straight", "name": "AKQ-straight", "hand_rank": result.hands[0].hand_rank},
        {"cards": "2h 2d 3c", "category": "pair", "name": "223", "hand_rank": hands.class_index("223", "guts3")},
    ]
    assert list(result.frame.columns) == ["cards", "category", "name", "hand_rank"]
    assert rank_hand("As Kd Qc").rows == result.rows[:1]
    assert rank_hand("Kh Kd", "exposed").hand_class is None


@pytest.mark.parametrize(
    ("hand_list", "ranking", "board", "message"),
    [
        (["7h 7h", "3s Ad"], "high5", "5s 6s Td 6h As", "card 7h appears twice"),
        (["As Kd Qc", "As 2d 3c"], "guts3", None, "card As is in hand 0 and in hand 1"),
        (["5s Kd", "7c 2d"], "high5", "5s 6s Td 6h As", "card 5s is on the board and in hand 0"),
        (["As Kd"], "guts3", None, "needs 3 cards, hand 0 has 2"),
        (["As Kd", "Qh"], "high5", "5s 6s Td", "hand 1 has 1 and 3 on the board"),
        (["As Kd", "Qh"], "exposed", None, "equally many"),
        ([], "guts3", None, "at least one hand"),
        ("As Kd Qc", "guts3", None, "at least one hand"),
    ],
)
def test_refused_showdowns(hand_list, ranking, board, message):
    with pytest.raises(InputError, match=message):
        compare_hands(hand_list, ranking, board=board)


@pytest.mark.parametrize(
    ("n_cards", "ranking", "n_classes", "expected"),
    [
        (1, None, 13, {"high card": 52}),
        (2, None, 91, {"pair": 78, "high card": 1248}),
        (3, "guts3-plain", 455, {"trips": 52, "pair": 3744, "high card": 18_304}),
        (3, None, 741,
         {"straight flush": 48, "trips": 52, "straight": 720, "flush": 1096, "pair": 3744, "high card": 16_440}),
        (5, None, 7462,
         {"straight flush": 40, "quads": 624, "full house": 3744, "flush": 5108, "straight": 10_200,
          "trips": 54_912, "two pair": 123_552, "pair": 1_098_240, "high card": 1_302_540}),
        (7, None, 4824,
         {"straight flush": 41_584, "quads": 224_848, "full house": 3_473_184, "flush": 4_047_644,
          "straight": 6_180_020, "trips": 6_461_620, "two pair": 31_433_400, "pair": 58_627_800,
          "high card": 23_294_460}),
    ],
)  # fmt: skip
def test_frequencies_of_all_hands(n_cards, ranking, n_classes, expected):
    table = frequency_table(n_cards, ranking)
    assert {row["category"]: row["hands"] for row in table.rows} == expected
    assert table.n_classes == n_classes
    assert sum(row["probability"] for row in table.rows) == pytest.approx(1, abs=1e-12)
    if n_cards <= 5:
        assert (table.class_counts == hands.class_frequencies(table.ranking)).all()
        strengths = [hands.get_ranking(table.ranking).categories.index(row["category"]) for row in table.rows]
        assert strengths == sorted(strengths, reverse=True)


def test_five_card_lows_by_top_rank():
    counts = frequency_table(5, "low5").class_counts
    assert (counts == hands.class_frequencies("low5")).all()
    by_top = Counter()
    for item, count in zip(hands.hand_classes("low5"), counts):
        if item.category == "high card":
            by_top[item.name[0]] += int(count)
    assert by_top == {
        "5": 1024, "6": 5120, "7": 15_360, "8": 35_840, "9": 71_680, "T": 129_024, "J": 215_040, "Q": 337_920,
        "K": 506_880,
    }  # fmt: skip
    assert sum(by_top.values()) == 1_317_888


def test_exposed_frequencies_of_four_cards():
    rows = {row["category"]: row["hands"] for row in frequency_table(4).rows}
    assert rows == {"quads": 13, "trips": 2496, "two pair": 2808, "pair": 82_368, "high card": 183_040}


def test_threads_change_nothing():
    alone, together = frequency_table(5), frequency_table(5, n_threads=3)
    assert alone == together
    assert (alone.class_counts == together.class_counts).all()
    assert list(alone.frame.columns) == ["category", "hands", "probability"]


@pytest.mark.parametrize(
    ("n_cards", "ranking", "message"),
    [(0, None, "from 1 to 7"), (8, None, "from 1 to 7"), (2.0, None, "whole number"), (4, "high5", "5, 6 or 7 cards")],
)
def test_refused_tables(n_cards, ranking, message):
    with pytest.raises(InputError, match=message):
        frequency_table(n_cards, ranking)
