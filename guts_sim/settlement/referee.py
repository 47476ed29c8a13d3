"""The referee: one round settled by the rules, one function per rule, in the order in which chips move.

The active pots are paid out first (G9 - G11, G20), then the matches are collected (G8, G10, G12, G15), then
emptied pots are refilled from their reserves (G13), then antes that fall due are put in (G8, G10, G14).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from guts_sim.rules import GutsRules
from guts_sim.settlement.contest import Contest, PotOutcome, Settlement, Strength
from guts_sim.settlement.ledger import Ledger, chips


@dataclass
class _Pot:
    """A contest while it is being settled."""

    contest: Contest
    match: Fraction
    chips: Fraction
    reserve: Fraction
    winners: tuple[int, ...] = ()
    ghost_wins: bool = False
    matched: bool = False

    @property
    def players_in(self) -> list[int]:
        return [seat for seat, entered in enumerate(self.contest.entered) if entered]

    def strength(self, seat: int) -> Strength:
        strength = self.contest.strengths[seat]
        assert strength is not None, "hands that decide are shown"
        return strength

    def hand_of(self, seat: int) -> str:
        shown = self.contest.shown[seat] if self.contest.shown else ""
        return f" ({shown})" if shown else ""


def settle_contests(
    rules: GutsRules,
    contests: Sequence[Contest],
    names: Sequence[str],
    *,
    stacks: Sequence[Fraction] | None = None,
    dealer: int = 0,
    unit: Fraction | None = None,
) -> Settlement:
    """Settle one round.

    Parameters
    ----------
    rules : GutsRules
        Any rule set.
    contests : sequence of Contest
        The pot, or the high and the low pot. Hands that decide must be shown: those of all who are in if there
        are several or a ghost plays along, and those of all who are out if nobody is in and the best of them
        has to match.
    names : sequence of str
        Players who are still in the session, clockwise, as in the contests.
    stacks : sequence of Fraction, optional
        Chips of each player before the round; needed unless the stakes are on credit.
    dealer : int
        Seat of the dealer.
    unit : Fraction, optional
        Smallest amount that can change hands, for example 1 for whole chips; None to divide exactly. What cannot
        be divided goes to the first player concerned left of the dealer.

    Returns
    -------
    Settlement
        Chips are conserved: stakes, pots and reserves add up to what they were.

    Examples
    --------
    >>> contest = Contest("pot", Fraction(6), Fraction(0), (True, True, False), ((9,), (3,), None))
    >>> settled = settle_contests(GutsRules(), [contest], "ABC")
    >>> [int(amount) for amount in settled.net], int(settled.pots[0].next_pot)
    ([6, -6, 0], 6)
    """
    ledger = Ledger(names, None if rules.stakes == "credit" else stacks, dealer, unit)
    pots = [_Pot(contest, contest.pot, contest.pot, contest.reserve) for contest in contests]
    for pot in pots:
        _pay_out(rules, pot, ledger)
    for pot in pots:
        _collect_matches(rules, pot, ledger)
    for pot in pots:
        _refill(rules, pot, ledger)
    _collect_antes(rules, pots, ledger)
    antes_due = _begin_cycles(rules, pots, ledger)
    return Settlement(
        pots=tuple(
            PotOutcome(
                pot.contest.name, pot.winners, pot.ghost_wins, pot.chips, pot.reserve, pot.chips + pot.reserve == 0
            )
            for pot in pots
        ),
        won=tuple(ledger.won),
        paid=tuple(ledger.paid),
        antes_due=antes_due,
        stacks=None if ledger.stacks is None else tuple(ledger.stacks),
        eliminated=tuple(sorted(ledger.eliminated)),
        lines=tuple(ledger.lines),
    )


def ghost_plays(rules: GutsRules, n_in: int) -> bool:
    """Whether the ghost's hand counts when that many players are in (G20)."""
    return (rules.ghost == "all" and n_in > 0) or (rules.ghost == "lone" and n_in == 1)


