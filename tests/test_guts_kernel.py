from fractions import Fraction

import naive_rounds as naive
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from guts_sim.hands import class_index, guts_table
from guts_sim.kernels import cascade, play_codes, settlement
from guts_sim.kernels.guts import (
    ALWAYS,
    SEAT_IN,
    SEAT_LOST,
    SEAT_NET,
    SEAT_SOLE,
    SEAT_TIED,
    UNITS,
    count_rounds,
)
from guts_sim.kernels.rule_codes import N_RULES
from guts_sim.kernels.session import play_sessions

KEY, ENTRY_KEY = np.uint64(20), np.uint64(26)


def thresholds_from(ranking, weakest):
    """The pure strategy "this class or stronger"."""
    row = np.zeros(int(guts_table(ranking).max()) + 1, np.uint32)
    row[class_index(weakest, ranking) :] = ALWAYS
    return row


def rounds(ranking, strategies, n_rounds, first=0):
    """Counts of independent rounds, seat by seat with the given rows of thresholds."""
    n_players = len(strategies)
    joint = np.full((n_players + 1, n_players + 1), -1, np.int64)
    seats = np.full((n_players, 5), -1, np.int64)
    hand_size = int(ranking[-1])
    seat_strategy = np.arange(n_players)
    count_rounds(
        KEY,
        ENTRY_KEY,
        np.uint64(first),
        n_rounds,
        hand_size,
        guts_table(ranking),
        np.array(strategies),
        seat_strategy,
        joint,
        seats,
    )
    return joint, seats


def naive_hands(key, number, hand_size, table, strategies):
    """Per seat the strength of the hand, or None for out, from the twins alone (classes from the table)."""
    n_players = len(strategies)
    cards = naive.deal(key, number, n_players * hand_size)
    hands = []
    for seat, row in enumerate(strategies):
        own = cards[seat * hand_size : (seat + 1) * hand_size]
        index = 0
        for card in own:
            index = 13 * index + card // 4
        if hand_size == 3 and len({card % 4 for card in own}) == 1:
            index += 2197
        threshold = int(row[table[index]])
        is_in = naive.enters(int(ENTRY_KEY), number, seat, n_players, threshold)
        hands.append(naive.hand_strength(own) if is_in else None)
    return hands


def naive_counts(ranking, strategies, n_rounds, first):
    n_players = len(strategies)
    joint = np.zeros((n_players + 1, n_players + 1), np.int64)
    seats = np.zeros((n_players, 5), np.int64)
    for number in range(first, first + n_rounds):
        hands = naive_hands(int(KEY), number, int(ranking[-1]), guts_table(ranking), strategies)
        players_in = [seat for seat, hand in enumerate(hands) if hand is not None]
        best = [seat for seat in players_in if hands[seat] == max(hands[other] for other in players_in)]
        joint[len(players_in), len(best)] += 1
        for seat in players_in:
            outcome = SEAT_LOST if seat not in best else SEAT_SOLE if len(best) == 1 else SEAT_TIED
            seats[seat, SEAT_IN] += 1
            seats[seat, outcome] += 1
            seats[seat, SEAT_NET] += -UNITS if outcome == SEAT_LOST else UNITS // len(best)
    return joint, seats


def random_strategies(ranking, n_players):
    """Never, always and mixed entry, class by class at random, another row for every seat."""
    generator = np.random.default_rng(4)
    n_classes = int(guts_table(ranking).max()) + 1
    rows = generator.integers(0, 2**31, (n_players, n_classes), dtype=np.uint32)
    rows[generator.random(rows.shape) < 0.3] = 0
    rows[generator.random(rows.shape) < 0.3] = ALWAYS
    return rows


