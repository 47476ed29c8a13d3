"""Strategies of the user's: tables and functions give the same rounds, lanes and scalar code the same counts."""

import pickle
from concurrent.futures import ThreadPoolExecutor

import numba
import numpy as np
import pytest

from guts_sim.engine import players, rounds
from guts_sim.engine.rounds import simulate_rounds
from guts_sim.engine.seeds import PURPOSE_ENTRY, run_key
from guts_sim.engine.tables import simulate_tables
from guts_sim.errors import InputError
from guts_sim.hands import class_index, guts_table
from guts_sim.kernels import carry, hybrid
from guts_sim.kernels import guts as guts_kernel
from guts_sim.rules import get_rules
from guts_sim.strategy import parse_field

ACE_FOUR = class_index("A4", "guts2")
PAIR_OF_NINES = class_index("99T", "guts3")
PROBABILITIES = np.linspace(0.0, 1.0, 91) ** 2


def ace_four(hand_class, player, pot, cards):
    return hand_class >= ACE_FOUR


def nines(hand_class, player, pot, cards):
    return hand_class >= PAIR_OF_NINES


def mixes(hand_class, player, pot, cards):
    return PROBABILITIES[hand_class]


def any_spade(hand_class, player, pot, cards):
    return cards[0] % 4 == 3 or cards[1] % 4 == 3


def by_pot_and_seat(hand_class, player, pot, cards):
    if pot <= 5 and cards[0] > cards[1]:
        return hand_class > 60 + player
    return hand_class > 70


def same_rounds(one, other):
    return np.array_equal(one.joint, other.joint) and np.array_equal(one.seats, other.seats)


def same_tables(one, other):
    return same_rounds(one.rounds, other.rounds) and all(
        np.array_equal(getattr(one, name), getattr(other, name))
        for name in ("won", "paid", "n_ended", "n_abandoned", "peak_pot", "peak_reserve", "chips_left")
    )


SAME = [
    (2, ace_four, "A4+"),
    (2, mixes, PROBABILITIES),
    (3, nines, "99T+"),
    (2, lambda hand_class, player, pot, cards: True, "always"),
    (2, lambda hand_class, player, pot, cards: 0.0, "never"),
    (2, lambda hand_class, player, pot, cards: 0.25, np.full(91, 0.25)),
    (2, lambda hand_class, player, pot, cards: 7, "always"),
]


@pytest.mark.parametrize(("hand_size", "function", "table"), SAME)
def test_a_function_plays_exactly_like_its_table(hand_size, function, table):
    options = {"hand_size": hand_size, "n_rounds": 20_000, "seed": 3}
    assert same_rounds(simulate_rounds(5, function, **options), simulate_rounds(5, table, **options))
    one_of_each = [table, function, table, function]
    assert same_rounds(simulate_rounds(4, one_of_each, **options), simulate_rounds(4, table, **options))


def test_tables_with_functions_carry_the_same_pots():
    options = {"n_tables": 900, "rounds_per_table": 30, "seed": 3}
    for rules in ("two-card", "home"):
        for function, table in ((ace_four, "A4+"), (mixes, PROBABILITIES)):
            played = simulate_tables(4, [function, table, table, function], rules=rules, **options)
            assert same_tables(played, simulate_tables(4, table, rules=rules, **options))


def scalar_rounds(seats, n_rounds, pot, seed, first=0):
    joint = np.empty((seats.n_players + 1, seats.n_players + 1), np.int64)
    totals = np.empty((seats.n_players, 5), np.int64)
    twin = hybrid.count_rounds_with(seats.functions, seats.hand_size)
    twin(
        run_key(seed), run_key(seed, PURPOSE_ENTRY), np.uint64(first), n_rounds, seats.hand_size, seats.table,
        seats.thresholds, seats.strategy_of, seats.function_of, pot, joint, totals,
    )  # fmt: skip
    return rounds.RoundCounts(seed, n_rounds, True, joint, totals)


MIXED_SEATS = [any_spade, "top:30%", mixes, by_pot_and_seat, any_spade]


def test_rounds_equal_the_scalar_twin():
    seats = players.seats_for(5, MIXED_SEATS, parse_field("never", rounds.default_ranking(2)).ranking)
    for first, n_rounds in ((0, 9000), (12345, 300)):
        fast = simulate_rounds(5, MIXED_SEATS, n_rounds=n_rounds, first=first, pot=4, seed=8)
        assert same_rounds(fast, scalar_rounds(seats, n_rounds, 4, 8, first))


