import type { Pairing, Result, Round, Series, Standings, Tournament, TournamentSpec } from '../core/index.js'
import { counted } from '../text/index.js'
import { namesOf } from './pairs.js'
import { listed } from './standings.js'

/*
 * Theory of operation.
 *
 * In a game without chance two bots that have none either play the same game whenever they sit the same way. So further matches of
 * theirs are not played but counted as the first ones went. Whether a bot has no chance is its host's to say (`deterministic = true`),
 * or is seen: a module takes what chance it has from agon, which sees whether it does. What is said is taken for true until its games
 * show otherwise; what is seen has to be seen twice in each order of seats, since a module might keep count of its matches.
 *
 * All of it follows from the results of what was played, so that a table read from the store tells the same as the run did.
 */

/** A match as far as it tells whether others would repeat it. */
export type SeenMatch = Pick<Result, 'seats' | 'course' | 'late' | 'undrawn'>

/** How often a seating has to be seen: once, where all who sit there are said to be deterministic. */
const needed = (seats: readonly number[], isDeclared: (entrant: number) => boolean): number =>
  seats.every(isDeclared) ? 1 : 2

/** Whether further matches of these pairings would repeat those that were seen: in each seating, the same game each time. */
export function areRepeats(
  pairings: readonly Pick<Pairing, 'seats'>[],
  seen: readonly SeenMatch[],
  isDeclared: (entrant: number) => boolean,
): boolean {
  const bySeating = groups(seen)
  return [...groups(pairings).values()].every(([{ seats } = { seats: [] }]) => {
    const own = bySeating.get(seats.join()) ?? []
    return own.length >= needed(seats, isDeclared) && isSame(own, isDeclared)
  })
}

/** Whether matches of one seating were the same game without chance. */
function isSame(seen: readonly SeenMatch[], isDeclared: (entrant: number) => boolean): boolean {
  const [first] = seen
  return seen.every(
    ({ seats, course, late, undrawn }) =>
      course !== undefined &&
      course === first?.course &&
      !late &&
      seats.every((entrant, seat) => isDeclared(entrant) || undrawn?.includes(seat)),
  )
}

/** The tournament in which matches that would repeat others are not played, but counted as those went. */
export function withRepeats(spec: TournamentSpec, tournament: Tournament): Tournament {
  const { repeating = [] } = spec
  let last: { readonly of: ReadonlyMap<string, Result>; readonly size: number; readonly now: Expanded } | undefined
  const expanded = (results: ReadonlyMap<string, Result>): Expanded => {
    if (last?.of === results && last.size === results.size) return last.now
    const now = expand(tournament, results, new Seen(repeating, results))
    last = { of: results, size: results.size, now }
    return now
  }
  return {
    next(results) {
      const { round, all, seen } = expanded(results)
      return round && toPlay(round, (key) => all.has(key), seen)
    },
    standings(results) {
      const { all, repeated } = expanded(results)
      return noted(spec, tournament.standings(all), repeated)
    },
    total(results) {
      const { all, repeated } = expanded(results)
      return tournament.total(all) - repeated.size
    },
    repeated: (results) => expanded(results).repeated,
    stopped: tournament.stopped ? (results) => tournament.stopped?.(expanded(results).all) : undefined,
  }
}

interface Expanded {
  /** What was played, and what repeats it. */
  readonly all: ReadonlyMap<string, Result>
  readonly repeated: ReadonlyMap<string, Result>
  readonly round: Round | undefined
  readonly seen: Seen
}

/** What was played by seating, and whose games have shown what was said of it to be wrong. */
class Seen {
  private readonly seatings: ReadonlyMap<string, readonly Result[]>
  private readonly refuted: ReadonlySet<number>

  constructor(
    private readonly repeating: NonNullable<TournamentSpec['repeating']>,
    results: ReadonlyMap<string, Result>,
  ) {
    // What was lost unplayed has no course.
    const played = [...results.values()].filter(({ course }) => course !== undefined)
    this.seatings = groups(played.sort((a, b) => (a.key < b.key ? -1 : 1)))
    // Where a bot that may draw by chance took part, games that differ say nothing of the others.
    const isDeclared = ({ seats, undrawn, late }: Result): boolean =>
      !late &&
      seats.every((entrant, seat) => {
        const known = repeating[entrant]
        return known === 'declared' || (known === 'module' && undrawn?.includes(seat))
      })
    const differ = [...this.seatings.values()].filter(
      (own) => own.every(isDeclared) && new Set(own.map(({ course }) => course)).size > 1,
    )
    this.refuted = new Set(differ.flatMap(([first]) => first?.seats ?? []))
  }

