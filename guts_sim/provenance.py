"""What a result records about how it was made."""

import hashlib
import json
import math
import os
import platform
import subprocess
import time
from collections.abc import Mapping
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any, Self

import numpy as np

from guts_sim._version import __version__

DIGEST_DIGITS, DIGEST_DECIMALS = 9, 12  # to which numbers are compared


@cache
def environment() -> dict[str, Any]:
    """Software and machine that computed a result."""
    return {
        "guts_sim": __version__,
        "commit": _commit(),
        "python": platform.python_version(),
        "numpy": version("numpy"),
        "numba": version("numba"),
        "os": platform.platform(),
        "cpu": _cpu_name(),
        "cpu_count": os.cpu_count(),
    }


def _commit() -> str | None:
    """Commit of the checkout that the package runs from, None for an installed package."""
    root = Path(__file__).resolve().parents[1]
    if not (root / ".git").exists():
        return None
    try:
        done = subprocess.run(
            ["git", "-C", str(root), "describe", "--always", "--dirty", "--abbrev=12"],
            capture_output=True,
            text=True,
            timeout=10,
            check=True,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout.strip()


def _cpu_name() -> str:
    try:
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


def plain(data: Any) -> Any:
    """Return ``data`` as JSON can hold it: numbers that are not finite, which mean "not known", become None.

    Examples
    --------
    >>> plain({"stderr": float("nan"), "hands": ("AA", "KK")})
    {'stderr': None, 'hands': ['AA', 'KK']}
    """
    if isinstance(data, Mapping):
        return {str(key): plain(value) for key, value in data.items()}
    if isinstance(data, list | tuple):
        return [plain(value) for value in data]
    if isinstance(data, np.generic | np.ndarray):
        return plain(data.tolist())
    if isinstance(data, float) and not math.isfinite(data):
        return None
    return data


def canonical_json(data: Any) -> str:
    """JSON with sorted keys and no white space: equal data give equal text."""
    return _sorted_text(plain(data))


def _sorted_text(plain_data: Any) -> str:
    return json.dumps(plain_data, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def digest_of(data: Any) -> str:
    """SHA-256 of the canonical JSON of ``data``, numbers rounded to nine digits, and to twelve after the point.

    What comes after them depends on the order in which a processor's linear algebra adds up.

    Examples
    --------
    >>> digest_of({"stderr": 0.0017817316188785052}) == digest_of({"stderr": 0.001781731618878505})
    True
    """
    return hashlib.sha256(_sorted_text(_rounded(plain(data))).encode()).hexdigest()


def _rounded(data: Any) -> Any:
    if isinstance(data, dict):
        return {key: _rounded(value) for key, value in data.items()}
    if isinstance(data, list):
        return [_rounded(value) for value in data]
    if isinstance(data, float):
        # Adding 0 turns a negative zero into a positive one.
        return round(float(f"{data:.{DIGEST_DIGITS - 1}e}"), DIGEST_DECIMALS) + 0.0
    return data


class Stopwatch:
    """Wall-clock and CPU seconds of the ``with`` block."""

    elapsed_seconds = 0.0
    cpu_seconds = 0.0

    def __enter__(self) -> Self:
        self._wall = time.perf_counter()
        self._cpu = time.process_time()
        return self

    def __exit__(self, *_error: object) -> None:
        self.elapsed_seconds = time.perf_counter() - self._wall
        self.cpu_seconds = time.process_time() - self._cpu

    def as_dict(self) -> dict[str, float]:
        """Seconds under their names."""
        return {"elapsed_seconds": round(self.elapsed_seconds, 4), "cpu_seconds": round(self.cpu_seconds, 4)}
