"""Pot growth: how long a cycle of Guts lasts, how large its pot becomes, and whether it ends at all."""

from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from typing import Any

from guts_sim.checks import check_count
from guts_sim.engine import resolve_seed, run_key
from guts_sim.errors import InputError
from guts_sim.estimate import check_confidence
from guts_sim.exact import exact_round_law, exact_threshold, supports
from guts_sim.exact.cascade import CascadeLaw, exact_cascade, exact_tied_outs
from guts_sim.hands import Ranking
from guts_sim.provenance import Stopwatch
from guts_sim.results import Result
from guts_sim.rules import GutsRules
from guts_sim.solve import solve_symmetric
from guts_sim.strategy import Strategy, threshold_strategy
from guts_sim.studies.assessment import PURPOSE_SOLVE, RunOptions, can_count
from guts_sim.studies.cascade_answers import exact_answers, peak_levels, sampled_answers
from guts_sim.studies.cascade_sampling import CycleRun, play_cycles
from guts_sim.studies.cascade_text import cascade_lines
from guts_sim.studies.fields import EQUILIBRIUM, checked_extension, chosen_rules, read_field, repeatable

DEFAULT_CYCLES = 1_000_000
DEFAULT_ROUND_LIMIT = 1_000
MAX_ROUND_LIMIT = 1 << 20
METHODS = ("auto", "exact", "mc")
SWITCHES = ("nobody_in", "match_limit", "pays", "ghost", "ghost_tie")
"""Switches beyond the base game that the cascade follows."""


@dataclass(frozen=True, kw_only=True, eq=False)
class CascadeResult(Result):
    """Answer of `cascade`; see `Result` for the common attributes. ``n`` counts cycles.

    Attributes
    ----------
    study : CascadeStudy
        What was played, to continue from.
    """

    study: "CascadeStudy"

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
        cycles = checked_extension(self.method, self.n, cycles, "cycles")
        options = replace(self.study.options, n_deals=cycles)
        return _answer(replace(self.study, options=options), dict(self.parameters) | {"cycles": cycles})


@dataclass(frozen=True, eq=False)
class CascadeStudy:
    """The table that one call of `cascade` follows, and the cycles played so far."""

    rules: GutsRules
    method: str
    options: RunOptions
    round_limit: int
    strategies: Sequence[Strategy]
    sampled_equilibrium: bool
    run: CycleRun | None = None

    @property
    def n_players(self) -> int:
        """Players at the table."""
        return len(self.strategies)


