"""Runs taken up from checkpoints: the same digest as without interruption, and only the own file is used."""

import itertools
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from math import inf, nan, pi

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import guts_sim as gs
from guts_sim.cli import main
from guts_sim.engine import checkpoint as module
from guts_sim.engine.checkpoint import Checkpoint, recorded_seed
from guts_sim.engine.long_run import run_sums
from guts_sim.engine.sums import TallySums
from guts_sim.errors import InputError
from guts_sim.estimate import BatchSums

BLOCK = 100
OWNER = {"command": "count", "rules": {"cap": 20}, "parameters": {"field": "A4+"}, "seed": 7}


@dataclass(frozen=True, eq=False)
class Counts:
    """Deals, a sum that no float holds, and a sum of floats that depends on the order."""

    deals: np.ndarray
    large: np.ndarray
    floats: np.ndarray

    @property
    def n(self):
        return int(self.deals[0])

    def __add__(self, other):
        return Counts(self.deals + other.deals, self.large + other.large, self.floats + other.floats)


def empty():
    return Counts(np.zeros(1, np.int64), np.full((1, 1), 0, object), np.zeros(2))


def count(start, stop):
    large = np.full((1, 1), 0, object)
    large[0, 0] = 3**200 * start
    return Counts(np.array([stop - start]), large, np.array([pi / (start + 1), 0.1 * stop]))


def plain(sums):
    tally = sums.tally
    return tally.n, int(tally.large[0, 0]), tally.floats.tolist()


def run(n_deals, checkpoint=None, stop_at=inf):
    def task(start, stop):
        if start >= stop_at:
            raise ZeroDivisionError
        return count(start, stop)

    sums = TallySums(empty(), BLOCK)
    run_sums(task, sums, n_deals, block_size=BLOCK, workers=1, checkpoint=checkpoint)
    return plain(sums)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "run.ckpt"


@pytest.mark.parametrize("n_deals", [1000, 1030])
def test_a_run_taken_up_after_an_error_equals_an_uninterrupted_one(path, n_deals):
    with pytest.raises(ZeroDivisionError):
        run(n_deals, Checkpoint(path, OWNER), stop_at=600)
    # How many blocks were bundled with the one that failed, and lost with it, depends on how fast the machine is.
    n_kept = json.loads(path.read_bytes().partition(b"\n")[2])["parts"][""]["n"]
    assert 0 < n_kept <= 600
    done = []

    def task(start, stop):
        done.append(start)
        return count(start, stop)

    sums = TallySums(empty(), BLOCK)
    run_sums(task, sums, n_deals, block_size=BLOCK, workers=1, checkpoint=Checkpoint(path, OWNER))
    assert plain(sums) == run(n_deals)
    assert done[0] == n_kept


def test_a_finished_run_is_taken_up_with_more_and_not_with_less(path):
    run(500, Checkpoint(path, OWNER))
    assert run(930, Checkpoint(path, OWNER)) == run(930)
    with pytest.raises(InputError, match="it holds 900 already, more than the 500 asked for"):
        run(500, Checkpoint(path, OWNER))


def test_parts_are_kept_apart(path):
    checkpoint = Checkpoint(path, OWNER)
    for part, n_deals in (("a", 300), ("b", 500)):
        run_sums(count, TallySums(empty(), BLOCK), n_deals, block_size=BLOCK, checkpoint=checkpoint, part=part)
    again = Checkpoint(path, OWNER)
    for part, n_deals in (("a", 300), ("b", 500), ("c", 0)):
        sums = TallySums(empty(), BLOCK)
        again.restore(part, sums, 1000)
        assert sums.n_whole == n_deals


@pytest.mark.parametrize(
    ("other", "message"),
    [
        ({"command": "odds"}, "command 'count', this one has 'odds'"),
        ({"rules": {"cap": None}}, "rules cap 20, this one has None"),
        ({"rules": {"cap": 20, "ante": 2}}, "rules ante None, this one has 2"),
        ({"parameters": {"field": "A5+"}}, "parameters field 'A4+', this one has 'A5+'"),
        ({"seed": 8}, "seed 7, this one has 8"),
    ],
)
def test_the_file_of_another_run_is_refused_and_left_alone(path, other, message):
    run(500, Checkpoint(path, OWNER))
    before = path.read_bytes()
    with pytest.raises(InputError) as refusal:
        Checkpoint(path, OWNER | other)
    assert str(refusal.value) == f"{path}: it belongs to a run with {message}; give another file"
    assert path.read_bytes() == before


