import type { KeptFiles, PlayedJob } from './port.js'
import { linesIn, pack, unpack } from './packing.js'
import { bytesOf } from './jobs.js'
import { type StoreSql, type Value, first } from './sql.js'
import { damaged, parsed, sumOf, sumOfBytes, total } from './sums.js'

/** The row of this name has the sum of the others: if one were lost, a bot would begin with nothing. */
const ALL = ''

const keptSum = (tournament: string, entrant: string, files: Uint8Array): number =>
  sumOfBytes(sumOf('kept', tournament, entrant), files)

/** What bots keep on disk in a tournament, by entrant: of all, or of one. Throws UserError where it is damaged. */
export async function readKept(sql: StoreSql, tournament: string, only?: string): Promise<Map<string, KeptFiles>> {
  const sums = await keptSums(sql, tournament)
  const kept = new Map<string, KeptFiles>()
  for (const entrant of [...sums.keys()].sort()) {
    if (entrant !== (only ?? entrant)) continue
    const text = 'SELECT files FROM kept WHERE tournament = $1 AND entrant = $2'
    const row = await first<{ files: Uint8Array }>(sql, text, [bytesOf(tournament), entrant])
    if (row === undefined || sums.get(entrant) !== keptSum(tournament, entrant, row.files)) throw damaged(sql.where)
    const { now, start } = parsed<KeptFiles>(sql.where, linesIn(unpack(sql.where, row.files))[0] ?? '')
    if (![now, start ?? {}].flatMap(Object.keys).every(isBelow)) throw damaged(sql.where)
    kept.set(entrant, { now, start })
  }
  return kept
}

async function keptSums(sql: StoreSql, tournament: string): Promise<Map<string, number>> {
  const text = 'SELECT entrant, sum FROM kept WHERE tournament = $1'
  const rows = await sql.all<{ entrant: string; sum: number }>(text, [bytesOf(tournament)])
  // If the index finds nothing, every row is read: damage may hide them.
  const isHidden = 'SELECT 1 FROM kept WHERE coalesce(tournament, tournament) = $1'
  if (rows.length === 0 && (await first(sql, isHidden, [bytesOf(tournament)])) !== undefined) throw damaged(sql.where)
  const sums = new Map(rows.map(({ entrant, sum }) => [entrant, sum]))
  const all = sums.get(ALL) ?? 0
  sums.delete(ALL)
  if (all !== total(sums.values())) throw damaged(sql.where)
  return sums
}

/** Stores what bots kept after the last of these jobs. Within a transaction. */
export async function writeKept(sql: StoreSql, jobs: readonly Pick<PlayedJob, 'kept'>[]): Promise<void> {
  const last = new Map<string, Record<string, KeptFiles>>()
  for (const { kept } of jobs)
    if (kept !== undefined) last.set(kept.tournament, { ...last.get(kept.tournament), ...kept.by })
  for (const [tournament, by] of last) {
    const sums = await keptSums(sql, tournament)
    for (const [entrant, kept] of Object.entries(by)) {
      const files = pack([JSON.stringify(kept)])
      const sum = keptSum(tournament, entrant, files)
      sums.set(entrant, sum)
      await writeRow(sql, [bytesOf(tournament), entrant, files, sum])
    }
    await writeRow(sql, [bytesOf(tournament), ALL, new Uint8Array(), total(sums.values())])
  }
}

const writeRow = (sql: StoreSql, row: readonly Value[]): Promise<number> =>
  sql.run(
    `INSERT INTO kept (tournament, entrant, files, sum) VALUES ($1, $2, $3, $4)
     ON CONFLICT (tournament, entrant) DO UPDATE SET files = excluded.files, sum = excluded.sum`,
    row,
  )

/** Whether a path of a snapshot leads below the folder that it is relative to. */
export const isBelow = (path: string): boolean =>
  path !== '' && !path.includes('\0') && !path.startsWith('/') && !/(?:^|[\\/])\.{1,2}(?:[\\/]|$)/.test(path)
