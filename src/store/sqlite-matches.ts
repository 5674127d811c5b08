import { applyRulings } from './dumps.js'
import { bytes } from './entries.js'
import { readFaults, unitRows } from './match-rows.js'
import { adoptUnits, recordUnits } from './matches.js'
import { readLeaderboard, readPage } from './pages.js'
import type { Leases } from './leases.js'
import type { MatchStore } from './port.js'
import { readMatches, readResults } from './results.js'
import type { Session } from './session.js'

/** Matches in the file. */
export function sqliteMatches(session: Session, leases: Leases): MatchStore {
  const { db, unpacker } = session
  return {
    has: async (unit) => db.get('SELECT 1 FROM match WHERE unit = ?', bytes(unit)) !== undefined,

    read: async (unit) =>
      db.look(() => {
        const rows = unitRows(db, unit)
        if (rows.length === 0) throw new Error(`${db.file} holds no unit ${unit}`)
        return rows.map(({ id }) => ({ record: unpacker.record(id), faults: readFaults(db, id) }))
      }),

    async record(run, units) {
      const entry = session.entry(run)
      return db.write(() => {
        for (const { kept } of units) if (kept !== undefined) leases.refuseLost(bytes(kept.tournament))
        return recordUnits(db, entry, units, Date.now())
      })
    },

    async adopt(run, units) {
      const entry = session.entry(run)
      return db.write(() => adoptUnits(db, entry, units))
    },

    async results(run) {
      const entry = session.entry(run)
      return db.look(() => readResults(db, entry))
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

    async leaderboard(run) {
      const entry = session.entry(run)
      return db.look(() => readLeaderboard(db, entry))
    },

    async page(run, entrant) {
      const entry = session.entry(run)
      return db.look(() => readPage(db, entry, entrant))
    },
  }
}
