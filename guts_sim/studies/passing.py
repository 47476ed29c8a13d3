"""What every pass of a hand is worth: Anaconda, and (in `passing_guts`) pass-the-trash Guts."""

from collections.abc import Collection, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass, field, replace
from itertools import combinations
from math import nan, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from guts_sim.cards import format_cards, parse_cards
from guts_sim.checks import check_count, shown
from guts_sim.engine.checkpoint import CheckpointPath, seed_to_use
from guts_sim.engine.long_run import Ending
from guts_sim.engine.sums import TallySums
from guts_sim.errors import InputError
from guts_sim.estimate import Estimate, mean_share, wilson
from guts_sim.interruption import interruptible
from guts_sim.kernels.pass_codes import HAND_SIZE, SHARE_UNITS
from guts_sim.passing import PassPolicy, PassProgram, get_policy, parse_passes
from guts_sim.provenance import Stopwatch
from guts_sim.results import Result, Row
from guts_sim.strategy import Strategy
from guts_sim.studies.long_runs import (
    confidence_of,
    continued,
    precision_lines,
    precision_results,
    precision_to_reach,
    run_long,
    with_checkpoint,
)
from guts_sim.studies.measurement import RunOptions, read_run_options
from guts_sim.studies.passing_guts import BEST_EQUITY, GutsPassResult, guts_pass_values
from guts_sim.studies.passing_input import (
    MOST_PLAYERS,
    GivenCards,
    GivenPolicy,
    anaconda_rules,
    checked_dead,
    checked_folded,
    checked_pass,
    recorded_policy,
)
from guts_sim.studies.passing_sampling import PassKeys, PassTally, PassTask, ProgramTask, share_units
from guts_sim.studies.passing_text import pass_lines

DEFAULT_DEALS = 1_000_000
DEFAULT_PROGRAM_DEALS = 40_000
BLOCK_SIZE = 1 << 16
PROGRAM_BLOCK_SIZE = 1 << 11
GAMES = ("anaconda", "guts")
IntArray = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class PassStudy:
    """What one call of `pass_values` asks, and the counts so far."""

    hand: tuple[int, ...]
    dead: tuple[int, ...]
    n_active: int
    policy: PassPolicy
    program: PassProgram
    chosen: tuple[int, ...] | None
    options: RunOptions
    tally: PassTally | None = None
    ending: Ending | None = None

    @property
    def confidence(self) -> float:
        """Coverage that each interval needs."""
        return confidence_of(self.ending, self.options)

    @property
    def block_size(self) -> int:
        """Deals per block."""
        return BLOCK_SIZE if self.program.is_one_left else PROGRAM_BLOCK_SIZE

    @property
    def options_to_pass(self) -> list[tuple[int, ...]]:
        """Every set of cards that the first pass can be, in the order of the kernels."""
        return list(combinations(sorted(self.hand), self.program.passes[0][0]))


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class PassResult(Result):
    """Answer of `pass_values`; see `Result` for the common attributes.

    Attributes
    ----------
    study : PassStudy
        What was asked, to continue from.
    """

    study: PassStudy = field(repr=False)

    @interruptible
    def extend(self, deals: int) -> "PassResult":
        """Continue up to ``deals`` deals in all; equal to a run of that length at once.

        Parameters
        ----------
        deals : int
            At least the present ``n``.

        Returns
        -------
        PassResult
            A new result; the present one stays as it is.

        Raises
        ------
        InputError
            The result has more deals already.

        Examples
        --------
        >>> first = pass_values("Qs Qh 9c 8d 3s 4h 2c", deals=1000, seed=1)
        >>> first.extend(2000).n
        2000
        """
        study, parameters = continued(self, deals)
        return _answer(study, self.rules, parameters)


