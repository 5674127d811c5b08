// A bot for __TITLE__. README.md has the rules, and all that a bot is given.
import type { Bot } from 'agon'
import type { Action, View } from './view.js'

/**
 * Called for each of your moves: returns one of the texts in legal. What you may know:
 *   __FIELDS__
 */
const bot: Bot<View, Action> = (view, chance, legal) => {
  // A first idea: any move that is legal. chance is seeded, so that matches can be played again.
  return legal[chance.below(legal.length)]!
}
export default bot
