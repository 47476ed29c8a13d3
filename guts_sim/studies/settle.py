"""The study ``settle``: who pays what in one round."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from guts_sim.cards import format_cards
from guts_sim.errors import InputError
from guts_sim.interruption import interruptible
from guts_sim.results import Result, Row, counted_result
from guts_sim.rules import GutsRules, get_rules
from guts_sim.settlement import Settlement, settle_contests
from guts_sim.studies.settle_input import (
    Cards,
    Chips,
    Hands,
    Player,
    cards_in_first_hand,
    check_places,
    check_roles,
    contest_for,
    read_chips,
    read_extra_cards,
    read_name,
    read_players,
)
from guts_sim.studies.text import table

_POTS = {False: ("pot",), True: ("high pot", "low pot")}


@interruptible
def settle(
    players_in: Hands = (),
    *,
    pot: Chips,
    out: Hands = (),
    high: Hands = (),
    low: Hands = (),
    both: Hands = (),
    low_pot: Chips | None = None,
    reserve_chips: Chips = 0,
    low_reserve_chips: Chips | None = None,
    seats: Sequence[str] | None = None,
    dealer: str | None = None,
    stacks: Mapping[str, Chips] | None = None,
    ghost_hand: Cards | None = None,
    community_card: Cards | None = None,
    whole_chips: bool = False,
    rules: str | GutsRules | None = None,
    **switches: Any,
) -> Result:
    """Settle one given round: who wins, who pays what, and what lies on the table afterwards.

    Parameters
    ----------
    players_in : mapping of str to cards, or iterable of str
        Who is in, with their cards. Cards that decide nothing may be None, or all names given as a list: one
        player alone wins without showing.
    pot : int, Fraction or str
        Chips in the active pot, exact: ``6``, ``"20/3"``. With ``high_low`` those of the high pot.
    out : mapping of str to cards, or iterable of str
        Who is out. Their cards are needed if nobody is in and the best hand has to match (``nobody_in="weenie"``).
    high, low, both : mapping of str to cards, or iterable of str
        With ``high_low``: who is in for the high pot, the low pot, or both.
    low_pot : chips, optional
        Chips in the low pot; default as many as in the high pot.
    reserve_chips, low_reserve_chips : chips
        Chips in the reserve of each pot; by default the low pot's is as large as the other.
    seats : sequence of str, optional
        All players clockwise; default in the order in, high, low, both, out.
    dealer : str, optional
        Who dealt: with ``whole_chips`` a rest goes to the first player concerned on the dealer's left. Default the
        last of the seats.
    stacks : mapping of str to chips, optional
        What players have, for stakes other than credit. Who is not named has the bankroll of the rules.
    ghost_hand, community_card : cards, optional
        Needed where the rules have them and they decide.
    whole_chips : bool
        Divide into whole chips; otherwise exact fractions.
    rules : str or GutsRules, optional
        A profile name or a rule set; default ``"two-card"``, or ``"home"`` for hands of three cards.
    **switches
        Rule switches to change, for example ``cap=50`` or ``ghost="all"``.

    Returns
    -------
    Result
        ``results`` holds ``winners`` (names), ``net`` and ``payments`` by player, ``next_pot``, ``reserve``,
        ``new_antes`` (whether a new cycle begins), ``antes_due`` by player, ``ghost_wins``, ``eliminated``, ``stacks``
        and ``lines`` (rule number and sentence, in the order in which chips moved). With ``high_low``,
        ``winners``, ``next_pot``, ``reserve``, ``new_antes`` and ``ghost_wins`` are given for ``high`` and ``low``.
        Amounts are numbers, or text such as ``"20/3"`` where they are not whole.

    Raises
    ------
    InputError
        A player declares twice or is unknown, cards are missing, repeat or are too many, an amount is not
        allowed, or the rules do not know what is given.

    Examples
    --------
    >>> result = settle({"A": "Qs Qh", "B": "Ac Kd", "C": "Js Jd"}, out=["D"], pot=6)
    >>> result.results["net"], result.results["next_pot"]
    ({'A': 6, 'B': -6, 'C': -6, 'D': 0}, 12)
    """
    roles = {"in": players_in, "high": high, "low": low, "both": both, "out": out}
    chosen = _rules_for(roles, rules, switches)
    players = read_players(roles, seats, chosen.cards)
    chosen.check_players(len(players))
    check_roles(players, chosen)
    ghost = read_extra_cards(ghost_hand, "ghost_hand", chosen.cards, chosen.ghost != "none", "ghost lone or all")
    common = read_extra_cards(community_card, "community_card", 1, chosen.community > 0, "community 1") or ()
    check_places(players, {"the ghost": ghost or (), "the board": common})
    amounts = _read_pots(chosen, pot, low_pot, reserve_chips, low_reserve_chips)
    contests = [contest_for(name, amounts[name], players, chosen, ghost, common) for name in amounts]
    chips = _read_stacks(stacks, players, chosen)
    if not isinstance(whole_chips, bool):
        raise InputError(f"whole_chips: {whole_chips!r} is not allowed; give True or False")
    settled = settle_contests(
        chosen,
        contests,
        [player.name for player in players],
        stacks=chips,
        dealer=_seat_of(dealer, players),
        unit=Fraction(1) if whole_chips else None,
    )
    results = _results(settled, players, chosen)
    rows = _rows(settled, players)
    parameters = _by_role(players) | {
        "pot": _exact(amounts[_POTS[chosen.high_low][0]][0]),
        "low_pot": _exact(amounts["low pot"][0]) if chosen.high_low else None,
        "reserve_chips": _exact(amounts[_POTS[chosen.high_low][0]][1]),
        "low_reserve_chips": _exact(amounts["low pot"][1]) if chosen.high_low else None,
        "seats": [player.name for player in players],
        "dealer": players[_seat_of(dealer, players)].name,
        "stacks": None if chips is None else {p.name: _exact(c) for p, c in zip(players, chips)},
        "ghost_hand": None if ghost is None else format_cards(ghost),
        "community_card": format_cards(common) or None,
        "whole_chips": whole_chips,
    }
    lines = _lines(settled, rows, results)
    return counted_result(
        "settle", rules=chosen.as_dict(), parameters=parameters, results=results, rows=rows, lines=lines
    )


def _rules_for(roles: Mapping[str, Hands], rules: str | GutsRules | None, switches: Mapping[str, Any]) -> GutsRules:
    """Rules as asked for; the number of cards, where it is not said, is that of the hands."""
    n_cards = cards_in_first_hand(roles)
    if "cards" in switches or isinstance(rules, GutsRules) or n_cards not in (2, 3):
        return get_rules("two-card" if rules is None else rules, **switches)
    profile = rules or ("home" if n_cards == 3 else "two-card")
    return get_rules(profile, **{"cards": n_cards, **switches})


def _read_pots(
    rules: GutsRules, pot: Chips, low_pot: Chips | None, reserve: Chips, low_reserve: Chips | None
) -> dict[str, tuple[Fraction, Fraction]]:
    """Pot and reserve by name of the pot."""
    if not rules.high_low:
        for name, given in (("low_pot", low_pot), ("low_reserve_chips", low_reserve)):
            if given is not None:
                raise InputError(f"{name}: the rules have one pot; switch high_low on")
        return {"pot": (_read_pot(rules, pot, "pot"), _read_reserve(rules, reserve, "reserve_chips"))}
    low = pot if low_pot is None else low_pot
    low_kept = reserve if low_reserve is None else low_reserve
    return {
        "high pot": (_read_pot(rules, pot, "pot"), _read_reserve(rules, reserve, "reserve_chips")),
        "low pot": (_read_pot(rules, low, "low_pot"), _read_reserve(rules, low_kept, "low_reserve_chips")),
    }


def _read_pot(rules: GutsRules, value: Chips, name: str) -> Fraction:
    amount = read_chips(value, name)
    if amount == 0:
        raise InputError(f"{name}: there is nothing to play for; antes make the first pot of a cycle")
    if rules.cap is not None and amount > rules.cap:
        raise InputError(f"{name}: {amount} chips exceed the cap of {rules.cap}; give at most that, or another cap")
    return amount


def _read_reserve(rules: GutsRules, value: Chips, name: str) -> Fraction:
    amount = read_chips(value, name)
    if amount > 0 and not rules.reserve:
        raise InputError(f"{name}: the rules keep no reserve; switch reserve on or give 0")
    return amount


def _read_stacks(
    stacks: Mapping[str, Chips] | None, players: Sequence[Player], rules: GutsRules
) -> list[Fraction] | None:
    if rules.stakes == "credit":
        if stacks:
            raise InputError("stacks: with stakes credit anyone can always pay; choose stakes table or eliminate")
        return None
    if stacks is not None and not isinstance(stacks, Mapping):
        raise InputError("stacks: give a mapping of names to chips")
    given = {
        read_name("stacks", name): read_chips(value, f"stacks of {name}") for name, value in (stacks or {}).items()
    }
    names = [player.name for player in players]
    for name in given:
        if name not in names:
            raise InputError(f"stacks: there is no player {name!r}; the players are {', '.join(names)}")
    for name in names:
        if name not in given and rules.bankroll is None:
            raise InputError(f"stacks: that of {name} is missing; give it, or a bankroll for all who are not named")
    return [given[name] if name in given else Fraction(rules.bankroll or 0) for name in names]


def _seat_of(dealer: str | None, players: Sequence[Player]) -> int:
    names = [player.name for player in players]
    if dealer is None:
        return len(names) - 1
    name = read_name("dealer", dealer)
    if name not in names:
        raise InputError(f"dealer: there is no player {name!r}; the players are {', '.join(names)}")
    return names.index(name)


def _exact(amount: Fraction) -> int | str:
    """Return a whole number, or a fraction as text."""
    return amount.numerator if amount.denominator == 1 else str(amount)


def _by_role(players: Sequence[Player]) -> dict[str, Any]:
    """Declarations as arguments of `settle`."""
    arguments: dict[str, Any] = {"players_in": {}, "high": {}, "low": {}, "both": {}, "out": {}}
    for player in players:
        role = "players_in" if player.role == "in" else player.role
        arguments[role][player.name] = None if player.cards is None else format_cards(player.cards)
    return arguments


def _results(settled: Settlement, players: Sequence[Player], rules: GutsRules) -> dict[str, Any]:
    names = [player.name for player in players]

    def by_player(amounts: Sequence[Fraction]) -> dict[str, int | str]:
        return {name: _exact(amount) for name, amount in zip(names, amounts)}

    by_pot: dict[str, list[Any]] = {
        "winners": [[names[seat] for seat in pot.winners] for pot in settled.pots],
        "next_pot": [_exact(pot.next_pot) for pot in settled.pots],
        "reserve": [_exact(pot.reserve) for pot in settled.pots],
        "new_antes": [pot.cycle_over for pot in settled.pots],
        "ghost_wins": [pot.ghost_wins for pot in settled.pots],
    }
    return {
        **{key: dict(zip(("high", "low"), each)) if rules.high_low else each[0] for key, each in by_pot.items()},
        "net": by_player(settled.net),
        "payments": by_player(settled.paid),
        "antes_due": by_player(settled.antes_due),
        "eliminated": [names[seat] for seat in settled.eliminated],
        "stacks": None if settled.stacks is None else by_player(settled.stacks),
        "lines": [{"rule": line.rule, "text": line.text} for line in settled.lines],
    }


def _rows(settled: Settlement, players: Sequence[Player]) -> list[Row]:
    """One row per player."""
    rows: list[Row] = []
    for seat, player in enumerate(players):
        row: dict[str, Any] = {
            "player": player.name,
            "declared": player.role,
            "cards": "" if player.cards is None else format_cards(player.cards),
            "won": _exact(settled.won[seat]),
            "paid": _exact(settled.paid[seat]),
            "net": _exact(settled.net[seat]),
        }
        if settled.stacks is not None:
            row["stack"] = _exact(settled.stacks[seat])
        rows.append(row)
    return rows


def _lines(settled: Settlement, rows: Sequence[Row], results: Mapping[str, Any]) -> list[str]:
    lines = [f"{line.rule:<4} {line.text}" for line in settled.lines]
    lines += ["", *table(list(rows[0]), [list(row.values()) for row in rows]), ""]
    for pot in settled.pots:
        lines.append(f"Next {pot.name} {_exact(pot.next_pot)}, reserve {_exact(pot.reserve)}.")
    if results["eliminated"]:
        lines.append(f"Out for the rest of the session: {', '.join(results['eliminated'])}.")
    return lines
