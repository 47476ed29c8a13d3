"""Command about passing cards on."""

from typing import Any

import click

from guts_sim.checks import read_count
from guts_sim.cli.options import (
    Count,
    command,
    long_options,
    output_options,
    plot_option,
    profile_option,
    run_options,
    switch_options,
    take_long,
    take_rules,
    take_run,
)
from guts_sim.cli.output import check_outputs, emit
from guts_sim.errors import InputError

POLICY_HELP = (
    "What everybody else passes: lowest, keep-best, random, level-1 to level-4, equilibrium, or a .csv file of feature"
    " weights."
)


@command("pass")
@click.argument("hand", required=False)
@click.option("--game", metavar="anaconda|guts", help="Seven cards with passes of three, or Guts with a pass of one.")
@click.option("--players", type=Count(2, 10), default=4, show_default=True, help="Players; Anaconda: 2 to 7.")
@click.option("--policy", metavar="POLICY", help=f"{POLICY_HELP} [default: lowest]")
@click.option("--passes", metavar="LIST", default="3L", show_default=True, help="Anaconda: 3L or 3L,2R,1L or 3,2,1.")
@click.option("--folded", metavar="SEATS", help="Anaconda: seats that are out, to the left of yours, as in 1,3.")
@click.option("--dead", metavar="CARDS", help="Cards known to be out of play.")
@click.option("--chosen", metavar="CARDS", help="A pass of your own: what does it lose?")
@click.option("--field", metavar="SPEC", help="Guts: hands with which the others declare in. [default: equilibrium]")
@click.option("--tournament", is_flag=True, help="Instead: policies against each other, and what best replies gain.")
@click.option("--policies", metavar="LIST", help="With --tournament: which, as in lowest,level-1.")
@click.option("--hands", type=Count(2, 10**6), help="With --tournament: hands on which best replies are sought.")
@click.option("--after", is_flag=True, help="Instead: how often each kind of hand comes after passing.")
@click.option("--exposed", metavar="CARDS", help="Instead: final hand of an opponent who shows these cards.")
@click.option("--gave", metavar="CARDS", help="With --exposed: the three cards that you passed to him.")
@profile_option
@switch_options
@run_options
@long_options
@output_options
@plot_option
def passing(**options: Any) -> None:
    """What every pass of HAND is worth: Anaconda ("Qs Qh 9c 8d 3s 4h 2c") or Guts ("Qs Qh 9c")."""
    check_outputs(options)
    rules = take_rules(options)
    run = take_run(options)
    long = take_long(options)
    if run.pop("method") == "exact":
        raise InputError("--method: passes are measured by Monte Carlo only; allowed are auto and mc")
    modes = [mode for mode in ("hand", "tournament", "after", "exposed") if options[mode]]
    if len(modes) != 1:
        raise InputError("give one of HAND, --tournament, --after and --exposed; see guts-sim pass --help")
    _refuse_foreign(options | long, modes[0])
    if rules and options["game"] != "guts":
        raise InputError(f"--{next(iter(rules)).replace('_', '-')} is for --game guts")
    study = {"hand": _values, "tournament": _tournament, "after": _after, "exposed": _exposed}[modes[0]]
    emit(study(options, rules | run | long), options)


# Options that only some of the questions know.
_KNOWN_TO = {
    "game": ("hand",),
    "policy": ("hand", "after", "exposed"),
    "folded": ("hand",),
    "dead": ("hand", "exposed"),
    "chosen": ("hand",),
    "field": ("hand",),
    "policies": ("tournament",),
    "hands": ("tournament",),
    "gave": ("exposed",),
    "precision": ("hand",),
    "checkpoint": ("hand",),
}


def _refuse_foreign(options: dict[str, Any], mode: str) -> None:
    for name, modes in _KNOWN_TO.items():
        if options.get(name) is not None and mode not in modes:
            asked = "HAND" if mode == "hand" else f"--{mode}"
            raise InputError(f"--{name} does not go with {asked}")


def _values(options: dict[str, Any], arguments: dict[str, Any]) -> Any:
    from guts_sim.studies.passing import pass_values

    folded = [] if options["folded"] is None else options["folded"].split(",")
    return pass_values(
        options["hand"],
        game=options["game"] or "anaconda",
        n_players=options["players"],
        policy=options["policy"] or "lowest",
        passes=options["passes"],
        folded=[read_count(seat.strip(), "--folded", 1, options["players"] - 1) for seat in folded],
        dead=options["dead"] or (),
        chosen=options["chosen"],
        field=options["field"],
        **arguments,
    )


def _tournament(options: dict[str, Any], arguments: dict[str, Any]) -> Any:
    from guts_sim.studies.passing_tables import TOURNAMENT, pass_tournament

    wanted = options["policies"]
    names = TOURNAMENT if wanted is None else [name.strip() for name in wanted.split(",")]
    hands = {} if options["hands"] is None else {"hands": options["hands"]}
    return pass_tournament(options["players"], policies=names, passes=options["passes"], **hands, **arguments)


def _after(options: dict[str, Any], arguments: dict[str, Any]) -> Any:
    from guts_sim.studies.passing_tables import pass_hands

    policy = options["policy"] or "lowest"
    return pass_hands(options["players"], policy=policy, passes=options["passes"], **arguments)


def _exposed(options: dict[str, Any], arguments: dict[str, Any]) -> Any:
    from guts_sim.studies.passing_exposed import pass_exposed

    if options["passes"] != "3L":
        raise InputError("--passes: with --exposed only the single pass 3L is answered")
    return pass_exposed(
        options["exposed"],
        policy=options["policy"] or "lowest",
        n_players=options["players"],
        dead=options["dead"] or (),
        gave=options["gave"] or (),
        **arguments,
    )
