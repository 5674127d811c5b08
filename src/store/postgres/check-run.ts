import { type Outcome, UserError } from '../../core/index.js'
import { type AllCounts, countsSum, pairsSum, sameCounts } from '../counted.js'
import { Counts } from '../counts.js'
import type { RunPlan } from '../data.js'
import type { Part } from '../parts.js'
import { type RunEntry, type RunRow, entrantsSum, entryOf, rowSum } from '../run-rows.js'
import { type Facts, eachEntry, keyOf } from '../segment.js'
import { plus, total } from '../sums.js'
import { type Beside, exclusionRows, logRows, ratingRows, rulingRows, stderrRows } from './beside.js'
import type { Digests } from './digests.js'
import { countRows, entrantRows } from './entries.js'
import { readKept } from './kept.js'
import { allPairs } from './reads.js'
import { type ServerMatchRow, faultsOf, MATCH, seatsOf } from './rows.js'
import { eachSegment } from './segments.js'
import type { Sql } from './server.js'

/** Matches that are looked at at once. */
const AT_ONCE = 2000

/** What a segment holds of a record, to be compared. */
export const factsText = ({ turns, course, luck }: Facts): string => `${turns} ${course} ${luck}`

/** Looks at a run: its own row, its entrants, what is kept beside its matches, and its counts and segments against its matches. */
export async function checkRun(
  sql: Sql,
  row: RunRow,
  digests: Digests,
  facts: ReadonlyMap<number, string>,
): Promise<string[]> {
  const { number, id } = row
  const found: string[] = []
  if (!digests.isWhole(number, 'run', rowSum(row)))
    found.push('what it is (contest, seed, plan) is not as it was written')
  const parts: readonly (readonly [Part, string, () => Promise<number>])[] = [
    ['entrants', 'its entrants are', async () => entrantsSum(await entrantRows(sql, number))],
    ['exclusion', 'who is out is', () => sumBeside(sql, number, exclusionRows)],
    ['ruling', 'its rulings are', () => sumBeside(sql, number, rulingRows)],
    ['rating', 'its ratings are', () => sumBeside(sql, number, ratingRows)],
    ['stderr', 'the ends of standard errors are', () => sumBeside(sql, number, stderrRows)],
    ['log', 'its log is', () => sumBeside(sql, number, logRows)],
  ]
  for (const [part, what, sum] of parts) {
    const read = await unlessDamaged(sum())
    if (read === undefined || !digests.isWhole(number, part, read))
      found.push(`${what} not as ${what.endsWith('are') ? 'they were' : 'it was'} written`)
  }
  const kept = await unlessDamaged(readKept(sql, Buffer.from(row.tournament).toString('hex')))
  if (kept === undefined) found.push('what its bots held on disk is not as it was written')
  const counts = await checkCounts(sql, row, digests, facts).catch((error: unknown) => {
    if (error instanceof UserError) return 'its matches cannot be read'
    throw error
  })
  if (counts !== undefined) found.push(counts)
  return found.map((what) => `run ${id}: ${what}`)
}

/** Undefined: it is damaged. */
async function unlessDamaged<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading
  } catch (error) {
    if (error instanceof UserError) return undefined
    throw error
  }
}

async function sumBeside<OfRun>(sql: Sql, run: number, { rows, sum }: Beside<OfRun>): Promise<number> {
  return total((await rows(sql, run)).map(sum))
}

/** What is wrong with the counts and segments of a run; undefined: nothing. */
async function checkCounts(
  sql: Sql,
  row: RunRow,
  digests: Digests,
  facts: ReadonlyMap<number, string>,
): Promise<string | undefined> {
  const { number } = row
  const run = entryOf(row, sql.parse<RunPlan>(row.plan), await entrantRows(sql, number))
  const { sum, counts, games } = await gathered(sql, run, facts)
  if (!digests.isWhole(number, 'matches', sum)) return 'matches of it are lost, or not as they were written'
  const { entrants = [], faults = [] } = (await countRows(sql, [number])).get(number) ?? {}
  const stored: AllCounts = { matches: row.matches, entrants, faults, pairs: await allPairs(sql, number) }
  if (!sameCounts(stored, counts.rows(number, run.entrants.length))) return 'its counts are not those of its matches'
  const pairs = entrants.every(
    ({ place, pairs: own }) =>
      own ===
      pairsSum(
        number,
        stored.pairs.filter(({ one, other }) => one === place || other === place),
      ),
  )
  if (!pairs || !digests.isWhole(number, 'counts', countsSum(number, row.matches, entrants, faults)))
    return 'the checksum of its counts is not that of its counts'
  return (await isSegmented(sql, number, games)) ? undefined : 'its segments are not those of its matches'
}

/**
 * What a run's matches come to: the sum of their checksums, their counts, and what a segment should hold of each; undefined: its record
 * cannot be read.
 */
async function gathered(
  sql: Sql,
  run: RunEntry,
  facts: ReadonlyMap<number, string>,
): Promise<{ readonly sum: number; readonly counts: Counts; readonly games: Map<number, string | undefined> }> {
  const counts = new Counts()
  const games = new Map<number, string | undefined>()
  let sum = 0
  for (let after = -1; ;) {
    const rows = await sql.all<ServerMatchRow & { ruled: string | null }>(
      `SELECT ${MATCH}, u.outcome AS ruled FROM agon.run_match r JOIN agon.match m ON m.id = r.match
       LEFT JOIN agon.ruling u ON u.run = r.run AND u.match = r.match
       WHERE r.run = $1 AND r.match > $2 ORDER BY r.match LIMIT ${AT_ONCE}`,
      run.number,
      after,
    )
    for (const row of rows) {
      const match = { seats: seatsOf(run, row), playoff: row.playoff === 1 }
      sum = plus(sum, row.sum)
      counts.add({ ...match, outcome: sql.parse<Outcome>(row.ruled ?? row.outcome), faults: faultsOf(sql, row) })
      const own = facts.get(row.id)
      games.set(row.id, own && gameText(row.place, match.seats, row.outcome, match.playoff, own))
    }
    after = rows.at(-1)?.id ?? after
    if (rows.length < AT_ONCE) return { sum, counts, games }
  }
}

const gameText = (key: string, seats: readonly number[], outcome: string, playoff: boolean, facts: string): string =>
  JSON.stringify([key, seats, outcome, playoff, facts])

/** Whether a run's segments hold each of these matches once, and nothing else. */
async function isSegmented(sql: Sql, run: number, games: Map<number, string | undefined>): Promise<boolean> {
  let same = true
  await eachSegment(sql, run, ({ data }) =>
    eachEntry(data, (parts) => {
      const { match, seats, outcome, playoff } = parts
      const known = games.get(match)
      same &&= games.has(match)
      same &&= known === undefined || known === gameText(keyOf(parts), seats, outcome, playoff, factsText(parts))
      games.delete(match)
    }),
  )
  return same && games.size === 0
}
