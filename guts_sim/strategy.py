"""Strategies as data: the probability of entering with each class of hands.

A *field* is the strategy that the opponents share. It can be written as text (``"A4+"``, ``"top:30%"``,
``"always"``), read from a file, or built from an array.
"""

import csv
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from guts_sim.errors import InputError
from guts_sim.hands import Ranking, class_frequencies, class_index, class_names

FIELD_SYNTAX = (
    "A4+ (that hand or stronger), AK,TT+ (a list), top:30%, always, never, equilibrium, or a .csv or .json file"
)


@dataclass(frozen=True, eq=False)
class Strategy:
    """Entry probabilities per hand class.

    Attributes
    ----------
    spec : str
        How the strategy was written.
    ranking : Ranking
        The order of hands it refers to.
    entry : ndarray of float64, shape (n_classes,)
        Probability of declaring in, per class, the weakest class first. Read-only.

    Examples
    --------
    >>> from guts_sim.hands import get_ranking
    >>> tens_or_better = parse_field("TT+", get_ranking("guts2"))
    >>> round(tens_or_better.entry_prob, 6)
    0.022624
    """

    spec: str
    ranking: Ranking
    entry: NDArray[np.float64]

    def __post_init__(self) -> None:
        entry = np.array(self.entry, dtype=np.float64)
        n_classes = len(class_names(self.ranking))
        if entry.shape != (n_classes,):
            raise InputError(
                f"field {self.spec!r}: {entry.shape} probabilities given; {self.ranking} has {n_classes} classes"
            )
        if not (np.isfinite(entry).all() and entry.min() >= 0.0 and entry.max() <= 1.0):
            raise InputError(f"field {self.spec!r}: entry probabilities must lie between 0 and 1")
        entry.flags.writeable = False
        object.__setattr__(self, "entry", entry)

    @property
    def entry_prob(self) -> float:
        """Probability of entering, over all hands."""
        return float(self.entry @ frequencies(self.ranking))

    @property
    def is_threshold(self) -> bool:
        """Whether it is a pure threshold: out below one class, in from it upwards."""
        return bool(np.isin(self.entry, (0.0, 1.0)).all() and (np.diff(self.entry) >= 0).all())

    @property
    def weakest_in(self) -> str | None:
        """Name of the weakest class that ever enters, None if none does."""
        entering = np.flatnonzero(self.entry > 0)
        return class_names(self.ranking)[entering[0]] if entering.size else None


def frequencies(ranking: Ranking) -> NDArray[np.float64]:
    """Probability of being dealt each class, the weakest first."""
    counts = class_frequencies(ranking)
    return np.asarray(counts / counts.sum())


def threshold_strategy(ranking: Ranking, weakest: int) -> Strategy:
    """Enter with class ``weakest`` and everything stronger; ``weakest = n_classes`` never enters."""
    names = class_names(ranking)
    spec = f"{names[weakest]}+" if weakest < len(names) else "never"
    return Strategy(spec, ranking, (np.arange(len(names)) >= weakest).astype(np.float64))


def top_strategy(ranking: Ranking, share: float, spec: str | None = None) -> Strategy:
    """Enter with the strongest ``share`` of all hands; the class at the edge enters with part of its hands."""
    if not 0.0 <= share <= 1.0:
        raise InputError(f"field {spec or share!r}: a share between 0 and 1 (0% to 100%) is wanted")
    frequency = frequencies(ranking)
    stronger = np.cumsum(frequency[::-1])[::-1] - frequency
    return Strategy(spec or f"top:{share:g}", ranking, np.clip((share - stronger) / frequency, 0.0, 1.0))