@pytest.mark.parametrize(("ranking", "n_players"), [("guts2", 2), ("guts2", 10), ("guts3", 5), ("guts3", 10)])
@pytest.mark.parametrize("first", [0, 12345])
def test_counts_equal_the_plain_python_twin(ranking, n_players, first):
    strategies = random_strategies(ranking, n_players)
    joint, seats = rounds(ranking, strategies, 1100, first)
    naive_joint, naive_seats = naive_counts(ranking, strategies, 1100, first)
    assert np.array_equal(joint, naive_joint)
    assert np.array_equal(seats, naive_seats)


@pytest.mark.parametrize("ranking", ["guts2", "guts3"])
def test_counts_do_not_depend_on_how_the_rounds_are_split(ranking):
    strategies = random_strategies(ranking, 4)
    whole = rounds(ranking, strategies, 5000)
    for cut in (1, 255, 2049):
        parts = rounds(ranking, strategies, cut), rounds(ranking, strategies, 5000 - cut, first=cut)
        for total, one, other in zip(whole, *parts):
            assert np.array_equal(total, one + other)


def test_counts_are_consistent():
    n_rounds = 300_000
    joint, seats = rounds("guts3", random_strategies("guts3", 6), n_rounds)
    assert joint.sum() == n_rounds
    assert (joint >= 0).all()
    assert joint[0, 1:].sum() == joint[1:, 0].sum() == joint[1, 2:].sum() == 0
    n_in, n_best = np.indices(joint.shape)
    assert seats[:, SEAT_IN].sum() == (joint * n_in).sum()
    assert seats[:, SEAT_LOST].sum() == (joint * (n_in - n_best)).sum()
    assert (seats[:, SEAT_SOLE] + seats[:, SEAT_TIED] + seats[:, SEAT_LOST] == seats[:, SEAT_IN]).all()
    # Every round with somebody in pays out one pot and collects one per loser.
    assert seats[:, SEAT_NET].sum() == UNITS * (joint[1:] * (1 - n_in + n_best)[1:]).sum()


def assert_near(count, n, probability):
    """Within 5 standard errors: an error budget of 6e-7 per check."""
    sd = (n * probability * (1 - probability)) ** 0.5
    assert abs(count - n * probability) < 5 * sd


def test_two_cards_exact_values_of_the_five_player_threshold():
    # Exact counting: ace-four or better among five gives P(nobody) .354425, P(one) .431241.
    n = 2_000_000
    joint, seats = rounds("guts2", [thresholds_from("guts2", "A4")] * 5, n)
    assert_near(joint[0].sum(), n, 0.354425)
    assert_near(joint[1].sum(), n, 0.431241)
    n_in, n_best = np.indices(joint.shape)
    multiplier = np.where(n_in == 0, 1, n_in - n_best)
    mean = (joint * multiplier).sum() / n
    sd = ((joint * (multiplier - mean) ** 2).sum() / n) ** 0.5
    assert abs(mean - 0.599246) < 5 * sd / n**0.5
    for seat in seats:
        assert_near(seat[SEAT_IN], n, 0.179487)


def test_three_cards_pair_or_better_among_six():
    # Mean number of players in is 6 x 5660/22100 exactly; P(nobody) .17098 and P(one) .34904 from long runs.
    n = 1_000_000
    joint, seats = rounds("guts3", [thresholds_from("guts3", "223")] * 6, n)
    for seat in seats:
        assert_near(seat[SEAT_IN], n, 5660 / 22100)
    assert abs(joint[0].sum() / n - 0.17098) < 5 * (0.17098 * 0.82902 / n + 1e-8) ** 0.5
    assert abs(joint[1].sum() / n - 0.34904) < 5 * (0.34904 * 0.65096 / n + 1e-8) ** 0.5


def test_two_players_always_in_tie_and_win_as_often_as_counted():
    n = 2_000_000
    for ranking, tie in (("guts2", 29 / 4165), ("guts3", 450_528 / 407_170_400)):
        n_classes = int(guts_table(ranking).max()) + 1
        joint, seats = rounds(ranking, np.full((2, n_classes), ALWAYS, np.uint32), n)
        assert_near(joint[2, 2], n, tie)
        assert joint[2].sum() == n
        assert_near(seats[0, SEAT_SOLE], n, (1 - tie) / 2)


