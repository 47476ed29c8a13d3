"""The ways to solve for a best reply: by hand alone; by hand, pot and reserve; and by these and the own stack."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from guts_sim.errors import InputError
from guts_sim.exact import supports
from guts_sim.exact.bankroll_process import (
    BankrollTable,
    SeatMoves,
    best_bankroll_policy,
    evaluate_bankroll_policy,
    seat_moves,
)
from guts_sim.exact.chain import stakes_of
from guts_sim.exact.outcomes import OutcomeLaw, best_hand_only, small_outcome_law
from guts_sim.exact.pot_process import PotPolicy, TableMoves, best_policy, evaluate_policy, table_moves
from guts_sim.exact.results import Floats
from guts_sim.exact.stationary_reply import RoundTerms, best_stationary_reply, evaluate_reply, round_terms, terms_of
from guts_sim.exact.utility import Utility
from guts_sim.hands import hand_classes
from guts_sim.results import Row
from guts_sim.rules import GutsRules
from guts_sim.strategy import Strategy

CLOSE = 1e-9
"""Largest chance of leaving the reserves that are followed at which a value is reported."""
RARE = 1e-6
"""The same for stacks: beyond those followed nothing is unbounded, so that the error is of this size too."""


@dataclass(frozen=True)
class Table:
    """Players, rules, and what the replying player makes of chips."""

    n_players: int
    rules: GutsRules
    utility: Utility

    def check(self) -> None:
        """Refuse rules under which the pot has no bound and its size matters, or that lack what the player has."""
        if self.rules.nobody_in == "weenie":
            raise InputError("best_response: not solved with nobody_in weenie; allowed are nobody_in hold or reante")
        if self.rules.stakes == "credit" and self.utility.relative:
            raise InputError(
                "relative_risk_aversion, stakes: it is about what a player has; choose stakes table or eliminate and a"
                " bankroll"
            )
        if self.rules.stakes != "credit" and self.rules.bankroll is None:
            raise InputError(f"bankroll, stakes: with stakes {self.rules.stakes} say how many chips the player brings")
        if self.rules.stakes != "credit" and self.rules.cap is None:
            raise InputError("cap, stakes: where a player's chips are limited the pot needs a bound; give a cap")
        if self.rules.cap is None and self._antes_later:
            raise InputError("best_response: antes after the first want a bounded pot; give a cap")
        if self.rules.cap is None and self.rules.match_limit is None and not is_scale_free(self):
            raise InputError("best_response: risk_aversion wants a bounded pot; give a cap or a match limit")

    @property
    def _antes_later(self) -> bool:
        return self.rules.ante_every_round or self.rules.nobody_in == "reante"


def is_scale_free(table: Table) -> bool:
    """Whether all that can happen is proportional to the chips on the table."""
    rules = table.rules
    whole = rules.cap is None or rules.reserve
    later_antes = rules.ante_every_round or rules.nobody_in == "reante"
    on_credit = rules.stakes == "credit"
    return on_credit and whole and rules.match_limit is None and not later_antes and table.utility.is_linear


def counted_law(table: Table, opponents: Sequence[Strategy]) -> OutcomeLaw | None:
    """Exact law of the end of a round; None where it is not counted."""
    if table.rules.cards != 2 or table.n_players > 3:
        return None
    return small_outcome_law([one.entry for one in opponents])


def counted_terms(table: Table, opponents: Sequence[Strategy]) -> RoundTerms | None:
    """Exact means of a round; None where they are not counted."""
    law = counted_law(table, opponents)
    if law is not None:
        return terms_of(law)
    first = opponents[0].entry
    alike = all(np.array_equal(one.entry, first) for one in opponents)
    if alike and supports(table.n_players, table.rules.cards, first):
        return round_terms(table.n_players, table.rules.ranking, first)
    return None


@dataclass(frozen=True, eq=False)
class Solution:
    """A best reply.

    Attributes
    ----------
    entry : float64 array, shape (n_classes,) or (n_states, n_classes)
        Entry probabilities, by pot and reserve (and stack) if it has two dimensions.
    policy : list of dict
        One row per pot and reserve (and stack), or one for all.
    worth_per_chip : float or None
        What a chip in the pot is worth to the player, if that is the same everywhere.
    multiplier : float or None
        Mean multiplier of the pot in a round, where the reply looks at the hand alone.
    rounds : float or None
        Mean number of rounds of a cycle, where the reply looks at the pot.
    ruin : float or None
        Probability that the player ends the cycle without chips, where they are limited.
    """

    entry: Floats
    policy: list[Row]
    worth_per_chip: float | None
    multiplier: float | None
    rounds: float | None
    ruin: float | None = None


@dataclass(frozen=True, eq=False)
class Stationary:
    """Solver for tables where everything is proportional to the chips on the table."""

    table: Table
    terms: RoundTerms

    @classmethod
    def from_law(cls, table: Table, law: OutcomeLaw) -> "Stationary":
        """Make the solver from the law of the end of a round."""
        return cls(table, terms_of(law))

    def solve(self) -> Solution:
        """Best reply."""
        reply = best_stationary_reply(self.terms)
        row = {"pot": None, "reserve": None, **_entered(reply.entry, self.table.rules), "worth": reply.worth}
        return Solution(reply.entry, [row], reply.worth, reply.multiplier, None)

    def value(self, entry: Floats) -> float | None:
        """Net chips per cycle of playing ``entry`` for ever; None if expected stakes do not vanish."""
        worth = evaluate_reply(self.terms, entry).worth
        ante = self.table.rules.ante
        return None if worth is None else ante * (self.table.n_players * worth - 1.0)


@dataclass(frozen=True, eq=False)
class ByPot:
    """Solver for tables where pot and reserve matter."""

    table: Table
    law: OutcomeLaw

    @cached_property
    def moves(self) -> TableMoves:
        """What the rules do at every pot and reserve."""
        rules = self.table.rules
        return table_moves(self.table.n_players, stakes_of(self.table.n_players, rules), rules.nobody_in == "reante")

    def solve(self) -> Solution:
        """Best reply at every pot and reserve; rows for the lower third of the reserves that are followed."""
        found = best_policy(self.moves, self.law, best_hand_only(self.law), self.table.utility.absolute)
        # Far up, where the reserve is no longer followed, the worth of a state is a guess.
        most_reserve = max(reserve for _, reserve in self.moves.states) // 3
        rows: list[Row] = sorted(
            (
                {"pot": pot, "reserve": reserve, **_entered(entry, self.table.rules), "worth": float(worth)}
                for (pot, reserve), entry, worth in zip(self.moves.states, found.entry, found.worth)
                if reserve <= most_reserve
            ),
            key=lambda row: (row["reserve"], row["pot"]),
        )
        return Solution(found.entry, rows, None, None, found.rounds)

    def value(self, entry: Floats) -> float | None:
        """Net chips per cycle, or their certainty equivalent; None if the reserve need not empty."""
        policy: PotPolicy = evaluate_policy(self.moves, self.law, entry, self.table.utility.absolute)
        if policy.unfollowed > CLOSE or not np.isfinite(policy.worth[0]):
            return None
        return float(policy.worth[0]) - self.table.rules.ante


@dataclass(frozen=True, eq=False)
class ByStack:
    """Solver for tables where the player's own chips are limited."""

    table: Table
    law: OutcomeLaw

    @cached_property
    def moves(self) -> SeatMoves:
        """What the rules do at every pot, reserve and stack."""
        rules = self.table.rules
        assert rules.bankroll is not None
        return seat_moves(
            BankrollTable(
                self.table.n_players,
                stakes_of(self.table.n_players, rules),
                reantes=rules.nobody_in == "reante",
                eliminates=rules.stakes == "eliminate",
                bankroll=rules.bankroll,
            )
        )

    def solve(self) -> Solution:
        """Best reply at every pot, reserve and stack; rows for stacks up to twice the bankroll, small reserves."""
        found = best_bankroll_policy(self.moves, self.law, self.table.utility)
        most_reserve = max(seat.reserve for seat in self.moves.seats) // 3
        assert self.table.rules.bankroll is not None
        most_stack = 2 * self.table.rules.bankroll
        rows: list[Row] = [
            {**seat._asdict(), **_entered(entry, self.table.rules), "worth": float(worth)}
            for seat, entry, worth in zip(self.moves.seats, found.entry, found.worth)
            if seat.reserve <= most_reserve and seat.stack <= most_stack
        ]
        rows.sort(key=lambda row: (row["reserve"], row["pot"], row["stack"]))
        return Solution(found.entry, rows, None, None, found.rounds, found.ruin)

    def value(self, entry: Floats) -> float | None:
        """Certainty equivalent of the net chips of a cycle; None if stacks need not stay among those followed."""
        policy = evaluate_bankroll_policy(self.moves, self.law, entry, self.table.utility)
        if policy.unfollowed > RARE:
            return None
        return float(policy.worth[0]) - self.table.rules.ante


def pot_solver(table: Table, law: OutcomeLaw) -> ByPot | ByStack:
    """Solver for tables where more than the own hand matters."""
    return ByPot(table, law) if table.rules.stakes == "credit" else ByStack(table, law)


def _entered(entry: Floats, rules: GutsRules) -> dict[str, Any]:
    """Weakest hand that is entered, whether all stronger ones are too, and how many of all hands."""
    entering = np.flatnonzero(entry > 0.0)
    weakest = int(entering[0]) if entering.size else None
    return {
        "hand": None if weakest is None else hand_classes(rules.ranking)[weakest].name,
        "threshold": weakest is None or bool((entry[weakest:] > 0.0).all()),
        "entry_prob": Strategy("reply", rules.ranking, entry).entry_prob,
    }
