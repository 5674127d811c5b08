import type { Bot } from 'agon'
import type { Action, View } from '../rules.js'

/** Bids any card. `chance` is the bot's own, drawn from the match's seed: it plays the same again. */
const bot: Bot<View, Action> = ({ hand }, chance) => String(hand[chance.below(hand.length)])
export default bot
