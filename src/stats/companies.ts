import { type Result, type ScoringSpec, countedScores, firstPlaces, isAlone } from '../core/index.js'
import type { RatedGame } from './game.js'

/** A match as mean scores see it. Entrants by their index in the field. */
export interface ScoredGame {
  /** Who met, each once. */
  readonly entrants: readonly number[]
  /** In the order of `entrants`; of one who met itself, its seats' mean. */
  readonly scores: readonly number[]
  /** What shares its luck: matches of the same entrants and deal. */
  readonly block: string | number
  /** A digest of its course: the same in the same seats is the same match again. Absent: unlike all others. */
  readonly course?: string | number
  /** As of `RatedGame`. */
  readonly times?: number
}

/** The matches of entrants who met, in whatever seats. */
export interface ScoredCompany {
  /** In ascending order. */
  readonly members: readonly number[]
  /** How many matches. */
  readonly n: number
  /** By member. */
  readonly mean: readonly number[]
  /** How many blocks of equal luck it has: one, if all repeat one game. */
  readonly blocks: number
  /** By block and member, block after block: its scores' sum above the mean, divided by n. They add up to 0. */
  readonly residuals: Float64Array
  /** By block of `residuals`: for how many it stands. */
  readonly counts: Float64Array
}

/** What is known of a match beside its result; `course`: as in `gamesOf`. */
interface Circumstances<R extends Result> {
  readonly deal: (result: R) => string | number
  readonly course?: (result: R) => string | undefined
}

/** A tournament's results as scored games, without unscored ones. */
export function scoredGamesOf<R extends Result>(
  results: Iterable<R>,
  scoring: ScoringSpec,
  { deal, course }: Circumstances<R>,
): readonly ScoredGame[] {
  return [...results].flatMap((result) => {
    const block = `${[...result.seats].sort((a, b) => a - b).join('-')}/${deal(result)}`
    const game = scoredGameOf(result, scoring, block)
    return game === undefined ? [] : [{ ...game, course: course?.(result) }]
  })
}

export interface Worth {
  readonly win: number
  readonly draw: number
  readonly loss: number
}

/** Points as scores: alone (or with one's team) first a win, shared a draw, else a loss. */
export const pointsOf = (games: readonly RatedGame[], worth: Worth): readonly ScoredGame[] =>
  games.map(({ entrants, place, team, block, weight, times }, i) => {
    const shared = firstPlaces(place, team) > 1
    const scores = place.map((p) => (p > 1 ? worth.loss : shared ? worth.draw : worth.win))
    return { entrants, scores, block: block ?? i, course: courseBy(weight), times }
  })

/** Games that weigh less than 1 are one game repeated. */
const courseBy = (weight: number | undefined): ScoredGame['course'] => (weight === undefined ? undefined : 'the same')

/** What each two of a game, not of one team, scored of each other: 1 for who is before the other, ½ for equals. */
export const comparisonsOf = (games: readonly RatedGame[]): readonly ScoredGame[] =>
  games.flatMap(({ entrants, place, team, block, weight, times }, i) =>
    entrants.flatMap((a, s) =>
      entrants.slice(s + 1).flatMap((b, k): readonly ScoredGame[] => {
        const t = s + 1 + k
        if (team !== undefined && team[s] === team[t]) return []
        const lead = Math.sign((place[t] as number) - (place[s] as number))
        const scores = [(1 + lead) / 2, (1 - lead) / 2]
        return [{ entrants: [a, b], scores, block: block ?? i, course: courseBy(weight), times }]
      }),
    ),
  )

/** A match as a scored game of this block; undefined: no score. */
export function scoredGameOf(
  result: Pick<Result, 'seats' | 'outcome' | 'turns'>,
  scoring: ScoringSpec,
  block: string | number,
): ScoredGame | undefined {
  const scores = countedScores(scoring, result)
  if (scores === undefined) return undefined
  const { seats } = result
  return isAlone(seats)
    ? { entrants: seats.slice(0, 1), scores: [scores.reduce((sum, score) => sum + score, 0) / scores.length], block }
    : { entrants: seats, scores, block }
}

/** The games by who met, in an own order. Throws RangeError for a score that is no finite number. */
export function scoredCompanies(games: Iterable<ScoredGame>): readonly ScoredCompany[] {
  const sums = new ScoredSums()
  for (const game of games) sums.add(game)
  return sums.companies()
}

interface Block {
  readonly times: number
  matches: number
  /** By member. */
  readonly scores: Float64Array
}

interface Sums {
  readonly members: readonly number[]
  readonly blocks: Map<string | number, Block>
  /** By seating: the first match's course, until one takes another. */
  readonly courses: Map<string, ScoredGame['course']>
}

/** Adds up scored games, holding only their blocks' sums, as matches may be millions. */
export class ScoredSums {
  private readonly met = new Map<string, Sums>()

  /** Throws RangeError for a score that is no finite number. */
  add({ entrants, scores, block: name, course, times = 1 }: ScoredGame): void {
    if (!scores.every(Number.isFinite)) throw new RangeError(`not scores: ${scores.join()}`)
    const members = [...entrants].sort((a, b) => a - b)
    const key = members.join()
    const company: Sums = this.met.get(key) ?? { members, blocks: new Map(), courses: new Map() }
    this.met.set(key, company)
    const block = company.blocks.get(name) ?? { times, matches: 0, scores: new Float64Array(members.length) }
    company.blocks.set(name, block)
    block.matches++
    const seating = entrants.join()
    const isFirst = !company.courses.has(seating)
    company.courses.set(seating, isFirst || company.courses.get(seating) === course ? course : undefined)
    members.forEach((member, m) => {
      block.scores[m] = (block.scores[m] as number) + (scores[entrants.indexOf(member)] ?? 0)
    })
  }

  companies(): readonly ScoredCompany[] {
    return [...this.met.values()].sort((a, b) => before(a.members, b.members)).map(companyOf)
  }
}

/** By the first number in which they differ. */
function before(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((x, i) => x !== b[i])
  return at < 0 ? a.length - b.length : (a[at] as number) - (b[at] ?? -1)
}

/** Numbers before texts. */
const byKey = (a: string | number, b: string | number): number =>
  typeof a === typeof b ? (a < b ? -1 : 1) : typeof a === 'number' ? -1 : 1

function companyOf({ members, blocks, courses }: Sums): ScoredCompany {
  const size = members.length
  const all = [...blocks].sort(([a], [b]) => byKey(a, b)).map(([, block]) => block)
  const n = all.reduce((sum, { matches, times }) => sum + times * matches, 0)
  const mean = members.map((_, m) => all.reduce((sum, { scores, times }) => sum + times * (scores[m] as number), 0) / n)
  const count = all.reduce((sum, { times }) => sum + times, 0)
  if ([...courses.values()].every((course) => course !== undefined))
    return { members, n, mean, blocks: 1, residuals: new Float64Array(size), counts: Float64Array.of(1) }
  const residuals = new Float64Array(all.length * size)
  all.forEach(({ scores, matches }, k) =>
    mean.forEach((value, m) => (residuals[k * size + m] = ((scores[m] as number) - matches * value) / n)),
  )
  return { members, n, mean, blocks: count, residuals, counts: Float64Array.from(all, ({ times }) => times) }
}
