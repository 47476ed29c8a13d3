"""What an opponent holds behind the cards on the table, given how everybody passes."""

from concurrent.futures import Executor
from dataclasses import dataclass, replace
from math import nan, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from guts_sim.cards import N_CARDS, RANKS, format_cards, parse_cards
from guts_sim.checks import check_count
from guts_sim.engine import run_blocks, run_key
from guts_sim.errors import InputError
from guts_sim.estimate import normal
from guts_sim.hands import get_ranking
from guts_sim.interruption import interruptible
from guts_sim.passing import PassPolicy, get_policy
from guts_sim.provenance import Stopwatch
from guts_sim.results import Result, Row
from guts_sim.studies.measurement import RunOptions, read_run_options
from guts_sim.studies.passing_input import MOST_PLAYERS, GivenCards, GivenPolicy, anaconda_rules, recorded_policy
from guts_sim.studies.passing_sampling import PURPOSE_PLACES, PassKeys
from guts_sim.studies.passing_text import exposed_lines

DEFAULT_DEALS = 4_000_000
BLOCK_SIZE = 1 << 17
N_CATEGORIES = 9
CARDS_OF_TWO_PLAYERS = 14


@interruptible
def pass_exposed(
    exposed: GivenCards,
    *,
    policy: GivenPolicy = "lowest",
    n_players: int = 4,
    dead: GivenCards = (),
    gave: GivenCards = (),
    deals: int | None = None,
    seed: int | None = None,
    confidence: float = 0.95,
    workers: int | None = None,
    executor: Executor | None = None,
    progress: bool | None = None,
) -> Result:
    """Final hand of an Anaconda opponent who has shown some of his five cards.

    He kept four of his own seven, got three from his right neighbour, and plays the best five of these seven.
    Nothing is concluded from the order in which he shows them: any of the five was as likely to be shown. Where
    several choices of five are equally strong, each is as likely to be played.

    Parameters
    ----------
    exposed : str or iterable
        One to four cards on the table.
    policy : str, PassPolicy or mapping
        What everybody passes; see `guts_sim.passing.get_policy`.
    n_players : int
        2 to 7; matters for the policies of level 1, 2, ... alone.
    dead : str or iterable
        Other cards that one sees: one's own, and those that others show.
    gave : str or iterable
        The three cards that he got, for who passed them to him.
    deals : int, optional
        Deals of the two players' cards, of which only those count that lead to the exposed cards; default 4,000,000.
    seed, confidence, workers, executor, progress
        See `guts_sim.threshold`.

    Returns
    -------
    Result
        ``results["rows"]``: ``category`` and ``probability`` with ``stderr`` and interval, the strongest first. With
        four cards exposed ``results["last_card"]`` gives the rank of the fifth likewise. ``results["n_counted"]`` is
        the number of deals that fit.

    Raises
    ------
    InputError
        A card is given twice, or the policy never leads to these cards.

    Examples
    --------
    >>> shown = pass_exposed("Ts Jd Qh Kc", policy="lowest", deals=200_000, seed=1)
    >>> [row["category"] for row in shown.rows if row["probability"] > 0]
    ['straight', 'pair', 'high card']
    """
    with Stopwatch() as watch:
        n_players = check_count(n_players, "n_players", 2, MOST_PLAYERS)
        cards = parse_cards(exposed, count=(1, 2, 3, 4))
        out, given = _checked_cards(dead, gave, cards)
        found = get_policy(policy, n_players)
        options = read_run_options(deals, DEFAULT_DEALS, seed, confidence, workers, executor, progress)
        sums, n = _counted(ExposedTask(options.seed, cards, out, given, found), options)
        if sums[0, 0] == 0:
            raise InputError(
                f"exposed: none of {n:,} deals led to {format_cards(cards)} with policy {found.name};"
                " give more deals or another policy"
            )
        rows = _rows(sums[1 : 1 + N_CATEGORIES], get_ranking("high5").categories, "category", sums[0], options)
        results: dict[str, Any] = {
            "exposed": format_cards(cards),
            "policy": found.name,
            "n_counted": int(sums[0, 2]),
            "rows": rows,
        }
        if len(cards) == 4:
            results["last_card"] = _rows(sums[1 + N_CATEGORIES :], tuple(RANKS), "rank", sums[0], options)
        result = Result(
            command="pass exposed",
            rules=anaconda_rules("3L"),
            parameters={
                "exposed": format_cards(cards),
                "policy": recorded_policy(policy, found),
                "n_players": n_players,
                "dead": format_cards(out),
                "gave": format_cards(given),
                "deals": options.n_deals,
            },
            method="mc",
            n=n,
            seed=options.seed,
            confidence=options.confidence,
            complete=n == options.n_deals,
            results=results,
            rows=rows,
            lines=exposed_lines(results),
        )
    return replace(result, timing=watch.as_dict())


