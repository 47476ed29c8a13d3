"""The reference tables and charts in results/: how each is made, and whether it still comes out the same."""

import csv
import math
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from guts_sim.engine.progress import progress_bar
from guts_sim.errors import InputError
from guts_sim.interruption import interruptible
from guts_sim.results import Result, counted_result
from guts_sim.studies.anaconda import anaconda, anaconda_orders, anaconda_tournament
from guts_sim.studies.cascade import cascade
from guts_sim.studies.coalition import coalition
from guts_sim.studies.folklore import folklore
from guts_sim.studies.indian_session import indian_session
from guts_sim.studies.indian_solve import indian_solve
from guts_sim.studies.passing import pass_values
from guts_sim.studies.passing_levels import pass_levels
from guts_sim.studies.passing_tables import pass_hands, pass_tournament
from guts_sim.studies.phase import phase_diagram
from guts_sim.studies.reference_tables import coalition_table, odds_table, threshold_table
from guts_sim.studies.replay import load
from guts_sim.studies.session import session
from guts_sim.studies.session_course import session_course
from guts_sim.studies.text import table
from guts_sim.studies.threshold import threshold

SEED = 2024
SAME, CLOSE, DIFFERS, MISSING, WRITTEN = "same", "close", "differs", "missing", "written"
TOLERANCE = 1e-9
"""Numbers that agree so far count as equal: other processors round sums of floats in other places."""


@dataclass(frozen=True)
class Recipe:
    """A reference file and the call that makes it.

    Attributes
    ----------
    name : str
        Where it lies in the folder of results, without an ending.
    content : str
        What it shows.
    make : callable
        Computes it.
    has_chart : bool
        Whether there is a chart beside the table.
    """

    name: str
    content: str
    make: Callable[[], Result]
    has_chart: bool = True

    @property
    def files(self) -> list[str]:
        """Names of all its files."""
        return [f"{self.name}.csv", f"{self.name}.csv.json"] + [f"{self.name}.png"] * self.has_chart


CHARACTERS = {"Rock": "TT+", "Fish": "top:40%", "Bluffer": "blind:25%"}
QUEENS = "Qs Qh 9c 8d 3s 4h 2c"
POLICIES = ("lowest", "keep-best", "random", "level-1", "level-2", "level-3", "equilibrium")

