import type { Pairing, Result, Series, Standing, Standings, Tournament, TournamentSpec } from '../core/index.js'
import { matchKey, seriesKey } from './keys.js'
import { allAmong, alternating, namesOf, type Pair, lot, shuffled } from './pairs.js'
import { repeats } from './playoff.js'
import { nothing, pointsOf, type Score, tally, together } from './scoring.js'
import { listed, longestFirst, ranked } from './standings.js'

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
  /** Where matches did not decide. */
  readonly bySeed: boolean
  /** The last ones were those before them again. */
  readonly repeated: boolean
}

/** One round of the bracket. */
interface Stage {
  readonly ties: readonly Tie[]
  readonly byes: readonly number[]
}

/**
 * Single elimination. Seeds stand in the bracket so that the first and the second can meet in the last round only, the first
 * four in the last two, and so on; where the field is no power of two, the best seeds have a bye in the first round. A pairing
 * is the best of `repetitions`: it ends once it is decided. Where it is level then, up to `playoff` further matches follow one
 * by one, fewer where they repeat each other, and the better seed goes on if these do not help either.
 */
export function elimination(spec: TournamentSpec): Tournament {
  const seeds = seedsOf(spec, allAmong(spec))
  const course = (results: ReadonlyMap<string, Result>): readonly Stage[] => {
    const stages: Stage[] = []
    let standing = bracket(seeds)
    while (standing.length > 1) {
      const byes: number[] = []
      const ties: Tie[] = []
      const through: (number | undefined)[] = []
      for (let i = 0; i < standing.length; i += 2) {
        const [a, b] = [standing[i], standing[i + 1]]
        if (a !== undefined && b !== undefined) {
          const tie = look(spec, seeds, [a, b], stages.length + 1, results)
          ties.push(tie)
          through.push(tie.winner)
        } else {
          const bye = a ?? b
          if (bye !== undefined) byes.push(bye)
          through.push(bye)
        }
      }
      stages.push({ ties, byes })
      if (ties.some(({ winner }) => winner === undefined)) break
      standing = through
    }
    return stages
  }

  return {
    next(results) {
      const stages = course(results)
      const open = stages[stages.length - 1]?.ties.filter(({ next }) => next !== undefined) ?? []
      // Pairings that need more matches than others wait until the others are as far.
      const least = Math.min(...open.map(({ over }) => Math.max(over, atLeast(spec) - 1)))
      const series = open.flatMap(({ next, over }) => (next && over <= least ? [next] : []))
      return series.length > 0 ? { label: `round ${stages.length}`, series } : undefined
    },
    standings: (results) => table(spec, seeds, course(results)),
    total(results) {
      const stages = course(results)
      const ties = stages.flatMap((stage) => stage.ties)
      const most = spec.format.repetitions + spec.format.playoff
      let sum = (seeds.length - 1 - ties.length) * most
      for (const { over, winner } of ties) sum += winner === undefined ? most : over
      return sum
    },
  }
}

/** The entrants from the best seed on: by the contest's order, or by lot. */
export function seedsOf(spec: TournamentSpec, entrants: readonly number[]): readonly number[] {
  if (spec.format.seeding !== 'lot') return entrants
  const names = [...namesOf(spec, entrants)].sort()
  return shuffled(lot(spec.seed, 'seeding', ...names), names).map((name) => spec.names.indexOf(name))
}

/** The seeds from top to bottom of the bracket; undefined: a bye for the seed beside it. */
function bracket(seeds: readonly number[]): readonly (number | undefined)[] {
  let places: number[] = [0]
  // In a bracket of twice the size the seed s of the smaller one meets the one that makes up the sum.
  while (places.length < seeds.length) {
    const last = 2 * places.length - 1
    places = places.flatMap((s, i) => (i % 2 === 0 ? [s, last - s] : [last - s, s]))
  }
  return places.map((s) => seeds[s])
}

function look(
  spec: TournamentSpec,
  seeds: readonly number[],
  pair: Pair,
  round: number,
  results: ReadonlyMap<string, Result>,
): Tie {
  const { repetitions, playoff, swap } = spec.format
  const key = seriesKey(String(round), namesOf(spec, pair))
  const orders = swap ? alternating(spec, pair, String(round), repetitions + playoff) : undefined
  // At first as many as it takes at least, in one sitting; then one at a time, each of a deal of its own.
  const least = atLeast(spec)
  const pairings = Array.from({ length: repetitions + playoff }, (_, i) => ({
    key: matchKey(key, i + 1),
    seats: orders?.[i] ?? pair,
    deal: swap && i < least ? Math.floor(i / 2) : i,
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

/** Ranks by the round in which one lost; a column of points for each round. */
function table(spec: TournamentSpec, seeds: readonly number[], stages: readonly Stage[]): Standings {
  const played = stages.flatMap(({ ties }) => ties.flatMap((tie) => tie.scores))
  const sumOf = (entrant: number): Score =>
    played
      .filter((one) => one.entrant === entrant)
      .map(({ score }) => score)
      .reduce(together, nothing(spec.scoring))
  const lines = seeds.map((entrant) => {
    let until = Infinity
    const cells = stages.map(({ ties }, stage) => {
      const tie = ties.find(({ pair }) => pair.includes(entrant))
      if (!tie) return null
      if (tie.winner !== undefined && tie.winner !== entrant) until = stage
      return tie.points[tie.pair.indexOf(entrant)] ?? null
    })
    const { scored, ...sum } = sumOf(entrant)
    return { entrant, cells, until, scored, points: pointsOf(spec.scoring, { ...sum, scored }) }
  })
  const rows = ranked(lines, longestFirst(spec.scoring)).map(({ rank, item }): Standing => ({
    rank,
    entrant: item.entrant,
    name: spec.names[item.entrant] ?? '',
    points: item.points,
    cells: item.cells,
  }))
  const lucky = stages.flatMap(({ ties }) => ties.filter(({ bySeed }) => bySeed))
  const notes = lucky.map(({ pair, winner, repeated }) => {
    const name = spec.names[winner ?? -1] ?? ''
    const again = repeated ? ', and their matches repeated each other' : ''
    return `${listed(namesOf(spec, pair))} were level${again}: ${name} went on as the better seed`
  })
  return { columns: stages.map((_, i) => String(i + 1)), rows, notes }
}
