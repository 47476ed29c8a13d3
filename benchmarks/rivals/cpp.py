"""The C++ reference, compiled into a temporary folder when it is first asked for."""

import atexit
import ctypes
import shutil
import subprocess
import tempfile
from functools import cache
from pathlib import Path

import numpy as np

from benchmarks.harness import Unavailable

SOURCE = Path(__file__).with_name("reference.cpp")
FLAGS = ("-O3", "-march=native", "-std=c++17", "-shared", "-fPIC")
MAX_MULTIPLIER = 16
_ARRAY = ctypes.c_void_p


@cache
def library() -> ctypes.CDLL:
    """The compiled reference, or `Unavailable` where there is no compiler."""
    compiler = shutil.which("g++") or shutil.which("clang++")
    if compiler is None:
        raise Unavailable("no C++ compiler (g++ or clang++) on the path")
    folder = tempfile.mkdtemp(prefix="guts_sim_benchmarks_")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    target = Path(folder) / "reference.so"
    done = subprocess.run(
        [compiler, *FLAGS, "-o", str(target), str(SOURCE)], capture_output=True, text=True, timeout=300, check=False
    )
    if done.returncode != 0:
        raise Unavailable(f"the reference does not compile here: {done.stderr.strip().splitlines()[0]}")
    loaded = ctypes.CDLL(str(target))
    loaded.play_guts.argtypes = [
        ctypes.c_uint64, ctypes.c_int64, ctypes.c_int, ctypes.c_int, _ARRAY, ctypes.c_int, _ARRAY, _ARRAY,
    ]  # fmt: skip
    loaded.rank_sevens.argtypes = [_ARRAY, ctypes.c_int64, _ARRAY]
    loaded.play_sevens.argtypes = [ctypes.c_uint64, ctypes.c_int64, _ARRAY, _ARRAY]
    loaded.count_sevens.argtypes = [ctypes.c_int, _ARRAY]
    return loaded


def play_guts(
    seed: int, n_rounds: int, n_players: int, hand_size: int, table: np.ndarray, first_class: int
) -> tuple[np.ndarray, np.ndarray]:
    """Histogram of the multiplier of the pot, and net chips per player, of rounds at one table."""
    multipliers = np.zeros(MAX_MULTIPLIER, np.int64)
    nets = np.zeros(n_players, np.int64)
    table = np.ascontiguousarray(table, np.uint16)
    refused = library().play_guts(
        seed, n_rounds, n_players, hand_size, table.ctypes.data, first_class, multipliers.ctypes.data, nets.ctypes.data
    )
    if refused:
        raise Unavailable(f"{n_players} players x {hand_size} cards are not compiled into the reference")
    return multipliers, nets


def rank_sevens(cards: np.ndarray, ranks: np.ndarray) -> None:
    """Fill ``ranks`` (n,) uint16 from ``cards`` (n, 7) uint8; larger is stronger."""
    library().rank_sevens(cards.ctypes.data, len(ranks), ranks.ctypes.data)


def play_sevens(seed: int, n_deals: int) -> tuple[np.ndarray, np.ndarray]:
    """Of deals of seven cards to four players: counts by number of best hands, and sole wins per player."""
    n_best, sole = np.zeros(5, np.int64), np.zeros(4, np.int64)
    library().play_sevens(seed, n_deals, n_best.ctypes.data, sole.ctypes.data)
    return n_best, sole


def count_sevens(first: int) -> np.ndarray:
    """Number of hands per class among all seven-card hands whose lowest card is at least ``first``."""
    counts = np.zeros(library().count_classes(), np.int64)
    library().count_sevens(first, counts.ctypes.data)
    return counts
