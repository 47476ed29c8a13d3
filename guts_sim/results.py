"""Frozen results: the answer together with everything that is needed to judge and to repeat it."""

import csv
import html
import importlib.util
import io
import json
import os
import stat
import textwrap
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from guts_sim.errors import InputError
from guts_sim.files import replacing, temporary_beside, write_text
from guts_sim.provenance import digest_of, environment, plain

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

SCHEMA = 1
LINE_WIDTH = 110
TABLE_FORMATS = (".csv", ".json", ".parquet")
PLOT_FORMATS = (".png", ".svg", ".pdf")
Row = Mapping[str, Any]


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
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

    Examples
    --------
    >>> from guts_sim import odds
    >>> result = odds("As Kd")
    >>> result.method, result.n, round(result.rows[0]["equity"], 4)
    ('exact', 0, 0.9376)
    >>> print(result.summary().splitlines()[0])
    As Kd (AK) when everybody goes to the showdown (counted exactly)
    """

    unit: ClassVar[str] = "deals"
    """What ``n`` counts."""

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
        """Return the answer as text, with the rules and the way it was computed.

        Returns
        -------
        str
            What the command line prints.
        """
        return "\n".join([*self.lines, *self._footer()])

    def _footer(self) -> list[str]:
        """What is needed to judge and to repeat the answer."""
        lines = rules_lines(self.rules)
        if self.method == "mc" or self.seed is not None:
            lines.append(
                f"Monte Carlo: {self.n:,} {self.unit}, seed {self.seed}, confidence {self.confidence:g}, "
                f"digest {self.digest[:16]}."
            )
        if not self.complete:
            lines.append("Interrupted: a partial result.")
        return ["", *lines] if lines else []

    def __str__(self) -> str:
        return self.summary()

    def __repr__(self) -> str:
        """Name what it is; the numbers are in the summary."""
        how = "exact" if self.method == "exact" else f"{self.method}, {self.n:,} {self.unit}"
        partial = "" if self.complete else ", interrupted"
        return f"<{type(self).__name__}: {self.command}, {how}{partial}, digest {self.digest[:16]}>"

    def _repr_html_(self) -> str:
        """Let a notebook show the summary."""
        return f"<pre>{html.escape(self.summary())}</pre>"

    def plot(self, path: str | os.PathLike[str] | None = None) -> "Figure":
        """Draw the result.

        Parameters
        ----------
        path : path-like, optional
            Also write the chart there (.png, .svg or .pdf).

        Returns
        -------
        matplotlib.figure.Figure

        Raises
        ------
        InputError
            There is no chart of this study, or ``path`` cannot be written.
        """
        from guts_sim.plotting import About, draw, write_figure

        if path is not None:
            check_output(path, PLOT_FORMATS)
        figure = draw(self.command, self.results, About(self.rules, self.confidence))
        if path is not None:
            target = Path(path)
            with replacing(target) as temporary:
                write_figure(figure, temporary, target.suffix[1:].lower())
        return figure

    def as_dict(self) -> dict[str, Any]:
        """Return the JSON object of the command line: results, digest and provenance; unknown numbers are None.

        Returns
        -------
        dict
            ``command``, ``schema``, ``rules``, ``parameters``, ``method``, ``n``, ``seed``, ``confidence``,
            ``complete``, ``results``, ``digest`` and ``provenance`` (versions, processor, seconds).
        """
        provenance = environment() | dict(self.timing)
        return self._canonical() | {"digest": self.digest, "provenance": provenance}

    def to_json(self, *, ascii_only: bool = False) -> str:
        """`as_dict` as indented JSON text.

        Parameters
        ----------
        ascii_only : bool
            Whether signs outside ASCII are escaped.

        Returns
        -------
        str
        """
        return json.dumps(self.as_dict(), indent=2, ensure_ascii=ascii_only, allow_nan=False)

    def to_csv(self) -> str:
        """Return the main table as CSV text; a number that is not known is an empty cell.

        Returns
        -------
        str
        """
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
        ending = target.suffix.lower()
        if ending == ".json":
            write_text(target, self.to_json() + "\n")
            return
        if ending == ".parquet":
            with replacing(target) as temporary:
                self.frame.to_parquet(temporary)
        else:
            write_text(target, self.to_csv())
        write_text(sidecar_of(target), self.to_json() + "\n")

    def _canonical(self) -> dict[str, Any]:
        canonical: dict[str, Any] = plain(
            {
                "command": self.command,
                "schema": SCHEMA,
                "rules": self.rules,
                "parameters": self.parameters,
                "method": self.method,
                "n": self.n,
                "seed": self.seed,
                "confidence": self.confidence,
                "complete": self.complete,
                "results": self.results,
            }
        )
        return canonical


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
        writer.writerows(plain(row) for row in rows)
    return text.getvalue()


def rules_lines(rules: Mapping[str, Any]) -> list[str]:
    """Name the rules: a profile and its cards say all, rules of one's own are written out."""
    is_ready = rules.get("profile", "custom") != "custom"
    named = {name: rules[name] for name in ("profile", "cards")} if is_ready else rules
    return wrapped_switches("Rules", named)


def wrapped_switches(title: str, switches: Mapping[str, Any]) -> list[str]:
    """Switches and their values in words, on as many lines as they need."""
    words = ", ".join(f"{name} {rule_word(value)}" for name, value in switches.items())
    return textwrap.wrap(f"{title}: {words}.", LINE_WIDTH, break_on_hyphens=False) if words else []


def rule_word(value: Any) -> str:
    """Value of a rule switch in words."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "none" if value is None else str(value)


def check_output(path: str | os.PathLike[str], endings: Sequence[str]) -> Path:
    """Return ``path`` if a file can be written there; call it before a long run.

    Parameters
    ----------
    path : path-like
        File to write, with any record beside it.
    endings : sequence of str
        Allowed endings in lower case, each with its dot.

    Returns
    -------
    pathlib.Path

    Raises
    ------
    InputError
        Unknown ending, a folder of that name, no such folder, or one where no file can be made.
    """
    target = Path(path)
    shown = repr(os.fspath(path)) if not os.fspath(path).isprintable() or not os.fspath(path) else str(path)
    if target.suffix.lower() not in endings:
        raise InputError(f"{shown}: the ending says the format; allowed are {', '.join(endings)}")
    try:
        _check_place(target, shown)
    except InputError:
        raise
    except (OSError, ValueError) as error:  # ValueError: a name with a NUL
        reason = error.strerror if isinstance(error, OSError) else "no name of a file"
        raise InputError(f"{shown}: cannot be written: {reason}; choose another file") from None
    if target.suffix.lower() == ".parquet" and importlib.util.find_spec("pyarrow") is None:
        raise InputError(f"{shown}: Parquet needs the package pyarrow; install it or write .csv")
    return target


def _check_place(target: Path, shown: str) -> None:
    """Refuse folders in the place of files, and try out whether a file can be made in the folder."""
    has_record = target.suffix.lower() in (".csv", ".parquet")
    for file in [target, sidecar_of(target)] if has_record else [target]:
        with suppress(FileNotFoundError, NotADirectoryError):
            if stat.S_ISDIR(os.stat(file).st_mode):
                raise InputError(f"{shown}: {file.name} is a folder; choose another file")
    if not target.parent.is_dir():
        raise InputError(f"{shown}: there is no folder {target.parent} to write to")
    temporary_beside(target).unlink()
