"""Odds of one hand against published counts, and in or out against a field."""

import json
import multiprocessing
from concurrent.futures import ProcessPoolExecutor
from itertools import combinations

import naive_hands
import naive_rounds
import numpy as np
import pytest

import guts_sim as gs
from guts_sim.errors import InputError
from guts_sim.estimate import wilson
from guts_sim.hands import get_ranking, guts_table, hand_class
from guts_sim.strategy import Strategy, parse_field
from guts_sim.studies.odds import odds
from guts_sim.studies.threshold import threshold

GUTS2, GUTS3 = get_ranking("guts2"), get_ranking("guts3")


@pytest.mark.parametrize(
    ("hand", "win", "tie", "lose"),
    [
        ("As Ad", 1224, 1, 0),
        ("2c 2d", 1152, 1, 72),
        ("As Kd", 1144, 9, 72),
        ("As 2d", 1012, 9, 204),
        ("Kh Qh", 960, 9, 256),
        ("Jc 8d", 616, 9, 600),
        ("Jc 7d", 604, 9, 612),
        ("3c 2d", 0, 9, 1216),
    ],
)
def test_two_cards_against_one_random_hand(hand, win, tie, lose):
    row = odds(hand).rows[0]
    assert [1225 * row[name] for name in ("win", "tie", "lose")] == pytest.approx([win, tie, lose])
    assert row["equity"] == pytest.approx((win + tie / 2) / 1225)
    assert (row["stderr"], row["method"]) == (0.0, "exact")


def test_a_larger_pair_among_nine_opponents():
    # One minus the chance that none of the nine holds a larger pair: K-K .043925, 2-2 .419382.
    for hand, larger in (("Ks Kd", 0.043925), ("Qs Qd", 0.085987), ("2s 2d", 0.419382)):
        assert odds(hand, n_players=10).rows[-1]["lose"] == pytest.approx(larger, abs=5e-7)


def test_three_aces_lose_to_straight_flushes_alone():
    # Three aces cannot be tied, and lose to the straight flushes that do not need one of them.
    row = odds("As Ad Ah", n_players=2).rows[0]
    assert row["tie"] == 0.0
    assert round(row["lose"] * 18424) == sum(
        naive_hands.guts3(hand) > naive_hands.guts3((48, 49, 50))
        for hand in combinations([c for c in range(52) if c not in (51, 49, 50)], 3)
    )


def test_rows_add_up_and_mix_exact_with_sampled():
    result = odds("9s 9d Th", n_players=6, deals=30_000, seed=4)
    assert [row["opponents"] for row in result.rows] == [1, 2, 3, 4, 5]
    assert [row["method"] for row in result.rows] == ["exact", "exact", "mc", "mc", "mc"]
    assert (result.method, result.n, result.seed) == ("mc", 30_000, 4)
    for row in result.rows:
        assert row["win"] + row["tie"] + row["lose"] == pytest.approx(1, abs=1e-12)
        assert row["win"] <= row["equity"] <= row["win"] + row["tie"] / 2 + 1e-12
        assert row["ci_low"] <= row["equity"] <= row["ci_high"]
    counts = [round(30_000 * result.rows[4][name]) for name in ("win", "tie", "lose")]
    assert sum(counts) == 30_000
    assert result.rows[4]["win_stderr"] == wilson(counts[0], 30_000).stderr


@pytest.mark.parametrize(("hand", "n_players"), [("9s 9d", 10), ("Ks 9d 8h", 3)])
def test_sampling_agrees_with_counting(hand, n_players):
    counted = odds(hand, n_players=n_players).rows
    sampled = odds(hand, n_players=n_players, method="mc", deals=100_000, seed=9).rows
    for known, row in zip(counted, sampled):
        assert row["method"] == "mc"
        assert abs(row["equity"] - known["equity"]) < 5 * row["stderr"]
        for name in ("win", "tie", "lose"):
            assert abs(row[name] - known[name]) < 5 * np.sqrt(known[name] * (1 - known[name]) / 100_000) + 1e-12


@pytest.mark.parametrize(("cards", "n_opponents"), [((50, 51), 9), ((0, 5), 4), ((13, 17, 44), 6)])
def test_kernel_counts_as_a_plain_loop(cards, n_opponents):
    from guts_sim.kernels.odds import count_odds

    size, n_deals = len(cards), 300
    ranking, strength = (GUTS2, naive_hands.guts2) if size == 2 else (GUTS3, naive_hands.guts3)
    expected = np.zeros((n_opponents, n_opponents + 2), np.int64)
    for number in range(40, 40 + n_deals):
        dealt = naive_rounds.deal(5, number, n_opponents * size, sorted(cards))
        others = [strength(dealt[i : i + size]) for i in range(0, len(dealt), size)]
        for k in range(1, n_opponents + 1):
            beaten = max(others[:k]) > strength(cards)
            expected[k - 1, 0 if beaten else 1 + others[:k].count(strength(cards))] += 1
    counts = np.zeros_like(expected)
    hero = int(hand_class(np.array(cards, np.uint8), ranking))
    known = np.array(sorted(cards), np.uint8)
    count_odds(np.uint64(5), np.uint64(40), n_deals, hero, size, known, guts_table(ranking), counts)
    assert np.array_equal(counts, expected)


# In or out against a field.


