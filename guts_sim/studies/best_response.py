"""Best reply to any opponents, played for ever: by hand alone, or by hand, pot, reserve and own chips."""

from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from math import isfinite
from typing import Any

import numpy as np

from guts_sim.checks import check_number, shown
from guts_sim.engine import run_key
from guts_sim.errors import InputError
from guts_sim.estimate import Estimate, exact, normal
from guts_sim.exact.results import Floats
from guts_sim.exact.utility import Utility
from guts_sim.hands import class_names
from guts_sim.interruption import interruptible
from guts_sim.provenance import Stopwatch
from guts_sim.results import Result
from guts_sim.rules import GutsRules
from guts_sim.strategy import Strategy
from guts_sim.studies.best_response_sampling import OutcomeTask, law_of, sample_outcomes
from guts_sim.studies.best_response_solution import (
    ByPot,
    ByStack,
    Solution,
    Stationary,
    Table,
    counted_law,
    counted_terms,
    is_scale_free,
    pot_solver,
)
from guts_sim.studies.best_response_text import best_response_lines
from guts_sim.studies.equilibria import check_method, resolve_method, symmetric_equilibrium
from guts_sim.studies.fields import EQUILIBRIUM, chosen_rules, read_field, repeatable
from guts_sim.studies.measurement import RunOptions, read_run_options

DEFAULT_DEALS = 400_000
ROUNDING = 1e-12
NOT_NEGATIVE = "a number of at least 0, such as 0.01"
SWITCHES = ("nobody_in", "match_limit", "stakes")
PURPOSE_REPLY, PURPOSE_REPLY_ENTRY, PURPOSE_CHECK, PURPOSE_CHECK_ENTRY = 20, 21, 22, 23


