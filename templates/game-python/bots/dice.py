"""Bids any card. Its chance is drawn from the match's seed, so it plays the same again."""

import json
import os
import random
import sys

chance = random.Random(int(os.environ.get("AGON_SEED", "1")))
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "ask":
        # Without flush the answer would stay in Python's own buffer.
        print(json.dumps({"action": chance.choice(message["legal"])}), flush=True)
