import type { Result, Teams } from '../core/index.js'

/** A game as a rating sees it: who played, and how they came out. Entrants by their index in the field. */
export interface RatedGame {
  readonly entrants: readonly number[]
  /** In the order of `entrants`; 1 is best, equals share: [1, 1] is a draw. */
  readonly place: readonly number[]
  /** In the order of `entrants`: each one's team, whose members share a place. Absent: everyone plays alone. */
  readonly team?: readonly number[]
  /** Games of the same entrants with the same luck, resampled together. Absent: a block of its own. */
  readonly block?: string
  /** Its weight in every uncertainty, 1 by default: n games of one seating and course (no chance) have 1/n each. */
  readonly weight?: number
  /** A game before took the same course in the same seats. */
  readonly again?: true
  /** It stands for so many alike, each in a block alike (`GameKinds`); 1 by default. */
  readonly times?: number
}

/** What the caller knows of a match beside its result. */
export interface Circumstances<R extends Result = Result> {
  /**
   * A digest of the game's course (its moves): the same in the same seats is the same game again. Absent: none repeats.
   */
  readonly course?: (result: R) => string | undefined
  /** The match's deal of luck (`Pairing.deal`); absent: each match is its own block. */
  readonly deal?: (result: R) => number | string | undefined
  /** Of the contest's scoring. */
  readonly teams?: Teams
}

/** A tournament's results as games, with blocks (who met × deal) and the weights of repeated ones. */
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

/** By game, its count and whether it is a repetition. A game without a course is unlike all others. */
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

/** Games by entrants' names, as files list them; the field is in the order of names, whatever the games'. */
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

/** Whether games may share their luck: in a file of games none does. */
export const hasBlocks = (games: readonly RatedGame[]): boolean => games.some(({ block }) => block !== undefined)

/** Throws RangeError for a game with an entrant not in the field, or the same one twice. */
export function checkGame({ entrants, place, weight = 1 }: RatedGame, field: number): void {
  const known = entrants.every((e) => Number.isInteger(e) && e >= 0 && e < field)
  const twice = entrants.length === 2 ? entrants[0] === entrants[1] : new Set(entrants).size < entrants.length
  if (entrants.length < 2 || place.length !== entrants.length || !known || twice) {
    throw new RangeError(`not a game of a field of ${field}: entrants ${entrants.join()}, places ${place.join()}`)
  }
  if (!(weight > 0 && weight <= 1)) throw new RangeError(`a game's weight is above 0 and at most 1, not ${weight}`)
}
