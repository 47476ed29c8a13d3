"""Coalitions with continuous hands: published values, certified bounds, other algorithms, simulation."""

import json
from itertools import combinations_with_replacement
from math import isnan

import numpy as np
import pytest
from scipy.optimize import linprog

import guts_sim as gs
from guts_sim.cli.app import run
from guts_sim.errors import InputError
from guts_sim.exact.coalition import Plan, best_plans, coalition_round, coalition_table
from guts_sim.exact.coalition_solution import (
    MixedPlan,
    at_equilibrium,
    conceded_by,
    equilibrium_of,
    solve_coalition,
    value_at,
)
from guts_sim.exact.continuous import equilibrium_threshold, round_of_thresholds


def thresholds_of(table, plan):
    return [0.0] * plan.always_in + [plan.threshold] * (table.n_colluders - plan.always_in)


@pytest.mark.parametrize(
    ("n_players", "value", "always_in_needs", "all_need"),
    [(3, -0.01329, 0.86, 0.675), (4, -0.03383, 0.89, 0.76)],
)
def test_published_solutions(n_players, value, always_in_needs, all_need):
    """Buck, Lee, Platnick, Wheeler and Zumbrun, arXiv:2208.02788, on a grid of steps of 0.01."""
    solution = solve_coalition(coalition_table(n_players))
    assert solution.value == pytest.approx(value, abs=5e-6)
    one_in, all_alike = solution.mix
    assert (one_in.plan.always_in, all_alike.plan.always_in) == (1, 0)
    assert one_in.plan.threshold == pytest.approx(always_in_needs, abs=0.006)
    assert all_alike.plan.threshold == pytest.approx(all_need, abs=0.006)


@pytest.mark.parametrize(("n_players", "weight"), [(3, 0.132), (4, 0.2084)])
def test_the_published_weight_lies_between_plans_of_a_round_and_plans_of_a_pot(n_players, weight):
    plan = gs.coalition(n_players).results["plans"][0]
    assert plan["weight"] < weight < plan["weight_per_pot"]


def test_many_players_lose_about_16_percent():
    values = [solve_coalition(coalition_table(n)).value for n in (10, 100, 2000)]
    assert values == sorted(values, reverse=True)
    assert values[-1] == pytest.approx(-0.16, abs=0.005)


@pytest.mark.parametrize("n_players", [3, 4, 7, 10])
@pytest.mark.parametrize("shared_cards", [False, True])
def test_what_the_threshold_guarantees_the_mix_concedes(n_players, shared_cards):
    solution = solve_coalition(coalition_table(n_players, shared_cards=shared_cards))
    assert solution.conceded == pytest.approx(solution.value, abs=1e-8)
    assert sum(one.weight for one in solution.mix) == pytest.approx(1.0)
    assert solution.multiplier < 1.0


@pytest.mark.parametrize("n_players", [3, 4, 6])
def test_the_round_is_that_of_separate_thresholds(n_players):
    table = coalition_table(n_players)
    for honest, plan in [(0.6, Plan(0, 0.7)), (0.7, Plan(1, 0.9)), (0.8, Plan(0, 0.3)), (0.5, Plan(2, 0.6))]:
        other = round_of_thresholds([honest, *thresholds_of(table, plan)])
        payoff, multiplier = coalition_round(table, honest, plan)
        assert payoff == pytest.approx(other.first_payoff, abs=1e-13)
        assert multiplier == pytest.approx(other.expected_multiplier, abs=1e-13)


@pytest.mark.parametrize("n_players", [3, 4, 5])
def test_no_plan_of_separate_thresholds_beats_the_solution(n_players):
    solution = solve_coalition(coalition_table(n_players))
    generator = np.random.default_rng(n_players)
    for _ in range(3000):
        plan = generator.uniform(0.0, 1.0, n_players - 1) * (generator.random(n_players - 1) < 0.8)
        one = round_of_thresholds([solution.threshold, *plan])
        assert one.first_payoff + one.expected_multiplier * solution.value > solution.value - 1e-9


def played(generator, n, seats, rule):
    """Mean payoff of seat 0 in antes and mean multiplier, with the standard error of payoff + value * multiplier."""
    hands = generator.random((n, len(seats)))
    enters = hands > np.asarray(seats)
    n_in = enters.sum(axis=1)
    best = np.where(enters, hands, -1.0).argmax(axis=1)
    multiplier = np.where(n_in > 0, n_in - 1.0, 2.0 if rule == "weenie" else 1.0)
    flow = np.where(enters[:, 0], np.where(best == 0, 1.0, -1.0), 0.0)
    if rule == "weenie":
        flow -= (n_in == 0) & (hands.argmax(axis=1) == 0)
    return len(seats) * flow + multiplier - 1.0, multiplier


