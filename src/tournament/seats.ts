import type { Pairing, Result } from '../core/index.js'
import { stream } from '../stats/stream.js'
import { inAnyOrder } from './pairs.js'

/** Random orders that are compared with the one there was. */
const TRIES = 199
/** A difference of the seats that so few of the orders have by chance is told. */
const RARE = 0.01
/** Deals that are looked at, for each table of a run that is over: the effect of a seat that these do not show is small. */
const MOST_DEALS = 200

/** A deal: how each entrant came out in each of its matches, and who sat where in them. */
interface Deal {
  /** By match and entrant of the deal, from 0, the last, to 1, alone in the first place. */
  readonly worth: readonly (readonly number[])[]
  /** By match and seat: which of the deal's entrants. */
  readonly seating: readonly (readonly number[])[]
}

/**
 * What is to be said of the seats where more than two play: that they explain places. A permutation test over deals: if seats did not matter,
 * how the entrants of a deal came out in its matches could have been so in any order of them, whoever sat where. `pairings`: all are played.
 */
export function seatNotes(
  seed: string,
  pairings: readonly Pairing[],
  results: ReadonlyMap<string, Result>,
): readonly string[] {
  if (!pairings.some((one) => one.seats.length > 2)) return []
  const deals = dealsOf(pairings, results)
  const seats = deals[0]?.seating[0]?.length ?? 0
  if (seats === 0) return []
  const means = meansBySeat(deals, seats)
  const found = spread(means)
  // Matches that went alike in every order of seats say that there is nothing.
  if (found < 1e-9) return []
  const random = stream(seed, 'seats')
  let asFar = 1
  for (let n = 0; n < TRIES; n++) {
    const drawn = deals.map(({ worth, seating }) => ({
      worth: inAnyOrder(worth, (count) => random.below(count)),
      seating,
    }))
    if (spread(meansBySeat(drawn, seats)) >= found - 1e-9) asFar++
  }
  if (asFar / (TRIES + 1) > RARE) return []
  const best = means.indexOf(Math.max(...means))
  const worst = means.indexOf(Math.min(...means))
  const percent = (seat: number): string => `${Math.round(100 * (means[seat] ?? 0))} %`
  return [
    `seats explain places: who sits in seat ${best} leaves ${percent(best)} of the others behind, in seat ${worst} ${percent(worst)}`,
  ]
}

/** The deals that were played in several orders of seats, all of as many as the first has. */
function dealsOf(pairings: readonly Pairing[], results: ReadonlyMap<string, Result>): readonly Deal[] {
  const matches = new Map<string, Result[]>()
  for (const { key, seats, deal } of pairings) {
    const result = results.get(key)
    if (result === undefined) continue
    const name = `${[...seats].sort((a, b) => a - b).join()}/${deal}`
    const known = matches.get(name)
    if (known === undefined) matches.set(name, [result])
    else known.push(result)
  }
  const several = [...matches.values()].filter((one) => one.length > 1).slice(0, MOST_DEALS)
  const size = several[0]?.[0]?.seats.length
  return several.filter(([first]) => first?.seats.length === size).map(dealOf)
}

function dealOf(matches: readonly Result[]): Deal {
  const who = [...(matches[0]?.seats ?? [])].sort((a, b) => a - b)
  return {
    seating: matches.map(({ seats }) => seats.map((entrant) => who.indexOf(entrant))),
    worth: matches.map(({ seats, outcome: { place } }) => who.map((entrant) => worthOf(place, seats.indexOf(entrant)))),
  }
}

/** The share of the others that a seat leaves behind; half of those that it is level with. */
function worthOf(place: readonly number[], seat: number): number {
  const own = place[seat] ?? 0
  const behind = place.reduce((sum, other) => sum + (other > own ? 1 : other === own ? 0.5 : 0), -0.5)
  return behind / Math.max(1, place.length - 1)
}

function meansBySeat(deals: readonly Deal[], seats: number): number[] {
  const sums = Array<number>(seats).fill(0)
  let n = 0
  for (const { worth, seating } of deals) {
    for (const [match, who] of seating.entries()) {
      n++
      for (let seat = 0; seat < seats; seat++)
        sums[seat] = (sums[seat] as number) + (worth[match]?.[who[seat] as number] ?? 0)
    }
  }
  return sums.map((sum) => sum / Math.max(1, n))
}

const spread = (means: readonly number[]): number => means.reduce((sum, mean) => sum + (mean - 0.5) ** 2, 0)
