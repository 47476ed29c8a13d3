"""What is measured, one module per question; each has ``entries()``."""

from typing import Protocol

from benchmarks.harness import Settings
from benchmarks.rows import Row


class Entry(Protocol):
    """A benchmark: named, described, measurable."""

    @property
    def name(self) -> str:
        """What ``--only`` matches the beginning of."""

    @property
    def title(self) -> str:
        """What is measured."""

    def measure(self, settings: Settings) -> list[Row]:
        """Measure it."""


def all_entries() -> list[Entry]:
    """Every benchmark, in the order in which they run."""
    from benchmarks.groups import commands, compilation, growth, guts, seven_cards, showdowns, strategies, threads

    groups = (guts, strategies, seven_cards, showdowns, threads, growth, compilation, commands)
    return [entry for group in groups for entry in group.entries()]
