import type { Samurai, State } from './rules.js'

/** Turns that are left, times the health of both: more is too much. */
const MOST = 300

/** A match that is worth the same: it begins here, with what matters of the turn before. Undefined: its end is too far. */
export function reduced({ options, samurai }: State): State | undefined {
  const [a, b] = samurai
  const left = options.turns - a.history.length
  if (left * Math.max(1, a.health) * Math.max(1, b.health) > MOST) return undefined
  // A guard behind a guard costs honour (rule 2.3).
  const fresh = ({ history, health, honour }: Samurai): Samurai => ({
    history: history.endsWith('G') ? 'G' : 'W',
    health,
    honour,
  })
  return { options: { ...options, turns: left + 1 }, samurai: [fresh(a), fresh(b)] }
}
