"""The command ``indian``: Indian poker at the table, solved, and played in sessions."""

from typing import Any

import click

from guts_sim.cli.options import (
    MAX_CHIPS,
    MAX_DEALS,
    MAX_WORKERS,
    Confidence,
    Count,
    command,
    output_options,
    plot_option,
)
from guts_sim.cli.output import check_outputs, emit
from guts_sim.errors import InputError

_SWITCHES = ("max_raises", "fold_unbet", "ties", "best", "settlement", "declaration", "bankroll")
_RUN = ("seed", "workers")
MOST_PLAYERS_DRAWN = 3
# Options that only one of the three questions understands.
_ONLY = {
    "see": ("history", "strategy", "seat"),
    "solve": ("players", "deals", "target", "confidence"),
    "session": ("sessions", "log", "confidence"),
}


@command()
@click.option("--see", metavar="CARDS", help='The others\' cards in seat order, "K 9 4": odds and advice.')
@click.option("--history", metavar="ACTIONS", help='With --see: actions so far, "check bet". Default: you act first.')
@click.option(
    "--strategy",
    metavar="SPEC",
    help="With --see: what the others do, one for all or one each with commas; as in --session.",
)
@click.option("--seat", type=Count(1, 10), help="With --see: your seat, to check that the history leads to it.")
@click.option("--solve", is_flag=True, help="Solve the game for --players.")
@click.option("--players", type=Count(2, 10), help="With --solve: players at the table, 2 to 10. Default: 2.")
@click.option(
    "--deals", type=Count(2, MAX_DEALS), help="With --solve, 4 or more players: deals to measure NashConv on."
)
@click.option("--target", type=float, help="With --solve, 3 players: NashConv at which to stop. Default: 0.008.")
@click.option(
    "--session",
    metavar="SPECS",
    help="Play sessions, one strategy per player: equilibrium, thumb:Q, loose, bluff:30%, random, raise, call.",
)
@click.option("--sessions", type=Count(2, MAX_DEALS), help="With --session: how many. Default: 100,000.")
@click.option("--log", is_flag=True, help="With --session: write out the hands of the first session.")
@click.option("--max-raises", type=Count(0, 9), help="Raises that may follow the bet. Default: 1.")
@click.option("--fold-unbet/--no-fold-unbet", default=None, help="Whether one may fold when nothing is bet.")
@click.option("--ties", metavar="split|suits", help="Equal ranks share the pot, or the better suit wins.")
@click.option("--best", metavar="high|low", help="The highest or the lowest card wins.")
@click.option(
    "--settlement", metavar="betting|guts", help="A betting round, or in or out with losers matching the pot."
)
@click.option("--declaration", metavar="simultaneous|sequential", help="Guts settlement: at once, or in turn.")
@click.option("--bankroll", type=Count(1, MAX_CHIPS), help="Chips each player brings to a session. Default: 100.")
@click.option("--seed", type=Count(0, 2**128 - 1), help="Seed of sampled deals.")
@click.option("--confidence", type=Confidence(), help="Coverage of the intervals. Default: 0.95.")
@click.option(
    "--workers", type=Count(1, MAX_WORKERS), help="Threads. Default: one per processor. Never changes a result."
)
@click.option("--quiet", is_flag=True, help="No progress bar (there is one only on a terminal).")
@output_options
@plot_option
def indian(**options: Any) -> None:
    """Indian poker: everybody sees all cards but the own one.

    Give one of --see (odds and advice at the table), --solve (equilibrium) and --session (play).
    """
    question = _question(options)
    check_outputs(options)
    names = (*_ONLY[question], *_SWITCHES, *_RUN)
    arguments = {name: options[name] for name in names if options[name] not in (None, False)}
    if options["fold_unbet"] is False:
        arguments["fold_unbet"] = False
    arguments["progress"] = False if options["quiet"] else None
    if question == "see":
        from guts_sim.studies.indian import indian as at_the_table

        emit(at_the_table(options["see"], **arguments), options)
    elif question == "solve":
        from guts_sim.studies.indian_solve import indian_solve

        players = arguments.pop("players", 2)
        if options["plot"] is not None and players > MOST_PLAYERS_DRAWN:  # said before a long run
            raise InputError(f"--plot draws solutions of up to {MOST_PLAYERS_DRAWN} players; use --format csv")
        if options["plot"] is not None and players == MOST_PLAYERS_DRAWN and options["ties"] == "suits":
            raise InputError(f"--plot draws solutions of {MOST_PLAYERS_DRAWN} players with ties split only")
        emit(indian_solve(players, **arguments), options)
    else:
        from guts_sim.studies.indian_session import indian_session

        emit(indian_session(options["session"], **arguments), options)


def _question(options: dict[str, Any]) -> str:
    """Which of the three questions is asked; options of another one are refused by name."""
    asked = [name for name in _ONLY if options[name] not in (None, False)]
    if len(asked) != 1:
        raise InputError("indian: give exactly one of --see, --solve and --session")
    others = {name for question, names in _ONLY.items() if question != asked[0] for name in names}
    for name in sorted(others - set(_ONLY[asked[0]])):
        if options[name] not in (None, False):
            owners = " or ".join(f"--{question}" for question, names in _ONLY.items() if name in names)
            raise InputError(f"--{name.replace('_', '-')} goes with {owners}, not with --{asked[0]}")
    return asked[0]
