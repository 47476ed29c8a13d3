"""Pot growth: how long a cycle of Guts lasts, how large its pot becomes, and whether it ends at all."""

from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from typing import Any

from guts_sim.checks import check_count
from guts_sim.engine.checkpoint import CheckpointPath, seed_to_use
from guts_sim.engine.plans import check_plan
from guts_sim.errors import InputError
from guts_sim.estimate import check_confidence
from guts_sim.exact import exact_round_law
from guts_sim.exact.cascade import CascadeLaw, exact_cascade, exact_tied_outs
from guts_sim.interruption import interruptible
from guts_sim.provenance import Stopwatch
from guts_sim.results import Result
from guts_sim.rules import GutsRules
from guts_sim.strategy import AnyPlan, Plan, Strategy
from guts_sim.studies.assessment import can_count
from guts_sim.studies.cascade_answers import entry_prob_of, exact_answers, peak_levels, sampled_answers
from guts_sim.studies.cascade_sampling import CycleRun, play_cycles
from guts_sim.studies.cascade_text import cascade_lines
from guts_sim.studies.equilibria import resolve_method, symmetric_equilibrium
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
from guts_sim.studies.seats import (
    check_equilibrium_is_solved,
    read_plan,
    repeatable_play,
    table_rules,
)

DEFAULT_CYCLES = 1_000_000
DEFAULT_ROUND_LIMIT = 1_000
MAX_ROUND_LIMIT = 1 << 20
METHODS = ("auto", "exact", "mc")


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class CascadeResult(Result):
    """Answer of `cascade`; see `Result` for the common attributes. ``n`` counts cycles.

    Attributes
    ----------
    study : CascadeStudy
        What was played, to continue from.
    """

    unit = "cycles"
    study: "CascadeStudy"

    @interruptible
    def extend(self, cycles: int) -> "CascadeResult":
        """Continue a Monte Carlo run up to ``cycles`` cycles in all.

        The result equals that of a run of ``cycles`` cycles at once, digest included.

        Parameters
        ----------
        cycles : int
            At least the present ``n``.

        Returns
        -------
        CascadeResult
            A new result; the present one stays as it is.

        Raises
        ------
        InputError
            The result is exact, or has more cycles already.

        Examples
        --------
        >>> first = cascade(5, method="mc", cycles=1000, seed=1)
        >>> first.extend(2000).digest == cascade(5, method="mc", cycles=2000, seed=1).digest
        True
        """
        return _answer(*continued(self, cycles, "cycles"))


@dataclass(frozen=True, eq=False)
class CascadeStudy:
    """The table that one call of `cascade` follows, and the cycles played so far."""

    rules: GutsRules
    method: str
    options: RunOptions
    round_limit: int
    strategies: Sequence[AnyPlan]
    sampled_equilibrium: bool
    run: CycleRun | None = None

    @property
    def n_players(self) -> int:
        """Players at the table."""
        return len(self.strategies)