  readonly isDeclared = (entrant: number): boolean =>
    this.repeating[entrant] === 'declared' && !this.refuted.has(entrant)

  /** The first match of a seating. */
  first({ seats }: Pick<Pairing, 'seats'>): Result | undefined {
    return this.of(seats)[0]
  }

  private of(seats: readonly number[]): readonly Result[] {
    return this.seatings.get(seats.join()) ?? []
  }

  /** Whether the matches of a series that were not played would repeat those of the same entrants that were. */
  repeats({ pairings }: Series): boolean {
    if (!this.mayRepeat(pairings)) return false
    return areRepeats(
      pairings,
      [...groups(pairings).values()].flatMap(([one]) => this.of(one?.seats ?? [])),
      this.isDeclared,
    )
  }

  mayRepeat(pairings: readonly Pairing[]): boolean {
    return pairings.every(({ seats }) => seats.every((entrant) => (this.repeating[entrant] ?? 'unknown') !== 'unknown'))
  }

  /** After how many matches of a series it is seen whether the others repeat them; undefined: all are played. */
  probe({ pairings }: Series): Series['probe'] {
    if (!this.mayRepeat(pairings)) return undefined
    const open = [...groups(pairings).values()].some(
      ([one]) => one && this.of(one.seats).length < needed(one.seats, this.isDeclared),
    )
    const counts = new Map<string, number>()
    const wanting = (): boolean =>
      pairings.some(({ seats }) => (counts.get(seats.join()) ?? 0) < needed(seats, this.isDeclared))
    let matches = 0
    for (const { seats } of pairings) {
      if (!wanting()) break
      counts.set(seats.join(), (counts.get(seats.join()) ?? 0) + 1)
      matches++
    }
    if (!open) return undefined
    const entrants = new Set(pairings.flatMap(({ seats }) => seats))
    return { matches, declared: [...entrants].filter(this.isDeclared) }
  }
}

function expand(tournament: Tournament, results: ReadonlyMap<string, Result>, seen: Seen): Expanded {
  const all = new Map(results)
  const repeated = new Map<string, Result>()
  for (;;) {
    const round = tournament.next(all)
    let more = false
    for (const series of round?.series ?? []) {
      const missing = series.pairings.filter(({ key }) => !all.has(key))
      if (missing.length === 0 || !seen.repeats(series)) continue
      for (const { key, seats } of missing) {
        const { key: repeats, ...first } = seen.first({ seats }) as Result
        const result = { ...first, key, repeats }
        all.set(key, result)
        repeated.set(key, result)
        more = true
      }
    }
    if (!more) return { all, repeated, round, seen }
  }
}

/**
 * A round without what is not played, with how far each series is to be played before it is looked at again. One of which the first
 * matches were played, and which turned out not to repeat itself, goes on with the others: they are a sitting of their own.
 */
function toPlay(round: Round, isKnown: (key: string) => boolean, seen: Seen): Round {
  const series = round.series.map((one): Series => {
    if (!seen.mayRepeat(one.pairings)) return one
    const probe = seen.probe(one)
    const pairings = one.pairings.filter(({ key }) => !isKnown(key))
    return { key: one.key, pairings, probe: probe && pairings.length === one.pairings.length ? probe : undefined }
  })
  return { ...round, series: series.filter(({ pairings }) => pairings.length > 0) }
}

/** Pairs that a note names. */
const NAMED = 5

function noted(spec: TournamentSpec, table: Standings, repeated: ReadonlyMap<string, Result>): Standings {
  if (repeated.size === 0) return table
  const pairs = new Map(
    [...repeated.values()].map(({ seats }) => {
      const pair = [...seats].sort((a, b) => a - b)
      return [pair.join(), namesOf(spec, pair).join('–')] as const
    }),
  )
  const names = [...pairs.values()]
  const known = names.length > NAMED ? [...names.slice(0, NAMED), `${names.length - NAMED} more`] : names
  const note = `${counted(repeated.size, 'match', 'matches')} of ${counted(names.length, 'pair')} not played again, as they repeat the same game, and counted all the same: ${listed(known)}`
  return { ...table, notes: [...table.notes, note] }
}

function groups<T extends { readonly seats: readonly number[] }>(
  items: readonly T[],
): ReadonlyMap<string, readonly T[]> {
  const by = new Map<string, T[]>()
  for (const item of items) {
    const key = item.seats.join()
    const group = by.get(key)
    if (group === undefined) by.set(key, [item])
    else group.push(item)
  }
  return by
}