@pytest.mark.parametrize(("hand", "advice"), [("As 4d", "in"), ("As 3d", "out"), ("2c 2d", "in"), ("Kc Qd", "out")])
def test_advice_at_the_two_card_equilibrium(hand, advice):
    results = odds(hand, n_players=5, field="equilibrium").results
    assert results["advice"] == advice
    assert results["field"] == {"spec": "A4+", "entry_prob": pytest.approx(0.179487, abs=5e-7)}
    row = next(row for row in threshold(5).results["equilibrium"]["hands"] if row["hand"] == results["hand"])
    assert (results["ev_in"], results["ev_out"], results["delta"]) == (row["ev_in"], row["ev_out"], row["delta"])
    assert results["delta_stderr"] == 0.0


def test_suits_count_against_a_field_with_three_cards():
    # Q-4 of one suit with the ace of another is the one hand of its class that should stay out.
    assert odds("Ad Qc 4c", n_players=3, field="AQ4+").results["delta"] == pytest.approx(-4.612475e-5, rel=1e-6)
    assert odds("Ac Qd 4h", n_players=3, field="AQ4+").results["delta"] == pytest.approx(0.001070555, rel=1e-6)


def test_sampled_values_against_a_field():
    counted = odds("Ac Qd 4h", n_players=3, field="AQ4+").results
    result = odds("Ac Qd 4h", n_players=3, field="AQ4+", method="mc", deals=100_000, seed=2)
    sampled = result.results
    assert sampled["delta_stderr"] > 0
    assert abs(sampled["delta"] - counted["delta"]) < 5 * sampled["delta_stderr"]
    assert "too close to be sure" in " ".join(result.summary().split())


def test_field_that_cannot_be_counted_is_sampled():
    result = odds("As 4d", n_players=5, field="AA,A2", deals=20_000, seed=1)
    assert (result.method, result.n) == ("mc", 20_000)
    assert {row["method"] for row in result.rows} == {"exact"}
    assert result.results["delta_stderr"] > 0


def test_fields_as_arrays_are_recorded():
    entry = parse_field("AA", GUTS2).entry
    result = odds("As 4d", field=Strategy("mine", GUTS2, entry))
    assert result.parameters["field"]["AA"] == 1.0
    assert result.results["field"]["spec"] == "mine"
    assert result.results["advice"] == odds("As 4d", field="AA").results["advice"]


# Arguments.


@pytest.mark.parametrize(
    ("hand", "arguments", "message"),
    [
        ("As", {}, "2 or 3|two or three"),
        ("As As", {}, "twice|duplicate|As"),
        ("As Xd", {}, "Xd"),
        ("As Kd Qc Jc", {}, "2 or 3|two or three"),
        ("As Kd", {"cards": 3}, "2 cards; the rules deal 3"),
        ("As Kd", {"n_players": 11}, "players"),
        ("As Kd", {"n_players": 1}, "players"),
        ("As Kd", {"method": "both"}, "auto, exact, mc"),
        ("As Kd", {"seed": -1}, "seed"),
        ("As Kd", {"deals": 1.5}, "deals"),
        ("As Kd", {"field": "ZZ+"}, "ZZ"),
        ("As Kd", {"ghost": "all"}, "^odds: not solved with ghost all"),
        ("As Kd 2c", {"n_players": 4, "method": "exact"}, "cannot be counted exactly; allowed are"),
        ("As Kd", {"n_players": 4, "method": "exact", "field": "AA,A2"}, "cannot be counted exactly; allowed are"),
    ],
)
def test_bad_arguments_are_refused(hand, arguments, message):
    with pytest.raises(InputError, match=message) as refused:
        odds(hand, **arguments)
    assert "\n" not in str(refused.value)


# Repeatability.

SAMPLED = {"hand": "Qs Qd 5h", "n_players": 5, "field": "662+", "seed": 12}


@pytest.fixture(scope="module")
def reference():
    return odds(**SAMPLED, deals=20_001, workers=1)


@pytest.mark.parametrize("options", [{"workers": 2}, {"workers": 3, "progress": True}])
def test_digest_does_not_depend_on_how_it_is_run(reference, options):
    assert odds(**SAMPLED, deals=20_001, **options).digest == reference.digest


def test_digest_is_the_same_in_a_pool_of_processes(reference):
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        assert odds(**SAMPLED, deals=20_001, executor=pool).digest == reference.digest


@pytest.mark.parametrize("first", [7, 10_240, 20_001])
def test_extended_results_equal_longer_ones(reference, first):
    assert odds(**SAMPLED, deals=first).extend(20_001).digest == reference.digest


def test_extend_refuses_exact_results_and_fewer_deals(reference):
    with pytest.raises(InputError, match="exact"):
        odds("As Kd").extend(10)
    with pytest.raises(InputError, match="deals"):
        reference.extend(10)


def test_one_deal_is_honest_about_what_it_knows():
    result = odds("As Ad Ah", n_players=4, deals=1, seed=1)
    record = json.loads(result.to_json())["results"]["rows"][-1]
    assert record["equity"] == 1.0
    assert record["stderr"] is None
    assert record["ci_low"] < 0.25
    assert "nan" not in result.summary()


def test_keys_of_the_json_object(reference):
    record = json.loads(reference.to_json())
    assert record["command"] == "odds"
    assert {"hand", "rows", "ev_in", "ev_out", "advice"} <= set(record["results"])
    assert {"opponents", "win", "tie", "lose", "equity", "stderr"} <= set(record["results"]["rows"][0])
    assert record["parameters"]["hand"] == gs.format_cards(gs.parse_cards("Qs Qd 5h"))
