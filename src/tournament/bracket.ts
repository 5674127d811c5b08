import type { Pairing, Result, Series, Standings, Tournament, TournamentSpec } from '../core/index.js'
import { matchKey, seriesKey } from './keys.js'
import { allAmong, alternating, namesOf, type Pair, lot, shuffled } from './pairs.js'
import { repeats } from './playoff.js'
import { nothing, pointsOf, type Score, tally, together } from './scoring.js'
import { listed } from '../text/index.js'
import { longestFirst, rowsOf } from './standings.js'

/** A pairing of a round: how it stands. */
interface Tie {
  readonly pair: Pair
  /** Matches that are wanted next; none once it is decided. */
  readonly next: Series | undefined
  /** How many of its matches have been played. */
  readonly over: number
  readonly winner: number | undefined
  /** Both of `pair`, their points in it, and what these were reckoned of. */
  readonly points: readonly [number, number]
  readonly scores: readonly { readonly entrant: number; readonly score: Score }[]
  /** Matches did not decide. */
  readonly bySeed: boolean
  /** The last ones were those before them again. */
  readonly repeated: boolean
}

/** The entrants of a round, two by two; undefined: nobody, so the other of the two has a bye. */
export type Slots = readonly (number | undefined)[]

/** Half as many slots: who won each pairing or had a bye, and who lost. */
export interface PlayedSlots {
  readonly winners: Slots
  readonly losers: Slots
}

/** The rounds of a knockout, the first of which has the `bracket` of all: each follows from how the ones before it ended. */
export type Draw = (seeds: readonly number[]) => Generator<Slots, void, PlayedSlots>

/** How far a knockout is. */
interface Course {
  /** By round. */
  readonly stages: readonly (readonly Tie[])[]
  readonly over: boolean
}

/**
 * A tournament of pairings that send the winner on; whoever has lost `lives` of them is out. A pairing is the best of `repetitions`:
 * it ends once it is decided. If it is level then, up to `playoff` further matches follow one by one, fewer if they repeat each
 * other, and the better seed goes on if these do not help either.
 */
export function knockout(spec: TournamentSpec, lives: number, draw: Draw): Tournament {
  const seeds = seedsOf(spec, allAmong(spec))
  const course = (results: ReadonlyMap<string, Result>): Course => courseOf(spec, seeds, draw, results)
  return {
    next(results) {
      const { stages } = course(results)
      const open = stages.at(-1)?.filter(({ next }) => next !== undefined) ?? []
      // Pairings that need more matches than others wait until the others are as far.
      const least = Math.min(...open.map(({ over }) => Math.max(over, atLeast(spec) - 1)))
      const series = open.flatMap(({ next, over }) => (next && over <= least ? [next] : []))
      return series.length > 0 ? { label: `round ${stages.length}`, series } : undefined
    },
    standings: (results) => table(spec, seeds, lives, course(results)),
    total(results) {
      const { stages, over: isOver } = course(results)
      const ties = stages.flat()
      const most = spec.format.repetitions + spec.format.playoff
      let sum = isOver ? 0 : (lives * seeds.length - 1 - ties.length) * most
      for (const { over, winner } of ties) sum += winner === undefined ? most : over
      return sum
    },
  }
}

function courseOf(
  spec: TournamentSpec,
  seeds: readonly number[],
  draw: Draw,
  results: ReadonlyMap<string, Result>,
): Course {
  const rounds = draw(seeds)
  const stages: Tie[][] = []
  for (let round = rounds.next(); !round.done;) {
    const ties: Tie[] = []
    const winners: (number | undefined)[] = []
    const losers: (number | undefined)[] = []
    for (let i = 0; i < round.value.length; i += 2) {
      const [a, b] = [round.value[i], round.value[i + 1]]
      const isBye = a === undefined || b === undefined
      const tie = isBye ? undefined : tieOf(spec, seeds, [a, b], stages, results)
      if (tie) ties.push(tie)
      winners.push(tie ? tie.winner : (a ?? b))
      losers.push(tie && (tie.winner === a ? b : a))
    }
    stages.push(ties)
    if (ties.some(({ winner }) => winner === undefined)) return { stages, over: false }
    round = rounds.next({ winners, losers })
  }
  return { stages, over: true }
}

/** The entrants from the best seed on: by the contest's order, or by lot. */
export function seedsOf(spec: TournamentSpec, entrants: readonly number[]): readonly number[] {
  if (spec.format.seeding !== 'lot') return entrants
  const names = [...namesOf(spec, entrants)].sort()
  return shuffled(lot(spec.seed, 'seeding', ...names), names).map((name) => spec.names.indexOf(name))
}

/**
 * The slots of the first round, by seeds: the first and the second can meet in the last round only, the first four in the last two, and
 * so on. If the field is no power of two, the best seeds have a bye.
 */
export function bracket(seeds: readonly number[]): Slots {
  let order: number[] = [0]
  // In a bracket of twice the size the seed s of the smaller one meets the one that makes up the sum.
  while (order.length < seeds.length) {
    const last = 2 * order.length - 1
    order = order.flatMap((s, i) => (i % 2 === 0 ? [s, last - s] : [last - s, s]))
  }
  return order.map((s) => seeds[s])
}