def test_the_file_of_another_version_is_refused(path, monkeypatch):
    run(500, Checkpoint(path, OWNER))
    monkeypatch.setattr(module, "__version__", "99.0")
    with pytest.raises(InputError, match=r"version '.*', this one has '99.0'"):
        Checkpoint(path, OWNER)


def two_files(path):
    """A file with 800 deals and, before it, one with 500."""
    run(500, Checkpoint(path, OWNER))
    run(800, Checkpoint(path, OWNER))
    return path.with_name("run.ckpt.previous")


def damage(path, how):
    data = path.read_bytes()
    if how == "empty":
        path.write_bytes(b"")
    elif how == "cut":
        path.write_bytes(data[: len(data) // 2])
    elif how == "a bit flipped":
        middle = len(data) * 2 // 3
        path.write_bytes(data[:middle] + bytes([data[middle] ^ 1]) + data[middle + 1 :])
    else:
        path.write_bytes(b"\x00\xff" * 100)


@pytest.mark.parametrize("how", ["empty", "cut", "a bit flipped", "noise"])
def test_a_damaged_file_is_named_and_the_one_before_used(path, how):
    previous = two_files(path)
    good = previous.read_bytes()
    damage(path, how)
    with pytest.warns(RuntimeWarning, match=r"run.ckpt: it is .*damaged.*; going on from run.ckpt.previous"):
        checkpoint = Checkpoint(path, OWNER)
    sums = TallySums(empty(), BLOCK)
    checkpoint.restore("", sums, 800)
    assert sums.n_whole == 500
    assert run(930, checkpoint) == run(930)
    assert previous.read_bytes() == good  # the damaged file did not take its place
    sums = TallySums(empty(), BLOCK)
    Checkpoint(path, OWNER).restore("", sums, 1000)
    assert sums.n_whole == 900


def test_two_damaged_files_are_refused(path):
    previous = two_files(path)
    damage(path, "cut")
    damage(previous, "a bit flipped")
    with pytest.raises(InputError, match=r"^.*run.ckpt: .*damaged.*, and run.ckpt.previous: .*damaged.*; remove both$"):
        Checkpoint(path, OWNER)
    previous.unlink()
    with pytest.raises(InputError, match="remove it or give another file"):
        Checkpoint(path, OWNER)


@pytest.mark.parametrize("step", range(3))
def test_a_whole_file_is_there_whenever_the_run_stops(path, step, monkeypatch):
    # Copy of the old one, its new name, the new name of the new one: killed before each of them.
    two_files(path)
    steps = itertools.count()

    def until_killed(function):
        def called(*arguments):
            if next(steps) == step:
                raise SystemExit
            return function(*arguments)

        return called

    monkeypatch.setattr("shutil.copyfile", until_killed(shutil.copyfile))
    monkeypatch.setattr("os.replace", until_killed(os.replace))
    with pytest.raises(SystemExit):
        run(930, Checkpoint(path, OWNER))
    monkeypatch.undo()
    sums = TallySums(empty(), BLOCK)
    Checkpoint(path, OWNER).restore("", sums, 1000)
    assert sums.n_whole == 800
    assert run(930, Checkpoint(path, OWNER)) == run(930)


def test_a_file_that_was_removed_is_begun_anew(path):
    two_files(path)
    path.unlink()
    sums = TallySums(empty(), BLOCK)
    Checkpoint(path, OWNER).restore("", sums, 1000)
    assert sums.n_whole == 0


def test_foreign_files_and_places_are_refused(path, tmp_path):
    path.write_text("hand,enter\nAA,1\n")
    with pytest.raises(InputError, match="no checkpoint of this version"):
        Checkpoint(path, OWNER)
    assert path.read_text() == "hand,enter\nAA,1\n"
    for place, reason in ((tmp_path, "a folder"), (tmp_path / "no" / "x", "no folder"), (tmp_path / "\0", "no name")):
        with pytest.raises(InputError, match=reason):
            Checkpoint(place, OWNER)


def test_sums_of_another_shape_are_refused(path):
    class Wide(Counts):
        pass

    run(500, Checkpoint(path, OWNER))
    wide = Counts(np.zeros(2, np.int64), np.full((1, 1), 0, object), np.zeros(2))
    with pytest.raises(InputError, match=r"do not fit this run \(deals does not fit\)"):
        Checkpoint(path, OWNER).restore("", TallySums(wide, BLOCK), 1000)


def test_files_are_written_now_and_then(path, monkeypatch):
    written = []
    monkeypatch.setattr(module, "write_text", lambda *_: written.append(1))
    run(10_000, Checkpoint(path, OWNER))
    assert len(written) == 1  # at the end
    monkeypatch.setattr(module, "SAVE_SECONDS", 0.0)
    run(1000, Checkpoint(path, OWNER))
    assert len(written) >= 10


def test_a_full_disk_costs_neither_the_old_file_nor_silence(path, monkeypatch):
    run(500, Checkpoint(path, OWNER))

    def full(*_):
        raise OSError(28, "No space left on device")

    checkpoint = Checkpoint(path, OWNER)
    monkeypatch.setattr(module, "write_text", full)
    with pytest.raises(OSError, match="No space left"):
        run(900, checkpoint)
    monkeypatch.undo()
    assert run(900, Checkpoint(path, OWNER)) == run(900)


@given(
    integers=st.lists(st.integers(-(2**63), 2**63 - 1), min_size=1),
    large=st.lists(st.integers(), min_size=1),
    floats=st.lists(st.floats(allow_nan=False), min_size=1),
)
def test_arrays_come_back_to_the_last_bit(integers, large, floats):
    huge = np.empty(len(large), object)
    huge[:] = large
    state = {"i": np.array(integers), "o": huge, "f": np.array([*floats, nan]), "list": [3, {"x": 2**70}]}
    back = module._decoded(json.loads(module._encoded(state).partition("\n")[2]))
    assert back["i"].dtype == np.int64
    assert back["i"].tolist() == integers
    assert back["o"].tolist() == large
    assert back["f"].tobytes() == state["f"].tobytes()
    assert back["list"] == state["list"]


def ratio(sums):
    return sums[:1] / sums[1]


def test_batches_come_back():
    batches = BatchSums(10, min_batches=8)
    for block in range(43):
        batches.add(10 * block, 10 * block + 10, np.array([block, 1]))
    twin = BatchSums(10, min_batches=8)
    twin.restore(batches.state())
    for block in range(43, 60):
        for sums in (batches, twin):
            sums.add(10 * block, 10 * block + 10, np.array([block, 1]))
    assert twin.total.tolist() == batches.total.tolist()
    assert twin.stderr(ratio) == batches.stderr(ratio) > 0


# Studies


CALLS = {
    "odds": (gs.odds, {"hand": "As Kd", "n_players": 3, "method": "mc"}, "deals", 300_000, 600_000),
    "odds with a field": (gs.odds, {"hand": "As Kd", "field": "A4+", "method": "mc"}, "deals", 300_000, 600_000),
    "cascade": (gs.cascade, {"n_players": 3, "field": "A4+", "method": "mc"}, "cycles", 40_000, 80_000),
    "session": (gs.session, {"n_players": 3, "field": "A4+", "cycles": 3}, "sessions", 5_000, 10_000),
    "pass": (gs.pass_values, {"hand": "Qs Qh 9c 8d 3s 4h 2c", "policy": "level-1"}, "deals", 100_000, 150_000),
    "several passes": (gs.pass_values, {"hand": "Qs Qh 9c 8d 3s 4h 2c", "passes": "3L,2R"}, "deals", 3_000, 5_000),
    "pass in Guts": (gs.pass_values, {"hand": "Qs 9c", "game": "guts", "n_players": 3}, "deals", 20_000, 40_000),
    "other rules": (gs.threshold, {"n_players": 2, "ghost": "all", "effort": 0.01}, "deals", 5_000, 20_000),
}


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.slow if name == "other rules" else []) for name in CALLS]
)
def test_studies_go_on_to_the_digest_of_one_run(name, path):
    study, arguments, count_name, some, more = CALLS[name]
    study(**arguments, **{count_name: some}, seed=3, checkpoint=path)
    assert recorded_seed(path) == 3
    resumed = study(**arguments, **{count_name: more}, checkpoint=path)  # with the recorded seed
    assert resumed.digest == study(**arguments, **{count_name: more}, seed=3).digest
    with pytest.raises(InputError, match="it belongs to a run with seed 3"):
        study(**arguments, seed=4, checkpoint=path)