@pytest.mark.parametrize("n_players", [3, 5])
def test_the_mix_played_against_the_honest_best_reply(n_players):
    solution = solve_coalition(coalition_table(n_players))
    generator = np.random.default_rng(10 + n_players)
    n = 1_000_000
    rounds = []
    for one in solution.mix:
        seats = [solution.threshold, *thresholds_of(solution.table, one.plan)]
        rounds.append(played(generator, round(n * one.weight), seats, "base"))
    payoff, multiplier = (np.concatenate(part) for part in zip(*rounds))
    ratio = payoff.mean() / (1.0 - multiplier.mean())
    residual = payoff + ratio * multiplier
    stderr = residual.std() / np.sqrt(len(residual)) / (1.0 - multiplier.mean())
    assert abs(ratio - solution.value) < 4.5 * stderr < 0.05


def matrix_value(payoffs):
    """Value of a matrix game to the row player, and his mix, by linear programming."""
    m, n = payoffs.shape
    answer = linprog(
        np.append(np.zeros(m), -1.0),
        A_ub=np.hstack([-payoffs.T, np.ones((n, 1))]),
        b_ub=np.zeros(n),
        A_eq=[[1.0] * m + [0.0]],
        b_eq=[1.0],
        bounds=[(0, None)] * m + [(None, None)],
    )
    return answer.x[-1], answer.x[:m], -answer.ineqlin.marginals


@pytest.fixture(scope="module")
def grid_game():
    """Three players on a grid: payoffs and multipliers of a round, honest thresholds by pairs of thresholds."""
    grid = np.arange(51) / 50
    honest = [q for q in grid if 0.5 < q < 0.8]
    pairs = [p for p in combinations_with_replacement(grid, 2) if p[0] == 0.0 or p[0] > 0.4]
    rounds = [[round_of_thresholds([q, *pair]) for pair in pairs] for q in honest]
    payoff = np.array([[one.first_payoff for one in row] for row in rounds])
    return payoff, np.array([[one.expected_multiplier for one in row] for row in rounds]), pairs


def test_linear_programming_on_a_grid(grid_game):
    payoff, multiplier, pairs = grid_game
    value = 0.0
    for _ in range(20):
        _, x, y = matrix_value(payoff + value * multiplier)
        value = (x @ payoff @ y) / (1.0 - x @ multiplier @ y)
    assert value == pytest.approx(-0.01329, abs=3e-4)
    played_pairs = {pairs[j] for j in np.flatnonzero(y > 1e-6)}
    assert played_pairs == {(0.0, 0.86), (0.68, 0.68)}  # no pair of different thresholds, 0 apart


def test_fictitious_play_on_a_grid(grid_game):
    payoff, multiplier, _ = grid_game
    stage = payoff + solve_coalition(coalition_table(3)).value * multiplier
    against_rows, against_columns = np.zeros(stage.shape[1]), np.zeros(stage.shape[0])
    row = 0
    n = 20_000
    for _ in range(n):
        against_rows += stage[row]
        column = against_rows.argmin()
        against_columns += stage[:, column]
        row = against_columns.argmax()
    low, high = against_rows.min() / n, against_columns.max() / n
    assert low - 3e-4 < -0.01329 < high + 3e-4
    assert high - low < 3e-3


@pytest.mark.parametrize("n_players", [3, 4, 5])
def test_under_the_weenie_rule_a_coalition_gains_nothing(n_players):
    """Strong equilibrium, as published, for up to five players."""
    table = coalition_table(n_players, rule="weenie")
    assert equilibrium_of(table) == pytest.approx(equilibrium_threshold(n_players, "weenie"), abs=1e-12)
    assert abs(at_equilibrium(table).value) < 1e-9
    assert abs(solve_coalition(table).value) < 1e-9


def test_under_the_weenie_rule_six_players_are_too_many():
    """One who is always in rules out that all are out; from six players on that is worth his losses."""
    table = coalition_table(6, rule="weenie")
    honest = equilibrium_of(table)
    worth, plan = min(best_plans(table, honest, 0.0))
    assert plan.always_in == 1
    assert worth == pytest.approx(-0.01124, abs=1e-5)
    payoff, _ = played(np.random.default_rng(1), 2_000_000, [honest, *thresholds_of(table, plan)], "weenie")
    stderr = payoff.std() / np.sqrt(payoff.size)
    assert abs(payoff.mean() - worth) < 4.5 * stderr
    assert payoff.mean() + 4.5 * stderr < 0.0
    assert solve_coalition(table).value == pytest.approx(-0.00871, abs=1e-5)


