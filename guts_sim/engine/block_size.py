"""How many games make a block, where a game may be a moment or an hour."""

BLOCK_ROUNDS = 1 << 19  # about half a second of one thread: Ctrl-C waits for the blocks that are running
PILOT_GAMES = 16
PILOT_ROUNDS = 1 << 12


def games_per_block(most: int, rounds_per_game: float) -> int:
    """Games of so many rounds that make a block of about half a second, ``most`` if they are short.

    A power of two, so that neither noise nor a slow machine matters.

    Examples
    --------
    >>> games_per_block(4096, 23.0), games_per_block(4096, 10_000.0), games_per_block(4096, 1e9)
    (4096, 32, 1)
    """
    fitting = int(BLOCK_ROUNDS / max(rounds_per_game, 1.0))
    return max(1, min(most, 1 << fitting.bit_length() - 1)) if fitting else 1


def rounds_expected(mean: float, n_unfinished: int, n_pilot: int, limit: int) -> float:
    """Rounds of a game, from a pilot that gave games up early: those that were given up may take all that are allowed.

    Examples
    --------
    >>> rounds_expected(20.0, 0, 16, 10_000), rounds_expected(4096.0, 16, 16, 10_000)
    (20.0, 10000.0)
    """
    return mean + n_unfinished / n_pilot * max(0, limit - PILOT_ROUNDS)
