import { type Lead, cycles, payoffCycles } from '../../lab/index.js'
import {
  type Fit,
  type RatedGame,
  blockEffects,
  type ScoredCompany,
  meansOf,
  meetingsOf,
  pairsOf,
  probabilityAbove,
  weightsOf,
} from '../../stats/index.js'
import type { Ranking, RuleName } from './rank-rules.js'

import { UNFIT } from './fit-text.js'

/** An entrant that some rules place first. */
export interface FirstPlace {
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
export function firstPlacesOf(names: readonly string[], rankings: readonly Ranking[]): readonly FirstPlace[] {
  const held = new Map<string, RuleName[]>()
  for (const { by, lines } of rankings) {
    for (const { rank, entrant } of lines) {
      const name = names[entrant] ?? ''
      if (rank === 1) held.set(name, [...(held.get(name) ?? []), by])
    }
  }
  return [...held].map(([name, by]) => ({ name, by })).sort((a, b) => b.by.length - a.by.length)
}

/**
 * Cycles among the entrants, the surest first; none where strengths explain the field as far as chance lets one see (`fit`). Results count
 * by what blocks of equal luck vary by.
 */
export function cyclesOf(
  names: readonly string[],
  games: readonly RatedGame[],
  fit: Fit | undefined,
): readonly FoundCycle[] {
  const field = names.length
  if (fit === undefined || fit.p >= UNFIT) return []
  const effects = blockEffects(games, field)
  const { wins, draws } = meetingsOf(pairsOf(games, field), weightsOf(games))
  const weigh = (counts: Float64Array): Float64Array =>
    counts.map((n, k) => n / effects.of(Math.floor(k / field), k % field))
  return cycles({ field, wins: weigh(wins), draws: weigh(draws) }).map(({ members, confidence }) => ({
    members: members.map((entrant) => names[entrant] ?? ''),
    confidence,
  }))
}

/** The same where scores count: each of a cycle gets more of the next than that of it. */
export function scoreCyclesOf(names: readonly string[], companies: readonly ScoredCompany[]): readonly FoundCycle[] {
  const means = meansOf(companies, names.length)
  const lead = (a: number, b: number): Lead | undefined => {
    const between = means.between(a, b)
    const above = between && probabilityAbove(between)
    return above === undefined || between === undefined
      ? undefined
      : { value: between.value, variance: between.variance, df: between.df, above }
  }
  return payoffCycles(names.length, lead).map(({ members, confidence }) => ({
    members: members.map((entrant) => names[entrant] ?? ''),
    confidence,
  }))
}
