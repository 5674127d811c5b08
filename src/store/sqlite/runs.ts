import { OF_RUN } from '../parts.js'
import type { ExclusionStore, RatingStore, RunStore, StderrStore } from '../port.js'
import {
  exclusionRows,
  insertExclusion,
  insertRating,
  insertStderr,
  ratingRows,
  readBeside,
  stderrRows,
} from './beside.js'
import { changeRun } from './change.js'
import type { Database } from './database.js'
import { setDigest } from './digests.js'
import { changeState, deleteRun, insertRun, readEntrants, readEntry } from './entries.js'
import { sweepRecords } from './packs.js'
import { type Session, now } from './session.js'
import { dropKept } from './snapshots.js'

/** Runs in the file. */
export function sqliteRuns(session: Session): RunStore {
  const { db } = session
  return {
    async addRun(run, entrants) {
      db.write(() => {
        insertRun(db, run, entrants)
        session.note(run.id, 'began', { seed: run.seed, entrants: run.plan.names.length })
      })
      // A run that is known outlives the loss of the log: it can be resumed.
      db.settle()
    },

    runs: async () => db.look(() => session.runs()),

    run: async (id) => db.look(() => session.runs(id)[0]),

    async setState(run, state) {
      db.write(() => {
        const ended = state === 'finished' ? now() : null
        changeState(db, run, state, ended)
      })
    },

    async changeRun(id, change, entrants, what) {
      db.write(() => {
        changeRun(db, id, change, entrants)
        session.note(id, 'changed', what)
      })
      session.forget(id)
    },

    async removeRun(id, matches) {
      db.write(() => {
        const { number, tournament } = readEntry(db, id)
        // A run without a match leaves nothing behind: damage elsewhere in the file does not matter then.
        const holds = db.get('SELECT 1 FROM run_match WHERE run = ?', number) !== undefined
        if (holds && matches === undefined) dropMatches(db, number)
        for (const table of OF_RUN) db.run(`DELETE FROM ${table} WHERE run = ?`, number)
        deleteRun(db, number, id)
        const isLast = db.get('SELECT 1 FROM run WHERE tournament = ?', tournament) === undefined
        if (isLast && matches === undefined) dropKept(db, tournament)
      })
      session.forget(id)
    },

    entrants: async (run) => db.look(() => readEntrants(db, session.entry(run).number)),
  }
}

/** What is kept of a run beside its matches. */
export function sqliteBeside(session: Session): ExclusionStore & StderrStore & RatingStore {
  const { db } = session
  return {
    async exclude(run, exclusion) {
      const { number } = session.entry(run)
      db.write(() => {
        insertExclusion(db, number, exclusion)
        const { status, ...detail } = exclusion
        session.note(run, status, detail)
      })
    },

    exclusions: async (run) => db.look(() => readBeside(db, session.entry(run).number, 'exclusion', exclusionRows)),

    async saveStderr(run, texts) {
      const { number } = session.entry(run)
      db.write(() => {
        for (const [name, text] of texts) if (text !== '') insertStderr(db, number, name, text)
      })
    },

    async stderr(run, entrant) {
      const { number } = session.entry(run)
      const rows = db.look(() => readBeside(db, number, 'stderr', stderrRows))
      return rows.find(({ name }) => name === entrant)?.text ?? ''
    },

    async saveRatings(run, ratings) {
      const { number } = session.entry(run)
      db.write(() => {
        db.run('DELETE FROM rating WHERE run = ?', number)
        setDigest(db, number, 'rating', 0)
        for (const rating of ratings) insertRating(db, number, rating)
      })
    },

    ratings: async (run) => db.look(() => readBeside(db, session.entry(run).number, 'rating', ratingRows)),
  }
}

/** Removes the matches that a run alone holds. Within a write. */
function dropMatches(db: Database, run: number): void {
  db.run(
    'CREATE TEMP TABLE IF NOT EXISTS gone AS SELECT match FROM run_match WHERE run = ?1 AND match NOT IN (SELECT match FROM run_match WHERE run <> ?1)',
    run,
  )
  db.run('DELETE FROM match WHERE id IN (SELECT match FROM gone)')
  db.run('DELETE FROM fault WHERE match IN (SELECT match FROM gone)')
  db.run('DROP TABLE gone')
  db.run('DELETE FROM run_match WHERE run = ?', run)
  sweepRecords(db)
}