@interruptible
def cascade(
    n_players: int,
    *,
    field: str | AnyPlan = EQUILIBRIUM,
    fields: Sequence[str | AnyPlan] | None = None,
    rules: str | GutsRules | None = None,
    method: str = "auto",
    cycles: int | None = None,
    round_limit: int = DEFAULT_ROUND_LIMIT,
    seed: int | None = None,
    confidence: float = 0.95,
    workers: int | None = None,
    executor: Executor | None = None,
    progress: bool | None = None,
    checkpoint: CheckpointPath = None,
    precision: float | None = None,
    **switches: Any,
) -> CascadeResult:
    """Follow the pot through a cycle, from the first antes until pot and reserve are empty.

    Where the law of one round is known exactly (two cards with a threshold field; two or three players with
    any field) the cycle is a Markov chain on whole chips and the answers are exact; otherwise, at tables of
    different players, with strategies that look at more than the own hand, and under the rules that change who wins or
    who can pay, cycles are played by Monte Carlo.

    Parameters
    ----------
    n_players : int
        2 to 10.
    field : str, Strategy or Plan
        What everybody does: ``"equilibrium"``, ``"A4+"``, ``"top:30%"``, a file; see `guts_sim.parse_strategy`.
    fields : sequence of str, Strategy or Plan, optional
        One strategy per seat instead, for a table of different players.
    rules : str or GutsRules, optional
        A profile name or a rule set, with any switches; default ``"two-card"``, or ``"home"`` if ``cards=3`` is given.
        With stakes other than credit one cycle is played, with the bankrolls that players bring; with a low pot it
        lasts until both pots are empty, and sizes are those of both together.
    method : {"auto", "exact", "mc"}
        Markov chain, Monte Carlo, or the chain wherever it is possible.
    cycles : int, optional
        Cycles to play (Monte Carlo); default 1,000,000.
    round_limit : int
        Rounds after which Monte Carlo gives a cycle up; at most 1,048,576. How many were given up is reported.
    seed : int, optional
        Seed of the deals; drawn and recorded if not given.
    confidence : float
        Coverage of the intervals.
    workers, executor, progress
        See `guts_sim.run_blocks`.
    checkpoint : path-like, optional
        File from which an interrupted run is taken up and to which it is written; see `guts_sim.session`.
    precision : float, optional
        Monte Carlo: play until the half-width of the interval of ``expected_multiplier`` is at most this, but no more
        than ``cycles``; see `guts_sim.session`.
    **switches
        Rule switches to change, for example ``cap=20, reserve=True`` or ``cap=None``.

    Returns
    -------
    CascadeResult
        ``results`` holds ``multiplier_law``, ``expected_multiplier``, ``supercritical``, ``tail_index``,
        ``drift``, ``p_cycle_ends``, ``rounds``, ``peak``, ``reserve`` and ``notes``. Peaks are in chips;
        ``p_ge_10x`` is the probability of a pot of at least ten times the first antes of all players.
        Numbers that do not exist (the mean of a supercritical pot, the length of a cycle that need not end) are
        None, and ``notes`` says why. Strategies that look at the pot have the multiplier of the first pot. The
        table (``frame``) is the probability that the pot reaches each of a series of multiples of those antes.

    Raises
    ------
    InputError
        An argument is not allowed, or ``method="exact"`` where the law of a round is not known exactly.

    References
    ----------
    .. [1] H. Kesten, "Random difference equations and renewal theory for products of random matrices",
       Acta Mathematica 131 (1973), 207-248.

    Examples
    --------
    Five players who enter with half of all hands need not see the end of a cycle.

    >>> result = cascade(5, field="top:50%", cap=20, reserve=True)
    >>> round(result.results["expected_multiplier"], 3), round(result.results["p_cycle_ends"], 3)
    (1.532, 0.517)
    """
    with Stopwatch() as watch:
        rules = table_rules(rules, switches)
        n_players = rules.check_players(n_players)
        if method not in METHODS:
            raise InputError(f"method: {method!r} is not allowed; choose {', '.join(METHODS)}")
        options = RunOptions(
            n_deals=DEFAULT_CYCLES if cycles is None else check_count(cycles, "cycles"),
            seed=seed_to_use(seed, checkpoint),
            confidence=check_confidence(confidence),
            workers=workers,
            executor=executor,
            progress=progress,
            precision=precision_to_reach(precision),
        )
        round_limit = check_count(round_limit, "round_limit", maximum=MAX_ROUND_LIMIT)
        given = _given_fields(n_players, field, fields)
        read = [read_plan(one, rules) for one in given]
        recorded = [repeatable_play(one, strategy) for one, strategy in zip(given, read)]
        players = {"n_players": n_players} | ({"field": recorded[0]} if fields is None else {"fields": recorded})
        asked = players | {"method": method, "round_limit": round_limit}
        options = with_checkpoint(options, checkpoint, "cascade", rules.as_dict(), asked)
        study = _prepare(n_players, rules, read, method, options, round_limit)
        sampled = study.method == "mc"
        parameters = {
            **players,
            "method": method,
            "cycles": options.n_deals if sampled else None,
            "round_limit": round_limit,
            **({"precision": precision} if sampled and precision is not None else {}),
        }
        result = _answer(study, parameters)
    return replace(result, timing=watch.as_dict())


def _given_fields(n_players: int, field: str | AnyPlan, fields: Sequence[str | AnyPlan] | None) -> list[str | AnyPlan]:
    if fields is None:
        return [field]
    if field != EQUILIBRIUM:
        raise InputError("field, fields: give one strategy for everybody, or one per seat, not both")
    if isinstance(fields, str) or len(fields) != n_players:
        given = "a text" if isinstance(fields, str) else len(fields)
        raise InputError(f"fields: {given} given for {n_players} players; give a list with one strategy per seat")
    return list(fields)


