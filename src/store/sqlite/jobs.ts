import type { Outcome } from '../../core/index.js'
import { Counts } from '../counts.js'
import type { KeptFiles, PlayedJob, PlayedMatch, StoredFault } from '../data.js'
import { addedMatch } from '../stored-match.js'
import { type RecordPlace, heldSum, LOOSE } from '../packing.js'
import { type RunEntry, bytes } from '../run-rows.js'
import { type SeatRow, faultsSum, matchSum } from '../seals.js'
import { addCounts } from './counts.js'
import { columnOf } from './column-text.js'
import type { Database } from './database.js'
import { jobRows, readFaults, seatsOf, seatsText } from './match-rows.js'
import { packRecords, storeLoose } from './packs.js'
import type { Segments } from './segments.js'
import { writeKept } from './snapshots.js'

/** Stores jobs in a run; those that are there already are counted in it as they are, and their keys returned. Within a write. */
export function recordJobs(
  db: Database,
  segments: Segments,
  run: RunEntry,
  jobs: readonly PlayedJob[],
  at: number,
): Set<string> {
  const counts = new Counts()
  const before = jobsThere(
    db,
    jobs.map(({ key }) => key),
  )
  for (const key of before) adoptJob(db, segments, run, key, counts)
  const fresh = jobs.filter(({ key }) => !before.has(key))
  insertJobs(db, run, fresh, counts, () => at)
  for (const [tournament, by] of lastKept(fresh)) {
    for (const [entrant, what] of by) writeKept(db, bytes(tournament), entrant, what)
  }
  addCounts(db, run.number, counts, segments)
  return before
}

/** By tournament and entrant what is kept after the last of these jobs: what was kept in between is gone with it. */
function lastKept(jobs: readonly PlayedJob[]): Map<string, Map<string, KeptFiles>> {
  const last = new Map<string, Map<string, KeptFiles>>()
  for (const { kept } of jobs) {
    if (kept === undefined) continue
    const by = last.get(kept.tournament) ?? new Map<string, KeptFiles>()
    last.set(kept.tournament, by)
    for (const [entrant, what] of Object.entries(kept.by)) by.set(entrant, what)
  }
  return last
}

/** Adds jobs that are not there, and counts them in a run. Within a write. */
export function insertJobs<Match extends PlayedMatch>(
  db: Database,
  run: RunEntry,
  jobs: readonly { readonly key: string; readonly matches: readonly Match[] }[],
  counts: Counts,
  at: (match: Match) => number,
): void {
  const lines: string[] = []
  for (const { matches } of jobs) for (const { record } of matches) lines.push(JSON.stringify(record))
  const places = packRecords(db, lines)
  const loose: { match: number; record: string }[] = []
  const rows = new Rows(lastMatch(db))
  let n = 0
  for (const { key, matches } of jobs) {
    for (let number = 0; number < matches.length; number++, n++) {
      const match = matches[number] as Match
      const place = places[n] ?? LOOSE
      const { id, sum, outcome } = rows.add(run, key, number, match, at(match), place)
      counts.link(sum)
      if (place.pack === null) loose.push({ match: id, record: lines[n] as string })
      const { seats, faults, playoff, record } = match
      counts.add({ seats, faults, playoff, outcome: record.outcome })
      counts.games.push(addedMatch(id, match, outcome))
      insertFaults(db, id, faults)
    }
  }
  rows.insert(db)
  storeLoose(db, loose)
  db.adds(n)
}

/** Counts those of the jobs that are there in a run, and returns their keys. Within a write. */
export function adoptJobs(db: Database, segments: Segments, run: RunEntry, jobs: readonly string[]): Set<string> {
  const counts = new Counts()
  const there = jobsThere(db, jobs)
  for (const job of there) adoptJob(db, segments, run, job, counts)
  addCounts(db, run.number, counts, segments)
  return there
}

/** The number of the newest match. The next one's is known before it is written: what is written of it needs no answer from the file. */
const lastMatch = (db: Database): number =>
  db.recall<number>(LAST) ?? db.get<{ id: number | null }>('SELECT max(id) AS id FROM match')?.id ?? 0

