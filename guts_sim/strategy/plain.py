"""The probability of entering with each class of hands."""

import os
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from guts_sim.errors import InputError
from guts_sim.hands import Ranking, class_frequencies, class_names, get_ranking


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
    >>> tens_or_better = threshold_strategy(get_ranking("guts2"), 86)
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
    def is_blind(self) -> bool:
        """Whether it enters equally often with every hand, and so needs no look at the cards."""
        return bool((self.entry == self.entry[0]).all())

    @property
    def weakest_in(self) -> str | None:
        """Name of the weakest class that ever enters, None if none does."""
        entering = np.flatnonzero(self.entry > 0)
        return class_names(self.ranking)[entering[0]] if entering.size else None

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

        Examples
        --------
        >>> import tempfile
        >>> from guts_sim.strategy import read_strategy
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     threshold_strategy(get_ranking("guts2"), 86).save(f"{folder}/tens.csv")
        ...     read_strategy(f"{folder}/tens.csv").weakest_in
        'TT'
        """
        from guts_sim.strategy.writing import save_strategy

        save_strategy(self, path)


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
