import type { BrowseStore, CheckpointStore, LeaseStore, LogStore, Store } from '../port.js'
import { bytes } from '../run-rows.js'
import { HeldMatches } from '../held-matches.js'
import { browseMatches, countMatches, runsHolding } from './browse.js'
import { sqliteDumps } from './dump-store.js'
import { readLog } from './dumps.js'
import { Leases } from './leases.js'
import { sqliteMatches } from './matches.js'
import { openDatabase } from './open.js'
import { sqliteBeside, sqliteRuns } from './runs.js'
import { Session } from './session.js'
import { readKept } from './snapshots.js'

/** Opens the store of a workspace, made where there is none. `agon`: the version that the log will name. Throws UserError. */
export function openStore(workspace: string, agon: string): Store {
  const db = openDatabase(workspace)
  const session = new Session(db, agon)
  const leases = new Leases(db)
  return {
    where: db.file,
    lost: db.lost,
    ...sqliteRuns(session),
    ...sqliteBeside(session),
    ...sqliteMatches(session, leases),
    ...sqliteBrowse(session),
    ...sqliteCheckpoints(session),
    ...sqliteLeases(leases),
    ...sqliteLog(session),
    ...sqliteDumps(session),
    async close() {
      leases.close()
      db.close()
    },
  }
}

const sqliteBrowse = (session: Session): BrowseStore => {
  const { db } = session
  const held = new HeldMatches()
  return {
    browse: async (run, filter) => db.look(() => browseMatches(db, session.entry(run), filter)),
    runsHolding: async (match) => db.look(() => runsHolding(db, held, match)),
    count: async (run) => db.look(() => countMatches(db, session.entry(run))),
  }
}

const sqliteCheckpoints = ({ db }: Session): CheckpointStore => ({
  kept: async (tournament, entrant) => db.look(() => readKept(db, bytes(tournament), entrant)),
})

const sqliteLeases = (leases: Leases): LeaseStore => ({
  acquireLease: async (key) => leases.acquire(bytes(key)),
  releaseLease: async (key) => leases.release(bytes(key)),
})

const sqliteLog = (session: Session): LogStore => ({
  async note(run, what, detail) {
    session.db.write(() => session.note(run, what, detail))
  },
  log: async (run) => session.db.look(() => readLog(session.db, session.entry(run).number)),
})
