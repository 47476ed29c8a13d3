"""Results: digests, frames, files, and what a record needs to be repeated."""

import dataclasses
import importlib.util
import json
import math
import os
import signal
import subprocess
import sys

import numpy as np
import pytest

import guts_sim as gs
from guts_sim.errors import InputError
from guts_sim.interruption import interruptible
from guts_sim.provenance import canonical_json, environment, plain
from guts_sim.results import counted_result, rows_to_csv, write_text
from guts_sim.strategy import Strategy
from guts_sim.studies.odds import odds
from guts_sim.studies.replay import load, rerun
from guts_sim.studies.rulebook import list_rules
from guts_sim.studies.threshold import threshold

ROWS = [
    {"hand": "22", "enter": 0.1, "n": 3},
    {"hand": "3d", "enter": 1.0, "n": 4},
    {"hand": "NA", "enter": 0.0, "n": 5},
]


def result(rows=ROWS, **changes):
    made = counted_result(
        "test", rules={"cards": 2}, parameters={}, results={"rows": rows}, rows=rows, lines=["An answer."]
    )
    return dataclasses.replace(made, **changes)


def refusal(function, *args, **kwargs):
    with pytest.raises(InputError) as caught:
        function(*args, **kwargs)
    message = str(caught.value)
    assert len(message.splitlines()) == 1
    return message


@pytest.fixture(scope="module")
def sampled():
    return odds("As Kd", n_players=3, method="mc", deals=3000, seed=7, workers=1)


# Digest


def test_the_digest_ignores_time_and_place():
    one = result(timing={"elapsed_seconds": 1.0})
    other = result(timing={"elapsed_seconds": 2.0})
    assert one.digest == other.digest
    assert one.as_dict()["provenance"]["elapsed_seconds"] == 1.0


@pytest.mark.parametrize(
    "change",
    [{"n": 5}, {"seed": 3}, {"rules": {"cards": 3}}, {"complete": False}, {"results": {}}],
)
def test_the_digest_depends_on_everything_else(change):
    assert result(**change).digest != result().digest


def test_the_digest_ignores_the_order_of_keys_and_the_kind_of_numbers():
    one = result(results={"a": 1, "b": [0.5, True]})
    other = result(results={"b": (np.float64(0.5), np.bool_(True)), "a": np.int64(1)})
    assert one.digest == other.digest
    assert len(one.digest) == 64


def test_workers_and_progress_do_not_change_a_digest(sampled):
    again = odds("Kd As", n_players=3, method="mc", deals=3000, seed=7, workers=2, progress=False)
    assert again.results["rows"] == sampled.results["rows"]
    other_seed = odds("As Kd", n_players=3, method="mc", deals=3000, seed=8)
    assert other_seed.digest != sampled.digest


# Plain data


def test_numbers_that_are_not_finite_become_null():
    made = result(
        rows=[{"hand": "AA", "stderr": math.nan}, {"hand": "KK", "stderr": 0.5}],
        results={
            "stderr": math.nan,
            "deep": [{"tail": math.inf}, (np.float64("-inf"),)],
            "array": np.array([math.nan]),
        },
    )
    data = json.loads(made.to_json(), parse_constant=lambda name: pytest.fail(f"{name} in JSON"))
    assert data["results"] == {"stderr": None, "deep": [{"tail": None}, [None]], "array": [None]}
    assert made.to_csv() == "hand,stderr\nAA,\nKK,0.5\n"
    assert made.frame["stderr"].isna().tolist() == [True, False]
    assert len(made.digest) == 64


def test_canonical_json_is_one_text_for_equal_data():
    assert canonical_json({"b": 1, "a": {"d": None, "c": "ü"}}) == '{"a":{"c":"ü","d":null},"b":1}'
    assert plain(np.arange(3, dtype=np.uint8)) == [0, 1, 2]


@pytest.mark.parametrize(
    ("value", "other", "equal"),
    [
        (0.0017817316188785052, 0.001781731618878505, True),  # sums of two processors
        (1 / 3, 1 / 3 + 1e-8, False),
        (1e-17, -3e-17, True),  # what is left of 0
        (0.0, -0.0, True),
        (1e-6, 1.00001e-6, False),
        (12345678.9, 12345678.90000001, True),
        (math.nan, None, True),
        (10**15 + 1, 10**15, False),  # counts are compared to the last digit
    ],
)
def test_digests_look_at_nine_digits(value, other, equal):
    assert (result(results={"x": [value]}).digest == result(results={"x": [other]}).digest) == equal


