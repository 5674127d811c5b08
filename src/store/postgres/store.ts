import type { ServerStore } from '../port.js'
import { readLog } from './beside.js'
import { HeldMatches } from '../held-matches.js'
import { browseMatches, countMatches, runsHolding } from './browse.js'
import { serverDumps } from './dumps.js'
import { readKept } from './kept.js'
import { ServerLeases } from './leases.js'
import { serverMatches } from './matches.js'
import { openServer } from './open.js'
import { serverBeside, serverRuns } from './runs.js'
import { Session } from './session.js'
import { serverSources } from './sources.js'

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
    transaction: (work) => server.write(work),
    async close() {
      await leases.close()
      await server.close()
    },
  }
}
