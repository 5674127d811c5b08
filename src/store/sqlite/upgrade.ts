import type { MatchRecord } from '../../core/index.js'
import { countsSum, sameCounts } from '../counted.js'
import type { RunPlan } from '../data.js'
import { keptSum } from '../kept.js'
import { type Lines, type RecordPlace, heldSum, lineOf, linesOf } from '../packing.js'
import { type Part, WHOLE } from '../parts.js'
import { type RunRow, entrantsSum, entryOf, listedSum } from '../run-rows.js'
import { type SealedRow, faultsSum, isSealed, logSum, matchSum, rulingSum } from '../seals.js'
import { sumOf, sumOfBytes, total } from '../sums.js'
import { type Beside, exclusionRows, logRows, ratingRows, stderrRows } from './beside.js'
import type { Database } from './database.js'
import { isWhole, setDigest } from './digests.js'
import { entrantRows, runRows, sealRun } from './entries.js'
import { faultRows, rulingRows, runMatches, SEALED, seatRows } from './match-rows.js'
import { recounted, storedCounts, writeCounts } from './recount.js'
import { resegment } from './resegment.js'
import { keptRows, sealKept } from './snapshots.js'

/** No rows have this checksum: what stands under it is damaged. */
const NEVER = -1

/**
 * Computes the checksums of a file that has none, from what is there. What does not fit its record, or counts that are not those
 * of the matches, are not made true by it: they keep a checksum that nothing has. Within a write.
 */
export function sumEverything(db: Database): void {
  for (const { match, record } of db.all<{ match: number; record: string }>('SELECT match, record FROM loose'))
    db.run('UPDATE loose SET sum = ? WHERE match = ?', sumOf(match, record), match)
  sumMatches(db)
  const runs = runRows(db)
  setDigest(db, WHOLE, 'runs', total(runs.map(listedSum)))
  for (const run of runs) sumRun(db, run)
  for (const { tournament } of db.all<{ tournament: Uint8Array }>('SELECT DISTINCT tournament FROM kept'))
    sealKept(db, tournament, keptSum(keptRows(db, tournament)))
}

/**
 * Writes the segments of all runs of a file that has none. Those of a run whose matches are damaged are not made believable by it:
 * they keep a checksum that nothing has. Within a write.
 */
export function segmentEverything(db: Database): void {
  for (const row of runRows(db)) {
    const plan = planOf(row)
    if (plan === undefined || !trySegment(db, row, plan)) setDigest(db, row.number, 'segments', NEVER)
  }
}

/** Adds the numbers of lines to the checksums of logs that were whole without them. Within a write. */
export function numberLogs(db: Database): void {
  for (const { number } of runRows(db)) {
    const rows = logRows.rows(db, number)
    if (isWhole(db, number, 'log', total(rows.map(logSum)))) setDigest(db, number, 'log', total(rows.map(logRows.sum)))
  }
}

function trySegment(db: Database, row: RunRow, plan: RunPlan): boolean {
  try {
    const matches = runMatches(db, row.number)
    const whole = isWhole(db, row.number, 'matches', total(matches.map((match) => match.row.sum)))
    resegment(db, entryOf(row, plan, entrantRows(db, row.number)))
    return whole && matches.every((match) => isSealed(match.row, match.seats))
  } catch {
    return false
  }
}

function sumMatches(db: Database): void {
  const names = new Map(
    db.all<{ id: number; name: string }>('SELECT id, name FROM entrant').map(({ id, name }) => [id, name]),
  )
  let pack: { id: number; lines: Lines | undefined } = { id: -1, lines: undefined }
  for (const { id } of db.all<{ id: number }>('SELECT id FROM match ORDER BY pack, slot, id')) {
    const row = db.get<SealedRow & RecordPlace>(`SELECT ${SEALED}, m.pack, m.slot FROM match m WHERE m.id = ?`, id)
    if (row === undefined) continue
    if (row.pack !== null && row.pack !== pack.id) pack = { id: row.pack, lines: sumPack(db, row.pack) }
    const line = row.pack === null ? looseLine(db, id) : pack.lines && lineOf(pack.lines, row.slot ?? 0)
    const seats = seatRows(db, id)
    const faults = faultsSum(faultRows(db, id))
    const who = seats.map(({ entrant }) => names.get(entrant))
    const sum = fits(line, row, who) ? matchSum({ ...row, faults }, seats) : NEVER
    db.run('UPDATE match SET faults = ?, sum = ?, held = ? WHERE id = ?', faults, sum, heldSum(sum, row), id)
  }
}

const looseLine = (db: Database, match: number): string | undefined =>
  db.get<{ record: string }>('SELECT record FROM loose WHERE match = ?', match)?.record

function sumPack(db: Database, id: number): Lines | undefined {
  const data = db.get<{ data: Uint8Array }>('SELECT data FROM pack WHERE id = ?', id)?.data
  if (data === undefined) return undefined
  try {
    const lines = linesOf(db.file, data)
    db.run('UPDATE pack SET sum = ? WHERE id = ?', sumOfBytes(id, data), id)
    return lines
  } catch {
    return undefined
  }
}

/** Whether a row says what its record says: where it stood, who played, how it ended. */
function fits(line: string | undefined, row: SealedRow, who: readonly (string | undefined)[]): boolean {
  try {
    const record = JSON.parse(line ?? '') as MatchRecord
    return (
      (record.key ?? '') === row.place &&
      JSON.stringify(record.outcome) === row.outcome &&
      JSON.stringify(record.seats.map(({ entrant }) => entrant)) === JSON.stringify(who)
    )
  } catch {
    return false
  }
}

function sumRun(db: Database, row: RunRow): void {
  const { number } = row
  sealRun(db, number)
  const rows = entrantRows(db, number)
  const plan = planOf(row)
  const named = plan?.names.join('\n') === rows.map(({ name }) => name).join('\n')
  setDigest(db, number, 'entrants', named ? entrantsSum(rows) : NEVER)
  setDigest(db, number, 'matches', total(runMatches(db, number).map((match) => Math.max(0, match.row.sum))))
  setDigest(db, number, 'ruling', total(rulingRows(db, number).map(rulingSum)))
  sumBeside(db, number, 'exclusion', exclusionRows)
  sumBeside(db, number, 'rating', ratingRows)
  sumBeside(db, number, 'stderr', stderrRows)
  sumBeside(db, number, 'log', logRows)
  setDigest(db, number, 'counts', plan === undefined ? NEVER : sumCounts(db, row, plan))
}

function sumBeside<OfRun>(db: Database, run: number, part: Part, { rows, sum }: Beside<OfRun>): void {
  setDigest(db, run, part, total(rows(db, run).map(sum)))
}

function sumCounts(db: Database, row: RunRow, plan: RunPlan): number {
  try {
    const counts = recounted(db, entryOf(row, plan, entrantRows(db, row.number)))
    if (!sameCounts(counts, storedCounts(db, row.number))) return NEVER
    writeCounts(db, row.number, counts)
    return countsSum(row.number, counts.matches, counts.entrants, counts.faults)
  } catch {
    return NEVER
  }
}

function planOf({ plan }: RunRow): RunPlan | undefined {
  try {
    return JSON.parse(plan) as RunPlan
  } catch {
    return undefined
  }
}
