"""Best replies of a player whose chips are limited: against the referee, a plain simulation, and known cases."""

import json
from fractions import Fraction

import numpy as np
import pytest

import guts_sim as gs
from guts_sim.cli.app import run
from guts_sim.errors import InputError
from guts_sim.exact.bankroll_process import (
    BankrollTable,
    Seat,
    best_bankroll_policy,
    evaluate_bankroll_policy,
    seat_moves,
    settle_seat,
)
from guts_sim.exact.chain import stakes_of
from guts_sim.exact.outcomes import outcomes_of, small_outcome_law
from guts_sim.exact.pot_process import best_policy, table_moves
from guts_sim.exact.utility import Utility
from guts_sim.hands import get_ranking
from guts_sim.rules import GutsRules, get_rules
from guts_sim.settlement import settle_contests
from guts_sim.settlement.contest import Contest
from guts_sim.strategy import parse_field

GUTS2 = get_ranking("guts2")
RICH = 10_000


def table_of(n_players, bankroll, stakes="table", **switches):
    rules = get_rules("two-card", stakes=stakes, bankroll=bankroll, **switches)
    return BankrollTable(
        n_players, stakes_of(n_players, rules), rules.nobody_in == "reante", stakes == "eliminate", bankroll
    )


def refereed(seat, outcome, n_players, rules):
    """Pot, reserve, chips and whether he is out, from the referee: the player sits first, all others are rich."""
    roles = [(outcome.wins or outcome.loses, 9 if outcome.wins else 5)]
    roles += [(True, 9)] * (outcome.n_best - outcome.wins) + [(True, 5)] * (outcome.n_losers - outcome.loses)
    roles += [(False, 1)] * (n_players - len(roles))
    contest = Contest(
        "pot",
        Fraction(seat.pot),
        Fraction(seat.reserve),
        tuple(bool(is_in) for is_in, _ in roles),
        tuple((strength,) for _, strength in roles),
    )
    stacks = [Fraction(seat.stack)] + [Fraction(RICH)] * (n_players - 1)
    settled = settle_contests(rules, [contest], [str(i) for i in range(n_players)], stacks=stacks)
    pot = settled.pots[0]
    return pot.next_pot, pot.reserve, settled.stacks[0], 0 in settled.eliminated


@pytest.mark.parametrize("stakes", ["table", "eliminate"])
@pytest.mark.parametrize(
    "switches",
    [
        {"cap": 20, "reserve": False},
        {"cap": 20, "reserve": True},
        {"cap": 20, "reserve": False, "match_limit": 6},
        {"cap": 20, "reserve": False, "nobody_in": "reante", "ante": 3},
        {"cap": 20, "reserve": True, "ante_every_round": True, "ante": 2},
    ],
    ids=str,
)
def test_rounds_are_settled_as_the_referee_does(stakes, switches):
    rules = GutsRules(stakes=stakes, bankroll=30, **switches)
    for n_players in (2, 4):
        table = BankrollTable(
            n_players, stakes_of(n_players, rules), rules.nobody_in == "reante", stakes == "eliminate", 30
        )
        for outcome in [*outcomes_of(n_players)[0], *outcomes_of(n_players)[1]]:
            for seat in (Seat(12, 0, 30), Seat(12, 0, 5), Seat(12, 7, 1), Seat(12, 0, 0), Seat(12, 40, 11)):
                if seat.reserve and not rules.reserve:
                    continue
                pot, reserve, chips, is_out = settle_seat(seat, outcome, table)
                expected = refereed(seat, outcome, n_players, rules)
                if is_out:  # what then happens to the table is no longer his affair
                    assert (chips, True) == (pytest.approx(float(expected[2])), expected[3])
                    continue
                assert (pot, reserve) == expected[:2]
                if (pot, reserve) != (0, 0):  # else the referee asks who can open the next cycle
                    assert not expected[3]
                assert chips == pytest.approx(float(expected[2]))