@interruptible
def best_response(
    n_players: int,
    *,
    field: str | Strategy = EQUILIBRIUM,
    fields: Sequence[str | Strategy] | None = None,
    risk_aversion: float = 0.0,
    relative_risk_aversion: float = 0.0,
    wealth: float = 0.0,
    rules: str | GutsRules | None = None,
    method: str = "auto",
    deals: int | None = None,
    seed: int | None = None,
    confidence: float = 0.95,
    workers: int | None = None,
    executor: Executor | None = None,
    progress: bool | None = None,
    **switches: Any,
) -> Result:
    """Find the strategy that wins most from given opponents over a whole cycle, and what it wins.

    `guts_sim.threshold` replies to a field for one round and counts what stays on the table as shared equally. A player
    who keeps winning more than his share from opponents who never change counts on that: here his reply looks at
    all later rounds of the cycle.

    Without a cap, and with a cap and a reserve, everything is proportional to the chips on the table, so the best reply
    looks at the hand alone. A cap without reserve, a limit of matches, antes after the first or aversion to risk
    make it depend on pot and reserve; with stakes other than credit, the player's own chips matter too.

    With ``stakes="table"`` or ``"eliminate"`` and a ``bankroll`` it is the replying player whose chips are limited: his
    opponents can always pay, and go on as their strategies say. He plays for the chips that he has when the cycle ends;
    where a share or a payment is no whole number, the odd chip goes by lot.

    Parameters
    ----------
    n_players : int
        2 to 10.
    field : str or Strategy
        What all opponents do; see `guts_sim.parse_field`.
    fields : sequence of str or Strategy, optional
        One strategy per opponent instead.
    risk_aversion : float
        Constant absolute risk aversion a per chip: the reply maximises the certainty equivalent
        -log(E[exp(-a X)]) / a of the chips X won in a cycle. 0, the default, maximises the expectation.
    relative_risk_aversion : float
        Constant relative risk aversion instead, for limited chips: 1 for the logarithm, 0.5 for the square root of what
        the player owns in the end.
    wealth : float
        Chips that the player owns besides those he brings, for relative risk aversion.
    rules : str or GutsRules, optional
        A profile name or a rule set; default ``"two-card"``, or ``"home"`` if ``cards=3`` is given.
    method : {"auto", "exact", "mc"}
        Counting, Monte Carlo, or counting wherever it is possible. A sampled reply with three cards decides alike with
        neighbouring hands, at least one in a hundred of all.
    deals : int, optional
        Deals to find the reply on, and as many fresh ones to measure it on (Monte Carlo); default 400,000.
    seed, confidence, workers, executor, progress
        See `guts_sim.threshold`.
    **switches
        Rule switches to change.

    Returns
    -------
    Result
        ``results`` holds ``value`` (net chips per cycle, antes paid), ``gain`` over the equilibrium
        strategy against the same opponents, ``worth_per_chip``, ``policy`` (one row per pot and reserve, or
        one for all) and ``hands``, those entered at the opening. ``supercritical`` results have no value: expected
        stakes do not vanish, or the reserve need not empty.

    Raises
    ------
    InputError
        An argument is not allowed, or ``method="exact"`` where counting is not possible.

    Examples
    --------
    Three players of whom two wait for tens or better: enter with everything.

    >>> result = best_response(3, field="TT+")
    >>> result.results["policy"][0]["entry_prob"], round(result.results["value"]["value"], 4)
    (1.0, 1.8635)
    """
    with Stopwatch() as watch:
        chosen = chosen_rules(rules, switches, "best_response", SWITCHES)
        n_players = chosen.check_players(n_players)
        method = check_method(method)
        utility = Utility(
            check_number(risk_aversion, "risk_aversion", NOT_NEGATIVE),
            check_number(relative_risk_aversion, "relative_risk_aversion", NOT_NEGATIVE),
            check_number(wealth, "wealth", NOT_NEGATIVE),
        )
        given = _given(n_players, field, fields)
        read = [read_field(one, chosen.ranking) for one in given]
        options = read_run_options(deals, DEFAULT_DEALS, seed, confidence, workers, executor, progress)
        table = Table(n_players, chosen, utility)
        table.check()
        how = resolve_method("auto", n_players, chosen.ranking)
        equilibrium = symmetric_equilibrium(n_players, chosen.ranking, how, options)
        opponents = [one if isinstance(one, Strategy) else equilibrium for one in read]
        if len(opponents) == 1:
            opponents *= n_players - 1
        recorded = [repeatable(one, strategy) for one, strategy in zip(given, read)]
        answer = _solve(table, opponents, equilibrium, method, options)
        parameters = {
            "n_players": n_players,
            **({"field": recorded[0]} if fields is None else {"fields": recorded}),
            "risk_aversion": utility.absolute,
            "relative_risk_aversion": utility.relative,
            "wealth": utility.wealth,
            "method": method,
            "deals": options.n_deals if answer.n else None,
        }
        results = _results(table, opponents, equilibrium, answer)
        solved_by_sampling = how == "mc" and not equilibrium.is_threshold
        result = Result(
            command="best-response",
            rules=chosen.as_dict(),
            parameters=parameters,
            method="mc" if answer.n else "exact",
            n=answer.n,
            seed=options.seed if answer.n or solved_by_sampling else None,
            confidence=options.confidence,
            complete=True,
            results=results,
            rows=results["policy"],
            lines=best_response_lines(chosen, results, answer.n),
        )
    return replace(result, timing=watch.as_dict())


def _given(n_players: int, field: str | Strategy, fields: Sequence[str | Strategy] | None) -> list[str | Strategy]:
    if fields is None:
        return [_named(field)]
    if field != EQUILIBRIUM:
        raise InputError("field, fields: give one strategy for all opponents, or one for each, not both")
    if isinstance(fields, str) or not isinstance(fields, Sequence) or len(fields) != n_players - 1:
        given = len(fields) if isinstance(fields, list | tuple) else shown(fields)
        raise InputError(f"fields: {given} given for {n_players - 1} opponents; give a list with one strategy for each")
    return [_named(one) for one in fields]


def _named(field: str | Strategy) -> str | Strategy:
    """Return a field, unless it is None, which elsewhere means that there is none."""
    if field is None:
        raise InputError("field: None is not allowed; give text such as 'A4+', or a Strategy")
    return field


@dataclass(frozen=True, eq=False)
class Answer:
    """The reply, what it and the equilibrium strategy are worth, and on how many deals that was measured."""

    solution: Solution
    value: Estimate | None
    of_equilibrium: Estimate | None
    gain: Estimate | None
    n: int


