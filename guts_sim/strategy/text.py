"""Strategies from text: ``A4+``, ``top:30%``, ``always``, a file."""

import numpy as np

from guts_sim.checks import read_share, shown
from guts_sim.errors import InputError
from guts_sim.hands import Ranking, class_index, class_names, get_ranking
from guts_sim.strategy.plain import Strategy, top_strategy
from guts_sim.strategy.plan import AnyPlan, Case, Plan

FIELD_SYNTAX = (
    "A4+ (that hand or stronger), AK,TT+ (a list), top:30%, blind:30%, always, never, equilibrium, or a .csv or"
    " .json file"
)
_MOST_SHOWN = 200


def parse_field(text: str, ranking: Ranking) -> Strategy:
    """Read a field or range.

    Parameters
    ----------
    text : str
        ``"A4+"`` (that class or stronger), ``"AK"`` (that class), a comma-separated list of these,
        ``"top:30%"`` or ``"top:0.3"``, ``"blind:30%"`` (every hand, so often), ``"always"``, ``"never"``, or the name
        of a ``.csv`` or ``.json`` file with columns or keys ``hand`` and ``enter``; hands not listed stay out.
    ranking : Ranking
        The order of hands.

    Returns
    -------
    Strategy

    Raises
    ------
    InputError
        The text fits none of these, names a hand that the ranking does not have, or the file's strategy looks at
        more than the own hand.

    Examples
    --------
    >>> from guts_sim.hands import get_ranking
    >>> parse_field("top:50%", get_ranking("guts2")).entry_prob
    0.5
    """
    if not isinstance(text, str):
        raise InputError(f"field: {shown(text)} is not allowed; give text: {FIELD_SYNTAX}")
    spec = text.strip()
    ranking = get_ranking(ranking)
    if not is_file_name(spec):
        return _parse_words(spec, ranking)
    from guts_sim.strategy.files import read_strategy

    read = read_strategy(spec, ranking)
    if isinstance(read, Plan):
        raise InputError(
            f"field file {read.spec}: it looks at {' and '.join(read.looks_at) or 'a low pot'}; a field here looks at"
            " the own hand alone"
        )
    return read


def parse_strategy(text: str, ranking: Ranking, low_ranking: Ranking | None = None) -> AnyPlan:
    """Read a strategy that may look at the pot and at declarations heard, and may play for a low pot.

    Parameters
    ----------
    text : str
        As for `parse_field`, any file of `read_strategy`, and with ``low_ranking`` ``"A4+/72+"``: what to play for
        the high pot, and after the stroke for the low one.
    ranking : Ranking
        The order of hands.
    low_ranking : Ranking, optional
        The order of low hands, where a low pot is played.

    Returns
    -------
    Strategy or Plan

    Raises
    ------
    InputError
        The text fits none of these.

    Examples
    --------
    >>> from guts_sim.hands import get_ranking
    >>> parse_strategy("A4+/72+", get_ranking("guts2"), get_ranking("low2")).has_low
    True
    """
    if not isinstance(text, str):
        raise InputError(f"strategy: {shown(text)} is not allowed; give text: {FIELD_SYNTAX}")
    spec = text.strip()
    if is_file_name(spec):
        from guts_sim.strategy.files import read_strategy

        return read_strategy(spec, ranking, low_ranking)
    high, stroke, low = spec.partition("/")
    if not stroke:
        return _parse_words(spec, ranking)
    if low_ranking is None:
        raise InputError(f"strategy {shown(spec)}: there is no low pot; leave the stroke and what follows out")
    return Plan(spec, (Case(_parse_words(high.strip(), ranking), _parse_words(low.strip(), low_ranking)),))


def _parse_words(spec: str, ranking: Ranking) -> Strategy:
    """Read a field that is no file: a word, a share, or hands."""
    word = spec.lower()
    n_classes = len(class_names(ranking))
    if word in ("always", "never"):
        return Strategy(word, ranking, np.full(n_classes, float(word == "always")))
    if word.startswith("top:"):
        return top_strategy(ranking, _parse_share(spec), spec)
    if word.startswith("blind:"):
        return Strategy(spec, ranking, np.full(n_classes, _parse_share(spec)))
    entry = np.zeros(n_classes)
    for part in spec.split(","):
        entry[_classes_of(part.strip(), spec, ranking)] = 1.0
    return Strategy(spec, ranking, entry)


def _classes_of(part: str, spec: str, ranking: Ranking) -> slice:
    """Classes that one part of a list names: a hand, or with a ``+`` that hand and all stronger ones."""
    try:
        return classes_named(part, ranking)
    except InputError as error:
        reason = shortened(str(error))
        raise InputError(f"field {shown(spec)}: {reason}; allowed are {FIELD_SYNTAX}") from None


def classes_named(part: str, ranking: Ranking) -> slice:
    """Return the class of a hand, or with a ``+`` those of all hands from it upwards."""
    name = part.removesuffix("+")
    if name != name.strip("-"):
        raise InputError(f"{shown(part)} is no hand; there is no range downwards")
    index = class_index(name, ranking)
    return slice(index, None if part.endswith("+") else index + 1)


def shortened(text: str) -> str:
    """Cut a text that is too long for a message."""
    return text if len(text) <= _MOST_SHOWN else text[:_MOST_SHOWN] + "..."


def is_file_name(text: str) -> bool:
    """Whether a field's text names a file."""
    return text.strip().lower().endswith((".csv", ".json"))


def _parse_share(spec: str) -> float:
    kind, _, share_text = spec.lower().partition(":")
    share = read_share(share_text)
    if share is None:
        raise InputError(
            f"field {shown(spec)}: a share from 0% to 100% or from 0 to 1 is wanted, as in {kind}:30% or {kind}:0.3"
        )
    return share
