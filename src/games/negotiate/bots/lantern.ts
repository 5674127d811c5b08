import type { Bot } from '../../../core/index.js'
import type { Action, View } from '../view.js'

/**
 * Lantern: cares for reputation by day and ambition by night. By day it visits whom it is least known to, as others see it; by
 * night it goes in secret to the two strongest lords where it is not far behind.
 */
const bot: Bot<View, Action> = (view, chance) => {
  const own = [...view.real]
  const lords = own.map((_, lord) => lord)
  const chosen: number[] = []
  while (chosen.length < view.negotiations) {
    const scores = lords.map((lord) => {
      const rivals = (view.intimacy[lord] ?? []).slice(1)
      const mine = own[lord] ?? 0
      const wish = view.day ? Math.min(...rivals) + 1 - mine : 3 - Math.abs(Math.max(...rivals) + 1 - mine)
      return wish * (view.forces[lord] ?? 0) + chance.random()
    })
    const lord = scores.indexOf(Math.max(...scores))
    chosen.push(lord)
    own[lord] = (own[lord] ?? 0) + (view.day ? 1 : view.nightWorth)
  }
  return chosen.sort((a, b) => a - b).join(' ')
}
export default bot
