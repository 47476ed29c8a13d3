"""The harness of the benchmarks, and that its contenders play the same game."""

import json
import random
import shutil
from math import comb

import numpy as np
import pytest

from benchmarks import __main__ as command
from benchmarks import guts_work, report
from benchmarks.children import run_python
from benchmarks.groups import all_entries
from benchmarks.harness import (
    Contender,
    Race,
    Settings,
    Unavailable,
    Work,
    calibrate,
    check_agreement,
    mean_and_error,
    race,
)
from benchmarks.rivals import cpp, numba_rounds, rounds
from benchmarks.rows import AIM_MET, MISSED, MUST_MET, NO_BAR, SKIPPED, Bar, Row, higher_is_better, lower_is_better
from guts_sim.exact import exact_round_law
from guts_sim.hands import guts_table

HASTY = Settings(rounds=2, seconds=0.002)
needs_compiler = pytest.mark.skipif(
    not (shutil.which("g++") or shutil.which("clang++")), reason="the reference needs a C++ compiler"
)


class FakeClock:
    """Seconds that pass only when somebody works."""

    def __init__(self):
        self.now = 0.0

    def __call__(self):
        return self.now

    def work(self, seconds_per_unit, log, name):
        def run(k):
            self.now += k * seconds_per_unit
            log.append((name, k))

        return Work(run)


def test_rounds_are_interleaved_and_work_is_calibrated():
    clock, log = FakeClock(), []
    works = [clock.work(0.001, log, "slow"), clock.work(0.00001, log, "fast")]
    rates, _ = race(works, Settings(rounds=3, seconds=1.0), clock)
    assert log[-6:] == [("slow", 1000), ("fast", 100_000)] * 3
    assert rates[0] == pytest.approx([1e3] * 3)
    assert rates[1] == pytest.approx([1e5] * 3)


def test_calibration_never_does_less_than_one_grain():
    clock, log = FakeClock(), []
    assert calibrate(clock.work(10.0, log, "huge"), 0.1, clock) == 1


def test_a_race_reports_rate_ratios_and_who_could_not_start():
    def missing():
        raise Unavailable("no such package")

    work = Work(lambda k: sum(range(2000 * k)) and None)
    entry = Race(
        "name", "title", "things",
        Contender("ours", lambda: work),
        (Contender("same", lambda: work, Bar(0.01, 1e6)), Contender("missing", missing, Bar(1, 2))),
    )  # fmt: skip
    own, absent, same = entry.measure(HASTY)
    assert (own.quantity, own.against, own.verdict) == ("things/s", "", NO_BAR)
    assert (absent.verdict, absent.note, absent.median) == (SKIPPED, "no such package", None)
    assert same.quantity == "ratio"
    assert same.low <= same.median <= same.high
    assert same.verdict == MUST_MET
    assert same.rounds == HASTY.rounds


def test_without_a_subject_all_rivals_are_skipped():
    def missing():
        raise Unavailable("not here")

    entry = Race("name", "title", "things", Contender("ours", missing), (Contender("other", missing),))
    assert [row.verdict for row in entry.measure(HASTY)] == [SKIPPED]


def test_verdicts():
    bar = Bar(2, 3)
    assert [higher_is_better(value, bar) for value in (1.9, 2, 2.9, 3)] == [MISSED, MUST_MET, MUST_MET, AIM_MET]
    bar = Bar(1, 0.5)
    assert [lower_is_better(value, bar) for value in (1.1, 1, 0.6, 0.5)] == [MISSED, MUST_MET, MUST_MET, AIM_MET]
    assert higher_is_better(1, None) == lower_is_better(1, None) == NO_BAR


def test_contenders_that_play_another_game_are_found_out():
    fair, loaded = np.array([500_000, 500_000]), np.array([490_000, 510_000])
    assert mean_and_error(fair) == pytest.approx((0.5, 0.0005))
    check_agreement("both", fair, np.array([500_400, 499_600]))
    check_agreement("one has no statistics", fair, None)
    with pytest.raises(AssertionError, match="A and B disagree"):
        check_agreement("A and B", fair, loaded)


