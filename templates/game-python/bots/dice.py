import agon


def choose(view, legal):
    """Bids any card. agon.chance is the bot's own, drawn from the match's seed: it plays the same again."""
    return agon.chance.choice(legal)


agon.play(choose)
