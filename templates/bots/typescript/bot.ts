// A bot for __TITLE__. README.md has the rules, and all that a bot is given.
import __IMPORT__ from 'agon'
import type { Action, View } from './view.js'

/**
 * Called for each of your moves: returns one of the texts in legal. What you may know:
 *   __FIELDS__
 */
const bot: __BOT__ = (view, chance, legal) => {
  // A first idea: __IDEA__
  // chance is seeded, so that matches can be played again.
  return __MOVE__
}
export default bot