def test_tables_equal_the_scalar_twin():
    rules = get_rules("two-card")
    seats = players.seats_for(5, MIXED_SEATS, rules.ranking)
    fast = simulate_tables(5, MIXED_SEATS, n_tables=300, rounds_per_table=40, seed=8)
    joint, totals = np.empty((6, 6), np.int64), np.empty(5, np.int64)
    counts, chips = np.empty((5, 5), np.int64), np.empty((5, 2), np.int64)
    hybrid.carry_rounds_with(seats.functions, 2)(
        run_key(8), run_key(8, PURPOSE_ENTRY), np.uint64(0), 300, 40, 2, seats.table, seats.thresholds,
        seats.strategy_of, seats.function_of, np.array([1, 20, 0, carry.LARGEST_MAX_POT, 5]),
        joint, counts, chips, totals,
    )  # fmt: skip
    assert np.array_equal(fast.rounds.joint, joint)
    assert np.array_equal(fast.rounds.seats, counts)
    assert fast.won.tolist() == chips[:, 0].tolist()
    assert fast.paid.tolist() == chips[:, 1].tolist()
    assert [fast.n_ended, fast.n_abandoned, fast.peak_pot, fast.peak_reserve, fast.chips_left] == totals.tolist()


def test_functions_see_the_pot_their_table_plays_for():
    """One who plays only for the opening pot enters as often as cycles have their opening pot on the table."""
    tables = simulate_tables(
        3,
        [lambda hand_class, player, pot, cards: pot == 3, "always", "always"],
        rules=get_rules("home", nobody_in="hold"),
        n_tables=500,
        rounds_per_table=20,
        seed=2,
    )
    n_rounds = 10_000
    entered = tables.rounds.seats[0, 0]
    assert 0 < entered < n_rounds
    assert entered >= tables.n_tables + tables.n_ended - 500  # an ended cycle opens again, perhaps after the last round


