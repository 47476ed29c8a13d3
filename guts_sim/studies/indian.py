"""At the table of Indian poker: what the cards that I see say about mine, and what to do."""

import re
from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from fractions import Fraction
from math import isclose
from typing import Any

from guts_sim.cards import RANKS, format_cards, parse_cards, parse_ranks
from guts_sim.checks import check_count, shown
from guts_sim.engine import resolve_seed
from guts_sim.errors import InputError
from guts_sim.exact.one_card import HiddenCard, hidden_card_odds
from guts_sim.games.betting import action_name, next_order
from guts_sim.games.indian import IndianRules, read_rules
from guts_sim.games.tree import read_history
from guts_sim.games.walk import Walk, walk_of
from guts_sim.interruption import interruptible
from guts_sim.provenance import Stopwatch
from guts_sim.results import Result, Row
from guts_sim.solve.sampled_replies import ActionValues, action_values
from guts_sim.studies.indian_strategies import EQUILIBRIUM, SolveOptions, check_strategy, tables_of
from guts_sim.studies.text import percent, prose, table

DEFAULT_SEED = 1
NEARLY_EQUAL = 1e-9


@dataclass(frozen=True)
class Situation:
    """What a player sees: strengths of the others' cards by seat, and how to write them."""

    strengths: tuple[int, ...]
    names: tuple[str, ...]


@interruptible
def indian(
    see: str | Sequence[str],
    *,
    history: str = "",
    strategy: str | Sequence[str] = EQUILIBRIUM,
    seat: int | None = None,
    rules: IndianRules | None = None,
    seed: int | None = None,
    workers: int | None = None,
    executor: Executor | None = None,
    progress: bool | None = None,
    **switches: Any,
) -> Result:
    """Chances of the hidden card, and what each action is worth.

    Parameters
    ----------
    see : str or sequence of str
        Cards of the other players in the order of their seats, the first to act first: ranks such as ``"K 9 4"``, or
        cards. A rank may come up to four times. There is one player more than cards.
    history : str
        Actions so far, such as ``"check bet"``; it says whose turn it is.
    strategy : str or sequence of str
        What the others do, one for all or one per card seen: ``equilibrium``, ``thumb:Q`` (check or fold if
        the best visible card is above a queen, bet otherwise), ``loose``, ``bluff:30%``,
        ``random``, ``raise``, ``call``.
    seat : int, optional
        Your seat, 1 acts first; only checked, since the history says whose turn it is.
    rules : IndianRules, optional
        The rules; single switches can be given by name.
    seed : int, optional
        Seed of the equilibrium of four and more players, which is learned on sampled deals; default 1.
    workers, executor, progress
        See `guts_sim.threshold`.
    **switches
        ``max_raises``, ``fold_unbet``, ``ties``, ``best``; see `guts_sim.IndianRules`.

    Returns
    -------
    Result
        ``results["odds"]``: chances that the hidden card is the only best, tied for best, beaten;
        ``results["actions"]``: net chips of the hand by action, if you go on as well as possible, exact given the
        others' strategies.

    Raises
    ------
    InputError
        An argument is not allowed.

    Examples
    --------
    >>> result = indian("K", strategy="thumb:Q")
    >>> result.results["odds"]["win_exact"], result.results["advice"]
    ('4/51', 'check')
    """
    with Stopwatch() as watch:
        rules = read_rules(rules, switches)
        text = see if isinstance(see, str) else " ".join(map(str, see))
        situation = read_situation(text, rules)
        n_players = rules.check_players(len(situation.strengths) + 1)
        walk = walk_of(n_players, rules)
        actions = read_history(history, n_players, rules.limits)
        specs = _strategies(strategy, n_players)
        options = SolveOptions(
            seed=DEFAULT_SEED if seed is None else resolve_seed(seed),
            quick=True,
            workers=workers,
            executor=executor,
            progress=progress,
        )
        actor = _actor(walk, actions)
        if seat is not None and check_count(seat, "seat", 1, n_players) != actor + 1:
            raise InputError(f"seat: after {history!r} seat {actor + 1} has to act, not seat {seat}")
        strategies, who = tables_of([*specs[:actor], specs[0], *specs[actor:]], walk, options)
        values = action_values(walk, situation.strengths, actions, strategies, who)
        result = _answer(walk, situation, history, specs, values, options)
    return replace(result, timing=watch.as_dict())


