import { cycles } from '../analysis/index.js'
import { type Game, meetingsOf, pairsOf, weightsOf } from '../rating/index.js'
import type { Ranking } from './rules.js'

/** What is ranked. */
export interface Ranked {
  /** The contest's title, or the file. */
  readonly title: string
  readonly names: readonly string[]
  readonly games: readonly Game[]
  readonly rankings: readonly Ranking[]
  /** By entrant: what the contest's own table says. */
  readonly points?: readonly number[]
}

/** Who is first by which rules, the one with the most rules in front; who shares a first place is named beside the others. */
export function crownOf({
  names,
  rankings,
}: Ranked): readonly { readonly name: string; readonly by: readonly string[] }[] {
  const held = new Map<string, string[]>()
  for (const { by, lines } of rankings) {
    for (const { rank, entrant } of lines) {
      const name = names[entrant] ?? ''
      if (rank === 1) held.set(name, [...(held.get(name) ?? []), by])
    }
  }
  return [...held].map(([name, by]) => ({ name, by })).sort((a, b) => b.by.length - a.by.length)
}

/** Cycles among the entrants, by name. */
export function cyclesOf({
  names,
  games,
}: Ranked): readonly { readonly members: readonly string[]; readonly confidence: number }[] {
  const meetings = meetingsOf(pairsOf(games, names.length), weightsOf(games))
  return cycles(meetings).map(({ members, confidence }) => ({
    members: members.map((entrant) => names[entrant] ?? ''),
    confidence,
  }))
}