def test_cards_and_classes_that_functions_see_belong_together():
    table = guts_table("guts2")

    def consistent(hand_class, player, pot, cards):
        return table[13 * (cards[0] // 4) + cards[1] // 4] == hand_class and 0 <= player < 4 and pot == 17

    counts = simulate_rounds(4, consistent, n_rounds=30_000, pot=17, seed=1)
    assert counts.joint[4].sum() == 30_000


def test_counts_do_not_depend_on_blocks_workers_or_executor():
    whole = simulate_rounds(5, MIXED_SEATS, n_rounds=30_000, seed=5, workers=1)
    assert same_rounds(whole, simulate_rounds(5, MIXED_SEATS, n_rounds=30_000, seed=5, block_size=1000, workers=3))
    with ThreadPoolExecutor(2) as pool:
        pooled = simulate_rounds(5, MIXED_SEATS, n_rounds=30_000, seed=5, block_size=7000, executor=pool)
    assert same_rounds(whole, pooled)
    one = simulate_rounds(5, MIXED_SEATS, n_rounds=10_001, seed=5)
    other = simulate_rounds(5, MIXED_SEATS, n_rounds=19_999, first=10_001, seed=5)
    assert np.array_equal(whole.joint, one.joint + other.joint)


def test_tasks_survive_the_way_to_another_process():
    seats = players.seats_for(3, [lambda h, p, pot, cards: h > 40, "A4+", mixes], rounds.default_ranking(2))
    task = rounds._RoundTask(seats, run_key(1), run_key(1, PURPOSE_ENTRY), 3)
    again = pickle.loads(pickle.dumps(task))
    here, there = task(0, 3000), again(0, 3000)
    assert np.array_equal(here.joint, there.joint)
    assert np.array_equal(here.seats, there.seats)


def test_functions_compiled_by_the_user_and_each_function_once():
    @numba.njit
    def own(hand_class, player, pot, cards):
        return hand_class >= ACE_FOUR

    assert hybrid.compiled(own) is own
    assert hybrid.compiled(ace_four) is hybrid.compiled(ace_four)
    assert same_rounds(simulate_rounds(3, own, n_rounds=5000, seed=1), simulate_rounds(3, "A4+", n_rounds=5000, seed=1))


def test_averages():
    counts = simulate_rounds(5, "A4+", n_rounds=400_000, seed=6)
    # Exact counting: entry 119/663, P(nobody) .354425.
    assert abs(counts.entry_prob - 119 / 663).max() < 5 * (0.15 / 400_000) ** 0.5
    assert abs(counts.nobody_prob - 0.354425) < 5 * (0.23 / 400_000) ** 0.5
    assert (counts.net_stderr < 0.001).all()
    assert abs(counts.net - counts.net.mean()).max() < 5 * counts.net_stderr.max()
    tables = simulate_tables(5, "A4+", n_tables=3000, rounds_per_table=20, seed=6)
    assert sum(tables.won) - sum(tables.paid) + 2520 * tables.chips_left == 0
    assert np.allclose(tables.net.sum() * 60_000, -tables.chips_left)


def test_constants_are_the_kernels():
    assert players.ALWAYS == guts_kernel.ALWAYS
    assert players.TABLE_DECIDES == hybrid.TABLE_DECIDES
    assert rounds.MAX_CARRIED_POT == carry.LARGEST_MAX_POT
    assert rounds.MONEY_UNITS == guts_kernel.UNITS


def bad_name(hand_class, player, pot, cards):
    return undefined_name  # noqa: F821


def bad_index(hand_class, player, pot, cards):
    return cards[2] > 3


def bad_answer(hand_class, player, pot, cards):
    return "in"


def no_answer(hand_class, player, pot, cards):
    pass


def raises(hand_class, player, pot, cards):
    raise ValueError("no idea")


class Bot:
    def __call__(self, hand_class, player, pot, cards):
        return True


@pytest.mark.parametrize(
    ("strategy", "message"),
    [
        (bad_name, r"strategies\[0\]: numba cannot compile and run bad_name.*undefined_name"),
        (bad_index, "numba cannot compile and run bad_index"),
        (bad_answer, "bad_answer must return True or False, or a probability, got 'in'"),
        (no_answer, "no_answer must return True or False, or a probability, got None"),
        (raises, "numba cannot compile and run raises.*no idea"),
        (lambda hand_class: True, "numba cannot compile and run <lambda>"),
        (Bot(), "numba cannot compile and run Bot"),
        ("A4++", "A4"),
        (np.ones(90), r"an array of 91 entry probabilities is wanted, got shape \(90,\)"),
        (np.full(91, 1.5), "must lie between 0 and 1"),
        (np.full(91, np.nan), "must lie between 0 and 1"),
        ([0.5] * 90, "91 entry probabilities"),
        (None, "is no strategy"),
        ({"A": 1}, "is no strategy"),
        (["A4+"] * 4, "4 given for 5 players"),
        ([], "0 given for 5 players"),
        (parse_field("99T+", rounds.default_ranking(3)), "is for guts3, but the hands are ranked by guts2"),
    ],
)
def test_strategies_that_are_refused(strategy, message):
    with pytest.raises(InputError, match=message) as refusal:
        simulate_rounds(5, strategy, n_rounds=10, seed=1)
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: simulate_rounds(1, "A4+"), "n_players must be a whole number from 2 to 10"),
        (lambda: simulate_rounds(5, "A4+", hand_size=4), "hand_size must be a whole number from 2 to 3"),
        (lambda: simulate_rounds(5, "A4+", ranking="guts3"), "guts3 does not compare hands of 2 cards"),
        (lambda: simulate_rounds(5, "A4+", ranking="high5"), "high5 does not compare hands of 2 cards"),
        (lambda: simulate_rounds(5, "A4+", n_rounds=0), "must be a whole number"),
        (lambda: simulate_rounds(5, "A4+", pot=0), "pot must be a whole number"),
        (lambda: simulate_tables(5, "A4+", rules=get_rules("two-card", reserve=False)), "a cap needs a reserve"),
        (lambda: simulate_tables(5, "A4+", rules=get_rules("home", ghost="lone")), "simulate_tables: not solved with"),
        (lambda: simulate_tables(5, "A4+", rules=get_rules("home", ante_every_round=True)), "every round"),
        (lambda: simulate_tables(5, "A4+", rules="unknown"), "unknown"),
        (lambda: simulate_tables(5, "A4+", max_pot=4), "max_pot must be a whole number from 20"),
        (lambda: simulate_tables(5, "A4+", rounds_per_table=10**6), "rounds_per_table must be a whole number"),
    ],
)
def test_arguments_that_are_refused(call, message):
    with pytest.raises(InputError, match=message) as refusal:
        call()
    assert "\n" not in str(refusal.value)
