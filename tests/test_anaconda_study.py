"""Anaconda by strategies: measured against the plain referee, in Python and on the command line."""

import json
from statistics import mean, stdev

import pytest
from anaconda_log import LogReader

import guts_sim as gs
from guts_sim.cli import main
from guts_sim.errors import InputError
from guts_sim.games.anaconda import AnacondaRules, net_chips
from guts_sim.games.anaconda_strategy import PRESETS, AnacondaStrategy, read_anaconda_strategy
from guts_sim.passing import get_policy
from guts_sim.studies.anaconda_hands import deal_cards
from guts_sim.studies.anaconda_player import HandPlayer
from guts_sim.studies.anaconda_sampling import hand_keys
from guts_sim.studies.passing_sampling import PassKeys, TableTask


@pytest.fixture
def call(capsys):
    def run(*arguments):
        code = main([str(argument) for argument in arguments])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return run


def played_by_hand(specs, seed, number):
    """Chips of every player on one deal, from each seat in turn: row by line-up, in the order of ``specs``."""
    n, keys = len(specs), hand_keys(seed)
    hands = deal_cards(keys.deals, number, 1, n).reshape(n, 7).tolist()
    chips = []
    for shift in range(n):
        players = [(seat - shift) % n for seat in range(n)]
        end = HandPlayer([read_anaconda_strategy(specs[p]) for p in players], AnacondaRules(), keys, number).play(hands)
        by_seat = net_chips(end)
        chips.append([by_seat[players.index(player)] for player in range(n)])
    return chips


def test_a_table_is_the_mean_of_its_hands():
    specs = ["solid", "bluffer", "loose"]
    answer = gs.anaconda(3, strategies=specs, deals=10, seed=4)
    by_hand = [played_by_hand(specs, 4, number) for number in range(10)]
    for player, row in enumerate(answer.rows):
        means = [mean(chips[player] for chips in deal) for deal in by_hand]
        assert row["net"] == pytest.approx(mean(means), abs=1e-12)
        assert row["stderr"] == pytest.approx(stdev(means) / 10**0.5, rel=1e-9)
    for row in answer.results["seats"]:
        shift = (row["seat"] - row["player"]) % 3
        own = [deal[shift][row["player"] - 1] for deal in by_hand]
        assert row["net"] == pytest.approx(mean(own), abs=1e-12)
        assert row["stderr"] == pytest.approx(stdev(own) / 10**0.5, rel=1e-9)


def test_orders_are_compared_on_the_same_deals():
    answer = gs.anaconda_orders(3, strategies="loose", deals=8, seed=4)
    net = {}
    for order in ("last", "hide", "honest", "random"):
        specs = [f"loose:order={order}", "loose", "loose"]
        net[order] = [mean(chips[0] for chips in played_by_hand(specs, 4, number)) for number in range(8)]
    for row in answer.rows:
        assert row["net"] == pytest.approx(mean(net[row["order"]]), abs=1e-12)
        gains = [a - b for a, b in zip(net[row["order"]], net["honest"])]
        assert row["gain"] == pytest.approx(mean(gains), abs=1e-12)
        assert row["gain_stderr"] == pytest.approx(stdev(gains) / 8**0.5, rel=1e-9, abs=1e-12)


def test_a_tournament_is_tables_with_one_lone_player():
    answer = gs.anaconda_tournament(3, strategies="tight,always-raise,random", deals=30, seed=2)
    net = {(row["strategy"], row["field"]): row for row in answer.rows}
    table = gs.anaconda(3, strategies="tight,always-raise,always-raise", deals=30, seed=2)
    assert net["tight", "always-raise"]["net"] == pytest.approx(table.rows[0]["net"], abs=1e-12)
    assert net["tight", "always-raise"]["stderr"] == pytest.approx(table.rows[0]["stderr"], rel=1e-9)
    assert net["tight", "tight"]["net"] == net["tight", "tight"]["stderr"] == 0
    overall = answer.results["overall"][0]
    others = mean(net["tight", field]["net"] for field in ("always-raise", "random"))
    assert overall["net"] == pytest.approx(others, abs=1e-12)


def test_players_alike_win_nothing_and_chips_are_conserved():
    alike = gs.anaconda(4, strategies="loose", deals=50, seed=1)
    assert [row["net"] for row in alike.rows] == [0.0] * 4  # every hand of a deal is played by everybody
    assert sum(row["net"] for row in alike.results["seats"]) == pytest.approx(0, abs=1e-9)
    pots = sum(row["won_before"] + row["showdown"] * (row["won_at_showdown"] or 0) for row in alike.rows)
    assert 1 <= pots < 1.1  # shared pots count for all who share


def test_callers_show_down_every_hand():
    rows = gs.anaconda(4, strategies="caller,always-raise,caller,caller", deals=50, seed=1).rows
    assert {row["showdown"] for row in rows} == {1.0}
    # Everybody pays 25, so each wins 75 or loses 25 but for ties: as often as the others.
    assert [row["net"] for row in rows] == [0.0] * 4


def test_without_betting_a_hand_is_the_showdown_after_passing():
    table = gs.anaconda(2, strategies="caller:passing=keep-best,caller:passing=lowest", deals=3_000, seed=5)
    policies = (get_policy("keep-best"), get_policy("lowest"))
    outcomes, _ = TableTask(PassKeys.of(5), ((3, 1),), policies)(0, 3_000)
    equity = (outcomes[1] + outcomes[2] / 2) / 3_000  # of the same deals, by the kernels of passing
    first_seat = next(row for row in table.results["seats"] if (row["player"], row["seat"]) == (1, 1))
    assert first_seat["net"] == pytest.approx(2 * equity - 1, abs=1e-12)