def test_seats_with_equal_strategies_fare_alike():
    n = 1_000_000
    _, seats = rounds("guts3", [thresholds_from("guts3", "99T")] * 5, n)
    for column in (SEAT_IN, SEAT_SOLE, SEAT_LOST):
        mean = seats[:, column].mean()
        assert (abs(seats[:, column] - mean) < 5 * mean**0.5).all()


# --- settlement ------------------------------------------------------------------------------------------


def rule_array(ante=1, cap=0, keeps_reserve=False, reante=False, ante_every_round=False, unit=1):
    rules = np.zeros(N_RULES, np.int64)
    rules[:5] = [ante * unit, cap * unit, keeps_reserve, reante, ante_every_round]
    return rules


def settle(pot, reserve, scores, dealer=0, **rules):
    """Settle one pot on credit; see test_settlement for the other rules."""
    n_players = len(scores)
    won, paid = np.full(n_players, -1, np.int64), np.full(n_players, -1, np.int64)
    pots, reserves = np.array([pot]), np.array([reserve])
    status = settlement.settle_round(
        pots, reserves, np.array([scores], np.int64), np.zeros(1, np.int64), dealer, rule_array(**rules), False,
        np.ones(n_players, np.int64), np.zeros(n_players, np.int64), won, paid,
    )  # fmt: skip
    if status != settlement.SETTLED:
        assert (won == -1).all()
        assert (paid == -1).all()
        return status
    return won.tolist(), paid.tolist(), int(pots[0]), int(reserves[0])


def test_worked_example_two_of_three_lose():
    # Queens, ace-king and a pair of jacks are in for a pot of 6, the fourth player is out.
    assert settle(6, 0, [3, 1, 2, 0]) == ([6, 0, 0, 0], [0, 6, 6, 0], 12, 0)


def test_worked_example_cap_and_reserve():
    two_card = {"cap": 20, "keeps_reserve": True}
    assert settle(12, 0, [1, 2, 3, 4], **two_card) == ([0, 0, 0, 12], [12, 12, 12, 0], 20, 16)
    # That pot is then won uncontested: the 16 of the reserve are the new pot, nobody antes.
    assert settle(20, 16, [0, 0, 3, 0], **two_card) == ([0, 0, 20, 0], [0, 0, 0, 0], 16, 0)


@pytest.mark.parametrize(("pot", "next_pot"), [(5, 10), (8, 16)])
def test_worked_example_three_in(pot, next_pot):
    assert settle(pot, 0, [7, 0, 2, 5])[2:] == (next_pot, 0)


def test_published_example_of_a_cap_with_money_set_aside():
    # Pot 40, cap 50, two losers pay 40 each: 50 make the next pot, 30 are set aside.
    assert settle(40, 0, [0, 0, 9, 5, 4], cap=50, keeps_reserve=True)[2:] == (50, 30)


