import { type Lead, cycles, payoffCycles } from '../../analysis/index.js'
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
} from '../../rating/index.js'
import type { Ranking, RuleName } from './rules.js'

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

/** What is known for certain counts as so many games. */
const CERTAIN = 1e6

/**
 * Cycles among the entrants, the surest first. Where strengths explain the field as far as chance lets one see (`fit`), only those of which
 * all three results are known to be the same again, as no chance is in them. Results count by what blocks of equal luck vary by.
 */
export function cyclesOf(
  names: readonly string[],
  games: readonly RatedGame[],
  fit: Fit | undefined,
): readonly FoundCycle[] {
  const field = names.length
  const isExplained = fit === undefined || fit.p >= UNFIT
  if (isExplained && !games.some(({ fixed }) => fixed)) return []
  const certain = new Map<number, boolean>()
  for (const { entrants, fixed } of games) {
    for (const a of entrants)
      for (const b of entrants) certain.set(a * field + b, (certain.get(a * field + b) ?? true) && fixed === true)
  }
  if (isExplained && ![...certain.values()].includes(true)) return []
  const effects = blockEffects(games, field)
  const { wins, draws } = meetingsOf(pairsOf(games, field), weightsOf(games))
  const weightOf = (k: number): number =>
    certain.get(k) ? CERTAIN : isExplained ? 0 : 1 / effects.of(Math.floor(k / field), k % field)
  const weigh = (counts: Float64Array): Float64Array => counts.map((n, k) => n * weightOf(k))
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
