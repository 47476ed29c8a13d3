"""What a user waits for: start-up, and the answers of the main commands with and without compiled code."""

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from benchmarks.children import Cost, run_python
from benchmarks.harness import Settings
from benchmarks.rows import Bar, Row, lower_is_better

COMPILE_BAR = Bar(10, 5)
WARM_BAR = Bar(1, 0.6)
START_BAR = Bar(0.5, 0.3)
# Repeating what takes longer than this would only tell how busy the machine is.
LONG = 5.0


@dataclass(frozen=True)
class Command:
    """A Python command line: what it costs on an empty cache of machine code, and afterwards."""

    name: str
    title: str
    arguments: tuple[str, ...]
    cold_bar: Bar | None = None
    warm_bar: Bar | None = None
    compiles: bool = True

    def measure(self, settings: Settings) -> list[Row]:
        """Seconds of the wall clock cold and warm, and megabytes at the peak."""
        rows = []
        with tempfile.TemporaryDirectory(prefix="guts_sim_benchmarks_") as folder:
            first = run_python(self.arguments, Path(folder))
            if self.compiles:
                rows.append(self._seconds("first run, empty cache", [first], self.cold_bar))
            costs = [run_python(self.arguments, Path(folder))]
            rounds = 1 if costs[0].wall > LONG else settings.rounds
            costs += [run_python(self.arguments, Path(folder)) for _ in range(rounds - 1)]
        label = "later runs" if self.compiles else "a run"
        rows.append(self._seconds(label, costs, self.warm_bar))
        rows.append(self._peak([first, *costs]))
        return rows

    def _seconds(self, subject: str, costs: Sequence[Cost], bar: Bar | None) -> Row:
        seconds = [cost.wall for cost in costs]
        middle = median(seconds)
        cpu = median([cost.cpu for cost in costs])
        return Row(
            self.name, subject, "", "s", min(seconds), middle, max(seconds), len(seconds), "wall",
            bar=bar, verdict=lower_is_better(middle, bar), note=f"{cpu:.2f} s of CPU time",
        )  # fmt: skip

    def _peak(self, costs: Sequence[Cost]) -> Row:
        peaks = [cost.peak_mb for cost in costs]
        return Row(
            self.name, "peak memory", "", "MB", min(peaks), median(peaks), max(peaks), len(peaks), "",
            note="first run included",
        )  # fmt: skip


ALL_EXACT_THRESHOLDS = """
import guts_sim as gs
for n_players in range(2, 11):
    gs.threshold(n_players, method="exact")
"""


def _guts_sim(name: str, title: str, arguments: str, cold: Bar | None, warm: Bar | None) -> Command:
    return Command(name, title, ("-m", "guts_sim", *arguments.split()), cold, warm)


def entries() -> list[Command]:
    """Commands of this group."""
    return [
        Command("start-import", "import guts_sim", ("-c", "import guts_sim"), None, START_BAR, compiles=False),
        Command("start-help", "guts-sim --help", ("-m", "guts_sim", "--help"), None, START_BAR, compiles=False),
        _guts_sim("cli-threshold-2", "exact threshold, two cards", "threshold --players 5", COMPILE_BAR, WARM_BAR),
        Command(
            "exact-all-players",
            "exact two-card thresholds of 2 to 10 players, start included",
            ("-c", ALL_EXACT_THRESHOLDS),
            COMPILE_BAR,
            Bar(1.5, 1.0),
        ),
        _guts_sim(
            "cli-threshold-3",
            "three-card equilibrium of 5 players with exploitability",
            "threshold --players 5 --cards 3 --seed 1",
            None,
            Bar(60, 30),
        ),
        _guts_sim("cli-odds", "odds of a hand", "odds AsKdQc --players 5 --seed 1", COMPILE_BAR, WARM_BAR),
        _guts_sim("cli-cascade", "growth of the pot", "cascade --players 5 --seed 1", COMPILE_BAR, None),
        _guts_sim(
            "cli-cascade-mc",
            "a million sampled cycles",
            "cascade --players 5 --method mc --cycles 1e6 --seed 1",
            COMPILE_BAR,
            Bar(3, 2),
        ),
        _guts_sim(
            "cli-session",
            "a hundred thousand sessions of ten cycles",
            "session --players 5 --sessions 1e5 --seed 1",
            COMPILE_BAR,
            None,
        ),
        _guts_sim(
            "cli-weenie",
            "Weenie equilibrium of 5 players with exploitability",
            "threshold --players 5 --nobody-in weenie --seed 1",
            None,
            Bar(120, 60),
        ),
        _guts_sim(
            "cli-pass",
            "35 passes, paired standard errors below .001",
            "pass QsQh9c8d3s4h2c --players 4 --deals 1e6 --seed 1",
            COMPILE_BAR,
            Bar(5, 2),
        ),
        _guts_sim("cli-indian-see", "the visible cards of Indian poker", "indian --see K94", COMPILE_BAR, None),
        _guts_sim("cli-indian-2", "two-player Indian poker, exactly", "indian --solve --players 2", COMPILE_BAR, None),
        _guts_sim(
            "cli-indian-3", "three-player Indian poker", "indian --solve --players 3 --seed 1", None, Bar(180, 60)
        ),
        _guts_sim("cli-hands-7", "all 133,784,560 hands of seven cards", "hands table --cards 7", None, None),
    ]
