"""Reads agon's lines and writes the answers: a JSON object a line each way. Print anything else to sys.stderr: standard output belongs to
the answers."""
import json
import random
import sys


class Match:
    """A match: setup, due, view, legal, play and outcome are the game's; board may be left out."""

    def __init__(self, seats, options, seed):
        self.seats = seats
        self.options = options
        # The match's only chance: the same seed and the same moves lead to the same positions.
        self.chance = random.Random(seed)
        self.setup()

    def board(self):
        return None


def _position(number, match):
    due = match.due()
    answer = {
        "match": number,
        "due": due,
        "views": [match.view(seat) for seat in range(match.seats)],
        "legal": [match.legal(seat) if seat in due else None for seat in range(match.seats)],
    }
    for key, value in (("board", match.board()), ("outcome", match.outcome())):
        if value is not None:
            answer[key] = value
    return answer


def run(kind, *, id, version, seats, **more):
    """Answers agon until there are no more lines. `kind`: the class of matches; `more`: options, title, rules, scores, hidden, teams."""
    told = {"id": id, "version": version, "seats": {"min": seats[0], "max": seats[1]}, **more}
    told.setdefault("options", {})
    lines, sys.stdout = sys.stdout, sys.stderr
    matches = {}
    for line in sys.stdin:
        message = json.loads(line)
        number = message.get("match")
        if message["type"] == "end":
            del matches[number]
            continue
        if message["type"] == "describe":
            answer = told
        elif message["type"] == "setup":
            matches[number] = kind(message["seats"], message["options"], message["seed"])
            answer = _position(number, matches[number])
        else:
            matches[number].play(message["moves"])
            answer = _position(number, matches[number])
        # Without flush the answer would stay in Python's own buffer.
        print(json.dumps(answer), file=lines, flush=True)
