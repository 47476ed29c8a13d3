"""How time and memory grow with the number of deals."""

import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import numpy as np

from benchmarks.children import run_python
from benchmarks.groups.threads import play
from benchmarks.harness import Settings
from benchmarks.rows import Bar, Row, lower_is_better

SIZES = tuple(1 << power for power in range(19, 24))
PLAY_ODDS = "import guts_sim as gs; gs.odds('As Kd Qc', n_players=5, method='mc', deals={n}, seed=1, workers=1)"
FEW, MANY = 1_000_000, 16_000_000


@dataclass(frozen=True)
class TimeGrowth:
    """Slope of log(time) over log(deals): 1 is linear."""

    name: str = "growth-time"
    title: str = "cost of Guts 5 x 3 rounds as their number grows"

    def measure(self, settings: Settings) -> list[Row]:
        """Slope of a straight line through the times of each round of measurements."""
        play(1, SIZES[0])
        slopes = []
        for _ in range(settings.rounds):
            seconds = []
            for n in SIZES:
                start = time.process_time()
                play(1, n)
                seconds.append(time.process_time() - start)
            slopes.append(float(np.polyfit(np.log(SIZES), np.log(seconds), 1)[0]))
        bar, middle = Bar(1.1, 1.05), median(slopes)
        return [
            Row(
                self.name, f"{SIZES[0]:,} to {SIZES[-1]:,} rounds", "", "exponent", min(slopes), middle, max(slopes),
                len(slopes), "cpu", bar=bar, verdict=lower_is_better(middle, bar), note="1 is linear",
            )
        ]  # fmt: skip


@dataclass(frozen=True)
class MemoryGrowth:
    """Peak memory of a long run over that of a short one."""

    name: str = "growth-memory"
    title: str = "peak memory of a Monte Carlo answer as its deals grow"

    def measure(self, settings: Settings) -> list[Row]:
        """Peak memory of two runs in processes of their own, on warm code."""
        peaks = []
        with tempfile.TemporaryDirectory(prefix="guts_sim_benchmarks_") as folder:
            for n in (FEW, FEW, MANY):  # the first compiles
                peaks.append(run_python(("-c", PLAY_ODDS.format(n=n)), Path(folder)).peak_mb)
        bar, ratio = Bar(1.1, 1.02), peaks[2] / peaks[1]
        return [
            Row(
                self.name, f"{MANY:,} deals", f"{FEW:,} deals", "ratio", ratio, ratio, ratio, 1, "",
                rival_rate=None, bar=bar, verdict=lower_is_better(ratio, bar),
                note=f"{peaks[1]:.0f} MB and {peaks[2]:.0f} MB; 1 is flat",
            )
        ]  # fmt: skip


def entries() -> list[TimeGrowth | MemoryGrowth]:
    """Benchmarks of this group."""
    return [TimeGrowth(), MemoryGrowth()]
