"""Printing rows and writing them with their provenance."""

import csv
import io
import json
import os
from pathlib import Path
from typing import Any

from benchmarks.rows import SKIPPED, Row

NAME = "benchmarks"
_SUFFIXES = ((1e9, " G"), (1e6, " M"), (1e3, " k"))


def figure(value: float | None, quantity: str) -> str:
    """Short text of a figure: rates with a prefix, everything else with three significant digits."""
    if value is None:
        return "-"
    if quantity.endswith("/s"):
        for size, suffix in _SUFFIXES:
            if value >= size:
                return f"{value / size:.3g}{suffix}"
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def line(row: Row) -> str:
    """One row as a line of text."""
    against = f" / {row.against}" if row.against else ""
    what = f"  {row.subject}{against}"
    if row.verdict == SKIPPED:
        return f"{what}: skipped: {row.note}"
    low, middle, high = (figure(value, row.quantity) for value in (row.low, row.median, row.high))
    spread = f" ({low} .. {high})" if row.rounds > 1 else ""
    unit = "x" if row.quantity == "ratio" else f" {row.quantity}" if not row.quantity.endswith("/s") else row.quantity
    bar = f"  must {row.bar.must:g}, aim {row.bar.aim:g}: {row.verdict}" if row.bar else ""
    note = f"  [{row.note}]" if row.note else ""
    return f"{what}: {middle}{unit}{spread}{bar}{note}"


def write(rows: list[Row], folder: Path, settings: dict[str, Any]) -> list[Path]:
    """Write the table as CSV, and as JSON with settings, environment and load of the machine."""
    from guts_sim.provenance import environment

    folder.mkdir(parents=True, exist_ok=True)
    records = [row.as_dict() for row in rows]
    table = io.StringIO()
    writer = csv.DictWriter(table, list(records[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(records)
    document = {
        "schema": 1,
        "settings": settings,
        "provenance": {**environment(), "load_average": _load_average()},
        "rows": records,
    }
    paths = [folder / f"{NAME}.csv", folder / f"{NAME}.json"]
    for path, text in zip(paths, (table.getvalue(), json.dumps(document, indent=1) + "\n"), strict=True):
        part = path.with_suffix(path.suffix + ".part")
        part.write_text(text, encoding="utf-8")
        part.replace(path)
    return paths


def _load_average() -> list[float] | None:
    """Runnable processes over the last 1, 5 and 15 minutes: how busy others kept the machine."""
    return [round(value, 2) for value in os.getloadavg()] if hasattr(os, "getloadavg") else None
