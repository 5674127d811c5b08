import type { MatchRecord } from '../../core/index.js'
import { type CheckedStore, type CheckOptions, type Judge, differences } from '../checked.js'
import { factsOf } from '../course.js'
import type { StoredFault } from '../data.js'
import { WHOLE } from '../parts.js'
import { listedSum } from '../run-rows.js'
import { total } from '../sums.js'
import { checkRun, factsText } from './check-run.js'
import { readDigests } from './digests.js'
import { runRows } from './entries.js'
import { openServer } from './open.js'
import { type ServerMatchRow, faultsOf, isWholeRow, MATCH, recordLines, seatRows } from './rows.js'
import type { Sql } from './server.js'

/** Matches that are looked at at once. */
const AT_ONCE = 500

/**
 * Compares everything in the store of a server with the records and with its checksums, as it is at one moment. Nothing is mended there.
 * Throws UserError where it cannot be opened.
 */
export async function checkServerStore(
  url: string,
  { judge, only, progress }: CheckOptions,
  notice: (text: string) => void,
): Promise<CheckedStore> {
  const server = await openServer(url, notice, { make: false })
  try {
    return await server.look(async (sql) => {
      const all = await runRows(sql)
      const runs = all.filter(({ contest }) => only?.(contest) ?? true)
      const findings: string[] = []
      const digests = await readDigests(sql, WHOLE, ...runs.map(({ number }) => number))
      if (!digests.isWhole(WHOLE, 'runs', total(all.map(listedSum)))) findings.push('runs of it are lost')
      const facts = new Map<number, string>()
      const ids = await matchesOf(sql, only && runs.map(({ number }) => number))
      for (let at = 0; at < ids.length; at += AT_ONCE) {
        findings.push(...(await checkMatches(sql, ids.slice(at, at + AT_ONCE), judge, facts)))
        progress(Math.min(ids.length, at + AT_ONCE), ids.length)
      }
      for (const run of runs) findings.push(...(await checkRun(sql, run, digests, facts)))
      const notMended = findings.map((what) => ({ what, mended: false }))
      return { file: sql.where, runs: runs.length, matches: ids.length, findings: notMended }
    })
  } finally {
    await server.close()
  }
}

/** The numbers of all matches, or of those that these runs hold. */
async function matchesOf(sql: Sql, runs: readonly number[] | undefined): Promise<number[]> {
  const rows = await (runs === undefined
    ? sql.all<{ id: number }>('SELECT id FROM agon.match ORDER BY pack, slot, id')
    : sql.all<{ id: number }>(
        'SELECT DISTINCT match AS id FROM agon.run_match WHERE run = ANY($1::integer[]) ORDER BY 1',
        runs,
      ))
  return rows.map(({ id }) => id)
}

/** Looks at matches: their rows against their records, these against the rules. `facts`: gathers what segments hold of the records. */
async function checkMatches(
  sql: Sql,
  ids: readonly number[],
  judge: Judge,
  facts: Map<number, string>,
): Promise<string[]> {
  const list = await sql.all<ServerMatchRow>(`SELECT ${MATCH} FROM agon.match m WHERE m.id = ANY($1::bigint[])`, ids)
  const rows = new Map(list.map((row) => [row.id, row]))
  const lines = await linesOf(sql, list)
  const entrants = await sql.all<{ id: number; name: string }>(
    'SELECT id, name FROM agon.entrant WHERE id = ANY($1::integer[])',
    [...new Set(list.flatMap((row) => row.entrants))],
  )
  const names = new Map(entrants.map(({ id, name }) => [id, name]))
  return ids.flatMap((id) => {
    const row = rows.get(id)
    if (row === undefined) return [`match number ${id} is lost`]
    const line = lines.get(id)
    const record = line === undefined ? undefined : tried(() => JSON.parse(line) as MatchRecord)
    if (record === undefined || record instanceof Error) return [`${row.place}: its record cannot be read`]
    facts.set(id, factsText(factsOf(record)))
    const why = checkMatch(sql, row, record, names, judge)
    return why === undefined ? [] : [`${row.place}: ${why}`]
  })
}

function checkMatch(
  sql: Sql,
  row: ServerMatchRow,
  record: MatchRecord,
  names: ReadonlyMap<number, string>,
  judge: Judge,
): string | undefined {
  const judged = tried(() => judge(record))
  if (judged instanceof Error) return `the rules cannot follow its record (${judged.message})`
  const faults = tried(() => faultsOf(sql, row))
  const outcome = judged?.outcome ?? record.outcome
  const seats = record.seats.map(({ entrant }, seat) => {
    const there = row.entrants[seat] ?? 0
    return { seat, entrant: names.get(there) === entrant ? there : 0, rank: outcome.place[seat] ?? 0 }
  })
  const own: readonly StoredFault[] = faults instanceof Error ? [] : faults
  const right = { place: record.key ?? '', outcome: JSON.stringify(outcome), seats, faults: judged?.faults ?? own }
  const why = differences(row, seatRows(row), faults, right, record)
  return why ?? (isWholeRow(row) ? undefined : 'its row is not as it was written')
}

/** Records as lines, of the packs that can be read. */
async function linesOf(sql: Sql, rows: readonly ServerMatchRow[]): Promise<Map<number, string>> {
  const lines = new Map<number, string>()
  const packs = new Map<number, ServerMatchRow[]>()
  for (const row of rows) packs.set(row.pack, [...(packs.get(row.pack) ?? []), row])
  for (const group of packs.values()) {
    try {
      for (const [id, line] of await recordLines(sql, group)) lines.set(id, line)
    } catch {
      // Reported match by match.
    }
  }
  return lines
}

function tried<T>(work: () => T): T | Error {
  try {
    return work()
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}
