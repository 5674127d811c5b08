"""Reads agon's questions and writes the answers: a line of JSON each way. Nothing has to be installed.

Debug with print(…, file=sys.stderr): standard output belongs to the answers.
"""

import json
import os
import random
import sys

# Your own chance. A bot that takes its chance from nothing else plays the same again from the same seed.
chance = random.Random(int(os.environ.get("AGON_SEED", "1")))

# What was told at the beginning of the match: "seat" (your own, from 0), "seats" (how many), "options" and "view".
start = {}


def play(choose):
    """Answers each question with choose(view, legal), until there are no more."""
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "start":
            start.clear()
            start.update(message)
        elif message["type"] == "ask":
            # If legal is a shape, agon sends one example.
            legal = message["legal"] if isinstance(message["legal"], list) else [message["example"]]
            action = choose(message["view"], legal)
            # The question's number shows which one is answered. Without flush the answer would stay in Python's own buffer.
            print(json.dumps({"action": action, "n": message.get("n")}), flush=True)
