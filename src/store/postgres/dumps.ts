import { type Outcome, message, option, UserError } from '../../core/index.js'
import { batches } from '../batches.js'
import { courseText } from '../course.js'
import type { JobDump, RunDump } from '../data.js'
import type { DumpStore } from '../port.js'
import type { RunEntry } from '../run-rows.js'
import { total } from '../sums.js'
import {
  exclusionRows,
  insertExclusion,
  insertStderr,
  ratingRows,
  readBeside,
  readLog,
  replaceRatings,
  stderrRows,
} from './beside.js'
import { readDigests } from './digests.js'
import { insertRun, readEntrants, readEntry, readRuns } from './entries.js'
import { damagedAt } from './errors.js'
import { readKept, writeKept } from './kept.js'
import { applyRulings } from './matches.js'
import { addJobs } from './record.js'
import { faultsOf, jobRows, records, seatsOf } from './rows.js'
import type { Sql } from './server.js'
import { type Session, insertLog } from './session.js'

/** Jobs that are read or loaded in one transaction. */
const BATCH = 500

/** Whole runs of the server as plain data. */
export function serverDumps(session: Session): DumpStore {
  const { server } = session
  return {
    dump: (run) => server.look((sql) => dumpRun(sql, run)),

    async *jobs(run) {
      const { entry, keys } = await server.look(async (sql) => {
        const { entry: read } = await readEntry(sql, run)
        return { entry: read, keys: await jobKeys(sql, read.number) }
      })
      for (let at = 0; at < keys.length; at += BATCH) {
        const portion = keys.slice(at, at + BATCH)
        yield* await server.look((sql) => dumpJobs(sql, entry, portion))
      }
    },

    async load(dump, jobs) {
      for await (const batch of batches(jobs(), BATCH)) await server.look((sql) => refuseOther(sql, batch))
      await server.write((sql) => loadRun(sql, dump))
      for await (const batch of batches(jobs(), BATCH))
        await server.write(async (sql) => {
          const run = await session.entry(sql, dump.run.id, 'lock')
          await addJobs(sql, run, { jobs: batch, at: ({ at }) => Date.parse(at) })
        })
      await server.write(async (sql) => {
        await loadRest(sql, await session.entry(sql, dump.run.id, 'lock'), dump)
        await session.note(sql, null, 'imported', { run: dump.run.id })
      })
    },
  }
}

/** All that makes up a run but its matches. */
async function dumpRun(sql: Sql, id: string): Promise<RunDump> {
  const { entry } = await readEntry(sql, id)
  const { number } = entry
  const [summary] = await readRuns(sql, id)
  if (summary === undefined) throw damagedAt(sql.where)
  const { matches: _, ...run } = summary
  await refuseDamagedMatches(sql, number)
  const rulings = await sql.all<{ place: string; outcome: string; why: string }>(
    'SELECT m.place, u.outcome, u.why FROM agon.ruling u JOIN agon.match m ON m.id = u.match WHERE u.run = $1 ORDER BY m.id',
    number,
  )
  const stderr = await readBeside(sql, number, 'stderr', stderrRows)
  const kept = await readKept(sql, run.tournament)
  return {
    run,
    entrants: await readEntrants(sql, number),
    exclusions: await readBeside(sql, number, 'exclusion', exclusionRows),
    stderr: Object.fromEntries(stderr.map(({ name, text }) => [name, text])),
    rulings: rulings.map(({ place, outcome, why }) => ({
      place,
      outcome: sql.parse<Outcome>(outcome),
      why: sql.parse<string>(why),
    })),
    ratings: await readBeside(sql, number, 'rating', ratingRows),
    log: await readLog(sql, number),
    kept: [...kept].map(([entrant, one]) => ({ tournament: run.tournament, entrant, kept: one })),
  }
}

/** Throws UserError where the rows of a run's matches are not those that were written. */
async function refuseDamagedMatches(sql: Sql, run: number): Promise<void> {
  const rows = await sql.all<{ sum: number }>(
    'SELECT m.sum FROM agon.run_match r JOIN agon.match m ON m.id = r.match WHERE r.run = $1',
    run,
  )
  ;(await readDigests(sql, run)).refuseDamage(run, 'matches', total(rows.map(({ sum }) => sum)))
}

