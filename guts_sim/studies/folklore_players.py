"""Rules of thumb about colluding players and loss limits: F7 and F9."""

from dataclasses import replace
from math import nan
from typing import Any

from guts_sim.estimate import Estimate
from guts_sim.exact.coalition import coalition_table
from guts_sim.exact.coalition_solution import at_equilibrium, solve_coalition
from guts_sim.rules import get_rules
from guts_sim.studies.coalition_cards import solve_cards
from guts_sim.studies.folklore_findings import PLAYERS, Finding, Judgement, known
from guts_sim.studies.measurement import RunOptions

MORE = 5  # what a few colluders win in a pot scatters widely
LIMIT, CYCLES, SEATS = 20, 40, 5
DEALS_PER_SESSION = 20
WORST = "0.05"
LOOSE = "top:36%"
FIELDS = {"A4+": "at the equilibrium", LOOSE: "twice as loose as the others"}


def judge_collusion(options: RunOptions) -> Judgement:
    """F7: two players who go in and out together can manipulate the pot."""
    findings = []
    words = "gain of each of 2 colluders (antes), others "
    for n in PLAYERS:
        if n < 3:
            continue
        table = coalition_table(n, 2)
        naive, best = at_equilibrium(table), solve_coalition(table)
        gain = -naive.value * table.n_honest / 2
        findings.append(Finding("F7", None, n, words + "at equilibrium", known(gain, options), gain > 1e-9))
        least = -best.value * table.n_honest / 2
        findings.append(Finding("F7", None, n, words + "at the best common threshold", known(least, options), None))
    rules = get_rules("two-card", cap=None, reserve=False)
    more = replace(options, n_deals=MORE * options.n_deals)
    for n in PLAYERS:
        if n < 3:
            continue
        answer, n_deals = solve_cards(n, 2, rules, False, "auto", more)
        naive = answer["equilibrium"]
        share = (n - 2) / 2
        with_cards = Estimate(
            0.0 - share * naive["value"],
            share * naive["stderr"],
            0.0 - share * naive["ci_high"],
            0.0 - share * naive["ci_low"],
            options.confidence,
            n_deals,
        )
        findings.append(Finding("F7", 2, n, words + "at equilibrium", with_cards, with_cards.ci_low > 0.0))
    wins, least = (one.estimate.value for one in findings if one.n_players == 4 and one.cards is None)
    return Judgement(
        "F7",
        "Two players who go in and out together can manipulate the pot.",
        "What two players win who agree on a plan, without seeing each other's cards, from others who keep to the"
        " equilibrium; it has to be above 0 beyond doubt.",
        findings,
        f"One goes in whatever he holds, the other plays tight. With continuous hands that wins each of them {wins:.3f}"
        f" antes per pot among four players, and {least:.4f} if the others answer with the best common threshold. With"
        " two cards blockers make the equilibrium looser, which leaves less to win, and nothing that can be told"
        " from 0 at larger tables.",
    )


def judge_loss_limit(options: RunOptions) -> Judgement:
    """F9: a personal loss limit; it bounds what is lost, and has its price."""
    findings = []
    nets: dict[tuple[str, bool], dict[str, Any]] = {}
    n = 0
    for field, words in FIELDS.items():
        for limited in (False, True):
            net, n = _net_of(field, limited, options)
            nets[field, limited] = net
            mean = Estimate(net["value"], net["stderr"], net["ci_low"], net["ci_high"], options.confidence, n)
            label = f"{words}, {f'stops {LIMIT} down' if limited else 'no limit'}"
            findings.append(Finding("F9", 2, SEATS, f"net chips per session: {label}", mean, None))
    for field, words in FIELDS.items():
        worst = [nets[field, limited]["quantiles"][WORST] for limited in (False, True)]
        saved = Estimate(float(worst[1] - worst[0]), nan, nan, nan, options.confidence, n)
        findings.append(
            Finding("F9", 2, SEATS, f"chips saved in the worst session of 20: {words}", saved, saved.value > 0)
        )
    fair, free = nets["A4+", True], nets["A4+", False]
    loose = [nets[LOOSE, limited]["value"] for limited in (False, True)]
    return Judgement(
        "F9",
        "Set a personal loss limit.",
        f"Sessions of {CYCLES} cycles of a player who sits out the rest when he is {LIMIT} chips down: the worst"
        " session in twenty has to become better.",
        findings,
        f"At the equilibrium the worst session in twenty goes from {free['quantiles'][WORST]} to"
        f" {fair['quantiles'][WORST]} chips, the standard deviation from {free['sd']:.1f} to {fair['sd']:.1f} and the"
        f" mean from {free['value']:+.2f} to {fair['value']:+.2f} (stderr {fair['stderr']:.2f}): a limit does not touch"
        " the odds of a fair game, but who walks away from a pot leaves his share of it. A player twice as loose as the"
        f" others loses {-loose[0]:.1f} chips without and {-loose[1]:.1f} with it, because he plays less.",
    )


def _net_of(field: str, limited: bool, options: RunOptions) -> tuple[dict[str, Any], int]:
    """Net balance of the first of five players, the others at the equilibrium, and the number of sessions."""
    from guts_sim.studies.session import session

    played = session(
        players={"first": field} | {f"other {seat}": "A4+" for seat in range(2, SEATS + 1)},
        loss_limits={"first": LIMIT} if limited else None,
        cycles=CYCLES,
        sessions=max(options.n_deals // DEALS_PER_SESSION, 1000),
        seed=options.seed,
        confidence=options.confidence,
        workers=options.workers,
        executor=options.executor,
        progress=options.progress,
    )
    return played.results["seats"][0]["net"], played.n
