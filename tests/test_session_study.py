"""The session study: exact sums, fair seats, standings, the worth of declaring last, commands and records."""

import json
from fractions import Fraction

import numpy as np
import pytest

import guts_sim as gs
from guts_sim.cli import main
from guts_sim.engine.plans import encode_table, play_block
from guts_sim.errors import InputError
from guts_sim.estimate import wilson
from guts_sim.kernels.units import SUBUNITS
from guts_sim.rules import GutsRules
from guts_sim.strategy import LAST_PLACE, parse_field
from guts_sim.studies.session_sampling import (
    PURPOSE_SESSION_ENTRY,
    PURPOSE_SESSIONS,
    SessionTally,
    SessionTask,
    run_key,
)

FEW = 3000


def hears_calls(bold="32+", careful="TT+"):
    """Enters when nobody else has and he is the last to speak; is careful after a call; else plays as usual."""
    usual, after_a_call = parse_field("A4+", "guts2"), parse_field(careful, "guts2")
    return gs.Plan(
        "listens",
        (
            gs.Case(parse_field(bold, "guts2"), position=LAST_PLACE, heard=gs.Span(0, 0)),
            gs.Case(after_a_call, heard=gs.Span(1, None)),
            gs.Case(usual),
        ),
    )


def test_numbers_are_those_of_the_sessions_themselves():
    players = {"Ann": "A4+", "Bob": "TT+", "Cid": "A4+"}
    rules = {"stakes": "table", "bankroll": 12, "cap": 20, "reserve": True}
    found = gs.session(players=players, loss_limits={"Bob": 5}, sessions=FEW, seed=3, cycles=4, **rules)
    table = encode_table([parse_field(spec, "guts2") for spec in players.values()], GutsRules(**rules))
    limits = np.array([0, 5, 0]) * SUBUNITS
    keys = run_key(3, PURPOSE_SESSIONS), run_key(3, PURPOSE_SESSION_ENTRY)
    block = play_block(table, *keys, 0, FEW, cycles=4, rounds=10_000, share_left=True, loss_limits=limits)
    chips = block.nets / SUBUNITS
    best = chips == chips.max(axis=1, keepdims=True)
    alone = best.sum(axis=1) == 1
    for seat, row in enumerate(found.results["seats"]):
        net = chips[:, seat]
        assert row["net"]["value"] == pytest.approx(net.mean(), abs=1e-12)
        assert row["net"]["sd"] == pytest.approx(net.std(ddof=1))
        assert row["net"]["stderr"] == pytest.approx(net.std(ddof=1) / FEW**0.5)
        floors = np.sort(np.floor(net))
        for q, value in row["net"]["quantiles"].items():
            assert value == floors[int(np.ceil(float(q) * FEW)) - 1]
        assert row["p_ahead"] == wilson(int((net > 0).sum()), FEW).as_dict()
        assert row["p_ruin"] == wilson(int((block.fates[:, seat] == 1).sum()), FEW).as_dict()
        assert row["p_win"] == wilson(int((best[:, seat] & alone).sum()), FEW).as_dict()
        assert row["p_shared_win"] == wilson(int((best[:, seat] & ~alone).sum()), FEW).as_dict()
    assert found.results["seats"][1]["p_stopped"]["value"] == (block.fates[:, 1] == 2).mean()
    assert found.results["seats"][0]["p_stopped"] is None
    pair = found.results["strategies"][0]
    assert (pair["strategy"], pair["seats"]) == ("A4+", [0, 2])
    both = chips[:, [0, 2]].sum(axis=1) / 2
    assert pair["net"]["value"] == pytest.approx(both.mean(), abs=1e-12)
    assert pair["net"]["stderr"] == pytest.approx(both.std(ddof=1) / FEW**0.5)
    assert pair["net"]["sd"] == pytest.approx(chips[:, [0, 2]].ravel().std(ddof=1))
    assert pair["p_ahead"]["value"] == pytest.approx((chips[:, [0, 2]] > 0).mean())
    assert pair["p_win"]["value"] == (best[:, [0, 2]].any(axis=1) & alone).mean()
    assert found.results["rounds"]["value"] == block.records[:, 1].mean()
    assert sum(row["net"]["value"] for row in found.results["seats"]) == pytest.approx(0.0, abs=1e-9)
    outright = sum(row["p_win"]["value"] for row in found.results["seats"])
    assert outright + (~alone).mean() == pytest.approx(1.0)


def test_sums_stay_exact_where_floats_would_not():
    tally = SessionTally.empty(2, 3)
    from guts_sim.kernels.session_tally import tally_sessions

    nets = np.array([[2**55 + 1, -(2**55) - 1], [-7, 7], [2**54 + 3, -(2**54) - 3]])
    net_sums, other_sums = np.zeros((3, 8), np.int64), np.zeros((4, 8), np.int64)
    tally_sessions(
        np.zeros((3, 7), np.int64), nets, np.zeros_like(nets), np.zeros_like(nets), SUBUNITS,
        np.array([[1, 0], [0, 1], [1, 1]], np.uint8), tally.statuses, tally.histograms, net_sums, other_sums,
        tally.counts,
    )  # fmt: skip
    tally.net_sums[:] = net_sums.astype(object)
    values = [int(net) for net in nets[:, 0]]
    assert tally.total(0) == Fraction(sum(values), SUBUNITS)
    assert (tally.total(2), tally.spread([0])) != (0, 0)
    mean = Fraction(sum(values), 3)
    variance = sum((value - mean) ** 2 for value in values) / 2
    assert tally.spread([0]) == pytest.approx(float(variance) ** 0.5 / SUBUNITS, rel=1e-14)


