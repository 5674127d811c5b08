import type { Pairing, Result } from '../core/index.js'
import { inAnyOrder, seatScores, stream } from '../stats/index.js'
import type { Results } from './pairs.js'

const RANDOM_ORDERS = 199
/** A seats' difference that so few orders have by chance is told. */
const RARE = 0.01
/** Deals looked at for each table of a finished run: an effect they do not show is small. */
const MOST_DEALS = 200

type Deal = ReturnType<typeof dealsOf>[number]

/**
 * Says of seats where more than two play that they explain places. A permutation test over deals: if seats did not matter, a deal's
 * entrants could have come out so in any order, whoever sat where. `pairings`: all are played.
 */
export function seatNotes(seed: string, pairings: readonly Pairing[], results: Results): readonly string[] {
  if (!pairings.some(({ seats }) => seats.length > 2)) return []
  const deals = dealsOf(pairings, results)
  if (deals.length === 0) return []
  const means = meansBySeat(deals)
  const found = spread(means)
  // Matches alike in every order of seats say there is nothing.
  if (found < 1e-9) return []
  const random = stream(seed, 'seats')
  let asFar = 1
  for (let n = 0; n < RANDOM_ORDERS; n++) {
    const drawn = deals.map(({ worth, seating }) => ({
      worth: [...inAnyOrder(worth, (count) => random.below(count))],
      seating,
    }))
    if (spread(meansBySeat(drawn)) >= found - 1e-9) asFar++
  }
  if (asFar / (RANDOM_ORDERS + 1) > RARE) return []
  const best = means.indexOf(Math.max(...means))
  const worst = means.indexOf(Math.min(...means))
  const percent = (seat: number): string => `${Math.round(100 * (means[seat] ?? 0))} %`
  return [
    `seats explain places: who sits in seat ${best} leaves ${percent(best)} of the others behind, in seat ${worst} ${percent(worst)}`,
  ]
}

/**
 * The deals played in several orders of seats, all of as many as the first: by match who sat where (`seating`), and how each came out
 * (`worth`), from 0, the last, to 1, alone in the first place.
 */
function dealsOf(pairings: readonly Pairing[], results: Results) {
  const matches = new Map<string, Result[]>()
  for (const { key, seats, deal } of pairings) {
    const result = results.get(key)
    if (result === undefined) continue
    const name = `${[...seats].sort((a, b) => a - b).join()}/${deal}`
    const played = matches.get(name) ?? []
    matches.set(name, played)
    played.push(result)
  }
  const several = [...matches.values()].filter(({ length }) => length > 1).slice(0, MOST_DEALS)
  const size = several[0]?.[0]?.seats.length
  return several.flatMap((played) => {
    const who = [...(played[0]?.seats ?? [])].sort((a, b) => a - b)
    if (who.length !== size) return []
    return {
      seating: played.map(({ seats }) => seats.map((entrant) => who.indexOf(entrant))),
      worth: played.map(({ seats, outcome: { place } }) => {
        const scores = seatScores(place)
        return who.map((entrant) => scores[seats.indexOf(entrant)] as number)
      }),
    }
  })
}

function meansBySeat(deals: readonly Deal[]): number[] {
  const sums: number[] = []
  let n = 0
  for (const { worth, seating } of deals) {
    n += seating.length
    seating.forEach((who, match) =>
      who.forEach((entrant, seat) => (sums[seat] = (sums[seat] ?? 0) + (worth[match]?.[entrant] ?? 0))),
    )
  }
  return sums.map((sum) => sum / n)
}

const spread = (means: readonly number[]): number => means.reduce((sum, mean) => sum + (mean - 0.5) ** 2, 0)
