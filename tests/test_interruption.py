"""Ctrl-C during work of which Python cannot stop a single step."""

import ctypes
import importlib
import os
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest
from stopping import press_ctrl_c

from guts_sim.engine import RunStatus, run_blocks
from guts_sim.files import write_text
from guts_sim.interruption import PATIENCE_SECONDS, current_work, interruptible, uninterrupted

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="no signals of that kind")


class Stuck:
    """Something that does not return before it is told to, as a compiler or a solver in machine code."""

    def __init__(self):
        self.free = threading.Event()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.free.set()

    def be(self):
        """Hold on; what is raised in this thread meanwhile waits, as in machine code."""
        assert self.free.wait(30)


def seconds_until_interrupt(function, *presses):
    """Call a function, press Ctrl-C after so many seconds, once or more, and count from the first on."""
    timers = [threading.Timer(seconds, os.kill, (os.getpid(), signal.SIGINT)) for seconds in presses]
    began = time.monotonic()
    with pytest.raises(KeyboardInterrupt):  # noqa: PT012  # the timers have to be started inside
        for timer in timers:
            timer.start()
        function()
    seconds = time.monotonic() - began - presses[0]
    for timer in timers:
        timer.join()
    return seconds


def left_threads():
    return [thread for thread in threading.enumerate() if thread.name.startswith("guts_sim")]


SLOW_MODULE = """
import time
began = time.monotonic()
while time.monotonic() - began < 0.6:
    time.sleep(0.01)
is_whole = True
"""


@pytest.fixture
def slow_module(tmp_path, monkeypatch):
    """A module that takes its time to be imported, in steps that Ctrl-C could strike between."""
    (tmp_path / "slow_module_of_a_test.py").write_text(SLOW_MODULE)
    monkeypatch.syspath_prepend(str(tmp_path))
    yield "slow_module_of_a_test"
    sys.modules.pop("slow_module_of_a_test", None)


def test_an_import_in_the_middle_of_work_is_never_struck(slow_module):
    """Half an import of numba could not be taken up again: all later calls would fail."""
    reached = []

    @interruptible
    def work():
        importlib.import_module(slow_module)
        reached.append("import")
        while True:
            time.sleep(0.01)

    assert seconds_until_interrupt(work, 0.2) < 2
    assert reached == ["import"]
    assert sys.modules[slow_module].is_whole


def test_blocks_that_follow_an_import_are_not_begun(slow_module):
    """Ctrl-C during the import is not forgotten when the blocks begin to look for a Ctrl-C of their own."""

    @interruptible
    def work():
        importlib.import_module(slow_module)
        return run_blocks(lambda start, stop: time.sleep(0.01), 10_000, lambda *_: None, block_size=1)

    assert seconds_until_interrupt(work, 0.2) < 2


