"""Indian poker solved: exactly for two players, an epsilon-equilibrium with its measured NashConv for more."""

from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from guts_sim.checks import ABOVE_0, check_count, check_number
from guts_sim.engine import MAX_DEALS, resolve_seed
from guts_sim.errors import InputError
from guts_sim.estimate import check_confidence, exact
from guts_sim.games.betting import FOLD, STAY, action_name
from guts_sim.games.card_game import CardGame, Deck, betting_game, declaring_game
from guts_sim.games.indian import IndianRules, read_rules
from guts_sim.games.tree import BettingTree
from guts_sim.games.walk import Walk, can_list, walk_of
from guts_sim.interruption import interruptible
from guts_sim.provenance import Stopwatch
from guts_sim.results import Result, Row
from guts_sim.solve.cfr import TARGET, learn_profile
from guts_sim.solve.sequence_form import Solution, solve_two_players
from guts_sim.studies.indian_measurement import Measured, measure_replies, seat_values
from guts_sim.studies.indian_strategies import EQUILIBRIUM, SolveOptions, strategy_table
from guts_sim.studies.text import prose, table, with_error

Floats = NDArray[np.float64]
DEFAULT_DEALS = {4: 2000, 5: 500, 6: 200, 7: 100, 8: 50, 9: 30, 10: 20}
DEFAULT_SEED = 1


@interruptible
def indian_solve(
    n_players: int = 2,
    *,
    rules: IndianRules | None = None,
    deals: int | None = None,
    seed: int | None = None,
    target: float | None = None,
    confidence: float = 0.95,
    workers: int | None = None,
    executor: Executor | None = None,
    progress: bool | None = None,
    **switches: Any,
) -> Result:
    """Solve Indian poker: value of each seat, a strategy, and what deviating from it gains.

    Two players are solved exactly, by a linear programme. With three players regrets are minimised on all deals and the
    NashConv of the result is exact. With more, cards are summarised and dealt at random, and the NashConv is
    estimated on fresh deals by best replies that know every visible card and the whole history.

    Parameters
    ----------
    n_players : int
        2 to 10; 2 or 3 with Guts settlement.
    rules : IndianRules, optional
        The rules; single switches can be given by name.
    deals : int, optional
        Four and more players: fresh deals on which the NashConv is estimated; default 2000 for four, fewer for more.
    seed : int, optional
        Four and more players: seed of the deals; default 1.
    target : float, optional
        Three players: stop at this NashConv; default 0.008 chips.
    confidence, workers, executor, progress
        See `guts_sim.threshold`.
    **switches
        ``max_raises``, ``fold_unbet``, ``ties``, ``best``, ``settlement``, ``declaration``; see `guts_sim.IndianRules`.

    Returns
    -------
    Result
        ``results["value"]``: chips per hand by seat (with Guts settlement pots above the fair share);
        ``results["nash_conv"]``; ``results["strategy"]``: rows of seat, sees, history, action, prob, which are
        also the table. In summaries the seat is None.

    Raises
    ------
    InputError
        An argument is not allowed.

    Examples
    --------
    >>> result = indian_solve(2)
    >>> round(result.results["value"][0], 6), result.results["nash_conv"] < 1e-9
    (-0.061376, True)
    """
    with Stopwatch() as watch:
        rules = read_rules(rules, switches)
        n_players = rules.check_players(n_players)
        options = SolveOptions(
            seed=DEFAULT_SEED if seed is None else resolve_seed(seed),
            workers=workers,
            executor=executor,
            progress=progress,
            target=TARGET if target is None else _checked_target(target),
        )
        confidence = check_confidence(confidence)
        wanted = None if deals is None else check_count(deals, "deals", 2, MAX_DEALS)
        game = _listed_game(n_players, rules)
        if game is not None:
            result = _listed_answer(game, rules, options, confidence)
        else:
            walk = walk_of(n_players, rules)
            result = _sampled_answer(walk, wanted or DEFAULT_DEALS.get(n_players, 1000), options, confidence)
    return replace(result, timing=watch.as_dict())


def _checked_target(target: object) -> float:
    return check_number(target, "target", "chips per hand, such as 0.01", ABOVE_0, 100.0)


