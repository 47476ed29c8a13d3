"""Best replies over whole cycles: against brute force, other methods, simulated tables and known theory."""

import json
from itertools import combinations
from math import exp, log

import numpy as np
import pytest

import guts_sim as gs
from guts_sim.cli.app import run
from guts_sim.engine import run_key
from guts_sim.errors import InputError
from guts_sim.exact.chain import stakes_of
from guts_sim.exact.outcomes import Outcome, outcomes_of, settle_player, small_outcome_law, three_hands
from guts_sim.exact.pot_process import best_policy, evaluate_policy, table_moves
from guts_sim.exact.stationary_reply import best_stationary_reply, evaluate_reply, round_terms, terms_of
from guts_sim.hands import get_ranking
from guts_sim.rules import get_rules
from guts_sim.strategy import parse_field
from guts_sim.studies.best_response_sampling import OUTCOME_BLOCK, OutcomeTask, law_of, sample_outcomes

GUTS2 = get_ranking("guts2")


def entry_of(spec):
    return parse_field(spec, GUTS2).entry


def law_of_fields(*specs):
    return small_outcome_law([entry_of(spec) for spec in specs])


def moves_of(n_players, **switches):
    rules = get_rules("two-card", **switches)
    return table_moves(n_players, stakes_of(n_players, rules), rules.nobody_in == "reante")


def test_three_hands_by_listing_the_deals_of_a_class():
    """AA, AK and a third hand: listed card by card."""
    aces, kings, others = range(48, 52), range(44, 48), range(44)
    listed = 0
    for first in combinations(aces, 2):
        for ace in set(aces) - set(first):
            listed += sum(len(set(kings) - {king}) * (len(set(aces) - {*first, ace})) for king in kings)
    index = [gs.class_index(name, "guts2") for name in ("AA", "AK")]
    assert three_hands()[index[0], index[1], index[1]] == listed
    assert len(others) * three_hands()[index[0], index[0], index[0]] == 0


def test_outcomes_are_all_that_can_happen():
    for n_players in (2, 3, 5):
        outs, ins = outcomes_of(n_players)
        assert len(set(outs)) == len(outs)
        assert len(set(ins)) == len(ins)
        assert all(one.n_best + one.n_losers <= n_players - 1 for one in outs)
        assert all(one.wins != one.loses and one.n_best + one.n_losers <= n_players for one in ins)


@pytest.mark.parametrize(("n_players", "spec"), [(2, "always"), (3, "K4+"), (3, "top:25.5%")])
def test_law_and_terms_agree_with_exact_counting(n_players, spec):
    law = small_outcome_law([entry_of(spec)] * (n_players - 1))
    assert law.n_players == n_players
    assert law.when_in.sum(axis=0) == pytest.approx(1.0)
    assert law.when_out.sum(axis=0) == pytest.approx(1.0)
    counted, summed = round_terms(n_players, GUTS2, entry_of(spec)), terms_of(law)
    for name in ("frequency", "flow_in", "multiplier_in", "multiplier_out"):
        assert getattr(summed, name) == pytest.approx(getattr(counted, name), abs=1e-13)


@pytest.mark.parametrize("specs", [("K4+", "top:40%"), ("A4+",) * 3], ids=str)
def test_sampled_law_agrees_with_exact_counting(specs):
    task = OutcomeTask(run_key(1, 20), run_key(1, 21), GUTS2.name, tuple(entry_of(spec) for spec in specs))
    batches = sample_outcomes(task, 1 << 16)
    n_players = len(specs) + 1
    sampled = terms_of(law_of(batches.total, GUTS2, n_players))
    exact = terms_of(law_of_fields(*specs)) if n_players == 3 else round_terms(n_players, GUTS2, entry_of(specs[0]))
    for name in ("flow_in", "multiplier_in", "multiplier_out"):

        def statistic(sums, name=name):
            return getattr(terms_of(law_of(sums, GUTS2, n_players)), name)

        z = (getattr(sampled, name) - getattr(exact, name)) / np.maximum(batches.stderr(statistic), 1e-5)
        assert np.abs(z).max() < 8.0  # jackknife of 8 batches, 91 classes: Student's t with 7 degrees
        assert np.sqrt(np.mean(z**2)) < 2.0


