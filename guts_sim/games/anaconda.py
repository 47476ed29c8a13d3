"""Anaconda, also Pass the Trash: the rules in one place, as a plain referee.

- A1: 52 cards, 2 to 7 players, ante 1, seven cards each, from the dealer's left.
- A2: Limit betting: a bet of 1 and at most three raises of 1 in every betting round. Six rounds cost at most 24
  chips, so 25 are enough for a hand and nobody is ever all-in.
- A3: First betting round, from the dealer's left.
- A4: Everybody who is in picks three cards; when all have, every batch moves at once to the next player on the left
  who is in.
- A5: Second betting round, from the first player on the dealer's left who is in.
- A6: Everybody discards two cards and fixes the order of the other five.
- A7: All turn over their first card at once and bet; likewise the second, third and fourth. The fifth is shown at the
  showdown.
- A8: The strongest exposed cards open: pairs, two pairs, trips, quads, then high cards; straights and flushes do not
  count yet. Of equal ones the first clockwise after the dealer opens.
- A9: Nothing bet: check or bet. Facing a bet: fold, call, or raise while raises are left; who has checked may raise.
  The last player left takes the pot at once.
- A10: The best five cards win; no order of suits. Equal hands split, and chips that cannot be divided go one each to
  the first of them clockwise after the dealer.
- A11: Switches: the passes, each with a betting round after it; no roll, the showdown follows the last pass's round.

Seats are numbered from the dealer's left, the dealer is last: "clockwise after the dealer" is ascending order.

Examples
--------
Two players; the second folds to a bet.

>>> table = begin_hand([range(7), range(7, 14)])
>>> [name_of(table, action) for action in actions(table)]
['check', 'bet']
>>> table = play_action(play_action(table, RAISE), FOLD)
>>> table.waits_for, net_chips(table)
('nothing', (1, -1))
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from guts_sim.cards import format_cards
from guts_sim.errors import InputError
from guts_sim.games.betting import (
    FOLD,
    RAISE,
    STAY,
    BettingLimits,
    BettingState,
    act,
    action_name,
    is_over,
    legal_actions,
    next_order,
    price,
)
from guts_sim.hands import rank_hands

HAND_SIZE, FINAL_SIZE, N_REVEALS = 7, 5, 4
MIN_PLAYERS, MAX_PLAYERS = 2, 7
LIMITS = BettingLimits(ante=1, bet=1, max_raises=3, fold_unbet=False)
Cards = tuple[int, ...]


@dataclass(frozen=True)
class AnacondaRules:
    """What tables differ in (A11).

    Attributes
    ----------
    passes : tuple of (int, int)
        Cards, and places to the left (negative to the right) of every pass.
    roll : bool
        Whether cards are revealed one by one with betting.

    Examples
    --------
    >>> AnacondaRules().stack, AnacondaRules(((3, 1), (2, -1), (1, 1)), roll=False).stack
    (25, 17)
    """

    passes: tuple[tuple[int, int], ...] = ((3, 1),)
    roll: bool = True

    @property
    def n_rounds(self) -> int:
        """Betting rounds of a hand that goes to the showdown."""
        return 1 + len(self.passes) + (N_REVEALS if self.roll else 0)

    @property
    def stack(self) -> int:
        """Chips that are always enough for a hand (A2)."""
        return LIMITS.ante + self.n_rounds * LIMITS.bet * (1 + LIMITS.max_raises)


@dataclass(frozen=True)
class Table:
    """Where a hand stands; made by `begin_hand`, changed by `play_action`, `pass_batches` and `fix_orders`.

    Attributes
    ----------
    rules : AnacondaRules
        The switches.
    hands : tuple of tuple of int
        Cards of every seat.
    active : tuple of int
        Seats that are in, ascending.
    paid : tuple of int
        Chips that every seat has put in.
    round_number : int
        Betting rounds begun before the current one; round 0 follows the deal.
    waits_for : {"action", "pass", "order", "nothing"}
        What has to happen next; "nothing" once the pot is won.
    betting : BettingState
        The current betting round.
    turns : tuple of int
        Seats that are in, in the order of their turns; the first has to act.
    orders : tuple of tuple of int
        Five cards of every seat in the order of reveal; empty before they are fixed and for who has folded.
    """

    rules: AnacondaRules
    hands: tuple[Cards, ...]
    active: tuple[int, ...]
    paid: tuple[int, ...]
    round_number: int
    waits_for: str
    betting: BettingState
    turns: tuple[int, ...]
    orders: tuple[Cards, ...] = ()

    @property
    def pot(self) -> int:
        """Chips in the pot."""
        return sum(self.paid)

    @property
    def n_exposed(self) -> int:
        """Cards that everybody who is in shows."""
        return max(0, self.round_number - len(self.rules.passes))

    @property
    def at_showdown(self) -> bool:
        """Whether the hand ended with cards compared."""
        return self.waits_for == "nothing" and len(self.active) > 1

    def exposed(self, seat: int) -> Cards:
        """Cards that a seat shows."""
        return self.orders[seat][: self.n_exposed] if self.orders else ()


def begin_hand(hands: Sequence[Sequence[int]], rules: AnacondaRules | None = None) -> Table:
    """Take the antes and open the first betting round (A1, A3).

    Parameters
    ----------
    hands : sequence of sequences of int
        Seven cards for every seat, from the dealer's left.
    rules : AnacondaRules, optional
        The switches.

    Returns
    -------
    Table

    Raises
    ------
    InputError
        The cards are not seven different ones for each of 2 to 7 players.

    Examples
    --------
    >>> table = begin_hand([range(7), range(7, 14)])
    >>> table = play_action(play_action(table, RAISE), FOLD)  # bet, fold
    >>> table.waits_for, net_chips(table)
    ('nothing', (1, -1))
    """
    cards = [card for hand in hands for card in hand]
    if not MIN_PLAYERS <= len(hands) <= MAX_PLAYERS or any(len(hand) != HAND_SIZE for hand in hands):
        raise InputError(f"hands: seven cards each for {MIN_PLAYERS} to {MAX_PLAYERS} players are wanted")
    if len(set(cards)) < len(cards):
        raise InputError(f"hands: a card is dealt twice: {format_cards(cards)}")
    seats = tuple(range(len(hands)))
    antes = (LIMITS.ante,) * len(hands)
    betting = _open_round(len(hands), sum(antes))
    return Table(rules or AnacondaRules(), tuple(map(tuple, hands)), seats, antes, 0, "action", betting, seats)


def actions(table: Table) -> tuple[int, ...]:
    """Actions of the seat whose turn it is (A9); none unless the table waits for one.

    Parameters
    ----------
    table : Table
        A hand that is being played.

    Returns
    -------
    tuple of int
        Of `FOLD`, `STAY` (check or call) and `RAISE` (bet or raise).
    """
    return legal_actions(table.betting, LIMITS) if table.waits_for == "action" else ()


def name_of(table: Table, action: int) -> str:
    """The word for an action: fold, check, call, bet or raise.

    Parameters
    ----------
    table : Table
        A hand that is being played.
    action : int
        One of `actions`.

    Returns
    -------
    str
    """
    return action_name(table.betting, action)


def play_action(table: Table, action: int) -> Table:
    """Return the table after the seat whose turn it is has acted.

    Parameters
    ----------
    table : Table
        A hand that is being played.
    action : int
        One of `actions`.

    Returns
    -------
    Table

    Raises
    ------
    InputError
        The action is not allowed now.
    """
    if action not in actions(table):
        raise InputError(f"action {action} is not allowed; allowed are {', '.join(map(str, actions(table))) or 'none'}")
    seat = table.turns[0]
    paid = list(table.paid)
    paid[seat] += price(table.betting, action, LIMITS)
    active = tuple(s for s in table.active if s != seat) if action == FOLD else table.active
    after = replace(
        table,
        active=active,
        paid=tuple(paid),
        betting=act(table.betting, action, LIMITS),
        turns=next_order(table.turns, action),
    )
    return _end_round(after) if is_over(after.betting) else after


def pass_batches(table: Table, batches: Mapping[int, Collection[int]]) -> Table:
    """Move every batch at once (A4) and open the next betting round (A5).

    Parameters
    ----------
    table : Table
        One that waits for a pass.
    batches : mapping of int to collection of int
        For every seat that is in the cards it passes, chosen before any is received.

    Returns
    -------
    Table
        Every hand holds the cards kept, then those received.

    Raises
    ------
    InputError
        The table waits for something else, or a batch is not what the pass wants.
    """
    _require(table, "pass", batches)
    size, places = table.rules.passes[table.round_number]
    for seat, batch in batches.items():
        if len(batch) != size or len(set(batch)) != size or not set(batch) <= set(table.hands[seat]):
            raise InputError(f"pass: {size} different cards of the own hand are wanted, got {format_cards(batch)}")
    hands = list(table.hands)
    for place, seat in enumerate(table.active):
        giver = table.active[(place - places) % len(table.active)]
        kept = (card for card in table.hands[seat] if card not in batches[seat])
        hands[seat] = (*kept, *batches[giver])
    return _next_round(replace(table, hands=tuple(hands)))


def fix_orders(table: Table, orders: Mapping[int, Sequence[int]]) -> Table:
    """Discard two cards each and fix the order of the others (A6), then reveal the first and open (A7, A8).

    Parameters
    ----------
    table : Table
        A hand that is being played.
    orders : mapping of int to sequence of int
        For every seat that is in the five cards it keeps, the first to be revealed first.

    Returns
    -------
    Table

    Raises
    ------
    InputError
        The table waits for something else, or an order is not five cards of the own hand.
    """
    _require(table, "order", orders)
    for seat, order in orders.items():
        if len(order) != FINAL_SIZE or len(set(order)) != FINAL_SIZE or not set(order) <= set(table.hands[seat]):
            raise InputError(f"order: five different cards of the own hand are wanted, got {format_cards(order)}")
    fixed = tuple(tuple(orders.get(seat, ())) for seat in range(len(table.hands)))
    return _next_round(replace(table, orders=fixed))


def final_ranks(table: Table) -> dict[int, int]:
    """Rank of the final hand of every seat that is in; larger is stronger.

    Parameters
    ----------
    table : Table
        A hand that is being played.

    Returns
    -------
    dict of int to int
        By seat, a ``hand_rank`` of the ranking ``high5``.
    """
    final = table.orders or table.hands
    return {seat: int(rank_hands(final[seat], "high5")) for seat in table.active}


def shares_of_pot(table: Table) -> tuple[int, ...]:
    """Chips that every seat takes from the pot at the end (A10).

    Parameters
    ----------
    table : Table
        A hand that is being played.

    Returns
    -------
    tuple of int

    Raises
    ------
    InputError
        The hand is not over.
    """
    if table.waits_for != "nothing":
        raise InputError(f"the hand is not over: the table waits for {table.waits_for}")
    ranks = final_ranks(table) if table.at_showdown else dict.fromkeys(table.active, 0)
    winners = [seat for seat in table.active if ranks[seat] == max(ranks.values())]
    share, odd_chips = divmod(table.pot, len(winners))
    taken = [0] * len(table.hands)
    for place, seat in enumerate(winners):
        taken[seat] = share + (place < odd_chips)
    return tuple(taken)


def net_chips(table: Table) -> tuple[int, ...]:
    """Chips that every seat has won or lost in a hand that is over.

    Parameters
    ----------
    table : Table
        A hand that is being played.

    Returns
    -------
    tuple of int
        They sum to 0.

    Raises
    ------
    InputError
        The hand is not over.
    """
    return tuple(taken - paid for taken, paid in zip(shares_of_pot(table), table.paid))


def _open_round(n_active: int, pot: int) -> BettingState:
    return BettingState((0,) * n_active, n_active, n_active, 0, pot)


def _require(table: Table, wanted: str, given: Mapping[int, Any]) -> None:
    if table.waits_for != wanted:
        raise InputError(f"{wanted}: not now, the table waits for {table.waits_for}")
    if sorted(given) != list(table.active):
        raise InputError(f"{wanted}: one is wanted from each of the seats {', '.join(map(str, table.active))}")


def _end_round(table: Table) -> Table:
    """What comes after a betting round."""
    is_last = table.round_number + 1 == table.rules.n_rounds
    if len(table.active) == 1 or is_last:
        return replace(table, waits_for="nothing")
    if table.round_number < len(table.rules.passes):
        return replace(table, waits_for="pass")
    return _next_round(table) if table.orders else replace(table, waits_for="order")


def _next_round(table: Table) -> Table:
    """Open the next betting round, with the next card revealed once orders are fixed."""
    after = replace(table, round_number=table.round_number + 1, waits_for="action")
    opener = _strongest_exposed(after) if after.orders else after.active[0]
    at = after.active.index(opener)
    turns = after.active[at:] + after.active[:at]
    return replace(after, turns=turns, betting=_open_round(len(turns), after.pot))


def _strongest_exposed(table: Table) -> int:
    """Seat that opens a round of reveal; `max` keeps the first of equals."""
    return max(table.active, key=lambda seat: int(rank_hands(table.exposed(seat), "exposed")))


__all__ = [
    "FOLD",
    "RAISE",
    "STAY",
    "AnacondaRules",
    "Table",
    "actions",
    "begin_hand",
    "final_ranks",
    "fix_orders",
    "name_of",
    "net_chips",
    "pass_batches",
    "play_action",
    "shares_of_pot",
]
