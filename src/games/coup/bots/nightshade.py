"""Nightshade: assassinates whenever it has three coins, with an Assassin or without, and always finds a Contessa of its own."""
import sys

GIVEN_UP = dict(zip("~^*!$", "_'<=0"))
TASTE = "^$!*~"


def choose(line, mine, cards, legal):
    hand = sorted(cards, key=TASTE.index)
    if line == "":
        wanted = ["A", "C", "T" if "$" in cards else "F", "I\n", "C"]
    elif line[-1] in "dacs":
        # A block is doubted only by one who has the blocker's card twice, or little to lose.
        blocker = {"d": "$", "a": "~", "c": "*", "s": "!"}[line[-1]]
        wanted = ["q" if cards.count(blocker) == 2 else "\n"]
    else:
        wanted = ["s", "d" if "$" in cards else "p"]
        wanted += [block for block, card in (("c", "*"), ("a", "~")) if card in cards]
        wanted += ["p", "\n", *"~^*!$"]
        wanted += [sign + end for card in reversed(hand) for sign in GIVEN_UP[card] for end in ("", "\n")]
    return next(move for move in wanted if move in legal)


def main():
    path, _, mine, cards, *legal = sys.argv[1:]
    with open(path) as game:
        line = game.read().rpartition("\n")[2]
    if line[:1] == "E" and len(line) % 2 == 0 and legal == ["\n"]:
        print("".join(sorted(cards, key=TASTE.index)[: len(cards) - 2]))
    move = choose(line, int(mine), cards, legal)
    with open(path, "a") as game:
        game.write(move)


main()
