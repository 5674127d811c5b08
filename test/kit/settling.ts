import { stream } from '../../src/stats/stream.js'
import { evidenceOf, type RatedGame, type Settled, settle, worthPlaying } from '../../src/stats/index.js'

const WORTH = { win: 1, draw: 0.5, loss: 0 }

export interface SimulationOptions {
  readonly field: number
  /** The probability that the first of two wins. */
  readonly wins: (a: number, b: number) => number
  /** Instead of `wins`: what the first of two scores (1, ½ or 0) in both games of a block; `uniform` draws from [0, 1). */
  readonly block?: (a: number, b: number, uniform: () => number) => readonly [number, number]
  readonly top: number
  /** Blocks (two games, seats swapped) a pair, at most. */
  readonly budget: number
  /** Blocks between two looks. */
  readonly batch: number
  readonly seed: string
  /** Whether pairings are chosen by expected information, or as a round robin has them. */
  readonly chosen: boolean
}

/** Plays simulated bots until the first places are settled, or the budget ends. */
export function settling(options: SimulationOptions): Settled & { readonly blocks: number } {
  const { field, top, budget, batch, seed, chosen } = options
  const byChance = (a: number, b: number): readonly [number, number] => {
    const score = () => (luck.uniform() < options.wins(a, b) ? 1 : 0)
    return [score(), score()]
  }
  const luck = stream('settling', seed)
  const companies: [number, number][] = []
  for (let a = 0; a < field; a++) for (let b = a + 1; b < field; b++) companies.push([a, b])
  const games = companies.map((): RatedGame[] => [])
  const { among, companies: none } = evidenceOf(companies, [], field, WORTH)
  let known = none
  for (let blocks = 0; ;) {
    const evidence = { field, companies: known, among }
    const now = settle(evidence, { top })
    if (now.settled || blocks >= budget * companies.length) return { ...now, blocks }
    const robin = Array.from({ length: batch }, (_, i) => (blocks + i) % companies.length)
    for (const k of chosen ? worthPlaying(evidence, now, batch) : robin) {
      const [a, b] = companies[k] ?? [0, 1]
      const scores = options.block?.(a, b, () => luck.uniform()) ?? byChance(a, b)
      for (const [i, score] of scores.entries()) {
        const places = [score < 0.5 ? 2 : 1, score > 0.5 ? 2 : 1]
        const swapped = i === 1
        games[k]?.push({
          entrants: swapped ? [b, a] : [a, b],
          place: swapped ? places.reverse() : places,
          block: String(blocks),
        })
      }
      blocks++
      // Only one company is other than before.
      const {
        companies: [company],
      } = evidenceOf([[a, b]], games[k] ?? [], field, WORTH)
      known = known.map((before, at) => (at === k && company ? company : before))
    }
  }
}

/** Who wins among players of these strengths, in Elo. */
export function byElo(elo: readonly number[]): (a: number, b: number) => number {
  return (a, b) => 1 / (1 + 10 ** (((elo[b] ?? 0) - (elo[a] ?? 0)) / 400))
}
