"""Coalitions with real cards: certificates, slow twins, simulation, agreement of counting and sampling."""

import json

import numpy as np
import pytest

import guts_sim as gs
from guts_sim.cli.app import run
from guts_sim.engine import run_key
from guts_sim.errors import InputError
from guts_sim.exact.outcomes import small_outcome_law
from guts_sim.exact.stationary_reply import terms_of
from guts_sim.hands import class_index, get_ranking
from guts_sim.kernels.deal import fill_deals
from guts_sim.solve.coalition import PlanTable, best_plan, solve_plans
from guts_sim.studies.best_response_sampling import hand_groups, per_class
from guts_sim.studies.coalition_cards import PlanTask, table_of

GUTS2 = get_ranking("guts2")
VALUE = -0.0060097589767


@pytest.fixture(scope="module")
def three():
    return gs.coalition(3, cards=2)


def honest_entry(result):
    entry = (np.arange(91) >= class_index(result.results["honest"]["hand"], GUTS2)).astype(float)
    for hand, p in result.results["honest"]["also"].items():
        entry[class_index(hand, GUTS2)] = p
    return entry


def thresholds(plan):
    t = class_index(plan["hand_of_others"], GUTS2)
    return [0, t] if plan["always_in"] else [t, t]


def worth(entry, limits, value):
    """Payoff + value * multiplier of a round, three players, from the law of its ends."""
    terms = terms_of(small_outcome_law([(np.arange(91) >= limit).astype(float) for limit in limits]))
    flow, multiplier = terms.mean(entry)
    return multiplier - 1.0 + 3.0 * flow + value * multiplier


def test_three_players_exactly(three):
    results = three.results
    assert three.method == "exact"
    assert results["value"] == pytest.approx(VALUE, abs=1e-11)
    assert results["conceded"] == pytest.approx(VALUE, abs=1e-11)
    assert [plan["always_in"] for plan in results["plans"]] == [1, 0]
    assert results["equilibrium"]["hand"] == "K4"
    assert results["equilibrium"]["value"] == pytest.approx(-0.0895866, abs=1e-6)


def test_no_pair_of_thresholds_beats_the_honest_reply(three):
    """Different thresholds for the colluders who wait, which the solver does not try, gain next to nothing."""
    entry = honest_entry(three)
    generator = np.random.default_rng(2)
    pairs = [(0, t) for t in range(60, 91, 5)] + [tuple(generator.integers(45, 85, 2)) for _ in range(40)]
    assert min(worth(entry, pair, VALUE) for pair in pairs) > VALUE - 2e-4


def test_no_strategy_beats_the_mix(three):
    """Hand by hand: with the mix, entering or staying out elsewhere does not gain."""
    table = [(plan["weight"], thresholds(plan)) for plan in three.results["plans"]]

    def against_mix(entry):
        return sum(weight * worth(entry, limits, VALUE) for weight, limits in table)

    entry = honest_entry(three)
    best = against_mix(entry)
    assert best == pytest.approx(VALUE, abs=1e-9)
    for c in range(40, 91, 3):
        other = entry.copy()
        other[c] = 1.0 - other[c]
        assert against_mix(other) <= best + 1e-10


def test_the_solution_played(three):
    """Deals of the library's dealer, settled here; the mix against the honest reply."""
    entry, n = honest_entry(three), 400_000
    classes = gs.hand_class(gs.deal(n, 3, 2, seed=8), GUTS2).astype(int)
    generator = np.random.default_rng(9)
    plans = three.results["plans"]
    limits = np.array([thresholds(plan) for plan in plans])
    drawn = limits[(generator.random(n) < plans[1]["weight"]).astype(int)]
    enters = np.column_stack([generator.random(n) < entry[classes[:, 0]], classes[:, 1:] >= drawn])
    shown = np.where(enters, classes, -1)
    n_in, best = enters.sum(axis=1), shown.max(axis=1)
    n_best = ((shown == best[:, None]) & enters).sum(axis=1)
    multiplier = np.where(n_in == 0, 1, n_in - n_best)
    flow = np.where(enters[:, 0], np.where(shown[:, 0] == best, 1.0 / np.maximum(n_best, 1), -1.0), 0.0)
    payoff = 3.0 * flow + multiplier - 1.0
    ratio = payoff.mean() / (1.0 - multiplier.mean())
    stderr = (payoff + ratio * multiplier).std() / np.sqrt(n) / (1.0 - multiplier.mean())
    assert abs(ratio - VALUE) < 4.5 * stderr < 0.05


def test_counting_and_sampling_agree(three):
    sampled = gs.coalition(3, cards=2, method="mc", deals=400_000, seed=4, confidence=0.99999)
    assert sampled.n == 400_000
    low, high = (sampled.results["value_estimate"][end] for end in ("ci_low", "ci_high"))
    assert low < VALUE < high
    naive = sampled.results["equilibrium"]
    assert naive["ci_low"] < three.results["equilibrium"]["value"] + 0.003
    assert naive["ci_high"] > three.results["equilibrium"]["value"]


