"""The cache of machine code under bad luck: no folder, damaged files, many first runs, a switched-off compiler."""

import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path

import numba
import numba.core.compiler
import numba.extending
import numpy as np
import pytest

from guts_sim.kernels import _helper_compiler, _jit, _store
from guts_sim.kernels._jit import helper, kernel, lean

needs_compiler = pytest.mark.skipif(numba.config.DISABLE_JIT, reason="nothing is compiled")

KERNEL = """
from guts_sim.kernels._jit import helper, kernel

@helper
def twice(number):
    return 2 * number

@kernel
def answer(number):
    return twice(number) + 2
"""
SCRIPT = """
import numba
before = numba.config.CACHE_DIR
{kernel}
print(answer(20), sum(answer.stats.cache_hits.values()) if hasattr(answer, "stats") else "plain")
assert numba.config.CACHE_DIR == before
"""


@pytest.fixture
def first_call(tmp_path, monkeypatch):
    """Load a small kernel as a fresh process would, with its cache in a folder; return the hits of its first call."""
    source = tmp_path / "small_kernel.py"
    source.write_text(KERNEL)

    def load(folder):
        monkeypatch.setenv("GUTS_SIM_CACHE_DIR", str(folder))
        monkeypatch.setattr(_jit, "_CACHE_FOLDER", _store.cache_folder())
        spec = importlib.util.spec_from_file_location("small_kernel", source)
        module = importlib.util.module_from_spec(spec)
        before = numba.config.CACHE_DIR
        spec.loader.exec_module(module)
        assert module.answer(20) == 42
        assert before == numba.config.CACHE_DIR
        return sum(module.answer.stats.cache_hits.values())

    return load


def cache_files(folder):
    return sorted(path for path in Path(folder).rglob("*") if path.suffix in (".nbi", ".nbc"))


def test_the_second_run_finds_what_the_first_compiled(first_call, tmp_path):
    assert first_call(tmp_path / "cache") == 0
    assert [path.suffix for path in cache_files(tmp_path / "cache")] == [".nbc", ".nbi"]
    assert first_call(tmp_path / "cache") == 1


