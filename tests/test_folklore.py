"""Rules of thumb: known gains, independent recounts of what decides, verdicts, the command."""

import json
from itertools import combinations, product

import numpy as np
import pytest

import guts_sim as gs
from guts_sim.cli.app import run
from guts_sim.errors import InputError
from guts_sim.exact import exact_round_law
from guts_sim.hands import get_ranking
from guts_sim.studies import folklore_pots as pots
from guts_sim.studies.folklore import RULES
from guts_sim.studies.folklore_findings import Finding, Judgement, known
from guts_sim.studies.folklore_players import judge_collusion
from guts_sim.studies.measurement import RunOptions
from guts_sim.studies.near_equilibrium import equilibrium_field

OPTIONS = RunOptions(n_deals=1 << 15, seed=1, confidence=0.95)


def values_of(judgement, measure, cards=2):
    chosen = [one for one in judgement.findings if one.measure == measure and one.cards == cards]
    return {one.n_players: one.estimate.value for one in chosen}


def test_tens_or_better_is_false_at_every_table():
    judged = RULES["F1"](OPTIONS)
    gains = values_of(judged, "gain of the best deviation (pots)")
    assert gains[5] == pytest.approx(0.6444, abs=5e-5)
    assert list(gains) == list(range(2, 11))
    assert judged.verdicts == {"2 cards": "false"}
    assert all(one.estimate.n == 0 for one in judged.findings)


@pytest.mark.slow
def test_face_pairs_fit_five_players():
    judged = RULES["F2"](RunOptions(n_deals=2_000_000, seed=1, confidence=0.95))
    gains = values_of(judged, "gain of the best deviation (pots)", 3)
    assert gains[5] == pytest.approx(0.00237, abs=1e-4)
    assert judged.verdicts["3 cards"].startswith("holds for 5")
    assert all(one.estimate.stderr > 0 for one in judged.findings if one.n_players >= 4)


def test_pot_size_matters_to_the_averse_only():
    judged = RULES["F3"](OPTIONS)
    by_situation = {one.measure.split(", ", 1)[1]: one for one in judged.findings if one.n_players == 3}
    assert by_situation["cap 30 with a reserve"].estimate.value == 0.0
    assert by_situation["a match costs at most 10"].estimate.value > 0.5
    assert by_situation["cap 30, risk aversion 0.02 per chip"].estimate.value < -0.05
    assert judged.verdicts == {"2 cards": "false"}


def test_equity_against_one_that_is_in_by_listing_all_hands():
    field = equilibrium_field(5, 2)
    held = [32, 33]
    deck = [card for card in range(52) if card not in held]
    others = np.array(list(combinations(deck, 2)), np.uint8)
    classes = gs.hand_class(others, "guts2")
    own = gs.hand_class(np.array(held, np.uint8), "guts2")
    shown = classes[field.entry[classes] == 1.0]
    exact = (shown < own).mean() + 0.5 * (shown == own).mean()
    estimate = pots._equity("Tc Td", get_ranking("guts2"), field, 1, RunOptions(1 << 20, 3, 0.9999))
    assert estimate.ci_low < exact < estimate.ci_high
    assert estimate.ci_high - estimate.ci_low < 0.01


def test_equity_against_two_by_rejection():
    """Whole deals of two opponents, kept where both are in."""
    field = equilibrium_field(5, 2)
    others = gs.deal(1_000_000, 2, 2, seed=4, known=[32, 33])
    classes = gs.hand_class(others, "guts2")
    shown = classes[(field.entry[classes] == 1.0).all(axis=1)]
    own = gs.hand_class(np.array([32, 33], np.uint8), "guts2")
    wins = np.where((shown > own).any(axis=1), 0.0, 1.0 / (1 + (shown == own).sum(axis=1)))
    estimate = pots._equity("Tc Td", get_ranking("guts2"), field, 2, RunOptions(1 << 20, 5, 0.95))
    stderr = np.hypot(estimate.stderr, wins.std() / np.sqrt(wins.size))
    assert abs(estimate.value - wins.mean()) < 4.5 * stderr


def test_growth_by_listing_all_sequences():
    law = exact_round_law(4, "guts2", equilibrium_field(4, 2).entry)
    step = pots._matches(law)
    listed = {}
    for path in product(range(len(step)), repeat=3):
        size = int(np.prod(path))
        listed[size] = listed.get(size, 0.0) + float(np.prod(step[list(path)]))
    grown = pots._growth(step, 3)
    assert step.sum() == pytest.approx(1.0)
    assert step[0] == 0.0
    for size, p in grown.items():
        assert p == pytest.approx(listed[size])
    assert pots._at_least(grown, 8) == pytest.approx(sum(p for size, p in listed.items() if size >= 8))