def read_situation(text: str, rules: IndianRules) -> Situation:
    """Read visible cards: ranks, or cards with suits, which are needed only where suits are ordered.

    Examples
    --------
    >>> read_situation("K 9 9", IndianRules()).strengths
    (11, 7, 7)
    """
    with_suits = re.search("[cdhs♣♦♥♠♧♢♡♤]", text.lower()) is not None
    if rules.ties == "suits" and not with_suits:
        raise InputError(f"see: with ordered suits give cards such as Ks 9d, got {shown(text)}")
    if with_suits:
        cards = parse_cards(text)
        names = tuple(format_cards(cards).split())
        codes = cards if rules.ties == "suits" else tuple(card // 4 for card in cards)
    else:
        codes = parse_ranks(text)
        names = tuple(RANKS[rank] for rank in codes)
    if not 1 <= len(codes) <= 9:
        raise InputError(f"see: give 1 to 9 cards, one for each other player, got {len(codes)}: {shown(text)}")
    top = 51 if rules.ties == "suits" else 12
    return Situation(tuple(top - code if rules.best == "low" else code for code in codes), names)


def _strategies(strategy: str | Sequence[str], n_players: int) -> list[str]:
    """One strategy for each of the others."""
    given = strategy.split(",") if isinstance(strategy, str) else list(strategy)
    specs = [check_strategy(spec) for spec in given]
    if len(specs) == 1:
        specs *= n_players - 1
    if len(specs) != n_players - 1:
        raise InputError(f"strategy: give one for all or one for each of the {n_players - 1} others, got {len(specs)}")
    return specs


def _actor(walk: Walk, actions: Sequence[int]) -> int:
    order = tuple(range(walk.n_players))
    for action in actions:
        order = next_order(order, action)
    return order[0]


def _answer(
    walk: Walk,
    situation: Situation,
    history: str,
    specs: list[str],
    values: ActionValues,
    options: SolveOptions,
) -> Result:
    rules = walk.rules
    odds = hidden_card_odds(situation.strengths, walk.n_strengths)
    state = walk.table.states[values.node]
    rows: list[Row] = [
        {"action": action_name(state, action), "ev": best, "stderr": 0.0} for action, (best, _) in values.values.items()
    ]
    possible = values.p_history > 0.0
    advice = _advice(rows) if possible else None
    posterior = _posterior(values, situation) if possible else None
    is_learned = EQUILIBRIUM in specs and not walk.is_exact
    results: dict[str, Any] = {
        "n_players": walk.n_players,
        "seat": values.seat + 1,
        "see": list(situation.names),
        "history": history.split(),
        "strategies": specs,
        "odds": _odds_record(odds),
        "given_history": posterior,
        "p_history": values.p_history,
        "actions": rows if possible else [],
        "advice": advice,
    }
    parameters = {
        "see": " ".join(situation.names),
        "history": history,
        "strategy": specs,
    }
    return Result(
        command="indian",
        rules=rules.as_dict(),
        parameters=parameters,
        method="mc" if is_learned else "exact",
        n=options.n_deals(walk.n_players) if is_learned else 0,
        seed=options.seed if is_learned else None,
        confidence=0.95,
        complete=True,
        results=results,
        rows=results["actions"],
        lines=_lines(results, odds),
    )


def _odds_record(odds: HiddenCard) -> dict[str, Any]:
    record: dict[str, Any] = {}
    for name in ("win", "tie", "lose", "equity"):
        value: Fraction = getattr(odds, name)
        record |= {name: float(value), f"{name}_exact": str(value)}
    return record


def _posterior(values: ActionValues, situation: Situation) -> dict[str, float]:
    """Chances once what the others did is taken into account."""
    best = max(situation.strengths)
    win, tie = float(values.law[best + 1 :].sum()), float(values.law[best])
    return {"win": win, "tie": tie, "lose": max(0.0, 1.0 - win - tie)}


def _advice(rows: Sequence[Row]) -> str:
    """The best action; of equally good ones the first that costs nothing more."""
    best = max(row["ev"] for row in rows)
    equal = [row["action"] for row in rows if isclose(row["ev"], best, abs_tol=NEARLY_EQUAL)]
    return str(equal[0] if len(equal) == 1 or equal[0] != "fold" else equal[1])


def _lines(results: dict[str, Any], odds: HiddenCard) -> list[str]:
    n_players, seen = results["n_players"], " ".join(results["see"])
    lines = [f"Indian poker, {n_players} players: you are seat {results['seat']} and see {seen}", ""]
    header, cells = ["your card is", "best", "tied for best", "beaten", "equity"], []
    exact = [f"{p} = {percent(float(p))}" for p in (odds.win, odds.tie, odds.lose, odds.equity)]
    cells.append(["from the cards seen", *exact])
    given = results["given_history"]
    if given is not None and results["history"]:
        chances = [percent(given[name]) for name in ("win", "tie", "lose")]
        cells.append([f"and given {' '.join(results['history'])}", *chances, ""])
    lines += [*table(header, cells), ""]
    different = list(dict.fromkeys(results["strategies"]))
    others = different[0] if len(different) == 1 else ", ".join(results["strategies"])
    if results["advice"] is None:
        return [*lines, *prose(f"Others who play {others} never act like this, so the actions have no value.")]
    evs = [[row["action"], f"{row['ev']:+.5f}"] for row in results["actions"]]
    lines += [f"Net chips of the hand against others who play {others}, if you go on as well as possible:", ""]
    lines += [*table(["action", "ev"], evs), "", f"Advice: {results['advice']}."]
    if n_players > 2 and EQUILIBRIUM in results["strategies"]:
        how = "learned within seconds and not measured; a longer run is measured by" if n_players > 3 else "measured by"
        lines += prose(f"The strategy of {n_players} players is an epsilon-equilibrium ({how} indian --solve).")
    return lines
