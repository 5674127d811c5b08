import { held, playedByMany, playedByTwo, roundRobinOf } from '../test/kit/players.js'
import { byElo, settling } from '../test/kit/settling.js'
import { stream } from '../src/core/stream.js'
import { bradleyTerry, plackettLuce } from '../src/rating/index.js'
import type { Row } from './kit.js'

export const measures =
  'how often 95 % intervals hold the truth (limit 0.95), settled orders are wrong, and what choosing saves'

const TOURNAMENTS = 5000

/** The share of intervals that hold the truth, over many simulated tournaments. */
function coverage(name: string, elo: readonly number[], rate: () => Parameters<typeof held>[0]): Row {
  let sum = 0
  for (let n = 0; n < TOURNAMENTS; n++) sum += held(rate(), elo)
  const value = sum / TOURNAMENTS
  return { name, value, limit: 0.95, ratio: value / 0.95, goal: 0.93 / 0.95 }
}

function forTwo(elo: readonly number[], games: number, nu: number): Row {
  const luck = stream('bench', elo.join(), games, nu)
  const pairs = roundRobinOf(elo.length, games)
  return coverage(`Bradley–Terry: ${elo.join(' ')}, ${games} games a pair, ν = ${nu}`, elo, () =>
    bradleyTerry(
      pairs.map((pair) => playedByTwo(luck, elo, pair, nu)),
      elo.length,
    ),
  )
}

function forMany(elo: readonly number[], seats: number, games: number, known: number): Row {
  const luck = stream('bench', elo.join(), seats, games, known)
  const company = (): number[] => {
    const left = elo.map((_, i) => i)
    return Array.from({ length: seats }, () => left.splice(luck.below(left.length), 1)[0] ?? 0)
  }
  const what = `${games} games of ${seats}, ${known === 1 ? 'the winner' : 'all places'} told`
  return coverage(`Plackett–Luce: ${elo.join(' ')}, ${what}`, elo, () =>
    plackettLuce(
      Array.from({ length: games }, () => playedByMany(luck, elo, company(), known)),
      elo.length,
    ),
  )
}

/** The share of tournaments among these whose first place is called settled. */
function wrong(name: string, field: number, wins: (a: number, b: number) => number): Row {
  const runs = 1000
  let settled = 0
  for (let n = 0; n < runs; n++) {
    const seed = `${name} ${n}`
    if (settling({ field, wins, top: 1, budget: 60, batch: field - 1, seed, chosen: true }).settled) settled++
  }
  return { name: `wrongly settled: ${name}`, value: settled / runs, limit: 0.05, ratio: null, goal: null }
}

/** Blocks until settled when pairings are chosen, as a share of those of a round robin that stops by the same rule. */
function saved(elo: readonly number[], top: number): Row {
  const blocks = (chosen: boolean): number => {
    let sum = 0
    for (let n = 0; n < 20; n++) {
      const field = elo.length
      sum += settling({ field, wins: byElo(elo), top, budget: 400, batch: field, seed: `saved ${n}`, chosen }).blocks
    }
    return sum / 20
  }
  const value = blocks(true)
  const limit = blocks(false)
  return { name: `blocks until the top ${top} of ${elo.join(' ')}`, value, limit, ratio: value / limit, goal: null }
}

/** Coverage, error rates and savings; some minutes. */
export default async function coverages(): Promise<readonly Row[]> {
  return Promise.resolve([
    forTwo([0, 0, 0, 0, 0, 0], 10, 0),
    forTwo([200, 120, 40, -40, -120, -200], 20, 0),
    forTwo([300, 100, 50, 0, -150, -300], 20, 1),
    forTwo([400, 200, 0, -200, -400], 10, 0.3),
    forTwo(
      Array.from({ length: 16 }, (_, i) => 300 - 40 * i),
      6,
      0.5,
    ),
    forMany([200, 100, 50, -50, -100, -200], 4, 40, 9),
    forMany([200, 100, 0, -100, -200], 5, 100, 1),
    forMany([150, 90, 30, 0, 0, -30, -90, -150], 4, 60, 1),
    wrong('two equals', 2, () => 0.5),
    wrong('four equals', 4, () => 0.5),
    wrong('a cycle of three', 3, (a, b) => ((b - a + 3) % 3 === 1 ? 0.9 : 0.1)),
    wrong('two equals at the top', 4, (a, b) => (a < 2 && b > 1 ? 0.9 : 0.5)),
    saved([160, 90, 60, 20, -20, -60, -100, -150], 1),
    saved([250, 150, 60, 0, -40, -80, -140, -200], 3),
    saved([200, 140, 130, 100, 60, 20, 0, -20, -60, -80, -100, -120, -130, -140], 1),
  ])
}