def _pay_out(rules: GutsRules, pot: _Pot, ledger: Ledger) -> None:
    """Give the pot to the best hand that is in, or leave it (G9 - G11, G20)."""
    players_in = pot.players_in
    if not players_in:
        return
    if len(players_in) == 1 and not ghost_plays(rules, 1):
        _take(pot, players_in, ledger, "G9", "is the only one in and takes")
        return
    best = max(pot.strength(seat) for seat in players_in)
    winners = [seat for seat in players_in if pot.strength(seat) == best]
    if ghost_plays(rules, len(players_in)) and _ghost_beats(rules, pot, best):
        pot.ghost_wins = True
        ghost = f" ({pot.contest.ghost_shown})" if pot.contest.ghost_shown else ""
        ledger.say("G20", f"The ghost wins{ghost}: the {pot.contest.name} of {chips(pot.chips)} stays.")
        return
    hand = pot.hand_of(winners[0])
    rule, verb = "G10", f"has the best hand{hand} and takes"
    if len(players_in) == 1:
        ghost_ties = best == pot.contest.ghost
        rule, verb = "G20", f"ties with the ghost{hand} and takes" if ghost_ties else f"beats the ghost{hand} and takes"
    elif len(winners) > 1:
        rule, verb = "G4", f"tie{hand} and share"
    _take(pot, winners, ledger, rule, verb)


def _take(pot: _Pot, winners: list[int], ledger: Ledger, rule: str, verb: str) -> None:
    shares = ledger.share(pot.chips, winners)
    for seat, share in shares.items():
        ledger.receive(seat, share)
    divided = f": {ledger.amounts(shares)}" if len(winners) > 1 else ""
    ledger.say(rule, f"{ledger.called(winners)} {verb} the {pot.contest.name} of {chips(pot.chips)}{divided}.")
    pot.winners = tuple(winners)
    pot.chips = Fraction(0)


def _ghost_beats(rules: GutsRules, pot: _Pot, best: Strength) -> bool:
    ghost = pot.contest.ghost
    assert ghost is not None, "a ghost that plays is shown"
    return ghost > best or (ghost == best and rules.ghost_tie == "ghost")


def _collect_matches(rules: GutsRules, pot: _Pot, ledger: Ledger) -> None:
    """Let those who owe it match the pot as it stood before the round (G8, G10, G12, G20)."""
    rule, payers = _who_matches(rules, pot)
    if not pot.players_in:
        weenie = f", and the best hand{pot.hand_of(payers[0])} matches it" if payers else ""
        ledger.say("G8", f"Nobody is in: the {pot.contest.name} of {chips(pot.chips)} stays{weenie}.")
    if not payers:
        return
    owed = pot.match if rules.match_limit is None else min(pot.match, Fraction(rules.match_limit))
    limit = "" if owed == pot.match else f" up to the limit of {rules.match_limit}"
    pot.matched = _pay_in(rules, pot, ledger, owed, payers, rule, f"match the {pot.contest.name}{limit}")
    spared = [seat for seat in pot.players_in if seat not in pot.winners and seat not in payers]
    if spared:
        pays = _singular("pay", spared)
        ledger.say("G12", f"Only the lowest hand that is in matches: {ledger.called(spared)} {pays} nothing.")


def _who_matches(rules: GutsRules, pot: _Pot) -> tuple[str, list[int]]:
    """Rule and seats that owe a match. Tied hands that owe it owe it in full, each of them."""
    players_in = pot.players_in
    if not players_in:
        if rules.nobody_in != "weenie":
            return "G8", []
        seats = [seat for seat, strength in enumerate(pot.contest.strengths) if strength is not None]
        best = max(pot.strength(seat) for seat in seats)
        return "G8", [seat for seat in seats if pot.strength(seat) == best]
    losers = [seat for seat in players_in if seat not in pot.winners]
    if rules.pays == "lowest" and len(losers) > 1:
        lowest = min(pot.strength(seat) for seat in losers)
        return "G12", [seat for seat in losers if pot.strength(seat) == lowest]
    return "G20" if pot.ghost_wins else "G10", losers


