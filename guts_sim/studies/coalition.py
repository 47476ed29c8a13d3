"""What colluding players win from honest ones."""

from concurrent.futures import Executor
from dataclasses import replace
from math import isfinite
from typing import Any

from guts_sim.checks import check_count
from guts_sim.errors import InputError
from guts_sim.exact.coalition import MAX_PLAYERS, Table, coalition_table
from guts_sim.exact.coalition_solution import CoalitionValue, at_equilibrium, solve_coalition
from guts_sim.interruption import interruptible
from guts_sim.provenance import Stopwatch
from guts_sim.results import Result, Row, counted_result
from guts_sim.rules import GutsRules, get_rules
from guts_sim.studies.coalition_cards import solve_cards
from guts_sim.studies.coalition_text import card_lines, continuous_lines
from guts_sim.studies.equilibria import check_method
from guts_sim.studies.fields import chosen_rules
from guts_sim.studies.measurement import RunOptions, read_run_options

MOST_LISTED = 10  # tables up to this size are listed for every number of colluders
DEFAULT_DEALS = 2_000_000
SWITCHES = ("nobody_in",)


@interruptible
def coalition(
    n_players: int,
    *,
    colluders: int | None = None,
    continuous: bool | None = None,
    shared_cards: bool = False,
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
    """Find what players who collude win from the others, and how both sides play best.

    Colluders agree on a plan before each round: who goes in whatever he holds, and which hands the others
    need. They draw the plan from a mix, and one purse pays for all of them. By default they do not see each
    other's cards.

    Values are in antes per pot of one ante each, for a table without a cap, and count all later rounds of the pot.

    Parameters
    ----------
    n_players : int
        3 to 10; up to 10,000 with continuous hands.
    colluders : int, optional
        2 to ``n_players - 1``; default: everybody but one.
    continuous : bool, optional
        Hands are uniform numbers instead of cards, which is solved exactly. Default: unless ``cards`` is given.
    shared_cards : bool
        Colluders see each other's cards.
    rules : str or GutsRules, optional
        A profile name or a rule set without a cap; default ``"two-card"`` with its cap removed.
    method : {"auto", "exact", "mc"}
        Counting, Monte Carlo, or counting wherever it is possible. Continuous hands are always exact.
    deals : int, optional
        Fresh deals to measure the solution on (with cards, where it is not counted); default 2,000,000.
    seed, confidence, workers, executor, progress
        See `guts_sim.threshold`; without effect on exact answers.
    **switches
        ``cards`` and the switches of its ranking, and ``nobody_in``, ``"hold"`` or ``"weenie"``.

    Returns
    -------
    Result
        ``results`` holds ``value`` to an honest player, ``honest`` (how he plays), ``plans`` (the coalition's
        mix), ``conceded`` (what the mix allows an honest player at most, equal to ``value`` at the
        solution) and ``equilibrium`` (what the coalition wins from honest players who keep to the
        equilibrium of an honest table). With continuous hands the rows list every number of colluders, with
        cards the plans; with cards and several honest players only ``equilibrium`` is answered.

    Raises
    ------
    InputError
        An argument is not allowed.

    References
    ----------
    .. [1] K. Buck, J. Lee, J. Platnick, A. Wheeler and K. Zumbrun, "Continuous Guts poker and numerical
       optimization of generalized recursive games", arXiv:2208.02788.

    Examples
    --------
    >>> result = coalition(3)
    >>> round(result.results["value"], 5), len(result.results["plans"])
    (-0.01329, 2)
    """
    with Stopwatch() as watch:
        chosen = _chosen_rules(rules, switches)
        method = check_method(method)
        if continuous is None:
            continuous = "cards" not in switches
        n_players = check_count(n_players, "n_players", 3, MAX_PLAYERS if continuous else 10)
        colluders = n_players - 1 if colluders is None else check_count(colluders, "colluders", 2, n_players - 1)
        parameters = {
            "n_players": n_players,
            "colluders": colluders,
            "continuous": bool(continuous),
            "shared_cards": bool(shared_cards),
        }
        options = read_run_options(deals, DEFAULT_DEALS, seed, confidence, workers, executor, progress)
        if continuous and method == "mc":
            raise InputError(
                "method: mc deals cards, and continuous hands are solved exactly; give cards, or method exact"
            )
        result = _continuous(chosen, parameters) if continuous else _with_cards(chosen, parameters, method, options)
    return replace(result, timing=watch.as_dict())


def _chosen_rules(rules: str | GutsRules | None, switches: dict[str, Any]) -> GutsRules:
    """Rules without a cap: only then is a round of a larger pot the same game at a larger scale."""
    if rules is None:
        base = get_rules("two-card", cap=None, reserve=False)
        chosen = chosen_rules(base, switches, "coalition", SWITCHES)
    else:
        chosen = chosen_rules(rules, switches, "coalition", SWITCHES)
    if chosen.cap is not None:
        raise InputError(f"coalition: not solved with cap {chosen.cap}; allowed is cap None (--no-cap)")
    if chosen.nobody_in == "reante" or chosen.ante_every_round:
        raise InputError(
            "coalition: not solved with antes after the first; allowed are nobody_in hold or weenie, and no"
            " ante_every_round"
        )
    return chosen


def _continuous(rules: GutsRules, parameters: dict[str, Any]) -> Result:
    n_players, colluders = parameters["n_players"], parameters["colluders"]
    rule = "weenie" if rules.nobody_in == "weenie" else "base"
    table = coalition_table(n_players, colluders, rule, parameters["shared_cards"])
    solution, naive = solve_coalition(table), at_equilibrium(table)
    results = {
        "n_players": n_players,
        "colluders": colluders,
        "hands": "continuous",
        "shared_cards": table.shared_cards,
        "nobody_in": rules.nobody_in,
        "value": solution.value,
        "conceded": solution.conceded if table.n_honest == 1 else None,
        "gain_per_colluder": _gain_per_colluder(table, solution.value),
        "expected_multiplier": solution.multiplier,
        "has_value": isfinite(solution.value),
        "honest": {"threshold": solution.threshold, "entry_prob": 1.0 - solution.threshold},
        "plans": _plan_rows(solution),
        "equilibrium": {
            "threshold": naive.threshold,
            "value": naive.value,
            "gain_per_colluder": _gain_per_colluder(table, naive.value),
            "plan": next(iter(_plan_rows(naive)), None),
        },
        "rows": _rows_by_colluders(table),
    }
    return counted_result(
        "coalition",
        rules=rules.as_dict(),
        parameters=parameters,
        results=results,
        rows=results["rows"],
        lines=continuous_lines(results),
    )


def _with_cards(rules: GutsRules, parameters: dict[str, Any], method: str, options: RunOptions) -> Result:
    n_players, colluders = parameters["n_players"], parameters["colluders"]
    rules.check_players(n_players)
    results, n = solve_cards(n_players, colluders, rules, parameters["shared_cards"], method, options)
    return Result(
        command="coalition",
        rules=rules.as_dict(),
        parameters=parameters | {"method": method, "deals": options.n_deals if n else None},
        method="mc" if n else "exact",
        n=n,
        seed=options.seed if n else None,
        confidence=options.confidence,
        complete=True,
        results=results,
        rows=results["plans"] or results["rows"],
        lines=card_lines(results, n),
    )


def _gain_per_colluder(table: Table, value: float) -> float:
    """What each colluder wins if the winnings are shared out equally."""
    return 0.0 - value * table.n_honest / table.n_colluders


def _plan_rows(solution: CoalitionValue) -> list[Row]:
    """Plans of a mix; a plan that is kept until the pot is taken lasts 1 / (1 - multiplier) stakes."""
    lasting = sum(one.weight * (1.0 - one.multiplier) for one in solution.mix)
    waits = "threshold_of_strongest" if solution.table.shared_cards else "threshold_of_others"
    return [
        {
            "weight": one.weight,
            "weight_per_pot": one.weight * (1.0 - one.multiplier) / lasting if one.multiplier < 1.0 else None,
            "always_in": one.plan.always_in,
            waits: one.plan.threshold,
            "payoff": one.payoff,
            "expected_multiplier": one.multiplier,
        }
        for one in solution.mix
    ]


def _rows_by_colluders(table: Table) -> list[Row]:
    """One row per number of colluders; only the one asked for at tables larger than any deck serves."""
    sizes = range(2, table.n_players) if table.n_players <= MOST_LISTED else [table.n_colluders]
    rows: list[Row] = []
    for size in sizes:
        seated = replace(table, n_colluders=size)
        best, naive = solve_coalition(seated), at_equilibrium(seated)
        rows.append(
            {
                "colluders": size,
                "value_at_equilibrium": naive.value,
                "gain_at_equilibrium": _gain_per_colluder(seated, naive.value),
                "best_threshold": best.threshold,
                "value": best.value,
                "gain_per_colluder": _gain_per_colluder(seated, best.value),
            }
        )
    return rows
