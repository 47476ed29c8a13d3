"""Best reply of a player whose chips are limited: a Markov decision process over pot, reserve and his own stack.

A match costs him at most what he has left (table stakes), and if he cannot match in full he may be out for good
(elimination). The opponents never look at pot or stacks and can always pay. The player maximises the expected utility
of the chips with which he ends the cycle. Stacks are whole chips: where a share or a payment is not, the odd chip goes
by lot, in proportion to the fraction.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from guts_sim.errors import InputError
from guts_sim.exact.chain import OVER, Stakes, opening, put_in
from guts_sim.exact.leaving import LeavingChain
from guts_sim.exact.outcomes import Outcome, OutcomeLaw, best_hand_only, outcomes_of
from guts_sim.exact.results import Floats
from guts_sim.exact.utility import Utility

Ints = NDArray[np.int64]
MAX_STATES = 30_000
POTS_WON = 12
"""Stacks are followed up to the bankroll and so many full pots; beyond, the chips on the table count as shared."""
_MOST_STEPS = 100


class Seat(NamedTuple):
    """Table and own stack before a round, in chips."""

    pot: int
    reserve: int
    stack: int


@dataclass(frozen=True)
class BankrollTable:
    """The game of a player with limited chips.

    Attributes
    ----------
    n_players : int
        2 to 10.
    stakes : Stakes
        Rules that move money; the pot must be bounded by a cap.
    reantes : bool
        Everybody antes again when nobody is in.
    eliminates : bool
        Who cannot match in full is out of the game.
    bankroll : int
        Chips that the player brings, before the first ante.
    """

    n_players: int
    stakes: Stakes
    reantes: bool
    eliminates: bool
    bankroll: int

    @property
    def ante(self) -> int:
        """Ante of one player."""
        return self.stakes.antes // self.n_players

    @property
    def opening(self) -> Seat:
        """Table and stack once everybody has put in the antes of a new cycle."""
        return Seat(*opening(self.stakes), self.bankroll - self.ante)


def settle_seat(seat: Seat, outcome: Outcome, table: BankrollTable) -> tuple[int, int, float, bool]:
    """Pot, reserve and the player's chips after a round, and whether he is out of the game.

    Examples
    --------
    Two losers match a pot of 12, one of them with his last 5 chips.

    >>> stakes = Stakes(antes=4, cap=40, reserve=False, ante_every_round=False)
    >>> table = BankrollTable(4, stakes, reantes=False, eliminates=False, bankroll=20)
    >>> settle_seat(Seat(12, 0, 5), Outcome(1, 2, False, True), table)
    (17, 0, 0.0, False)
    """
    stakes = table.stakes
    chips = float(seat.stack)
    if outcome.wins:
        chips += seat.pot / outcome.n_best
    owed = stakes.match(seat.pot)
    kept = seat.pot if outcome.n_best == 0 else 0
    own_limit = min(owed, seat.stack) if outcome.loses else owed
    offered = (outcome.n_losers - outcome.loses) * owed + (own_limit if outcome.loses else 0)
    pot, reserve = put_in(kept, seat.reserve, offered, stakes)
    accepted = pot + reserve - kept - seat.reserve
    is_out = False
    if outcome.loses:
        level = float(owed) if accepted == offered else _level(accepted, own_limit, outcome.n_losers)
        is_out = table.eliminates and seat.stack < level
        chips -= min(level, own_limit)
    if outcome.n_best and outcome.n_losers == 0:
        pot = reserve if stakes.cap is None else min(reserve, stakes.cap)
        reserve -= pot
    nobody = outcome.n_best == 0
    if (nobody and table.reantes) or (stakes.ante_every_round and (pot, reserve) != OVER):
        ante = min(table.ante, chips)
        is_out = is_out or (table.eliminates and ante < table.ante)
        whole = 0 if is_out else int(ante)
        before = pot + reserve
        pot, reserve = put_in(pot, reserve, stakes.antes - table.ante + whole, stakes)
        chips -= min(float(whole), _level(pot + reserve - before, whole, table.n_players))
    return pot, reserve, chips, is_out


def _level(accepted: float, own_limit: float, n_payers: int) -> float:
    """What each payer pays at most so that all of them together pay what is accepted."""
    equal = accepted / n_payers
    if equal <= own_limit or n_payers == 1:
        return equal
    return (accepted - own_limit) / (n_payers - 1)


@dataclass(frozen=True, eq=False)
class SeatMoves:
    """What every end of a round does to table and stack.

    Attributes
    ----------
    seats : list of Seat
        The first is the opening.
    low, high : int64 array, shape (n_seats, n_outcomes)
        Where the game goes when the odd chip is lost or won: a seat, or from ``n_seats`` on an end.
    high_share : float64 array, shape (n_seats, n_outcomes)
        Probability that the odd chip is won.
    end_chips : float64 array
        Chips with which each end leaves the player.
    is_followed : bool array
        False for ends that stand for seats beyond those followed.
    n_out : int
        The first so many outcomes are those of a player who is out.
    """

    seats: list[Seat]
    low: Ints
    high: Ints
    high_share: Floats
    end_chips: Floats
    is_followed: NDArray[np.bool_]
    n_out: int


def seat_moves(table: BankrollTable) -> SeatMoves:
    """Visit all tables and stacks that can occur.

    Raises
    ------
    InputError
        There are too many, or nothing bounds the pot.
    """
    if table.stakes.cap is None:
        raise InputError("best_response: limited chips want a bounded pot; give a cap")
    most = table.bankroll + POTS_WON * max(table.stakes.cap, table.stakes.antes)
    outs, ins = outcomes_of(table.n_players)
    seats, index = [table.opening], {table.opening: 0}
    ends: dict[tuple[float, bool], int] = {}
    rows: list[list[tuple[tuple[bool, int], tuple[bool, int], float]]] = []

    def place(pot: int, reserve: int, stack: int, is_out: bool) -> tuple[bool, int]:
        """Whether it is an end, and the number among ends or seats."""
        if is_out or (pot, reserve) == OVER:
            return True, ends.setdefault((float(stack), True), len(ends))
        if stack > most or reserve > most:
            share = (pot + reserve) / table.n_players
            return True, ends.setdefault((stack + share, False), len(ends))
        seat = Seat(pot, reserve, stack)
        if seat not in index:
            index[seat] = len(seats)
            seats.append(seat)
        return False, index[seat]

    for seat in seats:  # the list grows as seats are found
        row = []
        for outcome in (*outs, *ins):
            pot, reserve, chips, is_out = settle_seat(seat, outcome, table)
            whole = int(np.floor(chips + 1e-9))
            fraction = max(chips - whole, 0.0)
            low = place(pot, reserve, whole, is_out)
            high = place(pot, reserve, whole + 1, is_out) if fraction > 1e-9 else low
            row.append((low, high, fraction))
        rows.append(row)
        if len(seats) > MAX_STATES:
            raise InputError(
                f"best_response: more than {MAX_STATES:,} pots, reserves and stacks can occur; give a smaller cap or"
                " bankroll, or no reserve"
            )

    def number(spot: tuple[bool, int]) -> int:
        return spot[1] + len(seats) * spot[0]

    return SeatMoves(
        seats=seats,
        low=np.array([[number(low) for low, _, _ in row] for row in rows], np.int64),
        high=np.array([[number(high) for _, high, _ in row] for row in rows], np.int64),
        high_share=np.array([[share for _, _, share in row] for row in rows]),
        end_chips=np.array([chips for chips, _ in ends]),
        is_followed=np.array([followed for _, followed in ends]),
        n_out=len(outs),
    )


@dataclass(frozen=True, eq=False)
class BankrollPolicy:
    """A strategy that looks at pot, reserve and stack, and what it is worth.

    Attributes
    ----------
    entry : float64 array, shape (n_seats, n_classes)
        Probability of entering.
    worth : float64 array, shape (n_seats,)
        Chips beyond the stack that for sure are worth as much as playing on: the mean, without aversion to risk.
    unfollowed : float
        Probability that a cycle leaves the seats that are followed.
    rounds : float
        Mean number of rounds until the cycle ends or the player is out.
    ruin : float
        Probability to end without chips.
    """

    entry: Floats
    worth: Floats
    unfollowed: float
    rounds: float
    ruin: float


@dataclass(frozen=True, eq=False)
class Prices:
    """What a player makes of every end of a round, measured from the stack he had before it.

    Attributes
    ----------
    gain : float64 array, shape (n_seats, 2 * n_outcomes)
        Utility of what happens to the stack; the odd chip is lost in the first half, won in the second.
    factor : float64 array, shape (n_seats, 2 * n_outcomes)
        How much what follows is worth, against the same thing before.
    """

    gain: Floats
    factor: Floats


def prices_of(moves: SeatMoves, utility: Utility) -> Prices:
    """Put a price on all moves.

    Raises
    ------
    InputError
        The aversion to risk is too strong for what can be lost.
    """
    start = utility.standpoint([seat.stack for seat in moves.seats])
    chips = np.append(start, moves.end_chips)[np.hstack([moves.low, moves.high])]
    growth = utility.growth(start[:, None], chips)
    return Prices(utility.gain(growth), utility.factor(growth))


def evaluate_bankroll_policy(moves: SeatMoves, law: OutcomeLaw, entry: Floats, utility: Utility) -> BankrollPolicy:
    """Worth of a strategy at every table and stack.

    Parameters
    ----------
    moves : SeatMoves
        See `seat_moves`.
    law : OutcomeLaw
        What opponents do.
    entry : float64 array, shape (n_seats, n_classes) or (n_classes,)
        Probability of entering; the same everywhere if it has one dimension.
    utility : Utility
        Of the chips at the end.
    """
    return _evaluate(moves, law, entry, utility, prices_of(moves, utility))[0]


def _evaluate(
    moves: SeatMoves, law: OutcomeLaw, entry: Floats, utility: Utility, prices: Prices
) -> tuple[BankrollPolicy, Floats]:
    """The worth of a strategy, and its mean utility from every seat, measured from its stack.

    Raises
    ------
    InputError
        The aversion to risk is too strong for what can be lost in a cycle, or the cycle never ends.
    """
    n = len(moves.seats)
    entry = np.broadcast_to(entry, (n, law.frequency.size))
    weight = law.weights(entry)
    weights = np.hstack([weight * (1.0 - moves.high_share), weight * moves.high_share])
    after = np.hstack([moves.low, moves.high])
    chances = LeavingChain(weights, after)
    rounds = chances.mean_visits()

    def expected(at_end: Floats) -> Floats:
        """Mean of something over the ends, from every seat."""
        return chances.total((weights * np.append(np.zeros(n), at_end)[after]).sum(axis=1))

    priced = weights * prices.factor
    stacks = np.array([seat.stack for seat in moves.seats], np.float64)
    start = utility.standpoint(stacks)
    felt = chances if utility.power == 0.0 else LeavingChain(priced, after)
    try:
        mean_gain = felt.total((weights * prices.gain).sum(axis=1))
        mean_factor = felt.total((priced * (after >= n)).sum(axis=1))
        has_price = bool(np.isfinite(mean_gain).all() and np.isfinite(mean_factor).all())
    except InputError:  # the chances do leave, so it is the prices that are beyond what numbers hold
        has_price = False
    if not has_price:
        raise utility.too_strong(utility.growth(start.max(), moves.end_chips.min()))
    policy = BankrollPolicy(
        entry=entry,
        worth=start + utility.change(start, utility.certain_growth(mean_gain, mean_factor)) - stacks,
        unfollowed=float(expected((~moves.is_followed).astype(np.float64))[0]),
        rounds=float(rounds[0]),
        ruin=float(expected((moves.end_chips == 0.0).astype(np.float64))[0]),
    )
    return policy, mean_gain


def best_bankroll_policy(moves: SeatMoves, law: OutcomeLaw, utility: Utility) -> BankrollPolicy:
    """Best strategy at every table and stack, by policy iteration from entering with the best of all hands."""
    prices = prices_of(moves, utility)
    policy, mean_gain = _evaluate(moves, law, best_hand_only(law), utility, prices)
    after, share = np.hstack([moves.low, moves.high]), moves.high_share
    for _ in range(_MOST_STEPS):
        later = np.append(mean_gain, np.zeros(moves.end_chips.size))
        low, high = np.split(prices.gain + prices.factor * later[after], 2, axis=1)
        worth = (1.0 - share) * low + share * high
        value_out, value_in = worth[:, : moves.n_out], worth[:, moves.n_out :]
        gain = value_in @ law.when_in - value_out @ law.when_out
        close = 1e-12 * (np.abs(value_in) @ law.when_in + np.abs(value_out) @ law.when_out)
        entry = np.where(gain > close, 1.0, np.where(gain < -close, 0.0, policy.entry))
        if np.array_equal(entry, policy.entry):
            break
        policy, mean_gain = _evaluate(moves, law, entry, utility, prices)
    return policy