def test_without_limits_it_is_the_reply_by_pot():
    """A bankroll that never runs out and no aversion: chips are worth what they are worth on credit."""
    law = small_outcome_law([parse_field(spec, GUTS2).entry for spec in ("TT+", "K4+")])
    rules = get_rules("two-card", cap=9, reserve=False)
    by_pot = best_policy(table_moves(3, stakes_of(3, rules), False), law, np.zeros(91))
    moves = seat_moves(table_of(3, 200, cap=9, reserve=False))
    by_stack = best_bankroll_policy(moves, law, Utility())
    assert by_stack.worth[0] == pytest.approx(by_pot.worth[0], abs=1e-9)
    assert np.array_equal(by_stack.entry[0], by_pot.entry[0])
    assert by_stack.ruin < 1e-12


def test_constant_absolute_aversion_does_not_look_at_a_stack_that_never_runs_out():
    """Two routes to the same certainty equivalent; odd chips that go by lot make a little difference."""
    law = small_outcome_law([parse_field(spec, GUTS2).entry for spec in ("TT+", "K4+")])
    rules = get_rules("two-card", cap=9, reserve=False)
    by_pot = best_policy(table_moves(3, stakes_of(3, rules), False), law, np.zeros(91), 0.02)
    by_stack = best_bankroll_policy(seat_moves(table_of(3, 200, cap=9, reserve=False)), law, Utility(absolute=0.02))
    assert by_stack.worth[0] == pytest.approx(by_pot.worth[0], abs=2e-3)


def played_once(table, law, policy, index, rng):
    """One cycle, round by round."""
    seat = table.opening
    outs, ins = outcomes_of(table.n_players)
    while True:
        hand = rng.choice(law.frequency.size, p=law.frequency)
        enters = rng.random() < policy.entry[index[seat], hand]
        outcomes, shares = (ins, law.when_in) if enters else (outs, law.when_out)
        outcome = outcomes[rng.choice(len(outcomes), p=shares[:, hand] / shares[:, hand].sum())]
        pot, reserve, chips, is_out = settle_seat(seat, outcome, table)
        stack = int(chips + rng.random() * (1 - 1e-9)) if chips % 1 else int(chips)
        if is_out or (pot, reserve) == (0, 0):
            return stack
        seat = Seat(pot, reserve, stack)


@pytest.mark.parametrize("stakes", ["table", "eliminate"])
def test_value_is_what_simulated_cycles_give(stakes):
    table = table_of(3, 6, stakes, cap=10, reserve=False)
    law = small_outcome_law([parse_field(spec, GUTS2).entry for spec in ("top:60%", "top:45%")])
    utility = Utility(relative=0.5)
    moves = seat_moves(table)
    policy = best_bankroll_policy(moves, law, utility)
    index = {seat: i for i, seat in enumerate(moves.seats)}
    rng = np.random.default_rng(5)
    chips = np.array([played_once(table, law, policy, index, rng) for _ in range(4000)])
    worth = 2.0 * np.sqrt(chips)
    expected = 2.0 * np.sqrt(table.opening.stack + policy.worth[0])
    assert worth.mean() == pytest.approx(expected, abs=4 * worth.std() / np.sqrt(chips.size))
    assert (chips == 0).mean() == pytest.approx(policy.ruin, abs=4 * np.sqrt(policy.ruin / chips.size))
    assert policy.ruin > 0.01


def test_no_single_change_of_the_policy_gains():
    """Optimality, state by state: play the other way with one hand in one seat and value the policy again."""
    table = table_of(2, 8, cap=6, reserve=False)
    law = small_outcome_law([parse_field("top:55%", GUTS2).entry])
    utility = Utility(relative=1.0, wealth=2.0)
    moves = seat_moves(table)
    best = best_bankroll_policy(moves, law, utility)
    rng = np.random.default_rng(3)
    for _ in range(60):
        entry = best.entry.copy()
        seat, hand = rng.integers(len(moves.seats)), rng.integers(91)
        entry[seat, hand] = 1.0 - entry[seat, hand]
        changed = evaluate_bankroll_policy(moves, law, entry, utility)
        assert (changed.worth <= best.worth + 1e-11).all()