def test_results_do_not_depend_on_workers_and_repeat(tmp_path):
    answers = [gs.anaconda(3, strategies="bluffer,tight,loose", deals=5_000, seed=6, workers=n) for n in (1, 2)]
    assert answers[0].digest == answers[1].digest
    assert answers[0].complete
    for number, answer in enumerate(
        (answers[0], gs.anaconda_tournament(2, strategies="tight,loose", deals=20), gs.anaconda_orders(2, deals=20))
    ):
        answer.save(tmp_path / f"{number}.csv")
        assert gs.rerun(tmp_path / f"{number}.csv").digest == answer.digest


def test_strategies_made_in_python_are_recorded_whole(tmp_path):
    own = AnacondaStrategy("mine", passing="lowest", order="last", call=0.9)
    answer = gs.anaconda(2, strategies=[own, "tight"], deals=20, seed=1)
    assert answer.parameters["strategies"][0]["passing"] == "lowest"
    answer.save(tmp_path / "own.csv")
    assert gs.rerun(tmp_path / "own.csv").digest == answer.digest


def test_known_opponents_are_beaten():
    answer = gs.anaconda_tournament(4, strategies="solid,caller,random,always-raise", deals=300, seed=1)
    net = {(row["strategy"], row["field"]): row for row in answer.rows}
    for field in ("caller", "random", "always-raise"):
        assert net["solid", field]["ci_low"] > 0


@pytest.mark.parametrize("passes", ["3L", "3L,2R,1L"])
@pytest.mark.parametrize("roll", [True, False])
def test_switches(passes, roll):
    answer = gs.anaconda(3, strategies="random", passes=passes, roll=roll, deals=40, seed=1)
    assert (answer.rules["passes"], answer.rules["roll"]) == (passes, roll)
    most = AnacondaRules(((3, 1), (2, -1), (1, 1)) if "," in passes else ((3, 1),), roll).stack
    assert most == 1 + 4 * (1 + passes.count("L") + passes.count("R") + 4 * roll)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"passes": "3L2"}, "next player only"),
        ({"passes": "3,2,1"}, "next player only"),
        ({"passes": "4L"}, "not understood"),
        ({"high_low": True}, "high_low: high-low with declarations is not played"),
        ({"expected": "up"}, "expected"),
        ({"roll": 1}, "roll"),
        ({"strategies": "solid,tight"}, "one for all or one for each of 4"),
        ({"strategies": "solid:passing=nobody"}, "there is no 'nobody'"),
        ({"strategies": 7}, "strateg"),
        ({"n_players": 8}, "n_players"),
        ({"deals": 0}, "deals"),
    ],
)
def test_refusals(arguments, message):
    with pytest.raises(InputError, match=message):
        gs.anaconda(**{"n_players": 4, "deals": 10} | arguments)


def test_one_strategy_is_no_tournament():
    with pytest.raises(InputError, match="at least two"):
        gs.anaconda_tournament(strategies="solid,solid", deals=10)


# The command line


def test_the_command_answers_every_question(call, tmp_path):
    chart = tmp_path / "chart.png"
    for arguments, word in (
        (("--players", 3, "--strategy", "tight,tight,loose"), "tight x 2"),
        (("--tournament", "--strategy", "tight,random"), "wins most on average"),
        (("--orders", "--expected", "hide"), "kept his groups hidden"),
    ):
        code, out, err = call("anaconda", *arguments, "--deals", 30, "--seed", 1, "--quiet", "--plot", chart)
        assert (code, err) == (0, "")
        assert word in out
        assert chart.stat().st_size > 10_000
        chart.unlink()


def test_json_carries_intervals(call):
    code, out, _ = call(
        "anaconda", "--deals", 30, "--seed", 1, "--format", "json", "--strategy", "loose,tight,caller,bluffer"
    )
    answer = json.loads(out)
    assert code == 0
    assert (answer["command"], answer["n"], answer["rules"]["game"]) == ("anaconda", 30, "anaconda")
    assert all(row["ci_low"] < row["net"] < row["ci_high"] for row in answer["results"]["rows"])


def test_a_hand_is_written_out(call):
    code, out, _ = call("anaconda", "--show-hand", "--seed", 3, "--deal", 5, "--strategy", "loose")
    assert code == 0
    lines = out.splitlines()
    reader = LogReader(lines[: next(i for i, line in enumerate(lines) if line.startswith("Net:")) + 1]).read()
    assert sum(reader.net.values()) == 0
    assert "seed 3, deal 5" in lines[0]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--players", 8), "--players must be a whole number from 2 to 7"),
        (("--strategy", "shy"), "there is no 'shy'"),
        (("--tournament", "--orders"), "at most one of"),
        (("--high-low",), "not played"),
        (("--orders", "--no-roll"), "leave --no-roll"),
        (("--deal", 3), "--deal goes with --show-hand"),
        (("--show-hand", "--deals", 3), "--deals does not go with --show-hand"),
        (("--method", "exact"), "Monte Carlo only"),
        (("--passes", "3R2"), "next player only"),
    ],
)
def test_bad_input_gives_one_line(call, arguments, message):
    code, out, err = call("anaconda", *arguments)
    assert (code, out) == (2, "")
    assert err.startswith("error: ")
    assert err.count("\n") == 1
    assert message in err


def test_help_names_every_preset(call):
    _, out, _ = call("anaconda", "--help")
    assert all(name in " ".join(out.split()).replace("- ", "-") for name in PRESETS)
