import { derive } from '../../core/index.js'
import { type Exclusion, type RunPlan, EXCLUSIONS, RUN_STATES } from '../data.js'
import { type Part, WHOLE } from '../parts.js'
import { type EntrantRow, type RunRow, bytes, entrantsSum, rowSum } from '../run-rows.js'
import { type RulingRow, exclusionSum, rulingSum, stderrSum } from '../seals.js'
import { total } from '../sums.js'
import { type NumberedLogRow, exclusionRows, logRows, stderrRows } from './beside.js'
import { columnOf } from './column-text.js'
import type { Database } from './database.js'
import { setDigest, storedDigest } from './digests.js'
import { entrantRows } from './entries.js'
import { rulingRows } from './match-rows.js'
import { bent, isBent, replacement } from './unbent.js'

/** Writes a part of a run as it was. Within a write. */
export type Restore = () => void

/**
 * How a part of a run that is not as it was written can be written again: its log has who was put out and what was ruled, and
 * much of its row; what one bit has changed is found by the checksum. Nothing is taken that does not have the checksum of
 * what was written. undefined: it cannot be computed.
 */
export function restoreOf(db: Database, row: RunRow, part: Part): Restore | undefined {
  const { number } = row
  const stored = storedDigest(db, number, part)
  const sum = sumOfPart(db, row, part)
  if (sum !== undefined && isBent(stored, sum)) return () => setDigest(db, number, part, sum)
  switch (part) {
    case 'run':
      return restoreRow(db, row, stored)
    case 'entrants':
      return restoreEntrants(db, row, stored)
    case 'exclusion':
      return restoreExclusions(db, number, stored)
    case 'ruling':
      return restoreRulings(db, number, stored)
    case 'log':
      return restoreLog(db, number, stored)
    default:
      return undefined
  }
}

/** The same of the list of runs, where its checksum alone was damaged. */
export function restoreList(db: Database, sum: number): Restore | undefined {
  return isBent(storedDigest(db, WHOLE, 'runs'), sum) ? () => setDigest(db, WHOLE, 'runs', sum) : undefined
}

function sumOfPart(db: Database, row: RunRow, part: Part): number | undefined {
  const { number } = row
  if (part === 'run') return rowSum(row)
  if (part === 'entrants') return entrantsSum(entrantRows(db, number))
  if (part === 'exclusion') return total(exclusionRows.rows(db, number).map(exclusionSum))
  if (part === 'ruling') return total(rulingRows(db, number).map(rulingSum))
  if (part === 'stderr') return total(stderrRows.rows(db, number).map(stderrSum))
  if (part === 'log') return total(logRows.rows(db, number).map(logRows.sum))
  return undefined
}

const RUN_TEXTS = [
  'id',
  'agon',
  'contest',
  'title',
  'game',
  'seed',
  'out',
  'began',
  'ended',
  'state',
  'identity',
  'plan',
]
/** Milliseconds by which the log may date something later than its run's row does. */
const LATER_MS = 5000

function restoreRow(db: Database, row: RunRow, stored: number): Restore | undefined {
  for (const is of otherRows(db, row)) {
    if (rowSum(is) !== stored) continue
    return () =>
      void db.run(
        `UPDATE run SET ${RUN_TEXTS.map((column) => `${column} = ?`).join()}, version = ?, tournament = ? WHERE number = ?`,
        ...RUN_TEXTS.map((column) => is[column as keyof RunRow]),
        is.version,
        is.tournament,
        is.number,
      )
  }
  return undefined
}

/** What the row may have been: by its log, by its other columns, by a flipped bit. */
function* otherRows(db: Database, row: RunRow): Generator<RunRow> {
  for (const state of RUN_STATES) {
    yield { ...row, state }
    yield { ...row, state, ended: null }
  }
  const log = logRows.rows(db, row.number)
  for (const { at, what, detail } of log) {
    const { seed } = detailOf(detail)
    if (typeof seed === 'string') yield { ...row, seed }
    if (what !== 'began' && what !== 'finished') continue
    for (let ms = 0; ms <= LATER_MS; ms++) {
      const time = timeBefore(at, ms)
      if (time !== undefined)
        yield what === 'began' ? { ...row, began: time } : { ...row, ended: time, state: 'finished' }
    }
  }
  yield* derived(row)
  yield* bent(row, [...(RUN_TEXTS as (keyof RunRow)[]), 'version'])
}

function* derived(row: RunRow): Generator<RunRow> {
  const identity = Object.entries(detailOf(row.identity)).sort(([a], [b]) => (a < b ? -1 : 1))
  yield { ...row, tournament: bytes(derive('tournament', JSON.stringify(Object.fromEntries(identity)))) }
}

