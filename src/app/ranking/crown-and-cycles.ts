import { cycles } from '../../analysis/index.js'
import { type Game, meetingsOf, pairsOf, weightsOf } from '../../rating/index.js'
import type { Ranking, RuleName } from './rules.js'

/** An entrant that some rules place first. */
export interface Crowned {
  readonly name: string
  readonly by: readonly RuleName[]
}

/** Three entrants, of which each beats the next and the last beats the first. */
export interface FoundCycle {
  readonly members: readonly string[]
  /** The probability that all three are so. */
  readonly confidence: number
}

/** Who is first by which rules, the one with the most rules in front; who shares a first place is named beside the others. */
export function crownOf(names: readonly string[], rankings: readonly Ranking[]): readonly Crowned[] {
  const held = new Map<string, RuleName[]>()
  for (const { by, lines } of rankings) {
    for (const { rank, entrant } of lines) {
      const name = names[entrant] ?? ''
      if (rank === 1) held.set(name, [...(held.get(name) ?? []), by])
    }
  }
  return [...held].map(([name, by]) => ({ name, by })).sort((a, b) => b.by.length - a.by.length)
}

/** Cycles among the entrants, the surest first. */
export function cyclesOf(names: readonly string[], games: readonly Game[]): readonly FoundCycle[] {
  const meetings = meetingsOf(pairsOf(games, names.length), weightsOf(games))
  return cycles(meetings).map(({ members, confidence }) => ({
    members: members.map((entrant) => names[entrant] ?? ''),
    confidence,
  }))
}