@dataclass(frozen=True, eq=False)
class ExposedTask:
    """Add up how often the exposed cards come with each final hand."""

    seed: int
    exposed: tuple[int, ...]
    dead: tuple[int, ...]
    gave: tuple[int, ...]
    policy: PassPolicy

    def __call__(self, start: int, stop: int) -> NDArray[np.int64]:
        """Sums (23, 3); see `guts_sim.kernels.pass_exposed.count_exposed`."""
        from guts_sim.kernels.pass_exposed import N_SUMS, count_exposed

        keys = PassKeys.of(self.seed)
        sums = np.zeros((1 + N_SUMS, 3), np.int64)
        count_exposed(
            keys.deals,
            run_key(self.seed, PURPOSE_PLACES),
            keys.choices,
            np.uint64(start),
            stop - start,
            np.array(self.exposed, np.uint8),
            np.array(sorted({*self.exposed, *self.dead, *self.gave}), np.uint8),
            np.array(self.gave, np.uint8),
            self.policy.kind,
            self.policy.keep_score,
            self.policy.pass_score,
            sums,
        )
        return sums


def _counted(task: ExposedTask, options: RunOptions) -> tuple[NDArray[np.int64], int]:
    blocks: list[NDArray[np.int64]] = []
    status = run_blocks(
        task,
        options.n_deals,
        lambda _start, _stop, sums: blocks.append(sums),
        block_size=BLOCK_SIZE,
        workers=options.workers,
        executor=options.executor,
        progress=options.progress,
    )
    if not blocks:
        raise KeyboardInterrupt
    return np.asarray(np.sum(blocks, axis=0)), status.n_done


def _rows(
    sums: NDArray[np.int64], names: tuple[str, ...], title: str, total: NDArray[np.int64], options: RunOptions
) -> list[Row]:
    """Probabilities with the error of a ratio of two sums over deals, the strongest first."""
    weight, squares, n_counted = (int(number) for number in total)
    rows: list[Row] = []
    for name, (part, part_squares, products) in reversed(list(zip(names, sums.tolist()))):
        p = part / weight
        scatter = part_squares - 2 * p * products + p * p * squares
        stderr = sqrt(max(scatter, 0.0)) / weight if n_counted > 1 else nan
        estimate = normal(p, stderr, options.n_deals, options.confidence, 0.0, 1.0)
        row = {title: name, "probability": p, "stderr": stderr, "ci_low": estimate.ci_low, "ci_high": estimate.ci_high}
        rows.append(row)
    return rows


def _checked_cards(
    dead: GivenCards, gave: GivenCards, exposed: tuple[int, ...]
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    out = parse_cards(dead)
    given = parse_cards(gave, count=(0, 3))
    for card in out:
        if card in exposed or card in given:
            raise InputError(f"dead: {format_cards([card])} is given as a card of the player as well")
    if len(out) > N_CARDS - CARDS_OF_TWO_PLAYERS:
        raise InputError(f"dead: the two players hold {CARDS_OF_TWO_PLAYERS} cards, got {len(out)} dead ones")
    return tuple(sorted(out)), given
