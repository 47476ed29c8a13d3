"""Sessions of Indian poker: one rotation of dealers, again and again, with any strategies at the table."""

from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from guts_sim.cards import format_card
from guts_sim.checks import check_count
from guts_sim.engine import MAX_DEALS, PURPOSE_DEALS, PURPOSE_ENTRY, deal, resolve_seed, run_blocks, run_key
from guts_sim.engine.one_card import deal_strengths, strengths_of
from guts_sim.errors import InputError
from guts_sim.estimate import check_confidence, normal
from guts_sim.games.betting import FOLD, RAISE, STAY, action_name, next_order
from guts_sim.games.card_game import share_of_pot
from guts_sim.games.indian import IndianRules, read_rules
from guts_sim.games.walk import Walk, walk_of
from guts_sim.interruption import interruptible
from guts_sim.kernels.units import SUBUNITS
from guts_sim.provenance import Stopwatch
from guts_sim.results import Result, Row
from guts_sim.studies.indian_strategies import SolveOptions, check_strategy, tables_of
from guts_sim.studies.text import table

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
DEFAULT_SESSIONS = 100_000
SESSIONS_PER_BLOCK = 1 << 13
DECISIONS_PER_HAND = 128  # random words per hand, as in the kernel


@dataclass(frozen=True, eq=False)
class SessionTask:
    """Play the sessions ``start .. stop - 1`` of a run; can be sent to other processes."""

    walk: Walk
    key: np.uint64
    entry_key: np.uint64
    strategies: Floats
    who: tuple[int, ...]

    def __call__(self, start: int, stop: int) -> tuple[Ints, Ints]:
        """Sums by player and by (player, seat); see `guts_sim.kernels.indian_play.play_sessions`."""
        from guts_sim.kernels.indian_play import play_sessions

        walk, n = self.walk, self.walk.n_players
        cards = deal_strengths(walk, self.key, start * n, (stop - start) * n).reshape(stop - start, n, n)
        players, positions = np.zeros((n, 3), np.int64), np.zeros((n, n, 2), np.int64)
        play_sessions(
            self.entry_key,
            np.uint64(start),
            cards,
            self.strategies,
            np.array(self.who, np.int64),
            walk.moves,
            walk.nodes,
            walk.deck,
            players,
            positions,
        )
        return players, positions