def _pay_in(
    rules: GutsRules, pot: _Pot, ledger: Ledger, owed: Fraction, payers: list[int], rule: str, verb: str
) -> bool:
    """Collect ``owed`` from every payer, within the cap and within their chips; say whether chips moved (G12, G15)."""
    payments = {seat: ledger.affordable(seat, owed) for seat in payers}
    total = sum(payments.values(), Fraction(0))
    room = total if rules.cap is None else max(Fraction(0), rules.cap - pot.chips)
    lowered = total > room and not rules.reserve
    if lowered:
        owed, payments = ledger.lower(payments, room)
        total = room
    short = [seat for seat in payers if ledger.affordable(seat, owed) < owed]
    for seat, payment in payments.items():
        ledger.pay(seat, payment)
    kept = min(total, room)
    pot.chips += kept
    pot.reserve += total - kept
    ledger.say(rule, f"{ledger.called(payers)} {_singular(verb, payers)}: {ledger.amounts(payments)}.")
    if lowered:
        ledger.say("G12", f"The payments shrink equally to the cap of {rules.cap}.")
    elif total > kept:
        excess = f"{chips(total - kept)} {'goes' if total - kept == 1 else 'go'} to the reserve"
        ledger.say("G12", f"The cap of {rules.cap} keeps {chips(pot.chips)} in the {pot.contest.name}; {excess}.")
    if short:
        _say_short(rules, short, ledger)
    return total > 0


def _say_short(rules: GutsRules, short: list[int], ledger: Ledger) -> None:
    """Report those who could not pay in full, and take them out where the rules say so (G15)."""
    cannot = f"{ledger.called(short)} cannot pay in full and {_singular('pay', short)} what is left"
    if rules.stakes == "eliminate":
        ledger.eliminated.update(short)
        cannot += "; out for the rest of the session"
    ledger.say("G15", cannot + ".")


def _singular(verb: str, seats: Sequence[int]) -> str:
    if len(seats) > 1:
        return verb
    first, _, rest = verb.partition(" ")
    return f"{first}{'es' if first.endswith('ch') else 's'} {rest}".strip()


def _refill(rules: GutsRules, pot: _Pot, ledger: Ledger) -> None:
    """Refill a pot that was taken and not matched from its reserve (G13)."""
    if not pot.winners or pot.matched or pot.reserve == 0:
        return
    moved = pot.reserve if rules.cap is None else min(pot.reserve, Fraction(rules.cap))
    pot.chips += moved
    pot.reserve -= moved
    ledger.say("G13", f"No loser pays: the reserve refills the {pot.contest.name} with {chips(moved)}.")


def _collect_antes(rules: GutsRules, pots: list[_Pot], ledger: Ledger) -> None:
    """Collect the antes that are due between the rounds of a cycle (G8, G10)."""
    due = []
    for pot in pots:
        if not pot.players_in and rules.nobody_in == "reante":
            due.append(("G8", pot))
        elif rules.ante_every_round and pot.chips + pot.reserve > 0:
            due.append(("G10", pot))
    if not due:
        return
    _drop_those_who_cannot_ante(rules, len(due), ledger)
    for rule, pot in due:
        if ledger.playing:
            verb = f"ante for the {pot.contest.name}"
            _pay_in(rules, pot, ledger, Fraction(rules.ante), ledger.playing, rule, verb)


def _drop_those_who_cannot_ante(rules: GutsRules, n_antes: int, ledger: Ledger) -> None:
    """Take players out who cannot ante in full for every pot; they keep what they have (G15)."""
    if rules.stakes != "eliminate" or ledger.stacks is None:
        return
    broke = [seat for seat in ledger.playing if ledger.stacks[seat] < rules.ante * n_antes]
    if broke:
        ledger.eliminated.update(broke)
        ledger.say("G15", f"{ledger.called(broke)} cannot ante in full: out for the rest of the session.")


def _begin_cycles(rules: GutsRules, pots: list[_Pot], ledger: Ledger) -> tuple[Fraction, ...]:
    """Antes that are due because pots and their reserves are empty (G14)."""
    empty = [pot.contest.name for pot in pots if pot.chips + pot.reserve == 0]
    due = [Fraction(0)] * len(ledger.names)
    if not empty:
        return tuple(due)
    _drop_those_who_cannot_ante(rules, len(empty), ledger)
    if rules.stakes == "table" and ledger.stacks is not None:
        broke = [seat for seat in ledger.playing if ledger.stacks[seat] == 0]
        if broke:
            ledger.eliminated.update(broke)
            have = "has" if len(broke) == 1 else "have"
            ledger.say("G15", f"{ledger.called(broke)} {have} nothing left to ante: out for the rest of the session.")
    for seat in ledger.playing:
        due[seat] = ledger.affordable(seat, Fraction(rules.ante * len(empty)))
    nothing = f"The {' and the '.join(empty)} and reserve are empty"
    each = " for each pot" if len(empty) > 1 else ""
    ledger.say("G14", f"{nothing}: everyone antes {rules.ante}{each} for a new cycle.")
    return tuple(due)
