import type { Bounds } from '../../src/stats/index.js'
import { meansOf, normalDraw, scoreIntervals, scoredCompanies } from '../../src/stats/index.js'
import { stream } from '../../src/stats/stream.js'
import { roundRobinOf } from '../../test/kit/players.js'
import type { Row } from '../kit.js'
import { SCORES } from './laws.js'
import { coverage, times } from './rows.js'

const FIELD = 4

/** Mean scores, from the fewest blocks that agon shows an interval of: of the intervals that are shown, how many hold. */
export const means = (runs: number): readonly Row[] => [
  ...Object.keys(SCORES).flatMap((law) => [2, 3, 5, 10, 30].flatMap((blocks) => held(law, law, blocks, runs))),
  ...[2, 3, 5, 10, 30].flatMap((blocks) => held('normal, pairs unlike', 'normal', blocks, runs)),
  ...[5, 30].flatMap((blocks) =>
    held('a jackpot of 2 %, bounds declared', 'a jackpot of 2 %', blocks, runs, { min: -1, max: 49 }),
  ),
]

function held(what: string, law: string, blocks: number, runs: number, bounds?: Bounds): readonly Row[] {
  const luck = stream('means', what, blocks)
  const draw = SCORES[law]
  const isUnlike = what.endsWith('pairs unlike')
  const shown: number[] = []
  for (let run = 0; run < runs; run++) {
    const unit = new Map<string, number>()
    const games = roundRobinOf(FIELD, blocks).map((entrants, n) => {
      const pair = entrants.toSorted((a, b) => a - b).join()
      // Where pairs are unlike, one varies up to some ten times as much as another.
      const own = unit.get(pair) ?? (isUnlike ? Math.exp(0.7 * normalDraw(luck)) : 1)
      unit.set(pair, own)
      return { entrants, scores: entrants.map(() => own * (draw?.(luck) ?? 0)), block: String(n) }
    })
    const companies = scoredCompanies(games)
    const { interval } = scoreIntervals(companies, meansOf(companies, FIELD), 0.95, bounds)
    // The true means are 0.
    const hits = times(FIELD, (e) => interval(e)).flatMap((ends) =>
      ends ? [Number(ends[0] <= 0 && 0 <= ends[1])] : [],
    )
    if (hits.length > 0) shown.push(hits.reduce((a, b) => a + b, 0) / hits.length)
  }
  const name = `mean scores, ${what}, ${blocks} blocks a pair, shown in ${Math.round((100 * shown.length) / runs)} %`
  return shown.length === 0 ? [] : [coverage(name, shown)]
}
