"""Tables over many calls of a study: one row for each number of players, or for each hand."""

from collections.abc import Mapping, Sequence
from concurrent.futures import Executor
from typing import Any

from guts_sim.checks import check_count
from guts_sim.engine import progress_bar, resolve_seed
from guts_sim.hands import class_names
from guts_sim.interruption import interruptible
from guts_sim.provenance import Stopwatch
from guts_sim.results import Result
from guts_sim.rules import MAX_PLAYERS, MIN_PLAYERS
from guts_sim.studies.coalition import coalition
from guts_sim.studies.odds import odds
from guts_sim.studies.text import percent, table, with_error
from guts_sim.studies.threshold import checked_effort, threshold

PLAYERS = range(MIN_PLAYERS, MAX_PLAYERS + 1)
DEFAULT_DEALS = 100_000
SUITS = "cd"  # with two cards suits decide nothing: any two will do


@interruptible
def threshold_table(
    cards: int = 2,
    *,
    deals: int | None = None,
    seed: int | None = None,
    confidence: float = 0.95,
    workers: int | None = None,
    executor: Executor | None = None,
    progress: bool | None = None,
    effort: float = 1.0,
) -> Result:
    """Equilibrium and best pure threshold for every number of players.

    Parameters
    ----------
    cards : int
        Cards per player, 2 or 3. Two cards are counted exactly, three measured on deals from four players on.
    deals : int, optional
        Deals to measure on where counting is not possible; default 100,000.
    seed : int, optional
        Seed of these deals, the same for every number of players; drawn and recorded if not given.
    confidence : float
        Coverage of the intervals.
    workers, executor, progress
        See `guts_sim.run_blocks`; the bar counts numbers of players.
    effort : float
        Factor of the number of deals on which equilibria are sought; see `guts_sim.threshold`.

    Returns
    -------
    Result
        One row per number of players. ``results["hands"]`` has a row per hand class, the strongest first, with lists
        over ``results["players"]``: entry probability (``enter``) and in minus out in pots per deal (``delta``) with
        its standard error. The chart shows hands against players.

    Raises
    ------
    InputError
        An argument is not allowed.

    Examples
    --------
    >>> rows = threshold_table(2).rows
    >>> [row["threshold"] for row in rows]
    ['J7', 'K4', 'A2', 'A4', 'A7', 'A9', 'AT', 'AJ', 'AQ']
    """
    with Stopwatch() as watch:
        cards = check_count(cards, "cards", minimum=2, maximum=3)
        is_sampled = cards == 3
        if is_sampled:
            deals, seed = DEFAULT_DEALS if deals is None else deals, resolve_seed(seed)
        run: dict[str, Any] = {"confidence": confidence, "workers": workers, "executor": executor, "progress": False}
        effort = checked_effort(effort)
        found = []
        with progress_bar(len(PLAYERS), progress, "tables") as bar:
            for n in PLAYERS:
                found.append(threshold(n, cards=cards, deals=deals, seed=seed, effort=effort, **run))
                if not found[-1].complete:
                    raise KeyboardInterrupt
                bar.advance(1)
        rows = [_threshold_row(result) for result in found]
    return _collected(
        "threshold table",
        {"cards": cards, "deals": deals, **({} if effort == 1.0 else {"effort": effort})},
        rows,
        watch,
        lines=_threshold_lines(cards, rows),
        more={"cards": cards, "players": list(PLAYERS), "hands": _hand_rows(found)},
        deals=deals if is_sampled else None,
        seed=seed if is_sampled else None,
        confidence=confidence,
    )


