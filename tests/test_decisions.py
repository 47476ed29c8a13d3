"""Decisions under any rules: kernel against a plain twin, solver against exact answers, the study as users call it."""

from fractions import Fraction
from functools import partial
from itertools import combinations, count
from math import comb

import numpy as np
import pytest
from stopping import press_ctrl_c

from guts_sim import InputError, threshold
from guts_sim.engine import run_blocks, run_key
from guts_sim.estimate import BatchSums
from guts_sim.exact import exact_round_law
from guts_sim.hands import class_names, get_ranking
from guts_sim.kernels.deal import fill_deals
from guts_sim.kernels.units import SUBUNITS
from guts_sim.rules import GutsRules
from guts_sim.settlement import settle_contests, show_hand
from guts_sim.settlement.contest import Contest
from guts_sim.solve import blind
from guts_sim.solve.blind import BlindTask, TableLaw, blind_values
from guts_sim.solve.decision_values import decision_values
from guts_sim.solve.decisions import (
    BLOCK,
    STRIDES,
    DecisionGame,
    DecisionTask,
    Sums,
    decision_task,
    score_decision_deals,
    solve_decisions,
)
from guts_sim.solve.hand_numbers import all_hands, places_of
from guts_sim.solve.information import information_of, showdown_strengths
from guts_sim.solve.passing import passed_cards, ways_to_hold
from guts_sim.strategy import Strategy
from guts_sim.studies import variants

KEYS = run_key(5, 40), run_key(5, 41)
FRESH = run_key(5, 42), run_key(5, 43)
MASK = (1 << 64) - 1


# A plain twin: one hand at a time, settled by the referee in fractions


def uniform(key, deal, player):
    z = (int(key) + (deal * 16 + player + 1) * 0x9E3779B97F4A7C15) & MASK
    z = ((z ^ z >> 30) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ z >> 27) * 0x94D049BB133111EB) & MASK
    return (z ^ z >> 31) / 2**64


