import type { Pairing, Round, Series, TournamentSpec } from '../core/index.js'
import type { Format } from './format.js'
import { rotationsOf } from './groups.js'
import { matchKey, seriesKey } from './keys.js'
import { oneRound } from './one-round.js'
import { allAmong, namesOf, lot, refuseSize, shuffled } from './pairs.js'

export const HEATS: Format = {
  kind: 'heats',
  keys: ['size'],
  sizes: 'size',
  deals: 'swapped',
  unlikeOpponents: false,
  openEnded: false,
  build: (spec) => oneRound(spec, heats(spec)),
}

/** How many drawings are compared for each cycle of heats. */
const TRIES = 300

/**
 * Heats of `size` entrants in which everyone sits in each seat `repetitions` times, and meets everyone else as evenly as can be. With `swap`
 * each heat is a deal that is played in all rotations of its seats, without a single match.
 *
 * A cyclic design: entrants stand in a circle drawn by lot, and a cycle is n matches, each the one before moved on by one.
 * Whatever the first is, everyone sits once in each seat; how often two meet depends on the distances in it alone. Of the
 * drawings for each cycle that one is taken that evens the distances of all cycles so far best.
 */
function heats(spec: TournamentSpec): Round {
  const size = spec.format.size ?? spec.seats.min
  const entrants = allAmong(spec)
  refuseSize(spec, 'a heat', size, entrants.length)
  const names = [...namesOf(spec, entrants)].sort()
  const circle = shuffled(lot(spec.seed, 'circle', ...names), names).map((name) => spec.names.indexOf(name))
  const series = new Map<string, Pairing[]>()
  for (const seats of cyclesOf(spec, circle, size, names)) {
    const key = seriesKey('1', namesOf(spec, seats))
    const pairings = series.get(key) ?? []
    const deal = (pairings.at(-1)?.deal ?? -1) + 1
    for (const order of spec.format.swap ? rotationsOf(seats) : [seats])
      pairings.push({ key: matchKey(key, pairings.length + 1), seats: order, deal })
    series.set(key, pairings)
  }
  return { label: 'round 1', series: [...series].map(([key, pairings]): Series => ({ key, pairings })) }
}

function cyclesOf(
  spec: TournamentSpec,
  circle: readonly number[],
  size: number,
  names: readonly string[],
): readonly (readonly number[])[] {
  const n = circle.length
  /** By distance around the circle: how often two so far apart meet. */
  let met = new Int32Array(n)
  /** The same of team mates. */
  let mates = new Int32Array(n)
  const team = spec.scoring.teams?.[size]
  const matches: (readonly number[])[] = []
  for (let cycle = 0; cycle < spec.format.repetitions; cycle++) {
    let best:
      | {
          readonly base: readonly number[]
          readonly met: Int32Array<ArrayBuffer>
          readonly mates: Int32Array<ArrayBuffer>
          readonly uneven: number
        }
      | undefined
    for (let attempt = 0; attempt < TRIES && best?.uneven !== 0; attempt++) {
      const positions = Array.from({ length: n }, (_, i) => i)
      const base = shuffled(lot(spec.seed, 'heat', cycle, attempt, ...names), positions).slice(0, size)
      const then = { met: meetings(met, base), mates: team ? meetings(mates, base, team) : mates }
      const uneven = spread(then.met) + spread(then.mates)
      if (!best || uneven < best.uneven) best = { base, ...then, uneven }
    }
    if (!best) break
    ;({ met, mates } = best)
    const { base } = best
    for (let on = 0; on < n; on++) matches.push(base.map((position) => circle[(position + on) % n] as number))
  }
  return matches
}

/** The meetings with those of a cycle added; `team`: those of team mates alone. */
function meetings(met: Int32Array, base: readonly number[], team?: readonly number[]): Int32Array<ArrayBuffer> {
  const n = met.length
  const then = Int32Array.from(met)
  for (const [i, a] of base.entries()) {
    for (const [j, b] of base.entries()) {
      const distance = (a - b + n) % n
      if (distance !== 0 && team?.[i] === team?.[j]) then[distance] = (then[distance] as number) + 1
    }
  }
  return then
}

/** How far from even: the most less the least, then the squares; 0 where all meet alike. */
function spread(met: Int32Array): number {
  const counts = met.subarray(1)
  const most = Math.max(...counts)
  const least = Math.min(...counts)
  return most === least ? 0 : (most - least) * 1e6 + counts.reduce((sum, m) => sum + (m - least) ** 2, 0)
}