@interruptible
def indian_session(
    strategies: str | Sequence[str],
    *,
    sessions: int = DEFAULT_SESSIONS,
    rules: IndianRules | None = None,
    log: bool = False,
    seed: int | None = None,
    confidence: float = 0.95,
    workers: int | None = None,
    executor: Executor | None = None,
    progress: bool | None = None,
    **switches: Any,
) -> Result:
    """Play sessions of Indian poker: everybody brings 100 chips and deals once; the highest balance wins.

    Parameters
    ----------
    strategies : str or sequence of str
        One for each player, with commas in text; player 1 deals first. See `guts_sim.indian`.
    sessions : int
        How many sessions.
    rules : IndianRules, optional
        The rules; single switches can be given by name.
    log : bool
        Also write out every hand of the first session.
    seed, confidence, workers, executor, progress
        See `guts_sim.threshold`.
    **switches
        See `guts_sim.IndianRules`.

    Returns
    -------
    Result
        ``results["players"]`` (also the table): net chips per session with standard error and interval, and the
        share of sessions won, by player; ``results["seats"]``: net chips per hand by player and seat.

    Raises
    ------
    InputError
        An argument is not allowed, or the bankroll does not cover a session.

    Examples
    --------
    >>> result = indian_session("call, call, call", sessions=1000, seed=1)
    >>> sum(player["net_exact"] for player in result.results["players"])
    0
    """
    with Stopwatch() as watch:
        rules = read_rules(rules, switches)
        given = strategies.split(",") if isinstance(strategies, str) else list(strategies)
        specs = [check_strategy(spec) for spec in given]
        n_players = rules.check_players(len(specs))
        sessions = check_count(sessions, "sessions", 2, MAX_DEALS // n_players)
        confidence = check_confidence(confidence)
        if rules.bankroll < n_players * rules.most_paid:
            raise InputError(
                f"bankroll: {n_players} hands can cost {n_players * rules.most_paid} chips; bring at least that many"
            )
        options = SolveOptions(seed=resolve_seed(seed), workers=workers, executor=executor, progress=progress)
        walk = walk_of(n_players, rules)
        tables, who = tables_of(specs, walk, options)
        task = SessionTask(
            walk, run_key(options.seed, PURPOSE_DEALS), run_key(options.seed, PURPOSE_ENTRY), tables, who
        )
        players, positions, n_done = _play(task, sessions, options)
        result = _answer(task, specs, players, positions, n_done, sessions, options.seed, confidence, log)
    return replace(result, timing=watch.as_dict())


def _play(task: SessionTask, sessions: int, options: SolveOptions) -> tuple[Ints, Ints, int]:
    """Sums over all sessions, and how many were played."""
    n = task.walk.n_players
    # Python integers: squares of many sessions would not fit into 64 bits.
    players, positions = np.zeros((n, 3), object), np.zeros((n, n, 2), object)

    def add(_start: int, _stop: int, parts: tuple[Ints, Ints]) -> None:
        nonlocal players, positions
        players = players + parts[0].astype(object)
        positions = positions + parts[1].astype(object)

    status = run_blocks(
        task,
        sessions,
        add,
        block_size=SESSIONS_PER_BLOCK,
        workers=options.workers,
        executor=options.executor,
        progress=options.progress,
    )
    if status.n_done < 2:
        raise KeyboardInterrupt
    return players, positions, status.n_done


def _answer(
    task: SessionTask,
    specs: list[str],
    players: Ints,
    positions: Ints,
    n: int,
    sessions: int,
    seed: int,
    confidence: float,
    log: bool,
) -> Result:
    rules = task.walk.rules
    rows = [
        {"player": i + 1, "strategy": spec}
        | _net(players[i, 0], players[i, 1], n, confidence)
        | {"net_exact": _exact(players[i, 0]), "sessions_won": int(players[i, 2]) / SUBUNITS / n}
        for i, spec in enumerate(specs)
    ]
    seats: list[Row] = [
        {"player": i + 1, "strategy": spec, "seat": seat + 1}
        | _net(positions[i, seat, 0], positions[i, seat, 1], n, confidence)
        for i, spec in enumerate(specs)
        for seat in range(len(specs))
    ]
    results: dict[str, Any] = {"n_players": len(specs), "sessions": n, "players": rows, "seats": seats}
    lines = _lines(results, rules)
    if log:
        results["log"] = [line for hand in range(len(specs)) for line in hand_log(task, seed, hand, specs)]
        lines += ["", *results["log"]]
    return Result(
        command="indian session",
        rules=rules.as_dict(),
        parameters={"strategies": specs, "sessions": sessions, "log": log},
        method="mc",
        n=n * len(specs),
        seed=seed,
        confidence=confidence,
        complete=n == sessions,
        results=results,
        rows=rows,
        lines=lines,
    )


def _exact(units: int) -> int | str:
    """Chips as a whole number, or as a fraction in text."""
    chips = Fraction(int(units), SUBUNITS)
    return int(chips) if chips.denominator == 1 else str(chips)


def _net(total: int, squares: int, n: int, confidence: float) -> dict[str, float]:
    """Mean with its standard error and interval, from sums in 1/2520 chip."""
    mean = Fraction(int(total), n)
    variance = (Fraction(int(squares)) - n * mean * mean) / (n - 1)
    estimate = normal(float(mean) / SUBUNITS, float(variance / n) ** 0.5 / SUBUNITS, n, confidence)
    return {
        "net": estimate.value,
        "stderr": estimate.stderr,
        "ci_low": estimate.ci_low,
        "ci_high": estimate.ci_high,
    }


def _lines(results: dict[str, Any], rules: IndianRules) -> list[str]:
    n = results["n_players"]
    lines = [
        f"Indian poker, {n} players, {results['sessions']:,} sessions of {n} hands, {rules.bankroll} chips each",
        "",
    ]
    cells = [
        [
            row["player"],
            row["strategy"],
            f"{row['net']:+.4f}",
            f"{row['stderr']:.4f}",
            f"{row['ci_low']:+.4f} to {row['ci_high']:+.4f}",
            f"{100 * row['sessions_won']:.2f} %",
        ]
        for row in results["players"]
    ]
    lines += table(["player", "strategy", "net per session", "stderr", "interval", "sessions won"], cells)
    lines += ["", "Net chips per hand by seat (1 acts first, the dealer last):", ""]
    by_player = [results["seats"][i * n : (i + 1) * n] for i in range(n)]
    cells = [[i + 1, rows[0]["strategy"], *(f"{row['net']:+.3f}" for row in rows)] for i, rows in enumerate(by_player)]
    return lines + table(["player", "strategy", *map(str, range(1, n + 1))], cells)


def hand_log(task: SessionTask, seed: int, hand: int, specs: Sequence[str]) -> list[str]:
    """Write out one hand of a run, played by the plain rules with the decisions that the kernel draws."""
    from guts_sim.kernels.rand import fill_words

    walk = task.walk
    n, limits = walk.n_players, walk.rules.limits
    dealer = hand % n
    cards = deal(1, n, 1, seed=seed, first=hand)[0, :, 0]
    strengths = [int(strength) for strength in strengths_of(walk, cards)]
    words = np.empty(DECISIONS_PER_HAND, np.uint64)
    fill_words(task.entry_key, np.uint64(hand * DECISIONS_PER_HAND), words)
    names = [f"player {(dealer + 1 + seat) % n + 1}" for seat in range(n)]
    dealt = ", ".join(f"{name} {format_card(int(card))}" for name, card in zip(names, cards))
    lines = [f"Hand {hand + 1}: player {dealer + 1} deals. {dealt}. Pot {n * limits.ante}."]
    order, node, paid, n_decided = tuple(range(n)), 0, [limits.ante] * n, 0
    while node < walk.table.n_decisions:
        seat, state = order[0], walk.table.states[node]
        table_of_player = task.strategies[task.who[(dealer + 1 + seat) % n]]
        probs = table_of_player[node, walk.view_of(strengths, order, node)]
        action = _drawn(probs, int(words[n_decided]))
        chips = int(walk.moves[node, action, 1])
        paid[seat] += chips
        verb = {"fold": "folds", "check": "checks", "call": "calls", "bet": "bets", "raise": "raises, paying"}
        said = verb[action_name(state, action)] + (f" {chips}" if chips else "")
        lines.append(f"  {names[seat]} {said}")
        order, node, n_decided = next_order(order, action), int(walk.moves[node, action, 0]), n_decided + 1
    pot = walk.table.states[node].pot
    shares = share_of_pot(strengths, order)
    winners = " and ".join(names[seat] for seat in sorted(order) if shares[seat])
    how = "without showing" if len(order) == 1 else "at the showdown"
    nets = [Fraction(pot * share, SUBUNITS) - cost for share, cost in zip(shares, paid)]
    takes = "takes" if sum(map(bool, shares)) == 1 else "share"
    lines.append(f"  {winners} {takes} the pot of {pot} {how}")
    lines.append("  net: " + ", ".join(f"{name} {_signed(net)}" for name, net in zip(names, nets)))
    return lines


def _signed(net: Fraction) -> str:
    return f"{'+' if net > 0 else ''}{net}"


def _drawn(probs: Floats, word: int) -> int:
    """The action that a random word chooses, as the kernel does."""
    uniform = (word >> 11) / 2**53
    if uniform < probs[FOLD]:
        return FOLD
    return RAISE if uniform >= 1.0 - probs[RAISE] else STAY