@interruptible
def pass_values(
    hand: GivenCards,
    *,
    game: str = "anaconda",
    n_players: int = 4,
    policy: GivenPolicy = "lowest",
    passes: str = "3L",
    folded: Collection[int] = (),
    dead: GivenCards = (),
    chosen: GivenCards | None = None,
    field: str | Strategy | None = None,
    deals: int | None = None,
    seed: int | None = None,
    confidence: float = 0.95,
    workers: int | None = None,
    executor: Executor | None = None,
    progress: bool | None = None,
    checkpoint: CheckpointPath = None,
    precision: float | None = None,
    **switches: Any,
) -> "PassResult | GutsPassResult":
    """Equity of every pass of a hand, all on the same deals.

    The opponents get random hands and follow ``policy`` on their own cards; all pass at once. In Anaconda everybody
    who is in goes to the showdown, where the best five of seven count and equal hands split. In Guts one card is
    passed to the left and everybody declares.

    Parameters
    ----------
    hand : str or iterable
        Seven cards, ``"Qs Qh 9c 8d 3s 4h 2c"``; for Guts two or three.
    game : {"anaconda", "guts"}
        What is played.
    n_players : int
        2 to 7 (Guts: to 10).
    policy : str, PassPolicy or mapping
        What the opponents pass, and everybody at later passes; see `guts_sim.passing.get_policy`. A mapping holds
        weights of features.
    passes : str
        Passes in order, see `guts_sim.passing.parse_passes`. The value is that of the first pass of the hero.
    folded : collection of int
        Seats that are out, counted to the left from the hero's, which is 0. Batches skip them.
    dead : str or iterable
        Cards known to be out of play.
    chosen : str or iterable, optional
        A pass of one's own, repeated in ``results["chosen"]``.
    field : str or Strategy, optional
        Guts: with which hands the opponents declare in, see `guts_sim.threshold`; default the equilibrium of the game
        without passing.
    deals : int, optional
        Default 1,000,000; with several passes 40,000.
    seed, confidence, workers, executor, progress
        See `guts_sim.threshold`.
    checkpoint : path-like, optional
        File from which an interrupted run is taken up and to which it is written; see `guts_sim.session`.
    precision : float, optional
        Deal until the half-width of the interval of the equity of the best pass is at most this, but no more than
        ``deals``; see `guts_sim.session`.
    **switches
        Guts: switches of the rules.

    Returns
    -------
    PassResult or GutsPassResult
        ``results["rows"]``: one row per pass, the best first: ``pass``, ``keep``, ``win`` (best alone), ``tie``,
        ``equity`` (expected share of the pot), ``stderr``, ``loss`` (against the best pass, paired on the same deals)
        and ``loss_stderr``.

    Raises
    ------
    InputError
        An argument is not allowed.

    Examples
    --------
    >>> answer = pass_values("Qs Qh 9c 8d 3s 4h 2c", n_players=4, policy="lowest", deals=100_000, seed=1)
    >>> answer.results["best"], len(answer.rows)
    ('9c 8d 2c', 35)
    """
    if game not in GAMES:
        raise InputError(f"game: {shown(game)} is not allowed; choose {' or '.join(GAMES)}")
    run: dict[str, Any] = {
        "seed": seed, "confidence": confidence, "workers": workers, "executor": executor, "progress": progress,
        "checkpoint": checkpoint, "precision": precision,
    }  # fmt: skip
    if game == "guts":
        _refuse_anaconda_options(passes, folded)
        return guts_pass_values(
            hand,
            n_players=n_players,
            policy=policy,
            dead=dead,
            chosen=chosen,
            field=field,
            deals=deals,
            **run,
            **switches,
        )
    if field is not None or switches:
        name = "field" if field is not None else next(iter(switches))
        raise InputError(f"{name}: Anaconda knows no such option; it is for game guts")
    with Stopwatch() as watch:
        n_players = check_count(n_players, "n_players", 2, MOST_PLAYERS)
        cards = parse_cards(hand, count=HAND_SIZE)
        out = checked_dead(dead, cards, n_players)
        seats = checked_folded(folded, n_players)
        n_active = n_players - len(seats)
        program = parse_passes(passes, n_active)
        default = DEFAULT_DEALS if program.is_one_left else DEFAULT_PROGRAM_DEALS
        seed = seed_to_use(seed, checkpoint)
        options = read_run_options(deals, default, seed, confidence, workers, executor, progress)
        options = replace(options, precision=precision_to_reach(precision))
        opponents = get_policy(policy, n_active)
        own = None if chosen is None else checked_pass(chosen, cards, program.passes[0][0])
        asked: dict[str, Any] = {
            "hand": format_cards(cards),
            "game": game,
            "n_players": n_players,
            "policy": recorded_policy(policy, opponents),
            "passes": program.text,
            "folded": seats,
            "dead": format_cards(out),
        }
        rules = anaconda_rules(program.text)
        options = with_checkpoint(options, checkpoint, "pass", rules, asked)
        parameters = asked | {"chosen": None if own is None else format_cards(own), "deals": options.n_deals}
        if precision is not None:
            parameters["precision"] = precision
        result = _answer(PassStudy(cards, out, n_active, opponents, program, own, options), rules, parameters)
    return replace(result, timing=watch.as_dict())


