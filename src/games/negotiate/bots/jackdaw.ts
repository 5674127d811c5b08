import type { Bot } from '../../../core/index.js'
import type { Action, View } from '../view.js'

/** Jackdaw: snatches what is cheap. It goes where the least effort makes it the best friend, and never pays for a lead it has. */
const bot: Bot<View, Action> = (view) => {
  const own = [...view.real]
  const worth = view.day ? 1 : view.nightWorth
  const chosen: number[] = []
  while (chosen.length < view.negotiations) {
    const prices = view.forces.map((force, lord) => {
      const rival = Math.max(...(view.intimacy[lord] ?? []).slice(1))
      const missing = rival + 1 - (own[lord] ?? 0)
      return missing > 0 ? force / (missing + 1) : 0.01 * force + 0.01 * missing
    })
    const lord = prices.indexOf(Math.max(...prices))
    chosen.push(lord)
    own[lord] = (own[lord] ?? 0) + worth
  }
  return chosen.sort((a, b) => a - b).join(' ')
}
export default bot
