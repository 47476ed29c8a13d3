"""Indian poker in plain Python, seat by seat, written from the rules and sharing nothing with the library."""

from fractions import Fraction


class Table:
    """One hand: contributions, who has folded, and who has answered the last bet or raise, all by seat."""

    def __init__(self, n_players, max_raises=1, fold_unbet=True):
        self.n = n_players
        self.max_raises, self.fold_unbet = max_raises, fold_unbet
        self.paid = [1] * n_players
        self.folded = [False] * n_players
        self.answered = [False] * n_players
        self.target, self.bets, self.turn = 1, 0, 0

    @property
    def over(self):
        active = [seat for seat in range(self.n) if not self.folded[seat]]
        return len(active) == 1 or all(self.answered[seat] for seat in active)

    def words(self):
        if self.over:
            return []
        owes = self.target > self.paid[self.turn]
        words = ["call"] if owes else ["check"]
        if owes or self.fold_unbet:
            words.append("fold")
        if self.bets == 0:
            words.append("bet")
        elif self.bets <= self.max_raises:
            words.append("raise")
        return words

    def do(self, word):
        assert word in self.words()
        seat = self.turn
        if word in ("bet", "raise"):
            self.bets += 1
            self.target += 1
            self.answered = [False] * self.n
        if word == "fold":
            self.folded[seat] = True
        else:
            self.paid[seat] = self.target
        self.answered[seat] = True
        if not self.over:
            self.turn = next(
                s % self.n
                for s in range(seat + 1, seat + 1 + self.n)
                if not self.folded[s % self.n] and not self.answered[s % self.n]
            )

    def net(self, ranks):
        """Net chips by seat; ``ranks`` may be None if one player is left."""
        active = [seat for seat in range(self.n) if not self.folded[seat]]
        if len(active) > 1:
            best = max(ranks[seat] for seat in active)
            active = [seat for seat in active if ranks[seat] == best]
        share = Fraction(sum(self.paid), len(active))
        return [share * (seat in active) - self.paid[seat] for seat in range(self.n)]


def play(words, n_players, **options):
    table = Table(n_players, **options)
    for word in words:
        table.do(word)
    return table


def all_histories(n_players, **options):
    """Every history, with its table."""
    waiting = [()]
    while waiting:
        words = waiting.pop()
        table = play(words, n_players, **options)
        yield words, table
        waiting.extend((*words, word) for word in table.words())
