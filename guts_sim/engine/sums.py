"""What a run of blocks adds up, in a form that can be written down and taken up again."""

import operator
import pickle
import zlib
from collections.abc import Callable
from dataclasses import fields
from typing import Any, ClassVar, Generic, Protocol, Self, TypeVar

import numpy as np

from guts_sim.engine.blocks import Combine

State = dict[str, Any]
"""Arrays of integers or floats, Python integers, and lists and dicts of them."""


class Sums(Protocol):
    """Sums over blocks; only whole blocks are kept for good."""

    @property
    def n_whole(self) -> int:
        """Deals in the blocks that a longer run need not do again."""

    @property
    def combine(self) -> Combine | None:
        """How results of neighbouring blocks may be put together before they are added; None if they may not."""

    def add(self, start: int, stop: int, result: Any) -> None:
        """Take in the result of deals ``start .. stop - 1``."""

    def state(self) -> State:
        """Sums over the whole blocks."""

    def restore(self, state: State) -> None:
        """Take up such sums; ValueError if they do not fit."""


class Tally(Protocol):
    """A dataclass of arrays that can be added."""

    __dataclass_fields__: ClassVar[dict[str, Any]]

    @property
    def n(self) -> int:
        """Deals counted."""

    def __add__(self, other: Self) -> Self: ...


class SentPacked:
    """A dataclass of arrays that travels between processes compressed: histograms are mostly zeros."""

    def __reduce__(self) -> tuple[Any, ...]:
        parts = [getattr(self, one.name) for one in fields(self)]  # type: ignore[arg-type]  # it is a dataclass
        return _unpacked, (type(self), zlib.compress(pickle.dumps(parts, protocol=5), 1))


def _unpacked(kind: Callable[..., Any], packed: bytes) -> Any:
    return kind(*pickle.loads(zlib.decompress(packed)))


AnyTally = TypeVar("AnyTally", bound=Tally)


class TallySums(Generic[AnyTally]):
    """A tally of whole blocks, and of the piece of a block at the end, which a longer run does again.

    Parameters
    ----------
    empty : tally
        Nothing counted yet; it also says which arrays a state must have.
    block_size : int
        Deals per block.
    """

    def __init__(self, empty: AnyTally, block_size: int) -> None:
        self.block_size = block_size
        self.whole = empty
        self.tail = empty
        self._empty = empty
        self._names = [one.name for one in fields(empty)]

    @property
    def n_whole(self) -> int:
        """Deals in whole blocks."""
        return int(self.whole.n)

    @property
    def tally(self) -> AnyTally:
        """Everything counted."""
        return self.whole + self.tail

    @property
    def combine(self) -> Combine | None:
        """Addition, if it is one of integers: floats have to be added up in the order of the blocks."""
        kinds = {getattr(self._empty, name).dtype.kind for name in self._names}
        return operator.add if kinds <= set("iuO") else None

    def add(self, start: int, stop: int, result: Any) -> None:
        """Take in a block, several whole blocks, or the piece at the end of a run."""
        if stop % self.block_size == 0:
            self.whole, self.tail = self.whole + result, self._empty
        else:
            self.tail = result

    def state(self) -> State:
        """Arrays of the tally of whole blocks, by name."""
        return {name: getattr(self.whole, name) for name in self._names}

    def restore(self, state: State) -> None:
        """Take up the arrays of a tally; ValueError if they are not alike in shape and kind."""
        parts = {}
        for name in self._names:
            wanted, found = getattr(self._empty, name), state.get(name)
            if not isinstance(found, np.ndarray) or (found.shape, found.dtype) != (wanted.shape, wanted.dtype):
                raise ValueError(f"{name} does not fit")
            parts[name] = found
        self.whole, self.tail = type(self._empty)(**parts), self._empty
