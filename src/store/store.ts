import { dumpsOf } from './dumps.js'
import { RecordReader, jobHeads, readJobs } from './jobs.js'
import { readKept } from './kept.js'
import { Leases } from './leases.js'
import { browseMatches, countMatches, eachMatch, readMatches, readResults, readSpreads, runsHolding } from './lists.js'
import { addLog, addNote, notesOf, outcomesOf } from './notes.js'
import type { BrowseStore, JobStore, MatchStore, RulingStore, Store } from './port.js'
import { adoptJobs, packJob, recordJobs } from './record.js'
import { type RunEntry, Session } from './run-rows.js'
import { notesStoreOf, runsOf } from './runs.js'
import type { StoreDatabase, StoreSql } from './sql.js'
import { Tallies } from './tally.js'

/** A store over its database. `agon`: the version that the log will name. */
export function storeOver(db: StoreDatabase, agon: string): Store {
  const session = new Session(agon)
  const leases = new Leases(db)
  const tallies = new Tallies()
  return {
    where: db.where,
    ...runsOf(db, session),
    ...notesStoreOf(db, session),
    ...jobsOf(db, session, leases),
    ...matchesOf(db, session, tallies),
    ...browseOf(db, session),
    ...dumpsOf(db, session, tallies),
    kept: async (tournament, entrant) => (await db.look((sql) => readKept(sql, tournament, entrant))).get(entrant),
    acquireLease: (key) => leases.acquire(key),
    releaseLease: (key) => leases.release(key),
    note: (run, what, detail) =>
      db.transaction(async (sql) => {
        const entry = run === undefined ? undefined : await session.entry(sql, run)
        await addLog(session, sql, entry, what, detail)
      }),
    log: (run) => db.look(async (sql) => notesOf(sql, await session.entry(sql, run), 'log')),
    async close() {
      await leases.close()
      await db.close()
    },
  }
}

function jobsOf(db: StoreDatabase, session: Session, leases: Leases): JobStore {
  return {
    has: (jobs) => db.look(async (sql) => new Set((await jobHeads(sql, jobs)).keys())),

    read: (jobs) => db.look((sql) => readJobs(sql, jobs)),

    async record(run, jobs) {
      const now = Date.now()
      const packed = jobs.map((job) => packJob(job, () => now))
      const tournaments = new Set(jobs.flatMap(({ kept }) => kept?.tournament ?? []))
      const recorded = await db.transaction(async (sql) => {
        const entry = await session.entry(sql, run)
        for (const key of tournaments) await leases.refuseLost(sql, key)
        return recordJobs(session, sql, entry, packed)
      })
      return session.wrote(recorded)
    },

    async adopt(run, jobs) {
      // Of a new run none is there: then it need not wait for processes that write.
      const there = await db.look(async (sql) => {
        await session.entry(sql, run)
        return (await jobHeads(sql, jobs)).size > 0
      })
      if (!there) return new Set()
      return session.wrote(
        await db.transaction(async (sql) => adoptJobs(session, sql, await session.entry(sql, run), jobs)),
      )
    },
  }
}

function matchesOf(db: StoreDatabase, session: Session, tallies: Tallies): MatchStore & RulingStore {
  const records = new RecordReader()
  const ofRun = <T>(run: string, read: (sql: StoreSql, entry: RunEntry) => Promise<T>): Promise<T> =>
    db.look(async (sql) => read(sql, await session.entry(sql, run)))
  return {
    results: (run) => ofRun(run, readResults),
    eachMatch: (run, take) => ofRun(run, (sql, entry) => eachMatch(sql, entry, take)),
    spreads: (run) => ofRun(run, readSpreads),
    matches: (run, filter = {}) => ofRun(run, (sql, entry) => readMatches(sql, entry, filter)),
    recordOf: (match) => db.look((sql) => records.record(sql, match)),
    leaderboard: (run) => ofRun(run, async (sql, entry) => (await tallies.of(sql, entry)).leaderboard()),
    pairs: (run) => ofRun(run, async (sql, entry) => (await tallies.of(sql, entry)).allPairs()),

    page: (run, entrant) => ofRun(run, async (sql, entry) => (await tallies.of(sql, entry)).page(entrant)),
    rule: (run, rulings) =>
      db.transaction(async (sql) => {
        const entry = await session.entry(sql, run)
        for (const doc of rulings) {
          const [row] = await sql.all<{ key: string }>('SELECT key FROM match WHERE id = $1', [doc.match])
          if (row === undefined) throw new Error(`${sql.where}: there is no match ${doc.match}`)
          await addNote(session, sql, entry, { kind: 'ruling', doc })
          const { match: _match, ...detail } = doc
          await addLog(session, sql, entry, 'ruled', { match: row.key, ...detail })
        }
      }),

    ruled: (run) => ofRun(run, async (sql, entry) => outcomesOf((await tallies.of(sql, entry)).ruled)),
  }
}

const browseOf = (db: StoreDatabase, session: Session): BrowseStore => ({
  browse: (run, filter) => db.look(async (sql) => browseMatches(sql, await session.entry(sql, run), filter)),
  runsHolding: (match) => db.look((sql) => runsHolding(sql, match)),
  count: (run) => db.look(async (sql) => countMatches(sql, await session.entry(sql, run))),
})