@pytest.mark.parametrize("shared", [False, True])
@pytest.mark.parametrize("cards", [2, 3])
def test_plans_are_played_as_in_plain_python(cards, shared):
    ranking = get_ranking(f"guts{cards}")
    n_classes = len(gs.class_names(ranking))
    key, n, honest = run_key(5, 40), 300, n_classes // 2
    plans = ((0, n_classes // 2),) if shared else ((1, 2 * n_classes // 3), (0, n_classes // 2))
    sums = PlanTask(key, 4, 2, ranking.name, honest, plans, shared)(100, 100 + n)
    dealt = np.empty((n, 4 * cards), np.uint8)
    fill_deals(key, np.uint64(100), np.empty(0, np.uint8), dealt)
    classes = gs.hand_class(dealt.reshape(n, 4, cards), ranking)
    expected = np.zeros_like(sums)
    for hero, first, second, other in classes.tolist():
        expected[0, hero] += 1
        for place, (always_in, threshold) in enumerate(plans):
            entered = [other] if other >= honest else []
            if shared:
                entered += [max(first, second)] if max(first, second) >= threshold else []
            else:
                entered += [first] if always_in or first >= threshold else []
                entered += [second] if second >= threshold else []
            for row, is_in in ((2, True), (3, False)):
                shown = [*entered, hero] if is_in else entered
                best = [hand for hand in shown if hand == max(shown)]
                expected[1 + 3 * place + row - 1, hero] += len(shown) - len(best) if shown else 1
                if is_in:
                    expected[1 + 3 * place, hero] += 2520 // len(best) if hero in best else -2520
    assert np.array_equal(sums, expected)


def test_groups_of_hands():
    assert np.array_equal(hand_groups(GUTS2), np.arange(91))
    ranking = get_ranking("guts3")
    starts = hand_groups(ranking)
    shares = gs.class_frequencies(ranking) / 22100
    assert (np.add.reduceat(shares, starts)[:-1] > 0.005).all()
    assert 60 < len(starts) <= 100
    spread = per_class(np.arange(len(starts), dtype=float), ranking)
    assert spread.size == 741
    assert (np.diff(spread) >= 0).all()


def test_the_programme_on_random_games():
    generator = np.random.default_rng(11)
    for _ in range(5):
        parts = [generator.normal(size=(6, 8)) / 8 for _ in range(2)]
        table = PlanTable(*parts, *(generator.uniform(0.0, 0.1, (6, 8)) for _ in range(2)))
        solution = solve_plans(table)
        payoff, multiplier = table.means(solution.entry)
        assert (payoff + solution.value * multiplier).min() == pytest.approx(solution.value, abs=1e-9)
        plan, guaranteed = best_plan(table, solution.entry)
        assert guaranteed == pytest.approx(solution.value, abs=1e-9)
        mean_in = solution.weights @ (table.payoff_in + solution.value * table.multiplier_in)
        mean_out = solution.weights @ (table.payoff_out + solution.value * table.multiplier_out)
        assert np.maximum(mean_in, mean_out).sum() == pytest.approx(solution.value, abs=1e-9)
        assert 0 <= plan < 6


def test_table_of_sums_weighs_deals():
    sums = np.zeros((4, 91), np.int64)
    sums[0, 10], sums[0, 90] = 1, 3
    sums[1, 90], sums[2, 90], sums[3, 10] = 3 * 2520, 6, 1
    table = table_of(sums, 5, GUTS2)
    assert table.payoff_in[0, 90] == pytest.approx(6 / 4 - 3 / 4 + 5 * 3 / 4)
    assert table.multiplier_out[0, 10] == 0.25


def test_more_players_and_three_cards():
    for arguments in ({"cards": 2}, {"cards": 3}, {"cards": 2, "shared_cards": True}):
        results = gs.coalition(5, deals=200_000, seed=1, **arguments).results
        assert results["equilibrium"]["ci_high"] < 0.0
        assert results["value"] > results["equilibrium"]["value"]
        assert sum(plan["weight"] for plan in results["plans"]) == pytest.approx(1.0)
    partial = gs.coalition(4, colluders=2, cards=2, deals=200_000, seed=1)
    assert partial.results["honest"] is None
    assert partial.results["equilibrium"]["ci_high"] < 0.0
    assert partial.plot().axes


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"n_players": 4, "cards": 2, "method": "exact"}, "method"),
        ({"n_players": 3, "cards": 2, "nobody_in": "weenie"}, "weenie"),
        ({"n_players": 11, "cards": 2}, "n_players"),
        ({"n_players": 4, "cards": 4}, "cards"),
    ],
    ids=str,
)
def test_bad_input(arguments, message):
    with pytest.raises(InputError, match=message):
        gs.coalition(**arguments)


@pytest.mark.parametrize("arguments", [{"n_players": 4}, {"n_players": 3, "shared_cards": True}])
@pytest.mark.filterwarnings("error")
def test_hardly_any_deals_leave_worths_unknown(arguments):
    """On one deal the stakes may never vanish, so that worths have no number; words say so."""
    result = gs.coalition(cards=2, deals=1, seed=1, workers=1, method="mc", **arguments)
    assert "nan" not in result.summary()
    assert "None" not in result.summary()
    assert result.results["plans"][0]["weight_per_pot"] is None
    assert not result.results["has_value"]
    json.loads(result.to_json(), parse_constant=pytest.fail)


def test_command_record_and_chart(tmp_path, capsys):
    table, chart = tmp_path / "cards.csv", tmp_path / "cards.png"
    arguments = ["coalition", "--players", "4", "--cards", "3", "--seed", "1", "--deals", "1e5", "--format", "json"]
    assert run([*arguments, "--out", str(table), "--plot", str(chart)]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed["results"]["value_estimate"]["stderr"] > 0.0
    assert chart.stat().st_size > 5_000
    assert gs.rerun(table).digest == printed["digest"]
