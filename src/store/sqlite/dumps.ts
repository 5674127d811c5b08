import { type Outcome, type Result, message, option, UserError } from '../../core/index.js'
import { Counts } from '../counts.js'
import { courseText } from '../course.js'
import { damaged } from '../damage.js'
import type { JobDump, Ruling, RunDump } from '../data.js'
import { type RunEntry, bytes } from '../run-rows.js'
import { rulingSum } from '../seals.js'
import {
  exclusionRows,
  insertExclusion,
  insertLog,
  insertRating,
  insertStderr,
  logRows,
  ratingRows,
  readBeside,
  stderrRows,
} from './beside.js'
import { addCounts } from './counts.js'
import { columnOf, textOf } from './column-text.js'
import type { Database } from './database.js'
import { addDigest, dropDigest } from './digests.js'
import { insertRun, readEntrants, readEntry, readRuns } from './entries.js'
import { adoptJobs, insertJobs } from './jobs.js'
import { jobRows, readFaults, runMatches, seatsOf } from './match-rows.js'
import type { Unpacker } from './packs.js'
import { refuseDamagedMatches } from './results.js'
import type { Segments } from './segments.js'
import { readKept, writeKept } from './snapshots.js'

/** All that makes up a run but its matches. */
export function dumpRun(db: Database, id: string): RunDump {
  const { number } = readEntry(db, id)
  const [summary] = readRuns(db, id)
  if (summary === undefined) throw new Error(`${db.file} holds no run ${id}`)
  const { matches: _, ...run } = summary
  const tournament = bytes(run.tournament)
  // What counts must be whole before it is called the run.
  refuseDamagedMatches(db, readEntry(db, id))
  return {
    run,
    entrants: readEntrants(db, number),
    exclusions: readBeside(db, number, 'exclusion', exclusionRows),
    stderr: Object.fromEntries(readBeside(db, number, 'stderr', stderrRows).map(({ name, text }) => [name, text])),
    rulings: db
      .all<{ place: string; outcome: string; why: string }>(
        'SELECT m.place, u.outcome, u.why FROM ruling u JOIN match m ON m.id = u.match WHERE u.run = ? ORDER BY m.id',
        number,
      )
      .map((row) => ({ ...row, outcome: db.parse<Outcome>(row.outcome), why: textOf(row.why) })),
    ratings: readBeside(db, number, 'rating', ratingRows),
    log: readLog(db, number),
    kept: db
      .all<{ entrant: string }>('SELECT entrant FROM kept WHERE tournament = ? ORDER BY entrant', tournament)
      .flatMap(({ entrant }) => {
        const kept = readKept(db, tournament, entrant)
        return kept === undefined ? [] : [{ tournament: run.tournament, entrant, kept }]
      }),
  }
}

export const readLog = (db: Database, run: number): RunDump['log'] =>
  readBeside(db, run, 'log', logRows).map(({ id: _id, ...row }) => ({
    ...row,
    detail: db.parse<Record<string, unknown>>(row.detail),
  }))

/** A run's jobs in the order in which they were first stored, in this store or in the one that they came from. */
export function* dumpJobs(db: Database, unpacker: Unpacker, runId: string): Generator<JobDump> {
  const { run, rows } = db.look(() => {
    const entry = readEntry(db, runId)
    refuseDamagedMatches(db, entry)
    return { run: entry, rows: runMatches(db, entry.number).map(({ row }) => row) }
  })
  const sizes = new Map<string, number>()
  for (const { unit: job } of rows) sizes.set(job, (sizes.get(job) ?? 0) + 1)
  const firsts = rows.filter(({ number }) => number === 0).sort((a, b) => a.at - b.at || a.id - b.id)
  for (const { unit: job } of firsts) {
    const dumped = db.look(() => dumpJob(db, run, unpacker, job))
    // A job is found by its key, a run's matches by their numbers: a damaged index is noticed by the difference.
    if (dumped.matches.length !== sizes.get(job)) throw damaged(db.file)
    yield dumped
  }
}

function dumpJob(db: Database, run: RunEntry, unpacker: Unpacker, key: string): JobDump {
  return {
    key,
    matches: jobRows(db, key).map(({ id, playoff, at }) => ({
      record: unpacker.record(id),
      faults: readFaults(db, id),
      seats: seatsOf(db, run, id),
      playoff: playoff === 1,
      at: new Date(at).toISOString(),
    })),
  }
}