def test_the_pass_that_one_would_choose_is_no_part_of_a_run(path):
    queens = "Qs Qh 9c 8d 3s 4h 2c"
    gs.pass_values(queens, deals=70_000, seed=3, checkpoint=path)
    chosen = gs.pass_values(queens, deals=70_000, chosen="2c 3s 4h", checkpoint=path)
    assert (chosen.seed, chosen.n, chosen.results["chosen"]["pass"]) == (3, 70_000, "3s 4h 2c")
    for other, what in (
        ({"policy": "random"}, "parameters policy 'lowest', this one has 'random'"),
        ({"dead": "As"}, "parameters dead '', this one has 'As'"),
        ({"passes": "3L,2R"}, "passes"),
        ({"hand": "Qs 9c", "game": "guts"}, "this one has"),
    ):
        with pytest.raises(InputError, match=f"it belongs to a run with .*{what}"):
            gs.pass_values(**{"hand": queens, "seed": 3, "checkpoint": path} | other)


def test_rounds_go_on_to_the_counts_of_one_run(path):
    def play(n_rounds, **options):
        return gs.simulate_rounds(5, "A4+", n_rounds=n_rounds, block_size=1000, **options)

    first = play(5_500, seed=3, checkpoint=path)
    resumed = play(20_000, checkpoint=path)  # with the recorded seed
    at_once = play(20_000, seed=3)
    assert (first.n_rounds, resumed.n_rounds, resumed.seed) == (5_500, 20_000, 3)
    assert np.array_equal(resumed.joint, at_once.joint)
    assert np.array_equal(resumed.seats, at_once.seats)
    with pytest.raises(InputError, match="run with parameters strategies"):
        gs.simulate_rounds(5, "A5+", seed=3, checkpoint=path)
    with pytest.raises(InputError, match=r"seed 3, this one has 4"):
        play(30_000, seed=4, checkpoint=path)