def _listed_game(n_players: int, rules: IndianRules) -> CardGame | None:
    """The game with every deal listed, if it is small enough."""
    deck = Deck(52, 1) if rules.ties == "suits" else Deck()
    is_small = can_list(n_players, rules)
    if rules.settlement == "guts":
        if not is_small:
            raise InputError(
                f"players, settlement: Guts settlement is solved for 2 players, and 3 with ties split, not {n_players}"
            )
        return declaring_game(n_players, sequential=rules.declaration == "sequential", deck=deck, best=rules.best)
    return betting_game(n_players, rules.limits, deck=deck, best=rules.best) if is_small else None


def _listed_answer(game: CardGame, rules: IndianRules, options: SolveOptions, confidence: float) -> Result:
    if game.n_players == 2:
        solution = solve_two_players(game)
    else:
        solution = learn_profile(
            game, target=options.target, max_iterations=options.max_iterations, progress=options.progress
        )
    gains = np.maximum(solution.reply_values - solution.values, 0.0)  # rounding can leave -1e-17
    measured = Measured(
        [exact(float(value), confidence) for value in solution.values],
        [exact(float(gain), confidence) for gain in gains],
        exact(solution.nash_conv, confidence),
        0,
    )
    rows = _listed_rows(game, rules, solution)
    return _result(game.n_players, rules, measured, rows, options, {"iterations": solution.iterations})


def _listed_rows(game: CardGame, rules: IndianRules, solution: Solution) -> list[Row]:
    """One row for each action at each place and set of cards that can be seen there."""
    rows: list[Row] = []
    if rules.settlement == "guts":
        labels = _declarations(game, rules)
    else:
        walk = walk_of(game.n_players, rules)
        assert isinstance(walk.table, BettingTree)
        labels = [
            (walk.table.history_text(node), [action_name(walk.table.states[node], action) for action in range(3)])
            for node in range(walk.table.n_decisions)
        ]
    for place in range(game.n_places):
        seat = int(game.place_actor[place])
        others = [other for other in range(game.n_players) if other != seat]
        views, where = np.unique(game.view[seat], return_index=True)
        for view, deal in zip(views.tolist(), where.tolist()):
            sees = " ".join(_card_name(int(game.deals[deal, other]), rules) for other in others)
            for action in np.flatnonzero(game.legal[place]).tolist():
                prob = float(solution.profile[place, view, action])
                history, names = labels[place]
                rows.append({"seat": seat + 1, "sees": sees, "history": history, "action": names[action], "prob": prob})
    return rows


def _declarations(game: CardGame, rules: IndianRules) -> list[tuple[str, list[str]]]:
    names = ["out", "in", ""]
    if rules.declaration == "simultaneous":
        return [("", names)] * game.n_places
    texts = [""] * game.n_places
    for node in range(game.n_decisions):
        for action in (FOLD, STAY):
            child = int(game.child[node, action])
            if child < game.n_decisions:
                texts[child] = f"{texts[node]} {names[action]}".strip()
    return [(text, names) for text in texts]