@pytest.mark.parametrize("ending", [".nbi", ".nbc"])
@pytest.mark.parametrize("damage", ["empty", "truncated", "garbage", "missing", "folder"])
def test_damaged_files_are_compiled_anew(first_call, tmp_path, ending, damage):
    cache = tmp_path / "cache"
    first_call(cache)
    (file,) = [path for path in cache_files(cache) if path.suffix == ending]
    content = file.read_bytes()
    file.unlink()
    if damage == "folder":
        file.mkdir()
    elif damage != "missing":
        wrong = {"empty": b"", "truncated": content[: len(content) // 2], "garbage": b"\x00garbage" * 50}
        file.write_bytes(wrong[damage])
    assert first_call(cache) == 0
    if damage != "folder":
        assert first_call(cache) == 1


@pytest.mark.parametrize("place", ["file/cache", "/proc/nothing", "/dev/null"])
def test_without_a_folder_code_is_compiled_in_memory(first_call, tmp_path, place):
    (tmp_path / "file").touch()
    assert first_call(tmp_path / place) == 0
    assert _jit._CACHE_FOLDER is None


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may write anywhere")
def test_a_read_only_folder_is_no_obstacle(first_call, tmp_path):
    (tmp_path / "cache").mkdir(mode=0o555)
    assert first_call(tmp_path / "cache") == 0


def test_a_folder_that_becomes_read_only_is_no_obstacle(first_call, tmp_path, monkeypatch):
    def full(*_):
        raise OSError(30, "Read-only file system")

    monkeypatch.setattr("os.replace", full)
    assert first_call(tmp_path / "cache") == 0


def test_a_changed_kernel_source_gets_a_folder_of_its_own(tmp_path, monkeypatch):
    for name, code in (("a.py", "x = 1"), ("b.py", "y = 1")):
        (tmp_path / name).write_text(code)
    monkeypatch.setattr(_store, "__file__", str(tmp_path / "_store.py"))
    monkeypatch.setenv("GUTS_SIM_CACHE_DIR", str(tmp_path / "cache"))
    before = _store.cache_folder()
    (tmp_path / "b.py").write_text("y = 2")
    after = _store.cache_folder()
    assert before != after
    assert before.is_dir()
    assert after.is_dir()


@lean
def larger_by_one(number):
    return number + 1


@helper
def raise_all(numbers):
    for i in range(numbers.size):
        numbers[i] = larger_by_one(numbers[i])


@kernel
def raise_twice(numbers):
    raise_all(numbers)
    raise_all(numbers)


@needs_compiler
def test_helpers_have_no_machine_code_of_their_own():
    """It would take half of the time of a first run."""
    numbers = np.arange(5)
    fresh = _jit.uncached(raise_twice)
    fresh(numbers)
    np.testing.assert_array_equal(numbers, np.arange(2, 7))
    with pytest.raises(TypeError):
        raise_all(numbers)
    for function in (raise_all, larger_by_one):
        (compiled,) = function.overloads.values()
        assert isinstance(compiled.library, _helper_compiler._HelperCode)
        name = compiled.fndesc.llvm_func_name
        assert not compiled.library.codegen._engine.is_symbol_defined(name)
    # A scalar helper is optimised as part of what calls it, so its callers hold no call of it any more.
    (code,) = fresh.inspect_llvm().values()
    assert not re.search(r"call .*larger_by_one", code)


@lean
def scaled(number, factor):
    return number * factor


@kernel
def scaled_twice(number):
    return scaled(number, 2) + scaled(number, 3)


@needs_compiler
def test_helpers_are_compiled_once_per_type():
    """numba alone would compile a helper again for every literal number."""
    assert _jit.uncached(scaled_twice)(4) == 20
    assert len(scaled.overloads) == 1


def meaningless(number):
    raise NotImplementedError


@needs_compiler
def test_compiling_is_noticed():
    """A progress bar says so, since a first run stands still for many seconds."""
    seen = []

    @numba.extending.overload(meaningless)
    def meaning(number):  # asked while numba compiles the call
        seen.append(_jit.is_compiling())
        return lambda number: number

    assert _jit.uncached(lambda number: meaningless(number))(5) == 5
    assert seen
    assert all(seen)
    assert not _jit.is_compiling()


FIRST_GAME = """
import time
import guts_sim as gs
gs.session(5, field="A4+", sessions=100, seed=1, workers=1)
print(time.process_time())
"""


@needs_compiler
@pytest.mark.slow
@pytest.mark.alone
def test_the_largest_kernel_compiles_in_reasonable_time(tmp_path):
    """A loose bound, three times the time of a first run on a slow processor with nothing else to do."""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", FIRST_GAME],
        env=os.environ | {"GUTS_SIM_CACHE_DIR": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=600,
        check=True,
    )
    assert float(done.stdout) < 60


@needs_compiler
def test_python_may_call_a_helper_that_is_compiled_for_it():
    numbers = np.arange(5)
    _jit.uncached(raise_all)(numbers)
    np.testing.assert_array_equal(numbers, np.arange(1, 6))


@needs_compiler
def test_the_passes_left_out_exist():
    """A pass that numba has renamed would be run again, and cost time, without a word."""
    names = set()

    class Listing(numba.core.compiler.Compiler):
        def define_pipelines(self):
            pipelines = super().define_pipelines()
            names.update(each[0].name() for pipeline in pipelines for each in pipeline.passes)
            return pipelines

    numba.njit(pipeline_class=Listing)(lambda: 1)()
    assert names >= _helper_compiler._PASSES_LEFT_OUT


SMALL_RUN = """
import numba
numba.__version__ = {version!r}
from guts_sim.kernels import _jit
import guts_sim as gs
cards = gs.deal(1000, 5, 3, seed=3)
print(bool(_jit._HELPER), int(cards.sum()), int(gs.rank_hands(cards, "guts3").astype("int64").sum()))
"""


@needs_compiler
def test_an_unknown_numba_compiles_everything_its_own_way(tmp_path):
    """What helpers are spared leans on inner parts of numba, so an unknown version is trusted with none of it."""
    printed = [
        subprocess.run(
            [sys.executable, "-W", "error", "-c", SMALL_RUN.format(version=version)],
            env=os.environ | {"GUTS_SIM_CACHE_DIR": str(tmp_path / version)},
            capture_output=True,
            text=True,
            timeout=600,
            check=True,
        ).stdout.split()
        for version in (numba.__version__, "99.0.1")
    ]
    assert [words[0] for words in printed] == ["True", "False"]
    assert printed[0][1:] == printed[1][1:]


class Counted:
    """A table and how often it was counted."""

    def __init__(self):
        self.times = 0

    def __call__(self):
        self.times += 1
        return np.arange(6.0).reshape(2, 3)


@pytest.fixture
def table_folder(tmp_path, monkeypatch):
    monkeypatch.setattr(_store, "_folder_of_this_process", lambda: tmp_path)
    return tmp_path


def test_a_counted_table_is_kept_and_read_again(table_folder):
    count = Counted()
    first, second = _store.stored_table("small", count), _store.stored_table("small", count)
    assert count.times == 1
    np.testing.assert_array_equal(first, second)
    assert [path.name for path in table_folder.iterdir()] == ["small.npy"]


@pytest.mark.parametrize("content", [b"", b"garbage", "truncated", "objects", "nan"])
def test_a_damaged_table_is_counted_again_and_replaced(table_folder, content):
    count = Counted()
    _store.stored_table("small", count)
    path = table_folder / "small.npy"
    whole = path.read_bytes()
    if content == "objects":
        np.save(path, np.array([{}], dtype=object), allow_pickle=True)
    elif content == "nan":
        np.save(path, np.full((2, 3), np.nan))
    else:
        path.write_bytes(whole[:-5] if content == "truncated" else content)
    np.testing.assert_array_equal(_store.stored_table("small", count), np.arange(6.0).reshape(2, 3))
    assert count.times == 2
    assert path.read_bytes() == whole


def test_without_a_folder_tables_are_counted_every_time(monkeypatch):
    monkeypatch.setattr(_store, "_folder_of_this_process", lambda: None)
    count = Counted()
    _store.stored_table("small", count)
    _store.stored_table("small", count)
    assert count.times == 2


def test_a_full_disk_costs_only_time(table_folder, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.replace", full)
    count = Counted()
    np.testing.assert_array_equal(_store.stored_table("small", count), np.arange(6.0).reshape(2, 3))
    assert list(table_folder.iterdir()) == []


# What only a process of its own can show


@pytest.fixture
def script(tmp_path):
    path = tmp_path / "script.py"
    path.write_text(SCRIPT.format(kernel=KERNEL))
    return path


def start(script, **environment):
    base = {name: value for name, value in os.environ.items() if not name.startswith(("NUMBA_", "GUTS_SIM_", "XDG_"))}
    return subprocess.Popen(
        [sys.executable, "-W", "error", str(script)],
        env=base | environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def finish(process):
    """Wait for a run; return how often its kernel came out of the cache."""
    out, err = process.communicate(timeout=120)
    assert (process.returncode, err) == (0, "")
    answer, hits = out.split()
    assert answer == "42"
    return hits


def test_many_first_runs_at_once(script, tmp_path):
    cache = str(tmp_path / "cache")
    processes = [start(script, GUTS_SIM_CACHE_DIR=cache) for _ in range(8)]
    assert {finish(process) for process in processes} <= {"0", "1"}
    assert finish(start(script, GUTS_SIM_CACHE_DIR=cache)) == "1"


@pytest.mark.skipif(os.name != "posix", reason="homes are found in other ways there")
def test_without_a_home_code_is_compiled_all_the_same(script):
    assert finish(start(script, HOME="/proc/nothing")) == "0"


def test_the_users_own_cache_folder_is_left_alone(script, tmp_path):
    own, ours = tmp_path / "own", tmp_path / "ours"
    assert finish(start(script, GUTS_SIM_CACHE_DIR=str(ours), NUMBA_CACHE_DIR=str(own))) == "0"
    assert not cache_files(own)
    assert cache_files(ours)


def test_without_the_compiler_hands_are_ranked_all_the_same(script):
    assert finish(start(script, NUMBA_DISABLE_JIT="1")) == "plain"
    hands = ["Ah 2c 3d 4s 5h", "As Kd Qc"]
    done = subprocess.run(
        [sys.executable, "-W", "error", "-m", "guts_sim", "hands", "rank", *hands, "--format", "csv"],
        env=os.environ | {"NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert [line.split(",")[1] for line in done.stdout.splitlines()] == ["category", "straight", "straight"]