def test_an_import_of_the_main_thread_is_never_struck(slow_module):
    def work():
        with uninterrupted():
            importlib.import_module(slow_module)

    assert seconds_until_interrupt(work, 0.2) < 2
    assert sys.modules[slow_module].is_whole
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_names_of_the_package_are_imported_whole():
    """As when a notebook is interrupted during its first call, which loads numba."""
    script = (
        "import os, signal, threading, guts_sim as gs\n"
        "threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()\n"
        "try:\n    gs.session\n    threading.Event().wait(10)\nexcept KeyboardInterrupt:\n    pass\n"
        "print(gs.threshold(2).results['threshold']['hand'], int(gs.deal(10, 2, 2, seed=1).shape[0]))\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=120, check=True)
    assert done.stdout.split() == ["J7", "10"]


def test_what_a_function_returns_and_raises_comes_through():
    @interruptible
    def divide(a, b=2):
        """Divide."""
        return a / b, threading.current_thread() is threading.main_thread()

    assert divide(3) == (1.5, False)
    assert (divide.__name__, divide.__doc__) == ("divide", "Divide.")
    with pytest.raises(ZeroDivisionError):
        divide(3, b=0)


def test_the_state_of_the_calling_thread_is_taken_along():
    @interruptible
    def divide():
        return np.float64(1.0) / np.float64(0.0)

    with np.errstate(all="ignore"):
        assert divide() == np.inf
    with np.errstate(all="raise"), pytest.raises(FloatingPointError):
        divide()


def test_one_thread_serves_functions_that_call_each_other_and_other_threads_need_none():
    @interruptible
    def inner():
        return threading.current_thread()

    @interruptible
    def outer():
        return inner() is threading.current_thread()

    assert outer()
    seen = []
    thread = threading.Thread(target=lambda: seen.append(inner()))
    thread.start()
    thread.join()
    assert seen == [thread]
    assert current_work() is None


def test_work_between_two_instructions_is_stopped_at_once():
    cleaned = []

    @interruptible
    def work():
        try:
            while True:
                time.sleep(0.01)
        finally:
            cleaned.append(True)

    assert seconds_until_interrupt(work, 0.2) < 1.0
    assert cleaned == [True]
    assert left_threads() == []


@pytest.mark.alone
def test_work_that_cannot_be_stopped_is_left_alone_and_ends_by_itself():
    with Stuck() as stuck:

        @interruptible
        def work():
            stuck.be()
            time.sleep(60)  # never reached: the interrupt is waiting

        assert PATIENCE_SECONDS <= seconds_until_interrupt(work, 0.2) < 2.0
        assert len(left_threads()) == 1
    left_threads()[0].join(5)
    assert left_threads() == []


def test_ctrl_c_in_a_function_that_c_calls_is_not_written_about(monkeypatch):
    """As the compiler does when it looks into its cache; Python reports that nobody could catch the interrupt."""
    reported = []
    monkeypatch.setattr(sys, "unraisablehook", reported.append)
    struck = []

    @ctypes.CFUNCTYPE(None)
    def callback():
        try:
            for _ in range(300):
                time.sleep(0.01)
        except KeyboardInterrupt:
            struck.append(True)
            raise

    @ctypes.CFUNCTYPE(None)
    def broken():
        raise ValueError

    @interruptible
    def work():
        broken()
        callback()
        broken()
        while True:
            time.sleep(0.01)

    hook = sys.unraisablehook
    assert seconds_until_interrupt(work, 0.2) < 2.0
    for thread in left_threads():
        thread.join(5)
    assert struck == [True]
    assert [one.exc_type for one in reported] == [ValueError, ValueError]
    assert sys.unraisablehook == hook


@pytest.mark.alone
def test_a_second_ctrl_c_waits_for_nothing():
    with Stuck() as stuck:

        @interruptible
        def work():
            stuck.be()

        assert seconds_until_interrupt(work, 0.2, 0.4) < 1.0


@pytest.mark.alone
@pytest.mark.parametrize("workers", [1, 2])
def test_blocks_that_were_done_are_kept_if_one_is_stuck(workers):
    with Stuck() as stuck:
        total = []

        def task(start, _stop):
            time.sleep(0.01)  # so long that every block travels by itself
            if start == 30:
                while len(total) < 3:
                    time.sleep(0.01)
                press_ctrl_c()
                stuck.be()
            return start

        began = time.monotonic()
        status = run_blocks(task, 1000, lambda *block: total.append(block), block_size=10, workers=workers)
        assert time.monotonic() - began < 1.5
        assert status == RunStatus(30, False)
        assert len(total) == 3


def test_a_run_that_was_left_alone_starts_no_more_blocks():
    started = []
    with Stuck() as stuck:

        def task(start, _stop):
            started.append(start)
            stuck.be()

        @interruptible
        def study():
            run_blocks(task, 1000, lambda *_: None, block_size=10, workers=1)
            run_blocks(task, 1000, lambda *_: None, block_size=10, workers=1)

        seconds_until_interrupt(study, 0.2, 0.4)
    for thread in left_threads():
        thread.join(5)
    assert left_threads() == []
    assert started == [0]


def test_a_partial_result_may_take_longer_to_put_together_than_nothing(monkeypatch):
    monkeypatch.setattr("guts_sim.interruption.PATIENCE_SECONDS", 0.1)

    @interruptible
    def study():
        status = run_blocks(lambda *_: None, 100, lambda *_: press_ctrl_c(), block_size=10, workers=1)
        time.sleep(0.5)
        return status

    assert study() == RunStatus(10, False)


SCRIPT = """
import sys, threading, time
from pathlib import Path
from guts_sim import cli
from guts_sim.files import replacing
from guts_sim.interruption import interruptible

@interruptible
def study():
    with replacing(Path(sys.argv[1])) as temporary:
        temporary.write_text("half")
        print("started", flush=True)
        threading.Event().wait(60)

cli.main = lambda: cli_main()
def cli_main():
    try:
        study()
    except KeyboardInterrupt:
        return cli.INTERRUPTED
cli.console()
"""


def test_a_process_that_leaves_work_alone_leaves_no_half_file(tmp_path):
    target = tmp_path / "answer.csv"
    write_text(target, "old")
    # Whoever measures coverage takes hold of the end of a process, which is what is tested.
    alone = {name: value for name, value in os.environ.items() if not name.startswith("COVERAGE_")}
    command = [sys.executable, "-c", SCRIPT, str(target)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=alone) as process:
        assert process.stdout.readline() == "started\n"
        process.send_signal(signal.SIGINT)
        assert process.wait(30) == 130
    assert [path.name for path in tmp_path.iterdir()] == ["answer.csv"]
    assert target.read_text() == "old"


AT_EXIT = """
import os, signal, threading, time
from guts_sim.interruption import interruptible

def work():
    for seconds in (0.3, 0.6):
        threading.Timer(seconds, os.kill, (os.getpid(), signal.SIGINT)).start()
    time.sleep(2.0)

interruptible(work)()
"""


def test_a_script_ends_only_after_what_was_left_alone():
    began = time.monotonic()
    done = subprocess.run([sys.executable, "-c", AT_EXIT], capture_output=True, text=True, timeout=30, check=False)
    assert time.monotonic() - began > 2.0
    assert done.returncode == -signal.SIGINT
    assert done.stderr.endswith("KeyboardInterrupt\n")


@pytest.mark.parametrize("moment", [0.0, 1.0])
def test_a_kernel_being_compiled_does_not_hold_the_command_line(tmp_path, moment):
    """With an empty cache nothing has been compiled."""
    (tmp_path / "answers").mkdir()
    command = ["anaconda", "--players", "3", "--seed", "1", "--out", str(tmp_path / "answers" / "x.csv")]
    process = subprocess.Popen(
        [sys.executable, "-X", "importtime", "-m", "guts_sim", *command],
        env=os.environ | {"GUTS_SIM_CACHE_DIR": str(tmp_path / "cache")},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    for line in process.stderr:
        if line.rstrip().endswith(" guts_sim.studies.anaconda"):
            break
    time.sleep(moment)
    sent = time.monotonic()
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    seconds = time.monotonic() - sent
    assert process.returncode == 130
    assert out == ""
    assert "\ninterrupted before there was anything to report\n" in err
    assert "Traceback" not in err
    assert list((tmp_path / "answers").iterdir()) == []
    with pytest.raises(ProcessLookupError):  # nothing of its session is left
        os.killpg(process.pid, 0)
    assert seconds < 4.0  # two, and as much again where the machine is busy with other tests
