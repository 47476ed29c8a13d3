"""Where the pot of a table grows without bound: a sweep over entry rates and caps."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from guts_sim.checks import check_count, shown
from guts_sim.errors import InputError
from guts_sim.exact import RoundLaw, exact_round_law, supports
from guts_sim.exact.cascade import end_bounds
from guts_sim.hands import Ranking
from guts_sim.interruption import interruptible
from guts_sim.provenance import Stopwatch
from guts_sim.results import Result, Row, counted_result
from guts_sim.rules import MAX_CHIPS, GutsRules
from guts_sim.strategy import threshold_strategy, top_strategy
from guts_sim.studies.fields import chosen_rules
from guts_sim.studies.text import percent, table

DEFAULT_ENTRIES = tuple(round(0.05 * step, 2) for step in range(1, 21))
DEFAULT_CAPS = (1, 2, 4, 10, 20)  # times what all players ante
SWITCHES = ("nobody_in", "match_limit")
MAX_STATES = 20_000  # per point of the grid


@interruptible
def phase_diagram(
    n_players: int,
    *,
    entries: Sequence[float] | None = None,
    caps: Sequence[int | None] | None = None,
    rules: str | GutsRules | None = None,
    **switches: Any,
) -> Result:
    """Sweep over entry rates and caps: mean multiplier, drift of the reserve, probability that a cycle ends.

    At each point everybody enters with the same share of the strongest hands. Everything is exact.

    Parameters
    ----------
    n_players : int
        2 to 10 with two cards, 2 or 3 with three.
    entries : sequence of float, optional
        Shares of hands that enter, above 0 and up to 1; default 0.05, 0.10, ... 1.
    caps : sequence of int or None, optional
        Caps in chips, each with a reserve; None stands for no cap. Default: no cap, and 1, 2, 4, 10 and 20
        times what all players ante.
    rules : str or GutsRules, optional
        A profile name or a rule set; default ``"two-card"``, or ``"home"`` if ``cards=3`` is given.
    **switches
        Rule switches to change.

    Returns
    -------
    Result
        One row per entry rate and cap: ``entry``, ``cap``, ``expected_multiplier``, ``supercritical``,
        ``tail_index``, ``drift``, ``p_cycle_ends`` with its bounds ``p_ends_low`` and ``p_ends_high``.
        ``results["critical_entry"]`` is the entry rate at which the pot keeps its size on average.

    Raises
    ------
    InputError
        An argument is not allowed, or the law of a round is not known exactly.

    Examples
    --------
    >>> diagram = phase_diagram(3, entries=[0.3, 0.9], caps=[None, 12])
    >>> [row["supercritical"] for row in diagram.rows], round(diagram.results["critical_entry"], 4)
    ([False, False, True, True], 0.6433)
    """
    with Stopwatch() as watch:
        rules = chosen_rules(rules, switches, "phase_diagram", SWITCHES)
        n_players = rules.check_players(n_players)
        if rules.nobody_in == "weenie":
            raise InputError("phase_diagram: not solved with nobody_in weenie; allowed are nobody_in hold or reante")
        _check_exact(n_players, rules.ranking)
        shares = _checked_entries(DEFAULT_ENTRIES if entries is None else entries)
        antes = n_players * rules.ante
        bounds = _checked_caps((None, *(times * antes for times in DEFAULT_CAPS)) if caps is None else caps)
        rows: list[Row] = []
        for share in shares:
            law = entry_law(n_players, rules.ranking, share)
            rows += [_row(law, share, cap, rules) for cap in bounds]
        critical = critical_entry(n_players, rules.ranking)
        results = {"n_players": n_players, "cards": rules.cards, "critical_entry": critical, "rows": rows}
        result = counted_result(
            "cascade sweep",
            rules=rules.as_dict(),
            parameters={"n_players": n_players, "entries": list(shares), "caps": list(bounds)},
            results=results,
            rows=rows,
            lines=_lines(n_players, rules, critical, rows),
        )
    return replace(result, timing=watch.as_dict())


@interruptible
def critical_entry(n_players: int, ranking: Ranking) -> float | None:
    """Entry rate above which the pot grows on average: the share of the strongest hands with E[M] = 1.

    Parameters
    ----------
    n_players : int
        2 to 10 with two cards, 2 or 3 with three.
    ranking : Ranking
        Order of hands.

    Returns
    -------
    float or None
        None if the pot shrinks on average at every rate, as with two players.

    Raises
    ------
    InputError
        The law of a round is not known exactly.

    Examples
    --------
    >>> from guts_sim.hands import get_ranking
    >>> round(critical_entry(5, get_ranking("guts2")), 4), critical_entry(2, get_ranking("guts2"))
    (0.3687, None)
    """
    from scipy.optimize import brentq

    _check_exact(n_players, ranking)

    def excess(share: float) -> float:
        return entry_law(n_players, ranking, share).expected_multiplier - 1.0

    # Nobody in keeps the pot too, so E[M] is also 1 at rate 0; at the equilibrium it is below 1.
    equilibrium = 1.0 - 0.5 ** (1.0 / (n_players - 1))
    if excess(1.0) < 0.0:
        return None
    return float(brentq(excess, equilibrium, 1.0, xtol=1e-10))


def entry_law(n_players: int, ranking: Ranking, share: float) -> RoundLaw:
    """Law of a round in which everybody enters with a share of the strongest hands."""
    return exact_round_law(n_players, ranking, top_strategy(ranking, share).entry)


def _row(law: RoundLaw, share: float, cap: int | None, rules: GutsRules) -> Row:
    capped = rules.with_switches(cap=cap, reserve=cap is not None)
    low, high, drift = end_bounds(law, capped, max_states=MAX_STATES)
    return {
        "entry": share,
        "cap": cap,
        "expected_multiplier": law.expected_multiplier,
        "supercritical": law.expected_multiplier >= 1.0,
        "tail_index": law.tail_index(),
        "drift": drift,
        "p_cycle_ends": 0.5 * (low + high),
        "p_ends_low": low,
        "p_ends_high": high,
    }


def _check_exact(n_players: int, ranking: Ranking) -> None:
    if not supports(n_players, ranking.hand_sizes[0], threshold_strategy(ranking, 0).entry):
        raise InputError(
            f"n_players: {n_players} players with {ranking} are not counted exactly; allowed are two cards, or 2 or 3"
            " players"
        )


def _checked_entries(entries: Sequence[float]) -> list[float]:
    try:
        shares = np.asarray(entries, np.float64)
    except (TypeError, ValueError):
        shares = np.zeros(1)
    if shares.ndim != 1 or shares.size == 0 or not ((shares > 0.0) & (shares <= 1.0)).all():
        raise InputError(f"entries: {shown(entries)} is not allowed; give shares of hands above 0 and up to 1")
    return [float(share) for share in shares]


def _checked_caps(caps: Sequence[int | None]) -> list[int | None]:
    if not isinstance(caps, list | tuple) or not caps:
        raise InputError(f"caps: {shown(caps)} is not allowed; give a list of chips, with None for no cap")
    return [None if cap is None else check_count(cap, "cap", maximum=MAX_CHIPS) for cap in caps]


def _lines(n_players: int, rules: GutsRules, critical: float | None, rows: Sequence[Row]) -> list[str]:
    where = (
        "The pot shrinks on average at every entry rate."
        if critical is None
        else f"The pot grows on average where more than {percent(critical)} of hands enter."
    )
    lines = [f"Guts, {n_players} players, {rules.cards} cards: entry rates and caps (exact)", where, ""]
    body = [
        [
            percent(row["entry"], 1),
            "none" if row["cap"] is None else row["cap"],
            f"{row['expected_multiplier']:.5f}",
            "none" if row["drift"] is None else f"{row['drift']:+.3f}",
            f"{row['p_cycle_ends']:.6f}",
        ]
        for row in rows
    ]
    header = ["hands in", "cap", "mean multiplier", "reserve gains, chips a round", "cycle ends"]
    return lines + table(header, body)
