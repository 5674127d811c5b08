import type { Round, TournamentSpec } from '../core/index.js'
import type { Format } from './format.js'
import { rotationsOf } from './groups.js'
import { seriesKey } from './keys.js'
import { oneRound } from './rounds.js'
import { allAmong, evenest, inLotOrder, lot, namesOf, refuseSize, shuffled, sitting } from './pairs.js'

export const HEATS: Format = {
  kind: 'heats',
  keys: ['size'],
  sizes: 'size',
  deals: 'swapped',
  build: (spec) => oneRound(spec, heats(spec)),
}

const DRAWINGS_COMPARED = 300

/**
 * Heats of `size` entrants in which everyone sits in each seat `repetitions` times, and meets all others as evenly as can be. With `swap` a
 * heat is a deal in all rotations of its seats, without a single match.
 *
 * A cyclic design: entrants stand in a circle drawn by lot, and a cycle is n matches, each the one before moved on by one. So everyone sits
 * once in each seat, and how often two meet depends on the first match's distances alone. Of several drawings for a cycle the one is taken
 * that evens the distances so far best.
 */
function heats(spec: TournamentSpec): Round {
  const { swap, repetitions, size = spec.seats.min } = spec.format
  const entrants = allAmong(spec)
  refuseSize(spec, 'a heat', size, entrants.length)
  const names = [...namesOf(spec, entrants)].sort()
  const circle = inLotOrder(spec, entrants, 'circle')
  const positions = circle.map((_, i) => i)
  const team = spec.scoring.teams?.[size]
  /** By distance around the circle: how often two so far apart meet, and as team mates. */
  let met: readonly number[] = circle.map(() => 0)
  let mates = met
  const orders = new Map<string, (readonly number[])[]>()
  for (let cycle = 0; cycle < repetitions; cycle++) {
    const best = evenest(DRAWINGS_COMPARED, (attempt) => {
      const base = shuffled(lot(spec.seed, 'heat', cycle, attempt, ...names), positions).slice(0, size)
      const then = { met: withMeetings(met, base), mates: team ? withMeetings(mates, base, team) : mates }
      return { base, ...then, uneven: spread(then.met) + spread(then.mates) }
    })
    ;({ met, mates } = best)
    for (const on of positions) {
      const seats = best.base.map((position) => circle[(position + on) % circle.length] as number)
      const key = seriesKey('1', namesOf(spec, seats))
      orders.set(key, [...(orders.get(key) ?? []), ...(swap ? rotationsOf(seats) : [seats])])
    }
  }
  const series = [...orders.values()].map((seats) =>
    sitting(spec, '1', seats, (i) => (swap ? Math.floor(i / size) : i)),
  )
  return { label: 'round 1', series }
}

/** The meetings with a cycle's added; `team`: those of mates alone. */
function withMeetings(met: readonly number[], base: readonly number[], team?: readonly number[]): readonly number[] {
  const then = [...met]
  for (const [i, a] of base.entries()) {
    for (const [j, b] of base.entries()) {
      const distance = (a - b + met.length) % met.length
      if (distance !== 0 && team?.[i] === team?.[j]) then[distance] = (then[distance] as number) + 1
    }
  }
  return then
}

/** How far from even: the most less the least, then the squares; 0: all alike. */
function spread([, ...counts]: readonly number[]): number {
  const most = Math.max(...counts)
  const least = Math.min(...counts)
  return most === least ? 0 : (most - least) * 1e6 + counts.reduce((sum, m) => sum + (m - least) ** 2, 0)
}