def test_last_chips_are_worth_risking():
    """Who has one chip left loses little where others lose the pot, so he enters with more hands."""
    found = gs.best_response(3, cap=12, reserve=False, stakes="table", bankroll=20).results
    by_seat = {(row["pot"], row["stack"]): row["entry_prob"] for row in found["policy"]}
    assert by_seat[6, 1] > by_seat[6, 19] + 0.1
    assert found["looks_at_stack"]
    assert 0.0 < found["ruin"] < 0.01


def test_aversion_makes_play_tighter():
    plain = gs.best_response(3, cap=12, reserve=False, stakes="table", bankroll=24).results
    averse = gs.best_response(
        3, cap=12, reserve=False, stakes="table", bankroll=24, relative_risk_aversion=3.0, wealth=1.0
    ).results
    entry = [
        next(row["entry_prob"] for row in found["policy"] if (row["pot"], row["stack"]) == (12, 23))
        for found in (plain, averse)
    ]
    assert entry[1] < entry[0] - 0.02
    assert averse["value"]["value"] < plain["value"]["value"]


def plain_utility(utility, chips):
    """The textbook formula."""
    if utility.absolute:
        return -np.exp(-utility.absolute * chips)
    owned = chips + utility.wealth
    if utility.relative == 1.0:
        return np.log(owned)
    return owned ** (1.0 - utility.relative) / (1.0 - utility.relative)


UTILITIES = [
    Utility(),
    Utility(absolute=0.1),
    Utility(relative=0.5),
    Utility(relative=1.0, wealth=2.0),
    Utility(relative=3.0, wealth=2.0),
]


@pytest.mark.parametrize("utility", UTILITIES, ids=str)
def test_certain_chips_are_worth_what_the_lottery_is(utility):
    assert utility.certain_chips([3.0], [1.0]) == pytest.approx(3.0)
    chips, chances = np.array([0.0, 4.0, 10.0]), np.array([0.2, 0.5, 0.3])
    sure = utility.certain_chips(chips, chances)
    assert plain_utility(utility, np.array(sure)) == pytest.approx(chances @ plain_utility(utility, chips))
    assert sure <= 5.0 + 1e-12


def test_logarithm_of_an_even_chance():
    assert Utility(relative=1.0, wealth=1.0).certain_chips([0.0, 8.0], [0.5, 0.5]) == pytest.approx(2.0)


@pytest.mark.parametrize("utility", UTILITIES, ids=str)
def test_worth_everywhere_is_that_of_the_ends(utility):
    """The textbook utility of the ends, carried back round by round, at every table and stack."""
    table = table_of(2, 6, "eliminate", cap=6, reserve=False)
    law = small_outcome_law([parse_field("top:55%", GUTS2).entry])
    moves = seat_moves(table)
    policy = best_bankroll_policy(moves, law, utility)
    n = len(moves.seats)
    chances = np.hstack(
        [((1 - policy.entry) * law.frequency) @ law.when_out.T, (policy.entry * law.frequency) @ law.when_in.T]
    )
    mean = np.zeros(n)
    at_end = plain_utility(utility, moves.end_chips)
    for _ in range(3000):
        later = np.append(mean, at_end)
        mean = (chances * ((1 - moves.high_share) * later[moves.low] + moves.high_share * later[moves.high])).sum(
            axis=1
        )
    stacks = np.array([seat.stack for seat in moves.seats])
    assert plain_utility(utility, stacks + policy.worth) == pytest.approx(mean, rel=1e-9)


