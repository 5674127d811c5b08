"""__TITLE__: players bid their cards for prizes that are turned over one by one."""
import agon_game

RULES = """# __TITLE__

1. Each of the players has the cards 1 to __CARDS__, and sees those of everyone. The prizes are worth 1 to __CARDS__ points and lie in a
   pile, shuffled and face down.
2. Each turn the top prize is turned over. All players bid one of their cards at the same time; what was bid is gone.
3. The highest bid takes the prize. Where several bid the highest, none of them does.
4. Whoever gives no legal answer in time bids the lowest card.
5. When the pile is empty, the most points win.
"""


class Match(agon_game.Match):
    """One match. self.seats, self.options and self.chance, its only chance, are there from the beginning."""

    def setup(self):
        cards = range(1, self.options["cards"] + 1)
        self.prizes = self.chance.sample(cards, len(cards))
        self.turn = 0
        self.hands = [list(cards) for _ in range(self.seats)]
        self.points = [0] * self.seats

    def due(self):
        """The seats that owe a move now: none exactly when there is an outcome."""
        return [] if self.turn == len(self.prizes) else list(range(self.seats))

    def view(self, seat):
        """What a seat may know: hidden information stops here. The prizes to come are hidden."""
        others = [(seat + i) % self.seats for i in range(1, self.seats)]
        return {
            "turn": self.turn,
            "prize": self.prizes[self.turn] if self.due() else 0,
            "hand": self.hands[seat],
            "points": self.points[seat],
            "others": [{"hand": self.hands[other], "points": self.points[other]} for other in others],
        }

    def legal(self, seat):
        """Texts, or a shape such as {"number": {"min": 0, "max": 100, "step": 0.01}}."""
        return [str(card) for card in self.hands[seat]]

    def play(self, moves):
        """By seat a text that is legal, None where it was not due, or {"fault": "timeout"}, which the game prices."""
        bids = [int(move) if isinstance(move, str) else min(hand) for move, hand in zip(moves, self.hands)]
        if bids.count(max(bids)) == 1:
            self.points[bids.index(max(bids))] += self.prizes[self.turn]
        for hand, bid in zip(self.hands, bids):
            hand.remove(bid)
        self.turn += 1

    def outcome(self):
        if self.due():
            return None
        place = [1 + sum(other > own for other in self.points) for own in self.points]
        return {"place": place, "reason": "all prizes taken", "tally": {"points": self.points}}

    def board(self):
        """The whole position as text, for replays."""
        prize = f"a prize of {self.prizes[self.turn]}" if self.due() else "all prizes are taken"
        rows = [f"seat {seat}: {self.points[seat]} points, cards {self.hands[seat]}" for seat in range(self.seats)]
        return "\n".join([prize, *rows])


agon_game.run(
    Match,
    id="__NAME__",
    version=1,  # raise it whenever a match that was played could be judged differently
    seats=(2, 4),
    options={"cards": __CARDS__},
    title="__TITLE__",
    rules=RULES,
)
