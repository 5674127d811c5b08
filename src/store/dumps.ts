import { message, option, UserError } from '../core/index.js'
import { answersText } from './answers.js'
import { damaged } from './damage.js'
import type { JobDump, Ruling, RunDump } from './data.js'
import { judgedMatches, openJobs, openTogether } from './jobs.js'
import { readKept, writeKept } from './kept.js'
import { RowReader, eachJob } from './match-rows.js'
import { addLog, addNote, exclusionsOf, notesOf, ratingsOf, rulingsOf, stderrOf } from './notes.js'
import type { DumpStore } from './port.js'
import { packJob, recordJobs } from './record.js'
import {
  type RunEntry,
  type Session,
  docOf,
  findRow,
  insertRun,
  lockWriter,
  readEntrants,
  readRow,
  storedRun,
} from './run-rows.js'
import type { StoreDatabase, StoreSql } from './sql.js'

/** Jobs of an archive that are loaded in one transaction. */
const AT_ONCE = 200

/** Whole runs as plain data. */
export function dumpsOf(
  db: StoreDatabase,
  session: Session,
  refuseLost: (sql: StoreSql, run: RunEntry) => Promise<void>,
): DumpStore {
  return {
    dump: (id) =>
      db.look(async (sql) => {
        const run = await session.entry(sql, id)
        // What counts must be whole before it is called the run.
        await refuseLost(sql, run)
        return dumpOf(sql, id, run)
      }),

    async *jobs(id) {
      const { run, order } = await db.look(async (sql) => {
        const entry = await session.entry(sql, id)
        await refuseLost(sql, entry)
        return { run: entry, order: await jobsInOrder(sql, entry) }
      })
      for (const numbers of openTogether(order)) yield* await db.look((sql) => dumpJobs(sql, run, numbers))
    },

    async load(dump, jobs) {
      for await (const part of batches(jobs())) await db.look((sql) => refuseOther(sql, part))
      await db.transaction((sql) => loadRun(session, sql, dump))
      for await (const part of batches(jobs())) {
        const packed = part.map((job) =>
          packJob(
            job,
            job.matches.map(({ at }) => Date.parse(at)),
          ),
        )
        await db.transaction(async (sql) =>
          recordJobs(session, sql, await session.entry(sql, dump.run.id, sql.forShare), packed),
        )
      }
      await db.transaction(async (sql) => {
        await loadRest(session, sql, await session.entry(sql, dump.run.id, sql.forShare), dump)
        await addLog(session, sql, undefined, 'imported', { run: dump.run.id })
      })
    },
  }
}

/** All that makes up a run but its matches. */
async function dumpOf(sql: StoreSql, id: string, run: RunEntry): Promise<RunDump> {
  const row = await readRow(sql, id)
  const rulings = await rulingsOf(sql, run)
  const keys = new Map<number, string>()
  for (const match of rulings.keys()) {
    const [there] = await sql.all<{ key: string }>('SELECT key FROM match WHERE id = $1', [match])
    if (there !== undefined) keys.set(match, there.key)
  }
  const { entrants, matches: _, ...head } = storedRun(sql, row, await readEntrants(sql, row), 0)
  return {
    run: head,
    entrants,
    exclusions: await exclusionsOf(sql, run),
    stderr: Object.fromEntries([...(await stderrOf(sql, run))].sort(([a], [b]) => (a < b ? -1 : 1))),
    rulings: [...rulings.values()]
      .sort((a, b) => a.match - b.match)
      .flatMap(({ match, outcome, why }) => {
        const place = keys.get(match)
        return place === undefined ? [] : [{ place, outcome, why }]
      }),
    ratings: await ratingsOf(sql, run),
    log: await notesOf(sql, run, 'log'),
    kept: [...(await readKept(sql, run.tournament))].map(([entrant, kept]) => ({
      tournament: run.tournament,
      entrant,
      kept,
    })),
  }
}

/** A run's jobs in the order in which they were first stored, in this store or in the one that they came from. */
async function jobsInOrder(sql: StoreSql, run: RunEntry): Promise<{ job: number; matches: number }[]> {
  const jobs: { job: number; matches: number; at: number; id: number }[] = []
  await eachJob(sql, run.number, {}, ({ job }, rows) => {
    const [head] = rows
    if (head !== undefined) jobs.push({ job, matches: rows.length, at: head.at, id: head.id })
  })
  return jobs.sort((a, b) => a.at - b.at || a.id - b.id)
}

