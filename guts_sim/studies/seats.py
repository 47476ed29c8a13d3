"""Who sits at the table, and what everybody plays."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from guts_sim.checks import shown
from guts_sim.engine.plans import low_ranking
from guts_sim.errors import InputError
from guts_sim.rules import GutsRules, get_rules
from guts_sim.strategy import (
    AnyPlan,
    Plan,
    Strategy,
    is_file_name,
    parse_strategy,
    plain_data,
    plan_from_data,
)
from guts_sim.studies.equilibria import resolve_method, symmetric_equilibrium
from guts_sim.studies.fields import EQUILIBRIUM
from guts_sim.studies.measurement import RunOptions


def table_rules(rules: str | GutsRules | None, switches: Mapping[str, Any]) -> GutsRules:
    """Return the rules given with their switches changed; by default the profile that fits the cards."""
    if rules is None:
        rules = "home" if switches.get("cards") == 3 else "two-card"
    chosen = get_rules(rules, **switches)
    if chosen.stakes != "credit" and chosen.bankroll is None:
        raise InputError(f"stakes {chosen.stakes} need a bankroll; say how many chips every player brings")
    return chosen


@dataclass(frozen=True, eq=False)
class Seat:
    """One player.

    Attributes
    ----------
    name : str
        What to call the player.
    given : object
        The strategy as it was given.
    strategy : Strategy or Plan
        The strategy as it was read.
    loss_limit : int
        Chips; a player who is down by as many leaves. 0: none.
    """

    name: str
    given: Any
    strategy: AnyPlan
    loss_limit: int = 0

    @property
    def spec(self) -> str:
        """The strategy in short."""
        limit = f", stops at -{self.loss_limit}" if self.loss_limit else ""
        return self.strategy.spec + limit


def places(
    n_players: int | None, field: Any, players: Mapping[str, Any] | Sequence[Any] | None, rules: GutsRules
) -> list[tuple[str, Any]]:
    """Name every seat and what is played there: the players named, then as many players of ``field`` as fit."""
    named = _named(players)
    n_players = rules.check_players(len(named) if n_players is None and named else n_players or 0)
    if len(named) > n_players:
        raise InputError(f"players: {len(named)} named for {n_players} seats; give as many seats as players")
    names = [name for name, _ in named]
    free = (str(number) for number in range(1, 2 * n_players + 1) if str(number) not in names)
    return named + [(next(free), field) for _ in range(n_players - len(named))]


def seated(given: Sequence[tuple[str, Any]], rules: GutsRules, options: RunOptions) -> list[Seat]:
    """Read what is played at every place, and solve the equilibrium if somebody plays it."""
    read: dict[int, AnyPlan | str] = {id(strategy): read_plan(strategy, rules) for _, strategy in given}
    equilibrium: AnyPlan | None = None
    if EQUILIBRIUM in [strategy for strategy in read.values() if isinstance(strategy, str)]:
        check_equilibrium_is_solved(rules)
        how = resolve_method("auto", len(given), rules.ranking)
        found_equilibrium = symmetric_equilibrium(len(given), rules.ranking, how, options)
        equilibrium = replace(found_equilibrium, spec=EQUILIBRIUM)
    seats = []
    for name, one in given:
        found = read[id(one)]
        strategy = equilibrium if isinstance(found, str) else found
        assert strategy is not None
        seats.append(Seat(name, one, strategy))
    return seats


def content_of(strategy: AnyPlan) -> str:
    """Return a text that is the same for strategies that play the same."""
    data = plain_data(strategy)
    del data["name"]
    return json.dumps(data)


def groups_of(seats: Sequence[Seat]) -> list[list[int]]:
    """Seats that play the same, in the order in which they first sit."""
    groups: dict[str, list[int]] = {}
    for number, seat in enumerate(seats):
        groups.setdefault(f"{content_of(seat.strategy)} {seat.loss_limit}", []).append(number)
    return list(groups.values())


def _named(players: Any) -> list[tuple[str, Any]]:
    """Names and strategies, checked."""
    if players is None:
        return []
    if isinstance(players, str) or not isinstance(players, Mapping | Sequence):
        raise InputError(f"players: {shown(players)} is not allowed; give names with strategies")
    pairs = list(players.items()) if isinstance(players, Mapping) else list(players)
    named: list[tuple[str, Any]] = []
    for pair in pairs:
        if isinstance(pair, str) or not isinstance(pair, Sequence) or len(pair) != 2:
            raise InputError(f"players: {shown(pair)} is no pair of a name and a strategy")
        name = str(pair[0]).strip()
        if not name or not name.isprintable() or len(name) > 40:
            raise InputError(f"players: {shown(pair[0])} is no name; give 1 to 40 printable letters")
        if name in [other for other, _ in named]:
            raise InputError(f"players: {name!r} is named twice")
        named.append((name, pair[1]))
    return named


def read_plan(given: Any, rules: GutsRules) -> AnyPlan | str:
    """Read a strategy before any work begins; the equilibrium stays a word until it is known."""
    if isinstance(given, Strategy | Plan):
        return given
    if isinstance(given, Mapping):
        return plan_from_data(given, rules.ranking, low_ranking(rules))
    if isinstance(given, str) and given.strip().lower() == EQUILIBRIUM:
        return EQUILIBRIUM
    return parse_strategy(given, rules.ranking, low_ranking(rules) if rules.high_low else None)


def repeatable_play(given: Any, read: AnyPlan | str) -> Any:
    """Return a strategy's text, or its content where it came from a file or an object."""
    if isinstance(given, str) and (isinstance(read, str) or not is_file_name(given)):
        return given
    assert not isinstance(read, str)
    return plain_data(read)


def check_equilibrium_is_solved(rules: GutsRules) -> None:
    """Refuse the equilibrium under switches that change what entering is worth."""
    changed = [f"{name} {getattr(rules, name)}" for name in rules.beyond_base(supports=("stakes",))]
    if changed:
        one_row_per_hand = rules.declaration != "sequential" and not rules.high_low
        solved = ", or the table that threshold writes with --out" if one_row_per_hand else ""
        raise InputError(
            f"field: the equilibrium with {', '.join(changed)} is not solved here; give a field such as A4+ or"
            f" top:20%{solved}"
        )