/** How a pairing of the round after these `stages` stands. */
function tieOf(
  spec: TournamentSpec,
  seeds: readonly number[],
  pair: Pair,
  stages: readonly (readonly Tie[])[],
  results: ReadonlyMap<string, Result>,
): Tie {
  const { repetitions, playoff, swap } = spec.format
  const round = String(stages.length + 1)
  const key = seriesKey(round, namesOf(spec, pair))
  const orders = swap ? alternating(spec, pair, round, repetitions + playoff) : undefined
  // Two that meet again go on with new luck.
  const before = stages.flat().filter((tie) => pair.every((entrant) => tie.pair.includes(entrant))).length
  const deal = before * (repetitions + playoff)
  // At first as many as it takes at least, in one sitting; then one at a time, each of a deal of its own.
  const least = atLeast(spec)
  const pairings = Array.from({ length: repetitions + playoff }, (_, i) => ({
    key: matchKey(key, i + 1),
    seats: orders?.[i] ?? pair,
    deal: deal + (swap && i < least ? Math.floor(i / 2) : i),
  }))
  const done = pairings.findIndex((pairing) => !results.has(pairing.key))
  const over = done === -1 ? pairings.length : done
  const played = pairings.slice(0, over)
  const { scores } = tally(spec.scoring, spec.names.length, played, results)
  const [one, other] = pair.map((entrant) => scores[entrant] ?? nothing(spec.scoring)) as [Score, Score]
  const points = [pointsOf(spec.scoring, one), pointsOf(spec.scoring, other)] as const
  const own = [
    { entrant: pair[0], score: one },
    { entrant: pair[1], score: other },
  ]
  const lead = leadOf(spec, pair, points, played, results)
  // The most that what is left of the best-of can still turn: anything, where scores count.
  const most = spec.scoring.by === 'score' ? Infinity : spec.scoring.win - spec.scoring.loss
  const turn = over >= repetitions ? 0 : (repetitions - over) * most
  const decided = over > 0 && lead !== 0 && Math.abs(lead) > turn
  // Further matches are sittings of their own, of which so many hold every order of seats.
  const cycle = swap ? 2 : 1
  const further = pairings.slice(repetitions, over)
  const repeated = lead === 0 && repeats(spec, further.slice(-cycle), further.slice(-2 * cycle, -cycle), results)
  const exhausted = over === pairings.length || repeated
  if (!decided && !exhausted) {
    const next = over < least ? { key, pairings: pairings.slice(0, least) } : alone(pairings[over] as Pairing)
    return { pair, points, scores: own, over, winner: undefined, bySeed: false, repeated, next }
  }
  const winner = lead > 0 ? pair[0] : lead < 0 ? pair[1] : seeds.find((entrant) => pair.includes(entrant))
  return { pair, points, scores: own, over, winner, bySeed: lead === 0, repeated, next: undefined }
}

/** By how much the first of a pair leads. Where scores count, a match that one of them lost unplayed decides. */
function leadOf(
  { scoring }: TournamentSpec,
  [a, b]: Pair,
  points: readonly [number, number],
  played: readonly Pairing[],
  results: ReadonlyMap<string, Result>,
): number {
  if (scoring.by !== 'score') return points[0] - points[1]
  let lost = 0
  for (const { key, seats } of played) {
    const { place, score } = results.get(key)?.outcome ?? {}
    if (score === undefined) lost += (place?.[seats.indexOf(b)] ?? 0) - (place?.[seats.indexOf(a)] ?? 0)
  }
  return lost === 0 ? points[0] - points[1] : lost * Infinity
}

/** How many matches it takes to win a best-of at least: all of them, where scores count. */
function atLeast({ format, scoring }: TournamentSpec): number {
  return scoring.by === 'score' ? format.repetitions : Math.floor(format.repetitions / 2) + 1
}

function alone(pairing: Pairing): Series {
  return { key: pairing.key, pairings: [pairing] }
}

/** Ranks by the round in which an entrant lost for the last time; a column of points for each round. */
function table(
  spec: TournamentSpec,
  seeds: readonly number[],
  lives: number,
  { stages }: Pick<Course, 'stages'>,
): Standings {
  const scores = stages.flat().flatMap((tie) => tie.scores)
  const lines = seeds.map((entrant) => {
    let until = Infinity
    let lost = 0
    const cells = stages.map((ties, stage) => {
      const tie = ties.find(({ pair }) => pair.includes(entrant))
      if (!tie) return null
      if (tie.winner !== undefined && tie.winner !== entrant && ++lost === lives) until = stage
      return tie.points[tie.pair.indexOf(entrant)] ?? null
    })
    const sum = scores
      .filter((part) => part.entrant === entrant)
      .map(({ score }) => score)
      .reduce(together, nothing(spec.scoring))
    return { entrant, cells, until, scored: sum.scored, points: pointsOf(spec.scoring, sum) }
  })
  const rows = rowsOf(spec, lines, longestFirst(spec.scoring))
  const lucky = stages.flat().filter(({ bySeed }) => bySeed)
  const notes = lucky.map(({ pair, winner, repeated }) => {
    const name = spec.names[winner ?? -1] ?? ''
    const again = repeated ? ', and their matches repeated each other' : ''
    return `${listed(namesOf(spec, pair))} were level${again}: ${name} went on as the better seed`
  })
  return { columns: stages.map((_, i) => String(i + 1)), rows, notes }
}
