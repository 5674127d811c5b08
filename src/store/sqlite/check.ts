import type { MatchRecord, Outcome } from '../../core/index.js'
import { type Judge, type Right, differences } from '../checked.js'
import { pairsSum, sameCounts } from '../counted.js'
import type { RunPlan } from '../data.js'
import { LOOSE, type RecordPlace, heldSum } from '../packing.js'
import { type Part, WHOLE } from '../parts.js'
import { type RunRow, entrantsSum, entryOf, listedSum, rowSum } from '../run-rows.js'
import { type SealedRow, type SeatRow, rulingSum } from '../seals.js'
import { total } from '../sums.js'
import { exclusionRows, logRows, ratingRows, stderrRows } from './beside.js'
import { countsWhole, pairRowsOf } from './counts.js'
import type { Database } from './database.js'
import { isWhole } from './digests.js'
import { entrantRows, runRows } from './entries.js'
import { faultRows, rulingRows, runMatches, SEALED, seatRows } from './match-rows.js'
import { schemaBuilt, schemaOf } from './open.js'
import { Unpacker } from './packs.js'
import { recounted, storedCounts } from './recount.js'
import { isSegmented } from './resegment.js'
import { type Restore, restoreList, restoreOf } from './restore.js'
import { readKept } from './snapshots.js'

/** Something that is not as it was written, and what can be done about it. */
export interface StoreFinding {
  readonly what: string
  readonly mend:
    | { readonly kind: 'none' }
    | { readonly kind: 'index' }
    /** Written anew from its record. */
    | { readonly kind: 'match'; readonly id: number; readonly right: Right }
    /** Its record cannot be read: it is to be played again. */
    | { readonly kind: 'drop'; readonly id: number }
    | { readonly kind: 'run'; readonly run: number; readonly lost: boolean }
    /** Written again as it was. */
    | { readonly kind: 'part'; readonly restore: Restore }
    /** Computed anew from the matches. */
    | { readonly kind: 'ratings'; readonly run: number }
}

const NONE = { kind: 'none' } as const

/** Looks at the file as SQLite sees it. */
export function* checkFile(db: Database): Generator<StoreFinding> {
  const lines = tried(() => db.all<{ integrity_check: string }>('PRAGMA integrity_check(20)'))
  if (lines instanceof Error) yield { what: 'SQLite cannot check the file', mend: NONE }
  for (const { integrity_check: line } of lines instanceof Error ? [] : lines) {
    if (line === 'ok') continue
    yield { what: `SQLite: ${line}`, mend: / index /.test(line) ? { kind: 'index' } : NONE }
  }
  if (tried(() => schemaOf(db)) !== schemaBuilt())
    yield { what: 'its schema is not the one that was built', mend: NONE }
}

/** Looks at every match: its row, seats and faults against its record, its record against the rules. `ids`: those matches. */
export function* checkMatches(
  db: Database,
  ids: readonly number[],
  judge: Judge,
): Generator<{ readonly done: number; readonly finding?: StoreFinding }> {
  const unpacker = new Unpacker(db)
  for (const [i, id] of ids.entries()) {
    const found = tried(() => checkMatch(db, unpacker, id, judge))
    const finding = found instanceof Error ? { what: `match number ${id} cannot be read`, mend: NONE } : found
    yield { done: i + 1, finding }
  }
}

function checkMatch(db: Database, unpacker: Unpacker, id: number, judge: Judge): StoreFinding | undefined {
  const row = db.get<SealedRow>(`SELECT ${SEALED} FROM match m WHERE m.id = ?`, id)
  if (row === undefined) return { what: `match number ${id} is lost`, mend: NONE }
  const record = tried(() => recordOf(unpacker, row))
  if (record instanceof Error) return { what: `${row.place}: its record cannot be read`, mend: { kind: 'drop', id } }
  const judged = tried(() => judge(record))
  if (judged instanceof Error)
    return { what: `${row.place}: the rules cannot follow its record (${judged.message})`, mend: NONE }
  const seats = seatRows(db, id)
  const faults = tried(() => faultRows(db, id))
  const outcome = judged?.outcome ?? record.outcome
  const right: Right = {
    place: record.key ?? '',
    outcome: JSON.stringify(outcome),
    seats: rightSeats(db, id, record, outcome, seats),
    faults: judged?.faults ?? (faults instanceof Error ? [] : faults),
  }
  const why = differences(row, seats, faults, right, record) ?? misplaced(db, row)
  return why === undefined ? undefined : { what: `${row.place}: ${why}`, mend: { kind: 'match', id, right } }
}

/** What is wrong with where a match says that its record lies; undefined: nothing. */
function misplaced(db: Database, { id, sum }: SealedRow): string | undefined {
  const place = db.get<RecordPlace & { held: number }>('SELECT pack, slot, held FROM match WHERE id = ?', id)
  return place?.held === heldSum(sum, place ?? LOOSE) ? undefined : 'where its record lies is not as it was written'
}

