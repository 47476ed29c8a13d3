"""From the counts of played sessions to the plain results of `session`."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from guts_sim.estimate import Estimate, mean_of_counts, wilson
from guts_sim.rules import GutsRules
from guts_sim.studies.seats import Seat, groups_of
from guts_sim.studies.session_sampling import AHEAD, RUINED, SHARED, STOPPED, WON, SessionTally, SessionTask

QUANTILES = (0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99)


def session_answers(
    tally: SessionTally,
    seats: Sequence[Seat],
    rules: GutsRules,
    task: SessionTask,
    parameters: Mapping[str, Any],
    confidence: float,
) -> dict[str, Any]:
    """Results of a session study; numbers that do not exist are None, and ``notes`` says why."""
    n_full, n_limited, n_outgrown = map(int, tally.statuses)
    answers: dict[str, Any] = {
        "n_players": len(seats),
        "cards": rules.cards,
        "ends": {"played_to_the_end": n_full, "round_limit": n_limited, "outgrown": n_outgrown},
        "rounds": None,
        "cycles": None,
        "seats": [],
        "strategies": [],
        "declaration_order": None,
        "notes": _notes(rules, parameters, n_limited, n_outgrown, tally.n),
    }
    if n_outgrown == 0:
        answers["rounds"] = tally.mean_rounds(confidence).as_dict()
        answers["cycles"] = tally.mean_cycles(confidence).as_dict()
    counting = _Counting(tally, rules, task, confidence, n_outgrown == 0)
    for number, seat in enumerate(seats):
        head = {"seat": number, "name": seat.name, "strategy": seat.spec}
        answers["seats"].append(head | counting.fortunes(number, [number]))
    for number, members in enumerate(groups_of(seats)):
        head = {"strategy": seats[members[0]].spec, "players": len(members), "seats": members}
        answers["strategies"].append(head | counting.fortunes(len(seats) + number, members))
    everybody_stays = rules.stakes == "credit" and not task.loss_limits.any()
    if rules.declaration == "sequential" and everybody_stays and n_outgrown == 0:
        answers["declaration_order"] = [
            {"place": place + 1} | tally.value_of_place(place, confidence).as_dict() for place in range(len(seats))
        ]
    return answers


class _Counting:
    """Turns the counts of a group of players into numbers with intervals."""

    def __init__(
        self, tally: SessionTally, rules: GutsRules, task: SessionTask, confidence: float, all_counted: bool
    ) -> None:
        self.tally = tally
        self.rules = rules
        self.task = task
        self.confidence = confidence
        self.all_counted = all_counted

    def fortunes(self, group: int, members: Sequence[int]) -> dict[str, Any]:
        """Balance and probabilities of one group."""
        names = ("net", "p_ahead", "p_ruin", "p_stopped", "p_win", "p_shared_win")
        if not self.all_counted:
            return dict.fromkeys(names)
        tally, size = self.tally, len(members)
        net: dict[str, Any] = tally.net(group, size, self.confidence).as_dict() | {"sd": tally.spread(members)}
        net["quantiles"] = {f"{q:g}": tally.quantile(members, q) for q in QUANTILES}
        can_be_ruined = self.rules.stakes != "credit"
        may_stop = any(self.task.loss_limits[member] > 0 for member in members)
        return {
            "net": net,
            "p_ahead": self._share(group, AHEAD, size).as_dict(),
            "p_ruin": self._share(group, RUINED, size).as_dict() if can_be_ruined else None,
            "p_stopped": self._share(group, STOPPED, size).as_dict() if may_stop else None,
            "p_win": self._any(group, WON).as_dict(),
            "p_shared_win": self._any(group, SHARED).as_dict(),
        }

    def _share(self, group: int, column: int, size: int) -> Estimate:
        """Probability for a member, averaged over the members, who are not independent of each other."""
        counts = self.tally.counts[group, column]
        if size == 1:
            return self._any(group, column)
        return mean_of_counts(np.arange(counts.size) / size, counts, self.confidence)

    def _any(self, group: int, column: int) -> Estimate:
        """Probability for at least one member."""
        counts = self.tally.counts[group, column]
        return wilson(int(counts[1:].sum()), int(counts.sum()), self.confidence)


def _notes(
    rules: GutsRules, parameters: Mapping[str, Any], n_limited: int, n_outgrown: int, n_sessions: int
) -> list[str]:
    notes = []
    if n_outgrown:
        notes.append(
            f"{n_outgrown:,} of {n_sessions:,} sessions were stopped because an amount outgrew 64-bit integers:"
            " expected stakes grow from round to round, and means say nothing. Give a cap, a match limit, bankrolls or"
            " fewer rounds."
        )
    if n_limited and parameters["rounds"] is None:
        shared = "shared" if parameters["leftover"] == "share" else "left on the table"
        notes.append(
            f"{n_limited:,} of {n_sessions:,} sessions were ended after {parameters['round_limit']:,} rounds, and what"
            f" lay on the table was {shared}."
        )
    if parameters["leftover"] == "leave":
        notes.append("Chips left on the table belong to nobody, so that balances add up to less than 0.")
    if rules.high_low:
        notes.append("Cycles of the high and of the low pot are counted together.")
    notes.append("Quantiles are in whole chips, rounded down; beyond 1,024 chips to the end of a bin 0.2 % wide.")
    return notes


def group_rows(results: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Table of the seats, then of the strategies that several seats play."""
    groups = [("seat", seat["name"], seat) for seat in results["seats"]]
    groups += [("strategy", group["strategy"], group) for group in results["strategies"] if group["players"] > 1]
    return [_row(kind, name, group) for kind, name, group in groups]


def _row(kind: str, name: str, group: Mapping[str, Any]) -> dict[str, Any]:
    net = group["net"] or {}
    quantiles = net.get("quantiles", {})
    row: dict[str, Any] = {"kind": kind, "name": name, "strategy": group["strategy"], "net": net.get("value")}
    row |= {part: net.get(part) for part in ("stderr", "ci_low", "ci_high", "sd")}
    row |= {f"q{100 * q:g}": quantiles.get(f"{q:g}") for q in QUANTILES}
    for chance in ("p_ahead", "p_ruin", "p_stopped", "p_win", "p_shared_win"):
        estimate = group[chance] or {}
        row[chance] = estimate.get("value")
        row |= {f"{chance}_{part}": estimate.get(part) for part in ("ci_low", "ci_high")}
    return row
