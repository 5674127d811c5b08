import { again, first } from './coverage/first.js'
import { formats, squares } from './coverage/formats.js'
import { intervals, simultaneous, superior } from './coverage/intervals.js'
import { means } from './coverage/means.js'
import { points } from './coverage/points.js'
import { cyclic, duels, saved, seats, settled, twins } from './coverage/tests.js'
import type { Row } from './kit.js'

export const measures =
  'how often 95 % intervals hold the truth, tests err, and first places are right, with the standard errors of the simulation'

/** By name, with how many tournaments. */
const PARTS = new Map<string, (runs: number) => readonly Row[]>([
  ['intervals', intervals],
  ['points', points],
  ['means', means],
  ['simultaneous', simultaneous],
  ['superior', superior],
  ['squares', squares],
  ['formats', formats],
  ['first', first],
  ['again', again],
  ['settled', settled],
  ['duels', duels],
  ['seats', seats],
  ['cycles', cyclic],
  ['twins', twins],
])

export const parts: readonly string[] = [...PARTS.keys(), 'saved']

/** Some minutes; half a minute where it is to be quick. */
export default async function coverages(
  full: boolean,
  quick: boolean,
  wanted: readonly string[] = [],
): Promise<readonly Row[]> {
  const runs = quick ? 100 : full ? 2000 : 500
  const isWanted = (part: string): boolean => wanted.length === 0 || wanted.includes(part)
  const rows = [...PARTS].flatMap(([part, measure]) => (isWanted(part) ? measure(runs) : []))
  return Promise.resolve([...rows, ...(wanted.includes('saved') || (full && isWanted('saved')) ? saved() : [])])
}