def _solve(
    table: Table, opponents: Sequence[Strategy], equilibrium: Strategy, method: str, options: RunOptions
) -> Answer:
    scale_free = is_scale_free(table)
    if method != "mc":
        terms = counted_terms(table, opponents) if scale_free else None
        law = None if scale_free else counted_law(table, opponents)
        if terms is not None:
            return _exact_answer(Stationary(table, terms), equilibrium, options)
        if law is not None:
            return _exact_answer(pot_solver(table, law), equilibrium, options)
        if method == "exact":
            raise InputError(
                "method: the ends of a round against these opponents cannot be counted; allowed are two cards with 2"
                " or 3 players, a common field that threshold counts where all is proportional to the pot, or method mc"
            )
    return _sampled_answer(table, opponents, equilibrium, options)


def _exact_answer(solver: Stationary | ByPot | ByStack, equilibrium: Strategy, options: RunOptions) -> Answer:
    solution = solver.solve()
    ours, theirs = solver.value(solution.entry), solver.value(equilibrium.entry)

    def known(value: float | None) -> Estimate | None:
        if value is None:
            return None
        return exact(0.0 if abs(value) < ROUNDING else value, options.confidence)

    gain = None if ours is None or theirs is None else ours - theirs
    return Answer(solution, known(ours), known(theirs), known(gain), 0)


def _sampled_answer(table: Table, opponents: Sequence[Strategy], equilibrium: Strategy, options: RunOptions) -> Answer:
    """Find the reply on some deals and measure it on others."""
    ranking, n_players = table.rules.ranking, table.n_players
    scale_free = is_scale_free(table)
    run = {"workers": options.workers, "executor": options.executor, "progress": options.progress}

    def solver(sums: Any) -> Stationary | ByPot | ByStack:
        law = law_of(sums, ranking, n_players)
        return Stationary.from_law(table, law) if scale_free else pot_solver(table, law)

    def sampled(purpose: int, entry_purpose: int) -> Any:
        keys = run_key(options.seed, purpose), run_key(options.seed, entry_purpose)
        task = OutcomeTask(*keys, ranking.name, tuple(one.entry for one in opponents))
        return sample_outcomes(task, options.n_deals, **run)

    found = solver(sampled(PURPOSE_REPLY, PURPOSE_REPLY_ENTRY).total).solve()
    fresh = sampled(PURPOSE_CHECK, PURPOSE_CHECK_ENTRY)

    def values(sums: Any) -> Floats:
        here = solver(sums)
        ours, theirs = here.value(found.entry), here.value(equilibrium.entry)
        pair = [float("nan") if value is None else value for value in (ours, theirs)]
        return np.array([*pair, pair[0] - pair[1]])

    estimates: list[Estimate | None] = []
    for value, stderr in zip(values(fresh.total), fresh.stderr(values)):
        known = isfinite(value)
        estimates.append(normal(float(value), float(stderr), fresh.n, options.confidence) if known else None)
    value, of_equilibrium, gain = estimates
    return Answer(found, value, of_equilibrium, gain, fresh.n)


def _results(table: Table, opponents: Sequence[Strategy], equilibrium: Strategy, answer: Answer) -> dict[str, Any]:
    solution = answer.solution
    names = class_names(table.rules.ranking)
    described = [{"spec": one.spec, "entry_prob": one.entry_prob} for one in opponents]
    opening = solution.entry if solution.entry.ndim == 1 else solution.entry[0]

    def shown_estimate(estimate: Estimate | None) -> dict[str, float] | None:
        return None if estimate is None else estimate.as_dict()

    return {
        "n_players": table.n_players,
        "cards": table.rules.cards,
        **({"field": described[0]} if all(one == described[0] for one in described) else {"fields": described}),
        "looks_at_pot": solution.entry.ndim == 2,
        "looks_at_stack": table.rules.stakes != "credit",
        "risk_aversion": table.utility.absolute,
        "relative_risk_aversion": table.utility.relative,
        "wealth": table.utility.wealth,
        "supercritical": answer.value is None,
        "value": shown_estimate(answer.value),
        "equilibrium_strategy": {
            "spec": equilibrium.spec,
            "entry_prob": equilibrium.entry_prob,
            "value": shown_estimate(answer.of_equilibrium),
        },
        "gain": shown_estimate(answer.gain),
        "worth_per_chip": solution.worth_per_chip,
        "expected_multiplier": solution.multiplier,
        "expected_rounds": solution.rounds,
        "ruin": solution.ruin,
        "hands": [names[c] for c in np.flatnonzero(opening > 0.0)[::-1]],
        "policy": solution.policy,
    }
