import { message, option, UserError, weighed } from '../core/index.js'
import type { JobDump, Ruling, RunDump, RunStore } from './port.js'
import { type OpenJob, jobHeads, judgedMatches, openJobs } from './jobs.js'
import { readKept, writeKept } from './kept.js'
import { type MatchRow, RowReader, matchRow, rowsOfJobs } from './match-rows.js'
import { type Notes, addNote, exclusionsOf, notesOf, ratingsOf, stderrOf } from './notes.js'
import { packJob, recordJobs } from './record.js'
import { type RunEntry, type Session, findRow, insertRun, lockWriter, readRow, runIn } from './run-rows.js'
import type { StoreSql } from './sql.js'
import type { Tallies, Tally } from './tally.js'

/** Matches whose records are read together, or those of one job. */
const TOGETHER = 500
/** Jobs of an archive that one transaction loads. */
const AT_ONCE = 200

export const dumpsOf = (session: Session, tallies: Tallies): Pick<RunStore, 'dump' | 'jobs' | 'load'> => ({
  // The tally sees to it that what counts is whole.
  dump: (id) => session.look(id, async (sql, run) => dumpOf(sql, id, run, await tallies.of(sql, run))),

  async *jobs(id) {
    const { run, order } = await session.look(id, async (sql, entry) => {
      await tallies.of(sql, entry)
      return { run: entry, order: await jobsInOrder(sql, entry) }
    })
    for (const some of weighed(order, ({ matches }) => matches, TOGETHER))
      yield* await session.db.look((sql) => dumpJobs(sql, run, some))
  },

  async load(dump, jobs) {
    const { id } = dump.run
    for await (const part of batches(jobs())) await session.db.look((sql) => refuseOther(sql, dump, part))
    await session.db.transaction((sql) => loadRun(session, sql, dump))
    for await (const part of batches(jobs())) {
      const packed = part.map((job) => packJob(job, ({ at }) => Date.parse(at)))
      await session.change(id, (sql, run) => recordJobs(session, sql, run, packed))
    }
    await session.change(id, (sql, run) => loadRest(session, sql, run, dump))
  },
})

async function dumpOf(sql: StoreSql, id: string, run: RunEntry, { ruled }: Tally): Promise<RunDump> {
  const row = await readRow(sql, id)
  const rulings = [...ruled].sort(([, a], [, b]) => a.match - b.match)
  const { entrants, ...head } = runIn(sql, row)
  const { tournament } = head
  return {
    run: { ...head, state: row.state, ended: row.ended ?? undefined },
    entrants,
    exclusions: await exclusionsOf(sql, run),
    stderr: Object.fromEntries([...(await stderrOf(sql, run))].sort(([a], [b]) => (a < b ? -1 : 1))),
    rulings: rulings.map(([place, { outcome, why }]) => ({ place, outcome, why })),
    ratings: await ratingsOf(sql, run),
    log: await notesOf(sql, run, 'log'),
    kept: [...(await readKept(sql, tournament))].map(([entrant, kept]) => ({ tournament, entrant, kept })),
  }
}

/** A run's jobs in the order in which they were first stored, here or in the store that they came from. */
const jobsInOrder = (sql: StoreSql, run: RunEntry): Promise<{ job: number; matches: number }[]> =>
  sql.all(
    `SELECT m.job, count(*) AS matches FROM run_job r JOIN match m ON m.job = r.job
     WHERE r.run = $1 GROUP BY m.job ORDER BY min(m.at), min(m.id)`,
    [run.number],
  )

async function dumpJobs(sql: StoreSql, run: RunEntry, jobs: readonly { readonly job: number }[]): Promise<JobDump[]> {
  const reader = new RowReader(sql.where, run.index, new Map())
  const open = new Map((await openJobs(sql, jobs)).map((job) => [job.job, job]))
  return jobs.map(({ job: number }) => {
    const job = open.get(number) as OpenJob
    const matches = judgedMatches(sql.where, job).map((match, i) => {
      const row = job.rows[i] as MatchRow
      return { ...match, seats: reader.seats(row), playoff: row.playoff === 1, at: new Date(row.at).toISOString() }
    })
    return { key: job.key, matches }
  })
}

/** Throws UserError where a job of the archive went otherwise in the store: both cannot be kept. */
async function refuseOther(sql: StoreSql, { entrants }: RunDump, jobs: readonly JobDump[]): Promise<void> {
  const keys = jobs.map(({ key }) => key)
  const there = await jobHeads(sql, keys)
  const rows = await rowsOfJobs(sql, [...there.values()])
  const names = entrants.map(({ name }) => name)
  for (const { key, matches } of jobs)
    for (const [i, row] of (rows.get(there.get(key)?.job ?? 0) ?? []).entries()) {
      const match = matches[i]
      if (match !== undefined && isSameMatch(row, matchRow(match, row, names))) continue
      throw new UserError(
        message`${sql.where} holds the match ${match?.record.key ?? key} with other moves than the archive: import into another ${option('workspace')} or ${option('store')}`,
      )
    }
}

const isSameMatch = (row: MatchRow, other: MatchRow): boolean =>
  (['key', 'seats', 'outcome', 'answers', 'luck'] as const).every((column) => row[column] === other[column])

/** Adds a run of an archive, without its matches; one that is there must be the same. Within a transaction. */
async function loadRun(session: Session, sql: StoreSql, dump: RunDump): Promise<void> {
  const there = await findRow(sql, dump.run.id)
  if (there === undefined) {
    const { state, ended, ...run } = dump.run
    const number = await insertRun(sql, { ...run, entrants: dump.entrants }, state, ended)
    await lockWriter(sql, number, await session.writerOf(sql))
  } else if (runIn(sql, there).tournament !== dump.run.tournament)
    throw new UserError(
      message`${sql.where} holds another run ${dump.run.id}: import into another ${option('workspace')} or ${option('store')}`,
    )
}

/** Adds what an archive has beside the matches, which must be there, and the run has not. Within a transaction. */
async function loadRest(session: Session, sql: StoreSql, run: RunEntry, dump: RunDump): Promise<void> {
  const add = async <Kind extends keyof Notes>(kind: Kind, docs: readonly Notes[Kind][]): Promise<void> => {
    const there = new Set((await notesOf(sql, run, kind)).map((doc) => JSON.stringify(doc)))
    for (const doc of docs) if (!there.has(JSON.stringify(doc))) await addNote(session, sql, run, { kind, doc })
  }
  await add('log', dump.log)
  await add('exclusion', dump.exclusions)
  const texts = Object.entries(dump.stderr).map(([name, text]) => ({ name, text }))
  await add('stderr', texts)
  if (dump.ratings.length > 0) await add('ratings', [dump.ratings])
  await add('ruling', await rulingsIn(sql, run, dump.rulings))
  const kept = await readKept(sql, run.tournament)
  const fresh = dump.kept.filter(({ entrant }) => !kept.has(entrant))
  const asOfJobs = fresh.map((one) => ({ kept: { tournament: one.tournament, by: { [one.entrant]: one.kept } } }))
  await writeKept(sql, asOfJobs)
}

async function rulingsIn(sql: StoreSql, run: RunEntry, rulings: RunDump['rulings']): Promise<Ruling[]> {
  if (rulings.length === 0) return []
  const text = 'SELECT m.key, m.id FROM run_job r JOIN match m ON m.job = r.job WHERE r.run = $1'
  const rows = await sql.all<{ key: string; id: number }>(text, [run.number])
  const ids = new Map(rows.map(({ key, id }) => [key, id]))
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
