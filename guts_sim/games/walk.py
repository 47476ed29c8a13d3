"""What the compiled walks through a betting round read: moves, nodes, and how a player's view is numbered.

With two or three players every history is a node and every set of visible ranks a view of its own. From four
players on a view is a summary, and from five on states that go on alike share a node. The summary is the best rank
among the active others, how far the second best is behind it, and what the player has done who holds the best, the
only one who does not see it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np
from numpy.typing import NDArray

from guts_sim.cards import N_CARDS, N_RANKS, N_SUITS, RANKS
from guts_sim.errors import InputError
from guts_sim.games.betting import N_ACTIONS
from guts_sim.games.indian import IndianRules
from guts_sim.games.tree import BettingTable, BettingTree, betting_table, betting_tree
from guts_sim.kernels.one_card_codes import GAPS, HOLDERS, SUMMARIES_PER_RANK

MOST_WITH_HISTORIES = 4
MOST_STATES = 12_000
GAP_NAMES = ("equal", "1-2 behind", "3-5 behind", "far behind")
HOLDER_NAMES = ("has not acted", "has to answer", "bet last", "called")


@dataclass(frozen=True, eq=False)
class Walk:
    """A betting round and the views of its players, as compiled code reads them.

    Attributes
    ----------
    rules : IndianRules
        What is played.
    table : BettingTable
        The round; a `BettingTree` if views are exact.
    is_exact : bool
        Whether nodes are histories and views are the cards themselves.
    """

    rules: IndianRules
    table: BettingTable
    is_exact: bool

    @property
    def n_players(self) -> int:
        """Players at the table."""
        return self.table.n_players

    @property
    def n_strengths(self) -> int:
        """Different strengths of cards: ranks, or all cards if suits are ordered."""
        return N_CARDS if self.rules.ties == "suits" else N_RANKS

    @property
    def suit_bits(self) -> int:
        """Bits of a strength that tell suits apart."""
        return 2 if self.rules.ties == "suits" else 0

    @property
    def n_views(self) -> int:
        """Numbers of views are below this one."""
        return self.n_strengths ** (self.n_players - 1) if self.is_exact else N_RANKS * SUMMARIES_PER_RANK

    @property
    def shape(self) -> tuple[int, int, int]:
        """Shape of a strategy: (decision, view, action)."""
        return self.table.n_decisions, self.n_views, N_ACTIONS

    @property
    def low_wins(self) -> bool:
        """Whether the lowest card wins."""
        return self.rules.best == "low"

    @cached_property
    def moves(self) -> NDArray[np.int32]:
        """Next node and price, int32 (decision, action, 2)."""
        return np.ascontiguousarray(np.stack([self.table.child, self.table.price], axis=2))

    @cached_property
    def nodes(self) -> NDArray[np.int32]:
        """Pot, players who wait, those of them who have not acted, int32 (node, 3)."""
        return np.ascontiguousarray(np.stack([self.table.pot, self.table.waiting, self.table.fresh], axis=1))

    @cached_property
    def deck(self) -> NDArray[np.int64]:
        """Strengths, suit bits, whether views are exact, number of views."""
        return np.array([self.n_strengths, self.suit_bits, self.is_exact, self.n_views], np.int64)

    @cached_property
    def legal(self) -> NDArray[np.bool_]:
        """Whether an action is allowed, (decision, action)."""
        return np.asarray(self.table.child >= 0)

    @cached_property
    def best_visible(self) -> NDArray[np.int64]:
        """Best rank that the player to act sees among the active others, by strength: (decision, view)."""
        if not self.is_exact:
            return np.broadcast_to(np.arange(self.n_views) // SUMMARIES_PER_RANK, self.shape[:2])
        assert isinstance(self.table, BettingTree)
        best = np.zeros(self.shape[:2], np.int64)
        for node in range(self.table.n_decisions):
            actor, *others = self.table.orders[node]
            for other in others:
                best[node] = np.maximum(best[node], self._rank_of_seat(actor, other))
        return best

    def _rank_of_seat(self, actor: int, other: int) -> NDArray[np.int64]:
        """Rank of another seat's card by view of the actor."""
        seats = [seat for seat in range(self.n_players) if seat != actor]
        place = len(seats) - 1 - seats.index(other)
        digits = np.arange(self.n_views) // self.n_strengths**place % self.n_strengths
        return np.asarray(digits >> self.suit_bits)

    def view_of(self, cards: Sequence[int], order: Sequence[int], node: int) -> int:
        """Number of what the player in front of ``order`` sees, ``cards`` being strengths by seat."""
        if self.is_exact:
            view = 0
            for seat in range(self.n_players):
                if seat != order[0]:
                    view = view * self.n_strengths + cards[seat]
            return view
        ranks = [cards[seat] >> self.suit_bits for seat in order[1:]]
        best = max(ranks)
        second = sorted(ranks)[-2] if len(ranks) > 1 else None
        gap = GAPS - 1 if second is None else gap_class(best - second)
        state = self.table.states[node]
        last = max(i for i, rank in enumerate(ranks, start=1) if rank == best)
        return (best * HOLDERS + holder_class(last, state.fresh, state.waiting)) * GAPS + gap

    def strength(self, card_or_rank: int) -> int:
        """Strength of a rank, or of a card code if suits are ordered."""
        return self.n_strengths - 1 - card_or_rank if self.low_wins else card_or_rank

    def rank_strength(self, rank: int) -> int:
        """Strength of a rank among ranks, whatever the suits."""
        return N_RANKS - 1 - rank if self.low_wins else rank

    def describe_view(self, node: int, view: int) -> str:
        """What a player sees, in words: ranks of the others in seat order, or the summary."""
        if self.is_exact:
            digits = []
            for _ in range(self.n_players - 1):
                view, digit = divmod(view, self.n_strengths)
                digits.append(self._name(digit))
            return " ".join(reversed(digits))
        best, rest = divmod(view, SUMMARIES_PER_RANK)
        holder, gap = divmod(rest, GAPS)
        return f"best {RANKS[self.rank_strength(best)]} ({HOLDER_NAMES[holder]}), next {GAP_NAMES[gap]}"

    def _name(self, strength: int) -> str:
        code = self.strength(strength)
        return RANKS[code // N_SUITS] + "cdhs"[code % N_SUITS] if self.suit_bits else RANKS[code]

    def describe_node(self, node: int) -> str:
        """How the round came here: the history, or the state."""
        if isinstance(self.table, BettingTree):
            return self.table.history_text(node)
        state = self.table.states[node]
        owed = state.owed[0]
        return f"{len(state.owed)} active, {state.waiting} to act, pot {state.pot}, owes {owed}"


def gap_class(gap: int) -> int:
    """Class of the ranks between the best and the second best visible card; an index of `GAP_NAMES`."""
    return 0 if gap == 0 else 1 if gap <= 2 else 2 if gap <= 5 else 3


def holder_class(index: int, fresh: int, waiting: int) -> int:
    """What the player at an index of the queue has done; an index of `HOLDER_NAMES`."""
    if index < fresh:
        return 0
    return 1 if index < waiting else 2 if index == waiting else 3


def can_list(n_players: int, rules: IndianRules) -> bool:
    """Whether every deal and every history can be listed, so that a game is solved on all of them.

    Examples
    --------
    >>> can_list(3, IndianRules()), can_list(3, IndianRules(max_raises=5)), can_list(4, IndianRules())
    (True, False, False)
    """
    return n_players == 2 or (n_players == 3 and rules.ties == "split" and rules.max_raises <= 3)


@cache
def walk_of(n_players: int, rules: IndianRules) -> Walk:
    """Return the walk of a table; rules must be those with a betting round.

    Examples
    --------
    >>> walk_of(3, IndianRules()).shape, walk_of(10, IndianRules()).shape
    ((42, 169, 3), (879, 208, 3))
    """
    if rules.settlement != "betting":
        raise InputError("settlement: guts has no betting round; only indian --solve knows it")
    is_exact = can_list(n_players, rules)
    keeps_histories = is_exact or (n_players <= MOST_WITH_HISTORIES and rules.max_raises <= 1)
    table = betting_tree(n_players, rules.limits) if keeps_histories else betting_table(n_players, rules.limits)
    if table.n_decisions > MOST_STATES:
        raise InputError(
            f"max_raises, players: {rules.max_raises} raises of {n_players} players have {table.n_decisions:,} states,"
            f" more than {MOST_STATES:,}; allow fewer raises"
        )
    return Walk(rules, table, is_exact)
