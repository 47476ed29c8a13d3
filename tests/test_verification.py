"""The table of known values, and the command that prints it."""

import json

import pytest

from guts_sim import InputError, rerun, verify
from guts_sim.cli import NOT_CONFIRMED, main
from guts_sim.studies import verification
from guts_sim.studies.verification import Check


def test_quick_values_are_reproduced():
    for part in ("uniform hands", "Kuhn", "one card", "two cards, 5 players", "3 cards"):
        result = verify(part)
        assert result.results["passed"], [row for row in result.rows if not row["passed"]]


@pytest.mark.slow
def test_all_values_are_reproduced():
    result = verify()
    assert result.results["n_checks"] > 60
    assert result.results["passed"], [row for row in result.rows if not row["passed"]]


def test_a_record_is_repeated(tmp_path):
    for number, part in enumerate(("Kuhn", "one card")):
        result = verify(part)
        result.save(tmp_path / f"{number}.csv")
        assert rerun(tmp_path / f"{number}.csv").digest == result.digest


def test_a_wrong_value_is_reported_and_fails(monkeypatch, capsys):
    wrong = Check("a wrong value", "nobody", 2.0, 0.5, lambda: 3.0)
    monkeypatch.setattr(verification, "_checks", lambda: [wrong])
    assert main(["verify", "--format", "json"]) == NOT_CONFIRMED
    row = json.loads(capsys.readouterr().out)["results"]["rows"][0]
    assert (row["expected"], row["computed"], row["passed"]) == (2.0, 3.0, False)


def test_the_table_names_the_source_of_every_value(capsys):
    assert main(["verify", "--only", "one "]) == 0
    printed = capsys.readouterr().out
    row = next(line for line in printed.splitlines() if line.startswith("one card, 5 players"))
    number = row.split("[")[1].split("]")[0]
    assert f"[{number}] Wizard of Odds" in printed


def test_unknown_quantities_are_refused():
    with pytest.raises(InputError, match="only"):
        verify("no such thing")
    assert main(["verify", "--only", "no such thing"]) == 2
