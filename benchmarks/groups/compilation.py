"""Time to compile: the first call of each kernel in a fresh process with an empty cache of machine code."""

import tempfile
from dataclasses import dataclass
from pathlib import Path

from benchmarks.children import output_of
from benchmarks.harness import Settings
from benchmarks.rows import Bar, Row, lower_is_better

# Any game has to be playable after so many seconds.
GAME_BAR = Bar(10, 5)
# Name of the row, and the function of `benchmarks` that makes its work.
KERNELS = (
    ("Guts, count_rounds", "benchmarks.guts_work:count_lanes:3"),
    ("Guts, carry_rounds", "benchmarks.guts_work:carry_lanes:3"),
    ("Guts, users' functions", "benchmarks.groups.strategies:hybrid"),
    ("Guts, play_sessions", "benchmarks.guts_work:sessions"),
    ("Guts, score_hands", "benchmarks.guts_work:scored_hands"),
    ("Guts under any rules, score_decisions", "benchmarks.guts_work:decided_hands"),
    ("one card, count_one_card", "benchmarks.guts_work:one_card_lanes"),
    ("seven cards, count_seven_cards", "benchmarks.groups.showdowns:lanes"),
    ("seven cards, high5_from_rows", "benchmarks.groups.seven_cards:rows"),
    ("seven cards, count_hands", "benchmarks.groups.seven_cards:in_order"),
)
# Imports numba and the package first: importing is not compiling.
FIRST_CALL = """
import importlib, sys, time
import guts_sim.kernels.guts
module, function, *sizes = {target!r}.split(":")
make = getattr(importlib.import_module(module), function)
start = time.process_time()
make(*map(int, sizes)).run(1)
print(time.process_time() - start)
"""


@dataclass(frozen=True)
class Compilation:
    """Seconds of CPU time of the first call of every kernel, small work included."""

    name: str = "compile"
    title: str = "first call of each kernel on an empty cache"

    def measure(self, settings: Settings) -> list[Row]:
        """One fresh process and one empty cache per kernel."""
        return [self._row(name, target) for name, target in KERNELS]

    def _row(self, name: str, target: str) -> Row:
        with tempfile.TemporaryDirectory(prefix="guts_sim_benchmarks_") as folder:
            seconds = float(output_of(("-c", FIRST_CALL.format(target=target)), Path(folder)))
        return Row(
            self.name, name, "", "s", seconds, seconds, seconds, 1, "cpu",
            bar=GAME_BAR, verdict=lower_is_better(seconds, GAME_BAR),
        )  # fmt: skip


def entries() -> list[Compilation]:
    """Benchmarks of this group."""
    return [Compilation()]