@pytest.mark.parametrize("kernels", ["Prescott", "Haswell"])
def test_digests_do_not_depend_on_the_linear_algebra_of_a_processor(kernels):
    """OpenBLAS, where NumPy comes with it, adds up in another order for every kind of processor."""
    command = ["session", "--players", "5", "--player", "Rock=TT+", "--player", "Fish=top:40%", "--field", "A4+"]
    command += ["--stakes", "table", "--bankroll", "50", "--sessions", "20000", "--seed", "1", "--format", "json"]
    run = subprocess.run(
        [sys.executable, "-m", "guts_sim", *command],
        env=os.environ | {"OPENBLAS_CORETYPE": kernels},
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(run.stdout)["digest"].startswith("42d479c6210bb7cb")


def test_json_may_be_kept_to_ascii():
    made = result(results={"spec": "ünï.csv"})
    assert made.to_json(ascii_only=True).isascii()
    assert json.loads(made.to_json(ascii_only=True)) == json.loads(made.to_json())


# Tables


def test_frames_have_the_types_of_their_values():
    frame = result().frame
    assert frame["hand"].tolist() == ["22", "3d", "NA"]
    assert frame["enter"].dtype == np.float64
    assert frame["n"].dtype == np.int64
    threshold_frame = threshold(3).frame
    assert threshold_frame.shape[0] == 91
    numbers = threshold_frame.drop(columns="hand")
    assert {str(kind) for kind in numbers.dtypes} == {"float64"}
    assert threshold_frame["frequency"].sum() == pytest.approx(1)


def test_csv_keeps_every_digit_and_quotes_what_needs_it():
    rows = [{"hand": 'a,"b"\nc', "p": 0.1 + 0.2, "n": 2**53 + 1}]
    assert rows_to_csv(rows) == f'hand,p,n\n"a,""b""\nc",{0.1 + 0.2!r},{2**53 + 1}\n'
    assert rows_to_csv([]) == ""


# Summary


def test_the_summary_says_how_the_answer_was_made(sampled):
    text = str(sampled)
    assert "Monte Carlo: 3,000 deals, seed 7, confidence 0.95" in text
    assert sampled.digest[:16] in text
    assert "Rules: profile two-card, cards 2." in text
    assert "partial" not in text
    assert "Interrupted: a partial result." in str(result(complete=False))
    assert str(result(rules={})) == "An answer."


def test_rules_of_ones_own_are_written_out_in_full():
    made = odds("As Kd", cap=50, nobody_in="reante")
    text = str(made).replace("\n", " ")
    for name, value in made.rules.items():
        assert f"{name} " in text
        if isinstance(value, int | str) and not isinstance(value, bool):
            assert f"{name} {value}" in text


def test_results_are_frozen():
    with pytest.raises(dataclasses.FrozenInstanceError):
        result().n = 5


# Files


def test_a_saved_table_has_a_record_beside_it(tmp_path):
    made = result()
    made.save(tmp_path / "x.csv")
    assert (tmp_path / "x.csv").read_text() == made.to_csv()
    assert load(tmp_path / "x.csv")["digest"] == made.digest
    assert load(tmp_path / "x.csv.json") == load(str(tmp_path / "x.csv"))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["x.csv", "x.csv.json"]


@pytest.mark.parametrize("name", ["x.json", "X.JSON"])
def test_a_record_may_be_saved_alone(tmp_path, name):
    result().save(tmp_path / name)
    assert [path.name for path in tmp_path.iterdir()] == [name]
    assert load(tmp_path / name)["command"] == "test"


@pytest.mark.skipif(importlib.util.find_spec("pyarrow") is not None, reason="pyarrow is installed")
def test_parquet_without_its_package_is_refused(tmp_path):
    assert "pyarrow" in refusal(result().save, tmp_path / "x.parquet")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(importlib.util.find_spec("pyarrow") is None, reason="pyarrow is not installed")
def test_parquet_keeps_types(tmp_path):
    import pandas as pd

    made = result()
    made.save(tmp_path / "x.parquet")
    pd.testing.assert_frame_equal(pd.read_parquet(tmp_path / "x.parquet"), made.frame)


def test_files_are_utf8_and_readable_by_all_that_the_umask_allows(tmp_path):
    old = os.umask(0o022)
    try:
        result(results={"spec": "ünï"}).save(tmp_path / "x.json")
    finally:
        os.umask(old)
    assert "ünï" in (tmp_path / "x.json").read_bytes().decode("utf-8")
    if os.name == "posix":
        assert (tmp_path / "x.json").stat().st_mode & 0o777 == 0o644


def test_a_failed_write_leaves_the_old_file_and_no_other(tmp_path, monkeypatch):
    target = tmp_path / "x.json"
    result().save(target)
    before = target.read_bytes()

    def fail(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.replace", fail)
    with pytest.raises(OSError, match="No space"):
        result(n=5).save(target)
    assert target.read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["x.json"]


@pytest.mark.skipif(os.name != "posix", reason="no SIGKILL")
def test_a_process_killed_while_it_saves_leaves_the_old_file(tmp_path):
    target = tmp_path / "x.txt"
    write_text(target, "old")
    script = (
        "import os, signal, pathlib\n"
        "from guts_sim.results import write_text\n"
        "write = pathlib.Path.write_text\n"
        "def half(path, text, **options):\n"
        "    write(path, text[:3], **options)\n"
        "    os.kill(os.getpid(), signal.SIGKILL)\n"
        "pathlib.Path.write_text = half\n"
        f"write_text(pathlib.Path({str(target)!r}), 'new text')\n"
    )
    done = subprocess.run([sys.executable, "-c", script], check=False, timeout=60)
    assert done.returncode == -signal.SIGKILL
    assert target.read_text() == "old"


# Repeating


@pytest.mark.parametrize(
    "study",
    [
        lambda: odds("As Kd", n_players=3),
        lambda: odds("As Kd", n_players=3, method="mc", deals=2000, seed=0, confidence=0.9),
        lambda: odds("As Kd", n_players=3, field="TT+", cap=50),
        lambda: threshold(3, field="top:30%", rules="home"),
        lambda: threshold(3, field=Strategy("mine", "guts2", np.linspace(0, 1, 91)), pot=5),
    ],
    ids=["exact odds", "sampled odds", "odds against a field", "threshold", "threshold against an array"],
)
def test_a_record_repeats_its_call(tmp_path, study):
    made = study()
    made.save(tmp_path / "x.csv")
    again = rerun(tmp_path / "x.csv", workers=1)
    assert again.digest == made.digest
    assert again.to_csv() == made.to_csv()


def test_a_record_repeats_a_field_whose_file_is_gone(tmp_path):
    field = tmp_path / "field.csv"
    field.write_text("hand,enter\nAA,1\nKK,0.123456789012345678\n")
    made = threshold(3, field=str(field))
    made.save(tmp_path / "x.json")
    field.unlink()
    assert rerun(tmp_path / "x.json").digest == made.digest


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "no valid JSON"),
        (b"{", "no valid JSON"),
        (b"\xff\xfe", "no valid JSON"),
        (b"[" * 100_000, "no valid JSON"),
        (b"[]", "not a record of schema 1"),
        (b"{}", "not a record of schema 1"),
        (b'{"schema": 2, "command": "odds"}', "not a record of schema 1"),
        (b'{"schema": 1}', "not a record of schema 1"),
    ],
)
def test_what_is_no_record_is_refused(tmp_path, content, reason):
    (tmp_path / "x.json").write_bytes(content)
    assert reason in refusal(load, tmp_path / "x.json")