def test_without_a_reserve_payments_shrink_equally_to_the_cap():
    assert settle(12, 0, [1, 2, 3, 4], cap=20, unit=1, dealer=0) == ([0, 0, 0, 12], [6, 8, 6, 0], 20, 0)
    _, paid, pot, _ = settle(12 * UNITS, 0, [1, 2, 3, 4], cap=20, unit=UNITS)
    assert paid == [20 * UNITS // 3] * 3 + [0]
    assert pot == 20 * UNITS


def test_remainders_go_to_the_first_such_player_left_of_the_dealer():
    assert settle(7, 0, [0, 5, 5, 5], dealer=1)[0] == [0, 2, 3, 2]
    assert settle(7, 0, [0, 5, 5, 5], dealer=3)[0] == [0, 3, 2, 2]


def test_nobody_in():
    assert settle(6, 4, [0, 0, 0]) == ([0, 0, 0], [0, 0, 0], 6, 4)
    assert settle(6, 0, [0, 0, 0], reante=True, ante=2) == ([0, 0, 0], [2, 2, 2], 12, 0)
    assert settle(19, 0, [0, 0, 0], reante=True, cap=20, keeps_reserve=True)[2:] == (20, 2)
    assert settle(20, 0, [0, 0, 0], reante=True, cap=20) == ([0, 0, 0], [0, 0, 0], 20, 0)


def test_refill_only_when_nobody_has_to_pay():
    assert settle(6, 50, [0, 4, 0], cap=20, keeps_reserve=True)[2:] == (20, 30)
    assert settle(6, 50, [4, 4, 0], cap=20, keeps_reserve=True)[2:] == (20, 30)
    assert settle(6, 50, [4, 4, 1], cap=20, keeps_reserve=True)[2:] == (6, 50)
    assert settle(6, 50, [0, 4, 0])[2:] == (50, 0)  # without a cap the whole reserve


def test_antes_every_round_stop_with_the_cycle():
    assert settle(6, 0, [2, 1, 0], ante_every_round=True) == ([6, 0, 0], [1, 7, 1], 9, 0)
    assert settle(6, 0, [2, 0, 0], ante_every_round=True) == ([6, 0, 0], [0, 0, 0], 0, 0)
    # The refill comes before the antes, and antes above the cap go to the reserve.
    assert settle(6, 19, [2, 0, 0], ante_every_round=True, cap=20, keeps_reserve=True)[2:] == (20, 2)


def test_amounts_that_could_wrap_are_refused():
    for pot, reserve in ((settlement.MAX_CHIPS + 1, 0), (0, settlement.MAX_CHIPS + 1)):
        assert settle(pot, reserve, [1, 2]) == settlement.TOO_LARGE


tables = st.fixed_dictionaries(
    {
        "pot": st.integers(1, 60),
        "reserve": st.integers(0, 60),
        "scores": st.lists(st.integers(0, 4), min_size=2, max_size=10),
        "dealer": st.integers(0, 9),
        "ante": st.integers(1, 3),
        "cap": st.integers(0, 40),
        "keeps_reserve": st.booleans(),
        "reante": st.booleans(),
        "ante_every_round": st.booleans(),
    }
)


def played(table, unit):
    table = dict(table)
    scores = table.pop("scores")
    amounts = {"pot": table.pop("pot") * unit, "reserve": table.pop("reserve") * unit}
    if table["cap"] == 0:
        table["keeps_reserve"] = False
    dealer = table.pop("dealer") % len(scores)
    return scores, amounts, dealer, table


@settings(deadline=None, max_examples=300)
@given(tables)
def test_settlement_equals_the_twin_in_fractions(table):
    scores, amounts, dealer, rules = played(table, UNITS)
    won, paid, pot, reserve = settle(**amounts, scores=scores, dealer=dealer, unit=UNITS, **rules)
    net, naive_pot, naive_reserve = naive.settle(
        Fraction(amounts["pot"], UNITS),
        Fraction(amounts["reserve"], UNITS),
        [score or None for score in scores],
        **{**rules, "cap": rules["cap"] or None},
    )
    assert [Fraction(w - p, UNITS) for w, p in zip(won, paid)] == net
    assert (Fraction(pot, UNITS), Fraction(reserve, UNITS)) == (naive_pot, naive_reserve)


@settings(deadline=None, max_examples=300)
@given(tables)
def test_settlement_conserves_chips_and_keeps_to_the_rules(table):
    scores, amounts, dealer, rules = played(table, 1)
    won, paid, pot, reserve = settle(**amounts, scores=scores, dealer=dealer, **rules)
    assert sum(won) + pot + reserve == sum(paid) + amounts["pot"] + amounts["reserve"]
    assert min(*won, *paid, pot, reserve) >= 0
    winners = [seat for seat, score in enumerate(scores) if score and score == max(scores)]
    # The prize is the pot, never the reserve, and only the best hands take it.
    assert sum(won) == (amounts["pot"] if winners else 0)
    assert all(won[seat] == 0 for seat in range(len(scores)) if seat not in winners)
    assert max((won[seat] for seat in winners), default=0) - min((won[seat] for seat in winners), default=0) < 10
    if rules["cap"] and winners:
        assert pot <= rules["cap"]
    losers = [seat for seat, score in enumerate(scores) if 0 < score < max(scores)]
    if losers and rules["cap"] and not rules["keeps_reserve"]:
        assert pot == min(
            len(losers) * amounts["pot"] + rules["ante_every_round"] * len(scores) * rules["ante"], rules["cap"]
        )
    if winners and not losers:
        assert pot >= min(amounts["reserve"], rules["cap"] or amounts["reserve"])


# --- cycles ----------------------------------------------------------------------------------------------


def play(ranking, strategies, n_cycles, first=0, round_limit=1000, **rules):
    n_players = len(strategies)
    cycles = np.full((n_cycles, play_codes.N_SESSION_COLUMNS), -7, np.int64)
    nets = np.full((n_cycles, n_players), -7, np.int64)
    settings = np.zeros(play_codes.N_PLAY, np.int64)
    settings[play_codes.PLAY_HAND_SIZE] = int(ranking[-1])
    settings[play_codes.PLAY_POTS] = settings[play_codes.PLAY_CYCLES] = 1
    settings[play_codes.PLAY_ROUNDS] = round_limit
    tables = guts_table(ranking)[None]
    play_sessions(
        KEY,
        ENTRY_KEY,
        np.uint64(first),
        settings,
        tables,
        tables,
        np.array(strategies),
        np.arange(n_players).reshape(1, n_players, 1, 1, 1),
        np.empty(0, np.int64),
        rule_array(unit=UNITS, **rules),
        np.zeros(n_players, np.int64),
        cycles,
        nets,
        np.empty_like(nets),
        np.empty_like(nets),
    )
    assert (nets.sum(axis=1) + cycles[:, cascade.CYCLE_POT_LEFT] + cycles[:, cascade.CYCLE_RESERVE_LEFT] == 0).all()
    return cycles, nets


RULE_SETS = [
    {},
    {"reante": True},
    {"cap": 20, "keeps_reserve": True},
    {"cap": 7},
    {"cap": 3, "keeps_reserve": True, "ante": 2},
    {"cap": 20, "keeps_reserve": True, "ante_every_round": True},
]


def naive_cycle(ranking, strategies, number, round_limit, ante=1, cap=0, **rules):
    """(status, rounds, peak pot, peak reserve, pot left, reserve left) and nets, in fractions of a chip."""
    n_players = len(strategies)
    rules = {**rules, "ante": ante, "cap": cap or None}
    # The antes that open a cycle are those of a round in which nobody was in, at an empty table.
    net, pot, reserve = naive.settle(0, 0, [None] * n_players, **{**rules, "reante": True})
    peak_pot, peak_reserve = pot, reserve
    for played_rounds in range(1, round_limit + 1):
        deal = ((played_rounds - 1) << 40) + number
        hands = naive_hands(int(KEY), deal, int(ranking[-1]), guts_table(ranking), strategies)
        change, pot, reserve = naive.settle(pot, reserve, hands, **rules)
        net = [total + part for total, part in zip(net, change)]
        peak_pot, peak_reserve = max(peak_pot, pot), max(peak_reserve, reserve)
        if pot + reserve == 0:
            return [cascade.CYCLE_ENDED, played_rounds, peak_pot, peak_reserve, pot, reserve], net
    return [cascade.CYCLE_ROUND_LIMIT, round_limit, peak_pot, peak_reserve, pot, reserve], net


@pytest.mark.parametrize("rules", RULE_SETS)
@pytest.mark.parametrize(("ranking", "weakest", "n_players"), [("guts2", "K5", 3), ("guts3", "88T", 5)])
def test_cycles_equal_the_plain_python_twin(ranking, weakest, n_players, rules):
    strategies = [thresholds_from(ranking, weakest) for _ in range(n_players)]
    strategies[0][::7] = ALWAYS // 2  # one seat mixes
    cycles, nets = play(ranking, strategies, 60, first=500, round_limit=12, **rules)
    for row in range(60):
        columns, net = naive_cycle(ranking, strategies, 500 + row, 12, **rules)
        exact = [Fraction(int(amount), UNITS) for amount in nets[row]]
        assert cycles[row, :2].tolist() == columns[:2]
        # A sub-unit divides by 1 .. 10 once; repeated splits leave less than a unit per round and player.
        slack = Fraction(120, UNITS)
        assert all(abs(Fraction(int(a), UNITS) - b) <= slack for a, b in zip(cycles[row, 2:6], columns[2:]))
        assert all(abs(a - b) <= slack for a, b in zip(exact, net))


def test_cycles_do_not_depend_on_how_they_are_split():
    strategies = random_strategies("guts2", 4)
    whole = play("guts2", strategies, 700, cap=20, keeps_reserve=True, round_limit=50)
    parts = [
        play("guts2", strategies, stop - start, first=start, cap=20, keeps_reserve=True, round_limit=50)
        for start, stop in ((0, 1), (1, 300), (300, 700))
    ]
    for total, pieces in zip(whole, zip(*parts)):
        assert np.array_equal(total, np.concatenate(pieces))


def test_first_pot_is_everyones_ante():
    cycles, nets = play("guts2", [np.zeros(91, np.uint32)] * 5, 10, round_limit=1)
    assert (cycles[:, cascade.CYCLE_PEAK_POT] == 5 * UNITS).all()
    assert (cycles[:, cascade.CYCLE_STATUS] == cascade.CYCLE_ROUND_LIMIT).all()
    assert (nets == -UNITS).all()


def test_a_table_that_is_always_in_stops_before_it_wraps():
    # With n players always in, the pot grows by n - 1 every round unless hands tie.
    for n_players in (3, 8, 10):
        cycles, nets = play("guts2", [np.full(91, ALWAYS, np.uint32)] * n_players, 300)
        overflowed = cycles[:, cascade.CYCLE_STATUS] == cascade.CYCLE_OVERFLOW
        assert overflowed.mean() > 0.9
        assert (cycles[:, cascade.CYCLE_PEAK_POT] > 0).all()
        assert (cycles[overflowed, cascade.CYCLE_PEAK_POT] > play_codes.LARGEST_AMOUNT // 10).all()
        assert (np.abs(nets) < 2**62).all()


def test_cycles_last_as_long_as_independent_rounds_say():
    strategies = [thresholds_from("guts2", "A4")] * 5
    joint, _ = rounds("guts2", strategies, 1_000_000)
    p_end = np.trace(joint[1:, 1:]) / joint.sum()  # no loser: won alone, or all in-players tied
    cycles, _ = play("guts2", strategies, 40_000)
    assert (cycles[:, cascade.CYCLE_STATUS] == cascade.CYCLE_ENDED).all()
    n_rounds = cycles[:, cascade.CYCLE_ROUNDS]
    assert abs(n_rounds.mean() - 1 / p_end) < 5 * n_rounds.std() / 40_000**0.5
    assert_near((n_rounds == 1).sum(), 40_000, p_end)


def test_cap_bounds_every_pot_and_the_reserve_takes_the_rest():
    strategies = [thresholds_from("guts2", "T9")] * 5
    capped, _ = play("guts2", strategies, 5000, cap=20, keeps_reserve=True)
    assert capped[:, cascade.CYCLE_PEAK_POT].max() == 20 * UNITS
    assert capped[:, cascade.CYCLE_PEAK_RESERVE].max() > 20 * UNITS
    without, _ = play("guts2", strategies, 5000, cap=20)
    assert without[:, cascade.CYCLE_PEAK_POT].max() == 20 * UNITS
    assert without[:, cascade.CYCLE_PEAK_RESERVE].max() == 0
