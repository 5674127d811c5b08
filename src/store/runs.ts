import type { StoredRun, NoteStore, RunStore } from './port.js'
import { addLog, addNote, dropNotes, exclusionsOf, notesOf, ratingsOf, stderrOf } from './notes.js'
import {
  type RunRow,
  type Session,
  type WriterRow,
  docOf,
  emptyRun,
  findRow,
  insertRun,
  readRow,
  readWriters,
  runIn,
  runRows,
  writeRow,
} from './run-rows.js'
import { type StoreSql, first } from './sql.js'
import { damaged } from './sums.js'

export function runsOf(session: Session): Omit<RunStore, 'dump' | 'jobs' | 'load'> {
  const { db } = session
  return {
    addRun: (run) =>
      db.transaction(async (sql) => {
        const number = await insertRun(sql, run)
        await addLog(session, sql, { number }, 'began', { seed: run.seed, entrants: run.entrants.length })
      }),

    runs: () =>
      db.look(async (sql) => {
        const runs = storedRuns(sql, await runRows(sql), await readWriters(sql))
        return runs.sort((a, b) => (a.began === b.began ? 0 : a.began < b.began ? 1 : -1))
      }),

    run: (id) =>
      db.look(async (sql) => {
        const row = await findRow(sql, id)
        return row && storedRuns(sql, [row], await readWriters(sql, row.number))[0]
      }),

    setState: (id, state) =>
      db.transactionAlone(async (sql) => {
        const row = await readRow(sql, id)
        await writeRow(sql, { ...row, state, ended: state === 'finished' ? new Date().toISOString() : row.ended })
      }),

    changeRun: (run, what) =>
      db.transactionAlone(async (sql) => {
        const row = await readRow(sql, run.id)
        const { number } = row
        await emptyRun(sql, number)
        await dropNotes(sql, row, 'ratings')
        await writeRow(sql, { ...row, state: 'open', ended: null, doc: docOf(run) })
        await addLog(session, sql, row, 'changed', what)
      }),

    removeRun: (id, matches) => db.transactionAlone((sql) => removeRun(sql, id, matches === 'keep')),
  }
}

export const notesStoreOf = (session: Session): Omit<NoteStore, 'ruled'> => ({
  exclude: (run, exclusion) =>
    session.change(run, async (sql, entry) => {
      await addNote(session, sql, entry, { kind: 'exclusion', doc: exclusion })
      const { status, ...detail } = exclusion
      await addLog(session, sql, entry, status, detail)
    }),

  readmit: (run, name, why) =>
    session.change(run, async (sql, entry) => {
      await dropNotes(sql, entry, 'exclusion', (one) => one.name === name)
      await addLog(session, sql, entry, 'readmitted', { name, why })
    }),

  exclusions: (run) => session.look(run, exclusionsOf),

  async saveStderr(run, texts) {
    const fresh = [...texts].filter(([, text]) => text !== '')
    if (fresh.length === 0) return
    await session.change(run, async (sql, entry) => {
      await dropNotes(sql, entry, 'stderr', ({ name }) => (texts.get(name) ?? '') !== '')
      for (const [name, text] of fresh) await addNote(session, sql, entry, { kind: 'stderr', doc: { name, text } })
    })
  },

  stderr: (run, entrant) => session.look(run, async (sql, entry) => (await stderrOf(sql, entry)).get(entrant) ?? ''),

  saveRatings: (run, ratings) =>
    session.change(run, async (sql, entry) => {
      await dropNotes(sql, entry, 'ratings')
      await addNote(session, sql, entry, { kind: 'ratings', doc: ratings })
    }),

  ratings: (run) => session.look(run, ratingsOf),

  rule: (run, rulings) =>
    session.change(run, async (sql, entry) => {
      for (const doc of rulings) {
        const row = await first<{ key: string }>(sql, 'SELECT key FROM match WHERE id = $1', [doc.match])
        if (row === undefined) throw new Error(`${sql.where}: there is no match ${doc.match}`)
        await addNote(session, sql, entry, { kind: 'ruling', doc })
        const { match: _match, ...detail } = doc
        await addLog(session, sql, entry, 'ruled', { match: row.key, ...detail })
      }
    }),

  note: (run, what, detail) => session.change(run, (sql, entry) => addLog(session, sql, entry, what, detail)),
  log: (run) => session.look(run, (sql, entry) => notesOf(sql, entry, 'log')),
})

/** Runs with how many matches their writers wrote. Throws UserError where a run has no writer, or a writer no run. */
function storedRuns(sql: StoreSql, rows: readonly RunRow[], writers: readonly WriterRow[]): StoredRun[] {
  const matches = new Map<number, number>()
  for (const writer of writers) matches.set(writer.run, (matches.get(writer.run) ?? 0) + writer.matches)
  if (rows.length !== matches.size || rows.some(({ number }) => !matches.has(number))) throw damaged(sql.where)
  return rows.map((row) => ({
    ...runIn(sql, row),
    state: row.state,
    ended: row.ended ?? undefined,
    matches: matches.get(row.number) ?? 0,
  }))
}

const ONLY_ITS =
  'SELECT x.job FROM run_job x WHERE x.run = $1 AND NOT EXISTS (SELECT 1 FROM run_job o WHERE o.job = x.job AND o.run <> $1)'

async function removeRun(sql: StoreSql, id: string, keep: boolean): Promise<void> {
  const row = await readRow(sql, id)
  const { number } = row
  const { tournament } = runIn(sql, row)
  const holds = (await sql.all('SELECT 1 FROM run_job WHERE run = $1 LIMIT 1', [number])).length > 0
  // A run without a match leaves nothing behind: other damage does not matter then.
  if (holds && !keep) {
    await sql.run(`DELETE FROM match WHERE job IN (${ONLY_ITS})`, [number])
    await sql.run(`DELETE FROM job WHERE number IN (${ONLY_ITS})`, [number])
  }
  for (const table of ['run_job', 'seat', 'note', 'writer'])
    await sql.run(`DELETE FROM ${table} WHERE run = $1`, [number])
  await sql.run('DELETE FROM run WHERE number = $1', [number])
  if (keep) return
  const others = (await runRows(sql)).some((other) => runIn(sql, other).tournament === tournament)
  if (!others) await sql.run('DELETE FROM kept WHERE tournament = $1', [Buffer.from(tournament, 'hex')])
}