def test_sampled_three_card_law_agrees_with_exact_counting():
    ranking = get_ranking("guts3")
    entry = parse_field("K98+", ranking).entry
    batches = sample_outcomes(OutcomeTask(run_key(2, 20), run_key(2, 21), ranking.name, (entry,)), 1 << 17)
    sampled = terms_of(law_of(batches.total, ranking, 2))
    exact = round_terms(2, ranking, entry)
    for name in ("flow_in", "multiplier_in", "multiplier_out"):
        assert exact.frequency @ getattr(sampled, name) == pytest.approx(
            exact.frequency @ getattr(exact, name), abs=0.01
        )


def test_a_run_does_not_depend_on_its_pieces():
    task = OutcomeTask(run_key(3, 20), run_key(3, 21), GUTS2.name, (entry_of("top:25.5%"),) * 3)
    whole = sample_outcomes(task, 2 * OUTCOME_BLOCK, workers=1).total
    assert np.array_equal(whole, task(0, OUTCOME_BLOCK) + task(OUTCOME_BLOCK, 2 * OUTCOME_BLOCK))
    short = task(0, 1000)
    assert short.sum() < whole.sum()


@pytest.mark.parametrize(
    ("before", "outcome", "switches", "flow", "after"),
    [
        ((6, 0), Outcome(1, 2, True, False), {"cap": None, "reserve": False}, 6.0, (12, 0)),
        ((12, 0), Outcome(1, 3, False, True), {"cap": 20, "reserve": True}, -12.0, (20, 16)),
        ((12, 0), Outcome(1, 3, False, True), {"cap": 20, "reserve": False}, -20 / 3, (20, 0)),
        ((20, 16), Outcome(1, 0, True, False), {"cap": 20, "reserve": True}, 20.0, (16, 0)),
        ((12, 0), Outcome(2, 1, True, False), {"cap": None, "reserve": False, "match_limit": 5}, 6.0, (5, 0)),
        ((12, 0), Outcome(1, 2, False, True), {"cap": None, "reserve": False, "match_limit": 5}, -5.0, (10, 0)),
        ((4, 0), Outcome(0, 0, False, False), {"nobody_in": "reante"}, -1.0, (8, 0)),
        ((18, 0), Outcome(0, 0, False, False), {"nobody_in": "reante", "reserve": False}, -0.5, (20, 0)),
        ((8, 0), Outcome(1, 1, True, False), {"ante_every_round": True}, 7.0, (12, 0)),
        ((8, 0), Outcome(1, 0, True, False), {"ante_every_round": True}, 8.0, (0, 0)),
    ],
    ids=str,
)
def test_settlement_of_one_player(before, outcome, switches, flow, after):
    stakes = stakes_of(4, get_rules("two-card", **switches))
    got = settle_player(*before, outcome, stakes, 4, switches.get("nobody_in") == "reante")
    assert got == (pytest.approx(flow), after)


def test_the_best_of_all_thresholds_is_found():
    """The ratio is maximised over all subsets of hands; no threshold does better."""
    for spec in ("TT+", "top:25%", "top:45%"):
        terms = round_terms(3, GUTS2, entry_of(spec))
        reply = best_stationary_reply(terms)
        ratios = [evaluate_reply(terms, (np.arange(91) >= c).astype(float)).worth for c in range(92)]
        assert reply.worth >= max(ratios) - 1e-12
        generator = np.random.default_rng(4)
        for _ in range(50):
            other = np.where(generator.random(91) < 0.1, 1.0 - reply.entry, reply.entry)
            assert evaluate_reply(terms, other).worth <= reply.worth + 1e-12