def _card_name(code: int, rules: IndianRules) -> str:
    letters = "23456789TJQKA"
    return letters[code // 4] + "cdhs"[code % 4] if rules.ties == "suits" else letters[code]


def _sampled_answer(walk: Walk, deals: int, options: SolveOptions, confidence: float) -> Result:
    strategy = strategy_table(EQUILIBRIUM, walk, options)
    measured = measure_replies(walk, strategy, deals, options, confidence)
    measured = replace(measured, values=seat_values(walk, strategy, options, confidence))
    rows: list[Row] = []
    for node in range(walk.table.n_decisions):
        state, where = walk.table.states[node], walk.describe_node(node)
        for view in range(walk.n_views):
            sees = walk.describe_view(node, view)
            for action in np.flatnonzero(walk.legal[node]).tolist():
                rows.append(
                    {
                        "seat": None,
                        "sees": sees,
                        "history": where,
                        "action": action_name(state, action),
                        "prob": float(strategy[node, view, action]),
                    }
                )
    return _result(
        walk.n_players,
        walk.rules,
        measured,
        rows,
        options,
        {"deals": deals, "solved_on": options.n_deals(walk.n_players)},
    )


def _result(
    n_players: int,
    rules: IndianRules,
    measured: Measured,
    rows: list[Row],
    options: SolveOptions,
    how: dict[str, int],
) -> Result:
    is_sampled = measured.n_deals > 0
    results = {
        "n_players": n_players,
        "kind": "equilibrium" if n_players == 2 else "epsilon-equilibrium",
        "value": [estimate.value for estimate in measured.values],
        "value_stderr": [estimate.stderr for estimate in measured.values],
        "nash_conv": measured.nash_conv.value,
        "nash_conv_estimate": measured.nash_conv.as_dict(),
        "best_reply_gains": [estimate.as_dict() for estimate in measured.gains],
        "solver": how,
        "strategy": rows,
    }
    parameters: dict[str, Any] = {"n_players": n_players}
    if is_sampled:
        parameters["deals"] = how["deals"]
    elif n_players > 2:
        parameters["target"] = options.target
    return Result(
        command="indian solve",
        rules=rules.as_dict(),
        parameters=parameters,
        method="mc" if is_sampled else "exact",
        n=measured.n_deals,
        seed=options.seed if is_sampled else None,
        confidence=measured.nash_conv.confidence,
        complete=measured.complete,
        results=results,
        rows=rows,
        lines=_lines(results, measured, rules),
    )


def _lines(results: dict[str, Any], measured: Measured, rules: IndianRules) -> list[str]:
    n_players, kind = results["n_players"], results["kind"]
    how = {2: "exactly, by a linear programme", 3: "regrets minimised on all deals"}.get(n_players, "")
    if measured.n_deals:
        how = "regrets minimised on sampled deals, cards summarised"
    unit = "pots above the fair share" if rules.settlement == "guts" else "chips per hand, ante 1"
    lines = [f"Indian poker, {n_players} players: {kind} ({how}; {unit})", ""]
    header = ["seat", "value", "best reply gains"]
    cells = [
        [str(seat + 1), f"{value.value:+z.6f}", f"{gain.value:z.6f}"]
        for seat, (value, gain) in enumerate(zip(measured.values, measured.gains))
    ]
    if measured.n_deals:
        header = ["seat", "value", "stderr", "best reply gains", "stderr"]
        for row, value, gain in zip(cells, measured.values, measured.gains):
            row.insert(2, f"{value.stderr:.1e}")
            row.append(f"{gain.stderr:.1e}")
    nash_conv = measured.nash_conv
    text = f"NashConv {with_error(nash_conv.value, nash_conv.stderr)}"
    if measured.n_deals:
        text += f", {100 * nash_conv.confidence:g} % interval {nash_conv.ci_low:.6f} to {nash_conv.ci_high:.6f}"
        text += f", on {measured.n_deals:,} fresh deals by best replies that know all visible cards and the history"
    lines += [*table(header, cells), "", *prose(text + ".")]
    if n_players == 2:
        lines += ["", *_strategy_lines(results["strategy"])]
    else:
        lines += ["", *prose("The strategy is in the table (--format csv) and in the results (--format json).")]
    return lines


def _strategy_lines(rows: Sequence[Row]) -> list[str]:
    """Two players: probability of each action by the card seen, one line per card, one table per history."""
    lines: list[str] = []
    for history in dict.fromkeys(row["history"] for row in rows):
        for seat in sorted({row["seat"] for row in rows if row["history"] == history}):
            chosen = [row for row in rows if row["history"] == history and row["seat"] == seat]
            actions = list(dict.fromkeys(row["action"] for row in chosen))
            seen = list(dict.fromkeys(row["sees"] for row in chosen))
            prob = {(row["sees"], row["action"]): row["prob"] for row in chosen}
            if len(seen) > 13:
                return prose("The strategy is in the table (--format csv) and in the results (--format json).")
            lines += [f"Seat {seat}" + (f" after {history}:" if history else ":")]
            lines += table(["sees", *seen], [[a, *(f"{prob[card, a]:.3f}" for card in seen)] for a in actions])
            lines.append("")
    return lines[:-1]
