import type { ServerStore } from '../port.js'
import { readLog } from './beside.js'
import { HeldMatches } from '../held-matches.js'
import { browseMatches, countMatches, runsHolding } from './browse.js'
import { serverDumps } from './dumps.js'
import { readKept } from './kept.js'
import { ServerLeases } from './leases.js'
import { readJobs, recordIn, serverMatches } from './matches.js'
import { openServer } from './open.js'
import { serverBeside, serverRuns } from './runs.js'
import type { Sql } from './server.js'
import { Session } from './session.js'
import { serverSources } from './sources.js'
import { takeBack } from './take-back.js'

/**
 * Opens the store of a PostgreSQL server by its URL, made where there is none, unless `make` is false. `agon`: the version that the log will name; `notice` is
 * called with what a person should know; `connections`: at the most. Throws UserError.
 */
export async function openServerStore(
  url: string,
  agon: string,
  notice: (text: string) => void = () => undefined,
  make = true,
  connections?: number,
): Promise<ServerStore> {
  const server = await openServer(url, notice, { make, connections })
  const session = new Session(server, agon)
  const leases = new ServerLeases(server)
  const held = new HeldMatches()
  return {
    url,
    where: server.where,
    lost: undefined,
    ...serverRuns(session),
    ...serverBeside(session),
    ...serverMatches(session, leases),
    ...serverDumps(session),
    ...serverSources(server),
    browse: (run, filter) => server.look(async (sql) => browseMatches(sql, await session.entry(sql, run), filter)),
    runsHolding: (match) => server.look((sql) => runsHolding(sql, held, match)),
    count: (run) => server.look(async (sql) => countMatches(sql, await session.entry(sql, run))),
    kept: async (tournament, entrant) => (await server.look((sql) => readKept(sql, tournament, entrant))).get(entrant),
    acquireLease: (key) => leases.acquire(key),
    releaseLease: (key) => leases.release(key),
    note: (run, what, detail) =>
      server.write(async (sql) =>
        session.note(sql, run === undefined ? null : (await session.entry(sql, run)).number, what, detail),
      ),
    log: (run) => server.look(async (sql) => readLog(sql, (await session.entry(sql, run)).number)),
    query: (text, values) => server.query(text, values),
    readJobs: (run, jobs) => readJobs(server, run, jobs),
    transaction: (work) => server.write(work),
    async takeBack(run, worker, why, jobs = []) {
      const { matches, others } = await server.write(async (sql) => {
        const gone = await takeBack(sql, run, { worker, jobs })
        const own = { number: (await session.entry(sql, run)).number, matches: gone.matches }
        for (const one of [own, ...gone.others])
          await session.note(sql, one.number, 'took back', { worker, matches: one.matches, why })
        // Last: who stores a batch locks the run first and its worker then, too.
        await sql.run('UPDATE agon.worker SET aside = left($2, 2000) WHERE id = $1', worker, why)
        return gone
      })
      for (const id of [run, ...others.map((one) => one.id)]) session.forget(id)
      return { matches, others: others.map(({ id }) => id) }
    },
    // Each transaction is one of `transaction`'s.
    recordIn: (tx, run, jobs) => recordIn(session, leases, tx as Sql, run, jobs),
    async close() {
      await leases.close()
      await server.close()
    },
  }
}
