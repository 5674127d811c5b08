import type { Result, Teams } from '../core/index.js'

/** One game as a rating sees it: who played, and how they came out. Entrants are named by their index in the field. */
export interface RatedGame {
  readonly entrants: readonly number[]
  /** In the order of `entrants`; 1 is best, equals share: [1, 1] is a draw. */
  readonly place: readonly number[]
  /** In the order of `entrants`: the team of each, whose members share a place. Absent: everyone plays alone. */
  readonly team?: readonly number[]
  /** Games of the same entrants with the same luck, which are resampled together. Absent: a block of its own. */
  readonly block?: string
  /** Its weight in every uncertainty, 1 unless given: n games of one seating and course (no chance) have 1/n each. */
  readonly weight?: number
  /** A game before it took the same course in the same seats. */
  readonly again?: true
  /** It stands for so many that went alike, each in a block that went alike (`GameKinds`); 1 unless given. */
  readonly times?: number
}

/** What the caller knows of a match beside its result. */
export interface Circumstances<R extends Result = Result> {
  /** A digest of the game's course (its moves): equal in the same seats means the same game again. Absent: no game repeats another. */
  readonly course?: (result: R) => string | undefined
  /** Which deal of luck the match had (`Pairing.deal`); left out, each match is a block of its own. */
  readonly deal?: (result: R) => number | string | undefined
  /** Of the contest's scoring. */
  readonly teams?: Teams
}

/** The results of a tournament as games, with their blocks (who met × deal) and the weights of those that were repeated. */
export function gamesOf<R extends Result>(
  results: Iterable<R>,
  { course, deal, teams }: Circumstances<R> = {},
): readonly RatedGame[] {
  const known = [...results]
  const repeated = repetitions(known.map((result) => ({ entrants: result.seats, course: course?.(result) })))
  return known.map((result, i): RatedGame => {
    const luck = deal?.(result)
    return {
      entrants: result.seats,
      place: result.outcome.place,
      team: teams?.[result.seats.length],
      block: luck === undefined ? undefined : `${[...result.seats].sort((a, b) => a - b).join('-')}/${luck}`,
      ...repeated[i],
    }
  })
}

/** By game, what it counts and whether it is a repetition. A game without a course is unlike all others. */
export function repetitions(
  games: readonly { readonly entrants: readonly number[]; readonly course?: string }[],
): readonly Pick<RatedGame, 'weight' | 'again'>[] {
  const seatings = new Map<string, { n: number; readonly courses: Set<string | number> }>()
  const again = games.map(({ entrants, course }, i) => {
    const key = entrants.join()
    const seating = seatings.get(key) ?? { n: 0, courses: new Set() }
    const before = seating.courses.has(course ?? i)
    seating.n++
    seating.courses.add(course ?? i)
    seatings.set(key, seating)
    return before
  })
  return games.map(({ entrants }, i) => {
    const { n, courses } = seatings.get(entrants.join()) ?? { n: 1, courses: new Set() }
    return { weight: n > 1 && courses.size === 1 ? 1 / n : undefined, again: again[i] === true ? true : undefined }
  })
}

/** How many games were not a repetition of one before. */
export function distinctGames(games: readonly RatedGame[]): number {
  return games.reduce((sum, { again, times = 1 }) => (again ? sum : sum + times), 0)
}

/** Games by their entrants' names, as files list them; the field is in the order of names, whatever that of the games. */
export function fieldOf(games: Iterable<{ readonly names: readonly string[]; readonly place: readonly number[] }>): {
  readonly names: readonly string[]
  readonly games: readonly RatedGame[]
} {
  const all = [...games]
  const field = [...new Set(all.flatMap(({ names }) => names))].sort()
  const index = new Map(field.map((name, i) => [name, i]))
  return {
    names: field,
    games: all.map(({ names, place }) => ({ entrants: names.map((name) => index.get(name) as number), place })),
  }
}

/** Whether any games may share their luck: in a file of games none does. */
export const hasBlocks = (games: readonly RatedGame[]): boolean => games.some(({ block }) => block !== undefined)

/** Throws a RangeError for a game of an entrant that is not in the field, or with the same entrant twice. */
export function checkGame({ entrants, place, weight = 1 }: RatedGame, field: number): void {
  const known = entrants.every((e) => Number.isInteger(e) && e >= 0 && e < field)
  const twice = entrants.length === 2 ? entrants[0] === entrants[1] : new Set(entrants).size < entrants.length
  if (entrants.length < 2 || place.length !== entrants.length || !known || twice) {
    throw new RangeError(`not a game of a field of ${field}: entrants ${entrants.join()}, places ${place.join()}`)
  }
  if (!(weight > 0 && weight <= 1)) throw new RangeError(`a game's weight is above 0 and at most 1, not ${weight}`)
}
