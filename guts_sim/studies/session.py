"""Sessions of Guts: many cycles with the same players, their balances, ruin and standings."""

from collections.abc import Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from guts_sim.checks import check_count, shown
from guts_sim.engine.checkpoint import CheckpointPath, seed_to_use
from guts_sim.engine.plans import PASS_POLICIES, check_plan, encode_table
from guts_sim.errors import InputError
from guts_sim.estimate import check_confidence
from guts_sim.interruption import interruptible
from guts_sim.kernels.units import SUBUNITS
from guts_sim.provenance import Stopwatch
from guts_sim.results import Result
from guts_sim.rules import MAX_CHIPS, GutsRules
from guts_sim.strategy import AnyPlan
from guts_sim.studies.fields import EQUILIBRIUM
from guts_sim.studies.long_runs import (
    confidence_of,
    continued,
    precision_lines,
    precision_results,
    precision_to_reach,
    with_checkpoint,
)
from guts_sim.studies.measurement import RunOptions
from guts_sim.studies.seats import Seat, groups_of, places, repeatable_play, seated, table_rules
from guts_sim.studies.session_answers import group_rows, session_answers
from guts_sim.studies.session_sampling import SessionRun, SessionTask, run_sessions
from guts_sim.studies.session_text import session_lines

DEFAULT_SESSIONS = 100_000
DEFAULT_CYCLES = 10
DEFAULT_ROUND_LIMIT = 10_000
MAX_LENGTH = 1 << 20
MAX_SESSIONS = 1 << 40
LEFTOVERS = ("share", "leave")


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class SessionResult(Result):
    """Answer of `session`; see `Result` for the common attributes. ``n`` counts sessions.

    Attributes
    ----------
    study : SessionStudy
        What was played, to continue from.
    """

    unit = "sessions"
    study: "SessionStudy"

    @interruptible
    def extend(self, sessions: int) -> "SessionResult":
        """Continue up to ``sessions`` sessions in all; the result equals that of a run of so many at once.

        Parameters
        ----------
        sessions : int
            At least the present ``n``.

        Returns
        -------
        SessionResult
            A new result; the present one stays as it is.

        Raises
        ------
        InputError
            The result has more sessions already.

        Examples
        --------
        >>> first = session(3, field="K2+", sessions=1000, seed=1)
        >>> first.extend(2000).digest == session(3, field="K2+", sessions=2000, seed=1).digest
        True
        """
        return _answer(*continued(self, sessions, "sessions"))


@dataclass(frozen=True, eq=False)
class SessionStudy:
    """The table that one call of `session` plays at, and the sessions played so far."""

    rules: GutsRules
    seats: Sequence[Seat]
    task: SessionTask
    options: RunOptions
    run: SessionRun | None = None


