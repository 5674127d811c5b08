import type { Bot } from '../../../core/index.js'
import type { Action, View } from '../rules.js'

/** How many rounds it gathers before it fires the first. */
const ENOUGH = 4

/**
 * Storm: hoards rounds behind a guessed shield until it has four, then fires beam after beam, which no shot can answer, to the last
 * round.
 */
const bot: Bot<View, Action> = ({ ammo, opponentAmmo, history }, chance) => {
  const firing = /[12]$/.test(history)
  if (ammo >= ENOUGH || (firing && ammo >= 2)) return '2'
  if (firing && ammo === 1) return '1'
  if (opponentAmmo === 0) return '0'
  if (chance.below(10) < 3) return '0'
  return opponentAmmo === 1 || chance.below(2) === 0 ? '-' : '='
}
export default bot