@pytest.mark.parametrize(
    ("strategies", "options", "what"),
    [("A4+", {"first": 5}, "first"), (lambda hand_class, player, pot, cards: True, {}, "a function as strategy")],
)
def test_rounds_that_cannot_be_taken_up_are_refused(path, strategies, options, what):
    with pytest.raises(InputError, match=f"^checkpoint: it does not go with {what}; leave one of them out$"):
        gs.simulate_rounds(3, strategies, checkpoint=path, **options)
    assert not path.exists()


def test_what_was_done_before_does_not_count_as_speed(path, capsys):
    """An earlier run's deals must not promise that the rest takes no time."""
    run(500, Checkpoint(path, OWNER))

    def slow(start, stop):
        time.sleep(0.05)
        return count(start, stop)

    sums = TallySums(empty(), BLOCK)
    run_sums(slow, sums, 1000, block_size=BLOCK, workers=1, checkpoint=Checkpoint(path, OWNER), progress=True)
    shown = capsys.readouterr().err
    rates = [float(rate) * 1000 ** len(kilo) for rate, kilo in re.findall(r"([0-9.]+)(k?) deals/s", shown)]
    assert rates
    assert max(rates) < 2.5 * BLOCK / 0.05  # 500 deals in no time would be far more


def test_blocks_in_a_checkpoint_are_not_done_again(path, monkeypatch):
    study, arguments, *_ = CALLS["cascade"]
    study(**arguments, cycles=1 << 16, seed=3, checkpoint=path)

    def fail(*_):
        raise AssertionError

    monkeypatch.setattr("guts_sim.studies.cascade_sampling.CycleTask.__call__", fail)
    assert study(**arguments, cycles=1 << 16, seed=3, checkpoint=path).n == 1 << 16


