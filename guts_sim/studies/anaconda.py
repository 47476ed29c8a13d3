"""Whole hands of Anaconda: strategies at one table, and strategies in fields of each other."""

from concurrent.futures import Executor
from dataclasses import replace

import numpy as np

from guts_sim.errors import InputError
from guts_sim.games.anaconda_strategy import (
    ORDERS,
    PRESETS,
    GivenStrategies,
    list_strategies,
    read_anaconda_strategy,
    seat_strategies,
)
from guts_sim.interruption import interruptible
from guts_sim.provenance import Stopwatch
from guts_sim.results import Result
from guts_sim.studies.anaconda_answers import order_results, table_results, tournament_results
from guts_sim.studies.anaconda_sampling import HandsTask, all_seats, lone_players, measure_hands
from guts_sim.studies.anaconda_setting import check_policies, read_setting, recorded
from guts_sim.studies.anaconda_text import order_lines, table_lines, tournament_lines
from guts_sim.studies.measurement import read_run_options

DEFAULT_DEALS = 50_000
DEFAULT_TOURNAMENT_DEALS = 5_000
BLOCK_SIZE, TOURNAMENT_BLOCK_SIZE = 1 << 12, 1 << 10


@interruptible
def anaconda(
    n_players: int = 4,
    *,
    strategies: GivenStrategies = "solid",
    passes: str = "3L",
    roll: bool = True,
    high_low: bool = False,
    expected: str = "random",
    deals: int | None = None,
    seed: int | None = None,
    confidence: float = 0.95,
    workers: int | None = None,
    executor: Executor | None = None,
    progress: bool | None = None,
) -> Result:
    """Play whole hands with betting: what every strategy at the table wins.

    Every deal is played ``n_players`` times, the players moving on by one seat each time, so that all of them play the
    same cards from every seat; standard errors are those between deals.

    Parameters
    ----------
    n_players : int
        2 to 7.
    strategies : str or sequence
        One for all, or one for each player, in the order in which they sit; see
        `guts_sim.games.anaconda_strategy.read_anaconda_strategy`.
    passes : str
        ``"3L"``, or several as in ``"3L,2R,1L"``, each to the next player who is in; a betting round follows each.
    roll : bool
        Whether cards are revealed one by one with betting; else the showdown follows the last pass's betting round.
    high_low : bool
        Declarations for high and low are not played: True is refused.
    expected : {"random", "last", "hide", "honest"}
        Order of reveal that everybody's reading of exposed cards assumes.
    deals : int, optional
        Default 50,000.
    seed, confidence, workers, executor, progress
        See `guts_sim.threshold`.

    Returns
    -------
    Result
        ``results["rows"]``, player by player: ``strategy``, ``net`` chips per hand with ``stderr`` and interval,
        ``showdown`` (share of hands), ``won_at_showdown`` (of those), ``won_before`` (of hands: all others folded).
        ``results["strategies"]``: the same chips by strategy; ``results["seats"]``: by player and seat, from the
        dealer's left.

    Raises
    ------
    InputError
        An argument is not allowed.

    Examples
    --------
    >>> table = anaconda(3, strategies="tight,tight,always-raise", deals=2_000, seed=1)
    >>> abs(sum(row["net"] for row in table.rows)) < 1e-9
    True
    """
    with Stopwatch() as watch:
        options = read_run_options(deals, DEFAULT_DEALS, seed, confidence, workers, executor, progress)
        setting = read_setting(n_players, passes, roll, high_low, expected, options)
        players = seat_strategies(strategies, setting.n_players)
        check_policies(players, setting.n_players)
        line_ups = all_seats(range(setting.n_players))
        task = HandsTask(options.seed, setting.rules, players, line_ups, line_ups, expected)
        tally = measure_hands(task, options, BLOCK_SIZE)
        results = table_results(players, tally, options.confidence)
        parameters = setting.parameters(strategies=recorded(strategies, players))
        result = setting.answer("anaconda", tally, parameters, results, table_lines(results))
    return replace(result, timing=watch.as_dict())