@pytest.mark.parametrize(
    "utility",
    [Utility(relative=1.0, wealth=1e-300), Utility(relative=50.0, wealth=1.0), Utility(relative=150.0, wealth=1.0)],
    ids=str,
)
def test_strong_aversion_keeps_its_digits(utility):
    """The chances of all ends, and the textbook utility of these: fortunes differ in worth by hundreds of digits."""
    table = table_of(3, 10, cap=8, reserve=False)
    law = small_outcome_law([parse_field("K4+", GUTS2).entry] * 2)
    moves = seat_moves(table)
    policy = evaluate_bankroll_policy(moves, law, parse_field("K4+", GUTS2).entry, utility)
    weights = law.weights(policy.entry)
    n, chance = len(moves.seats), np.zeros(len(moves.seats) + moves.end_chips.size)
    chance[0] = 1.0
    for _ in range(400):
        flow, after = chance[:n, None] * weights, np.concatenate([np.zeros(n), chance[n:]])
        np.add.at(after, moves.low, flow * (1.0 - moves.high_share))
        np.add.at(after, moves.high, flow * moves.high_share)
        chance = after
    owned, chances = moves.end_chips + utility.wealth, chance[n:]
    if utility.relative == 1.0:
        sure = np.exp(chances @ np.log(owned))
    else:
        sure = np.exp(np.log(chances @ owned**utility.power) / utility.power)
    assert table.opening.stack + policy.worth[0] + utility.wealth == pytest.approx(sure, rel=1e-9)
    assert (policy.worth + np.array([seat.stack for seat in moves.seats]) >= -1e-9).all()


def test_strong_aversion_of_the_rich_is_refused():
    """One match is bearable, but all that the largest stack can lose is beyond what numbers hold."""
    given = {"cap": 8, "reserve": False, "stakes": "table", "relative_risk_aversion": 150.0, "wealth": 1.0}
    assert gs.best_response(3, bankroll=10, **given).results["gain"]["value"] > 0.0
    with pytest.raises(InputError, match=r"^relative_risk_aversion: 150 is too much .* give at most"):
        gs.best_response(3, bankroll=100, **given)


@pytest.mark.parametrize("stakes", [{"stakes": "table", "bankroll": 30}, {}], ids=["table", "credit"])
@pytest.mark.parametrize("aversion", [1e-300, 1e-12])
def test_hardly_any_aversion_is_none(stakes, aversion):
    averse, plain = (gs.best_response(3, cap=10, reserve=False, risk_aversion=a, **stakes) for a in (aversion, 0.0))
    assert averse.results["value"]["value"] == pytest.approx(plain.results["value"]["value"], abs=1e-9)
    assert averse.results["hands"] == plain.results["hands"]


@pytest.mark.slow
def test_other_wealth_without_end_is_no_aversion():
    given = {"cap": 10, "reserve": False, "stakes": "table", "bankroll": 20}
    plain = gs.best_response(3, **given).results
    for relative in (0.5, 1.0, 3.0):
        rich = gs.best_response(3, relative_risk_aversion=relative, wealth=1e300, **given).results
        assert rich["value"]["value"] == pytest.approx(plain["value"]["value"], abs=1e-9)
        assert rich["hands"] == plain["hands"]


def test_strong_aversion_of_a_large_stack_has_a_price():
    """A stack that never runs out: as on credit, however large it is; the odd chips that go by lot cost a little."""
    given = {"field": "K4+", "cap": 9, "reserve": False, "risk_aversion": 1.0}
    on_credit, small, large = (
        gs.best_response(3, **given, **stakes).results["value"]["value"]
        for stakes in ({}, {"stakes": "table", "bankroll": 60}, {"stakes": "table", "bankroll": 130})
    )
    assert large == pytest.approx(small, abs=1e-9)
    assert large == pytest.approx(on_credit, abs=0.05)
    assert -1.0 < large < 0.0


