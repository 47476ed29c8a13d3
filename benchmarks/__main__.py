"""``python -m benchmarks``: run races, print as they finish, write the table."""

import argparse
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from benchmarks import report
from benchmarks.groups import all_entries
from benchmarks.harness import Settings
from benchmarks.rows import MISSED, Row
from guts_sim.kernels._store import source_digest

DEFAULT_OUT = Path(__file__).resolve().parents[1] / "results" / "benchmarks"


def _parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description="Measure this library against others.")
    parser.add_argument("--list", action="store_true", help="name the benchmarks and stop")
    parser.add_argument("--only", action="append", metavar="NAME", help="names that begin so; may be repeated")
    parser.add_argument("--rounds", type=int, metavar="N", help="interleaved rounds (default 7)")
    parser.add_argument("--quick", action="store_true", help="three short rounds, to see that everything runs")
    parser.add_argument("--out", type=Path, metavar="DIR", help="write benchmarks.csv and .json there")
    options = parser.parse_args(arguments)
    if options.rounds is not None and options.rounds < 1:
        parser.error("--rounds must be at least 1")
    return options


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the benchmarks; returns 0, or 2 if no benchmark has such a name."""
    options = _parse(arguments)
    entries = [
        entry for entry in all_entries() if not options.only or any(entry.name.startswith(o) for o in options.only)
    ]
    if not entries:
        names = ", ".join(entry.name for entry in all_entries())
        print(f"no benchmark is named {' or '.join(options.only)}; there are {names}", file=sys.stderr)
        return 2
    if options.list:
        for entry in entries:
            print(f"{entry.name:<20} {entry.title}")
        return 0
    settings = Settings.quick() if options.quick else Settings()
    settings = Settings(options.rounds or settings.rounds, settings.seconds)
    sources = source_digest()
    started = time.perf_counter()
    rows: list[Row] = []
    for entry in entries:
        print(f"{entry.name}: {entry.title}", flush=True)
        for row in entry.measure(settings):
            print(report.line(row), flush=True)
            rows.append(row)
    elapsed = time.perf_counter() - started
    missed = sum(row.verdict == MISSED for row in rows)
    print(f"{len(rows)} figures in {elapsed:.0f} s; bars missed: {missed}")
    changed = source_digest() != sources
    if changed:
        print(
            "the kernels were edited meanwhile: figures before and after differ in what they measure", file=sys.stderr
        )
    # Parts of the table, and doubtful figures, do not replace the whole one unless asked to.
    whole = not options.only and not options.quick and not changed
    if options.out or whole:
        known = {
            "rounds": settings.rounds,
            "seconds": settings.seconds,
            "elapsed_seconds": round(elapsed, 1),
            "kernels_edited_meanwhile": changed,
        }
        for path in report.write(rows, options.out or DEFAULT_OUT, known):
            print(f"wrote {path}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