def test_the_table_is_written_with_its_provenance(tmp_path):
    row = Row("a", "ours", "theirs", "ratio", 1.23456, 2.0, 3.0, 5, "cpu", 7.5e6, Bar(1, 2), AIM_MET, "a note")
    csv_path, json_path = report.write([row], tmp_path, {"rounds": 5})
    lines = csv_path.read_text(encoding="utf-8").splitlines()
    assert lines[0].startswith("entry,subject,against,quantity,low,median,high,rival_rate,must,aim,verdict")
    assert lines[1] == "a,ours,theirs,ratio,1.235,2.0,3.0,7500000.0,1,2,aim met,5,cpu,a note"
    document = json.loads(json_path.read_text(encoding="utf-8"))
    assert document["rows"][0]["median"] == 2.0
    assert document["settings"] == {"rounds": 5}
    assert {"guts_sim", "numpy", "numba", "cpu", "load_average"} <= set(document["provenance"])
    assert sorted(path.name for path in tmp_path.iterdir()) == ["benchmarks.csv", "benchmarks.json"]


@pytest.mark.parametrize(
    ("value", "quantity", "text"),
    [(228e6, "rounds/s", "228 M"), (1.14e9, "hands/s", "1.14 G"), (850.0, "rounds/s", "850"), (12.34, "ratio", "12.3"),
     (1400.0, "ratio", "1,400"), (None, "", "-")],
)  # fmt: skip
def test_figures(value, quantity, text):
    assert report.figure(value, quantity) == text


def test_names_are_unique_and_listed(capsys):
    names = [entry.name for entry in all_entries()]
    assert len(set(names)) == len(names)
    assert command.main(["--list"]) == 0
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == names


def test_an_unknown_name_is_refused(capsys):
    assert command.main(["--only", "nonsense"]) == 2
    message = capsys.readouterr().err
    assert "no benchmark is named nonsense; there are " in message
    assert "guts-5x3" in message


def test_a_hasty_run_from_the_command_line(tmp_path, capsys):
    assert command.main(["--only", "seven-masks", "--quick", "--rounds", "1", "--out", str(tmp_path)]) == 0
    out = capsys.readouterr().out
    assert "high5_from_masks / own scalar C++ evaluator: " in out
    rows = json.loads((tmp_path / "benchmarks.json").read_text(encoding="utf-8"))["rows"]
    assert [row["entry"] for row in rows] == ["seven-masks"] * 3
    assert all(row["verdict"] == SKIPPED or row["median"] > 0 for row in rows)


@pytest.fixture(scope="module")
def exact_mean():
    """Mean multiplier of the round that all contenders play with two cards."""
    entry = (guts_work.thresholds(2)[0] > 0).astype(float)
    return exact_round_law(guts_work.N_PLAYERS, "guts2", entry).expected_multiplier


def played(name, n_rounds):
    """Histogram of the multiplier by one of the rivals."""
    first = guts_work.first_class(2)
    table = guts_table("guts2")
    if name == "numpy":
        return rounds.play_numpy(np.random.default_rng(7), n_rounds, 5, 2, table, first)
    if name == "python":
        return rounds.play_python(random.Random(7), n_rounds, 5, 2, table.tolist(), first)
    if name == "numba":
        return numba_rounds.rounds_played(7, n_rounds, 5, 2, table, first)
    return cpp.play_guts(7, n_rounds, 5, 2, table, first)[0]


@pytest.mark.parametrize(
    ("name", "n_rounds"),
    [("numpy", 200_000), ("python", 20_000), ("numba", 1_000_000),
     pytest.param("cpp", 1_000_000, marks=needs_compiler)],
)  # fmt: skip
def test_rivals_play_the_game_that_is_counted_exactly(name, n_rounds, exact_mean):
    histogram = played(name, n_rounds)
    assert histogram.sum() == n_rounds
    mean, error = mean_and_error(histogram)
    assert abs(mean - exact_mean) < 5 * error


@needs_compiler
def test_the_reference_knows_every_class_of_seven_cards():
    assert cpp.library().count_classes() == 4824
    cards = np.array([[48, 44, 40, 36, 32, 0, 5], [0, 1, 2, 3, 48, 49, 50], [0, 5, 10, 15, 20, 25, 51]], np.uint8)
    ranks = np.empty(3, np.uint16)
    cpp.rank_sevens(cards, ranks)
    assert ranks.argsort().tolist() == [2, 1, 0]  # a straight, quads, a royal flush
    assert ranks[0] == 4823


@needs_compiler
def test_the_reference_visits_every_hand_in_order():
    counts = cpp.count_sevens(32)  # the twenty cards from the tens on
    assert counts.sum() == comb(20, 7)
    assert counts[4823] == 4 * comb(15, 2)  # a royal flush and any two of the others


def test_what_a_process_costs(tmp_path):
    cost = run_python(("-c", "x = bytearray(100 << 20)"), tmp_path)
    assert 100 < cost.peak_mb < 200
    assert cost.wall > 0
    with pytest.raises(RuntimeError, match=r"(?s)failed: .*no_such_name"):
        run_python(("-c", "no_such_name"), tmp_path)
