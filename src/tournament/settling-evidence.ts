import { type Result, type ScoringSpec, type TournamentSpec, countedBounds } from '../core/index.js'
import {
  type MayMeet,
  type ScoredGame,
  type Settled,
  type SettleOptions,
  byPoints,
  evidenceOf,
  gamesOf,
  meansOf,
  scoredCompanies,
  scoredEvidenceOf,
  scoredGamesOf,
  settle,
  settleMeans,
  worthPlaying,
  worthPlayingMeans,
} from '../rating/index.js'
import { exact, rounded, unitOf } from './scoring.js'

/** What is known of a field that is played until settled, whatever counts. Entrants and companies are named by their index. */
export interface SettlingEvidence {
  readonly settled: Settled
  /** Whether the confidence holds whatever the law of the results. */
  readonly exact: boolean
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
  readonly scores: TournamentSpec['scores']
  readonly options: SettleOptions
  /** The number of a match's block in its company. */
  readonly block: (result: Result) => number
}

/** `results`: in an order that does not depend on who ended first. */
export function knownOf(results: readonly Result[], wanted: Wanted): SettlingEvidence {
  return wanted.scoring.by === 'score' ? ofScores(results, wanted) : ofWins(results, wanted)
}

function ofWins(results: readonly Result[], { companies, field, scoring, options, block }: Wanted): SettlingEvidence {
  const games = gamesOf(results, { course: ({ course }) => course, deal: block })
  const evidence = evidenceOf(companies, games, field, scoring)
  const settled = settle(evidence, options)
  const points = games.length === 0 ? [] : byPoints(scoring)(games, field)(games.map(() => 1))
  return {
    settled,
    exact: true,
    points: Array.from({ length: field }, (_, i) => exact(points[i] ?? 0)),
    played: evidence.companies.map(({ played }) => played),
    choose: (count) => worthPlaying(evidence, settled, count),
  }
}

function ofScores(results: readonly Result[], wanted: Wanted): SettlingEvidence {
  const { field, scoring, block } = wanted
  const games = scoredGamesOf(results, scoring, { deal: block })
  const { mean } = meansOf(scoredCompanies(games), field, 'companies')
  const unit = unitOf(Math.max(0, ...games.flatMap(({ scores }) => scores.map(Math.abs))))
  const points = mean.map((value) => (Number.isNaN(value) ? 0 : rounded(value, unit)))
  return { points, ...(wanted.scores ? withinBounds(games, wanted) : withoutBounds(games, wanted)) }
}

/** Where the game says between which numbers its scores lie. */
function withinBounds(games: readonly ScoredGame[], { companies, field, scoring, scores, options }: Wanted) {
  const bounds = countedBounds(scoring, scores) ?? { min: 0, max: 0 }
  const evidence = scoredEvidenceOf(companies, games, field, bounds)
  const settled = settle(evidence, options)
  return {
    settled,
    exact: true,
    played: evidence.companies.map(({ played }) => played),
    choose: (count: number) => worthPlaying(evidence, settled, count),
  }
}

function withoutBounds(games: readonly ScoredGame[], { companies, field, options }: Wanted) {
  const keyOf = (members: readonly number[]): string => [...new Set(members)].sort((a, b) => a - b).join()
  const met = new Map(scoredCompanies(games).map((company) => [company.members.join(), company]))
  const may = companies.map((members): MayMeet => {
    const company = met.get(keyOf(members))
    return { members, known: company }
  })
  const settled = settleMeans(may, field, options)
  return {
    settled,
    exact: false,
    played: may.map((company) => company.known?.blocks ?? 0),
    choose: (count: number) => worthPlayingMeans(may, field, settled, count),
  }
}