def cascade(
    n_players: int,
    *,
    field: str | Strategy = EQUILIBRIUM,
    fields: Sequence[str | Strategy] | None = None,
    rules: str | GutsRules | None = None,
    method: str = "auto",
    cycles: int | None = None,
    round_limit: int = DEFAULT_ROUND_LIMIT,
    seed: int | None = None,
    confidence: float = 0.95,
    workers: int | None = None,
    executor: Executor | None = None,
    progress: bool | None = None,
    **switches: Any,
) -> CascadeResult:
    """Follow the pot through a cycle, from the first antes until pot and reserve are empty.

    Where the law of one round is known exactly (two cards with a threshold field; two or three players with
    any field) the cycle is a Markov chain on whole chips and the answers are exact; otherwise, at tables of
    different players, where only the lowest hand pays, and with a ghost, cycles are played by Monte Carlo.

    Parameters
    ----------
    n_players : int
        2 to 10.
    field : str or Strategy
        What everybody does: ``"equilibrium"``, ``"A4+"``, ``"top:30%"``, a file; see `guts_sim.parse_field`.
    fields : sequence of str or Strategy, optional
        One strategy per seat instead, for a table of different players.
    rules : str or GutsRules, optional
        A profile name or a rule set; default ``"two-card"``, or ``"home"`` if ``cards=3`` is given.
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
    **switches
        Rule switches to change, for example ``cap=20, reserve=True`` or ``cap=None``.

    Returns
    -------
    CascadeResult
        ``results`` holds ``multiplier_law``, ``expected_multiplier``, ``supercritical``, ``tail_index``,
        ``drift``, ``p_cycle_ends``, ``rounds``, ``peak``, ``reserve`` and ``notes``. Peaks are in chips;
        ``p_ge_10x`` is the probability of a pot of at least ten times the first antes of all players.
        Numbers that do not exist (the mean of a supercritical pot, the length of a cycle that need not end) are
        None, and ``notes`` says why. The table (``frame``) is the probability that the pot reaches each of a
        series of multiples of those antes.

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
        rules = chosen_rules(rules, switches, "cascade", SWITCHES)
        n_players = rules.check_players(n_players)
        if method not in METHODS:
            raise InputError(f"method: {method!r} is not allowed; choose {', '.join(METHODS)}")
        options = RunOptions(
            n_deals=DEFAULT_CYCLES if cycles is None else check_count(cycles, "cycles"),
            seed=resolve_seed(seed),
            confidence=check_confidence(confidence),
            workers=workers,
            executor=executor,
            progress=progress,
        )
        round_limit = check_count(round_limit, "round_limit", maximum=MAX_ROUND_LIMIT)
        given = _given_fields(n_players, field, fields)
        read = [read_field(one, rules.ranking) for one in given]
        study = _prepare(n_players, rules, read, method, options, round_limit)
        recorded = [repeatable(one, strategy) for one, strategy in zip(given, read)]
        parameters = {
            "n_players": n_players,
            **({"field": recorded[0]} if fields is None else {"fields": recorded}),
            "method": method,
            "cycles": options.n_deals if study.method == "mc" else None,
            "round_limit": round_limit,
        }
        result = _answer(study, parameters)
    return replace(result, timing=watch.as_dict())


def _given_fields(
    n_players: int, field: str | Strategy, fields: Sequence[str | Strategy] | None
) -> list[str | Strategy]:
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
    read: Sequence[Strategy | str | None],
    method: str,
    options: RunOptions,
    round_limit: int,
) -> CascadeStudy:
    """Find the equilibrium where it is asked for, and say how the cycle will be followed."""
    sampled = False
    equilibrium: Strategy | None = None
    if EQUILIBRIUM in [one for one in read if isinstance(one, str)]:
        _check_equilibrium_is_solved(rules)
        equilibrium, sampled = symmetric_equilibrium(n_players, rules.ranking, options)
    strategies = [one if isinstance(one, Strategy) else equilibrium for one in read]
    known = [strategy for strategy in strategies if strategy is not None]
    alike = all((strategy.entry == known[0].entry).all() for strategy in known)
    countable = alike and _is_countable(n_players, rules, known[0])
    if method == "exact" and not countable:
        raise InputError(
            f"method: the law of a round of {n_players} players with {rules.cards} cards under these rules and"
            " strategies is not known exactly; allowed are 2 or 3 players or two cards with a threshold, all alike,"
            " pays all and ghost none, or method mc"
        )
    chosen = "exact" if countable and method != "mc" else "mc"
    seats = known * n_players if len(known) == 1 else known
    return CascadeStudy(rules, chosen, options, round_limit, seats, sampled)


def _check_equilibrium_is_solved(rules: GutsRules) -> None:
    """Refuse the equilibrium under switches that change what entering is worth."""
    base = {"nobody_in": ("hold", "reante"), "match_limit": (None,), "pays": ("all",), "ghost": ("none",)}
    changed = [f"{name} {getattr(rules, name)}" for name, values in base.items() if getattr(rules, name) not in values]
    if changed:
        raise InputError(
            f"field: the equilibrium with {', '.join(changed)} is not solved; give a field such as A4+ or top:20%"
        )


def _is_countable(n_players: int, rules: GutsRules, strategy: Strategy) -> bool:
    """Whether the law of what a round does to the pot is known exactly when everybody plays ``strategy``."""
    if rules.pays != "all" or rules.ghost != "none" or not can_count(n_players, strategy):
        return False
    return rules.nobody_in != "weenie" or exact_tied_outs(n_players, rules, strategy.entry) is not None


def symmetric_equilibrium(n_players: int, ranking: Ranking, options: RunOptions) -> tuple[Strategy, bool]:
    """Entry probabilities of the symmetric equilibrium, and whether they were solved on sampled deals."""
    if supports(n_players, ranking.hand_sizes[0], threshold_strategy(ranking, 0).entry):
        best = exact_threshold(n_players, ranking)
        if best.exact:
            return threshold_strategy(ranking, best.index), False
    solved = solve_symmetric(
        n_players,
        ranking,
        run_key(options.seed, PURPOSE_SOLVE),
        workers=options.workers,
        executor=options.executor,
        progress=options.progress,
    )
    return Strategy(EQUILIBRIUM, ranking, solved.entry), True


def _answer(study: CascadeStudy, parameters: dict[str, Any]) -> CascadeResult:
    levels = peak_levels(study.n_players, study.rules)
    exact = study.method == "exact"
    complete, n = True, 0
    if exact:
        answers = exact_answers(_exact_law(study), study.n_players, study.rules, levels)
    else:
        run = play_cycles(study.strategies, study.rules, study.round_limit, levels, study.options, study.run)
        study = replace(study, run=run)
        complete, n = run.complete, run.tally.n
        answers = sampled_answers(run.tally, study.strategies, study.rules, levels, study.round_limit, study.options)
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
        lines=cascade_lines(study.rules, results, n),
        study=study,
    )


def _exact_law(study: CascadeStudy) -> CascadeLaw:
    entry = study.strategies[0].entry
    round_law = exact_round_law(study.n_players, study.rules.ranking, entry)
    tied_outs = exact_tied_outs(study.n_players, study.rules, entry) if study.rules.nobody_in == "weenie" else None
    return exact_cascade(round_law, study.rules, tied_outs)


def _players(study: CascadeStudy) -> dict[str, Any]:
    """What the seats do."""
    described = [{"spec": strategy.spec, "entry_prob": strategy.entry_prob} for strategy in study.strategies]
    if all(one == described[0] for one in described):
        return {"field": described[0]}
    return {"fields": described}