def test_a_run_does_not_depend_on_workers_and_can_be_continued():
    whole = gs.session(4, field="K9+", sessions=50_000, cycles=1, seed=2, workers=2)
    assert gs.session(4, field="K9+", sessions=50_000, cycles=1, seed=2, workers=1).digest == whole.digest
    assert gs.session(4, field="K9+", sessions=40_000, cycles=1, seed=2).extend(50_000).digest == whole.digest
    with pytest.raises(InputError, match="sessions"):
        whole.extend(10)


def test_the_last_to_declare_gains_and_the_gain_is_the_others_loss():
    found = gs.session(4, field=hears_calls(), sessions=20_000, cycles=5, seed=4, declaration="sequential").results
    places = found["declaration_order"]
    assert [row["place"] for row in places] == [1, 2, 3, 4]
    assert sum(row["value"] for row in places) == pytest.approx(0.0, abs=1e-9)
    last = places[-1]
    assert last["value"] > 6 * last["stderr"] > 0
    assert last["ci_low"] > 0
    # The button goes round, so that over a session no seat has the better of it.
    assert all(abs(row["net"]["value"]) < 4.5 * row["net"]["stderr"] for row in found["seats"])
    deaf = gs.session(4, field="A4+", sessions=20_000, cycles=5, seed=4, declaration="sequential").results
    assert all(abs(row["value"]) < 4.5 * row["stderr"] for row in deaf["declaration_order"])
    assert gs.session(4, field="A4+", sessions=100, seed=4).results["declaration_order"] is None


@pytest.mark.slow
def test_equal_players_win_nothing_from_each_other():
    """Six equal players, 1e7 rounds: every seat's mean is 0 within 4 standard errors."""
    found = gs.session(6, field="A7+", sessions=100_000, rounds=100, seed=9).results
    assert found["rounds"] == {"value": 100.0, "stderr": 0.0, "ci_low": 100.0, "ci_high": 100.0}
    for row in found["seats"]:
        assert abs(row["net"]["value"]) < 4 * row["net"]["stderr"]


def test_a_table_that_is_always_in_says_so_and_stops():
    found = gs.session(8, field="always", cap=None, sessions=300, seed=1)
    assert found.results["ends"] == {"played_to_the_end": 0, "round_limit": 0, "outgrown": 300}
    assert found.results["seats"][0]["net"] is None
    assert "outgrew" in found.summary()
    limited = gs.session(8, field="always", cap=None, sessions=300, rounds=5, seed=1).results
    assert limited["ends"]["round_limit"] == 300
    assert sum(row["net"]["value"] for row in limited["seats"]) == pytest.approx(0.0, abs=1e-6)
    capped = gs.session(8, field="always", sessions=50, round_limit=30, seed=1)
    assert capped.results["ends"]["round_limit"] == 50
    assert "after 30 rounds" in capped.summary()


def test_chips_that_stay_on_the_table_are_nobodys():
    shared = gs.session(5, field="top:40%", rounds=4, sessions=FEW, seed=1).results["seats"]
    left = gs.session(5, field="top:40%", rounds=4, sessions=FEW, seed=1, leftover="leave").results["seats"]
    assert sum(row["net"]["value"] for row in shared) == pytest.approx(0.0, abs=1e-9)
    assert sum(row["net"]["value"] for row in left) < -1


def test_a_loss_limit_ends_losses_but_not_the_round():
    found = gs.session(4, field="top:50%", loss_limits=10, sessions=FEW, seed=1).results
    for row in found["seats"]:
        assert row["p_stopped"]["value"] > 0.05
        assert (
            row["net"]["quantiles"]["0.01"] >= -10 - 20
        )  # down by less than the limit, then a match of at most the cap
    assert found["strategies"][0]["strategy"] == "top:50%, stops at -10"


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ({}, "players"),
        ({"n_players": 1}, "2 to 10"),
        ({"n_players": 11}, "2 to 10"),
        ({"n_players": 2, "players": {"a": "A4+", "b": "A4+", "c": "A4+"}}, "3 named for 2 seats"),
        ({"players": [("a", "A4+"), ("a", "A4+")]}, "twice"),
        ({"players": [("a", "A4+"), ("", "A4+")]}, "no name"),
        ({"players": "A4+"}, "give names"),
        ({"players": ["A4+", "A4+"]}, "no pair"),
        ({"n_players": 3, "field": "A4+", "cycles": 2, "rounds": 2}, "one length"),
        ({"n_players": 3, "field": "A4+", "cycles": 0}, "cycles"),
        ({"n_players": 3, "field": "A4+", "rounds": 2**21}, "rounds"),
        ({"n_players": 3, "field": "A4+", "loss_limits": {"Zoe": 5}}, "no player 'Zoe'"),
        ({"n_players": 3, "field": "A4+", "loss_limits": 0}, "loss limit"),
        ({"n_players": 3, "field": "A4+", "leftover": "burn"}, "share or leave"),
        ({"n_players": 3, "field": "A4+", "pass_policy": "random"}, "lowest or keep-best"),
        ({"n_players": 3, "field": "A4+", "pass_policy": "lowest"}, "pass_policy: .* pass_left 1"),
        ({"n_players": 3, "field": "A4+", "stakes": "table"}, "need a bankroll"),
        ({"n_players": 3, "ghost": "all"}, "equilibrium with ghost all is not solved here.* threshold writes"),
        ({"n_players": 3, "declaration": "sequential"}, "is not solved here; give a field such as A4\\+ or top:20%$"),
        ({"n_players": 3, "declaration": "blind"}, "not solved"),
        ({"n_players": 3, "field": 7}, "give text"),
    ],
)
def test_bad_input_is_refused(arguments, reason):
    with pytest.raises(InputError, match=reason):
        gs.session(**{"sessions": 10, **arguments})


