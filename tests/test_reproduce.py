"""Reference tables: what lies in results/ is what the recipes make, and a change is noticed."""

import dataclasses
import json
import re
from pathlib import Path

import pytest

import guts_sim as gs
from guts_sim.cli import main
from guts_sim.errors import InputError
from guts_sim.studies import reproduction
from guts_sim.studies.reference_tables import threshold_table
from guts_sim.studies.reproduction import RECIPES, agree, choose_recipes, list_recipes, reproduce

RESULTS = Path(__file__).parents[1] / "results"
CHEAP = "cascade/5-players-no-cap"
MAX_BYTES = 5_000_000


@pytest.fixture
def folder(tmp_path):
    assert reproduce(CHEAP, out=tmp_path).rows[0]["status"] == "written"
    return tmp_path


def status(folder):
    return reproduce(CHEAP, out=folder, check=True).rows[0]["status"]


def test_results_hold_the_files_of_the_recipes_and_no_others():
    made = {file for recipe in RECIPES for file in recipe.files}
    found = {path.relative_to(RESULTS).as_posix() for path in RESULTS.rglob("*") if path.is_file()}
    assert {file for file in found if not file.startswith(("benchmarks/", "."))} == made
    assert sum((RESULTS / file).stat().st_size for file in found) < MAX_BYTES


def test_records_have_the_digest_and_the_seed_that_made_them():
    for recipe in RECIPES:
        record = gs.load(RESULTS / f"{recipe.name}.csv")
        assert len(record["digest"]) == 64
        assert record["complete"]
        assert (record["seed"] is None) == (record["method"] == "exact")


def test_committed_tables_come_out_the_same():
    found = reproduce(["cascade/", "coalition/3", "thresholds/two-cards-5", "indian/2"], out=RESULTS, check=True)
    assert {row["name"]: row["status"] for row in found.rows if row["status"] not in ("same", "close")} == {}
    assert len(found.rows) == 8


@pytest.mark.slow
def test_all_committed_tables_come_out_the_same():
    found = reproduce(out=RESULTS, check=True)
    assert {row["name"]: row["status"] for row in found.rows if row["status"] not in ("same", "close")} == {}


def test_what_was_written_is_the_same(folder):
    before = (folder / f"{CHEAP}.csv.json").read_bytes()
    assert status(folder) == "same"
    assert reproduce(CHEAP, out=folder).rows[0]["status"] == "same"
    assert (folder / f"{CHEAP}.csv.json").read_bytes() == before


def test_a_table_edited_by_hand_differs(folder):
    table = folder / f"{CHEAP}.csv"
    table.write_text(table.read_text().replace("1,5,", "1,6,", 1))
    assert status(folder) == "differs"


@pytest.mark.parametrize(("factor", "expected"), [(1 + 1e-12, "close"), (1 + 1e-6, "differs")])
def test_last_digits_may_differ_and_others_not(folder, factor, expected):
    path = folder / f"{CHEAP}.csv.json"
    record = json.loads(path.read_text())
    record["results"]["tail_index"] *= factor
    record["digest"] = "0" * 64
    path.write_text(json.dumps(record))
    assert status(folder) == expected


@pytest.mark.parametrize(("factor", "expected"), [(1 + 1e-12, "close"), (1 + 1e-6, "differs")])
def test_last_digits_of_a_table_may_differ_too(folder, factor, expected):
    table = folder / f"{CHEAP}.csv"
    number = max(re.findall(r"0\.\d{9,}", table.read_text()), key=float)
    table.write_text(table.read_text().replace(number, repr(float(number) * factor)))
    assert status(folder) == expected


@pytest.mark.parametrize("ending", [".csv", ".csv.json", ".png"])
def test_a_file_that_is_gone_is_missing(folder, ending):
    (folder / f"{CHEAP}{ending}").unlink()
    assert status(folder) == "missing"


def test_a_damaged_record_differs_and_is_written_again(folder):
    (folder / f"{CHEAP}.csv.json").write_text("{")
    assert status(folder) == "differs"
    assert reproduce(CHEAP, out=folder).rows[0]["status"] == "written"
    assert status(folder) == "same"


def test_an_interrupted_study_writes_nothing(tmp_path, monkeypatch):
    recipe = choose_recipes(CHEAP)[0]
    partial = dataclasses.replace(recipe.make(), complete=False)
    monkeypatch.setattr(reproduction, "RECIPES", [dataclasses.replace(recipe, make=lambda: partial)])
    with pytest.raises(KeyboardInterrupt):
        reproduce(out=tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_check_writes_nothing(tmp_path):
    result = reproduce(CHEAP, out=tmp_path, check=True)
    assert not result.results["passed"]
    assert list(tmp_path.iterdir()) == []


def test_names_are_chosen_by_any_of_their_parts():
    assert [recipe.name for recipe in choose_recipes(["phase", "no-cap"])] == [CHEAP, "cascade/phase-5-players"]
    assert len(choose_recipes(None)) == len(list_recipes().rows) == len({recipe.name for recipe in RECIPES})
    with pytest.raises(InputError, match="'nothing'"):
        choose_recipes(["phase", "nothing"])


@pytest.mark.parametrize(
    ("a", "b", "equal"),
    [
        ({"x": 1.0}, {"y": 1.0}, False),
        ([1.0], [1.0, 2.0], False),
        ("A4", "A5", False),
        (True, 1, False),
        (None, 0.0, False),
        (1.0, 1, True),
        (1e-12, 0.0, True),
        (3, 4, False),
    ],
)
def test_records_agree(a, b, equal):
    assert agree(a, b) is equal


def test_threshold_table_is_what_threshold_says():
    row = threshold_table(2).rows[3]
    found = gs.threshold(5).results
    assert (row["n_players"], row["threshold"]) == (5, found["threshold"]["hand"])
    assert row["house_rule_exploitability"] == found["folk_rule"]["exploitability"]["value"]


def test_command_line(tmp_path, capsys):
    out = ["--out", str(tmp_path)]
    assert main(["reproduce", "--only", CHEAP, *out]) == 0
    assert "1 written" in capsys.readouterr().out
    assert main(["reproduce", "--only", CHEAP, *out, "--check", "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["results"]["passed"] is True
    (tmp_path / f"{CHEAP}.csv").write_text("")
    assert main(["reproduce", "--only", CHEAP, *out, "--check"]) == 3
    assert "differs" in capsys.readouterr().out


def test_bad_input_is_refused_in_one_line(tmp_path, capsys):
    assert main(["reproduce", "--only", "nothing"]) == 2
    file = tmp_path / "file"
    file.touch()
    assert main(["reproduce", "--only", CHEAP, "--out", str(file)]) == 2
    output = capsys.readouterr()
    assert output.out == ""
    assert len(output.err.splitlines()) == 2