def test_missing_records_are_named(tmp_path):
    assert "x.csv.json: No such file" in refusal(load, tmp_path / "x.csv")
    (tmp_path / "y.json").mkdir()
    assert "y.json" in refusal(load, tmp_path / "y.json")


@pytest.mark.parametrize(
    "damage",
    [
        {"rules": None},
        {"rules": {"cards": 5}},
        {"rules": {"nonsense": 1}},
        {"parameters": None},
        {"parameters": {}},
        {"parameters": {"hand": "As Kd", "n_players": 3, "field": 5}},
        {"parameters": {"hand": "As Kd", "n_players": 3, "field": {"XX": 1}}},
        {"parameters": {"hand": "As Kd", "n_players": 3, "field": {"AA": 7}}},
        {"parameters": {"hand": "As Kd", "n_players": 33, "field": None}},
        {"parameters": {"hand": "As Kd", "n_players": 3, "field": None, "method": "mc", "deals": "many"}},
        {"command": "nonsense"},
        {"command": ["odds"]},
    ],
)
def test_damaged_records_are_refused(tmp_path, damage):
    record = odds("As Kd", n_players=3).as_dict()
    (tmp_path / "x.json").write_text(json.dumps(record | damage))
    refusal(rerun, tmp_path / "x.json")


def test_what_was_not_a_study_cannot_be_repeated(tmp_path):
    list_rules().save(tmp_path / "x.csv")
    assert "only threshold, odds" in refusal(rerun, tmp_path / "x.csv")


def test_the_environment_is_recorded():
    here = environment()
    assert {"guts_sim", "commit", "python", "numpy", "numba", "os", "cpu", "cpu_count"} <= here.keys()
    assert here["python"] == ".".join(map(str, sys.version_info[:3]))


def test_a_result_names_itself_shortly_and_notebooks_show_its_summary():
    exact, sampled = gs.threshold(3), gs.odds("As 4d", method="mc", deals=1000, seed=1)
    assert repr(exact) == f"<ThresholdResult: threshold, exact, digest {exact.digest[:16]}>"
    assert repr(sampled) == f"<OddsResult: odds, mc, 1,000 deals, digest {sampled.digest[:16]}>"
    assert repr(gs.phase_diagram(2)).startswith("<Result: cascade sweep, exact")
    assert "interrupted" in repr(dataclasses.replace(sampled, complete=False))
    page = gs.session(2, players={"<b>": "always"}, sessions=10, seed=1)._repr_html_()
    assert page.startswith("<pre>Guts, 2 players")
    assert "&lt;b&gt;" in page
    assert "<b>" not in page


def test_whoever_types_is_told_that_an_answer_is_partial(capsys, monkeypatch):
    result = gs.odds("As 4d", method="mc", deals=1000, seed=1)
    partial = interruptible(lambda: dataclasses.replace(result, complete=False))
    partial()
    assert capsys.readouterr().err == ""
    monkeypatch.setattr("sys.ps1", ">>> ", raising=False)
    partial()
    assert capsys.readouterr().err == "interrupted: a partial result\n"
    interruptible(lambda: result)()
    assert capsys.readouterr().err == ""