def test_rounds_of_the_weenie_rule_played():
    table = coalition_table(4, 2, "weenie")
    for honest, plan in [(0.7, Plan(0, 0.5)), (0.6, Plan(0, 0.8)), (0.7, Plan(1, 0.6))]:
        payoff, multiplier = played(
            np.random.default_rng(5), 400_000, [honest, honest, *thresholds_of(table, plan)], "weenie"
        )
        exact = coalition_round(table, honest, plan)
        for sample, value in zip((payoff, multiplier), exact):
            assert abs(sample.mean() - value) < 4.5 * sample.std() / np.sqrt(sample.size)


def test_shared_cards_played():
    """Only the strongest colluder enters; against an honest player of a threshold he has two losers fewer."""
    solution = solve_coalition(coalition_table(3, shared_cards=True))
    assert solution.mix[0].plan.threshold == 0.0  # somebody always is in
    hands = np.random.default_rng(3).random((400_000, 3))
    enters = hands[:, 0] > solution.threshold
    wins = hands[:, 0] > hands[:, 1:].max(axis=1)
    multiplier = enters.astype(float)
    payoff = 3.0 * np.where(enters, np.where(wins, 1.0, -1.0), 0.0) + multiplier - 1.0
    value = payoff.mean() / (1.0 - multiplier.mean())
    stderr = (payoff + value * multiplier).std() / np.sqrt(payoff.size) / (1.0 - multiplier.mean())
    assert abs(value - solution.value) < 4.5 * stderr


def test_no_finite_value_where_the_coalition_wins_and_stakes_grow():
    solution = solve_coalition(coalition_table(7, rule="weenie"))
    assert solution.value == -np.inf
    assert isnan(solution.conceded)
    result = gs.coalition(7, nobody_in="weenie")
    assert not result.results["has_value"]
    assert json.loads(result.to_json())["results"]["value"] is None
    assert "no finite value" in result.summary()


def test_fewer_colluders_win_less_from_each_honest_player():
    rows = gs.coalition(6).rows
    assert [row["colluders"] for row in rows] == [2, 3, 4, 5]
    for key in ("value", "value_at_equilibrium"):
        values = [row[key] for row in rows]
        assert values == sorted(values, reverse=True)
    assert all(row["value"] >= row["value_at_equilibrium"] for row in rows)


def test_a_worse_mix_concedes_more():
    table = coalition_table(3)
    solution = solve_coalition(table)
    for weight in (0.0, 0.05, 0.3):
        first, second = solution.mix
        mix = [MixedPlan(w, one.plan, 0.0, 0.0) for w, one in ((weight, first), (1.0 - weight, second))]
        assert conceded_by(table, mix, solution.value) > solution.value + 1e-5
    assert value_at(table, solution.threshold - 0.01) < solution.value
    assert value_at(table, solution.threshold + 0.01) < solution.value


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"n_players": 2}, "n_players"),
        ({"n_players": 5, "colluders": 5}, "colluders"),
        ({"n_players": 5, "cap": 20}, "cap 20"),
        ({"n_players": 5, "nobody_in": "reante"}, "nobody_in"),
        ({"n_players": 5, "ghost": "all"}, "ghost"),
        ({"n_players": 5, "method": "mc"}, "method"),
        ({"n_players": 5, "seed": -1}, "seed"),
        ({"n_players": 5, "workers": 0}, "workers"),
        ({"n_players": 5, "confidence": 1}, "confidence"),
        ({"n_players": 5, "deals": 0}, "deals"),
    ],
    ids=str,
)
def test_bad_input(arguments, message):
    with pytest.raises(InputError, match=message):
        gs.coalition(**arguments)


def test_command_record_and_chart(tmp_path, capsys):
    table, chart = tmp_path / "coalition.csv", tmp_path / "coalition.png"
    assert run(["coalition", "--players", "4", "--format", "json", "--out", str(table), "--plot", str(chart)]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed["results"]["value"] == pytest.approx(-0.03383, abs=5e-6)
    assert printed["rules"]["cap"] is None
    assert chart.stat().st_size > 10_000
    assert gs.rerun(table).digest == printed["digest"]
    assert run(["coalition", "--players", "4", "--continuous", "--cards", "2"]) == 2
    assert "contradict" in capsys.readouterr().err
