"""Programmes of passes: how many cards go how far, and in which direction."""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from guts_sim.cards import format_cards
from guts_sim.checks import check_count, shown
from guts_sim.errors import InputError

PASSES_SYNTAX = "3L (three to the left), 3L,2R,1L, or 3,2,1 (to the 1st, 2nd and 3rd neighbour on the left)"
MOST_PASSES = 6
_PASS = re.compile(r"([1-3])(?:([LR])([1-6])?)?", re.ASCII | re.IGNORECASE)


@dataclass(frozen=True)
class PassProgram:
    """Passes in order, for a number of players.

    Attributes
    ----------
    text : str
        The programme as it was written, without blanks.
    passes : tuple of (int, int)
        Cards, and places to the left among the players who are still in; negative to the right.
    """

    text: str
    passes: tuple[tuple[int, int], ...]

    @property
    def is_one_left(self) -> bool:
        """Whether it is the usual single pass of three cards to the left neighbour."""
        return self.passes == ((3, 1),)


def parse_passes(text: str, n_active: int) -> PassProgram:
    """Read a programme of passes.

    Parameters
    ----------
    text : str
        Passes separated by commas: cards (1 to 3), a direction (L or R) and, if it is not the next player,
        a distance: ``"3L,2R,1L"``, ``"3L,2L2,1L3"``. Without direction the first pass goes to the first neighbour on
        the left, the second to the second, and so on.
    n_active : int
        Players who take part.

    Returns
    -------
    PassProgram

    Raises
    ------
    InputError
        The text cannot be read, or a pass would come back to its giver.

    Examples
    --------
    >>> parse_passes("3L,2R,1L", 4).passes
    ((3, 1), (2, -1), (1, 1))
    >>> parse_passes("3,2,1", 4).passes
    ((3, 1), (2, 2), (1, 3))
    """
    parts = [part.strip() for part in text.split(",")] if isinstance(text, str) else [""]
    if len(parts) > MOST_PASSES:
        raise InputError(f"passes: at most {MOST_PASSES} passes, got {len(parts)}")
    passes = []
    for number, part in enumerate(parts, 1):
        found = _PASS.fullmatch(part)
        if found is None:
            raise InputError(f"passes: {shown(text)} not understood; write {PASSES_SYNTAX}")
        n_cards, side, places = found.groups()
        distance = int(places or 1) if side else number
        if distance % n_active == 0:
            raise InputError(f"passes: with {n_active} players in, {part!r} would come back to its giver")
        passes.append((int(n_cards), -distance if (side or "L").upper() == "R" else distance))
    return PassProgram(",".join(parts), tuple(passes))


def pass_cards(
    hands: Sequence[Sequence[int]], batches: Sequence[Sequence[int]], *, places: int = 1, folded: Collection[int] = ()
) -> list[tuple[int, ...]]:
    """Move every player's batch at once to a player further on who has not folded.

    Parameters
    ----------
    hands : sequence of sequences of int
        Card codes of every seat, running to the left.
    batches : sequence of sequences of int
        What each seat passes; nothing from those who have folded.
    places : int
        How many places to the left; negative to the right. Only players who are in count.
    folded : collection of int
        Seats, from 0, that are skipped.

    Returns
    -------
    list of tuple of int
        The hands afterwards: the cards kept in their order, then the cards received. Since all batches leave before
        any arrives, no card is passed twice.

    Raises
    ------
    InputError
        A batch holds a card twice, a card that its giver does not hold, or another number of cards than the others.

    Examples
    --------
    >>> pass_cards([[0, 1], [10, 11], [20, 21]], [[1], [], [20]], folded=[1])
    [(0, 20), (10, 11), (21, 1)]
    """
    if len(batches) != len(hands):
        raise InputError(f"batches: one per seat is wanted, {len(hands)} in all; got {len(batches)}")
    out = {check_count(seat, "folded seat", 0, len(hands) - 1) for seat in folded}
    active = [seat for seat in range(len(hands)) if seat not in out]
    size = len(batches[active[0]]) if active else 0
    for seat, batch in enumerate(batches):
        if seat in out and len(batch):
            raise InputError(f"batches: seat {seat} has folded and passes nothing")
        if seat not in out and len(batch) != size:
            raise InputError(f"batches: seat {seat} passes {len(batch)} cards, seat {active[0]} {size}")
        for i, card in enumerate(batch):
            if card not in hands[seat]:
                raise InputError(f"batches: seat {seat} does not hold {format_cards([card])}")
            if card in batch[:i]:
                raise InputError(f"batches: seat {seat} passes {format_cards([card])} twice")
    after = [tuple(hand) for hand in hands]
    for place, seat in enumerate(active):
        giver = active[(place - places) % len(active)]
        after[seat] = (*(card for card in hands[seat] if card not in batches[seat]), *batches[giver])
    return after