def _prepare(
    n_players: int,
    rules: GutsRules,
    read: Sequence[AnyPlan | str],
    method: str,
    options: RunOptions,
    round_limit: int,
) -> CascadeStudy:
    """Find the equilibrium where it is asked for, and say how the cycle will be followed."""
    sampled = False
    equilibrium: Strategy | None = None
    if EQUILIBRIUM in [one for one in read if isinstance(one, str)]:
        check_equilibrium_is_solved(rules)
        how = resolve_method("auto", n_players, rules.ranking)
        equilibrium, sampled = symmetric_equilibrium(n_players, rules.ranking, how, options), how == "mc"
    strategies = [equilibrium if isinstance(one, str) else one for one in read]
    known = [strategy for strategy in strategies if strategy is not None]
    for strategy in known:
        check_plan(strategy, rules)
        if rules.high_low and isinstance(strategy, Plan) and "heard" in strategy.looks_at:
            raise InputError(
                f"strategy {strategy.spec}: with high_low a call is heard for both pots, which then do not grow on"
                " their own; leave heard out, or see session"
            )
    countable = _is_countable(n_players, rules, known)
    if method == "exact" and not countable:
        raise InputError(
            f"method: the law of a round of {n_players} players with {rules.cards} cards under these rules and"
            " strategies is not known exactly; allowed are 2 or 3 players or two cards with a threshold, all alike,"
            " pays all and ghost none, none of the variants, stakes credit, or method mc"
        )
    chosen = "exact" if countable and method != "mc" else "mc"
    seats = known * n_players if len(known) == 1 else known
    return CascadeStudy(rules, chosen, options, round_limit, seats, sampled)


def _is_countable(n_players: int, rules: GutsRules, strategies: Sequence[AnyPlan]) -> bool:
    """Whether the law of what a round does to the pot is known exactly under these rules and strategies.

    Whether players declare in turn or without looking makes no difference to those who do not care.
    """
    if rules.beyond_base(supports=("declaration", "nobody_in", "match_limit")):
        return False
    first = strategies[0]
    if not isinstance(first, Strategy) or not can_count(n_players, first):
        return False
    if not all(isinstance(other, Strategy) and (other.entry == first.entry).all() for other in strategies):
        return False
    return rules.nobody_in != "weenie" or exact_tied_outs(n_players, rules, first.entry) is not None


def _answer(study: CascadeStudy, parameters: dict[str, Any]) -> CascadeResult:
    levels = peak_levels(study.n_players, study.rules)
    exact = study.method == "exact"
    complete, n = True, 0
    if exact:
        answers = exact_answers(_exact_law(study), study.n_players, study.rules, levels)
    else:
        run = play_cycles(study.strategies, study.rules, study.round_limit, levels, study.options, study.run)
        study = replace(study, run=run)
        complete, n = run.ending.complete, run.tally.n
        confidence = confidence_of(run.ending, study.options)
        answers = sampled_answers(run.tally, study.strategies, study.rules, levels, study.round_limit, confidence)
        answers |= precision_results(run.ending, study.options, "the mean multiplier")
    results = {"n_players": study.n_players, "cards": study.rules.cards} | _players(study) | answers
    return CascadeResult(
        command="cascade",
        rules=study.rules.as_dict(),
        parameters=parameters,
        method=study.method,
        n=n,
        seed=None if exact and not study.sampled_equilibrium else study.options.seed,
        confidence=study.options.confidence,
        complete=complete,
        results=results,
        rows=results["peak"]["survival"],
        lines=[*cascade_lines(study.rules, results, n), *precision_lines(results, study.options.confidence)],
        study=study,
    )


def _exact_law(study: CascadeStudy) -> CascadeLaw:
    strategy = study.strategies[0]
    assert isinstance(strategy, Strategy)
    entry = strategy.entry
    round_law = exact_round_law(study.n_players, study.rules.ranking, entry)
    tied_outs = exact_tied_outs(study.n_players, study.rules, entry) if study.rules.nobody_in == "weenie" else None
    return exact_cascade(round_law, study.rules, tied_outs)


def _players(study: CascadeStudy) -> dict[str, Any]:
    """What the seats do."""
    described = [{"spec": one.spec, "entry_prob": entry_prob_of(one)} for one in study.strategies]
    if all(one == described[0] for one in described):
        return {"field": described[0]}
    return {"fields": described}