@interruptible
def anaconda_tournament(
    n_players: int = 4,
    *,
    strategies: GivenStrategies = tuple(PRESETS),
    passes: str = "3L",
    roll: bool = True,
    high_low: bool = False,
    expected: str = "random",
    deals: int | None = None,
    seed: int | None = None,
    confidence: float = 0.95,
    workers: int | None = None,
    executor: Executor | None = None,
    progress: bool | None = None,
) -> Result:
    """Let every strategy play alone among players who all follow another one, for all pairs, on the same deals.

    Parameters
    ----------
    n_players : int
        2 to 7.
    strategies : str or sequence
        Two or more different ones.
    passes, roll, high_low, expected
        See `anaconda`.
    deals : int, optional
        Deals for every pair, each played from all seats; default 5,000.
    seed, confidence, workers, executor, progress
        See `guts_sim.threshold`.

    Returns
    -------
    Result
        ``results["rows"]``: ``strategy``, ``field`` (what all others play), ``net`` chips per hand with ``stderr`` and
        interval, exactly 0 among one's own kind. ``results["overall"]``: by strategy the mean over the other fields.

    Raises
    ------
    InputError
        An argument is not allowed.

    Examples
    --------
    >>> table = anaconda_tournament(3, strategies="tight,always-raise", deals=500, seed=1)
    >>> [(row["strategy"], row["field"]) for row in table.rows if row["net"] != 0]
    [('tight', 'always-raise'), ('always-raise', 'tight')]
    """
    with Stopwatch() as watch:
        options = read_run_options(deals, DEFAULT_TOURNAMENT_DEALS, seed, confidence, workers, executor, progress)
        setting = read_setting(n_players, passes, roll, high_low, expected, options)
        entrants = [read_anaconda_strategy(spec) for spec in list_strategies(strategies)]
        names = [strategy.name for strategy in entrants]
        if len(entrants) < 2 or len(set(names)) < len(names):
            raise InputError(f"strategies: at least two different ones are wanted, got {', '.join(names) or 'none'}")
        check_policies(entrants, setting.n_players)
        pairs = [(own, field) for own in range(len(entrants)) for field in range(len(entrants)) if own != field]
        line_ups, accounts = lone_players(pairs, setting.n_players)
        task = HandsTask(options.seed, setting.rules, entrants, line_ups, accounts, expected)
        tally = measure_hands(task, options, TOURNAMENT_BLOCK_SIZE)
        results = tournament_results(names, pairs, tally, setting.n_players, options.confidence)
        parameters = setting.parameters(strategies=recorded(strategies, entrants))
        result = setting.answer("anaconda tournament", tally, parameters, results, tournament_lines(results))
    return replace(result, timing=watch.as_dict())


@interruptible
def anaconda_orders(
    n_players: int = 4,
    *,
    strategies: GivenStrategies = "solid",
    passes: str = "3L",
    expected: str = "random",
    deals: int | None = None,
    seed: int | None = None,
    confidence: float = 0.95,
    workers: int | None = None,
    executor: Executor | None = None,
    progress: bool | None = None,
) -> Result:
    """What the order of reveal is worth: one player shows his cards in every order, on the same deals.

    Parameters
    ----------
    n_players : int
        2 to 7.
    strategies : str or sequence
        One for all, or one for each player; the first is the player whose order varies.
    passes, expected
        See `anaconda`.
    deals : int, optional
        Deals, each played from all seats; default 50,000.
    seed, confidence, workers, executor, progress
        See `guts_sim.threshold`.

    Returns
    -------
    Result
        ``results["rows"]``, order by order: ``net`` chips per hand with ``stderr`` and interval, and ``gain`` over
        showing the strongest card first (``honest``), paired on the same deals, with ``gain_stderr`` and interval.

    Raises
    ------
    InputError
        An argument is not allowed.

    Examples
    --------
    >>> [row["order"] for row in anaconda_orders(3, deals=500, seed=1).rows]
    ['last', 'hide', 'honest', 'random']
    """
    with Stopwatch() as watch:
        options = read_run_options(deals, DEFAULT_DEALS, seed, confidence, workers, executor, progress)
        setting = read_setting(n_players, passes, True, False, expected, options)
        players = seat_strategies(strategies, setting.n_players)
        check_policies(players, setting.n_players)
        heroes = [replace(players[0], order=order) for order in ORDERS]
        others = range(len(heroes), len(heroes) + setting.n_players - 1)
        line_ups = np.concatenate([all_seats([hero, *others]) for hero in range(len(heroes))])
        accounts = np.where(line_ups < len(heroes), line_ups, -1)
        task = HandsTask(options.seed, setting.rules, [*heroes, *players[1:]], line_ups, accounts, expected)
        tally = measure_hands(task, options, BLOCK_SIZE)
        results = order_results(players, tally, expected, options.confidence)
        parameters = setting.parameters(strategies=recorded(strategies, players))
        del parameters["roll"]
        result = setting.answer("anaconda orders", tally, parameters, results, order_lines(results))
    return replace(result, timing=watch.as_dict())