@pytest.mark.parametrize("spec", ["TT+", "K4+", "top:40%"])
def test_a_cap_with_a_reserve_does_not_move_the_reply(spec):
    law, moves = law_of_fields(spec, spec), moves_of(3)
    free = best_stationary_reply(terms_of(law))
    policy = best_policy(moves, law, np.zeros(91))
    chips = np.array([pot + reserve for pot, reserve in moves.states])
    followed = np.array([reserve for _, reserve in moves.states]) <= 400  # beyond 1,200 chips are guessed
    assert policy.worth[followed] == pytest.approx(free.worth * chips[followed], rel=1e-8)
    assert (policy.entry[followed] == free.entry).all()


def value_iteration(moves, law, risk_aversion=0.0):
    """Worth at every state, by doing over and over what is best for one more round."""
    worth = np.zeros(len(moves.states))

    def mean(values, law_part):
        if risk_aversion == 0.0:
            return values @ law_part
        return -np.log(np.exp(-risk_aversion * values) @ law_part) / risk_aversion

    for _ in range(3000):
        later = np.append(worth, moves.shares)
        value_in = mean(moves.flow_in + later[moves.next_in], law.when_in)
        value_out = mean(moves.flow_out + later[moves.next_out], law.when_out)
        best = np.maximum(value_in, value_out)
        new = (
            best @ law.frequency
            if risk_aversion == 0.0
            else -np.log(np.exp(-risk_aversion * best) @ law.frequency) / risk_aversion
        )
        if np.abs(new - worth).max() < 1e-12:
            break
        worth = new
    return worth


@pytest.mark.parametrize("risk_aversion", [0.0, 0.05])
@pytest.mark.parametrize(
    "switches",
    [
        {"cap": 20, "reserve": False},
        {"cap": None, "reserve": False, "match_limit": 10},
        {"cap": 7, "reserve": False, "nobody_in": "reante"},
    ],
    ids=str,
)
def test_policy_iteration_agrees_with_value_iteration(switches, risk_aversion):
    law, moves = law_of_fields("top:25%", "top:45%"), moves_of(3, **switches)
    policy = best_policy(moves, law, np.zeros(91), risk_aversion)
    assert policy.worth == pytest.approx(value_iteration(moves, law, risk_aversion), abs=1e-8)
    assert policy.unfollowed == 0.0


def played_cycle(generator, hands, entries, policy, index, stakes):
    """Net chips of seat 0 in one cycle of three players, played with words for the rules only."""
    pot, net = stakes.antes, -1.0
    while True:
        state = index[pot, 0]
        classes = hands[generator.integers(len(hands))]
        probabilities = [policy[state, classes[0]], entries[0][classes[1]], entries[1][classes[2]]]
        enters = [generator.random() < p for p in probabilities]
        seated = [seat for seat in range(3) if enters[seat]]
        if not seated:
            continue
        best = max(classes[seat] for seat in seated)
        winners = [seat for seat in seated if classes[seat] == best]
        losers = [seat for seat in seated if classes[seat] < best]
        paid = min(len(losers) * pot, stakes.cap)
        if 0 in winners:
            net += pot / len(winners)
        if 0 in losers:
            net -= paid / len(losers)
        if not losers:
            return net
        pot = paid


