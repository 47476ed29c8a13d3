"""Wheel and source distribution: built, installed in a clean environment, and used outside the checkout."""

import importlib.util
import os
import re
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path

import pytest

from guts_sim.cli import main

ROOT = Path(__file__).parents[1]


def run(*command, **options):
    done = subprocess.run(command, capture_output=True, text=True, timeout=900, check=False, **options)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_oldest_versions_that_are_tested_are_those_that_are_allowed():
    tested = dict(re.findall(r"(?m)^([\w-]+)==([\d.]+)$", (ROOT / ".ci" / "oldest.txt").read_text()))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    for requirement in project["dependencies"]:
        name, oldest = requirement.split(">=")
        padded = [(version + ".0.0").split(".")[:3] for version in (oldest, tested[name])]
        assert padded[0] == padded[1], requirement


@pytest.fixture(scope="module")
def distributions(tmp_path_factory):
    """Folder with a wheel and a source distribution of a copy of the checkout."""
    pytest.importorskip("build")
    folder = tmp_path_factory.mktemp("dist")
    copy = folder / "copy"
    copy.mkdir()
    listed = run("git", "-C", str(ROOT), "ls-files", "-z", "guts_sim", "pyproject.toml", "README.md", "LICENSE")
    for name in filter(None, listed.split("\0")):
        if (ROOT / name).exists():
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            (copy / name).write_bytes((ROOT / name).read_bytes())
    run(sys.executable, "-m", "build", "--outdir", str(folder), str(copy))
    return folder


@pytest.mark.slow
def test_distributions_hold_the_package_and_its_data(distributions):
    (wheel,) = distributions.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    (source,) = distributions.glob("*.tar.gz")
    with tarfile.open(source) as archive:
        sources = {name.partition("/")[2] for name in archive.getnames()}
    for needed in ("guts_sim/py.typed", "guts_sim/passing/levels.csv", "guts_sim/kernels/session.py"):
        assert needed in names
        assert needed in sources
    assert not [name for name in names if name.startswith(("tests/", "benchmarks/"))]


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["*.whl", "*.tar.gz"])
def test_a_clean_environment_runs_the_package(distributions, tmp_path, kind):
    (package,) = distributions.glob(kind)
    run(sys.executable, "-m", "venv", str(tmp_path / "env"))
    python = str(tmp_path / "env" / "bin" / "python")
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    options = {"cwd": tmp_path, "env": environment}
    run(python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", str(package), **options)
    assert run(python, "-m", "pip", "check", "--disable-pip-version-check", **options).strip() == (
        "No broken requirements found."
    )
    where = run(python, "-c", "import guts_sim; print(guts_sim.__file__)", **options)
    assert str(tmp_path) in where
    command = str(tmp_path / "env" / "bin" / "guts-sim")
    assert "A4" in run(command, "threshold", "--players", "5", **options)
    sampled = ["session", "--players", "3", "--field", "A4+", "--sessions", "5000", "--seed", "1"]
    first = run(command, *sampled, "--checkpoint", "x.ckpt", "--out", "x.csv", **options)
    assert run(python, "-m", "guts_sim", *sampled, "--checkpoint", "x.ckpt", **options) == first


def test_a_missing_package_for_parquet_is_noticed_before_the_run(monkeypatch, capsys, tmp_path):
    find_spec = importlib.util.find_spec
    monkeypatch.setattr("importlib.util.find_spec", lambda name, *rest: None if name == "pyarrow" else find_spec(name))

    def fail(*_, **__):
        raise AssertionError("the run began")

    monkeypatch.setattr("guts_sim.studies.session.session", fail)
    command = ["session", "--players", "3", "--sessions", "1e9", "--out", str(tmp_path / "x.parquet")]
    assert main(command) == 2
    assert "Parquet needs the package pyarrow" in capsys.readouterr().err


@pytest.mark.skipif(sys.platform == "win32", reason="no fork, no locale of that kind")
def test_kernels_run_again_in_a_forked_process():
    script = (
        "import os, threading, warnings\n"
        "warnings.simplefilter('ignore')\n"  # Python 3.12 warns of forks beside threads
        "import guts_sim as gs\n"
        "call = lambda workers: gs.odds('As Kd 2c', n_players=4, method='mc', deals=1 << 19, seed=1, workers=workers)\n"
        "expected = call(2).digest\n"
        "def forked():\n"
        "    child = os.fork()\n"
        "    if child == 0:\n"
        "        os._exit(0 if call(2).digest == expected else 1)\n"
        "    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])\n"
        "codes = [forked()]\n"
        "thread = threading.Thread(target=lambda: codes.append(forked()))\n"
        "thread.start(); thread.join()\n"
        "print(codes)\n"
    )
    assert run(sys.executable, "-c", script).strip() == "[0, 0]"


def test_an_ascii_locale_is_enough(tmp_path):
    plain = {name: value for name, value in os.environ.items() if not name.startswith(("LC_", "PYTHON"))}
    place = tmp_path / "é"
    place.mkdir()
    command = ["session", "--players", "2", "--field", "A4+", "--sessions", "5000", "--seed", "1"]
    files = ["--out", str(place / "x.csv"), "--checkpoint", str(place / "x.ckpt")]
    environment = plain | {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"}
    out = run(sys.executable, "-m", "guts_sim", *command, *files, env=environment, cwd=ROOT)
    assert "digest" in out
    assert (place / "x.csv.json").read_text(encoding="utf-8").startswith("{")
    assert (place / "x.ckpt").exists()


@pytest.mark.slow
def test_an_unguarded_script_runs_without_processes(tmp_path):
    script = tmp_path / "unguarded.py"
    script.write_text(
        "import multiprocessing\nmultiprocessing.set_start_method('spawn')\nimport guts_sim as gs\n"
        "print(gs.odds('As Kd 2c', n_players=4, method='mc', deals=1 << 19, seed=1, workers=2).n)\n"
    )
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    assert run(sys.executable, str(script), env=environment).split() == [str(1 << 19)]
