"""Tables over numbers of players, and sessions followed through their course."""

import json

import pytest

import guts_sim as gs
from guts_sim.cli import main
from guts_sim.errors import InputError
from guts_sim.studies.reference_tables import threshold_table

ROCK = {"players": {"Rock": "TT+"}, "field": "A4+", "sessions": 2000, "seed": 1}


@pytest.fixture(scope="module")
def table():
    return gs.threshold_table(2)


def test_every_hand_is_that_of_the_study_of_so_many_players(table):
    assert table.results["players"] == list(range(2, 11))
    for place, n in ((0, 2), (8, 10)):
        expected = gs.threshold(n).results["equilibrium"]["hands"]
        shown = table.results["hands"]
        assert [row["hand"] for row in shown] == [row["hand"] for row in expected]
        for key in ("enter", "delta", "stderr"):
            assert [row[key][place] for row in shown] == [row[key] for row in expected]
    assert (table.method, table.seed, table.n) == ("exact", None, 0)


def test_a_table_can_be_repeated_from_its_record(table, tmp_path):
    table.save(tmp_path / "table.csv")
    assert gs.rerun(tmp_path / "table.csv").digest == table.digest


@pytest.mark.parametrize("cards", [1, 4, "2"])
def test_tables_of_other_hands_are_refused(cards):
    with pytest.raises(InputError, match="cards must be a whole number from 2 to 3"):
        threshold_table(cards)


def test_effort_is_that_of_every_number_of_players(capsys):
    """Given on the command line, kept in the record, and left out of it where it is the usual one."""
    sampled = ["--cards", "3", "--deals", "2000", "--effort", "0.01", "--seed", "1"]
    assert main(["threshold", "--table", *sampled, "--format", "json", "--quiet"]) == 0
    record = json.loads(capsys.readouterr().out)
    assert record["parameters"]["effort"] == 0.01
    five = gs.threshold(5, cards=3, deals=2000, effort=0.01, seed=1).results
    (row,) = [row for row in record["results"]["rows"] if row["n_players"] == 5]
    assert row["threshold"] == five["threshold"]["hand"]
    assert row["entry_prob"] == five["equilibrium"]["entry_prob"]
    assert "effort" not in gs.threshold_table(2).parameters
    with pytest.raises(InputError, match="effort"):
        gs.threshold_table(3, effort=0)


@pytest.mark.slow
def test_a_sampled_table_states_its_seed_and_can_be_repeated(tmp_path):
    table = gs.threshold_table(3, deals=20_000)
    assert (table.method, table.n) == ("mc", 20_000)
    assert isinstance(table.seed, int)
    assert {row["method"] for row in table.rows} == {"exact", "mc"}
    table.save(tmp_path / "table.csv")
    assert gs.rerun(tmp_path / "table.csv").digest == table.digest


def test_command_line_of_tables(capsys):
    assert main(["threshold", "--table", "--format", "csv"]) == 0
    assert capsys.readouterr().out == gs.threshold_table(2).to_csv()


@pytest.mark.parametrize(
    ("more", "named"),
    [
        (["--players", "5"], "--players"),
        (["--field", "A4+"], "--field"),
        (["--pot", "3"], "--pot"),
        (["--nobody-in", "weenie"], "--nobody-in"),
        (["--method", "mc"], "--method"),
        (["--checkpoint", "x.ckpt"], "--checkpoint"),
    ],
)
def test_what_does_not_go_with_a_table_is_refused_by_name(more, named, capsys):
    assert main(["threshold", "--table", *more]) == 2
    assert f"{named} does not go with --table" in capsys.readouterr().err


@pytest.fixture(scope="module")
def course():
    return gs.session_course(5, cycles=4, points=2, **ROCK)


def test_every_point_is_a_session_of_that_length(course):
    assert [point["length"] for point in course.results["points"]] == [2, 4]
    for point in course.results["points"]:
        alone = gs.session(5, cycles=point["length"], **ROCK).results
        for key in ("seats", "strategies", "rounds", "ends"):
            assert point[key] == alone[key]
    assert len(course.rows) == 2 * (5 + 1)
    assert course.n == 2000


def test_a_course_can_be_repeated_from_its_record(course, tmp_path):
    course.save(tmp_path / "course.csv")
    assert gs.rerun(tmp_path / "course.csv").digest == course.digest


@pytest.mark.parametrize(
    ("arguments", "lengths", "unit"),
    [
        ({"cycles": 3, "points": 10}, [1, 2, 3], "cycles"),
        ({"rounds": 7, "points": 3}, [3, 5, 7], "rounds"),
        ({"cycles": 1}, [1], "cycles"),
    ],
)
def test_points_lie_at_equal_distances(arguments, lengths, unit):
    course = gs.session_course(3, field="K4+", sessions=50, seed=1, **arguments)
    assert [point["length"] for point in course.results["points"]] == lengths
    assert course.results["unit"] == unit
    assert course.parameters[unit] == lengths[-1]


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ({"cycles": 3, "rounds": 3}, "cycles, rounds"),
        ({"points": 0}, "points"),
        ({"precision": 0.1}, "precision"),
        ({"checkpoint": "x.ckpt"}, "checkpoint"),
        ({"cycles": 0}, "cycles"),
    ],
)
def test_arguments_that_make_no_course_are_refused_by_name(arguments, named):
    with pytest.raises(InputError, match=f"^{named}"):
        gs.session_course(3, field="K4+", sessions=50, seed=1, **arguments)


def test_command_line_of_courses(course, capsys):
    call = [
        "session",
        "--players",
        "5",
        "--player",
        "Rock=TT+",
        "--field",
        "A4+",
        "--cycles",
        "4",
        "--sessions",
        "2000",
    ]
    assert main([*call, "--seed", "1", "--course", "--points", "2", "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["digest"] == course.digest
    assert main([*call, "--points", "2"]) == 2
    assert "--points belongs to --course" in capsys.readouterr().err
