import type { Bot } from 'agon'
import type { Action, View } from '../rules.js'

/** Bids as much as the prize is worth, or the next card above it, or the highest. */
const bot: Bot<View, Action> = ({ prize, hand }) => String(hand.find((card) => card >= prize) ?? Math.max(...hand))
export default bot
