import type { AddressInfo } from 'node:net'
import type { FormatSpec, GameDefinition, MatchRecord } from '../../src/core/index.js'
import { judge } from '../../src/match/index.js'
import { games } from '../../src/games/index.js'
import type { SiteOptions } from '../../src/site/app.js'
import { acceptRemotes } from '../../src/site/connect.js'
import { type ConnectionLimits, siteServer } from '../../src/site/serve.js'
import { entrantsOf, keyOf, runOf } from '../kit/records.js'
import { TestSite } from './site.js'

/** A site of tests at an address of this machine, with what lies behind it. */
export class ServedSite {
  private constructor(
    readonly site: TestSite,
    readonly url: string,
    private readonly end: () => Promise<void>,
  ) {}

  /** `at`: a site that was closed; it is opened again, at the same address. */
  static async open(wishes: SiteOptions = {}, at?: ServedSite, bounds?: ConnectionLimits): Promise<ServedSite> {
    const site = await TestSite.open(wishes, at?.site.workspace)
    const server = siteServer(site.app.fetch, false, bounds)
    // How quick this machine is decides over no connection.
    const cutOff = acceptRemotes(server, site.app, site.services.site.seats, () => 0)
    await new Promise<void>((done) => server.listen(at ? Number(new URL(at.url).port) : 0, '127.0.0.1', done))
    const { port } = server.address() as AddressInfo
    return new ServedSite(site, `http://127.0.0.1:${port}`, async () => {
      const closed = new Promise((done) => server.close(done))
      server.closeAllConnections()
      cutOff()
      await closed
    })
  }

  /** As if it were killed: listeners are cut off. */
  async close(): Promise<void> {
    await Promise.all([this.end(), this.site.close()])
  }

  async remove(): Promise<void> {
    await this.end()
    await this.site.remove()
  }

  /** Adds a run, as of the command line, of these bots. */
  async addRun(
    id: string,
    { game }: GameDefinition,
    names: readonly string[],
    { title = `The run ${id}`, began, format }: { title?: string; began?: string; format?: FormatSpec } = {},
  ): Promise<void> {
    const info = runOf(id, began === undefined ? {} : { began })
    const { id: gameId, version, seats, options } = game
    await this.site.services.site.store.addRun({
      ...info,
      game: { id: gameId, version, seats },
      contest: { ...info.contest, title, game: gameId, options, format: format ?? info.contest.format },
      entrants: entrantsOf(names),
    })
  }

  /** Stores a match of a run. */
  async addMatch(run: string, record: MatchRecord, definition = games.find(({ game }) => game.id === record.game)) {
    const { store, hub } = this.site.services.site
    const faults = definition === undefined ? [] : judge(definition, record).faults
    const { entrants = [], matches = 0 } = (await store.run(run)) ?? {}
    const names = entrants.map(({ name }) => name)
    const seats = record.seats.map(({ entrant }) => names.indexOf(entrant))
    const n = matches + run.length * 1000
    await store.record(run, [{ key: keyOf(n), matches: [{ record, faults, seats, playoff: false }] }])
    hub.emit('touch', run)
  }
}