/** Under which the database keeps it. */
const LAST = 'the newest match'

/** Rows of matches that are to be inserted together. */
class Rows {
  private readonly matches: (string | number | Uint8Array | null)[] = []
  private readonly links: number[] = []

  constructor(private last: number) {}

  add(
    run: RunEntry,
    job: string,
    number: number,
    { record, faults, seats, playoff }: PlayedMatch,
    at: number,
    held: RecordPlace,
  ): { id: number; sum: number; outcome: string } {
    const id = ++this.last
    const place = record.key ?? ''
    const outcome = JSON.stringify(record.outcome)
    const who: SeatRow[] = []
    for (let seat = 0; seat < seats.length; seat++) {
      const entrant = run.entrants[seats[seat] as number] as number
      who.push({ seat, entrant, rank: record.outcome.place[seat] ?? 0 })
    }
    const sealed = { unit: job, number, place, outcome, playoff: playoff ? 1 : 0, at, faults: faultsSum(faults) }
    const sum = matchSum(sealed, who)
    const { pack, slot } = held
    this.matches.push(id, bytes(job), number, place, seatsText(who), outcome, sealed.playoff, at, pack, slot)
    this.matches.push(sealed.faults, sum, heldSum(sum, held))
    this.links.push(run.number, id)
    return { id, sum, outcome }
  }

  insert(db: Database): void {
    db.insert('match', MATCH, this.matches)
    db.insert('run_match', ['run', 'match'], this.links)
    db.keep(LAST, this.last)
  }
}

const MATCH = 'id unit number place seats outcome playoff at pack slot faults sum held'.split(' ')

export function insertFaults(db: Database, match: number, faults: readonly StoredFault[]): void {
  for (const { seat, turn, fault, why, said } of faults) {
    db.run(
      'INSERT INTO fault (match, turn, seat, kind, why, said) VALUES (?, ?, ?, ?, ?, ?)',
      match,
      turn,
      seat,
      fault,
      why === undefined ? null : columnOf(why),
      said === undefined ? null : columnOf(said),
    )
  }
}

/** Those of the jobs that are there, in their order. */
function jobsThere(db: Database, keys: readonly string[]): Set<string> {
  const [first] = keys
  // A live run's matches mostly land one by one.
  if (keys.length === 1 && first !== undefined) return new Set(isThere(db, first) ? [first] : [])
  const rows = db.all<{ unit: string }>(
    'SELECT value AS unit FROM json_each(?) WHERE EXISTS (SELECT 1 FROM match WHERE unit = unhex(value))',
    JSON.stringify(keys),
  )
  return new Set(rows.map(({ unit }) => unit))
}

export const isThere = (db: Database, job: string): boolean =>
  db.get('SELECT 1 FROM match WHERE unit = ?', bytes(job)) !== undefined

/** Counts a job that is there in a run, where it is not yet. */
function adoptJob(db: Database, segments: Segments, run: RunEntry, key: string, counts: Counts): void {
  for (const row of jobRows(db, key)) {
    if (!link(db, run, row.id)) continue
    counts.link(row.sum)
    const match = { seats: seatsOf(db, run, row.id), playoff: row.playoff === 1 }
    const outcome = ruledOutcome(db, run, row.id) ?? row.outcome
    counts.add({ ...match, outcome: db.parse<Outcome>(outcome), faults: readFaults(db, row.id) })
    counts.games.push(addedMatch(row.id, { ...match, record: segments.recordOf(row.id) }, row.outcome))
  }
}

/** What was ruled of a match in a run that held it before. */
const ruledOutcome = (db: Database, run: RunEntry, match: number): string | undefined =>
  db.get<{ outcome: string }>('SELECT outcome FROM ruling WHERE run = ? AND match = ?', run.number, match)?.outcome

const link = (db: Database, run: RunEntry, match: number): boolean =>
  db.run('INSERT OR IGNORE INTO run_match (run, match) VALUES (?, ?)', run.number, match).changes > 0
