"""One betting round with a fixed limit: who acts, what is allowed, what it costs, when it is over.

This is the only definition of the round. Enumeration, linear programmes, regret minimisation and simulation all
read tables that are made from it (`guts_sim.games.tree`), so they cannot disagree.

The round is a queue. The players who are still active stand in it in the order of their turns, the one to act
first in front. Who folds leaves the queue; who checks, calls, bets or raises goes to its end. The first
``waiting`` of the queue have still to act; a bet or raise makes everybody else wait again. So the player who
bet or raised last stands right behind those who wait, and after that one stand those who called.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

FOLD, STAY, RAISE = 0, 1, 2
"""Actions: leave; check or call; bet or raise."""
N_ACTIONS = 3

_Player = TypeVar("_Player")


@dataclass(frozen=True)
class BettingLimits:
    """What a betting round allows.

    Attributes
    ----------
    ante : int
        Chips that every player puts in before the round.
    bet : int
        Chips of the bet and of each raise.
    max_raises : int
        Raises that may follow the bet, all players together.
    fold_unbet : bool
        Whether a player may fold when nothing is bet.
    """

    ante: int = 1
    bet: int = 1
    max_raises: int = 1
    fold_unbet: bool = True


class BettingState(NamedTuple):
    """Where the round stands.

    Attributes
    ----------
    owed : tuple of int
        Chips that each active player has to add to stay, in the order of the queue.
    waiting : int
        How many players at the front of the queue have still to act.
    fresh : int
        How many of those, from the front, have not acted at all.
    n_bets : int
        The bet and the raises so far.
    pot : int
        Chips in the pot, antes included.
    """

    owed: tuple[int, ...]
    waiting: int
    fresh: int
    n_bets: int
    pot: int


def first_state(n_players: int, limits: BettingLimits) -> BettingState:
    """Return the state after the antes: everybody has still to act, nobody owes anything."""
    return BettingState((0,) * n_players, n_players, n_players, 0, n_players * limits.ante)


def is_over(state: BettingState) -> bool:
    """Whether nobody has to act any more: all have answered, or one player is left."""
    return state.waiting == 0 or len(state.owed) == 1


def legal_actions(state: BettingState, limits: BettingLimits) -> tuple[int, ...]:
    """Actions that the player in front may choose, in ascending order.

    Examples
    --------
    >>> limits = BettingLimits()
    >>> state = first_state(2, limits)
    >>> [action_name(state, action) for action in legal_actions(state, limits)]
    ['fold', 'check', 'bet']
    >>> state = act(act(state, RAISE, limits), RAISE, limits)  # a bet and the only raise
    >>> [action_name(state, action) for action in legal_actions(state, limits)]
    ['fold', 'call']
    """
    if is_over(state):
        return ()
    allowed = [STAY]
    if state.owed[0] > 0 or limits.fold_unbet:
        allowed.insert(0, FOLD)
    if state.n_bets <= limits.max_raises:
        allowed.append(RAISE)
    return tuple(allowed)


def price(state: BettingState, action: int, limits: BettingLimits) -> int:
    """Chips that the action costs at once."""
    if action == FOLD:
        return 0
    return state.owed[0] + (limits.bet if action == RAISE else 0)


def act(state: BettingState, action: int, limits: BettingLimits) -> BettingState:
    """Return the state after the player in front has acted.

    Examples
    --------
    >>> limits = BettingLimits()
    >>> state = first_state(3, limits)
    >>> for action in (STAY, RAISE, FOLD):  # check, bet, fold: the first player is asked again
    ...     state = act(state, action, limits)
    >>> state
    BettingState(owed=(1, 0), waiting=1, fresh=0, n_bets=1, pot=4)
    """
    pot = state.pot + price(state, action, limits)
    fresh = max(state.fresh - 1, 0)
    if action == RAISE:
        owed = tuple(chips + limits.bet for chips in state.owed[1:])
        return BettingState((*owed, 0), len(owed), fresh, state.n_bets + 1, pot)
    owed = state.owed[1:] if action == FOLD else (*state.owed[1:], 0)
    return BettingState(owed, state.waiting - 1, fresh, state.n_bets, pot)


def next_order(order: Sequence[_Player], action: int) -> tuple[_Player, ...]:
    """Active players in the order of their turns after the first of them has acted."""
    return tuple(order[1:]) if action == FOLD else (*order[1:], order[0])


def action_name(state: BettingState, action: int) -> str:
    """The word for an action: fold; check or call; bet or raise."""
    if action == FOLD:
        return "fold"
    if action == STAY:
        return "call" if state.owed[0] else "check"
    return "raise" if state.n_bets else "bet"
