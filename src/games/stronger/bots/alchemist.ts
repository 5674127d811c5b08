import type { Bot as Player } from '../../../core/index.js'
import type { Action, Contender, View } from '../rules.js'

/**
 * Alchemist: a bot is worth its life times its power, so a blow that takes little life makes its victim stronger. It turns blows on itself
 * into power by defending, and strikes where a blow destroys more than it gives.
 */
const bot: Player<View, Action> = (view, chance) => {
  const own = view.bots.find((one) => one.seat === view.seat)
  const others = view.bots.filter((one) => one.seat !== view.seat && one.life > 0)
  if (!own) return 'D'
  const attackers = others.filter((one) => one.last === String(view.seat))
  if (others.length === 1) return duel(own, others[0] as Contender, attackers.length)
  if (attackers.length > 0 && chance.random() < 0.9) return 'D'
  const harm = others.map((one) => destroyed(own, one))
  return String(others[harm.indexOf(Math.max(...harm))]?.seat)
}
export default bot

/** What a blow takes from life times power; below 0 it only strengthens. */
function destroyed(own: Contender, victim: Contender): number {
  const left = victim.life - own.power
  return victim.life * victim.power - Math.max(0, left) * (victim.power + 1)
}

/** The last two: strike from strength, gather strength from the other's blows until then. */
function duel(own: Contender, other: Contender, struck: number): Action {
  const stronger = own.life * own.power >= other.life * other.power
  return stronger || struck === 0 || own.life <= other.power ? String(other.seat) : 'D'
}
