"""Rule sets in words."""

from typing import Any

from guts_sim.results import Result, counted_result, rule_word, wrapped_switches
from guts_sim.rules import PROFILES, GutsRules, get_rules
from guts_sim.studies.text import table

COMPARED = ("cards", "nobody_in", "ante", "cap", "reserve", "ante_every_round")


def rule_text(rules: GutsRules) -> list[tuple[str, str]]:
    """Return the rules of a game as (rule number, sentence); the numbers are those of docs/rules.md.

    Examples
    --------
    >>> rule_text(PROFILES["two-card"])[4]
    ('G8', 'Nobody in: the pot stays and cards are dealt again.')
    """
    return [
        ("G1", _deal_text(rules)),
        ("G2" if rules.cards == 2 and not rules.community else "G3", _ranking_text(rules)),
        ("G4", _TIES[rules.ties]),
        _declaration_text(rules),
        ("G8", f"Nobody in: {_NOBODY_IN[rules.nobody_in]}."),
        ("G9", f"One in: that player {_lone_text(rules)}."),
        ("G10", f"Several in: the best hand takes the pot; {_PAYS[rules.pays]}"),
        ("G11", "The pot is paid out first, then the payments are collected."),
        ("G12", _limits_text(rules)),
        *([("G13", "When no loser pays, the reserve refills the pot up to the cap.")] if rules.reserve else []),
        ("G14", _ante_text(rules)),
        *_variant_texts(rules),
    ]


_TIES = {
    "split": "Suits break no ties: tied best hands share the pot equally and none of them pays.",
    "suits": "Equal hands are parted by suit, spades > hearts > diamonds > clubs, on the highest card, or the best suit"
    " of the pair.",
}
_NOBODY_IN = {
    "hold": "the pot stays and cards are dealt again",
    "reante": "every player antes again",
    "weenie": "the best hand matches the pot, which stays",
}
_PAYS = {
    "all": "every other player who is in pays its amount, as it stood before, into the next pot.",
    "lowest": "only the lowest hand that is in pays its amount, as it stood before, into the next pot; tied lowest"
    " hands pay in full, each of them.",
}
_STAKES = {
    "table": "A payment is limited to the chips that the player has left; who has nothing when a cycle begins is out.",
    "eliminate": "Who cannot match in full pays what is left into the pot and is out; who cannot ante in full is out"
    " and keeps what is left.",
}
_GHOST = {
    "lone": "A player who is in alone must beat a ghost hand",
    "all": "A ghost hand takes part in every showdown, and a player who is in alone must beat it",
}


def _deal_text(rules: GutsRules) -> str:
    return (
        f"52 cards, 2 to 10 players, {rules.cards} cards each, dealt face down from the dealer's left; all cards"
        " are shuffled for every round and the deal passes to the left."
    )


def _declaration_text(rules: GutsRules) -> tuple[str, str]:
    if rules.declaration == "sequential":
        return "G6", "All declare in or out in turn, from the dealer's left, hearing those before."
    if rules.declaration == "blind":
        return "G7", "All declare in or out at the same time, without looking at their cards."
    return "G5", "All declare in or out at the same time, knowing their own cards only."


def _lone_text(rules: GutsRules) -> str:
    if rules.ghost == "none":
        return "takes the pot without showing cards and pays nothing"
    return "takes the pot and pays nothing if the hand beats the ghost (G20)"


def _ranking_text(rules: GutsRules) -> str:
    ranking = rules.showdown_ranking
    if ranking.name == "guts2":
        return (
            "Any pair beats any hand without a pair; pairs go by rank, other hands by the higher card, then the lower."
            " 91 classes."
        )
    order = " > ".join(reversed(ranking.categories))
    straights = " A-K-Q is the highest straight, 3-2-A the lowest." if rules.straights_flushes else ""
    return f"{order}.{straights} {ranking.n_classes} classes."


def _limits_text(rules: GutsRules) -> str:
    limit = "" if rules.match_limit is None else f" A match costs at most {rules.match_limit}."
    if rules.cap is None:
        return f"The pot has no cap.{limit}"
    if rules.reserve:
        return f"The next pot is at most {rules.cap}; what exceeds it goes to the reserve.{limit}"
    return f"The next pot is at most {rules.cap}; beyond that the losers' payments shrink equally.{limit}"


def _ante_text(rules: GutsRules) -> str:
    ante = "before every round" if rules.ante_every_round else "when a cycle begins"
    return f"Every player antes {rules.ante} {ante}; a cycle ends when pot and reserve are empty."


def _variant_texts(rules: GutsRules) -> list[tuple[str, str]]:
    """Sentences about switches that the base game does not have."""
    texts = []
    if rules.stakes != "credit":
        bankroll = "" if rules.bankroll is None else f" Every player brings {rules.bankroll} chips."
        texts.append(("G15", _STAKES[rules.stakes] + bankroll))
    if rules.community:
        best = "three" if rules.cards == 2 else "best three of four"
        texts.append(("G17", f"One common card is shown after the declarations; the {best} cards make the hand."))
    if rules.pass_left:
        texts.append(("G18", "Before the declarations each player passes one card to the left, all at the same time."))
    if rules.high_low:
        texts.append(
            (
                "G19",
                "A second pot is played for the lowest hand: ace low, no straights or flushes, pairs bad. Players"
                " declare for high, low or both; each pot has its own antes, matches, cap and reserve.",
            )
        )
    if rules.ghost != "none":
        tie = "a tie is a win for the player" if rules.ghost_tie == "player" else "a tie is a win for the ghost"
        lost = "Who loses to the ghost matches the pot, which stays."
        texts.append(("G20", f"{_GHOST[rules.ghost]}; {tie}. {lost}"))
    return texts


def list_rules() -> Result:
    """List the ready profiles with their main switches.

    Returns
    -------
    Result
        ``rows`` has one row per profile.

    Examples
    --------
    >>> [row["profile"] for row in list_rules().rows]
    ['two-card', 'home']
    """
    rows = [{"profile": name} | {s: getattr(rules, s) for s in COMPARED} for name, rules in PROFILES.items()]
    cells = [["none" if value is None else rule_word(value) for value in row.values()] for row in rows]
    lines = [*table(["profile", *COMPARED], cells), "", "home is played with 2 or 3 cards (--cards 3)."]
    return counted_result("rules", rules={}, parameters={}, results={"rows": rows}, rows=rows, lines=lines)


def show_rules(rules: str | GutsRules = "two-card", **switches: Any) -> Result:
    """Write out a complete rule set.

    Parameters
    ----------
    rules : str or GutsRules
        A profile name or a rule set.
    **switches
        Rule switches to change.

    Returns
    -------
    Result
        ``results`` maps each switch to its value; ``rows`` are (rule, text).

    Raises
    ------
    InputError
        Unknown profile or switch, or switches that do not fit together.

    Examples
    --------
    >>> show_rules("home", cap=50).results["text"]["G12"]
    "The next pot is at most 50; beyond that the losers' payments shrink equally."
    """
    chosen = get_rules(rules, **switches)
    rows = [{"rule": number, "text": text} for number, text in rule_text(chosen)]
    lines = [f"Guts, profile {chosen.profile}", ""]
    lines += [f"{row['rule']:<4} {row['text']}" for row in rows]
    if chosen.profile != "custom":  # rules of one's own are written out at the end of any summary
        lines += ["", *wrapped_switches("Switches", chosen.as_dict())]
    text = {row["rule"]: row["text"] for row in rows}
    return counted_result(
        "rules show", rules=chosen.as_dict(), parameters={}, results={"text": text}, rows=rows, lines=lines
    )