/** The record of a match; where its checksum is damaged, the one that lies in its place, if that is of the same match. */
function recordOf(unpacker: Unpacker, row: SealedRow): MatchRecord {
  const own = tried(() => unpacker.record(row.id))
  if (!(own instanceof Error)) return own
  const there = unpacker.recordAt(row.id)
  if (there.key !== row.place || JSON.stringify(there.outcome) !== row.outcome) throw own
  return there
}

/** Who sat where by the record's names: the entrants of that name in a run that holds the match. */
function rightSeats(
  db: Database,
  id: number,
  record: MatchRecord,
  outcome: Outcome,
  seats: readonly SeatRow[],
): SeatRow[] {
  const names = db.all<{ id: number; name: string }>(
    'SELECT DISTINCT e.id, e.name FROM run_match r JOIN run_entrant x ON x.run = r.run JOIN entrant e ON e.id = x.entrant WHERE r.match = ? ORDER BY e.id',
    id,
  )
  return record.seats.map(({ entrant }, seat) => {
    const own = names.filter(({ name }) => name === entrant)
    const there = own.find((one) => one.id === seats[seat]?.entrant) ?? own[0]
    return { seat, entrant: there?.id ?? seats[seat]?.entrant ?? 0, rank: outcome.place[seat] ?? 0 }
  })
}

/** Looks at a run: its own row, its entrants, what is kept beside its matches, and its counts against its matches. */
export function* checkRun(db: Database, row: RunRow): Generator<StoreFinding> {
  const { number, id } = row
  const lost = (what: string, part?: Part): StoreFinding => ({
    what: `run ${id}: ${what}`,
    mend: mendOf(db, row, part),
  })
  if (!isWhole(db, number, 'run', rowSum(row)))
    yield lost('what it is (contest, seed, plan) is not as it was written', 'run')
  const parts: readonly (readonly [Part, string, () => number])[] = [
    ['entrants', 'its entrants are', () => entrantsSum(entrantRows(db, number))],
    ['exclusion', 'who is out is', () => total(exclusionRows.rows(db, number).map(exclusionRows.sum))],
    ['ruling', 'its rulings are', () => total(rulingRows(db, number).map(rulingSum))],
    ['rating', 'its ratings are', () => total(ratingRows.rows(db, number).map(ratingRows.sum))],
    ['stderr', 'the ends of standard errors are', () => total(stderrRows.rows(db, number).map(stderrRows.sum))],
    ['log', 'its log is', () => total(logRows.rows(db, number).map(logRows.sum))],
  ]
  for (const [part, what, sum] of parts) {
    const whole = tried(() => isWhole(db, number, part, sum()))
    if (whole !== true) yield lost(`${what} not as ${what.endsWith('are') ? 'they were' : 'it was'} written`, part)
  }
  const kept = tried(() => {
    for (const { name } of entrantRows(db, number)) readKept(db, row.tournament, name)
  })
  if (kept instanceof Error) yield lost('what its bots held on disk is not as it was written')
  yield* checkCounts(db, row)
}

function mendOf(db: Database, row: RunRow, part: Part | undefined): StoreFinding['mend'] {
  const run = row.number
  if (part === 'rating') return { kind: 'ratings', run }
  const restore = part && tried(() => restoreOf(db, row, part))
  return restore === undefined || restore instanceof Error ? NONE : { kind: 'part', restore }
}

function* checkCounts(db: Database, row: RunRow): Generator<StoreFinding> {
  const { number, id } = row
  const found = tried(() => {
    const sums = total(runMatches(db, number).map((match) => match.row.sum))
    if (!isWhole(db, number, 'matches', sums)) return 'matches of it are lost, or not as they were written'
    const entry = entryOf(row, db.parse<RunPlan>(row.plan), entrantRows(db, number))
    const stored = storedCounts(db, number)
    const pairs = stored.entrants.every(
      ({ place, pairs: sum }) => sum === pairsSum(number, pairRowsOf(db, number, place)),
    )
    if (!sameCounts(stored, recounted(db, entry))) return 'its counts are not those of its matches'
    if (!countsWhole(db, number, row.matches) || !pairs) return 'the checksum of its counts is not that of its counts'
    const segments = tried(() => isSegmented(db, entry))
    return segments === true ? undefined : 'its segments are not those of its matches'
  })
  if (found === undefined) return
  const lost = found instanceof Error || found.startsWith('matches')
  const what = found instanceof Error ? 'its matches cannot be read' : found
  yield { what: `run ${id}: ${what}`, mend: { kind: 'run', run: number, lost } }
}

/** Whether the list of runs is the one that was written. */
export function* checkList(db: Database, rows: readonly RunRow[]): Generator<StoreFinding> {
  const sum = total(rows.map(listedSum))
  if (isWhole(db, WHOLE, 'runs', sum)) return
  const restore = restoreList(db, sum)
  yield { what: 'runs of it are lost', mend: restore ? { kind: 'part', restore } : NONE }
}

/** All runs as they lie there; none where that cannot be read. */
export const runsThere = (db: Database): RunRow[] => {
  const rows = tried(() => runRows(db))
  return rows instanceof Error ? [] : rows
}

function tried<T>(work: () => T): T | Error {
  try {
    return work()
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}