def test_too_strong_an_aversion_is_refused():
    given = {"cap": 10, "reserve": False, "stakes": "table", "bankroll": 20}
    for aversion in (
        {"risk_aversion": 40},
        {"risk_aversion": 1e300},
        {"risk_aversion": 1.7e308},
        {"relative_risk_aversion": 500, "wealth": 0.5},
    ):
        with pytest.raises(InputError, match=f"^{next(iter(aversion))}: .* is too much"):
            gs.best_response(3, **aversion, **given)


@pytest.mark.parametrize("stakes", [{"stakes": "table", "bankroll": 20}, {}], ids=["table", "credit"])
def test_opponents_who_never_enter_leave_the_antes(stakes):
    """Who never enters against them never ends the cycle; that is no place to start from."""
    found = gs.best_response(3, field="never", cap=10, reserve=False, **stakes).results
    assert found["value"]["value"] == pytest.approx(2.0)


@pytest.mark.slow
def test_opponents_among_whom_a_cycle_never_ends_are_refused():
    """Five players cannot all tie, and four are always in."""
    with pytest.raises(InputError, match="never end"):
        gs.best_response(5, field="always", cap=10, reserve=False, deals=200, seed=1)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"relative_risk_aversion": 0.5, "cap": 20}, "stakes"),
        ({"stakes": "table", "cap": 20}, "bankroll"),
        ({"stakes": "table", "bankroll": 20, "cap": None}, "cap"),
        ({"stakes": "table", "bankroll": 20, "relative_risk_aversion": 1.0}, "wealth"),
        ({"stakes": "table", "bankroll": 20, "relative_risk_aversion": 0.5, "risk_aversion": 0.1}, "not both"),
        ({"stakes": "table", "bankroll": 20, "wealth": 5}, "wealth"),
        ({"stakes": "table", "bankroll": 20, "relative_risk_aversion": -1}, "relative_risk_aversion"),
        ({"stakes": "table", "bankroll": 5_000, "cap": 1_000, "reserve": True}, "more than"),
    ],
)
def test_what_is_asked_for_must_make_sense(arguments, message):
    with pytest.raises(InputError, match=message):
        gs.best_response(3, **arguments)


def test_command_with_limited_chips(tmp_path, capsys):
    record, chart = tmp_path / "reply.json", tmp_path / "reply.png"
    arguments = [
        "best-response",
        "--players",
        "3",
        "--cap",
        "12",
        "--no-reserve",
        "--stakes",
        "table",
        "--bankroll",
        "20",
    ]
    arguments += ["--relative-risk-aversion", "0.5", "--out", str(record), "--plot", str(chart)]
    assert run(arguments) == 0
    printed = capsys.readouterr().out
    assert "table stakes with 20 chips" in printed
    assert "without chips with probability" in printed
    assert chart.stat().st_size > 5_000
    assert gs.rerun(record).digest == json.loads(record.read_text())["digest"]
    assert run(["best-response", "--players", "3", "--wealth", "much"]) == 2
    assert "--wealth" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["risk_aversion", "relative_risk_aversion", "wealth"])
@pytest.mark.parametrize("value", [-1, -1e-9, float("nan"), float("inf"), 10**400, True, np.True_, "1", None, 1j])
def test_numbers_that_are_none_are_refused(name, value):
    with pytest.raises(InputError, match=f"^{name}: .* is not allowed; give a number of at least 0"):
        gs.best_response(3, cap=10, reserve=False, stakes="table", bankroll=20, **{name: value})


def test_chart_of_a_pot_that_never_changes_shows_stacks():
    """Two players: whoever loses makes the same pot again, or is out."""
    axes = gs.best_response(2, field="top:60%", cap=8, reserve=False, stakes="eliminate", bankroll=12).plot().axes[0]
    assert "chips left" in axes.get_xlabel()
    assert len(set(axes.lines[0].get_xdata())) > 5
