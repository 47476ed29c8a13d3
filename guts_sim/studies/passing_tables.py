"""Pass policies against each other: a tournament with exploitability, and the hands that passing leads to."""

from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from guts_sim.checks import check_count
from guts_sim.engine import run_blocks
from guts_sim.engine.progress import progress_bar
from guts_sim.errors import InputError
from guts_sim.estimate import BatchSums, Estimate, exact, mean_share
from guts_sim.hands import get_ranking
from guts_sim.interruption import interruptible
from guts_sim.passing import PassPolicy, get_policy, parse_passes
from guts_sim.provenance import Stopwatch
from guts_sim.results import Result, Row
from guts_sim.studies.measurement import RunOptions, read_run_options
from guts_sim.studies.passing_input import MOST_PLAYERS, GivenPolicy, anaconda_rules, recorded_policy
from guts_sim.studies.passing_levels import hand_values, judge
from guts_sim.studies.passing_sampling import PassKeys, TableTask
from guts_sim.studies.passing_text import hands_lines, tournament_lines

TOURNAMENT = ("lowest", "keep-best", "random", "level-1", "level-2", "equilibrium")
DEFAULT_DEALS = 100_000
DEFAULT_HANDS_DEALS = 400_000
DEFAULT_HANDS = 400
CHOOSING_DEALS = 4_096
BLOCK_SIZE = 1 << 13


@interruptible
def pass_tournament(
    n_players: int = 4,
    *,
    policies: Sequence[GivenPolicy] = TOURNAMENT,
    passes: str = "3L",
    deals: int | None = None,
    hands: int = DEFAULT_HANDS,
    seed: int | None = None,
    confidence: float = 0.95,
    workers: int | None = None,
    executor: Executor | None = None,
    progress: bool | None = None,
) -> Result:
    """Let every pass policy meet tables of every other one, and say how much a best reply would gain.

    Parameters
    ----------
    n_players : int
        2 to 7, all of whom go to the showdown.
    policies : sequence
        Two or more; see `guts_sim.passing.get_policy`.
    passes : str
        See `guts_sim.pass_values`. Exploitability is measured for the single pass of three to the left only.
    deals : int, optional
        Deals per pairing, the same cards for all; default 100,000.
    hands : int
        Random hands on which the best reply is sought, each with 8,192 deals of the opponents.
    seed, confidence, workers, executor, progress
        See `guts_sim.threshold`.

    Returns
    -------
    Result
        ``results["rows"]``: ``policy``, ``field`` (what all others play), ``equity`` with ``stderr`` and interval;
        exactly 1/N against one's own kind. ``results["exploitability"]``: by policy, ``attainable`` equity of a best
        reply when everybody else plays it, the ``gain`` over following it, with ``stderr`` and interval.

    Raises
    ------
    InputError
        A policy or programme is unknown, or there are fewer than two policies.

    Examples
    --------
    >>> table = pass_tournament(4, policies=["lowest", "level-1"], deals=2_000, hands=10, seed=1)
    >>> [row["equity"] > 0.25 for row in table.rows if row["policy"] != row["field"]]
    [False, True]
    """
    with Stopwatch() as watch:
        n_players = check_count(n_players, "n_players", 2, MOST_PLAYERS)
        program = parse_passes(passes, n_players)
        found = [get_policy(policy, n_players) for policy in policies]
        names = [policy.name for policy in found]
        if len(found) < 2 or len(set(names)) < len(names):
            raise InputError(f"policies: at least two different ones are wanted, got {', '.join(names) or 'none'}")
        n_hands = check_count(hands, "hands", 2)
        options = read_run_options(deals, DEFAULT_DEALS, seed, confidence, workers, executor, progress)
        parameters = {
            "n_players": n_players,
            "policies": [recorded_policy(given, read) for given, read in zip(policies, found)],
            "passes": program.text,
            "deals": options.n_deals,
            "hands": n_hands,
        }
        quiet = replace(options, progress=False)
        n_pairings = len(found) * (len(found) - 1) + len(found) * program.is_one_left
        rows: list[Row] = []
        complete = True
        gains = []
        with progress_bar(n_pairings, progress) as bar:
            for own in found:
                for field in found:
                    estimate, whole = _pairing(own, field, n_players, program.passes, quiet)
                    if not whole:  # a table with holes is of no use
                        raise KeyboardInterrupt
                    rows.append({"policy": own.name, "field": field.name} | _equity(estimate))
                    bar.advance(int(own is not field))
            if program.is_one_left:
                for policy in found:
                    gain, complete = _exploitability(policy, n_players, n_hands, quiet)
                    gains.append(gain)
                    bar.advance(1)
                    if not complete:
                        break
        results = {"n_players": n_players, "policies": names, "rows": rows, "exploitability": gains}
        result = Result(
            command="pass tournament",
            rules=anaconda_rules(program.text),
            parameters=parameters,
            method="mc",
            n=options.n_deals,
            seed=options.seed,
            confidence=options.confidence,
            complete=complete,
            results=results,
            rows=rows,
            lines=tournament_lines(results),
        )
    return replace(result, timing=watch.as_dict())