@pytest.mark.parametrize("path_given", ["", 5, "no/such/folder/x"])
def test_no_place_for_a_checkpoint_is_refused_before_the_run(path_given):
    with pytest.raises(InputError):
        gs.session(3, field="A4+", sessions=2**40, checkpoint=path_given)


def test_the_command_line_says_whose_file_it_is(path, capsys):
    command = ["session", "--players", "3", "--field", "A4+", "--sessions", "5000", "--checkpoint", str(path)]
    assert main([*command, "--seed", "1"]) == 0
    assert main([*command, "--seed", "1", "--cap", "30"]) == 2
    error = capsys.readouterr().err
    assert error == f"error: {path}: it belongs to a run with rules cap 20, this one has 30; give another file\n"


# kill -9

KILLED = """
import sys, guts_sim
from guts_sim.cli import main
from guts_sim.engine import checkpoint
checkpoint.SAVE_SECONDS = 0.0
sys.exit(main(sys.argv[1:]))
"""


def killed_after_writing(path, arguments, times):
    """Run a command line and kill it once its checkpoint was written so many times."""
    with subprocess.Popen([sys.executable, "-c", KILLED, *arguments], stdout=subprocess.DEVNULL) as process:
        seen = set()
        deadline = time.monotonic() + 60
        while len(seen) < times and process.poll() is None and time.monotonic() < deadline:
            if path.exists():
                seen.add(os.stat(path).st_mtime_ns)
            time.sleep(0.002)
        process.send_signal(signal.SIGKILL)
        process.wait()
    assert process.returncode == -signal.SIGKILL, "it ended before it could be killed"


@pytest.mark.skipif(sys.platform == "win32", reason="no signals of that kind")
def test_a_killed_run_goes_on_to_the_same_digest(path, capsys):
    count = ["session", "--players", "3", "--field", "A4+", "--cycles", "3", "--seed", "5", "--format", "json"]
    endless = [*count, "--sessions", "1e9", "--checkpoint", str(path)]
    for times in (2, 3):  # killed twice, wherever it happened to be
        killed_after_writing(path, endless, times)
    sums = json.loads(path.read_bytes().partition(b"\n")[2])
    n_done = sums["parts"]["sessions"]["n"]
    assert n_done >= 2 * 4096
    more = str(n_done + 5000)
    assert main([*count, "--sessions", more, "--checkpoint", str(path)]) == 0
    resumed = json.loads(capsys.readouterr().out)
    assert main([*count, "--sessions", more]) == 0
    assert resumed["digest"] == json.loads(capsys.readouterr().out)["digest"]


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="no signals of that kind")
@pytest.mark.parametrize(
    "command",
    [
        ["cascade", "--players", "4", "--field", "A4+", "--method", "mc"],
        ["odds", "As Kd 2c", "--players", "5", "--method", "mc"],
        ["threshold", "--players", "3", "--method", "mc"],
    ],
    ids=lambda command: command[0],
)
def test_other_studies_survive_kill_9(command, path, capsys):
    count = [*command, "--seed", "5", "--format", "json", "--quiet"]
    for times in (2, 5):
        killed_after_writing(path, [*count, "--deals", "1e10", "--checkpoint", str(path)], times)
    n_done = next(iter(json.loads(path.read_bytes().partition(b"\n")[2])["parts"].values()))["n"]
    more = str(n_done + 100_000)
    assert main([*count, "--deals", more, "--checkpoint", str(path)]) == 0
    resumed = json.loads(capsys.readouterr().out)
    assert main([*count, "--deals", more]) == 0
    assert resumed["digest"] == json.loads(capsys.readouterr().out)["digest"]
