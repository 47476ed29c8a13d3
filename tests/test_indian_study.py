"""Indian poker as a user asks: at the table, solved, in sessions, in Python and on the command line."""

import json
from fractions import Fraction

import pytest

import guts_sim as gs
from guts_sim.cli import main
from guts_sim.errors import InputError


@pytest.fixture
def call(capsys):
    def run(*arguments):
        code = main([str(argument) for argument in arguments])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return run


def results_of(call, *arguments):
    code, out, err = call(*arguments, "--format", "json")
    assert (code, err) == (0, "")
    return json.loads(out)


# At the table


def test_odds_on_the_command_line(call):
    record = results_of(call, "indian", "--see", "K 9 4", "--strategy", "thumb:Q")
    odds = record["results"]["odds"]
    assert (odds["win_exact"], odds["tie_exact"], odds["lose_exact"]) == ("4/49", "3/49", "6/7")
    assert odds["win"] == pytest.approx(4 / 49)
    assert record["results"]["n_players"] == 4
    assert [row["action"] for row in record["results"]["actions"]] == ["fold", "check", "bet"]
    assert set(record["results"]["actions"][0]) == {"action", "ev", "stderr"}
    assert record["rules"]["profile"] == "indian"


def test_ranks_may_repeat_up_to_four_times_and_cards_will_do():
    assert gs.indian("A A A A", strategy="call").results["odds"]["lose"] == 1.0
    assert gs.indian("Ks 9d", strategy="call").results["odds"] == gs.indian("K 9", strategy="call").results["odds"]
    with pytest.raises(InputError, match="5 times"):
        gs.indian("A A A A A")


def test_actions_against_players_who_always_call():
    # Two players, the other calls: check wins or loses 1, bet 2, and bet raise is never met.
    result = gs.indian("7", strategy="call").results
    edge = Fraction(28 - 20, 51)  # above minus below a seven
    values = {row["action"]: row["ev"] for row in result["actions"]}
    assert values["check"] == pytest.approx(float(edge))
    assert values["bet"] == pytest.approx(2 * float(edge))
    assert (values["fold"], result["advice"]) == (-1.0, "bet")


def test_what_others_do_changes_the_odds():
    # The other bets only if the best card it sees is at most a queen.
    result = gs.indian("K", strategy="thumb:Q", history="bet").results
    assert result["seat"] == 2
    assert result["given_history"]["win"] == 0.0
    assert result["given_history"]["tie"] == 0.0
    assert result["p_history"] == pytest.approx(44 / 51)
    assert result["advice"] == "fold"
    third = gs.indian("9 K", strategy="thumb:Q", history="bet fold").results
    assert third["seat"] == 3  # seat 1 sees a king and so never bets
    assert third["p_history"] == 0.0


def test_a_history_that_never_happens_is_said_to_be_one():
    result = gs.indian("K 9", strategy="call", history="bet")
    assert (result.results["actions"], result.results["advice"]) == ([], None)
    assert "never act like this" in result.summary()
    with pytest.raises(InputError, match="nothing to draw"):
        result.plot()


def test_lowest_card_wins():
    high, low = gs.indian("4", strategy="call"), gs.indian("Q", strategy="call", best="low")
    assert high.results["odds"] == low.results["odds"]
    assert [row["ev"] for row in high.rows] == pytest.approx([row["ev"] for row in low.rows])


def test_ordered_suits():
    result = gs.indian("Kd", strategy="call", ties="suits").results
    assert (result["odds"]["win_exact"], result["odds"]["tie_exact"]) == ("2/17", "0")  # Kh, Ks and four aces
    with pytest.raises(InputError, match="ordered suits"):
        gs.indian("K", ties="suits")


def test_value_of_the_first_seat_is_the_mean_over_the_cards_seen():
    # Against the equilibrium no strategy does better than its value.
    total = 0.0
    for rank in "23456789TJQKA":
        total += max(row["ev"] for row in gs.indian(rank).rows) / 13
    assert total == pytest.approx(gs.indian_solve(2).results["value"][0], abs=1e-9)


# Solved


def test_two_players_solved(call):
    record = results_of(call, "indian", "--solve", "--players", "2")
    assert record["method"] == "exact"
    value = record["results"]["value"]
    assert value[0] == pytest.approx(-0.0613757835, abs=1e-9)
    assert sum(value) == pytest.approx(0.0, abs=1e-12)
    assert record["results"]["nash_conv"] <= 1e-9
    assert record["results"]["kind"] == "equilibrium"
    rows = record["results"]["strategy"]
    assert set(rows[0]) == {"seat", "sees", "history", "action", "prob"}
    total = {}
    for row in rows:
        spot = (row["seat"], row["sees"], row["history"])
        total[spot] = total.get(spot, 0.0) + row["prob"]
    assert len(total) == 6 * 13
    assert all(p == pytest.approx(1.0) for p in total.values())


@pytest.mark.parametrize("switches", [{"max_raises": 3}, {"ties": "suits"}, {"best": "low"}, {"fold_unbet": False}])
def test_switches_are_solved(switches):
    result = gs.indian_solve(2, **switches)
    assert result.results["nash_conv"] <= 1e-9
    assert result.rules["profile"] == "custom"


@pytest.mark.parametrize("declaration", ["simultaneous", "sequential"])
def test_guts_settlement(declaration):
    result = gs.indian_solve(2, settlement="guts", declaration=declaration)
    assert result.results["nash_conv"] <= 1e-9
    assert {row["action"] for row in result.rows} == {"in", "out"}
    assert "-0.000000" not in result.summary()