async function dumpJobs(sql: StoreSql, run: RunEntry, numbers: readonly number[]): Promise<JobDump[]> {
  const reader = new RowReader(sql.where, run.index, new Map())
  const open = new Map((await openJobs(sql, { numbers })).map((job) => [job.number, job]))
  return numbers.map((number) => {
    const job = open.get(number)
    if (job === undefined) throw damaged(sql.where)
    const { key, rows } = job
    const matches = judgedMatches(sql.where, job).map((match, i) => {
      const row = rows[i] as (typeof rows)[number]
      return { ...match, seats: reader.seats(row), playoff: row.playoff === 1, at: new Date(row.at).toISOString() }
    })
    return { key, matches }
  })
}

/** Throws UserError where a job of the archive went otherwise in the store: they cannot both be kept. */
async function refuseOther(sql: StoreSql, jobs: readonly JobDump[]): Promise<void> {
  const open = await openJobs(sql, { keys: jobs.map(({ key }) => key) })
  const there = new Map(open.map((job) => [job.key, judgedMatches(sql.where, job)]))
  for (const { key, matches } of jobs) {
    for (const [i, { record: own }] of (there.get(key) ?? []).entries()) {
      const record = matches[i]?.record
      if (record !== undefined && answersText(own) === answersText(record)) continue
      throw new UserError(
        message`${sql.where} holds the match ${record?.key ?? key} with other moves than the archive: import into another ${option('workspace')} or ${option('store')}`,
      )
    }
  }
}

/** Adds a run of an archive, without its matches; one that is there already must be the same. Within a transaction. */
async function loadRun(session: Session, sql: StoreSql, dump: RunDump): Promise<void> {
  const there = await findRow(sql, dump.run.id)
  if (there === undefined) {
    const { state, ended, ...run } = dump.run
    const number = await insertRun(sql, { ...run, entrants: dump.entrants }, state, ended)
    await lockWriter(sql, number, await session.writerOf(sql))
  } else if (docOf(sql, there).tournament !== dump.run.tournament)
    throw new UserError(
      message`${sql.where} holds another run ${dump.run.id}: import into another ${option('workspace')} or ${option('store')}`,
    )
}

/** Adds all that an archive has beside the matches, which must be there. Within a transaction. */
async function loadRest(session: Session, sql: StoreSql, run: RunEntry, dump: RunDump): Promise<void> {
  const log = await notesOf(sql, run, 'log')
  for (const doc of dump.log.slice(log.length)) await addNote(session, sql, run, { kind: 'log', doc })
  const exclusions = new Map((await exclusionsOf(sql, run)).map((one) => [one.name, JSON.stringify(one)]))
  for (const doc of dump.exclusions)
    if (exclusions.get(doc.name) !== JSON.stringify(doc)) await addNote(session, sql, run, { kind: 'exclusion', doc })
  const stderr = await stderrOf(sql, run)
  for (const [name, text] of Object.entries(dump.stderr))
    if (!stderr.has(name)) await addNote(session, sql, run, { kind: 'stderr', doc: { name, text } })
  if ((await ratingsOf(sql, run)).length === 0 && dump.ratings.length > 0)
    await addNote(session, sql, run, { kind: 'ratings', doc: dump.ratings })
  const kept = await readKept(sql, run.tournament)
  const fresh = dump.kept.filter(({ entrant }) => !kept.has(entrant))
  await writeKept(
    sql,
    fresh.map((one) => ({ kept: { tournament: one.tournament, by: { [one.entrant]: one.kept } } })),
  )
  const ruled = await rulingsOf(sql, run)
  for (const doc of await rulingsIn(sql, run, dump.rulings))
    if (JSON.stringify(ruled.get(doc.match)) !== JSON.stringify(doc))
      await addNote(session, sql, run, { kind: 'ruling', doc })
}

/** An archive's rulings with the store's numbers of their matches. */
async function rulingsIn(sql: StoreSql, run: RunEntry, rulings: RunDump['rulings']): Promise<Ruling[]> {
  if (rulings.length === 0) return []
  const ids = new Map<string, number>()
  await eachJob(sql, run.number, {}, (_, rows) => rows.forEach(({ key, id }) => ids.set(key, id)))
  return rulings.flatMap(({ place, outcome, why }) => {
    const match = ids.get(place)
    return match === undefined ? [] : [{ match, outcome, why }]
  })
}

async function* batches(jobs: AsyncIterable<JobDump>): AsyncGenerator<JobDump[]> {
  let batch: JobDump[] = []
  for await (const job of jobs) {
    batch.push(job)
    if (batch.length < AT_ONCE) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}
