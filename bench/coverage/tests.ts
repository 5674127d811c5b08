import { cycles, likeness } from '../../src/lab/index.js'
import { stream } from '../../src/stats/stream.js'
import {
  type RatedGame,
  comparisonsOf,
  duelElo,
  meansOf,
  normalDraw,
  scoredCompanies,
  seatsDecide,
  sprt,
} from '../../src/stats/index.js'
import { playedByTwo, roundRobinOf } from '../../test/kit/players.js'
import { byElo, settling } from '../../test/kit/settling.js'
import type { Row } from '../kit.js'
import { coverage, errors, times } from './rows.js'

/** Tournaments whose first place is called settled, which it is not. */
export const settled = (runs: number): readonly Row[] => [
  wrongly('two equals', 2, () => 0.5, runs),
  wrongly('four equals', 4, () => 0.5, Math.ceil(runs / 5)),
  wrongly('a cycle of three', 3, (a, b) => ((b - a + 3) % 3 === 1 ? 0.9 : 0.1), Math.ceil(runs / 2)),
  wrongly('two equals at the top', 4, (a, b) => (a < 2 && b > 1 ? 0.9 : 0.5), Math.ceil(runs / 5)),
]

function wrongly(name: string, field: number, wins: (a: number, b: number) => number, runs: number): Row {
  const found = times(runs, (n) =>
    settling({ field, wins, top: 1, budget: 60, batch: field - 1, seed: `${name} ${n}`, chosen: true }),
  )
  return errors(`wrongly settled: ${name}`, found.filter((one) => one.settled).length, runs)
}

/** Duels that are looked at after every twentieth of 200 games: of equals, those that find the one better; and the Elo with which each ended. */
export function duels(runs: number): readonly Row[] {
  const all = [0, 50, 200].map((lead) => {
    const luck = stream('duels', lead)
    return times(runs, () => {
      const games = times(200, (n): RatedGame => {
        const match = playedByTwo(luck, [lead / 2, -lead / 2], n % 2 ? [0, 1] : [1, 0], 0)
        return { ...match, block: String(n >> 1) }
      })
      const looks = times(10, (k) => games.slice(0, 20 * (k + 1)))
      const decides = (seen: readonly RatedGame[]) => sprt(seen, 0, { elo0: 0, elo1: 50 }).decision
      const end = looks.find((seen) => decides(seen) !== 'undecided') ?? games
      const { low, high } = duelElo(end, 0)
      return { isBetter: decides(end) === 'H1', isHeld: Number(low <= lead && lead <= high) }
    })
  })
  return [
    errors('a duel of equals: H1', all[0]?.filter(({ isBetter }) => isBetter).length ?? 0, runs),
    ...[0, 50, 200].map((lead, k) =>
      coverage(
        `the Elo of a duel when it ended, ${lead} apart`,
        (all[k] ?? []).map(({ isHeld }) => isHeld),
      ),
    ),
  ]
}

/** Fields that one strength for each explains in which a cycle is shown, the greater part of whose confidence is in it. */
export function cyclic(all: number): readonly Row[] {
  const runs = Math.ceil(all / 2)
  return [0, 100].map((spread) => {
    const luck = stream('cycles', spread)
    const found = times(runs, () => {
      const elo = times(6, () => spread * normalDraw(luck))
      const games = roundRobinOf(6, 20).map((pair) => playedByTwo(luck, elo, pair, 0.3))
      return cycles(meansOf(scoredCompanies(comparisonsOf(games)), 6, { coin: 0.25 }))
    })
    return errors(`a cycle shown of six spread by ${spread}`, found.filter(({ length }) => length > 0).length, runs)
  })
}

/** Fields of six, ten games a pair in one order alone: how often seats are said to decide that are worth nothing, and 200 Elo. */
export function seats(all: number): readonly Row[] {
  const runs = Math.ceil(all / 2)
  const found = [0, 200].map((worth) => {
    const luck = stream('seats', worth)
    const isFound = times(runs, () => {
      const elo = times(6, () => 100 * normalDraw(luck))
      const games = elo.flatMap((_, a) =>
        elo.flatMap((__, b) => (a < b ? times(10, () => playedByTwo(luck, elo, [a, b], 0.3, worth)) : [])),
      )
      return seatsDecide(games)
    })
    return isFound.filter(Boolean).length
  })
  const value = (found[1] ?? 0) / runs
  const error = Math.sqrt((value * (1 - value)) / runs)
  return [
    errors('seats that are worth nothing said to decide', found[0] ?? 0, runs),
    { name: 'seats worth 200 Elo said to decide', value, error, limit: null, ratio: null, goal: null },
  ]
}

/** Fields of bots of unlike skill in which two are said to be alike: that err each in its way, or the weakest in one way. */
export function twins(all: number): readonly Row[] {
  const runs = Math.ceil(all / 5)
  const [apart, shared] = [false, true].map(
    (share) => times(runs, (run) => hasTwins(share, run)).filter(Boolean).length,
  )
  const value = (shared ?? 0) / runs
  const error = Math.sqrt((value * (1 - value)) / runs)
  return [
    errors('strangers of unlike skill called twins', apart ?? 0, runs),
    // No method tells a habit that two share from one that one has of the other: this is said beside the figure.
    {
      name: 'strangers called twins, of whom the three weakest share their wrong answer',
      value,
      error,
      limit: null,
      ratio: null,
      goal: null,
    },
  ]
}

const SKILLS = [0.95, 0.9, 0.8, 0.7, 0.55, 0.4, 0.3, 0.25]

/** Whether two of a field are called alike; `isShared`: the three weakest have the same wrong answer. */
function hasTwins(isShared: boolean, run: number): boolean {
  const luck = stream('twins', run)
  const answers = SKILLS.map((): string[] => [])
  for (let v = 0; v < 200; v++) {
    const right = luck.below(4)
    SKILLS.forEach((skill, bot) => {
      const wrong = (right + (isShared && bot > 4 ? 1 : 1 + luck.below(3))) % 4
      answers[bot]?.push(String(luck.uniform() < skill ? right : wrong))
    })
  }
  const matches = times(200, (v) => Math.floor(v / 20))
  return (likeness(answers, matches)[0]?.adjusted ?? 1) < 0.05
}

/** Blocks until settled when pairings are chosen, as a share of those of a round robin that stops by the same rule. */
export const saved = (): readonly Row[] => [
  savedIn([160, 90, 60, 20, -20, -60, -100, -150], 1),
  savedIn([250, 150, 60, 0, -40, -80, -140, -200], 3),
  savedIn([200, 140, 130, 100, 60, 20, 0, -20, -40, -60, -80, -100, -120, -140], 1),
]

function savedIn(elo: readonly number[], top: number, runs = 20): Row {
  const blocks = (chosen: boolean): number => {
    const found = times(runs, (n) =>
      settling({
        field: elo.length,
        wins: byElo(elo),
        top,
        budget: 400,
        batch: elo.length,
        seed: `saved ${n}`,
        chosen,
      }),
    )
    return found.reduce((sum, one) => sum + one.blocks, 0) / runs
  }
  const [value, limit] = [blocks(true), blocks(false)]
  return { name: `blocks until the top ${top} of ${elo.join(' ')}`, value, limit, ratio: value / limit, goal: null }
}
