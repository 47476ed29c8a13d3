"""Packages from PyPI that are compared with, where they are installed (extra ``bench``)."""

import ctypes
import importlib
from functools import cache
from types import ModuleType
from typing import Any

from benchmarks.harness import Unavailable

RANKS, SUITS = "23456789TJQKA", "cdhs"


def package(name: str) -> ModuleType:
    """Import a rival, or say why there is none."""
    try:
        return importlib.import_module(name)
    except ImportError as reason:
        raise Unavailable(f"{name} is not installed here ({reason}); install the extra: guts-sim[bench]") from None


def card_name(card: int) -> str:
    """Name of a card code, for example ``Ts``."""
    return RANKS[card // 4] + SUITS[card % 4]


@cache
def ompeval() -> Any:
    """Shared library with the C++ evaluator OMPEval that the wheel of ``pokerfast`` holds.

    Its entry point ``pf_evaluate(cards, n, cards_per_hand, ranks)`` reads card codes (4 * rank + suit) row by
    row and writes uint16 ranks, larger is stronger.
    """
    path = package("pokerfast.equity").find_library()
    if path is None:
        raise Unavailable("the installed pokerfast has no compiled OMPEval")
    library = ctypes.CDLL(path)
    library.pf_evaluate.argtypes = [ctypes.c_void_p, ctypes.c_uint, ctypes.c_uint, ctypes.c_void_p]
    if library.pf_init() != 0:
        raise Unavailable("OMPEval does not start here")
    return library
