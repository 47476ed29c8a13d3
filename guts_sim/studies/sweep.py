"""One study at every point of a grid, as one tidy table."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from math import prod
from numbers import Number
from typing import TYPE_CHECKING, Any

from guts_sim.checks import check_count, shown
from guts_sim.engine import progress_bar, resolve_seed, run_blocks
from guts_sim.errors import InputError
from guts_sim.interruption import interruptible
from guts_sim.results import Result
from guts_sim.rules import GutsRules
from guts_sim.studies.replay import named_study

if TYPE_CHECKING:
    import pandas as pd

MAX_POINTS = 1_000_000
TABLES = ("answers", "rows")


@interruptible
def sweep(
    study: str | Callable[..., Result],
    grid: Mapping[str, Iterable[Any]],
    *,
    table: str = "answers",
    seed: int | None = None,
    workers: int | None = None,
    executor: Executor | None = None,
    progress: bool | None = None,
    **common: Any,
) -> "pd.DataFrame":
    """Call a study at every point of a grid and gather the answers in one table.

    Parameters
    ----------
    study : str or callable
        Name of a study (``"cascade"``, ``"best-response"``) or the function itself. Functions of one's own that
        return a `Result` will do; for an executor of processes they must be importable.
    grid : mapping of str to sequence
        Values of arguments, rule switches included: all combinations are taken, the last name varying fastest.
    table : {"answers", "rows"}
        ``"answers"``: one row per point with every single number, word and truth value of ``results``, those of a
        group under ``group.name``. ``"rows"``: the main tables of all points, one below the other.
    seed : int, optional
        Seed of every point, unless the grid has seeds; drawn if not given. Points share their deals, so that
        differences between them are less noisy than the points themselves.
    workers : int, optional
        Threads for each point; with ``executor`` the number of its workers (None: what it says of itself).
    executor : concurrent.futures.Executor, optional
        Where to compute the points, each with one thread; without it one point after another, each on all threads.
    progress : bool, optional
        See `guts_sim.run_blocks`; the bar counts points.
    **common
        Further arguments of the study, the same at every point.

    Returns
    -------
    pandas.DataFrame
        The grid's columns, then those of the table, then ``method``, ``n``, ``seed`` and ``digest``.
        ``frame.attrs["complete"]`` is False after Ctrl-C, when only points that were finished are in it.

    Raises
    ------
    InputError
        An argument is not allowed at some point; the message names the point.

    Examples
    --------
    >>> frame = sweep("cascade", {"n_players": [3, 5], "cap": [20, None]}, field="A4+", reserve=False)
    >>> frame[["n_players", "cap", "expected_multiplier"]].round(4).to_string(index=False).splitlines()[1]
    '         3 20.0               0.6257'
    """
    import pandas as pd

    axes = _axes(grid, common)
    n_points = check_count(prod(map(len, axes.values())), "points of the grid", maximum=MAX_POINTS)
    if table not in TABLES:
        raise InputError(f"table: {shown(table)} is not allowed; choose {' or '.join(TABLES)}")
    shared = dict(common)
    if "seed" not in axes:
        shared["seed"] = resolve_seed(seed)
    elif seed is not None:
        raise InputError("seed: it is in the grid as well; give it once")
    inside = {"workers": workers if executor is None else 1, "progress": False}
    task = _Point(named_study(study) if isinstance(study, str) else study, table, axes, shared | inside)
    found: list[dict[str, Any]] = []

    def add(_start: int, _stop: int, rows: list[dict[str, Any]]) -> None:
        found.extend(rows)

    with progress_bar(n_points, progress, unit="points") as bar:
        status = run_blocks(
            task,
            n_points,
            add,
            block_size=1,
            workers=1 if executor is None else workers,
            executor=executor,
            progress=bar,
        )
    if not found:
        raise KeyboardInterrupt
    frame = pd.DataFrame(found)
    frame.attrs["complete"] = status.complete
    return frame


def _axes(grid: Mapping[str, Iterable[Any]], common: Mapping[str, Any]) -> dict[str, Sequence[Any]]:
    """Values of a grid by name."""
    if not isinstance(grid, Mapping) or not grid:
        raise InputError(f"grid: {shown(grid)} is not allowed; give values by argument, as in {{'n_players': [3, 5]}}")
    axes: dict[str, Sequence[Any]] = {}
    for name, values in grid.items():
        if not isinstance(name, str) or isinstance(values, str) or not isinstance(values, Iterable):
            raise InputError(f"grid: {shown(name)} needs a list of values, got {shown(values)}")
        if name in common or name in ("workers", "executor", "progress"):
            raise InputError(f"grid: {name} is given outside the grid as well, or no matter of the grid")
        axes[name] = list(values)
        if not axes[name]:
            raise InputError(f"grid: {name} has no values")
    return axes


@dataclass(frozen=True, eq=False)
class _Point:
    """Compute one point; can be sent to other processes."""

    study: Callable[..., Result]
    table: str
    axes: Mapping[str, Sequence[Any]]
    common: Mapping[str, Any]

    def __call__(self, start: int, _stop: int) -> list[dict[str, Any]]:
        """Rows of the table that belong to the point of that number."""
        arguments: dict[str, Any] = {}
        number = start
        for name, values in reversed(list(self.axes.items())):
            number, place = divmod(number, len(values))
            arguments[name] = values[place]
        arguments = {name: arguments[name] for name in self.axes}
        try:
            result = self.study(**arguments, **self.common)
        except InputError as error:
            where = ", ".join(f"{name} {shown(value)}" for name, value in arguments.items())
            raise InputError(f"at {where}: {error}") from None
        if not result.complete:
            raise KeyboardInterrupt
        point = {name: _cell(value) for name, value in arguments.items()}
        about = {"method": result.method, "n": result.n, "seed": result.seed, "digest": result.digest}
        bodies = [_flat(result.results)] if self.table == "answers" else result.rows
        return [point | {name: value for name, value in body.items() if name not in point} | about for body in bodies]


def _cell(value: Any) -> Any:
    """Value of an argument as a table shows it."""
    if value is None or isinstance(value, str | Number):
        return value
    if isinstance(value, GutsRules):
        return value.profile
    return getattr(value, "spec", None) or str(value)


def _flat(results: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """Single values of nested results, under their path; lists are left out."""
    flat: dict[str, Any] = {}
    for name, value in results.items():
        if isinstance(value, Mapping):
            flat |= _flat(value, f"{prefix}{name}.")
        elif value is None or isinstance(value, str | Number):
            flat[prefix + name] = value
    return flat