function timeBefore(at: string, ms: number): string | undefined {
  const time = Date.parse(at)
  return Number.isNaN(time) ? undefined : new Date(time - ms).toISOString()
}

function detailOf(text: string): Record<string, unknown> {
  try {
    const data: unknown = JSON.parse(text)
    return typeof data === 'object' && data !== null ? (data as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}

const ENTRANT = [
  'name',
  'hash',
  'source',
  'build',
  'command',
  'wire',
  'memory',
  'limits',
  'toolchain',
  'output',
] as const

function restoreEntrants(db: Database, row: RunRow, stored: number): Restore | undefined {
  const rows = entrantRows(db, row.number)
  const found = replacement(
    rows,
    (one) => entrantsSum([one]),
    stored,
    (one) => bent(one, ENTRANT),
  )
  if (found !== undefined) {
    const columns = ENTRANT.map((column) => `${column} = ?`).join()
    return () =>
      void db.run(
        `UPDATE entrant SET ${columns} WHERE id = ?`,
        ...ENTRANT.map((column) => found.is[column]),
        found.is.number,
      )
  }
  return restoreWho(db, row, rows, stored)
}

/** Which entrant a place belongs to, where that was changed: one of those of the name that the plan has there. */
function restoreWho(db: Database, row: RunRow, rows: readonly EntrantRow[], stored: number): Restore | undefined {
  const { names } = detailOf(row.plan) as Partial<RunPlan>
  for (const [place, name] of (names ?? []).entries()) {
    const others = rows.filter((one) => one.place !== place)
    const own = db.all<EntrantRow>(
      `SELECT id AS number, ${ENTRANT.join()} FROM entrant WHERE name = ?`,
      typeof name === 'string' ? name : '',
    )
    const right = own.find((one) => entrantsSum([...others, { ...one, place }]) === stored)
    if (right === undefined) continue
    return () =>
      void db.run('UPDATE run_entrant SET entrant = ? WHERE run = ? AND place = ?', right.number, row.number, place)
  }
  return undefined
}

function restoreExclusions(db: Database, run: number, stored: number): Restore | undefined {
  const exclusions = new Map<string, Exclusion>()
  for (const { what, detail } of logRows.rows(db, run)) {
    const status = EXCLUSIONS.find((one) => one === what)
    const { name, treatment, why } = detailOf(detail) as Partial<Exclusion>
    if (status !== undefined && name !== undefined && treatment !== undefined)
      exclusions.set(name, { name, status, treatment, why: why ?? '' })
  }
  if (total([...exclusions.values()].map(exclusionSum)) !== stored) return undefined
  return () => {
    db.run('DELETE FROM exclusion WHERE run = ?', run)
    for (const { name, status, treatment, why } of exclusions.values())
      db.run(
        'INSERT INTO exclusion (run, name, status, treatment, why) VALUES (?, ?, ?, ?, ?)',
        run,
        name,
        status,
        treatment,
        columnOf(why),
      )
  }
}

function restoreRulings(db: Database, run: number, stored: number): Restore | undefined {
  const ids = new Map(
    db
      .all<{ id: number; place: string }>(
        'SELECT m.id, m.place FROM run_match r JOIN match m ON m.id = r.match WHERE r.run = ?',
        run,
      )
      .map(({ id, place }) => [place, id]),
  )
  const rulings = new Map<number, RulingRow>()
  for (const { what, detail } of logRows.rows(db, run)) {
    const { match: place, outcome, why } = detailOf(detail)
    const match = typeof place === 'string' ? ids.get(place) : undefined
    if (what === 'ruled' && match !== undefined && typeof why === 'string')
      rulings.set(match, { match, outcome: JSON.stringify(outcome), why })
  }
  if (total([...rulings.values()].map(rulingSum)) !== stored) return undefined
  return () => {
    db.run('DELETE FROM ruling WHERE run = ?', run)
    for (const { match, outcome, why } of rulings.values())
      db.run('INSERT INTO ruling (run, match, outcome, why) VALUES (?, ?, ?, ?)', run, match, outcome, columnOf(why))
  }
}

function restoreLog(db: Database, run: number, stored: number): Restore | undefined {
  const columns = ['at', 'agon', 'what', 'detail'] as const
  const found = replacement<NumberedLogRow>(logRows.rows(db, run), logRows.sum, stored, (row) => bent(row, columns))
  if (found === undefined) return undefined
  const { is } = found
  return () =>
    void db.run(
      'UPDATE log SET at = ?, agon = ?, what = ?, detail = ? WHERE id = ?',
      ...columns.map((column) => is[column]),
      is.id,
    )
}