@interruptible
def pass_hands(
    n_players: int = 4,
    *,
    policy: GivenPolicy = "lowest",
    passes: str = "3L",
    deals: int | None = None,
    seed: int | None = None,
    confidence: float = 0.95,
    workers: int | None = None,
    executor: Executor | None = None,
    progress: bool | None = None,
) -> Result:
    """How often each category of hands comes after passing: any player's hand, and the one that wins.

    Parameters
    ----------
    n_players : int
        2 to 7. After a single pass a player's own hand does not depend on it, the winner's does.
    policy : str, PassPolicy or mapping
        What everybody passes; see `guts_sim.passing.get_policy`.
    passes : str
        See `guts_sim.pass_values`.
    deals : int, optional
        Default 400,000.
    seed, confidence, workers, executor, progress
        See `guts_sim.threshold`.

    Returns
    -------
    Result
        ``results["rows"]``, the strongest category first: ``category``, ``before`` (counted exactly, best five of
        seven), ``after`` and ``winner``, each with its standard error.

    Raises
    ------
    InputError
        The policy or programme is unknown, or a number is out of range.

    Examples
    --------
    >>> rows = pass_hands(4, policy="lowest", deals=20_000, seed=1).rows
    >>> rows[0]["category"], abs(sum(row["after"] for row in rows) - 1) < 1e-12
    ('straight flush', True)
    """
    with Stopwatch() as watch:
        n_players = check_count(n_players, "n_players", 2, MOST_PLAYERS)
        program = parse_passes(passes, n_players)
        found = get_policy(policy, n_players)
        options = read_run_options(deals, DEFAULT_HANDS_DEALS, seed, confidence, workers, executor, progress)
        sums = BatchSums(BLOCK_SIZE)
        run_blocks(
            TableTask(PassKeys.of(options.seed), program.passes, (found,) * n_players),
            options.n_deals,
            lambda start, stop, counts: sums.add(start, stop, counts[1]),
            block_size=BLOCK_SIZE,
            workers=workers,
            executor=executor,
            progress=progress,
        )
        if sums.n == 0:
            raise KeyboardInterrupt
        rows = _category_rows(sums)
        results = {"n_players": n_players, "policy": found.name, "rows": rows}
        result = Result(
            command="pass hands",
            rules=anaconda_rules(program.text),
            parameters={
                "n_players": n_players,
                "policy": recorded_policy(policy, found),
                "passes": program.text,
                "deals": options.n_deals,
            },
            method="mc",
            n=sums.n,
            seed=options.seed,
            confidence=options.confidence,
            complete=sums.n == options.n_deals,
            results=results,
            rows=rows,
            lines=hands_lines(results, program.text),
        )
    return replace(result, timing=watch.as_dict())


def _pairing(
    own: PassPolicy, field: PassPolicy, n_players: int, passes: tuple[tuple[int, int], ...], options: RunOptions
) -> tuple[Estimate, bool]:
    """Equity of one player among others who all play ``field``."""
    if own is field:
        return exact(1 / n_players, options.confidence), True
    outcomes = np.zeros(n_players + 1, np.int64)

    def add(_start: int, _stop: int, counts: tuple[NDArray[np.int64], NDArray[np.int64]]) -> None:
        outcomes[...] += counts[0]

    status = run_blocks(
        TableTask(PassKeys.of(options.seed), passes, (own, *(field,) * (n_players - 1))),
        options.n_deals,
        add,
        block_size=BLOCK_SIZE,
        workers=options.workers,
        executor=options.executor,
        progress=options.progress,
    )
    if not outcomes.any():
        raise KeyboardInterrupt
    shares = np.concatenate([[0.0], 1.0 / np.arange(1, n_players + 1)])
    return mean_share(shares, outcomes, options.confidence), status.complete


def _exploitability(
    policy: PassPolicy, n_players: int, n_hands: int, options: RunOptions
) -> tuple[dict[str, Any], bool]:
    """What the best reply to a table of one policy earns, and how much that is above 1/N."""
    values = hand_values(policy, n_players, n_hands, replace(options, n_deals=CHOOSING_DEALS))
    reply = judge(values, policy, options.confidence)
    row = {
        "policy": policy.name,
        "attainable": 1 / n_players + reply.gain.value,  # following the policy earns exactly 1/N
        "gain": reply.gain.value,
        "stderr": reply.gain.stderr,
        "ci_low": reply.gain.ci_low,
        "ci_high": reply.gain.ci_high,
    }
    return row, values.complete


def _equity(estimate: Estimate) -> dict[str, float]:
    return {
        "equity": estimate.value,
        "stderr": estimate.stderr,
        "ci_low": estimate.ci_low,
        "ci_high": estimate.ci_high,
    }


def _category_rows(sums: BatchSums) -> list[Row]:
    before = _before_passing()

    def shares(total: NDArray[Any]) -> NDArray[np.float64]:
        return np.asarray(total / total.sum(axis=1, keepdims=True))

    after, stderr = shares(sums.total), sums.stderr(shares)
    names = get_ranking("high5").categories
    return [
        {
            "category": names[c],
            "before": before[c],
            "after": float(after[0, c]),
            "after_stderr": float(stderr[0, c]),
            "winner": float(after[1, c]),
            "winner_stderr": float(stderr[1, c]),
        }
        for c in reversed(range(len(names)))
    ]


# The best five of all 133,784,560 hands of seven cards, the weakest category first; counting them takes a second,
# so the counts are kept here and compared with `guts_sim.frequency_table` by the tests.
SEVEN_CARD_HANDS = (23_294_460, 58_627_800, 31_433_400, 6_461_620, 6_180_020, 4_047_644, 3_473_184, 224_848, 41_584)


def _before_passing() -> list[float]:
    return [hands / sum(SEVEN_CARD_HANDS) for hands in SEVEN_CARD_HANDS]