def _threshold_lines(cards: int, rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """The main columns as text."""
    header = [
        "players",
        "best threshold",
        "of all hands",
        "its exploitability",
        "equilibrium enters",
        "pot multiplied by",
    ]
    body = [
        [
            row["n_players"],
            row["threshold"],
            percent(row["threshold_entry_prob"], 2),
            with_error(row["threshold_exploitability"], row["threshold_exploitability_stderr"]),
            percent(row["entry_prob"], 2),
            f"{row['expected_multiplier']:.4f}",
        ]
        for row in rows
    ]
    return [f"Guts, {cards} cards: with what to stay in (payoffs in pots per round)", "", *table(header, body)]


def _hand_rows(found: Sequence[Result]) -> list[dict[str, Any]]:
    """One row per hand class with what is known of it at every number of players."""
    tables = [result.results["equilibrium"]["hands"] for result in found]
    return [
        {"hand": rows[0]["hand"], "frequency": rows[0]["frequency"]}
        | {key: [row[key] for row in rows] for key in ("enter", "delta", "stderr")}
        for rows in zip(*tables, strict=True)
    ]


def _threshold_row(result: Result) -> dict[str, Any]:
    found, pure = result.results, result.results["threshold"]
    return {
        "n_players": found["n_players"],
        "method": result.method,
        "entry_prob": found["equilibrium"]["entry_prob"],
        **_estimate("exploitability", found["exploitability"]),
        "threshold": pure["hand"],
        "threshold_entry_prob": pure["entry_prob"],
        **_estimate("threshold_exploitability", pure["exploitability"]),
        "p_nobody": found["round"]["p_nobody"],
        "p_one": found["round"]["p_one"],
        "expected_multiplier": found["round"]["expected_multiplier"],
        "tail_index": found["round"]["tail_index"],
        **_estimate("house_rule_exploitability", found["folk_rule"]["exploitability"]),
    }


def _estimate(name: str, estimate: Mapping[str, float]) -> dict[str, float]:
    return {name: estimate["value"]} | {f"{name}_{key}": estimate[key] for key in ("stderr", "ci_low", "ci_high")}


@interruptible
def odds_table() -> Result:
    """Equity of every hand of two cards against one to nine random hands at the showdown, counted exactly.

    Returns
    -------
    Result
        One row per hand, the strongest first: ``hand`` and ``against_1`` to ``against_9``, shares of the pot. The chart
        shows hands against opponents.

    Examples
    --------
    >>> odds_table().rows[0]["against_1"] > 0.99
    True
    """
    with Stopwatch() as watch:
        rows = []
        for name in reversed(class_names("guts2")):
            cards = " ".join(rank + suit for rank, suit in zip(name, SUITS))
            equities = odds(cards, n_players=MAX_PLAYERS).rows
            rows.append({"hand": name} | {f"against_{row['opponents']}": row["equity"] for row in equities})
    return _collected("odds table", {}, rows, watch)


def coalition_table(most_players: int = MAX_PLAYERS) -> Result:
    """What all others win from one honest player with continuous hands, for three players and more.

    Parameters
    ----------
    most_players : int
        Number of players of the last row.

    Returns
    -------
    Result
        One row per number of players.

    Examples
    --------
    >>> round(coalition_table(3).rows[0]["value"], 5)
    -0.01329
    """
    with Stopwatch() as watch:
        rows = []
        for n in range(MIN_PLAYERS + 1, most_players + 1):
            found = coalition(n).results
            rows.append(
                {
                    "n_players": n,
                    "honest_entry_prob": found["honest"]["entry_prob"],
                    "value": found["value"],
                    "gain_per_colluder": found["gain_per_colluder"],
                    "value_at_equilibrium": found["equilibrium"]["value"],
                }
            )
    return _collected("coalition table", {}, rows, watch)


def _collected(
    command: str,
    parameters: Mapping[str, Any],
    rows: Sequence[dict[str, Any]],
    watch: Stopwatch,
    *,
    lines: Sequence[str] | None = None,
    more: Mapping[str, Any] | None = None,
    deals: int | None = None,
    seed: int | None = None,
    confidence: float = 0.95,
) -> Result:
    if lines is None:
        lines = table(list(rows[0]), [[_cell(value) for value in row.values()] for row in rows])
    return Result(
        command=command,
        rules={},
        parameters=parameters,
        method="exact" if deals is None else "mc",
        n=deals or 0,
        seed=seed,
        confidence=confidence,
        complete=True,
        results={"rows": list(rows)} | dict(more or {}),
        rows=rows,
        lines=lines,
        timing=watch.as_dict(),
    )


def _cell(value: Any) -> str:
    return f"{value:.6g}" if isinstance(value, float) else str(value)
