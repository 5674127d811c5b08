import type { Result, ScoringSpec } from '../core/index.js'
import {
  type MayMeet,
  type Settled,
  type SettleOptions,
  byPoints,
  evidenceOf,
  gamesOf,
  meansOf,
  scoredCompanies,
  scoredGamesOf,
  settle,
  settleMeans,
  worthPlaying,
  worthPlayingMeans,
} from '../rating/index.js'
import { exact, rounded, unitOf } from './scoring.js'

/** What is known of a field that is played until settled, whatever counts. Entrants and companies are told by their index. */
export interface Known {
  readonly settled: Settled
  /** By entrant: the mean over its companies of its mean points, or scores, there. */
  readonly points: readonly number[]
  /** By company: blocks played. */
  readonly played: readonly number[]
  /** The companies most worth a block now, in the order of their worth; a company may come twice. */
  choose(count: number): readonly number[]
}

/** What is to be known. */
interface Wanted {
  readonly companies: readonly (readonly number[])[]
  readonly field: number
  readonly scoring: ScoringSpec
  readonly options: SettleOptions
  /** The number of a match's block in its company. */
  readonly block: (result: Result) => number
}

/** `results`: in an order that does not depend on who ended first. */
export function knownOf(results: readonly Result[], wanted: Wanted): Known {
  return wanted.scoring.by === 'score' ? ofScores(results, wanted) : ofWins(results, wanted)
}

function ofWins(results: readonly Result[], { companies, field, scoring, options, block }: Wanted): Known {
  const games = gamesOf(results, { course: ({ course }) => course, deal: block })
  const evidence = evidenceOf(companies, games, field, scoring)
  const settled = settle(evidence, options)
  const points = games.length === 0 ? [] : byPoints(scoring)(games, field)(games.map(() => 1))
  return {
    settled,
    points: Array.from({ length: field }, (_, i) => exact(points[i] ?? 0)),
    played: evidence.companies.map(({ played }) => played),
    choose: (count) => worthPlaying(evidence, settled, count),
  }
}

function ofScores(results: readonly Result[], { companies, field, scoring, options, block }: Wanted): Known {
  const games = scoredGamesOf(results, scoring, { deal: block })
  const known = scoredCompanies(games)
  const keyOf = (members: readonly number[]): string => [...new Set(members)].sort((a, b) => a - b).join()
  const met = new Map(known.map((company) => [company.members.join(), company]))
  const may = companies.map((members): MayMeet => {
    const company = met.get(keyOf(members))
    return { members, ...(company && { known: company }) }
  })
  const settled = settleMeans(may, field, options)
  const { mean } = meansOf(known, field, 'companies')
  const unit = unitOf(Math.max(0, ...games.flatMap(({ scores }) => scores.map(Math.abs))))
  return {
    settled,
    points: mean.map((value) => (Number.isNaN(value) ? 0 : rounded(value, unit))),
    played: may.map((company) => company.known?.blocks ?? 0),
    choose: (count) => worthPlayingMeans(may, field, settled, count),
  }
}
