import type { Bot } from '../../../core/index.js'
import type { Action, View } from '../rules.js'

/** How often it bets a jack as the first to speak; any probability up to a third is as good (rule 6.2). */
const BLUFF = 1 / 6

/** Keel: plays an equilibrium (rules 6.1–6.3), of which there is one for each way to bluff first. */
const bot: Bot<View, Action> = (view, chance) => (chance.random() < bets(view) ? 'bet' : 'pass')
export default bot

/** How probable each of its actions is. */
export const policy = (view: View): Readonly<Record<Action, number>> => ({ pass: 1 - bets(view), bet: bets(view) })

function bets({ card, said }: View): number {
  switch (said.join(' ')) {
    case '':
      return { J: BLUFF, Q: 0, K: 3 * BLUFF }[card]
    case 'pass':
      return { J: 1 / 3, Q: 0, K: 1 }[card]
    case 'bet':
      return { J: 0, Q: 1 / 3, K: 1 }[card]
    default:
      return { J: 0, Q: BLUFF + 1 / 3, K: 1 }[card]
  }
}
