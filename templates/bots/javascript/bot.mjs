// A bot for __TITLE__. README.md has the rules, and all that a bot is sent.
import { below, play } from './agon.mjs'

/**
 * Called for each of your moves: returns one of the texts in legal. What you may know:
 *   __FIELDS__
 */
function choose(view, legal) {
  // A first idea: any move that is legal. below(n) is seeded, so that matches can be played again.
  return legal[below(legal.length)]
}

play(choose)