# Every call has its seed and its number of deals written out, so that no default can move a committed number.
RECIPES = (
    Recipe("thresholds/two-cards", "thresholds with two cards, 2 to 10 players", partial(threshold_table, 2)),
    Recipe("thresholds/two-cards-5-players", "in or out with two cards, 5 players", partial(threshold, 5)),
    Recipe(
        "thresholds/two-cards-5-players-loose-field",
        "the best reply to opponents who enter with half of their hands",
        partial(threshold, 5, field="top:50%"),
    ),
    Recipe(
        "thresholds/three-cards",
        "equilibria with three cards, 2 to 10 players",
        partial(threshold_table, 3, deals=100_000, seed=SEED, progress=False),
    ),
    Recipe(
        "thresholds/three-cards-5-players",
        "in or out with three cards, 5 players",
        partial(threshold, 5, cards=3, deals=400_000, seed=SEED, progress=False),
    ),
    Recipe("odds/two-cards", "equity of every hand of two cards against 1 to 9", odds_table),
    Recipe(
        "cascade/5-players-no-cap",
        "pot growth at the equilibrium, 5 players, no cap",
        partial(cascade, 5, cap=None, reserve=False),
    ),
    Recipe(
        "cascade/5-players-loose",
        "pot growth where everybody enters with half of all hands, cap 20",
        partial(cascade, 5, field="top:50%", cap=20, reserve=True),
    ),
    Recipe(
        "cascade/phase-5-players",
        "where the pot grows and whether a cycle ends, 5 players",
        partial(phase_diagram, 5),
    ),
    Recipe(
        "sessions/characters",
        "sessions of a rock, a fish and a bluffer with two at the equilibrium",
        partial(session, 5, players=CHARACTERS, field="A4+", sessions=200_000, seed=SEED, progress=False),
    ),
    Recipe(
        "sessions/course",
        "how the balances of these players spread in ten cycles",
        partial(
            session_course, players=CHARACTERS, n_players=5, field="A4+", sessions=50_000, seed=SEED, progress=False
        ),
    ),
    Recipe("coalition/continuous", "all against one, continuous hands, 3 to 10 players", coalition_table),
    Recipe("coalition/3-players", "two colluders against one, continuous hands", partial(coalition, 3)),
    Recipe("coalition/3-players-two-cards", "two colluders against one, two cards", partial(coalition, 3, cards=2)),
    Recipe(
        "folklore/rules-of-thumb",
        "nine rules of thumb, each measured",
        partial(folklore, deals=200_000, seed=SEED, progress=False),
    ),
    Recipe("indian/2-players", "Indian poker for two, solved", partial(indian_solve, 2)),
    Recipe(
        "indian/characters",
        "sessions of Indian poker, four ways to play",
        partial(indian_session, "thumb:Q, loose, bluff:30%, random", sessions=200_000, seed=SEED, progress=False),
    ),
    Recipe(
        "passing/queens-4-lowest",
        "all passes of a hand with two queens, 4 players",
        partial(pass_values, QUEENS, n_players=4, policy="lowest", deals=10_000_000, seed=SEED, progress=False),
    ),
    Recipe(
        "passing/hands-4-lowest",
        "hands after passing where everybody passes the lowest cards",
        partial(pass_hands, 4, policy="lowest", deals=2_000_000, seed=SEED, progress=False),
    ),
    Recipe(
        "passing/hands-4-equilibrium",
        "hands after passing where everybody passes well",
        partial(pass_hands, 4, policy="equilibrium", deals=500_000, seed=SEED, progress=False),
    ),
    Recipe(
        "passing/tournament-4",
        "pass policies against each other, 4 players",
        partial(pass_tournament, 4, policies=POLICIES, deals=50_000, hands=150, seed=SEED, progress=False),
    ),
    Recipe(
        "passing/levels-4",
        "weights of the pass policies, 4 players",
        partial(pass_levels, 4, hands=4_000, deals=512, seed=SEED, progress=False),
        False,
    ),
    Recipe(
        "anaconda/characters",
        "whole hands of Anaconda, four ways to bet",
        partial(anaconda, 4, strategies="solid,tight,loose,bluffer", deals=200_000, seed=SEED, progress=False),
    ),
    Recipe(
        "anaconda/tournament",
        "betting strategies against each other, 4 players",
        partial(anaconda_tournament, 4, deals=10_000, seed=SEED, progress=False),
    ),
    Recipe(
        "anaconda/orders",
        "what the order of reveal is worth, 4 players",
        partial(anaconda_orders, 4, deals=200_000, seed=SEED, progress=False),
    ),
)


@interruptible
def reproduce(
    only: str | Sequence[str] | None = None,
    *,
    out: str | os.PathLike[str] = "results",
    check: bool = False,
    progress: bool | None = None,
) -> Result:
    """Make the reference tables and charts again, or check that they come out the same.

    Parameters
    ----------
    only : str or sequence of str, optional
        Parts of names, such as ``"cascade/"``: make only the files that have one of them in their name.
    out : path-like
        Folder of the files; those for its subfolders are made.
    check : bool
        Compute, write nothing, and compare with what is there.
    progress : bool, optional
        Whether to show a progress bar; by default on a terminal.

    Returns
    -------
    Result
        ``results["rows"]``: ``name``, ``content``, ``status`` and ``digest`` of each. The status is ``same`` if digest
        and table are those on file, ``close`` if all numbers agree to nine digits, and otherwise ``written``, or with
        ``check`` ``differs`` or ``missing``. ``results["passed"]`` says whether all are the same or close. Records
        that are the same are left as they are; charts are always drawn.

    Raises
    ------
    InputError
        Nothing has such a name, or the folder cannot be written to.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     made = reproduce("cascade/5-players-no-cap", out=folder)
    ...     again = reproduce("cascade/5-players-no-cap", out=folder, check=True)
    >>> made.rows[0]["status"], again.rows[0]["status"]
    ('written', 'same')
    """
    folder = Path(out)
    chosen = choose_recipes(only)
    rows = []
    with progress_bar(len(chosen), progress, "tables") as bar:
        for recipe in chosen:
            result = recipe.make()
            if not result.complete:  # a study that is interrupted returns what it has
                raise KeyboardInterrupt
            status = _compare(recipe, result, folder)
            if not check:
                status = _write(recipe, result, folder, status)
            rows.append({"name": recipe.name, "content": recipe.content, "status": status, "digest": result.digest})
            bar.advance(1)
    good = (SAME, CLOSE) if check else (SAME, CLOSE, WRITTEN)
    passed = all(row["status"] in good for row in rows)
    body = [[row["name"], row["status"], row["digest"][:16]] for row in rows]
    n_written = sum(row["status"] == WRITTEN for row in rows)
    n_agree = sum(row["status"] in (SAME, CLOSE) for row in rows)
    outcome = f"{n_agree} of {len(rows)} as on file" + (f", {n_written} written." if n_written else ".")
    return counted_result(
        "reproduce",
        rules={},
        parameters={"only": only, "check": check},
        results={"passed": passed, "rows": rows},
        rows=rows,
        lines=[*table(["file", "status", "digest"], body), "", outcome],
    )