/** Throws UserError where a job of the archive went otherwise in the store: they cannot both be kept. */
export function refuseOther(db: Database, unpacker: Unpacker, job: JobDump): void {
  for (const [i, { id }] of jobRows(db, job.key).entries()) {
    const record = job.matches[i]?.record
    if (record !== undefined && courseText(unpacker.record(id)) === courseText(record)) continue
    throw new UserError(
      message`${db.file} holds the match ${record?.key ?? job.key} with other moves than the archive: import into another workspace with ${option('workspace')}`,
    )
  }
}

/** Adds a run of an archive, without its matches; one that is there already must be the same. Within a write. */
export function loadRun(db: Database, dump: RunDump): RunEntry {
  const [there] = readRuns(db, dump.run.id)
  if (there === undefined) insertRun(db, dump.run, dump.entrants)
  else if (there.tournament !== dump.run.tournament)
    throw new UserError(
      message`${db.file} holds another run ${dump.run.id}: import into another workspace with ${option('workspace')}`,
    )
  return readEntry(db, dump.run.id)
}

/** Adds jobs of an archive to a run. Within a write. */
export function loadJobs(db: Database, segments: Segments, run: RunEntry, jobs: readonly JobDump[]): void {
  const there = adoptJobs(
    db,
    segments,
    run,
    jobs.map(({ key }) => key),
  )
  const counts = new Counts()
  const fresh = jobs.filter(({ key }) => !there.has(key))
  insertJobs(db, run, fresh, counts, ({ at }) => Date.parse(at))
  addCounts(db, run.number, counts, segments)
}

/** Adds all that an archive has beside the matches, which must be there. Within a write. */
export function loadRest(db: Database, run: RunEntry, dump: RunDump): void {
  const { number } = run
  const at = db.get<{ n: number }>('SELECT count(*) AS n FROM log WHERE run = ?', number)?.n ?? 0
  for (const { detail, ...entry } of dump.log.slice(at))
    insertLog(db, number, { ...entry, detail: JSON.stringify(detail) })
  for (const one of dump.exclusions) insertExclusion(db, number, one)
  for (const [name, text] of Object.entries(dump.stderr)) insertStderr(db, number, name, text)
  for (const one of dump.ratings) insertRating(db, number, one)
  for (const { tournament, entrant, kept } of dump.kept)
    if (readKept(db, bytes(tournament), entrant) === undefined) writeKept(db, bytes(tournament), entrant, kept)
  applyRulings(
    db,
    run,
    dump.rulings.flatMap(({ place, ...ruling }) => {
      const match = db.get<{ id: number }>(
        'SELECT m.id FROM run_match r JOIN match m ON m.id = r.match WHERE r.run = ? AND m.place = ?',
        number,
        place,
      )
      return match === undefined ? [] : [{ ...ruling, match: match.id }]
    }),
  )
}

/** Lets other outcomes count in a run than those that count now. Within a write. */
export function applyRulings(db: Database, run: RunEntry, rulings: readonly Ruling[]): void {
  const counts = new Counts()
  for (const { match, outcome, why } of rulings) {
    const row = db.get<{ outcome: string; playoff: number }>(
      'SELECT coalesce(u.outcome, m.outcome) AS outcome, m.playoff FROM match m LEFT JOIN ruling u ON u.run = ? AND u.match = m.id WHERE m.id = ?',
      run.number,
      match,
    )
    if (row === undefined) throw new Error(`${db.file}: there is no match ${match}`)
    const counted = { seats: seatsOf(db, run, match), faults: [], playoff: row.playoff === 1 }
    counts.add({ ...counted, outcome: db.parse<Result['outcome']>(row.outcome) }, -1)
    counts.add({ ...counted, outcome })
    const before = db.get<{ match: number; outcome: string; why: string }>(
      'SELECT match, outcome, why FROM ruling WHERE run = ? AND match = ?',
      run.number,
      match,
    )
    if (before) dropDigest(db, run.number, 'ruling', rulingSum({ ...before, why: textOf(before.why) }))
    const ruling = { match, outcome: JSON.stringify(outcome), why }
    addDigest(db, run.number, 'ruling', rulingSum(ruling))
    db.run(
      'INSERT OR REPLACE INTO ruling (run, match, outcome, why) VALUES (?, ?, ?, ?)',
      run.number,
      match,
      ruling.outcome,
      columnOf(why),
    )
  }
  addCounts(db, run.number, counts)
}
