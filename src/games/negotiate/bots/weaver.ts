import type { Bot } from '../../../core/index.js'
import type { Action, View } from '../view.js'

/**
 * Weaver: foresees where the others will stand at the next settling, and lays each negotiation where it raises the expected
 * strength most: the chance to be a lord's best friend less the chance to be its least.
 */
const bot: Bot<View, Action> = (view) => {
  const foreseen = others(view)
  const own = [...view.real]
  const chosen: number[] = []
  const worth = view.day ? 1 : view.nightWorth
  // The plan reaches to the settling, as the others do; this turn takes its first steps.
  const later = (ahead(view) - (view.day ? 5 : 4)) / view.forces.length
  while (chosen.length < view.negotiations) {
    const gains = own.map((had, lord) => {
      const value = (x: number): number => (view.forces[lord] ?? 0) * standing(x + later, foreseen[lord] ?? [])
      return value(had + worth) - value(had)
    })
    const best = gains.indexOf(Math.max(...gains))
    chosen.push(best)
    own[best] = (own[best] ?? 0) + worth
  }
  return chosen.sort((a, b) => a - b).join(' ')
}
export default bot

/** How far one may be wrong about another's intimacy at the settling. */
const DOUBT = 2.2

/** The chance to be above all others less the chance to be below them all. */
function standing(own: number, rivals: readonly number[]): number {
  const above = (a: number, b: number): number => 1 / (1 + Math.exp(-(a - b) / (DOUBT * 0.6)))
  return (
    rivals.reduce((chance, each) => chance * above(own, each), 1) -
    rivals.reduce((chance, each) => chance * above(each, own), 1)
  )
}

/** Each rival's intimacy with each lord at the next settling: what shows, and what is concealed or still to come in the same proportions. */
function others(view: View): number[][] {
  const rivals = view.strength24.length - 1
  const unseen = ahead(view) + 4 * concealed(view)
  return view.intimacy.map((row) =>
    Array.from({ length: rivals }, (_, k) => {
      const total = view.intimacy.reduce((sum, each) => sum + (each[k + 1] ?? 0) + 2, 0)
      const shown = row[k + 1] ?? 0
      return shown + (unseen * (shown + 2)) / total
    }),
  )
}

/** Intimacy that one daimyo still gains up to the next settling, this turn included. */
function ahead(view: View): number {
  let sum = 0
  for (let turn = view.turn; turn <= settles(view, view.turn); turn++) sum += turn % 2 === 1 ? 5 : 4
  return sum
}

/** Nights whose choices are not open yet. */
function concealed(view: View): number {
  let nights = 0
  for (let turn = view.turn - 1; turn > 0 && !view.settling.includes(turn); turn--) nights += turn % 2 === 0 ? 1 : 0
  return nights
}

function settles(view: View, from: number): number {
  return view.settling.find((turn) => turn >= from) ?? view.turns
}