def test_the_reply_played_at_a_table():
    specs = ("top:25%", "top:45%")
    law, moves = law_of_fields(*specs), moves_of(3, cap=9, reserve=False)
    policy = best_policy(moves, law, np.zeros(91))
    stakes = stakes_of(3, get_rules("two-card", cap=9, reserve=False))
    index = {state: i for i, state in enumerate(moves.states)}
    hands = gs.hand_class(gs.deal(20_000, 3, 2, seed=5), "guts2")
    generator = np.random.default_rng(6)
    n = 3_000
    nets = [
        played_cycle(generator, hands, [entry_of(spec) for spec in specs], policy.entry, index, stakes)
        for _ in range(n)
    ]
    assert abs(np.mean(nets) - (policy.worth[0] - 1.0)) < 4.5 * np.std(nets) / np.sqrt(n)
    aversion = 0.05
    averse = evaluate_policy(moves, law, policy.entry, aversion)
    pain = np.exp(-aversion * (np.array(nets) + 1.0))
    assert abs(pain.mean() - exp(-aversion * averse.worth[0])) < 4.5 * pain.std() / np.sqrt(n)


def test_aversion_to_risk_tightens_as_the_pot_grows():
    """Here the rule that large pots ask for better hands is right."""
    results = gs.best_response(3, risk_aversion=0.02, cap=48, reserve=False).results
    entries = [row["entry_prob"] for row in results["policy"]]
    assert [row["pot"] for row in results["policy"]] == sorted(row["pot"] for row in results["policy"])
    assert entries == sorted(entries, reverse=True)
    assert entries[0] > entries[-1] + 0.02
    assert results["value"]["value"] < 0.0


def test_little_aversion_is_almost_none():
    law, moves = law_of_fields("top:25%", "K4+"), moves_of(3, cap=20, reserve=False)
    policy = best_policy(moves, law, np.zeros(91))
    averse = evaluate_policy(moves, law, policy.entry, 1e-6)
    assert averse.worth == pytest.approx(policy.worth, abs=1e-3)
    assert (averse.worth < policy.worth).all()


def test_too_much_aversion_is_refused():
    law, moves = law_of_fields("always", "always"), moves_of(3)
    assert evaluate_policy(moves, law, np.ones(91), 1.0).worth[0] == -np.inf
    with pytest.raises(InputError, match="risk_aversion"):
        best_policy(moves, law, np.ones(91), 1.0)


def test_a_cap_without_reserve_loosens_play_near_the_cap():
    results = gs.best_response(5, cap=20, reserve=False, seed=1, deals=1 << 16).results
    by_pot = {row["pot"]: row["entry_prob"] for row in results["policy"]}
    assert by_pot[20] > by_pot[5]
    assert results["gain"]["value"] > 0.0
    assert results["value"]["ci_low"] < 0.02


def test_equilibrium_is_its_own_best_reply():
    for n_players in (2, 3, 5):
        results = gs.best_response(n_players).results
        assert results["value"]["value"] == 0.0
        assert results["gain"]["value"] == 0.0
        assert results["policy"][0]["entry_prob"] == pytest.approx(results["equilibrium_strategy"]["entry_prob"])
        assert results["worth_per_chip"] == pytest.approx(1.0 / n_players)


def test_supercritical_tables_have_no_value():
    result = gs.best_response(5, field="top:60%")
    assert result.results["supercritical"]
    assert result.results["value"] is result.results["gain"] is None
    assert "Supercritical" in result.summary()
    assert result.plot().axes


def test_a_strategy_too_wild_for_the_averse_is_not_called_supercritical():
    result = gs.best_response(3, risk_aversion=1.0, cap=10, reserve=False)
    assert result.results["equilibrium_strategy"]["value"] is None
    assert "K4+ is beyond any price for so much aversion" in result.summary().replace("\n", " ")
    assert "supercritical" not in result.summary()


def test_a_reserve_that_need_not_empty_has_no_value():
    result = gs.best_response(4, field="always", nobody_in="reante", deals=1 << 13, seed=1)
    assert result.results["supercritical"]


