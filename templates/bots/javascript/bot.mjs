// A bot for __TITLE__. README.md has the rules, and all that a bot is sent.
import { play } from './agon.mjs'

/**
 * Called for each of your moves: returns one of the texts in legal. What you may know:
 *   __FIELDS__
 */
function choose(view, legal) {
  // A first idea: the first move that is legal. legal[below(legal.length)] is any of them, and below, which agon.mjs
  // has, is seeded, so that matches can be played again.
  return legal[0]
}

play(choose)