def test_growth_and_signal(monkeypatch):
    monkeypatch.setattr(pots, "PLAYERS", (5,))
    growth, signal = RULES["F5"](OPTIONS), RULES["F6"](OPTIONS)
    after_four = values_of(growth, "P(pot >= 10 times one ante, 4 rounds with matches)")
    assert after_four[5] == pytest.approx(0.51, abs=0.005)
    sampled = [one for one in growth.findings if one.cards == 3 and one.n_players == 5 and 0 < one.estimate.value < 1]
    assert sampled
    assert all(one.estimate.stderr > 0 and one.estimate.n == OPTIONS.n_deals for one in sampled)
    assert all(factor > 3 for factor in values_of(signal, "Bayes factor of a fivefold pot for loose players").values())
    assert signal.verdicts["2 cards"] == "holds"


def test_two_colluders_win_less_with_cards():
    judged = judge_collusion(OPTIONS)
    continuous = [one.estimate.value for one in judged.findings if one.cards is None and one.holds]
    assert len(continuous) == 8
    assert continuous == sorted(continuous)
    cards = {one.n_players: one for one in judged.findings if one.cards == 2}
    assert cards[3].holds
    assert cards[3].estimate.value == pytest.approx(0.0895866 / 2, abs=1e-6)  # exact
    assert cards[4].holds
    assert not cards[5].holds
    assert judged.verdicts["continuous hands"] == "holds"


def test_verdicts_name_the_tables():
    def finding(n, holds):
        return Finding("F5", 2, n, "measure", known(0.0, OPTIONS), holds)

    judged = Judgement("F5", "", "", [finding(2, False), finding(3, True), finding(4, True), finding(6, True)], "")
    assert judged.verdicts == {"2 cards": "holds for 3-4, 6 players"}
    split = Judgement("F5", "", "", [finding(2, True), finding(2, False), finding(3, None)], "")
    assert split.verdicts == {"2 cards": "false"}


@pytest.mark.filterwarnings("error")
def test_what_too_few_deals_cannot_tell_bears_nothing_out():
    """On one deal no pot grew, and many were not taken: no verdict comes from that."""
    result = gs.folklore(["F5", "F6", "F8"], deals=1, seed=1, workers=1)
    for row in result.results["findings"]:
        assert row["holds"] is None or np.isfinite(row["value"])
    assert not any(word in result.summary().split() for word in ("nan", "inf"))
    sampled = [row for row in result.results["findings"] if row["measure"].startswith("Bayes") and row["n"]]
    assert sampled
    assert not any(row["holds"] is False for row in sampled)


@pytest.mark.parametrize("only", ["F10", [], 3.0, ["F1", 2], [["F1"]]], ids=str)
def test_unknown_rules_are_refused(only):
    with pytest.raises(InputError, match=r"^only: .* is no rule of thumb; choose from F1, "):
        gs.folklore(only)


def test_command_record_and_chart(tmp_path, capsys):
    table, chart = tmp_path / "folklore.csv", tmp_path / "folklore.png"
    arguments = ["folklore", "--only", "f4", "--only", "F1", "--seed", "1", "--deals", "1e4", "--format", "json"]
    assert run([*arguments, "--out", str(table), "--plot", str(chart)]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert [rule["rule"] for rule in printed["results"]["rules"]] == ["F1", "F4"]
    assert printed["method"] == "mc"
    assert chart.stat().st_size > 10_000
    assert gs.rerun(table).digest == printed["digest"]
    assert run(["folklore", "--only", "F0"]) == 2
    assert "F1, F2" in capsys.readouterr().err


@pytest.mark.slow
def test_a_loss_limit_saves_the_worst_sessions_and_costs_a_share_of_the_pot():
    judged = RULES["F9"](RunOptions(n_deals=1_000_000, seed=2, confidence=0.999))
    assert judged.verdicts == {"2 cards": "holds"}
    fair = {one.measure: one.estimate for one in judged.findings if "equilibrium" in one.measure}
    free, stopped = (fair[f"net chips per session: at the equilibrium, {end}"] for end in ("no limit", "stops 20 down"))
    assert free.ci_low < 0.0 < free.ci_high
    assert stopped.ci_high < 0.0