def test_the_command_line(tmp_path, capsys):
    folder = tmp_path / ("far " * 20).replace(" ", "_")  # a path that must not crowd the chart out of its labels
    folder.mkdir()
    bold = folder / "bold.csv"
    bold.write_text("pot,hand,enter\n1-6,K2+,1\n,A4+,1\n")
    table = tmp_path / "table.csv"
    line = f"session --players 4 --player Ann={bold} --player Bob=TT+ --field A4+ --cycles 3 --seed 1"
    line += " --sessions 2e3 --stakes eliminate --bankroll 30 --loss-limit Bob=9 --quiet"
    chart = tmp_path / "chart.svg"
    assert main([*line.split(), "--format", "json", "--out", str(table), "--plot", str(chart)]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert [row["name"] for row in printed["results"]["seats"]] == ["Ann", "Bob", "1", "2"]
    assert printed["n"] == 2000
    assert chart.stat().st_size > 1000
    assert len(table.read_text().splitlines()) == 1 + 4 + 1
    bold.unlink()  # the record holds all that is needed
    assert gs.rerun(table).digest == printed["digest"] == gs.load(table)["digest"]
    assert main(line.split()) == 2
    assert capsys.readouterr().err.count("\n") == 1


@pytest.mark.parametrize(
    "line",
    [
        "session",
        "session --player Ann",
        "session --player =A4+ --players 3",
        "session --players 3 --field A4+ --deals 5 --sessions 5",
        "session --players 3 --field A4+ --method exact",
        "session --players 3 --field A4+ --loss-limit 5 --loss-limit 6",
        "session --players 3 --field A4+ --loss-limit 1=x",
        "session --players 3 --field A4+ --cycles 2 --rounds 3",
        "session --players 3 --field A4+/72+",
    ],
)
def test_commands_that_make_no_sense_are_refused_in_one_line(line, capsys):
    assert main(line.split()) == 2
    captured = capsys.readouterr()
    assert (captured.out, captured.err.count("\n")) == ("", 1)


def test_all_rules_together_can_be_played():
    found = gs.session(
        4, field="A4+/72+", sessions=500, seed=1, cards=2, community=1, high_low=True, pass_left=1, ghost="all",
        nobody_in="weenie", declaration="sequential", stakes="table", bankroll=60, pays="lowest", ante_every_round=True,
    )  # fmt: skip
    assert sum(row["net"]["value"] for row in found.results["seats"]) == pytest.approx(0.0, abs=1e-9)
    assert isinstance(found.study.task, SessionTask)


def test_a_loss_limit_of_nobody_is_refused_before_the_equilibrium_is_solved(monkeypatch):
    def solve(*_):
        raise AssertionError("it was solved")

    monkeypatch.setattr("guts_sim.studies.seats.symmetric_equilibrium", solve)
    with pytest.raises(InputError, match="there is no player 'Zoe'; players are 1, 2, 3"):
        gs.session(3, field="equilibrium", loss_limits={"Zoe": 5})


def test_a_single_session_says_nothing_about_the_scatter():
    """Neither does a single cycle: errors are unknown, not 0."""
    one = gs.session(3, field="A4+", sessions=1, seed=1)
    net = one.results["seats"][0]["net"]
    assert np.isnan([net["stderr"], net["sd"], net["ci_low"], net["ci_high"]]).all()
    assert np.isnan(one.results["rounds"]["stderr"])
    assert one.results["strategies"][0]["net"]["sd"] > 0  # three seats do scatter
    cycle = gs.cascade(3, method="mc", cycles=1, seed=1)
    assert np.isnan(cycle.results["rounds"]["stderr"]["mean"])
    assert np.isnan(cycle.results["rounds"]["sd"])
    course = gs.session_course(3, players={"a": "TT+"}, sessions=1, seed=1)
    for result in (one, cycle, course):
        assert "unknown" in result.summary()
        assert "nan" not in result.summary()
        result.plot()