/** The keys of a run's jobs in the order in which they were first stored, in this store or in the one that they came from. */
async function jobKeys(sql: Sql, run: number): Promise<string[]> {
  await refuseDamagedMatches(sql, run)
  const rows = await sql.all<{ unit: string }>(
    `SELECT encode(m.unit, 'hex') AS unit FROM agon.run_match r JOIN agon.match m ON m.id = r.match
     WHERE r.run = $1 AND m.number = 0 ORDER BY m.at, m.id`,
    run,
  )
  return rows.map(({ unit }) => unit)
}

async function dumpJobs(sql: Sql, run: RunEntry, keys: readonly string[]): Promise<JobDump[]> {
  const jobs = await jobRows(sql, keys)
  const known = await records(sql, [...jobs.values()].flat())
  return keys.map((key) => {
    const rows = jobs.get(key)
    if (rows === undefined) throw damagedAt(sql.where)
    return {
      key,
      matches: rows.map((row) => {
        const record = known.get(row.id)
        if (record === undefined) throw damagedAt(sql.where)
        return {
          record,
          faults: faultsOf(sql, row),
          seats: seatsOf(run, row),
          playoff: row.playoff === 1,
          at: new Date(row.at).toISOString(),
        }
      }),
    }
  })
}

/** Throws UserError where a job of the archive went otherwise in the store: they cannot both be kept. */
async function refuseOther(sql: Sql, jobs: readonly JobDump[]): Promise<void> {
  const there = await jobRows(
    sql,
    jobs.map(({ key }) => key),
  )
  const known = await records(sql, [...there.values()].flat())
  for (const { key, matches } of jobs) {
    for (const [i, { id }] of (there.get(key) ?? []).entries()) {
      const [record, own] = [matches[i]?.record, known.get(id)]
      if (record !== undefined && own !== undefined && courseText(own) === courseText(record)) continue
      throw new UserError(
        message`${sql.where} holds the match ${record?.key ?? key} with other moves than the archive: import into another database with ${option('store')}`,
      )
    }
  }
}

/** Adds a run of an archive, without its matches; one that is there already must be the same. Within a write. */
async function loadRun(sql: Sql, dump: RunDump): Promise<void> {
  const [there] = await readRuns(sql, dump.run.id)
  if (there === undefined) return insertRun(sql, dump.run, dump.entrants)
  if (there.tournament !== dump.run.tournament)
    throw new UserError(
      message`${sql.where} holds another run ${dump.run.id}: import into another database with ${option('store')}`,
    )
}

/** Adds all that an archive has beside the matches, which must be there. Within a write. */
async function loadRest(sql: Sql, run: RunEntry, dump: RunDump): Promise<void> {
  const { number } = run
  const [at] = await sql.all<{ n: number }>('SELECT count(*) AS n FROM agon.log WHERE run = $1', number)
  for (const entry of dump.log.slice(at?.n ?? 0)) await insertLog(sql, number, entry)
  for (const one of dump.exclusions) await insertExclusion(sql, number, one)
  await insertStderr(sql, number, new Map(Object.entries(dump.stderr)))
  const ratings = await ratingRows.rows(sql, number)
  const own = ratings.filter(
    (one) => !dump.ratings.some(({ kind, entrant }) => kind === one.kind && entrant === one.entrant),
  )
  await replaceRatings(sql, number, [...own, ...dump.ratings])
  for (const { tournament, entrant, kept } of dump.kept)
    if (!(await readKept(sql, tournament, entrant)).has(entrant)) await writeKept(sql, tournament, { [entrant]: kept })
  const places = await sql.all<{ id: number; place: string }>(
    'SELECT m.id, m.place FROM agon.run_match r JOIN agon.match m ON m.id = r.match WHERE r.run = $1 AND m.place = ANY($2::text[])',
    number,
    dump.rulings.map(({ place }) => place),
  )
  const matchAt = new Map(places.map(({ id, place }) => [place, id]))
  await applyRulings(
    sql,
    run,
    dump.rulings.flatMap(({ place, ...ruling }) => {
      const match = matchAt.get(place)
      return match === undefined ? [] : [{ ...ruling, match }]
    }),
  )
}
