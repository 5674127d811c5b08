# A bot for __TITLE__. README.md has the rules, and all that a bot is sent.
require_relative 'agon'

# Called for each of your moves: returns one of the texts in legal. view['…'] is what you may know:
#   __FIELDS__
def choose(view, legal)
  # A first idea: the first move that is legal. legal.sample(random: Agon::CHANCE) is any of them; CHANCE is seeded, so
  # that matches can be played again.
  legal.first
end

Agon.play { |view, legal| choose(view, legal) }