def list_recipes() -> Result:
    """List the reference tables and charts.

    Returns
    -------
    Result
        One row for each: ``name``, ``content`` and ``files``.

    Examples
    --------
    >>> list_recipes().rows[0]["files"]
    ['thresholds/two-cards.csv', 'thresholds/two-cards.csv.json', 'thresholds/two-cards.png']
    """
    rows = [{"name": recipe.name, "content": recipe.content, "files": recipe.files} for recipe in RECIPES]
    body = [[recipe.name, "chart" if recipe.has_chart else "", recipe.content] for recipe in RECIPES]
    width = max(len(recipe.name) for recipe in RECIPES)
    lines = [f"{name:<{width}}  {chart:<5}  {content}" for name, chart, content in body]
    return counted_result("reproduce list", rules={}, parameters={}, results={"rows": rows}, rows=rows, lines=lines)


def choose_recipes(only: str | Sequence[str] | None) -> list[Recipe]:
    """Those whose names contain one of the texts; all if there is none.

    Examples
    --------
    >>> [recipe.name for recipe in choose_recipes("phase")]
    ['cascade/phase-5-players']
    """
    parts = [only] if isinstance(only, str) else list(only or [""])  # every name contains the empty text
    for part in parts:
        if not any(part in recipe.name for recipe in RECIPES):
            raise InputError(f"only: no table has {part!r} in its name; names are {', '.join(r.name for r in RECIPES)}")
    return [recipe for recipe in RECIPES if any(part in recipe.name for part in parts)]


def _compare(recipe: Recipe, result: Result, folder: Path) -> str:
    """How the result agrees with the files."""
    if not all((folder / file).is_file() for file in recipe.files):
        return MISSING
    try:
        record = load(folder / f"{recipe.name}.csv")
    except InputError:
        return DIFFERS
    on_file = (folder / f"{recipe.name}.csv").read_text(encoding="utf-8")
    if record["digest"] == result.digest and on_file == result.to_csv():
        return SAME
    computed = {key: value for key, value in result.as_dict().items() if key not in ("digest", "provenance")}
    recorded = {key: value for key, value in record.items() if key not in ("digest", "provenance")}
    is_close = agree(computed, recorded) and agree(_cells(result.to_csv()), _cells(on_file))
    return CLOSE if is_close else DIFFERS


def _cells(table: str) -> list[list[Any]]:
    """Rows of a CSV table, fractional numbers as such."""
    return [[_cell(text) for text in row] for row in csv.reader(table.splitlines())]


def _cell(text: str) -> Any:
    if text.isdecimal():
        return text
    try:
        return float(text)
    except ValueError:
        return text


def agree(a: Any, b: Any) -> bool:
    """Whether two records are equal but for the last digits of numbers.

    Examples
    --------
    >>> agree({"ev": [0.1 + 0.2]}, {"ev": [0.3]}), agree({"ev": [0.3]}, {"ev": [0.3001]})
    (True, False)
    """
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(agree(a[key], b[key]) for key in a)
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(agree, a, b))
    if isinstance(a, float) and isinstance(b, int | float):
        return math.isclose(a, b, rel_tol=TOLERANCE, abs_tol=TOLERANCE)
    return type(a) is type(b) and bool(a == b)


def _write(recipe: Recipe, result: Result, folder: Path, status: str) -> str:
    target = folder / f"{recipe.name}.csv"
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{target.parent}: {error.strerror}; choose another folder") from None
    if status not in (SAME, CLOSE):
        result.save(target)
        status = WRITTEN
    if recipe.has_chart:
        result.plot(target.with_suffix(".png"))
    return status
