"""The fast kernels against their scalar twins, bit for bit, and carried pots against the plain rules."""

from fractions import Fraction

import naive_rounds as naive
import numpy as np
import pytest

from guts_sim.hands import class_index, guts_table
from guts_sim.kernels import carry, scalar
from guts_sim.kernels.guts import ALWAYS, UNITS, count_rounds

KEY, ENTRY_KEY = np.uint64(31), np.uint64(47)


def random_strategies(ranking, n_rows):
    """Never, always and mixed entry, class by class at random."""
    generator = np.random.default_rng(9)
    n_classes = int(guts_table(ranking).max()) + 1
    rows = generator.integers(0, 2**31, (n_rows, n_classes), dtype=np.uint32)
    rows[generator.random(rows.shape) < 0.4] = 0
    rows[generator.random(rows.shape) < 0.4] = ALWAYS
    return rows


def thresholds_from(ranking, weakest):
    row = np.zeros((1, int(guts_table(ranking).max()) + 1), np.uint32)
    row[0, class_index(weakest, ranking) :] = ALWAYS
    return row


def counted(kernel, ranking, rows, strategy_of, n_deals, first=0):
    n_players = len(strategy_of)
    joint = np.full((n_players + 1, n_players + 1), -1, np.int64)
    seats = np.full((n_players, 5), -1, np.int64)
    kernel(
        KEY, ENTRY_KEY, np.uint64(first), n_deals, int(ranking[4]), guts_table(ranking), rows,
        np.array(strategy_of), joint, seats,
    )  # fmt: skip
    return joint, seats


def carried(kernel, ranking, rows, strategy_of, n_tables, n_rounds, rules, first=0):
    """Sums of tables; ``rules``: ante, cap, reante, largest pot."""
    n_players = len(strategy_of)
    sums = (
        np.full((n_players + 1, n_players + 1), -1, np.int64),
        np.full((n_players, 5), -1, np.int64),
        np.full((n_players, 2), -1, np.int64),
        np.full(5, -1, np.int64),
    )
    kernel(
        KEY, ENTRY_KEY, np.uint64(first), n_tables, n_rounds, int(ranking[4]), guts_table(ranking), rows,
        np.array(strategy_of), np.array([*rules, n_players], np.int64), *sums,
    )  # fmt: skip
    return sums


def equal(one, other):
    return all(np.array_equal(a, b) for a, b in zip(one, other))


@pytest.mark.parametrize(("ranking", "seats"), [("guts2", [0, 0]), ("guts2", [0, 1, 2, 1]), ("guts3", list(range(10)))])
def test_counted_rounds_equal_their_twin(ranking, seats):
    rows = random_strategies(ranking, 10)
    for first, n_deals in ((0, 3000), (2**40 + 77, 100)):
        fast = counted(count_rounds, ranking, rows, seats, n_deals, first)
        assert equal(fast, counted(scalar.count_rounds_scalar, ranking, rows, seats, n_deals, first))


RULES = [(1, 0, 0, 1 << 22), (1, 20, 0, 1 << 22), (3, 7, 1, 500), (1, 0, 1, 64)]


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize(("ranking", "seats"), [("guts2", [0, 1]), ("guts3", [0, 1, 2, 3, 4, 0])])
def test_carried_pots_equal_their_twin(rules, ranking, seats):
    rows = random_strategies(ranking, 5)
    for first, n_tables, n_rounds in ((0, 300, 25), (1000, 1, 300)):
        fast, slow = (
            carried(k, ranking, rows, seats, n_tables, n_rounds, rules, first)
            for k in (carry.carry_rounds, scalar.carry_rounds_scalar)
        )
        assert equal(fast, slow)


