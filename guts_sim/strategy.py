"""Strategies as data: the probability of entering with each class of hands.

A *field* is the strategy that the opponents share. It can be written as text (``"A4+"``, ``"top:30%"``,
``"always"``), read from a file, or built from an array.
"""

import csv
import io
import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from guts_sim.checks import read_number, read_share, shown
from guts_sim.errors import InputError
from guts_sim.hands import Ranking, class_frequencies, class_index, class_names, get_ranking

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

    Raises
    ------
    InputError
        The probabilities are not one number between 0 and 1 per class.

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
        object.__setattr__(self, "ranking", get_ranking(self.ranking))
        try:
            entry = np.array(self.entry, dtype=np.float64)
        except (TypeError, ValueError):
            raise InputError(f"field {self.spec!r}: entry probabilities must be an array of numbers") from None
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
        hands = class_frequencies(self.ranking)
        return float(self.entry @ hands / hands.sum())  # whole numbers first: exactly 1 for a field that always enters

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
    """Enter with class ``weakest`` and everything stronger; ``weakest = n_classes`` never enters.

    Examples
    --------
    >>> from guts_sim.hands import get_ranking
    >>> threshold_strategy(get_ranking("guts2"), 89).spec
    'KK+'
    """
    names = class_names(ranking)
    spec = f"{names[weakest]}+" if weakest < len(names) else "never"
    return Strategy(spec, ranking, (np.arange(len(names)) >= weakest).astype(np.float64))


def top_strategy(ranking: Ranking, share: float, spec: str | None = None) -> Strategy:
    """Enter with the strongest ``share`` of all hands; the class at the edge enters with part of its hands."""
    if not 0.0 <= share <= 1.0:
        raise InputError(f"field {spec or share!r}: a share between 0 and 1 (0% to 100%) is wanted")
    hands = class_frequencies(ranking)
    stronger = np.cumsum(hands[::-1])[::-1] - hands
    return Strategy(spec or f"top:{share:g}", ranking, np.clip((share * hands.sum() - stronger) / hands, 0.0, 1.0))


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
    if not isinstance(text, str):
        raise InputError(f"field: {shown(text)} is not allowed; give text: {FIELD_SYNTAX}")
    spec = text.strip()
    word = spec.lower()
    ranking = get_ranking(ranking)
    n_classes = len(class_names(ranking))
    if word in ("always", "never"):
        return Strategy(word, ranking, np.full(n_classes, float(word == "always")))
    if word.startswith("top:"):
        return top_strategy(ranking, _parse_share(spec), spec)
    if is_file_name(spec):
        return _read_file(Path(spec), ranking)
    entry = np.zeros(n_classes)
    for part in spec.split(","):
        entry[_classes_of(part.strip(), spec, ranking)] = 1.0
    return Strategy(spec, ranking, entry)


def _classes_of(part: str, spec: str, ranking: Ranking) -> slice:
    """Classes that one part of a list names: a hand, or with a ``+`` that hand and all stronger ones."""
    open_ended = part.endswith("+")
    if not part.strip("+"):
        raise InputError(f"field {shown(spec)}: an empty hand; allowed are {FIELD_SYNTAX}")
    name = part.removesuffix("+")
    try:
        if name != name.strip("-"):
            raise InputError(f"{shown(part)} is no hand; there is no range downwards")
        index = class_index(name, ranking)
    except InputError as error:
        reason = _shortened(str(error))
        raise InputError(f"field {shown(spec)}: {reason}; allowed are {FIELD_SYNTAX}") from None
    return slice(index, None if open_ended else index + 1)


def _shortened(text: str, most: int = 200) -> str:
    return text if len(text) <= most else text[:most] + "..."


def is_file_name(text: str) -> bool:
    """Whether a field's text names a file."""
    return text.strip().lower().endswith((".csv", ".json"))


def _parse_share(spec: str) -> float:
    share = read_share(spec[len("top:") :])
    if share is None:
        raise InputError(
            f"field {shown(spec)}: a share from 0% to 100% or from 0 to 1 is wanted, as in top:30% or top:0.3"
        )
    return share


def _read_file(path: Path, ranking: Ranking) -> Strategy:
    name = _printable(path)
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else "not a UTF-8 text"
        raise InputError(f"field file {name}: {reason}") from None
    rows = _rows_of_json(name, text) if path.suffix.lower() == ".json" else _rows_of_csv(name, text)
    entry = np.zeros(len(class_names(ranking)))
    seen: set[int] = set()
    for hand, enter in rows:
        try:
            index = class_index(str(hand), ranking)
        except InputError as error:
            raise InputError(f"field file {name}: {_shortened(str(error))}") from None
        if index in seen:
            raise InputError(f"field file {name}: hand {hand} is listed twice")
        seen.add(index)
        entry[index] = _probability(name, hand, enter)
    if not seen:
        raise InputError(f"field file {name}: it lists no hand")
    return Strategy(name, ranking, entry)


def _printable(path: Path) -> str:
    """Return the path as text that UTF-8 can hold, whatever bytes its name is made of."""
    return os.fsencode(path).decode("utf-8", "backslashreplace")


def _probability(name: str, hand: object, enter: object) -> float:
    if isinstance(enter, str):
        number = read_number(enter)
        probability = None if number is None else float(number)
    else:
        is_number = isinstance(enter, int | float) and not isinstance(enter, bool)
        probability = float(enter) if is_number else None  # type: ignore[arg-type]
    if probability is None or not 0.0 <= probability <= 1.0:
        raise InputError(f"field file {name}: hand {hand}: enter {shown(enter)} is not a number between 0 and 1")
    return probability


def _rows_of_csv(name: str, text: str) -> list[tuple[Any, Any]]:
    reader = csv.reader(io.StringIO(text, newline=""))
    try:
        lines = [line for line in reader if line]
    except csv.Error as error:
        raise InputError(f"field file {name}: no valid CSV: {error}") from None
    header = [cell.strip() for cell in lines[0]] if lines else []
    if header.count("hand") != 1 or header.count("enter") != 1:
        raise InputError(f"field file {name}: its first line must name the columns hand and enter, once each")
    hand, enter = header.index("hand"), header.index("enter")
    for line in lines[1:]:
        if len(line) != len(header):
            raise InputError(
                f"field file {name}: {shown(','.join(line))} has {len(line)} columns, the first line"
                f" {len(header)}; write a decimal point, not a comma"
            )
    return [(line[hand], line[enter]) for line in lines[1:]]


def _rows_of_json(name: str, text: str) -> list[tuple[Any, Any]]:
    try:
        data = json.loads(text, object_pairs_hook=_JsonObject)
    except (ValueError, RecursionError) as error:
        raise InputError(f"field file {name}: no valid JSON: {error}") from None
    if isinstance(data, _JsonObject):
        hands = [value for key, value in data if key == "hands"]
        data = hands[0] if len(hands) == 1 else data
    if isinstance(data, _JsonObject):
        return list(data)
    if isinstance(data, list) and all(isinstance(row, _JsonObject) for row in data):
        rows = [dict(row) for row in data]
        if all({"hand", "enter"} <= row.keys() for row in rows):
            return [(row["hand"], row["enter"]) for row in rows]
    raise InputError(f'field file {name}: give {{"AA": 1.0, ...}} or a list of {{"hand": ..., "enter": ...}}')


class _JsonObject(list[tuple[str, Any]]):
    """Keys and values of a JSON object in the order of the file, so that a hand listed twice is seen."""