@interruptible
def session(
    n_players: int | None = None,
    *,
    field: str | AnyPlan = EQUILIBRIUM,
    players: Mapping[str, Any] | Sequence[Any] | None = None,
    rules: str | GutsRules | None = None,
    cycles: int | None = None,
    rounds: int | None = None,
    round_limit: int = DEFAULT_ROUND_LIMIT,
    loss_limits: int | Mapping[str, int] | None = None,
    leftover: str = "share",
    pass_policy: str = "keep-best",
    sessions: int | None = None,
    seed: int | None = None,
    confidence: float = 0.95,
    workers: int | None = None,
    executor: Executor | None = None,
    progress: bool | None = None,
    checkpoint: CheckpointPath = None,
    precision: float | None = None,
    **switches: Any,
) -> SessionResult:
    """Play many sessions of an agreed length and say how the players fare.

    Parameters
    ----------
    n_players : int, optional
        2 to 10; may be left out if ``players`` names them all.
    field : str, Strategy or Plan
        What everybody plays who is not in ``players``: ``"equilibrium"``, ``"A4+"``, ``"blind:30%"``, a file; see
        `guts_sim.read_strategy`. With a high and a low pot two fields, ``"A4+/72+"``.
    players : mapping or sequence, optional
        Players by name with their strategies, clockwise; or (name, strategy) pairs.
    rules : str or GutsRules, optional
        A profile name or a rule set, with any switches; default ``"two-card"``, or ``"home"`` if ``cards=3`` is given.
    cycles, rounds : int, optional
        Length of a session: so many cycles (10 if neither is given), or so many rounds.
    round_limit : int
        Rounds after which a session of cycles is ended; at most 1,048,576. How many were is reported.
    loss_limits : int or mapping of str to int, optional
        Chips, for everybody or by name: a player who is down by as many sits out for the rest of the session.
    leftover : {"share", "leave"}
        What lies on the table after the last round is divided equally among those who still play, or stays there.
    pass_policy : {"keep-best", "lowest"}
        Which card everybody passes, if the rules have a card passed to the left.
    sessions : int, optional
        Sessions to play; default 100,000.
    seed : int, optional
        Seed of the deals; drawn and recorded if not given.
    confidence : float
        Coverage of the intervals.
    workers, executor, progress
        See `guts_sim.run_blocks`.
    checkpoint : path-like, optional
        File to which finished blocks are written every few seconds, and from which they are taken up when the same call
        is made again: the result, digest included, is that of a run that was never stopped. A run may be taken up
        with more sessions than before; without a seed it goes on with the recorded one. The file before is kept
        as ``NAME.previous``. Another run's file is refused.
    precision : float, optional
        Play until the half-width of the interval of every seat's ``net`` is at most this, in chips, but no more than
        ``sessions``. The run is looked at after fixed numbers of sessions, each twice the one before, and all
        intervals are widened (Bonferroni) so that they are worth ``confidence`` wherever it stops.
    **switches
        Rule switches to change, for example ``stakes="table", bankroll=50``.

    Returns
    -------
    SessionResult
        ``results`` holds for every seat (``seats``) and every strategy (``strategies``) the net balance with its
        scatter and quantiles, and the probabilities of being ahead, of ruin, of having stopped at the own
        limit, of winning the session alone and of sharing its win; further ``rounds``, ``ends``, ``declaration_order``
        (what it was worth to declare first, second, ... last, if players declare in turn) and ``notes``.
        The table (``frame``) has a row per seat, then one per strategy that several seats play.

    Raises
    ------
    InputError
        An argument is not allowed, or a strategy does not fit the rules.

    Examples
    --------
    A player who waits for a pair of tens, against four at equilibrium:

    >>> result = session(5, players={"Rock": "TT+"}, field="A4+", sessions=20_000, seed=1)
    >>> rock = result.results["seats"][0]
    >>> rock["name"], rock["net"]["value"] < 0
    ('Rock', True)
    """
    with Stopwatch() as watch:
        rules = table_rules(rules, switches)
        options = RunOptions(
            n_deals=check_count(DEFAULT_SESSIONS if sessions is None else sessions, "sessions", maximum=MAX_SESSIONS),
            seed=seed_to_use(seed, checkpoint),
            confidence=check_confidence(confidence),
            workers=workers,
            executor=executor,
            progress=progress,
            precision=precision_to_reach(precision),
        )
        limit = check_count(round_limit, "round_limit", maximum=MAX_LENGTH)
        length = _length(cycles, rounds)
        _check_choice("leftover", leftover, LEFTOVERS)
        _check_choice("pass_policy", pass_policy, PASS_POLICIES)
        if pass_policy != "keep-best" and not rules.pass_left:
            raise InputError(f"pass_policy: {pass_policy} has nothing to pass; choose pass_left 1 as well")
        given = places(n_players, field, players, rules)
        limits = _limits(loss_limits, [name for name, _ in given])
        seats = seated(given, rules, options)
        for seat in seats:
            check_plan(seat.strategy, rules)
        seats = [replace(seat, loss_limit=limits.get(seat.name, 0)) for seat in seats]
        task = SessionTask(
            options.seed,
            encode_table([seat.strategy for seat in seats], rules, pass_policy),
            length["cycles"] or 0,
            length["rounds"] or limit,
            leftover == "share",
            np.array([seat.loss_limit for seat in seats], np.int64) * SUBUNITS,
            _membership(seats),
        )
        asked: dict[str, Any] = {
            "n_players": len(seats),
            "players": [[seat.name, repeatable_play(seat.given, seat.strategy)] for seat in seats],
            **length,
            "round_limit": limit,
            "loss_limits": limits or None,
            "leftover": leftover,
            "pass_policy": pass_policy,
        }
        options = with_checkpoint(options, checkpoint, "session", rules.as_dict(), asked)
        parameters = asked | {"sessions": options.n_deals}
        if precision is not None:
            parameters["precision"] = precision
        result = _answer(SessionStudy(rules, seats, task, options), parameters)
    return replace(result, timing=watch.as_dict())


def _length(cycles: object, rounds: object) -> dict[str, int | None]:
    if cycles is not None and rounds is not None:
        raise InputError("cycles, rounds: a session has one length; give one of them")
    if rounds is not None:
        return {"cycles": None, "rounds": check_count(rounds, "rounds", maximum=MAX_LENGTH)}
    return {
        "cycles": check_count(DEFAULT_CYCLES if cycles is None else cycles, "cycles", maximum=MAX_LENGTH),
        "rounds": None,
    }


def _check_choice(name: str, value: object, allowed: Sequence[str]) -> None:
    if value not in allowed:
        raise InputError(f"{name}: {shown(value)} is not allowed; choose {' or '.join(allowed)}")


def _limits(given: Any, names: Sequence[str]) -> dict[str, int]:
    """Loss limits in chips by name."""
    if given is None:
        return {}
    by_name = given if isinstance(given, Mapping) else dict.fromkeys(names, given)
    for name in by_name:
        if name not in names:
            raise InputError(f"loss_limits: there is no player {shown(name)}; players are {', '.join(names)}")
    return {name: check_count(limit, "a loss limit", maximum=MAX_CHIPS) for name, limit in by_name.items()}


def _membership(seats: Sequence[Seat]) -> np.ndarray[Any, np.dtype[np.uint8]]:
    """Groups of players, as rows of 0 and 1: every seat by itself, then everybody with the same strategy."""
    groups = [[number] for number in range(len(seats))] + groups_of(seats)
    return np.array([[number in group for number in range(len(seats))] for group in groups], np.uint8)


def _answer(study: SessionStudy, parameters: dict[str, Any]) -> SessionResult:
    run = run_sessions(study.task, study.options, study.run)
    study = replace(study, run=run)
    confidence = confidence_of(run.ending, study.options)
    results = session_answers(run.tally, study.seats, study.rules, study.task, parameters, confidence)
    results |= precision_results(run.ending, study.options, "the nets, in chips,")
    return SessionResult(
        command="session",
        rules=study.rules.as_dict(),
        parameters=parameters,
        method="mc",
        n=run.tally.n,
        seed=study.options.seed,
        confidence=study.options.confidence,
        complete=run.ending.complete,
        results=results,
        rows=group_rows(results),
        lines=[*session_lines(study.rules, parameters, results), *precision_lines(results, study.options.confidence)],
        study=study,
    )
