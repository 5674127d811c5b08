"""A bot for __TITLE__. README.md has the rules, and all that a bot is sent."""

import agon


def choose(view, legal):
    """Called for each of your moves: returns one of the texts in legal.

    view["…"] is what you may know:
      __FIELDS__
    """
    # A first idea: the first move that is legal. agon.chance.choice(legal) is any of them,
    # and seeded, so that matches can be played again.
    return legal[0]


agon.play(choose)
