"""Chips on the move: who has what, who is out, and what has been said about it."""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction

from guts_sim.settlement.contest import Line


class Ledger:
    """Balances of one round, and the explanation as it grows.

    Parameters
    ----------
    names : sequence of str
        Players, clockwise.
    stacks : sequence of Fraction, optional
        Chips that each has before the round; None on credit.
    dealer : int
        Seat of the dealer: what cannot be divided goes to the first player concerned on the left.
    unit : Fraction, optional
        Smallest amount that can change hands; None to divide exactly.
    """

    def __init__(
        self, names: Sequence[str], stacks: Sequence[Fraction] | None, dealer: int, unit: Fraction | None
    ) -> None:
        self.names = tuple(names)
        self.stacks = None if stacks is None else list(stacks)
        self.dealer = dealer
        self.unit = unit
        self.won = [Fraction(0)] * len(names)
        self.paid = [Fraction(0)] * len(names)
        self.eliminated: set[int] = set()
        self.lines: list[Line] = []

    @property
    def playing(self) -> list[int]:
        """Seats that have not been eliminated."""
        return [seat for seat in range(len(self.names)) if seat not in self.eliminated]

    def affordable(self, seat: int, amount: Fraction) -> Fraction:
        """Part of ``amount`` that the player has."""
        return amount if self.stacks is None else min(amount, self.stacks[seat])

    def receive(self, seat: int, amount: Fraction) -> None:
        """Hand chips to a player."""
        self.won[seat] += amount
        if self.stacks is not None:
            self.stacks[seat] += amount

    def pay(self, seat: int, amount: Fraction) -> None:
        """Take chips from a player."""
        self.paid[seat] += amount
        if self.stacks is not None:
            self.stacks[seat] -= amount

    def say(self, rule: str, text: str) -> None:
        """Add a line to the explanation."""
        self.lines.append(Line(rule, text))

    def called(self, seats: Iterable[int]) -> str:
        """Names in a sentence: A, B and C."""
        names = [self.names[seat] for seat in seats]
        return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"

    def amounts(self, amounts: Mapping[int, Fraction]) -> str:
        """Amounts in a sentence: "6 each", or "A 5, B 3"."""
        distinct = set(amounts.values())
        if len(distinct) == 1:
            return chips(distinct.pop()) + (" each" if len(amounts) > 1 else "")
        return ", ".join(f"{self.names[seat]} {chips(amount)}" for seat, amount in amounts.items())

    def share(self, total: Fraction, members: Sequence[int]) -> dict[int, Fraction]:
        """Divide ``total`` equally; all that cannot be divided goes to the first member left of the dealer."""
        each = self._round_down(total / len(members))
        shares = dict.fromkeys(members, each)
        shares[self._left_of_dealer(members)[0]] += total - each * len(members)
        return shares

    def lower(self, limits: Mapping[int, Fraction], total: Fraction) -> tuple[Fraction, dict[int, Fraction]]:
        """Lower payments to one common level so that they add up to ``total``, less than the limits do.

        Parameters
        ----------
        limits : mapping of seat to Fraction
            Most that each can be asked for.
        total : Fraction
            What the payments have to add up to.

        Returns
        -------
        level : Fraction
            What everybody owes.
        payments : dict of seat to Fraction
            The level, or the limit where that is less. What cannot be divided falls to the first players left
            of the dealer who can pay it.
        """
        level = self._level(sorted(limits.values()), total)
        payments = {seat: min(limit, level) for seat, limit in limits.items()}
        rest = total - sum(payments.values())
        for seat in self._left_of_dealer(limits):
            extra = min(rest, limits[seat] - payments[seat])
            payments[seat] += extra
            rest -= extra
        return level, payments

    def _level(self, limits: Sequence[Fraction], total: Fraction) -> Fraction:
        """Find the common level; those whose limit lies below it pay their limit."""
        level = Fraction(0)
        for settled, limit in enumerate(limits):
            level = self._round_down(total / (len(limits) - settled))
            if limit > level:
                break
            total -= limit
        return level

    def _round_down(self, amount: Fraction) -> Fraction:
        return amount if self.unit is None else amount // self.unit * self.unit

    def _left_of_dealer(self, seats: Iterable[int]) -> list[int]:
        return sorted(seats, key=lambda seat: (seat - self.dealer - 1) % len(self.names))


def chips(amount: Fraction) -> str:
    """Write an amount as a whole number or a fraction.

    Examples
    --------
    >>> chips(Fraction(6)), chips(Fraction(20, 3))
    ('6', '20/3')
    """
    return str(amount)
