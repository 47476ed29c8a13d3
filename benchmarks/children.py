"""Fresh processes with a machine-code cache of their own."""

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LAUNCHER = Path(__file__).with_name("launcher.py")
TIMEOUT = 600


@dataclass(frozen=True)
class Cost:
    """Seconds and megabytes of a process."""

    wall: float
    cpu: float
    peak_mb: float


def environment(cache: Path) -> dict[str, str]:
    """Environment of a child that keeps machine code in ``cache`` and finds this checkout."""
    path = os.pathsep.join(part for part in (str(ROOT), os.environ.get("PYTHONPATH", "")) if part)
    return {**os.environ, "GUTS_SIM_CACHE_DIR": str(cache), "PYTHONPATH": path}


def run_python(arguments: Sequence[str], cache: Path) -> Cost:
    """Run ``python ARGUMENTS`` to its end and say what it cost."""
    done = subprocess.run(
        [sys.executable, "-I", str(LAUNCHER), sys.executable, *arguments],
        env=environment(cache),
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=TIMEOUT,
        check=True,
    )
    cost = json.loads(done.stdout)
    if cost["exit_code"] != 0:
        raise RuntimeError(f"python {' '.join(arguments)} failed: {cost['errors'].strip()}")
    return Cost(cost["wall"], cost["cpu"], cost["peak_mb"])


def output_of(arguments: Sequence[str], cache: Path) -> str:
    """Standard output of ``python ARGUMENTS``."""
    done = subprocess.run(
        [sys.executable, *arguments],
        env=environment(cache),
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=TIMEOUT,
        check=True,
    )
    return done.stdout
