import type { CheckedStore, CheckOptions } from '../checked.js'
import { type StoreFinding, checkFile, checkList, checkMatches, checkRun, runsThere } from './check.js'
import type { Database } from './database.js'
import { copyBeside, mendAll } from './mend.js'
import { openDatabase } from './open.js'

/** Compares everything in the store of a workspace with the records and with its checksums. Throws UserError where it cannot be opened. */
export function checkStore(workspace: string, options: CheckOptions): CheckedStore {
  const db = openDatabase(workspace)
  try {
    const found = look(db, options)
    if (!options.mend || found.findings.every(({ mend }) => mend.kind === 'none')) return checked(db, found, false)
    const copy = copyBeside(db)
    mendAll(db, found.findings, options.rate)
    return { ...checked(db, found, true), copy }
  } finally {
    db.close()
  }
}

interface Found {
  readonly runs: number
  readonly matches: number
  readonly findings: readonly StoreFinding[]
}

function look(db: Database, { judge, only, progress }: CheckOptions): Found {
  const all = runsThere(db)
  const runs = all.filter(({ contest }) => only?.(contest) ?? true)
  const findings = [...checkFile(db), ...checkList(db, all)]
  const ids = matchesOf(db, only && new Set(runs.map(({ number }) => number)))
  for (const { done, finding } of checkMatches(db, ids, judge)) {
    if (finding) findings.push(finding)
    progress(done, ids.length)
  }
  for (const run of runs) findings.push(...checkRun(db, run))
  return { runs: runs.length, matches: ids.length, findings }
}

/** The numbers of all matches, or of those that these runs hold. */
function matchesOf(db: Database, runs: ReadonlySet<number> | undefined): number[] {
  try {
    if (runs === undefined)
      return db.all<{ id: number }>('SELECT id FROM match ORDER BY pack, slot, id').map(({ id }) => id)
    const held = [...runs].flatMap((run) => db.all<{ match: number }>('SELECT match FROM run_match WHERE run = ?', run))
    return [...new Set(held.map(({ match }) => match))]
  } catch {
    // What cannot be listed is reported by SQLite's own check.
    return []
  }
}

const checked = (db: Database, { runs, matches, findings }: Found, mend: boolean): CheckedStore => ({
  file: db.file,
  runs,
  matches,
  findings: findings.map(({ what, mend: { kind } }) => ({ what, mended: mend && kind !== 'none' })),
})
