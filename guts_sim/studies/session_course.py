"""How the balances of a session spread from its beginning to its end."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from guts_sim.checks import check_count
from guts_sim.engine import progress_bar, resolve_seed
from guts_sim.errors import InputError
from guts_sim.interruption import interruptible
from guts_sim.provenance import Stopwatch
from guts_sim.results import Result
from guts_sim.studies.session import DEFAULT_CYCLES, MAX_LENGTH, SessionResult, session
from guts_sim.studies.session_answers import group_rows
from guts_sim.studies.text import figure, table

DEFAULT_POINTS = 10
MAX_POINTS = 100
NOT_FOR_COURSES = ("checkpoint", "precision")


@interruptible
def session_course(
    n_players: int | None = None,
    *,
    points: int = DEFAULT_POINTS,
    cycles: int | None = None,
    rounds: int | None = None,
    seed: int | None = None,
    progress: bool | None = None,
    **arguments: Any,
) -> Result:
    """Follow sessions through their course: balances after some of the cycles, up to the last.

    Every point shows the same sessions, on the same deals, as if they had ended there.

    Parameters
    ----------
    n_players : int, optional
        2 to 10; may be left out if ``players`` names them all.
    points : int
        How many points of the course to look at, at equal distances; fewer if a session is shorter.
    cycles, rounds : int, optional
        Length of a session: so many cycles (10 if neither is given), or so many rounds.
    seed : int, optional
        Seed of the deals; drawn and recorded if not given.
    progress : bool, optional
        See `guts_sim.run_blocks`; the bar counts points.
    **arguments
        Further arguments of `guts_sim.session` and rule switches. Neither ``checkpoint`` nor ``precision``: all
        points need the same number of sessions.

    Returns
    -------
    Result
        ``results["points"]`` has, for every length (``length``, in ``results["unit"]``), ``seats`` and ``strategies``
        as `guts_sim.session` gives them. The table has a row per length and seat, then per length and strategy that
        several seats play.

    Raises
    ------
    InputError
        An argument is not allowed, or a strategy does not fit the rules.

    Examples
    --------
    >>> course = session_course(3, field="K4+", cycles=6, points=3, sessions=2000, seed=1)
    >>> [point["length"] for point in course.results["points"]]
    [2, 4, 6]
    >>> last = session(3, field="K4+", cycles=6, sessions=2000, seed=1)
    >>> course.results["points"][-1]["seats"] == last.results["seats"]
    True
    """
    with Stopwatch() as watch:
        for name in NOT_FOR_COURSES:
            if arguments.get(name) is not None:
                raise InputError(f"{name}: a course needs the same number of sessions at all points; leave it out")
        if cycles is not None and rounds is not None:
            raise InputError("cycles, rounds: a session has one length; give one of them")
        unit = "cycles" if rounds is None else "rounds"
        whole = DEFAULT_CYCLES if cycles is None and rounds is None else (cycles if rounds is None else rounds)
        whole = check_count(whole, unit, maximum=MAX_LENGTH)
        lengths = _lengths(whole, check_count(points, "points", maximum=MAX_POINTS))
        seed = resolve_seed(seed)
        found: list[SessionResult] = []
        with progress_bar(len(lengths), progress, "points") as bar:
            for length in lengths:
                here: dict[str, Any] = {unit: length}
                result = session(n_players, **here, seed=seed, progress=False, **arguments)
                if not result.complete:
                    break  # its number of sessions is not that of the others
                found.append(result)
                bar.advance(1)
        if not found:
            raise KeyboardInterrupt
    return replace(_gathered(found, lengths, unit, points), timing=watch.as_dict())


def _lengths(whole: int, points: int) -> list[int]:
    """Lengths at equal distances up to the whole one."""
    return sorted({int(length) for length in np.ceil(np.linspace(0, whole, min(points, whole) + 1)[1:])})


def _gathered(found: Sequence[SessionResult], lengths: Sequence[int], unit: str, points: int) -> Result:
    """One result of all points."""
    last = found[-1]
    kept = ("seats", "strategies", "rounds", "ends")
    rows = [{"length": length} | row for length, result in zip(lengths, found) for row in group_rows(result.results)]
    results = {
        "n_players": last.results["n_players"],
        "cards": last.results["cards"],
        "unit": unit,
        "points": [{"length": n} | {key: one.results[key] for key in kept} for n, one in zip(lengths, found)],
        "notes": last.results["notes"],
    }
    return Result(
        command="session course",
        rules=last.rules,
        parameters=dict(last.parameters) | {unit: lengths[-1], "points": points},
        method="mc",
        n=last.n,
        seed=last.seed,
        confidence=last.confidence,
        complete=len(found) == len(lengths),
        results=results,
        rows=rows,
        lines=_lines(results),
    )


def _lines(results: dict[str, Any]) -> list[str]:
    unit = results["unit"]
    body = []
    for point in results["points"]:
        for seat in point["seats"]:
            net = seat["net"]
            if net is None:
                body.append([str(point["length"]), seat["name"], "unknown", "", "", "", "", ""])
                continue
            spread = [str(net["quantiles"][q]) for q in ("0.05", "0.5", "0.95")]
            ahead = f"{100 * seat['p_ahead']['value']:.2f} %"
            mean = [f"{net['value']:+.4f}", figure(net["stderr"], ".4f")]
            body.append([str(point["length"]), seat["name"], *mean, *spread, ahead])
    header = [unit, "player", "net, chips", "stderr", "5 %", "median", "95 %", "ahead"]
    return [
        f"Guts, {results['n_players']} players, {results['cards']} cards: balances in the course of a session",
        "",
        *table(header, body),
    ]
