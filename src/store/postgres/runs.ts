import { BY_MATCHES, OF_RUN, SUMS_BY_MATCHES, WHOLE } from '../parts.js'
import type { ExclusionStore, RatingStore, RunStore, StderrStore } from '../port.js'
import { bytes, listedSum } from '../run-rows.js'
import { minus } from '../sums.js'
import {
  exclusionRows,
  insertExclusion,
  insertStderr,
  ratingRows,
  readBeside,
  replaceRatings,
  stderrRows,
} from './beside.js'
import { addDigests, setDigest } from './digests.js'
import { insertRun, readEntrants, readRow, readRuns, rewriteRow, writeEntrants } from './entries.js'
import { dropKept } from './kept.js'
import type { Sql } from './server.js'
import { type Session, now } from './session.js'

/** Runs on the server. */
export function serverRuns(session: Session): RunStore {
  const { server } = session
  return {
    addRun: (run, entrants) =>
      server.write(async (sql) => {
        await insertRun(sql, run, entrants)
        const { number } = await session.entry(sql, run.id, 'lock')
        await session.note(sql, number, 'began', { seed: run.seed, entrants: run.plan.names.length })
      }),

    runs: () => server.look((sql) => readRuns(sql)),

    run: async (id) => (await server.look((sql) => readRuns(sql, id)))[0],

    setState: (run, state) =>
      server.write(async (sql) => {
        const row = await readRow(sql, run, 'FOR UPDATE')
        await rewriteRow(sql, { ...row, state, ended: state === 'finished' ? now() : row.ended })
      }),

    async changeRun(id, { agon, title, tournament, identity, plan }, entrants, what) {
      await server.write(async (sql) => {
        const row = await readRow(sql, id, 'FOR UPDATE')
        await emptyRun(sql, row.number)
        await rewriteRow(sql, {
          ...row,
          agon,
          title,
          tournament: bytes(tournament),
          identity: JSON.stringify(identity),
          plan: JSON.stringify(plan),
          state: 'open',
          ended: null,
          matches: 0,
        })
        await writeEntrants(sql, row.number, entrants)
        await session.note(sql, row.number, 'changed', what)
      })
      session.forget(id)
    },

    async removeRun(id, matches) {
      await server.write((sql) => removeRun(sql, id, matches === 'keep'))
      session.forget(id)
    },

    entrants: (run) => server.look(async (sql) => readEntrants(sql, (await session.entry(sql, run)).number)),
  }
}

/** What is kept of a run beside its matches. */
export function serverBeside(session: Session): ExclusionStore & StderrStore & RatingStore {
  const { server } = session
  return {
    exclude: (run, exclusion) =>
      server.write(async (sql) => {
        const { number } = await session.entry(sql, run, 'lock')
        await insertExclusion(sql, number, exclusion)
        const { status, ...detail } = exclusion
        await session.note(sql, number, status, detail)
      }),

    exclusions: (run) =>
      server.look(async (sql) => readBeside(sql, (await session.entry(sql, run)).number, 'exclusion', exclusionRows)),

    saveStderr: (run, texts) =>
      server.write(async (sql) => insertStderr(sql, (await session.entry(sql, run, 'lock')).number, texts)),

    stderr: (run, entrant) =>
      server.look(async (sql) => {
        const rows = await readBeside(sql, (await session.entry(sql, run)).number, 'stderr', stderrRows)
        return rows.find(({ name }) => name === entrant)?.text ?? ''
      }),

    saveRatings: (run, ratings) =>
      server.write(async (sql) => replaceRatings(sql, (await session.entry(sql, run, 'lock')).number, ratings)),

    ratings: (run) =>
      server.look(async (sql) => readBeside(sql, (await session.entry(sql, run)).number, 'rating', ratingRows)),
  }
}

async function removeRun(sql: Sql, id: string, keep: boolean): Promise<void> {
  const { number, tournament } = await readRow(sql, id, 'FOR UPDATE')
  if (!keep) await dropMatches(sql, number)
  for (const table of OF_RUN) await sql.run(`DELETE FROM agon.${table} WHERE run = $1`, number)
  await sql.run('DELETE FROM agon.run WHERE number = $1', number)
  await addDigests(sql, WHOLE, { runs: minus(0, listedSum({ number, id })) })
  const others = await sql.get('SELECT 1 FROM agon.run WHERE tournament = $1', tournament)
  if (others === undefined && !keep) await dropKept(sql, Buffer.from(tournament).toString('hex'))
}

/** Removes the matches that a run alone holds, and their records. Within a write. */
async function dropMatches(sql: Sql, run: number): Promise<void> {
  // No process links a match to another run until this write ends.
  await sql.query('LOCK TABLE agon.run_match IN SHARE ROW EXCLUSIVE MODE')
  const gone = await sql.all<{ pack: number }>(
    `DELETE FROM agon.match m USING agon.run_match r WHERE r.run = $1 AND m.id = r.match
       AND NOT EXISTS (SELECT 1 FROM agon.run_match o WHERE o.match = m.id AND o.run <> $1)
     RETURNING m.pack`,
    run,
  )
  await sql.run(
    'DELETE FROM agon.pack p WHERE id = ANY($1::bigint[]) AND NOT EXISTS (SELECT 1 FROM agon.match m WHERE m.pack = p.id)',
    [...new Set(gone.map(({ pack }) => pack))],
  )
}

/** Takes all matches from a run, which stay in the store: it holds none, and takes them again as it goes on. Its row is to be written. */
async function emptyRun(sql: Sql, run: number): Promise<void> {
  for (const table of BY_MATCHES) await sql.run(`DELETE FROM agon.${table} WHERE run = $1`, run)
  for (const part of SUMS_BY_MATCHES) await setDigest(sql, run, part, 0)
}
