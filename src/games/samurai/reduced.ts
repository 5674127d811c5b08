import type { Samurai, State } from './rules.js'

/** Turns left times both healths: more is too much. */
const MOST = 300

/** A match of equal worth: begins here, with what matters of the last turn. Undefined: too far from its end. */
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