def test_three_players_are_called_what_they_are():
    result = gs.indian_solve(3, target=0.03)
    assert result.results["kind"] == "epsilon-equilibrium"
    assert result.results["nash_conv"] <= 0.03
    assert "epsilon-equilibrium" in result.summary()


@pytest.mark.slow
def test_four_players_are_measured_on_fresh_deals():
    result = gs.indian_solve(4, deals=200, seed=1)
    estimate = result.results["nash_conv_estimate"]
    assert estimate["ci_low"] < result.results["nash_conv"] < estimate["ci_high"]
    assert result.results["nash_conv"] < 0.5
    assert result.digest == gs.indian_solve(4, deals=200, seed=1, workers=1).digest


# Sessions


def test_sessions_are_repeatable_and_conserve_chips(tmp_path):
    result = gs.indian_session("thumb:Q, loose, bluff:30%, random, raise", sessions=500, seed=4, workers=1)
    assert sum(Fraction(str(row["net_exact"])) for row in result.rows) == 0
    assert sum(row["sessions_won"] for row in result.rows) == pytest.approx(1.0)
    assert all(row["ci_low"] < row["net"] < row["ci_high"] for row in result.rows)
    assert result.n == 2500
    assert result.digest == gs.indian_session(list(result.parameters["strategies"]), sessions=500, seed=4).digest
    result.save(tmp_path / "table.csv")
    assert gs.rerun(tmp_path / "table.csv").digest == result.digest


def test_equal_strategies_win_alike():
    result = gs.indian_session(["raise"] * 3, sessions=20_000, seed=1)
    for row in result.rows:
        assert abs(row["net"]) < 5 * row["stderr"]


def test_always_raise_costs_three_chips_a_hand_at_most():
    result = gs.indian_session(["raise", "raise"], sessions=200, seed=1, log=True)
    assert sum("raises, paying 2" in line for line in result.results["log"]) == 2
    assert result.summary().count("the pot of 6 at the showdown") == 2


@pytest.mark.parametrize(
    ("make", "arguments"),
    [
        (gs.indian, {"see": "K 9", "strategy": "thumb:T", "history": "bet"}),
        (gs.indian_solve, {"n_players": 2, "best": "low"}),
        (gs.indian_solve, {"n_players": 2, "settlement": "guts"}),
    ],
)
def test_answers_can_be_repeated_and_drawn(make, arguments, tmp_path):
    result = make(**arguments)
    result.save(tmp_path / "answer.json")
    assert gs.rerun(tmp_path / "answer.json").digest == result.digest
    result.plot(tmp_path / "chart.png")
    assert (tmp_path / "chart.png").stat().st_size > 5000


def test_sessions_are_drawn(tmp_path):
    gs.indian_session("call, raise", sessions=100, seed=1).plot(tmp_path / "chart.svg")
    assert (tmp_path / "chart.svg").stat().st_size > 5000


# Bad input


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        ([], "exactly one of"),
        (["--see", "K", "--solve"], "exactly one of"),
        (["--see", ""], "1 to 9 cards"),
        (["--see", "K K K K K"], "5 times"),
        (["--see", "X"], "'X' not understood"),
        (["--see", "2 3 4 5 6 7 8 9 T J"], "1 to 9 cards"),
        (["--see", "Ks Ks"], "appears twice"),
        (["--see", "K", "--history", "raise"], "'raise' is not allowed"),
        (["--see", "K", "--history", "fold"], "nobody has to act"),
        (["--see", "K", "--strategy", "crazy"], "'crazy' is not known"),
        (["--see", "K", "--strategy", "thumb:Z"], "not known"),
        (["--see", "K 9", "--strategy", "call,call,call"], "one for each of the 2 others"),
        (["--see", "K", "--seat", "2"], "seat 1 has to act"),
        (["--see", "K", "--settlement", "guts"], "only indian --solve"),
        (["--see", "K", "--players", "3"], "--players goes with --solve"),
        (["--solve", "--players", "11"], "from 2 to 10"),
        (["--solve", "--players", "4", "--settlement", "guts"], "solved for 2 players"),
        (["--solve", "--declaration", "sequential"], "settlement guts only"),
        (["--solve", "--target", "-1"], "target"),
        (["--solve", "--history", "bet"], "--history goes with --see"),
        (["--session", "call"], "from 2 to 10"),
        (["--session", "call,call", "--bankroll", "5"], "bring at least"),
        (["--session", "call,call", "--sessions", "1"], "--sessions must be"),
        (["--solve", "--ties", "coin"], "choose split, suits"),
        (["--session", ",".join(["call"] * 10), "--max-raises", "6"], "allow fewer raises"),
    ],
)
def test_bad_input_is_refused_in_one_line(call, arguments, part):
    code, out, err = call("indian", *arguments)
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    assert part in err


def test_a_chart_that_there_is_not_is_refused_before_the_run(capsys, tmp_path, monkeypatch):
    def solve(*_, **__):
        raise AssertionError("it was solved")

    monkeypatch.setattr("guts_sim.studies.indian_solve.indian_solve", solve)
    assert main(["indian", "--solve", "--players", "4", "--plot", str(tmp_path / "x.png")]) == 2
    assert capsys.readouterr().err == "error: --plot draws solutions of up to 3 players; use --format csv\n"
    words = ["indian", "--solve", "--players", "3", "--ties", "suits", "--plot", str(tmp_path / "x.png")]
    assert main(words) == 2
    assert capsys.readouterr().err == "error: --plot draws solutions of 3 players with ties split only\n"
