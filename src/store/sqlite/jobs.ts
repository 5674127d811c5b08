import type { Outcome } from '../../core/index.js'
import { Counts } from '../counts.js'
import type { Kept, PlayedJob, PlayedMatch, StoredFault } from '../data.js'
import { gameOf } from '../game.js'
import { type Place, heldSum } from '../packing.js'
import { type RunEntry, bytes } from '../run-rows.js'
import { type SeatRow, faultsSum, matchSum } from '../seals.js'
import { addCounts } from './counts.js'
import type { Database } from './database.js'
import { jobRows, readFaults, seatsOf } from './match-rows.js'
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
  const before = new Set<string>()
  for (const { key } of jobs) if (adoptJob(db, segments, run, key, counts)) before.add(key)
  const fresh = jobs.filter(({ key }) => !before.has(key))
  insertJobs(db, run, fresh, counts, () => at)
  for (const [tournament, by] of lastKept(fresh)) {
    for (const [entrant, what] of by) writeKept(db, bytes(tournament), entrant, what)
  }
  addCounts(db, run.number, counts)
  segments.append(run.number, counts.games)
  return before
}

/** By tournament and entrant what is kept after the last of these jobs: what was kept in between is gone with it. */
function lastKept(jobs: readonly PlayedJob[]): Map<string, Map<string, Kept>> {
  const last = new Map<string, Map<string, Kept>>()
  for (const { kept } of jobs) {
    if (kept === undefined) continue
    const by = last.get(kept.tournament) ?? new Map<string, Kept>()
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
  const list = jobs.flatMap(({ key, matches }) =>
    matches.map((match, number) => ({ match, key, number, line: JSON.stringify(match.record) })),
  )
  const places = packRecords(
    db,
    list.map(({ line }) => line),
  )
  const loose: { match: number; record: string }[] = []
  for (const [i, { match, key, number, line }] of list.entries()) {
    const place = places[i] as Place
    const { id, sum, outcome } = insertMatch(db, run, key, number, match, at(match), place)
    counts.link(sum)
    if (place.pack === null) loose.push({ match: id, record: line })
    counts.add({ ...match, outcome: match.record.outcome })
    counts.games.push(gameOf(id, match, outcome))
  }
  storeLoose(db, loose)
  db.adds(list.length)
}

/** Counts those of the jobs that are there in a run, and returns their keys. Within a write. */
export function adoptJobs(db: Database, segments: Segments, run: RunEntry, jobs: readonly string[]): Set<string> {
  const counts = new Counts()
  const there = new Set(jobs.filter((job) => adoptJob(db, segments, run, job, counts)))
  addCounts(db, run.number, counts)
  segments.append(run.number, counts.games)
  return there
}

function insertMatch(
  db: Database,
  run: RunEntry,
  job: string,
  number: number,
  { record, faults, seats, playoff }: PlayedMatch,
  at: number,
  held: Place,
): { id: number; sum: number; outcome: string } {
  const match = {
    unit: job,
    number,
    place: record.key ?? '',
    outcome: JSON.stringify(record.outcome),
    playoff: playoff ? 1 : 0,
    at,
    faults: faultsSum(faults),
  }
  const who = seats.map((entrant, seat): SeatRow => ({
    seat,
    entrant: run.entrants[entrant] as number,
    rank: record.outcome.place[seat] ?? 0,
  }))
  const sum = matchSum(match, who)
  const { id } = db.run(
    'INSERT INTO match (unit, number, place, outcome, playoff, at, pack, slot, faults, sum, held) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
    bytes(job),
    number,
    match.place,
    match.outcome,
    match.playoff,
    at,
    held.pack,
    held.slot,
    match.faults,
    sum,
    heldSum(sum, held),
  )
  link(db, run, id)
  for (const { seat, entrant, rank } of who)
    db.run('INSERT INTO seat (match, seat, entrant, rank) VALUES (?, ?, ?, ?)', id, seat, entrant, rank)
  insertFaults(db, id, faults)
  return { id, sum, outcome: match.outcome }
}

export function insertFaults(db: Database, match: number, faults: readonly StoredFault[]): void {
  for (const { seat, turn, fault, why, said } of faults) {
    db.run(
      'INSERT INTO fault (match, turn, seat, kind, why, said) VALUES (?, ?, ?, ?, ?, ?)',
      match,
      turn,
      seat,
      fault,
      why ?? null,
      said ?? null,
    )
  }
}

/** Counts a job in a run, where it is not yet. False: there is no such job. */
function adoptJob(db: Database, segments: Segments, run: RunEntry, key: string, counts: Counts): boolean {
  const rows = jobRows(db, key)
  for (const row of rows) {
    if (!link(db, run, row.id)) continue
    counts.link(row.sum)
    const match = { seats: seatsOf(db, run, row.id), playoff: row.playoff === 1 }
    const outcome = ruledOutcome(db, run, row.id) ?? row.outcome
    counts.add({ ...match, outcome: db.parse<Outcome>(outcome), faults: readFaults(db, row.id) })
    counts.games.push(gameOf(row.id, { ...match, record: segments.recordOf(row.id) }, row.outcome))
  }
  return rows.length > 0
}

/** What was ruled of a match in a run that held it before. */
const ruledOutcome = (db: Database, run: RunEntry, match: number): string | undefined =>
  db.get<{ outcome: string }>('SELECT outcome FROM ruling WHERE run = ? AND match = ?', run.number, match)?.outcome

const link = (db: Database, run: RunEntry, match: number): boolean =>
  db.run('INSERT OR IGNORE INTO run_match (run, match) VALUES (?, ?)', run.number, match).changes > 0
