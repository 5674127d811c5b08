import { batches } from '../batches.js'
import type { DumpStore } from '../port.js'
import { dumpJobs, dumpRun, loadJobs, loadRest, loadRun, refuseOther } from './dumps.js'
import type { Session } from './session.js'

/** Jobs that are loaded in one transaction. */
const BATCH = 500

/** Whole runs of the file as plain data. */
export function sqliteDumps(session: Session): DumpStore {
  const { db, unpacker } = session
  return {
    dump: async (run) => db.look(() => dumpRun(db, run)),

    async *jobs(run) {
      yield* dumpJobs(db, unpacker, run)
    },

    async load(dump, jobs) {
      for await (const job of jobs()) refuseOther(db, unpacker, job)
      const run = db.write(() => loadRun(db, dump))
      for await (const batch of batches(jobs(), BATCH)) db.write(() => loadJobs(db, session.segments, run, batch))
      db.write(() => {
        loadRest(db, run, dump)
        session.note(undefined, 'imported', { run: dump.run.id })
      })
    },
  }
}
