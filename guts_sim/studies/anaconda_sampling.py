"""Blocks of whole Anaconda hands: every deal played by several line-ups."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from guts_sim.engine import run_blocks, run_key
from guts_sim.estimate import Estimate, normal
from guts_sim.games.anaconda import AnacondaRules
from guts_sim.games.anaconda_strategy import AnacondaStrategy
from guts_sim.kernels.anaconda_play_codes import AT_SHOWDOWN, WON
from guts_sim.studies.anaconda_beliefs import beliefs
from guts_sim.studies.anaconda_hands import HandKeys, Played, play_deals
from guts_sim.studies.measurement import RunOptions
from guts_sim.studies.passing import paired_stderr
from guts_sim.studies.passing_sampling import PURPOSE_CHOICES

IntArray = NDArray[np.int64]
PURPOSE_BETS = 9
DEALS_PER_BATCH = 1 << 10


def hand_keys(seed: int) -> HandKeys:
    """Keys of a seed."""
    return HandKeys(run_key(seed), run_key(seed, PURPOSE_CHOICES), run_key(seed, PURPOSE_BETS))


def all_seats(players: Sequence[int]) -> IntArray:
    """Line-ups in which the players move on by one seat each."""
    return np.array([np.roll(players, shift) for shift in range(len(players))], np.int64)


def lone_players(pairs: Sequence[tuple[int, int]], n_players: int) -> tuple[IntArray, IntArray]:
    """Line-ups in which one strategy sits in every seat among others who share another; accounts by pair."""
    line_ups = np.array(
        [np.roll([own] + [field] * (n_players - 1), s) for own, field in pairs for s in range(n_players)]
    )
    accounts = [np.roll([pair] + [-1] * (n_players - 1), s) for pair in range(len(pairs)) for s in range(n_players)]
    return line_ups.astype(np.int64), np.array(accounts, np.int64)


@dataclass(frozen=True, eq=False)
class HandsTask:
    """Play every deal with all line-ups and count the chips on *accounts*, over all line-ups of a deal.

    Attributes
    ----------
    seed : int
        Seed of the cards and of random decisions.
    rules : AnacondaRules
        The switches.
    strategies : sequence of AnacondaStrategy
        What is played.
    line_ups : int array, shape (line-up, seat)
        Which strategy sits where, from the dealer's left.
    accounts : int array, shape (line-up, seat)
        Whose account a seat plays for; below 0 for none.
    expected : str
        Order of reveal that the reading of exposed cards assumes.
    """

    seed: int
    rules: AnacondaRules
    strategies: Sequence[AnacondaStrategy]
    line_ups: IntArray
    accounts: IntArray
    expected: str = "random"

    def __call__(self, start: int, stop: int) -> "Tally":
        """Count deals ``start .. stop - 1``."""
        tally = Tally.empty(int(self.accounts.max()) + 1, self.accounts.shape[1])
        for first in range(start, stop, DEALS_PER_BATCH):
            tally.add(self.play(first, min(DEALS_PER_BATCH, stop - first)), self.accounts)
        return tally

    def play(self, first: int, n_deals: int, most_actions: int = 0) -> Played:
        """Play deals from number ``first`` on, recording up to ``most_actions`` actions per hand."""
        known = beliefs(self.rules.passes, self.expected)
        table = self.rules, self.strategies, self.line_ups
        return play_deals(hand_keys(self.seed), first, n_deals, *table, known, most_actions=most_actions)


@dataclass(eq=False)
class Tally:
    """Sums over deals.

    Attributes
    ----------
    n_deals : int
        Deals counted.
    net, squares : int array
        Chips by account, and sums over deals of products of the chips of two accounts.
    by_seat, seat_squares, hands : int array, shape (account, seat)
        Chips in a seat, their squares, and hands, hand by hand.
    showdowns, won_there, won_before : int array, shape (account,)
        Hands that came to the showdown, won or shared there, and won because all others folded.
    """

    n_deals: int
    net: IntArray
    squares: IntArray
    by_seat: IntArray
    seat_squares: IntArray
    hands: IntArray
    showdowns: IntArray
    won_there: IntArray
    won_before: IntArray

    @classmethod
    def empty(cls, n_accounts: int, n_seats: int) -> "Tally":
        """Return a tally of nothing."""
        per_seat = (n_accounts, n_seats)
        shapes = [(n_accounts,), (n_accounts, n_accounts), *[per_seat] * 3, *[(n_accounts,)] * 3]
        return cls(0, *(np.zeros(shape, np.int64) for shape in shapes))

    def add(self, played: Played, accounts: IntArray) -> None:
        """Take in hands."""
        self.n_deals += len(played.net)
        chips = np.zeros((len(played.net), len(self.net)), np.int64)
        for line_up, seat in np.argwhere(accounts >= 0).tolist():
            account = accounts[line_up, seat]
            net = played.net[:, line_up, seat].astype(np.int64)
            chips[:, account] += net
            self.by_seat[account, seat] += net.sum()
            self.seat_squares[account, seat] += net @ net
            self.hands[account, seat] += len(net)
            counts = np.bincount(played.flags[:, line_up, seat], minlength=4)
            self.showdowns[account] += counts[AT_SHOWDOWN] + counts[AT_SHOWDOWN + WON]
            self.won_there[account] += counts[AT_SHOWDOWN + WON]
            self.won_before[account] += counts[WON]
        self.net += chips.sum(axis=0)
        self.squares += chips.T @ chips

    def merge(self, other: "Tally") -> None:
        """Take in the counts of other deals."""
        self.n_deals += other.n_deals
        for name in _ARRAYS:
            getattr(self, name)[...] += getattr(other, name)

    def mean(self, weights: Sequence[int], hands_per_deal: int, confidence: float) -> Estimate:
        """Chips per hand of a weighted sum of accounts, of ``hands_per_deal`` hands on every deal.

        The hands of a deal share their cards; the standard error is that between deals.
        """
        w = np.array(weights, np.int64)
        total, squares = int(w @ self.net), int(w @ self.squares @ w)
        stderr = paired_stderr(total, squares, self.n_deals) / hands_per_deal
        return normal(total / (self.n_deals * hands_per_deal), stderr, self.n_deals, confidence)


_ARRAYS = ("net", "squares", "by_seat", "seat_squares", "hands", "showdowns", "won_there", "won_before")


def measure_hands(task: HandsTask, options: RunOptions, block_size: int) -> Tally:
    """Run a task on blocks of deals.

    Raises
    ------
    KeyboardInterrupt
        Stopped before there was anything to report.
    """
    tally = Tally.empty(int(task.accounts.max()) + 1, task.accounts.shape[1])
    run_blocks(
        task,
        options.n_deals,
        lambda _start, _stop, more: tally.merge(more),
        block_size=block_size,
        workers=options.workers,
        executor=options.executor,
        progress=options.progress,
    )
    if tally.n_deals == 0:
        raise KeyboardInterrupt
    return tally
