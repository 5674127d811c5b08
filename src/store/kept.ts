import { damaged, parsed } from './damage.js'
import type { KeptFiles, PlayedJob } from './port.js'
import { pack, unpack } from './packing.js'
import { bytesOf } from './jobs.js'
import { type StoreSql, first } from './sql.js'
import { sumOf, sumOfBytes, total } from './sums.js'

/** What an entrant keeps on disk, as it lies in the store. */
interface KeptRow {
  readonly entrant: string
  readonly files: Uint8Array
  readonly sum: number
}

/** The row under this name has the sum of the others: what is lost would be a bot that begins with nothing. */
const ALL = ''

const keptSum = (tournament: string, entrant: string, files: Uint8Array): number =>
  sumOfBytes(sumOf('kept', tournament, entrant), files)

/** What bots keep on disk in a tournament, by entrant: of all, or of one. Throws UserError where it is not as it was written. */
export async function readKept(sql: StoreSql, tournament: string, only?: string): Promise<Map<string, KeptFiles>> {
  const sums = await keptSums(sql, tournament)
  const rows = await sql.all<KeptRow>(
    `SELECT entrant, files, sum FROM kept WHERE tournament = $1${only === undefined ? '' : ' AND entrant = $2'}`,
    only === undefined ? [bytesOf(tournament)] : [bytesOf(tournament), only],
  )
  const kept = new Map<string, KeptFiles>()
  for (const { entrant, files, sum } of rows) {
    if (entrant === ALL) continue
    if (sum !== keptSum(tournament, entrant, files)) throw damaged(sql.where)
    kept.set(entrant, keptIn(sql.where, files))
  }
  if (only === undefined ? kept.size !== sums.size : kept.has(only) !== sums.has(only)) throw damaged(sql.where)
  return new Map([...kept].sort(([a], [b]) => (a < b ? -1 : 1)))
}

function keptIn(where: string, files: Uint8Array): KeptFiles {
  const [line = ''] = unpack(where, files)
  const kept = parsed<KeptFiles>(where, line)
  const paths = [kept.now, kept.start ?? {}].flatMap((one) => Object.keys(one))
  if (!paths.every(isBelow)) throw damaged(where)
  return { now: kept.now, start: kept.start }
}

/** By entrant the checksum of what it keeps. */
async function keptSums(sql: StoreSql, tournament: string): Promise<Map<string, number>> {
  const rows = await sql.all<Omit<KeptRow, 'files'>>('SELECT entrant, sum FROM kept WHERE tournament = $1', [
    bytesOf(tournament),
  ])
  // If the index finds nothing, every row is looked at: damage may hide them.
  const isHidden = 'SELECT 1 FROM kept WHERE coalesce(tournament, tournament) = $1'
  if (rows.length === 0 && (await first(sql, isHidden, [bytesOf(tournament)])) !== undefined) throw damaged(sql.where)
  const sums = new Map(rows.map(({ entrant, sum }) => [entrant, sum]))
  const all = sums.get(ALL) ?? 0
  sums.delete(ALL)
  if (all !== total(sums.values())) throw damaged(sql.where)
  return sums
}

/** Replaces what bots keep by what they kept after the last of these jobs. Within a transaction. */
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
      await writeKeptRow(sql, tournament, { entrant, files, sum })
    }
    await writeKeptRow(sql, tournament, { entrant: ALL, files: new Uint8Array(), sum: total(sums.values()) })
  }
}

const writeKeptRow = (sql: StoreSql, tournament: string, { entrant, files, sum }: KeptRow): Promise<number> =>
  sql.run(
    `INSERT INTO kept (tournament, entrant, files, sum) VALUES ($1, $2, $3, $4)
     ON CONFLICT (tournament, entrant) DO UPDATE SET files = excluded.files, sum = excluded.sum`,
    [bytesOf(tournament), entrant, files, sum],
  )

/** Whether a path, as a snapshot has it, leads to a place below the folder that it is relative to. */
export const isBelow = (path: string): boolean =>
  path !== '' && !path.includes('\0') && !path.startsWith('/') && !/(?:^|[\\/])\.{1,2}(?:[\\/]|$)/.test(path)