def test_sampled_value_agrees_with_counted_value():
    exact = gs.best_response(3, fields=["top:25%", "top:45%"])
    sampled = gs.best_response(3, fields=["top:25%", "top:45%"], method="mc", deals=1 << 17, seed=3, confidence=0.99999)
    assert (exact.method, sampled.method, sampled.n) == ("exact", "mc", 1 << 17)
    for name in ("value", "gain"):
        estimate = sampled.results[name]
        assert estimate["ci_low"] <= exact.results[name]["value"] <= estimate["ci_high"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"n_players": 3, "fields": ["A4+"]}, "fields"),
        ({"n_players": 3, "fields": 5}, "fields: 5 given"),
        ({"n_players": 3, "fields": ["A4+", None]}, "field: None is not allowed"),
        ({"n_players": 3, "field": None}, "field: None is not allowed"),
        ({"n_players": 3, "workers": 0}, "workers"),
        ({"n_players": 3, "executor": 5}, "executor: 5 takes no tasks"),
        ({"n_players": 3, "fields": ["A4+", "TT+"], "field": "KK+"}, "not both"),
        ({"n_players": 3, "risk_aversion": -1.0}, "risk_aversion"),
        (
            {"n_players": 3, "risk_aversion": 0.1, "cap": None, "reserve": False},
            "bounded pot; give a cap or a match limit$",
        ),
        ({"n_players": 3, "risk_aversion": 100.0, "cap": 10, "reserve": False}, "risk_aversion: .* give at most"),
        ({"n_players": 3, "risk_aversion": 1e9}, "risk_aversion: .* give at most"),
        ({"n_players": 3, "nobody_in": "reante", "cap": None, "reserve": False}, "antes .* give a cap$"),
        ({"n_players": 3, "nobody_in": "weenie"}, "weenie"),
        ({"n_players": 5, "fields": ["A4+"] * 3 + ["TT+"], "method": "exact"}, "method"),
        ({"n_players": 3, "ghost": "all"}, "ghost"),
    ],
    ids=str,
)
def test_bad_input(arguments, message):
    with pytest.raises(InputError, match=message):
        gs.best_response(**arguments)


def test_command_record_and_chart(tmp_path, capsys):
    table, chart = tmp_path / "reply.csv", tmp_path / "reply.png"
    arguments = ["best-response", "--players", "5", "--field", "TT+", "--cap", "20", "--reserve", "--format", "json"]
    assert run([*arguments, "--out", str(table), "--plot", str(chart)]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed["results"]["value"]["value"] == pytest.approx(3.541684, abs=1e-6)
    assert printed["results"]["policy"][0]["entry_prob"] == 1.0
    assert chart.stat().st_size > 5_000
    assert gs.rerun(table).digest == printed["digest"]
    by_pot = tmp_path / "by_pot.json"
    arguments = [
        "best-response",
        "--players",
        "3",
        "--opponent",
        "TT+",
        "--opponent",
        "K4+",
        "--cap",
        "9",
        "--no-reserve",
    ]
    assert run([*arguments, "--out", str(by_pot), "--plot", str(chart)]) == 0
    assert "per chip on the table" in capsys.readouterr().out
    assert gs.rerun(by_pot).digest == gs.load(by_pot)["digest"]
    assert run(["best-response", "--players", "3", "--risk-aversion", "much"]) == 2
    assert "--risk-aversion" in capsys.readouterr().err


def test_certainty_equivalent_of_a_coin():
    """Two players who always enter: the pot of 2 is won, or 2 are paid again and again, half the time each."""
    law, moves = small_outcome_law([np.ones(91)]), moves_of(2, cap=2, reserve=False)
    policy = evaluate_policy(moves, law, np.ones(91), 0.1)
    win = float(law.frequency @ law.when_in[outcomes_of(2)[1].index(Outcome(1, 1, True, False))])
    tie = 1.0 - 2.0 * win
    # pain = win e^-0.2 pain + win e^0.2 pain + tie e^-0.1
    pain = tie * exp(-0.1) / (1.0 - win * (exp(-0.2) + exp(0.2)))
    if pain > 0:
        assert policy.worth[0] == pytest.approx(-log(pain) / 0.1, rel=1e-9)
