import { dumpsOf } from './dumps.js'
import { jobHeads, readJobs, readLines, recordReader } from './jobs.js'
import { readKept } from './kept.js'
import { Leases } from './leases.js'
import { browseMatches, eachMatch, readMatches, runsHolding } from './lists.js'
import type { JobStore, MatchStore, NoteStore, Store } from './port.js'
import { rulingsOf } from './notes.js'
import { packJob, recordJobs } from './record.js'
import { Session } from './run-rows.js'
import { notesStoreOf, runsOf } from './runs.js'
import type { StoreDatabase } from './sql.js'
import { Tallies, type Tally } from './tally.js'

/** A store over its database. `agon`: the version for the log. */
export function storeOver(db: StoreDatabase, agon: string): Store {
  const session = new Session(db, agon)
  const leases = new Leases(db)
  const tallies = new Tallies()
  return {
    where: db.where,
    ...runsOf(session),
    ...notesStoreOf(session),
    ...jobsOf(session, leases),
    ...matchesOf(session, tallies),
    ...dumpsOf(session, tallies),
    acquireLease: (key) => leases.acquire(key),
    async close() {
      await leases.close()
      await db.close()
    },
  }
}

const jobsOf = (session: Session, leases: Leases): JobStore => ({
  has: (jobs) => session.db.look(async (sql) => new Set((await jobHeads(sql, jobs)).keys())),
  read: (jobs) => session.db.look((sql) => readJobs(sql, jobs)),
  lines: (jobs) => session.db.look((sql) => readLines(sql, jobs)),
  kept: async (tournament, entrant) =>
    (await session.db.look((sql) => readKept(sql, tournament, entrant))).get(entrant),

  record(run, jobs) {
    const now = Date.now()
    const packed = jobs.map((job) => packJob(job, () => now))
    const tournaments = new Set(jobs.flatMap(({ kept }) => kept?.tournament ?? []))
    return session.change(run, async (sql, entry) => {
      for (const key of tournaments) await leases.refuseLost(sql, key)
      return recordJobs(session, sql, entry, packed)
    })
  },

  async adopt(run, jobs) {
    // A new run has none: then it need not wait for processes that write.
    const there = await session.look(run, async (sql) => (await jobHeads(sql, jobs)).size > 0)
    const keys = jobs.map((key) => ({ key }))
    return there ? session.change(run, (sql, entry) => recordJobs(session, sql, entry, keys)) : new Set()
  },
})

function matchesOf(session: Session, tallies: Tallies): MatchStore & Pick<NoteStore, 'ruled'> {
  const recordOf = recordReader()
  const tallied = <T>(run: string, read: (tally: Tally) => T): Promise<T> =>
    session.look(run, async (sql, entry) => read(await tallies.of(sql, entry)))
  return {
    results: (run) =>
      session.look(run, async (sql, entry) => (await tallies.of(sql, entry, true)).results ?? new Map()),
    eachMatch: (run, take) => session.look(run, (sql, entry) => eachMatch(sql, entry, take)),
    matches: (run, entrant) => session.look(run, (sql, entry) => readMatches(sql, entry, entrant)),
    recordOf: (match) => session.db.look((sql) => recordOf(sql, match)),
    leaderboard: (run) => tallied(run, (tally) => tally.leaderboard()),
    pairs: (run) => tallied(run, (tally) => tally.allPairs()),
    ruled: (run) =>
      session.look(run, async (sql, entry) => {
        // The keys of matches are read only if any was ruled.
        if ((await rulingsOf(sql, entry)).size === 0) return new Map()
        const { ruled } = await tallies.of(sql, entry)
        return new Map([...ruled].map(([key, { outcome }]) => [key, outcome]))
      }),
    browse: (run, filter) => session.look(run, (sql, entry) => browseMatches(sql, entry, filter)),
    runsHolding: (match) => session.db.look((sql) => runsHolding(sql, match)),
  }
}
