"""The command line as a process: its streams, its start, and how it is interrupted."""

import json
import os
import pty
import re
import signal
import subprocess
import sys
import termios
import threading
import time

import pytest

from guts_sim.cli import main

COMMAND = [sys.executable, "-m", "guts_sim"]
THRESHOLD = ["threshold", "--players", "3"]
SAMPLED_ODDS = ["odds", "As Kd", "--players", "3", "--method", "mc", "--seed", "1"]


def shell(*arguments, timeout=60, **options):
    return subprocess.run(
        [*COMMAND, *arguments], capture_output=True, text=True, timeout=timeout, check=False, **options
    )


# Standard streams


def test_a_reader_that_goes_is_no_error():
    for arguments in ([*THRESHOLD, "--format", "json"], ["--help"]):
        process = subprocess.Popen([*COMMAND, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        process.stdout.close()
        assert process.stderr.read() == b""
        process.stderr.close()
        assert process.wait(60) == 0


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no device that is always full")
def test_a_full_device_is_reported_in_one_line():
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [*COMMAND, "hands", "rank", "As"], stdout=full, stderr=subprocess.PIPE, text=True, timeout=60, check=False
        )
    assert done.returncode == 1
    assert done.stderr == "error: the answer could not be written: No space left on device\n"


def test_an_ascii_terminal_gets_every_answer(tmp_path):
    ascii_only = os.environ | {"LC_ALL": "C", "PYTHONIOENCODING": "ascii"}
    field = tmp_path / "ünï.csv"
    field.write_text("hand,enter\nAA,1\n")
    done = shell(*THRESHOLD, "--field", str(field), "--format", "json", env=ascii_only)
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)["results"]["field"]["spec"] == str(field)
    done = shell("odds", "6\u0441 Tc", "--players", "3", env=ascii_only)
    assert (done.returncode, done.stdout) == (2, "")
    assert "U+0441" in done.stderr


# Start


def loaded_modules(code):
    script = f"import sys; {code}; print(' '.join(sys.modules))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=60)
    return {name.partition(".")[0] for name in done.stdout.splitlines()[-1].split()}


@pytest.mark.parametrize(
    "code", ["import guts_sim", "from guts_sim.cli import main; main(['threshold', '--help'])"], ids=["import", "help"]
)
def test_nothing_heavy_is_imported_before_it_is_needed(code):
    assert loaded_modules(code).isdisjoint({"numpy", "numba", "llvmlite", "pandas", "scipy", "matplotlib"})


@pytest.mark.alone
@pytest.mark.parametrize("arguments", [["-c", "import guts_sim"], ["-m", "guts_sim", "threshold", "--help"]])
def test_import_and_help_take_less_than_half_a_second(arguments):
    def cpu_seconds():
        before = os.times()
        subprocess.run([sys.executable, *arguments], stdout=subprocess.DEVNULL, check=True, timeout=60)
        after = os.times()
        return after.children_user + after.children_system - before.children_user - before.children_system

    # Processor time, and the best of three: other work on the machine is not what is measured.
    assert min(cpu_seconds() for _ in range(3)) < 0.5


# Interruption


@pytest.fixture(scope="module")
def warm():
    """Compile what the interrupted runs need, so that the interrupt meets a running simulation."""
    assert main([*SAMPLED_ODDS, "--deals", "1000", "--quiet"]) == 0


@pytest.fixture
def run_on_terminal():
    """Start a command line whose standard error is a terminal; return the process and the terminal's other end."""
    started = []

    def start(*arguments):
        here, there = pty.openpty()
        termios.tcsetwinsize(there, (24, 80))
        process = subprocess.Popen(
            [*COMMAND, *arguments], stdout=subprocess.PIPE, stderr=there, text=True, start_new_session=True
        )
        os.close(there)
        started.append((process, here))
        return process, here

    yield start
    for process, here in started:
        process.kill()
        process.wait()
        process.stdout.close()
        os.close(here)


def interrupted_run(process, terminal):
    """Send Ctrl-C once blocks are being done; return what was printed and the seconds until the process ended."""
    shown = b""
    while not re.search(rb"[0-9][kMG]? deals/s", shown):
        shown += os.read(terminal, 1 << 16)
    sent = time.monotonic()
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=60)
    return out, time.monotonic() - sent


@pytest.mark.alone
@pytest.mark.skipif(sys.platform == "win32", reason="no signals of that kind")
@pytest.mark.usefixtures("warm")
def test_interrupting_a_run_prints_what_there_is_and_its_true_size(run_on_terminal):
    seconds = []
    while not seconds or (min(seconds) >= 2 and len(seconds) < 3):  # a busy machine may slow one of them down
        process, terminal = run_on_terminal(*SAMPLED_ODDS, "--deals", "1e12", "--format", "json")
        out, taken = interrupted_run(process, terminal)
        seconds.append(taken)
        assert process.returncode == 130
        answer = json.loads(out)
        assert answer["complete"] is False
        assert 0 < answer["n"] < 10**12
        with pytest.raises(ProcessLookupError):  # nothing of its session is left
            os.killpg(process.pid, 0)
    assert min(seconds) < 2


def interrupted_call(arguments, seconds):
    """Run a command line in this process and send Ctrl-C after so many seconds; return code and seconds to end."""
    timer = threading.Timer(seconds, os.kill, (os.getpid(), signal.SIGINT))
    start = time.monotonic()
    timer.start()
    try:
        code = main(arguments)
    finally:
        timer.join()
    return code, time.monotonic() - start - seconds


@pytest.mark.skipif(sys.platform == "win32", reason="no signals of that kind")
@pytest.mark.usefixtures("warm")
def test_an_interrupted_result_is_saved_as_what_it_is(capsys, tmp_path):
    code, seconds = interrupted_call([*SAMPLED_ODDS, "--deals", "1e12", "--out", str(tmp_path / "x.csv")], 0.5)
    captured = capsys.readouterr()
    assert code == 130
    assert seconds < 2
    assert "Interrupted: a partial result." in captured.out
    assert captured.err.startswith("interrupted: a partial result of ")
    assert captured.err.count("\n") == 1
    assert json.loads((tmp_path / "x.csv.json").read_text())["complete"] is False


def test_an_interrupt_before_there_is_a_result_leaves_one_line(capsys, monkeypatch):
    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr("guts_sim.studies.odds.odds", interrupted)
    assert main([*SAMPLED_ODDS]) == 130
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.strip() == "interrupted before there was anything to report"


@pytest.mark.alone
@pytest.mark.skipif(sys.platform == "win32", reason="no signals of that kind")
def test_an_interrupt_while_modules_load_is_quiet():
    # The module that loads first sends the signal itself, from inside exec(), where Python would die of it.
    script = (
        "import os, signal, sys, types\n"
        "class Interrupter:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name == 'guts_sim.cli.options':\n"
        "            exec('os.kill(os.getpid(), signal.SIGINT)', globals())\n"
        "sys.meta_path.insert(0, Interrupter())\n"
        "from guts_sim.cli import main\n"
        "sys.exit(main(['--help']))\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 130
    assert done.stdout == ""
    assert done.stderr.strip() == "interrupted before there was anything to report"