def naive_table(number, n_rounds, rows, seat_strategy, ante, cap, reante, max_pot):
    """Nets, cycles ended, cycles abandoned, peaks and chips left of one table, in fractions."""
    n_players, table = len(seat_strategy), guts_table("guts2")
    nets = [Fraction(0)] * n_players
    ended = abandoned = 0
    left = peak_pot = peak_reserve = Fraction(0)
    pot = reserve = Fraction(0)
    for round_number in range(n_rounds):
        if pot == reserve == 0:
            pot, reserve = opened(n_players * ante, cap)
            nets = [net - ante for net in nets]
            peak_pot, peak_reserve = max(peak_pot, pot), max(peak_reserve, reserve)
        deal = (round_number << 40) + number
        cards = naive.deal(int(KEY), deal, 2 * n_players)
        hands = []
        for seat in range(n_players):
            own = cards[2 * seat : 2 * seat + 2]
            threshold = int(rows[seat_strategy[seat], table[13 * (own[0] // 4) + own[1] // 4]])
            is_in = naive.enters(int(ENTRY_KEY), deal, seat, n_players, threshold)
            hands.append(naive.hand_strength(own) if is_in else None)
        net, pot, reserve = naive.settle(
            pot, reserve, hands, ante=ante, cap=cap or None, keeps_reserve=cap > 0, reante=bool(reante)
        )
        nets = [a + b for a, b in zip(nets, net)]
        peak_pot, peak_reserve = max(peak_pot, pot), max(peak_reserve, reserve)
        if pot == reserve == 0:
            ended += 1
        elif max(pot, reserve) > max_pot:
            abandoned, left = abandoned + 1, left + pot + reserve
            pot = reserve = Fraction(0)
    if pot == reserve == 0:  # the next cycle has its antes on the table already
        nets = [net - ante for net in nets]
        pot, reserve = opened(n_players * ante, cap)
    return nets, ended, abandoned, peak_pot, peak_reserve, left + pot + reserve


def opened(antes, cap):
    pot = min(antes, cap) if cap else antes
    return Fraction(pot), Fraction(antes - pot)


@pytest.mark.parametrize("rules", RULES)
def test_carried_pots_equal_the_plain_rules_in_fractions(rules):
    rows, seats = random_strategies("guts2", 3), [0, 1, 2, 1]
    tables = [naive_table(number, 20, rows, seats, *rules) for number in range(60)]
    *_, chips, totals = carried(carry.carry_rounds, "guts2", rows, seats, 60, 20, rules)
    nets = [sum(table[0][seat] for table in tables) for seat in range(4)]
    assert [Fraction(int(won - paid), UNITS) for won, paid in chips] == nets
    assert totals.tolist() == [
        sum(table[1] for table in tables),
        sum(table[2] for table in tables),
        max(table[3] for table in tables),
        max(table[4] for table in tables),
        sum(table[5] for table in tables),
    ]


@pytest.mark.parametrize("rules", RULES)
def test_carried_chips_are_conserved(rules):
    for weakest in ("32", "A4", "TT"):
        joint, _, chips, totals = carried(
            carry.carry_rounds, "guts2", thresholds_from("guts2", weakest), [0] * 5, 2000, 50, rules
        )
        assert joint.sum() == 100_000
        won, paid = chips.sum(axis=0)
        assert won - paid + UNITS * totals[carry.TABLE_CHIPS_LEFT] == 0


def test_splitting_the_tables_changes_nothing():
    rows = random_strategies("guts3", 3)
    arguments = ("guts3", rows, [0, 1, 2])
    whole = carried(carry.carry_rounds, *arguments, 700, 10, RULES[1])
    one = carried(carry.carry_rounds, *arguments, 301, 10, RULES[1])
    other = carried(carry.carry_rounds, *arguments, 399, 10, RULES[1], first=301)
    for total, a, b in zip(whole[:3], one, other):
        assert np.array_equal(total, a + b)
    peaks = [carry.TABLE_PEAK_POT, carry.TABLE_PEAK_RESERVE]
    assert np.array_equal(whole[3][peaks], np.maximum(one[3], other[3])[peaks])


def test_the_mean_multiplier_drives_the_pot():
    """With the pot held and no cap, one round multiplies the expected pot by the mean number of losers."""
    rules = (1, 0, 0, 1 << 22)
    rows = thresholds_from("guts2", "A4")
    joint, _, _, totals = carried(carry.carry_rounds, "guts2", rows, [0] * 5, 200_000, 1, rules)
    n_in, n_best = np.indices(joint.shape)
    multiplier = np.where(n_in == 0, 1, n_in - n_best)
    pots = (joint * multiplier).sum() * 5 + 5 * totals[carry.TABLE_ENDED]
    assert totals[carry.TABLE_CHIPS_LEFT] == pots
    mean = (joint * multiplier).sum() / joint.sum()
    assert abs(mean - 0.599246) < 5 * 0.9 / 200_000**0.5  # exact counting; sd of one multiplier below 0.9


def test_supercritical_tables_are_abandoned_before_they_overflow():
    rules = (1, 0, 0, carry.LARGEST_MAX_POT)
    rows = thresholds_from("guts2", "32")
    joint, _, chips, totals = carried(carry.carry_rounds, "guts2", rows, [0] * 10, 300, 60, rules)
    assert joint.sum() == 18_000
    assert totals[carry.TABLE_ABANDONED] > 300
    assert carry.LARGEST_MAX_POT < totals[carry.TABLE_PEAK_POT] <= 9 * carry.LARGEST_MAX_POT
    assert (chips >= 0).all()
