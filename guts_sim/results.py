"""Frozen results: the answer together with everything that is needed to judge and to repeat it."""

import csv
import io
import json
import os
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from guts_sim.errors import InputError
from guts_sim.provenance import digest_of, environment

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

SCHEMA = 1
TABLE_FORMATS = (".csv", ".json", ".parquet")
PLOT_FORMATS = (".png", ".svg", ".pdf")
Row = Mapping[str, Any]


@dataclass(frozen=True, kw_only=True, eq=False)
class Result:
    """An answer, how it was computed, and how well it is known.

    Attributes
    ----------
    command : str
        Name of the study.
    rules : dict
        Every switch of the rules.
    parameters : dict
        Arguments that, with rules and seed, repeat the call; see `guts_sim.rerun`.
    method : {"exact", "mc"}
        Counting or Monte Carlo.
    n : int
        Deals behind the estimates; 0 for exact results.
    seed : int or None
        Seed of the deals; None for exact results.
    confidence : float
        Coverage of the intervals.
    complete : bool
        False if the run was interrupted and ``n`` is less than was asked for.
    results : dict
        The answer, as plain numbers, strings, lists and dicts.
    rows : tuple of dict
        The main table, the rows of `frame`.
    lines : tuple of str
        The answer in words and small tables.
    timing : dict
        Elapsed and CPU seconds; not part of the digest.
    """

    command: str
    rules: Mapping[str, Any]
    parameters: Mapping[str, Any]
    method: str
    n: int
    seed: int | None
    confidence: float
    complete: bool
    results: Mapping[str, Any]
    rows: Sequence[Row]
    lines: Sequence[str]
    timing: Mapping[str, float] = field(default_factory=dict)

    @property
    def digest(self) -> str:
        """SHA-256 of the canonical results: equal for equal rules, parameters, seed and n on any machine."""
        return digest_of(self._canonical())

    @property
    def frame(self) -> "pd.DataFrame":
        """The main table as a tidy pandas DataFrame."""
        import pandas as pd

        return pd.DataFrame([dict(row) for row in self.rows])

    def summary(self) -> str:
        """Return the answer as text."""
        return "\n".join(self.lines)

    def __str__(self) -> str:
        return self.summary()

    def plot(self, path: str | os.PathLike[str] | None = None) -> "Figure":
        """Draw the result.

        Parameters
        ----------
        path : path-like, optional
            Also write the chart there (.png, .svg or .pdf).

        Returns
        -------
        matplotlib.figure.Figure
        """
        from guts_sim.plotting import draw

        if path is not None:
            check_output(path, PLOT_FORMATS)
        figure = draw(self.command, self.results)
        if path is not None:
            target = Path(path)
            with _replacing(target) as temporary:
                figure.savefig(temporary, format=target.suffix[1:].lower())
        return figure

    def as_dict(self) -> dict[str, Any]:
        """The JSON object of the command line: results, digest and provenance."""
        provenance = environment() | dict(self.timing)
        return self._canonical() | {"digest": self.digest, "provenance": provenance}

    def to_json(self) -> str:
        """`as_dict` as indented JSON text."""
        return json.dumps(self.as_dict(), indent=2, ensure_ascii=False, allow_nan=False)

    def to_csv(self) -> str:
        """The main table as CSV text."""
        return rows_to_csv(self.rows)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the main table and, beside it, a JSON file with results and provenance.

        Parameters
        ----------
        path : path-like
            ``.csv`` or ``.parquet`` (which needs pyarrow) for the table; the record goes to the same name with
            ``.json`` added. A path that ends in ``.json`` gets the record alone.

        Raises
        ------
        InputError
            The folder does not exist or is not writable, or the ending is unknown.
        """
        target = check_output(path, TABLE_FORMATS)
        if target.suffix == ".json":
            write_text(target, self.to_json() + "\n")
            return
        if target.suffix == ".parquet":
            with _replacing(target) as temporary:
                self.frame.to_parquet(temporary)
        else:
            write_text(target, self.to_csv())
        write_text(sidecar_of(target), self.to_json() + "\n")

    def _canonical(self) -> dict[str, Any]:
        return {
            "command": self.command,
            "schema": SCHEMA,
            "rules": dict(self.rules),
            "parameters": dict(self.parameters),
            "method": self.method,
            "n": self.n,
            "seed": self.seed,
            "confidence": self.confidence,
            "complete": self.complete,
            "results": dict(self.results),
        }


def counted_result(
    command: str,
    *,
    rules: Mapping[str, Any],
    parameters: Mapping[str, Any],
    results: Mapping[str, Any],
    rows: Sequence[Row],
    lines: Sequence[str],
) -> Result:
    """Wrap an answer that involves no sampling."""
    return Result(
        command=command,
        rules=rules,
        parameters=parameters,
        method="exact",
        n=0,
        seed=None,
        confidence=0.95,
        complete=True,
        results=results,
        rows=rows,
        lines=lines,
    )


def sidecar_of(table: Path) -> Path:
    """Where the record of a saved table lies."""
    return table.with_name(table.name + ".json")


def rows_to_csv(rows: Sequence[Row]) -> str:
    """Rows of dicts as CSV text with a header; floats keep all their digits."""
    text = io.StringIO()
    if rows:
        writer = csv.DictWriter(text, fieldnames=list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    return text.getvalue()


def check_output(path: str | os.PathLike[str], endings: Sequence[str]) -> Path:
    """Return ``path`` if a file can be written there, else raise InputError; call it before a long run."""
    target = Path(path)
    if target.suffix.lower() not in endings:
        raise InputError(f"{target}: the ending says the format; allowed are {', '.join(endings)}")
    if target.is_dir() or not target.parent.is_dir():
        raise InputError(f"{target}: there is no folder {target.parent} to write to")
    if not os.access(target.parent, os.W_OK):
        raise InputError(f"{target}: folder {target.parent} cannot be written to")
    if target.suffix.lower() == ".parquet":
        _import_pyarrow(target)
    return target


def _import_pyarrow(target: Path) -> ModuleType:
    try:
        import pyarrow
    except ImportError:
        raise InputError(f"{target}: Parquet needs pyarrow; install guts-sim[parquet] or write .csv") from None
    module: ModuleType = pyarrow
    return module


def write_text(target: Path, text: str) -> None:
    """Write UTF-8 text so that the file is always the old one or the new one, never half."""
    with _replacing(target) as temporary:
        temporary.write_text(text, encoding="utf-8", newline="\n")


class _replacing:
    """Give a temporary file beside ``target`` and rename it over ``target`` when the block succeeds."""

    def __init__(self, target: Path) -> None:
        self.target = target

    def __enter__(self) -> Path:
        handle, name = tempfile.mkstemp(prefix=f".{self.target.name}.", dir=self.target.parent)
        os.close(handle)
        self.temporary = Path(name)
        return self.temporary

    def __exit__(self, kind: type[BaseException] | None, *_rest: object) -> None:
        if kind is None:
            os.chmod(self.temporary, 0o666 & ~_umask())
            os.replace(self.temporary, self.target)
        else:
            self.temporary.unlink(missing_ok=True)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
