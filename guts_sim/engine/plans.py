"""From players' strategies and the rules to what the kernels that play whole sessions take."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from guts_sim.errors import InputError
from guts_sim.hands import Ranking, get_ranking, guts_table
from guts_sim.kernels import play_codes as codes
from guts_sim.kernels.rule_codes import CREDIT, RULE_STAKES, TABLE
from guts_sim.kernels.units import SUBUNITS
from guts_sim.rules import GutsRules
from guts_sim.settlement import encode_rules
from guts_sim.strategy import AnyPlan, Plan, Strategy, as_plan

ALWAYS = 1 << 31
PASS_POLICIES = ("lowest", "keep-best")
_PASS_CODES = {"lowest": codes.PASS_LOWEST, "keep-best": codes.PASS_KEEP_BEST}
Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class EncodedTable:
    """Rules and decisions of a table, as `guts_sim.kernels.session.play_sessions` reads them.

    Attributes
    ----------
    n_players : int
        Players at the table.
    play : int64 array
        See `guts_sim.kernels.play_codes`; the length of a session is left open.
    own_tables, show_tables : uint16 arrays, shape (pot, table index)
        Classes of hands as players see them, and at the showdown.
    thresholds : uint32 array, shape (row, class)
        Entry probabilities in units of 2**-31.
    rows : int64 array, shape (pot, player, band, place, heard)
        Row of ``thresholds`` by which a player decides.
    bounds : int64 array, shape (bound,)
        Pots at which a new band begins, in sub-units.
    rules : int64 array
        See `guts_sim.kernels.rule_codes`.
    """

    n_players: int
    play: Ints
    own_tables: NDArray[np.uint16]
    show_tables: NDArray[np.uint16]
    thresholds: NDArray[np.uint32]
    rows: Ints
    bounds: Ints
    rules: Ints


def low_ranking(rules: GutsRules) -> Ranking:
    """How players rank their own cards for the low pot, without any community card."""
    return get_ranking(f"low{rules.cards}")


def check_plan(strategy: AnyPlan, rules: GutsRules) -> None:
    """Refuse a strategy that looks at what the rules do not show, or that leaves a decision open.

    Raises
    ------
    InputError
        The message names the strategy and the switch.
    """
    plan = as_plan(strategy)
    if plan.ranking != rules.ranking:
        raise InputError(f"strategy {plan.spec}: its hands are ranked by {plan.ranking}, the rules by {rules.ranking}")
    hears = [name for name in plan.looks_at if name != "pot"]
    if hears and rules.declaration != "sequential":
        raise InputError(
            f"strategy {plan.spec}: it looks at {' and '.join(hears)}, but with declaration {rules.declaration}"
            " nobody declares before others; choose declaration sequential"
        )
    if rules.declaration == "blind" and not plan.is_blind:
        raise InputError(
            f"strategy {plan.spec}: it looks at the cards, but the declaration is blind; give always, never or"
            " blind:30%"
        )
    if rules.high_low and not plan.has_low:
        raise InputError(f"strategy {plan.spec}: high_low needs a play for the low pot as well, as in A4+/72+")
    if plan.has_low and not rules.high_low:
        raise InputError(f"strategy {plan.spec}: it plays for a low pot; choose high_low or a strategy without")


def encode_table(strategies: Sequence[AnyPlan], rules: GutsRules, pass_policy: str = "keep-best") -> EncodedTable:
    """Lay out rules and strategies, which `check_plan` has accepted, for the kernel.

    Parameters
    ----------
    strategies : sequence of Strategy or Plan
        One per player.
    rules : GutsRules
        Any rule set.
    pass_policy : {"lowest", "keep-best"}
        Which card is passed to the left, where the rules have everybody pass one: the lowest, or the one without
        which the best hand is left.
    """
    plans = [as_plan(strategy) for strategy in strategies]
    in_turn = rules.declaration == "sequential"
    play = np.zeros(codes.N_PLAY, np.int64)
    play[codes.PLAY_HAND_SIZE] = rules.cards
    play[codes.PLAY_POTS] = rules.n_pots
    play[codes.PLAY_COMMUNITY] = rules.community
    play[codes.PLAY_GHOSTS] = rules.ghost != "none"
    play[codes.PLAY_PASS] = _PASS_CODES[pass_policy] if rules.pass_left else codes.NO_PASS
    play[codes.PLAY_SEQUENTIAL] = in_turn
    play[codes.PLAY_BY_SUIT] = rules.ties == "suits"
    play[codes.PLAY_STRAIGHTS] = rules.straights_flushes
    if rules.bankroll is not None:
        play[codes.PLAY_STACK] = rules.bankroll * SUBUNITS
    chips = _band_limits(plans)
    thresholds, rows = _decisions(plans, rules.n_pots, [0, *chips], len(plans) if in_turn else 1)
    own, shown = [rules.ranking, low_ranking(rules)], [rules.showdown_ranking, rules.low_ranking]
    return EncodedTable(
        len(plans),
        play,
        np.stack([guts_table(ranking) for ranking in own[: rules.n_pots]]),
        np.stack([guts_table(ranking) for ranking in shown[: rules.n_pots]]),
        thresholds,
        rows,
        np.array(chips, np.int64) * SUBUNITS,
        encode_rules(rules),
    )


def _band_limits(plans: Sequence[Plan]) -> list[int]:
    """Pots in chips at which some strategy may change, ascending."""
    spans = [case.pot for plan in plans for case in plan.cases if case.pot is not None]
    limits = {span.low for span in spans} | {span.high + 1 for span in spans if span.high is not None}
    return sorted(limits - {0})


def _decisions(
    plans: Sequence[Plan], n_pots: int, pots: Sequence[int], n_places: int
) -> tuple[NDArray[np.uint32], Ints]:
    """Thresholds of all strategies, each once, and which of them a player uses when."""
    numbers: dict[bytes, int] = {}
    found: list[NDArray[np.uint32]] = []

    def row_of(strategy: Strategy) -> int:
        thresholds = np.rint(strategy.entry * ALWAYS).astype(np.uint32)
        key = thresholds.tobytes()
        if key not in numbers:
            numbers[key] = len(found)
            found.append(thresholds)
        return numbers[key]

    rows = np.zeros((n_pots, len(plans), len(pots), n_places, n_places), np.int64)
    for player, plan in enumerate(plans):
        plays = [[row_of(side) for side in (case.play, case.low)[:n_pots] if side is not None] for case in plan.cases]
        for band, place, heard in np.ndindex(*rows.shape[2:]):
            situation = {"pot": pots[band], "position": place + 1, "heard": heard, "n_players": len(plans)}
            chosen = next(n for n, case in enumerate(plan.cases) if case.applies(**situation))
            rows[:, player, band, place, heard] = plays[chosen]
    thresholds = np.zeros((len(found), max(row.size for row in found)), np.uint32)
    for number, row in enumerate(found):
        thresholds[number, : row.size] = row
    return thresholds, rows


def one_pot(table: EncodedTable, pot: int) -> EncodedTable:
    """Return the table at which that pot (0 the high one) is played alone."""
    play = table.play.copy()
    play[codes.PLAY_POTS] = 1
    part = slice(pot, pot + 1)
    return replace(
        table,
        play=play,
        own_tables=table.own_tables[part],
        show_tables=table.show_tables[part],
        rows=np.ascontiguousarray(table.rows[part]),
    )


@dataclass(frozen=True, eq=False)
class PlayedBlock:
    """Sessions as the kernel recorded them; see `guts_sim.kernels.session.play_sessions`."""

    records: Ints
    nets: Ints
    fates: Ints
    orders: Ints


def play_block(
    table: EncodedTable,
    key: np.uint64,
    entry_key: np.uint64,
    start: int,
    stop: int,
    *,
    cycles: int,
    rounds: int,
    share_left: bool = False,
    loss_limits: Ints | None = None,
) -> PlayedBlock:
    """Play the sessions ``start .. stop - 1``, each of so many cycles (0: any number) and at most so many rounds.

    ``share_left``: whether chips left at the end are divided among the players. ``loss_limits``: in sub-units, 0
    for none.
    """
    from guts_sim.kernels.session import play_sessions

    n_players = table.n_players
    play, rules = table.play.copy(), table.rules.copy()
    play[codes.PLAY_CYCLES], play[codes.PLAY_ROUNDS], play[codes.PLAY_SHARE_LEFT] = cycles, rounds, share_left
    limits = np.zeros(n_players, np.int64) if loss_limits is None else loss_limits
    if limits.any() and rules[RULE_STAKES] == CREDIT:
        # Who may leave has a place that can be empty, which credit knows nothing of.
        rules[RULE_STAKES], play[codes.PLAY_STACK] = TABLE, codes.ENDLESS
    shape = (stop - start, n_players)
    block = PlayedBlock(
        np.empty((stop - start, codes.N_SESSION_COLUMNS), np.int64), *(np.empty(shape, np.int64) for _ in range(3))
    )
    play_sessions(
        key,
        entry_key,
        np.uint64(start),
        play,
        table.own_tables,
        table.show_tables,
        table.thresholds,
        table.rows,
        table.bounds,
        rules,
        limits,
        block.records,
        block.nets,
        block.fates,
        block.orders,
    )
    return block
