import type { JudgedMatch } from '../data.js'
import { COUNTED } from '../parts.js'
import type { JobStore, MatchStore, RulingStore } from '../port.js'
import { bytes } from '../run-rows.js'
import type { Database } from './database.js'
import { storedDigest } from './digests.js'
import { applyRulings } from './dumps.js'
import { eachMatch } from './each-match.js'
import { adoptJobs, isThere, recordJobs } from './jobs.js'
import type { Leases } from './leases.js'
import { jobRows, readFaults } from './match-rows.js'
import { readAllPairs, readLeaderboard, readPage } from './pages.js'
import { readMatches, readResults, readRuled } from './results.js'
import { lastHead, readSpreads } from './segments.js'
import type { Session } from './session.js'

/** Matches in the file. */
export function sqliteMatches(session: Session, leases: Leases): JobStore & MatchStore & RulingStore {
  const { db, unpacker } = session
  const readJob = (job: string): JudgedMatch[] => {
    const rows = jobRows(db, job)
    if (rows.length === 0) throw new Error(`${db.file} holds no job ${job}`)
    return rows.map(({ id }) => ({ record: unpacker.record(id), faults: readFaults(db, id) }))
  }
  return {
    has: async (job) => isThere(db, job),

    read: async (job) => db.look(() => readJob(job)),
    readMany: async (jobs) => db.look(() => jobs.map(readJob)),

    async record(run, jobs) {
      return db.add(() => {
        const entry = session.entry(run)
        for (const { kept } of jobs) if (kept !== undefined) leases.refuseLost(bytes(kept.tournament))
        return recordJobs(db, session.segments, entry, jobs, Date.now())
      })
    },

    adopt: async (run, jobs) => db.add(() => adoptJobs(db, session.segments, session.entry(run), jobs)),

    async results(run) {
      const entry = session.entry(run)
      return db.look(() => readResults(db, entry))
    },

    async eachMatch(run, take) {
      const entry = session.entry(run)
      return db.look(() => eachMatch(db, entry, take))
    },

    async spreads(run) {
      const entry = session.entry(run)
      return db.look(() => readSpreads(db, entry.number, unpacker))
    },

    async matches(run, filter = {}) {
      const entry = session.entry(run)
      return db.look(() => readMatches(db, entry, filter))
    },

    recordOf: async (match) => db.look(() => unpacker.record(match)),

    faults: async (match) => db.look(() => readFaults(db, match)),

    async rule(run, rulings) {
      const entry = session.entry(run)
      db.write(() => {
        applyRulings(db, entry, rulings)
        for (const { match, ...detail } of rulings) {
          const place = db.get<{ place: string }>('SELECT place FROM match WHERE id = ?', match)?.place
          session.note(run, 'ruled', { match: place, ...detail })
        }
      })
    },

    ruled: async (run) => db.look(() => readRuled(db, session.entry(run))),

    leaderboard: async (run) => db.look(() => readLeaderboard(db, session.entry(run))),

    pairs: async (run) => db.look(() => readAllPairs(db, session.entry(run))),

    page: async (run, entrant) => db.look(() => readPage(db, session.entry(run), entrant)),

    stamp: async (run) => db.look(() => stampOf(db, session.entry(run).number)),
  }
}

/** The checksums of these parts, and how many matches there are: sums alone may meet. */
function stampOf(db: Database, run: number): string {
  const { number, games } = lastHead(db, run) ?? { number: 0, games: 0 }
  return [number, games, ...COUNTED.map((part) => storedDigest(db, run, part))].join(' ')
}
