"""Strategies that look at more than the own hand: cases, tried in order."""

import os
from dataclasses import dataclass

from guts_sim.checks import read_number, shown
from guts_sim.errors import InputError
from guts_sim.hands import Ranking
from guts_sim.strategy.plain import Strategy

LAST = "last"
CONDITIONS = ("pot", "position", "heard")
_LEAST = {"pot": 0, "position": 1, "heard": 0}
_MOST = {"pot": 10**12, "position": 10, "heard": 9}
_EXAMPLES = {"pot": "5, 1-5 or 6+", "position": "1, 2-3, 4+ or last", "heard": "0, 1-2 or 1+"}


@dataclass(frozen=True)
class Span:
    """Whole numbers from ``low`` to ``high``, both included.

    Attributes
    ----------
    low : int
        The least.
    high : int or None
        The largest; None: without an upper end.

    Examples
    --------
    >>> Span.parse("1-5", "pot"), Span.parse("6+", "pot")
    (Span(low=1, high=5), Span(low=6, high=None))
    """

    low: int
    high: int | None

    @classmethod
    def parse(cls, given: object, condition: str) -> "Span":
        """Read a condition.

        Parameters
        ----------
        given : int or str
            A number, ``"1-5"`` or ``"6+"``; a position may be ``"last"``.
        condition : {"pot", "position", "heard"}
            What it is a condition on.

        Returns
        -------
        Span

        Raises
        ------
        InputError
            It is none of these, or lies outside of what the condition can be.
        """
        text = str(given).strip().lower() if isinstance(given, str | int) and not isinstance(given, bool) else ""
        if condition == "position" and text == LAST:
            return LAST_PLACE
        first, dash, second = text.partition("-")
        if text.endswith("+") and not dash:
            low, high = _whole(text[:-1]), None
            is_span = low is not None
        else:
            low, high = _whole(first), _whole(second if dash else first)
            is_span = low is not None and high is not None and low <= high
        least, most = _LEAST[condition], _MOST[condition]
        if not is_span or low is None or low < least or max(low, high or low) > most:
            raise InputError(
                f"{condition} {shown(given)} is not allowed; give {_EXAMPLES[condition]}, from {least} to {most:,}"
            )
        return cls(low, high)

    def __contains__(self, value: int) -> bool:
        return self.low <= value and (self.high is None or value <= self.high)

    def __str__(self) -> str:
        if self == LAST_PLACE:
            return LAST
        if self.high is None:
            return f"{self.low}+"
        return str(self.low) if self.low == self.high else f"{self.low}-{self.high}"


LAST_PLACE = Span(-1, -1)
"""The condition of declaring last, at a table of any size."""


def _whole(text: str) -> int | None:
    number = read_number(text) if text.strip() == text else None
    return None if number is None or number < 0 or number != number.to_integral_value() else int(number)


@dataclass(frozen=True, eq=False)
class Case:
    """What to play when all conditions are met; None: no condition.

    Attributes
    ----------
    play : Strategy
        Entry probabilities by class of the own hand.
    low : Strategy, optional
        The same for the low pot, for rules with a high and a low pot.
    pot : Span, optional
        Chips in the pot that is played for, fractions dropped.
    position : Span, optional
        Place in the order of declaration, 1 for the first, ``Span.parse("last", "position")`` for the last.
    heard : Span, optional
        How many have declared in before.

    Examples
    --------
    >>> from guts_sim.strategy import parse_field
    >>> case = Case(parse_field("TT+", "guts2"), heard=Span.parse("1+", "heard"))
    >>> case.applies(pot=5, position=3, heard=0, n_players=4), case.applies(pot=5, position=3, heard=2, n_players=4)
    (False, True)
    """

    play: Strategy
    low: Strategy | None = None
    pot: Span | None = None
    position: Span | None = None
    heard: Span | None = None

    @property
    def conditions(self) -> dict[str, Span]:
        """The conditions that there are, by name."""
        given = {"pot": self.pot, "position": self.position, "heard": self.heard}
        return {name: span for name, span in given.items() if span is not None}

    def applies(self, *, pot: int, position: int, heard: int, n_players: int) -> bool:
        """Whether all conditions are met.

        Parameters
        ----------
        pot : int
            Chips in the pot that is played for.
        position : int
            Place in the order of declaration, 1 for the first, ``n_players`` for the last.
        heard : int
            How many have declared in before.
        n_players : int
            Players who declare.

        Returns
        -------
        bool
        """
        place_fits = self.position is None or (
            position == n_players if self.position == LAST_PLACE else position in self.position
        )
        return place_fits and (self.pot is None or pot in self.pot) and (self.heard is None or heard in self.heard)


@dataclass(frozen=True, eq=False)
class Plan:
    """A strategy made of cases; the first that applies is played.

    Attributes
    ----------
    spec : str
        Its name, or how it was written.
    cases : tuple of Case
        In the order in which they are tried. The last has no conditions, so that one always applies.

    Raises
    ------
    InputError
        There is no case, the last has conditions, or the cases refer to different hands.

    Examples
    --------
    Bold while the pot is small:

    >>> from guts_sim.strategy import parse_field
    >>> cases = (Case(parse_field("top:40%", "guts2"), pot=Span(1, 5)), Case(parse_field("A4+", "guts2")))
    >>> Plan("bold", cases).looks_at
    ('pot',)
    """

    spec: str
    cases: tuple[Case, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "cases", tuple(self.cases))
        if not self.cases:
            raise InputError(f"strategy {self.spec!r}: it has no case")
        if self.cases[-1].conditions:
            raise InputError(
                f"strategy {self.spec!r}: the last case must be without conditions, so that one always applies"
            )
        for plays in ([case.play for case in self.cases], [case.low for case in self.cases]):
            if len({None if play is None else play.ranking.name for play in plays}) > 1:
                raise InputError(f"strategy {self.spec!r}: its cases refer to hands of different kinds")

    @property
    def ranking(self) -> Ranking:
        """The order of hands it refers to."""
        return self.cases[-1].play.ranking

    @property
    def looks_at(self) -> tuple[str, ...]:
        """Names of the conditions that occur in it."""
        return tuple(name for name in CONDITIONS if any(name in case.conditions for case in self.cases))

    @property
    def has_low(self) -> bool:
        """Whether it says what to do about a low pot."""
        return self.cases[-1].low is not None

    @property
    def is_blind(self) -> bool:
        """Whether no case looks at the cards."""
        return all(case.play.is_blind and (case.low is None or case.low.is_blind) for case in self.cases)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the strategy to a ``.json`` or ``.csv`` file that `guts_sim.read_strategy` reads.

        Parameters
        ----------
        path : path-like
            Where to write; an existing file is replaced.

        Raises
        ------
        InputError
            The ending is unknown, or the file cannot be written.
        """
        from guts_sim.strategy.writing import save_strategy

        save_strategy(self, path)


AnyPlan = Strategy | Plan


def as_plan(strategy: AnyPlan) -> Plan:
    """Make one case without conditions of a strategy by hands alone.

    Examples
    --------
    >>> from guts_sim.strategy import parse_field
    >>> as_plan(parse_field("A4+", "guts2")).looks_at
    ()
    """
    return strategy if isinstance(strategy, Plan) else Plan(strategy.spec, (Case(strategy),))