def parse_field(text: str, ranking: Ranking) -> Strategy:
    """Read a field or range.

    Parameters
    ----------
    text : str
        ``"A4+"`` (that class or stronger), ``"AK"`` (that class), a comma-separated list of these,
        ``"top:30%"`` or ``"top:0.3"``, ``"always"``, ``"never"``, or the name of a ``.csv`` or ``.json``
        file with columns or keys ``hand`` and ``enter``; hands not listed stay out.
    ranking : Ranking
        The order of hands.

    Returns
    -------
    Strategy

    Raises
    ------
    InputError
        The text fits none of these, or names a hand that the ranking does not have.

    Examples
    --------
    >>> from guts_sim.hands import get_ranking
    >>> parse_field("top:50%", get_ranking("guts2")).entry_prob
    0.5
    """
    spec = text.strip()
    word = spec.lower()
    n_classes = len(class_names(ranking))
    if word in ("always", "never"):
        return Strategy(word, ranking, np.full(n_classes, float(word == "always")))
    if word.startswith("top:"):
        return top_strategy(ranking, _parse_share(spec), spec)
    if is_file_name(spec):
        return _read_file(Path(spec), ranking)
    entry = np.zeros(n_classes)
    for part in spec.split(","):
        name = part.strip()
        open_ended = name.endswith("+")
        if not name.rstrip("+"):
            raise InputError(f"field {text!r}: an empty hand; allowed are {FIELD_SYNTAX}")
        try:
            index = class_index(name[:-1] if open_ended else name, ranking)
        except InputError as error:
            raise InputError(f"field {text!r}: {error}; allowed are {FIELD_SYNTAX}") from None
        entry[index : n_classes if open_ended else index + 1] = 1.0
    return Strategy(spec, ranking, entry)


def is_file_name(text: str) -> bool:
    """Whether a field's text names a file."""
    return text.strip().lower().endswith((".csv", ".json"))


def _parse_share(spec: str) -> float:
    number = spec[4:].strip()
    percent = number.endswith("%")
    try:
        share = float(number.rstrip("%")) / (100.0 if percent else 1.0)
    except ValueError:
        raise InputError(f"field {spec!r}: {number!r} is no number; write top:30% or top:0.3") from None
    if not 0.0 <= share <= 1.0:
        raise InputError(f"field {spec!r}: {number} is outside 0 to 1; write top:30% or top:0.3")
    return share


def _read_file(path: Path, ranking: Ranking) -> Strategy:
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "not a UTF-8 text"
        raise InputError(f"field file {path}: {reason}") from None
    rows = _rows_of_json(path, text) if path.suffix.lower() == ".json" else _rows_of_csv(path, text)
    entry = np.zeros(len(class_names(ranking)))
    seen: set[int] = set()
    for hand, enter in rows:
        try:
            index = class_index(str(hand), ranking)
            probability = float(enter)
        except (InputError, TypeError, ValueError) as error:
            raise InputError(f"field file {path}: hand {hand!r}, enter {enter!r}: {error}") from None
        if not 0.0 <= probability <= 1.0:
            raise InputError(f"field file {path}: hand {hand}: enter {enter!r} is not between 0 and 1")
        if index in seen:
            raise InputError(f"field file {path}: hand {hand} is listed twice")
        seen.add(index)
        entry[index] = probability
    if not seen:
        raise InputError(f"field file {path}: it lists no hand")
    return Strategy(str(path), ranking, entry)


def _rows_of_csv(path: Path, text: str) -> list[tuple[Any, Any]]:
    reader = csv.DictReader(text.splitlines())
    if reader.fieldnames is None or not {"hand", "enter"} <= set(reader.fieldnames):
        raise InputError(f"field file {path}: its first line must name the columns hand and enter")
    return [(row["hand"], row["enter"]) for row in reader]


def _rows_of_json(path: Path, text: str) -> list[tuple[Any, Any]]:
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InputError(f"field file {path}: no valid JSON: {error}") from None
    if isinstance(data, Mapping):
        data = data.get("hands", data)
    if isinstance(data, Mapping):
        return list(data.items())
    if isinstance(data, list) and all(isinstance(row, Mapping) and {"hand", "enter"} <= set(row) for row in data):
        return [(row["hand"], row["enter"]) for row in data]
    raise InputError(f'field file {path}: give {{"AA": 1.0, ...}} or a list of {{"hand": ..., "enter": ...}}')