def _refuse_anaconda_options(passes: str, folded: Collection[int]) -> None:
    if passes != "3L":
        raise InputError("passes: Guts passes one card to the left; leave the option out")
    if folded:
        raise InputError("folded: nobody folds before the pass of Guts; leave the option out")


def _counted(study: PassStudy) -> PassStudy:
    """Count up to the deals or the precision asked for, continuing from what the study has."""
    sums = TallySums(PassTally.empty(len(study.options_to_pass), study.n_active), study.block_size)
    if study.tally is not None:
        sums.whole = study.tally

    def half_width(confidence: float) -> float:
        won = sums.tally.outcomes @ share_units(np.arange(study.n_active + 1))
        return _equity(sums.tally.outcomes[int(won.argmax())], confidence).half_width

    common = (PassKeys.of(study.options.seed), study.hand, study.dead, study.n_active, study.policy)
    task = PassTask(*common) if study.program.is_one_left else ProgramTask(*common, study.program.passes)
    ending = run_long(task, sums, study.options, study.block_size, part="passes", half_width=half_width)
    if sums.tally.n == 0:
        raise KeyboardInterrupt  # stopped before the first block: there is nothing to report
    return replace(study, tally=sums.tally, ending=ending)


def _answer(study: PassStudy, rules: Mapping[str, Any], parameters: dict[str, Any]) -> PassResult:
    study = _counted(study)
    assert study.tally is not None
    assert study.ending is not None
    rows = _rows(study, study.tally)
    confidence = study.options.confidence
    results: dict[str, Any] = {
        "game": "anaconda",
        "hand": format_cards(study.hand),
        "n_players": parameters["n_players"],
        "n_active": study.n_active,
        "policy": study.policy.name,
        "best": rows[0]["pass"],
        "rows": rows,
    }
    if study.chosen is not None:
        wanted = format_cards([card for card in study.hand if card in study.chosen])
        results["chosen"] = next(row for row in rows if row["pass"] == wanted)
    results |= precision_results(study.ending, study.options, BEST_EQUITY)
    return PassResult(
        command="pass",
        rules=rules,
        parameters=parameters,
        method="mc",
        n=study.tally.n,
        seed=study.options.seed,
        confidence=confidence,
        complete=study.ending.complete,
        results=results,
        rows=rows,
        lines=[*pass_lines(results, study.program.text, study.confidence), *precision_lines(results, confidence)],
        study=study,
    )


def _equity(counts: IntArray, confidence: float) -> Estimate:
    return mean_share(np.concatenate([[0.0], 1.0 / np.arange(1, counts.size)]), counts, confidence)


def _rows(study: PassStudy, tally: PassTally) -> list[Row]:
    """One row per pass, the best first, losses paired on the deals."""
    n, confidence = tally.n, study.confidence
    won = tally.outcomes @ share_units(np.arange(study.n_active + 1))
    order = sorted(range(len(won)), key=lambda option: (-int(won[option]), option))
    best = order[0]
    products = tally.cross + np.tril(tally.cross, -1).T
    rows: list[Row] = []
    for option in order:
        passed = study.options_to_pass[option]
        counts = tally.outcomes[option]
        equity = _equity(counts, confidence)
        lost = int(won[best] - won[option])
        squares = int(products[best, best] + products[option, option] - 2 * products[best, option])
        rows.append(
            {
                "pass": format_cards([card for card in study.hand if card in passed]),
                "keep": format_cards([card for card in study.hand if card not in passed]),
                "win": wilson(int(counts[1]), n, confidence).value,
                "tie": wilson(int(counts[2:].sum()), n, confidence).value,
                "equity": equity.value,
                "stderr": equity.stderr,
                "ci_low": equity.ci_low,
                "ci_high": equity.ci_high,
                "loss": lost / (n * SHARE_UNITS),
                "loss_stderr": paired_stderr(lost, squares, n) / SHARE_UNITS,
            }
        )
    return rows


def paired_stderr(total: int, squares: int, n: int) -> float:
    """Standard error of a mean of integers from their sum and sum of squares; nan from a single one."""
    return nan if n == 1 else sqrt(max(squares * n - total * total, 0) / n / (n - 1) / n)
