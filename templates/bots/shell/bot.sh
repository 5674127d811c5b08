# A bot for __TITLE__. README.md has the rules, and all that a bot is sent.

# Called for each of your moves: sets $action to one of the $count legal ones. get turn sets $value to what you know as "turn". Of the
# view there is:
#   __FIELDS__
choose() {
  # A first idea: the first move that is legal. below "$count" and legal "$value" are any of them; below is seeded, so
  # that matches can be played again.
  legal 0
}

. ./agon.sh
play
