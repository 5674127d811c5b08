# A bot for __TITLE__. README.md has the rules, and all that a bot is sent.
require_relative 'agon'

# Called for each of your moves: returns one of the texts in legal. view['…'] is what you may know:
#   __FIELDS__
def choose(view, legal)
  # A first idea: any move that is legal. Agon::CHANCE is seeded, so that matches can be played again.
  legal.sample(random: Agon::CHANCE)
end

Agon.play { |view, legal| choose(view, legal) }
