"""What the referee is given and what it gives back."""

from dataclasses import dataclass
from fractions import Fraction

Strength = tuple[int, ...]
"""A hand's place among all hands: the larger tuple wins, equal ones tie."""


@dataclass(frozen=True)
class Contest:
    """One pot and those who contest it.

    Attributes
    ----------
    name : str
        What to call the pot, for example ``"pot"`` or ``"low pot"``.
    pot, reserve : Fraction
        Chips in the active pot and in its reserve.
    entered : tuple of bool
        Per seat, clockwise: whether the player is in.
    strengths : tuple of (Strength or None)
        Per seat: strength of the hand, of those who are out as well where the rules may show it. None where
        no hand is shown.
    ghost : Strength, optional
        Strength of the ghost's hand.
    shown : tuple of str
        Per seat, the hand in words, for the explanation; may be empty.
    ghost_shown : str
        The ghost's hand in words.
    """

    name: str
    pot: Fraction
    reserve: Fraction
    entered: tuple[bool, ...]
    strengths: tuple[Strength | None, ...]
    ghost: Strength | None = None
    shown: tuple[str, ...] = ()
    ghost_shown: str = ""


@dataclass(frozen=True)
class Line:
    """One step of a settlement: the number of the rule and what happened."""

    rule: str
    text: str


@dataclass(frozen=True)
class PotOutcome:
    """What became of one pot.

    Attributes
    ----------
    name : str
        Name of the pot.
    winners : tuple of int
        Seats that took the pot; empty if it stayed.
    ghost_wins : bool
        Whether it stayed because the ghost won.
    next_pot, reserve : Fraction
        Chips in the pot of the next round and in its reserve.
    cycle_over : bool
        Whether both are empty, so that a new cycle begins with antes.
    """

    name: str
    winners: tuple[int, ...]
    ghost_wins: bool
    next_pot: Fraction
    reserve: Fraction
    cycle_over: bool


@dataclass(frozen=True)
class Settlement:
    """A settled round.

    Attributes
    ----------
    pots : tuple of PotOutcome
        One per contest, in the order given.
    won, paid : tuple of Fraction
        Per seat: chips taken from and put into all pots in this round. The antes of a new cycle are no part of it.
    antes_due : tuple of Fraction
        Per seat: antes of the cycles that begin now, to be put in before the next deal; 0 if none begins.
    stacks : tuple of Fraction or None
        Chips left per seat, before the antes that are due; None on credit.
    eliminated : tuple of int
        Seats that take no further part in the session.
    lines : tuple of Line
        What happened, in the order in which chips moved.
    """

    pots: tuple[PotOutcome, ...]
    won: tuple[Fraction, ...]
    paid: tuple[Fraction, ...]
    antes_due: tuple[Fraction, ...]
    stacks: tuple[Fraction, ...] | None
    eliminated: tuple[int, ...]
    lines: tuple[Line, ...]

    @property
    def net(self) -> tuple[Fraction, ...]:
        """Per seat: change of the balance in this round."""
        return tuple(won - paid for won, paid in zip(self.won, self.paid))