def place_of(hand):
    return sum(
        {2: [c, c * (c - 1) // 2], 3: [c, c * (c - 1) // 2, c * (c - 1) * (c - 2) // 6]}[len(hand)][i]
        for i, c in enumerate(sorted(hand))
    )


def pass_left(hands, passed):
    """Each hand loses its passed card and gets that of the player before."""
    lost = [passed[place_of(hand)] for hand in hands]
    return [[lost[i - 1] if c == lost[i] else c for c in hand] for i, hand in enumerate(hands)]


class PlainTable:
    """One deal of a game, played in plain Python."""

    def __init__(self, game, entry, deal, cards):
        self.game, self.rules, self.n = game, game.rules, game.n_players
        self.information = game.information
        self.entry, self.deal = entry, deal
        k, n_opponents = self.rules.cards, self.n - 1
        self.opponents = [cards[i * k : (i + 1) * k] for i in range(n_opponents)]
        at = n_opponents * k
        self.ghost = None
        if self.rules.ghost != "none":
            self.ghost, at = cards[at : at + k], at + k
        self.common = cards[at : at + self.rules.community]
        self.taken = set(cards[: at + self.rules.community])
        self.hero_dealt = cards[at + self.rules.community :]
        self.hero_seat = deal % self.n
        self.passed = [int(c) for c in passed_cards(self.rules)]

    def hands_with(self, hero):
        hands = [list(hero), *self.opponents]
        return pass_left(hands, self.passed) if self.rules.pass_left else hands

    def node(self, seat, heard):
        return seat * (seat + 1) // 2 + heard if self.rules.declaration == "sequential" else 0

    def declared(self, hands, hero_in):
        """Who is in, by player from the hero on, and the hero's node."""
        is_in, heard, hero_node = {}, 0, None
        for seat in range(self.n):
            player = (seat - self.hero_seat) % self.n
            node = self.node(seat, heard)
            if player == 0:
                hero_node, is_in[0] = node, hero_in
            else:
                group = self.information.hand_group[place_of(hands[player])]
                is_in[player] = uniform(KEYS[1], self.deal, player) < self.entry[player, node, group]
            heard += is_in[player]
        return [is_in[player] for player in range(self.n)], hero_node

    def settled(self, hands, is_in):
        """Hero's flow with his share in what is left, in units times players, and what is left, in chips."""
        rules = self.rules.with_switches(ante_every_round=False)
        if rules.nobody_in == "reante":
            rules = rules.with_switches(nobody_in="hold")
        if rules.reserve:
            rules = rules.with_switches(cap=None)
        shown = [show_hand(hand, rules, common=self.common, low=self.game.low).strength for hand in hands]
        by_seat = [(seat - self.hero_seat) % self.n for seat in range(self.n)]
        ghost = None
        if self.ghost is not None:
            ghost = show_hand(self.ghost, rules, common=self.common, low=self.game.low).strength
        pot = Fraction(self.game.pot_units, 2520)
        contest = Contest(
            "pot",
            pot,
            Fraction(0),
            tuple(bool(is_in[p]) for p in by_seat),
            tuple(shown[p] for p in by_seat),
            ghost=ghost,
        )
        outcome = settle_contests(
            rules.with_switches(high_low=False),
            [contest],
            [str(i) for i in range(self.n)],
            stacks=None if rules.bankroll is None else [rules.bankroll - pot / self.n] * self.n,
            dealer=self.n - 1,
        )
        left = outcome.pots[0].next_pot + outcome.pots[0].reserve
        n_sharing = self.n
        if rules.stakes == "eliminate" and left:
            n_sharing -= len(outcome.eliminated)
        shares = self.hero_seat not in outcome.eliminated or rules.stakes != "eliminate"
        worth = outcome.net[self.hero_seat] * self.n * 2520 + shares * (left * 2520 * self.n // n_sharing)
        return int(worth), left

    def value(self, hands, hero_in):
        is_in, node = self.declared(hands, hero_in)
        return self.settled(hands, is_in)[0], node


def plain_sums(game, entry, n_deals, dealt):
    sums = Sums.empty(game)
    stride, stride_in_batch = STRIDES[game.rules.cards, game.rules.pass_left]
    passed = passed_cards(game.rules)
    hands = [tuple(int(c) for c in hand) for hand in all_hands(game.rules.cards)]
    batches = sorted(set(passed.tolist()))
    place_in_batch = [0] * len(hands)
    for card in batches if game.rules.pass_left else []:
        for place, h in enumerate(np.flatnonzero(passed == card)):
            place_in_batch[h] = place
    for deal in range(n_deals):
        table = PlainTable(game, entry, deal, [int(c) for c in dealt[deal]])
        memo = {}
        for h, hand in enumerate(hands):
            batch = batches.index(passed[h]) if game.rules.pass_left else h
            if batch % stride != deal % stride or table.taken & set(hand):
                continue
            if place_in_batch[h] % stride_in_batch != deal // stride % stride_in_batch:
                continue
            held = table.hands_with(hand)
            # Equal strengths in an otherwise equal deal give equal values: spares most settlements.
            strength = show_hand(held[0], game.rules, common=table.common, low=game.low).strength
            key = (strength, tuple(map(tuple, held[1:])))
            if key not in memo:
                memo[key] = table.value(held, True)[0], *table.value(held, False)
            value_in, value_out, node = memo[key]
            at = node, game.information.hand_set[place_of(held[0])]
            for row, amount in enumerate((1, value_in - value_out, value_out)):
                sums.scores[(row, *at)] += amount
        held = table.hands_with(table.hero_dealt)
        group = game.information.hand_group[place_of(held[0])]
        _, node = table.declared(held, False)
        hero_in = uniform(KEYS[1], deal, 0) < entry[0, node, group]
        is_in, _ = table.declared(held, hero_in)
        worth, left = table.settled(held, is_in)
        n_in = sum(map(int, is_in))
        sums.rounds[:, n_in] += [1, int(left * 2520), left == 0]
        worth -= game.pot_units
        sums.seats[table.hero_seat] += [1, worth, worth * worth]
    return sums


VARIANTS = [
    (3, GutsRules()),
    (5, GutsRules(nobody_in="weenie")),
    (6, GutsRules(pays="lowest")),
    (4, GutsRules(ghost="all")),
    (3, GutsRules(ghost="lone", ghost_tie="ghost")),
    (4, GutsRules(ties="suits")),
    (4, GutsRules(community=1)),
    (4, GutsRules(declaration="blind")),
    (4, GutsRules(declaration="sequential", nobody_in="weenie")),
    (4, GutsRules(pass_left=1)),
    (2, GutsRules(pass_left=1, community=1)),
    (4, GutsRules(match_limit=3)),
    (3, GutsRules(cards=3, community=1)),
    (3, GutsRules(cards=3, pass_left=1)),
    (3, GutsRules(cards=3, straights_flushes=False, declaration="sequential")),
    (4, GutsRules(stakes="table", bankroll=3)),
    (4, GutsRules(stakes="eliminate", bankroll=3, ghost="all")),
    (5, GutsRules(stakes="eliminate", bankroll=4, nobody_in="weenie", cap=9)),
]


@pytest.mark.parametrize(("n_players", "rules"), VARIANTS, ids=lambda value: None)
def test_kernel_equals_the_referee_hand_by_hand(n_players, rules):
    game = DecisionGame(rules, n_players)
    n_cards = rules.n_cards_dealt(n_players)
    n_deals = 2 if rules.cards == 2 else 1
    dealt = np.empty((n_deals, n_cards), np.uint8)
    fill_deals(KEYS[0], np.uint64(0), np.empty(0, np.uint8), dealt)
    entry = np.random.default_rng(3).random((n_players, game.n_nodes, len(game.information.names)))
    wanted = plain_sums(game, entry, n_deals, dealt)
    found = Sums.of(DecisionTask(game, *KEYS, entry)(0, n_deals), game)
    assert wanted.scores[0].sum() > 0
    for name in ("scores", "rounds", "seats"):
        np.testing.assert_array_equal(getattr(found, name), getattr(wanted, name), err_msg=name)


def test_hands_that_pass_one_card_are_scored_in_turn(monkeypatch):
    """One batch in two, and of that one hand in three, other ones in each deal."""
    monkeypatch.setitem(STRIDES, (2, 1), (2, 3))
    game = DecisionGame(GutsRules(pass_left=1), 3)
    dealt = np.empty((6, 6), np.uint8)
    fill_deals(KEYS[0], np.uint64(0), np.empty(0, np.uint8), dealt)
    entry = np.random.default_rng(3).random((3, 1, len(game.information.names)))
    wanted = plain_sums(game, entry, 6, dealt)
    found = Sums.of(DecisionTask(game, *KEYS, entry)(0, 6), game)
    np.testing.assert_array_equal(found.scores, wanted.scores)


def test_low_pot_equals_the_referee():
    game = DecisionGame(GutsRules(high_low=True), 4, low=True)
    dealt = np.empty((2, 8), np.uint8)
    fill_deals(KEYS[0], np.uint64(0), np.empty(0, np.uint8), dealt)
    entry = np.random.default_rng(4).random((4, 1, len(game.information.names)))
    wanted = plain_sums(game, entry, 2, dealt)
    found = Sums.of(DecisionTask(game, *KEYS, entry)(0, 2), game)
    np.testing.assert_array_equal(found.flat, wanted.flat)


# Information


def test_hands_are_numbered_as_the_kernel_numbers_them():
    for n_cards in (2, 3):
        hands = all_hands(n_cards)
        assert sorted(map(tuple, hands.tolist())) == sorted(combinations(range(52), n_cards))
        assert [place_of(hand) for hand in hands[::97].tolist()] == list(range(0, len(hands), 97))


@pytest.mark.parametrize(
    ("rules", "n_groups", "n_sets"),
    [
        (GutsRules(), 91, 91),
        (GutsRules(cards=3), 741, 1755),
        (GutsRules(cards=3, straights_flushes=False), 455, 1755),
        (GutsRules(community=1), 169, 169),
        (GutsRules(ties="suits"), 78 * 4 + 13 * 3, 78 * 4 + 13 * 3),
        (GutsRules(declaration="blind"), 1, 1),
    ],
    ids=lambda value: None,
)
def test_number_of_groups(rules, n_groups, n_sets):
    information = information_of(rules)
    assert (len(information.names), information.set_group.size) == (n_groups, n_sets)
    assert len(set(information.names)) == n_groups
    assert information.set_frequency.sum() == pytest.approx(1)


@pytest.mark.parametrize(
    "rules",
    [GutsRules(ties="suits"), GutsRules(cards=3, ties="suits"), GutsRules(cards=3), GutsRules(cards=3, high_low=True)],
    ids=lambda value: None,
)
def test_strengths_order_hands_as_the_referee_does(rules):
    hands = all_hands(rules.cards).tolist()
    rng = np.random.default_rng(1)
    for low in (False, True) if rules.high_low else (False,):
        strengths = showdown_strengths(rules, low)
        assert strengths.min() == 1
        chosen = rng.choice(len(hands), 120, replace=False)
        shown = [show_hand(hands[h], rules, low=low).strength for h in chosen]
        for a in range(0, 120, 2):
            for b in range(a + 1, 120, 7):
                x, y = strengths[chosen[a]], strengths[chosen[b]]
                assert (x > y, x == y) == (shown[a] > shown[b], shown[a] == shown[b])


@pytest.mark.parametrize("cards", [2, 3])
def test_hands_after_the_pass_are_counted(cards):
    """Every hand and every hand of the player to the right, for two cards; else those that lead to a few hands."""
    rules = GutsRules(cards=cards, pass_left=1)
    hands, passed = all_hands(cards).astype(np.int64), passed_cards(rules).astype(np.int64)
    counted = np.zeros(len(hands))
    rng = np.random.default_rng(3)
    dealt = np.arange(len(hands)) if cards == 2 else rng.choice(len(hands), 400, replace=False)
    for h in dealt:
        others = ~np.isin(hands, hands[h]).any(axis=1)
        received, ways = np.unique(passed[others], return_counts=True)
        kept = np.tile(hands[h][hands[h] != passed[h]], (received.size, 1))
        np.add.at(counted, places_of(np.column_stack([kept, received])), ways)
    ways = ways_to_hold(rules)
    assert ways.sum() == len(hands) * comb(52 - cards, cards)
    if cards == 2:
        assert (ways == counted).all()
    else:
        found, expected = np.bincount(passed, ways / ways.sum(), 52), np.bincount(passed, counted / counted.sum(), 52)
        assert found == pytest.approx(expected, abs=0.02)
        assert (ways >= counted).all()


def test_places_of_hands():
    for cards in (2, 3):
        hands = all_hands(cards)
        assert (places_of(hands[:, ::-1]) == np.arange(len(hands))).all()


@pytest.mark.parametrize(
    "switches",
    [{"pass_left": 1}, {"pass_left": 1, "community": 1}, {"pass_left": 1, "ties": "suits"}],
    ids=str,
)
def test_as_many_enter_as_the_strategy_says(switches):
    """What hands are held when declaring, against the rounds that are played."""
    found = threshold(2, field="Q2+", deals=30_000, effort=0.01, seed=2, workers=1, **switches).results["field"]
    played = found["round"]["p_one"] / 2 + found["round"]["p_contested"]
    assert found["entry_prob"] == pytest.approx(played, abs=4 * 0.5 / np.sqrt(2 * 30_000))
    held = sum(row["enter"] * row["frequency"] for row in found["hands"])
    assert held == pytest.approx(found["entry_prob"])


def test_hands_that_nobody_holds_after_a_pass_are_left_out():
    """The lowest card of the deck is always passed on, and who keeps the next lowest has just passed the lowest."""
    rules = GutsRules(pass_left=1, ties="suits")
    information = information_of(rules)
    never = [name for name, p in zip(information.names, information.group_frequency) if p == 0]
    assert never == ["22 d"]
    found = threshold(2, rules=rules, deals=2048, effort=0.01, seed=2, workers=1).results
    assert not {row["hand"] for row in found["equilibrium"]["hands"]} & set(never)


@pytest.mark.parametrize(
    ("hand", "passed"),
    [((0, 51), 0), ((48, 51), 48), ((0, 1, 51), 51), ((0, 20, 51), 0), ((4, 5, 6), 4)],
)
def test_the_card_that_is_passed_leaves_the_best_rest(hand, passed):
    rules = GutsRules(cards=len(hand), pass_left=1)
    assert passed_cards(rules)[place_of(hand)] == passed


# Solver


def test_solver_finds_the_exact_equilibrium_of_the_base_game():
    """Regret matching over settled deals agrees with counting: K-4 or better for three players."""
    game = DecisionGame(GutsRules(), 3)
    solved = solve_decisions(game, KEYS, iterations=150, deals_per_iteration=1024, progress=False)
    names = class_names("guts2")
    assert names[int(np.flatnonzero(solved.entry[0] >= 0.5)[0])] == "K4"
    batches = score_decision_deals(game, solved.entry, 50_000, FRESH, progress=False)
    values = decision_values(batches, game, solved.entry)
    assert values.exploitability < 2e-3
    law = exact_round_law(3, get_ranking("guts2"), (solved.entry[0] >= 0.5).astype(float))
    assert values.multiplier == pytest.approx(law.expected_multiplier, abs=5 * values.multiplier_stderr)


def test_seats_are_worth_nothing_in_sum_when_all_play_alike():
    game = DecisionGame(GutsRules(declaration="sequential"), 3)
    solved = solve_decisions(game, KEYS, iterations=40, deals_per_iteration=1024, progress=False)
    values = decision_values(
        score_decision_deals(game, solved.entry, 50_000, FRESH, progress=False), game, solved.entry
    )
    assert values.exploitability < 5e-3
    assert abs(values.seat_values.sum()) < 4 * np.sqrt((values.seat_stderr**2).sum())


# Blind


def blind_batches(game, n_deals):
    batches = BatchSums(BLOCK)
    assert run_blocks(BlindTask(game, FRESH[0]), n_deals, batches.add, block_size=BLOCK, progress=False).complete
    return batches


def test_what_blind_players_leave_is_what_the_law_of_ties_says():
    """With k of the players in, those who do not share the pot match it: counted for k players who always enter."""
    batches = blind_batches(DecisionGame(GutsRules(declaration="blind"), 5), 20_480)
    law = TableLaw.of(batches.total, DecisionGame(GutsRules(declaration="blind"), 5))
    assert law.left[:2].tolist() == [1.0, 0.0]
    for k in range(2, 6):
        counted = exact_round_law(k, get_ranking("guts2"), np.ones(91)).expected_multiplier
        stderr = batches.stderr(lambda sums, k=k: TableLaw.of(sums, DecisionGame(GutsRules(), 5)).left[k])
        assert law.left[k] == pytest.approx(counted, abs=5 * stderr)


@pytest.mark.parametrize(
    "switches",
    [{}, {"cards": 3, "nobody_in": "weenie"}, {"ghost": "all"}, {"pays": "lowest", "community": 1}, {"match_limit": 3}],
    ids=str,
)
def test_blind_values_are_those_of_scored_hands(switches):
    """Two routes to the value of entering: every hand of a player scored, and what is left by number of players in."""
    game = DecisionGame(GutsRules(declaration="blind", **switches), 4, pot=4)
    entry = np.full((1, 1), 0.6)
    scored = decision_values(score_decision_deals(game, entry, 30_720, KEYS, progress=False), game, entry)
    played = blind_values(blind_batches(game, 30_720), game, entry)
    tolerance = 5 * np.hypot(scored.stderr, played.stderr)[0, 0]
    assert played.delta[0, 0] == pytest.approx(scored.delta[0, 0], abs=tolerance)
    assert played.ev_out[0, 0] == pytest.approx(scored.ev_out[0, 0], abs=tolerance)
    assert played.multiplier == pytest.approx(scored.multiplier, abs=5 * scored.multiplier_stderr)
    ours, theirs = played.round_estimates(0.999999), scored.round_estimates(0.999999)
    for name, estimate in theirs.items():
        assert estimate.ci_low <= ours[name].value <= estimate.ci_high


def test_blind_equilibrium_is_the_probability_at_which_entering_gains_nothing():
    """Five players, ties counted: the root of in-minus-out under the binomial law of the others."""
    left = [1.0, 0.0] + [exact_round_law(k, get_ranking("guts2"), np.ones(91)).expected_multiplier for k in range(2, 6)]
    law = TableLaw(np.array(left), np.zeros(6))
    low, high = 0.0, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if law.gain_of_entering(middle) > 0 else (low, middle)
    found = threshold(5, declaration="blind", seed=4, deals=50_000, progress=False).results
    assert found["equilibrium"]["entry_prob"] == pytest.approx(low, abs=5e-4)
    assert found["exploitability"]["value"] < 1e-4
    assert found["round"]["p_nobody"] == pytest.approx((1 - found["equilibrium"]["entry_prob"]) ** 5)


def test_two_blind_players_both_enter():
    found = threshold(2, declaration="blind", seed=4, deals=20_000, progress=False).results
    assert found["equilibrium"]["entry_prob"] == 1.0
    assert found["exploitability"]["value"] == 0.0


# Study


@pytest.fixture
def rough(monkeypatch):
    """Solve with a hundredth of the usual effort: what is asked here does not need more."""
    monkeypatch.setattr(variants, "solve_decisions", partial(solve_decisions, iterations=25, deals_per_iteration=512))
    monkeypatch.setattr(blind, "DEALS_TO_SOLVE", 20_480)


@pytest.mark.usefixtures("rough")
def test_threshold_answers_for_a_variant():
    result = threshold(3, nobody_in="weenie", seed=1, deals=20_000, progress=False, field="TT+")
    found = result.results
    assert found["exploitability"]["value"] < 2e-2
    assert found["field"]["entry_prob"] == pytest.approx(0.022624, abs=1e-6)
    assert found["best_response"]["gain"]["value"] > 0.1
    assert result.n == 20_000
    assert result.method == "mc"
    assert "weenie" in result.summary()


@pytest.mark.usefixtures("rough")
@pytest.mark.parametrize("switches", [{"declaration": "blind"}, {"pays": "lowest"}], ids=str)
def test_continuing_equals_a_longer_run(switches):
    arguments = {**switches, "seed": 2, "progress": False}
    short = threshold(3, deals=3000, **arguments)
    assert short.extend(6000).digest == threshold(3, deals=6000, **arguments).digest


@pytest.mark.slow
def test_more_effort_makes_an_answer_less_exploitable():
    """On the same fresh deals; and the effort is part of the record, so that it can be repeated."""
    arguments = {"pays": "lowest", "seed": 4, "deals": 20_000, "progress": False}
    hasty, usual = (threshold(4, effort=effort, **arguments) for effort in (0.25, 1.0))
    gains = [found.results["exploitability"]["value"] for found in (hasty, usual)]
    assert gains[1] < gains[0]
    assert hasty.parameters["effort"] == 0.25
    assert "effort" not in usual.parameters


@pytest.mark.parametrize("effort", [0, -1, True, "much", float("nan"), 1e6])
def test_effort_is_a_sensible_number(effort):
    with pytest.raises(InputError, match="effort"):
        threshold(5, effort=effort)


@pytest.mark.usefixtures("rough")
def test_high_low_reports_both_pots():
    found = threshold(3, high_low=True, seed=3, deals=10_000, progress=False).results
    assert sum(found["declarations"].values()) == pytest.approx(1)
    assert {row["hand"] for row in found["low"]["equilibrium"]["hands"][:3]} <= {"2A", "3A", "32", "4A", "42"}
    assert found["low"]["exploitability"]["value"] < 2e-2


@pytest.mark.usefixtures("rough")
def test_limits_of_payments_make_the_pot_matter():
    """A match that costs less than the pot is worth more risk."""
    small, large = (threshold(3, match_limit=3, pot=pot, seed=1, deals=5000, progress=False).results for pot in (3, 12))
    assert large["equilibrium"]["entry_prob"] > small["equilibrium"]["entry_prob"] + 0.1


@pytest.mark.usefixtures("rough")
def test_who_has_little_left_risks_it():
    """With two chips left a lost pot of 18 costs two; who is eliminated loses his share of the next pot as well."""
    arguments = {"pot": 18, "seed": 1, "deals": 5000, "progress": False}
    credit, table, out = (
        threshold(3, **arguments, **switches).results
        for switches in (
            {"pays": "all"},
            {"stakes": "table", "bankroll": 8},
            {"stakes": "eliminate", "bankroll": 8},
        )
    )
    assert table["stack"] == 2
    assert table["equilibrium"]["entry_prob"] > out["equilibrium"]["entry_prob"] + 0.02
    assert out["equilibrium"]["entry_prob"] > credit["equilibrium"]["entry_prob"] + 0.1


@pytest.mark.parametrize(
    ("switches", "message"),
    [
        ({"stakes": "table"}, "bankroll"),
        ({"stakes": "table", "bankroll": 10, "high_low": True}, "high_low"),
        ({"stakes": "table", "bankroll": 3, "pot": 12}, "bankroll"),
        ({"nobody_in": "weenie", "method": "exact"}, "method"),
        ({"pot": 30}, "cap"),
        ({"stakes": "table", "bankroll": 8, "ante_every_round": True, "pot": 9}, "ante_every_round"),
        ({"stakes": "eliminate", "bankroll": 8, "ante": 3, "ante_every_round": True}, "ante_every_round"),
        ({"stakes": "eliminate", "bankroll": 8, "ante": 5, "nobody_in": "reante"}, "nobody_in"),
    ],
)
def test_what_cannot_be_solved_is_refused_by_name(switches, message):
    with pytest.raises(InputError, match=message):
        threshold(4, **switches)


def test_probabilities_of_high_hands_are_no_strategy_for_the_low_pot():
    field = Strategy("mine", get_ranking("guts2"), np.linspace(0.0, 1.0, 91))
    with pytest.raises(InputError, match=r"^field, high_low: 'mine' does not say what is played for the low pot"):
        threshold(2, field=field, high_low=True, declaration="blind", deals=100, effort=0.01, workers=1)


@pytest.mark.parametrize("limit", [{"match_limit": 10}, {"stakes": "table", "bankroll": 10**12}])
def test_pots_that_cannot_be_summed_up_are_refused(limit):
    """Sums of squares passed what 64-bit integers hold, and the answer was noise."""
    with pytest.raises(InputError, match=r"pot, deals: .*larger units"):
        threshold(3, pot=10**12, cap=10**12, seed=1, **limit)


def test_extending_beyond_what_can_be_summed_up_is_refused():
    result = threshold(3, pot=400, cap=None, match_limit=100, effort=0.01, deals=2000, seed=1)
    with pytest.raises(InputError, match="ask for fewer"):
        result.extend(2**50)


def test_the_first_pot_is_no_larger_than_the_cap():
    """Antes beyond it go to the reserve, or shrink."""
    for reserve in (True, False):
        rules = GutsRules(ante=10, match_limit=5, cap=20, reserve=reserve)
        assert DecisionGame(rules, 3).pot_units == 20 * SUBUNITS
    assert DecisionGame(GutsRules(ante=10, match_limit=5), 3).pot_units == 30 * SUBUNITS


def test_antes_that_everybody_can_pay_move_nothing():
    given = {"stakes": "table", "bankroll": 30, "pot": 9, "deals": 2048, "effort": 0.01, "seed": 1, "workers": 1}
    once, always = (threshold(3, ante_every_round=every, **given).results for every in (False, True))
    assert [row["delta"] for row in always["equilibrium"]["hands"]] == [
        row["delta"] for row in once["equilibrium"]["hands"]
    ]


@pytest.mark.parametrize("switches", [{"nobody_in": "weenie", "field": "top:40%"}, {"high_low": True}], ids=str)
def test_ctrl_c_while_measuring_leaves_a_partial_result(switches, monkeypatch):
    """Whatever was not measured yet gets one block, and the number of deals is the true one."""
    n_blocks = count()

    def stopped(game, entry, keys):
        task = decision_task(game, entry, keys)

        def run(start, stop):
            if next(n_blocks) == 3:
                press_ctrl_c()
            return task(start, stop)

        return run

    monkeypatch.setattr(variants, "decision_task", stopped)
    found = threshold(3, rules="home", cards=2, effort=0.01, deals=100_000, seed=1, workers=1, **switches)
    assert not found.complete
    assert 0 < found.n <= 4 * BLOCK
    assert "Interrupted: a partial result." in found.summary()
    main, *others = (sample.n for pot in found.study.pots.values() for sample in pot.samples.values())
    assert 3 * BLOCK <= main <= 4 * BLOCK
    assert others == [BLOCK] * len(others)
