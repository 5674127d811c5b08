import { stream } from '../../src/core/stream.js'
import {
  bootstrapMeans,
  byMeans,
  meansOf,
  normalDraw,
  scoredCompanies,
  studentInterval,
} from '../../src/stats/index.js'
import { roundRobinOf } from '../../test/kit/players.js'
import type { Row } from '../kit.js'
import { SCORES } from './laws.js'
import { coverage, times } from './rows.js'

const FIELD = 4

/** Means by score, by Student's t: from the fewest blocks that agon shows an interval of. */
export const means = (runs: number): readonly Row[] => [
  ...Object.keys(SCORES).flatMap((law) => [2, 3, 5, 30].flatMap((blocks) => held(law, blocks, runs))),
  ...[2, 3, 5, 30].flatMap((blocks) => held('normal', blocks, runs, true)),
]

function held(law: string, blocks: number, runs: number, unlike = false): readonly Row[] {
  const luck = stream('means', law, blocks)
  const draw = SCORES[law]
  const shares = times(runs, (run) => {
    const unit = new Map<string, number>()
    const games = roundRobinOf(FIELD, blocks).map((entrants, n) => {
      const pair = entrants.toSorted((a, b) => a - b).join()
      // Where pairs are unlike, one varies up to some ten times as much as another.
      const own = unit.get(pair) ?? (unlike ? Math.exp(0.7 * normalDraw(luck)) : 1)
      unit.set(pair, own)
      const lead = own * (draw?.(luck) ?? 0)
      return { entrants, scores: [lead, -lead], block: String(n) }
    })
    const companies = scoredCompanies(games)
    const found = meansOf(companies, FIELD)
    const drawn = bootstrapMeans(companies, byMeans(companies, FIELD), {
      seed: String(run),
      resamples: 400,
      df: (e) => found.of(e).df,
    })
    return {
      student: shareOf((e) => studentInterval(found.of(e), 0.95)),
      drawn: shareOf((e) => [drawn.low[e] ?? -Infinity, drawn.high[e] ?? Infinity]),
    }
  })
  const what = `${law}${unlike ? ', pairs unlike' : ''}, ${blocks} blocks a pair`
  const row = (by: string, of: readonly number[]): Row => coverage(`mean scores by ${by}, ${what}`, of)
  return [
    row(
      'Student’s t',
      shares.map(({ student }) => student),
    ),
    row(
      'the bootstrap',
      shares.map(({ drawn }) => drawn),
    ),
  ]
}

/** The share of the field whose interval holds its mean, which is 0. */
function shareOf(interval: (entrant: number) => readonly [low: number, high: number] | undefined): number {
  const hits = times(FIELD, (e): number => {
    const [low, high] = interval(e) ?? [-Infinity, Infinity]
    return low <= 0 && 0 <= high ? 1 : 0
  })
  return hits.reduce((a, b) => a + b, 0) / FIELD
}
