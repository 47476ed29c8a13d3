"""Rules of thumb of home players, each put to the test."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import replace

from guts_sim.checks import shown
from guts_sim.errors import InputError
from guts_sim.interruption import interruptible
from guts_sim.provenance import Stopwatch
from guts_sim.results import Result
from guts_sim.studies.folklore_findings import Judgement
from guts_sim.studies.folklore_players import judge_collusion, judge_loss_limit
from guts_sim.studies.folklore_pots import judge_crowds, judge_growth, judge_signal, judge_table_size
from guts_sim.studies.folklore_text import folklore_lines
from guts_sim.studies.folklore_thresholds import judge_face_pairs, judge_pot_size, judge_tens_or_better
from guts_sim.studies.measurement import RunOptions, read_run_options

DEFAULT_DEALS = 200_000

RULES: Mapping[str, Callable[[RunOptions], Judgement]] = {
    "F1": judge_tens_or_better,
    "F2": judge_face_pairs,
    "F3": judge_pot_size,
    "F4": judge_crowds,
    "F5": judge_growth,
    "F6": judge_signal,
    "F7": judge_collusion,
    "F8": judge_table_size,
    "F9": judge_loss_limit,
}


@interruptible
def folklore(
    only: str | Sequence[str] | None = None,
    *,
    deals: int | None = None,
    seed: int | None = None,
    confidence: float = 0.95,
    workers: int | None = None,
    executor: Executor | None = None,
    progress: bool | None = None,
) -> Result:
    """Put the rules of thumb of home players to the test, for two and three cards and 2 to 10 players.

    Parameters
    ----------
    only : str or sequence of str, optional
        Rules to judge, ``"F1"`` to ``"F9"``; default all.
    deals : int, optional
        Deals for each number that is not counted; default 200,000, which takes less than a minute in all.
    seed, confidence, workers, executor, progress
        See `guts_sim.threshold`.

    Returns
    -------
    Result
        ``results["rules"]`` has for each rule what it says, by what it is judged, the verdict by kind of hands and a
        sentence on it; ``results["findings"]``, the rows, every number behind it.

    Raises
    ------
    InputError
        There is no such rule, or another argument is not allowed.

    Examples
    --------
    >>> rule = folklore("F1").results["rules"][0]
    >>> rule["verdicts"]
    {'2 cards': 'false'}
    """
    with Stopwatch() as watch:
        names = _checked_names(only)
        options = read_run_options(deals, DEFAULT_DEALS, seed, confidence, workers, executor, progress)
        judged = [RULES[name](options) for name in names]
        rows = [finding.as_row() for one in judged for finding in one.findings]
        results = {"rules": [one.as_dict() for one in judged], "findings": rows}
        sampled = any(row["n"] for row in rows)
        result = Result(
            command="folklore",
            rules={},
            parameters={"only": names, "deals": options.n_deals},
            method="mc" if sampled else "exact",
            n=options.n_deals if sampled else 0,
            seed=options.seed if sampled else None,
            confidence=options.confidence,
            complete=True,
            results=results,
            rows=rows,
            lines=folklore_lines(results),
        )
    return replace(result, timing=watch.as_dict())


def _checked_names(only: str | Sequence[str] | None) -> list[str]:
    if only is None:
        return list(RULES)
    given = list(only) if isinstance(only, Iterable) and not isinstance(only, str) else [only]
    names = [name.strip().upper() if isinstance(name, str) else name for name in given]
    unknown = [name for name in names if not isinstance(name, str) or name not in RULES]
    if unknown or not names:
        what = shown(unknown[0]) if unknown else "nothing"
        raise InputError(f"only: {what} is no rule of thumb; choose from {', '.join(RULES)}")
    return sorted(set(names))
