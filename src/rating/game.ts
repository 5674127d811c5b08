import type { Result } from '../core/index.js'

/** One game as a rating sees it: who played, and how they came out. Entrants are told by their index in the field. */
export interface Game {
  readonly entrants: readonly number[]
  /** In the order of `entrants`; 1 is best, equals share: [1, 1] is a draw. */
  readonly place: readonly number[]
  /**
   * What was resampled and is resampled together: games of the same entrants with the same luck. Absent: a block of its own.
   */
  readonly block?: string
  /**
   * What the game counts in every uncertainty; 1 unless told. n games of the same seating that took d different courses count
   * d/n each: their frequencies stay what they are, and two fixed bots who repeat one game tell of it once.
   */
  readonly weight?: number
}

/** What the caller knows of a match beside its result. */
export interface Circumstances<R extends Result = Result> {
  /**
   * A digest of the game's course (its moves, not its key): equal for the same entrants in the same seats means the same game
   * again. Where it is left out, or for a match whose course is not known, no game repeats another.
   */
  readonly course?: (result: R) => string | undefined
  /** Which deal of luck the match had (`Pairing.deal`); left out, each match is a block of its own. */
  readonly deal?: (result: R) => number | string | undefined
}

/** The results of a tournament as games, with their blocks (who met × deal) and the weights of those that were repeated. */
export function gamesOf<R extends Result>(
  results: Iterable<R>,
  { course, deal }: Circumstances<R> = {},
): readonly Game[] {
  const told = [...results].map((result) => ({ result, course: course?.(result) }))
  const weights = repetitionWeights(told.map(({ result, course: digest }) => ({ seats: result.seats, course: digest })))
  return told.map(({ result }, i): Game => {
    const luck = deal?.(result)
    const weight = weights[i] ?? 1
    return {
      entrants: result.seats,
      place: result.outcome.place,
      ...(luck !== undefined && { block: `${[...result.seats].sort((a, b) => a - b).join('-')}/${luck}` }),
      ...(weight !== 1 && { weight }),
    }
  })
}

/** What each game counts: of n games of one seating, d of them different, d/n. A game without a course is unlike all others. */
function repetitionWeights(
  games: readonly { readonly seats: readonly number[]; readonly course: string | undefined }[],
): readonly number[] {
  const seatings = new Map<string, { n: number; readonly courses: Set<string | number> }>()
  games.forEach(({ seats, course }, i) => {
    const key = seats.join('-')
    const seating = seatings.get(key) ?? { n: 0, courses: new Set() }
    seating.n++
    seating.courses.add(course ?? i)
    seatings.set(key, seating)
  })
  return games.map(({ seats }) => {
    const seating = seatings.get(seats.join('-'))
    return seating ? seating.courses.size / seating.n : 1
  })
}

/** How many games were not a repetition of one before: the sum of the weights. */
export function distinctGames(games: readonly Game[]): number {
  return Math.round(games.reduce((sum, { weight = 1 }) => sum + weight, 0))
}

/** Games by the names of their entrants, as a file of games tells them; returns the field in the order of first appearance. */
export function fieldOf(games: Iterable<{ readonly names: readonly string[]; readonly place: readonly number[] }>): {
  readonly names: readonly string[]
  readonly games: readonly Game[]
} {
  const index = new Map<string, number>()
  const numbered = [...games].map(({ names, place }): Game => {
    const entrants = names.map((name) => {
      const known = index.get(name) ?? index.size
      index.set(name, known)
      return known
    })
    return { entrants, place }
  })
  return { names: [...index.keys()], games: numbered }
}

/** The place of the block of each game (numbered from 0 in the order of first appearance), and how many blocks there are. */
export function blocksOf(games: readonly Game[]): { readonly of: Int32Array; readonly count: number } {
  const numbers = new Map<string, number>()
  let count = 0
  const of = Int32Array.from(games, ({ block }) => {
    const known = block === undefined ? undefined : numbers.get(block)
    if (known !== undefined) return known
    if (block !== undefined) numbers.set(block, count)
    return count++
  })
  return { of, count }
}

/** Entrants who met, in whatever seats. */
export interface Company {
  /** In ascending order. */
  readonly members: readonly number[]
  /** Their games, by their place in the list. */
  readonly games: readonly number[]
}

/** The games by who met in them. */
export function companiesOf(games: readonly Game[]): ReadonlyMap<string, Company> {
  const companies = new Map<string, { readonly members: readonly number[]; readonly games: number[] }>()
  games.forEach(({ entrants }, g) => {
    const members = [...entrants].sort((a, b) => a - b)
    const key = members.join()
    const company = companies.get(key) ?? { members, games: [] }
    company.games.push(g)
    companies.set(key, company)
  })
  return companies
}
