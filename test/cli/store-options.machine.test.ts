import { createServer } from 'node:net'
import { beforeAll, describe, expect, it } from 'vitest'
import { Place } from './agon.js'

/** Verbs that read or write what was played, each with what it needs to come as far as the store. */
const STORED: Readonly<Record<string, readonly string[]>> = {
  run: ['four.toml'],
  replay: ['four.toml'],
  report: ['four.toml'],
  standings: ['four.toml'],
  rank: ['four.toml'],
  ladder: ['gunduel', 'Mirror'],
  show: ['four.toml', 'Hedgehog'],
  diff: ['four.toml', 'Hedgehog', 'Other'],
  twins: ['four.toml'],
  runs: [],
  log: ['four.toml'],
  worker: [],
  workers: [],
  withdraw: ['four.toml', 'Other'],
  disqualify: ['four.toml', 'Other'],
  readmit: ['four.toml', 'Other'],
  rule: ['four.toml', '1/Hedgehog-Other/1', 'draw', '--why', 'x'],
  pause: ['four.toml'],
  continue: ['four.toml'],
  rejudge: ['four.toml'],
  export: ['four.toml', 'copy'],
  import: ['archive'],
  store: ['check'],
  serve: ['--port', '0'],
}
/** The host's token is in the folder that is served, wherever matches are stored. */
const IN_FOLDER = ['token']
/** Verbs that store nothing, and read no store. */
const WITHOUT =
  `init match duel check watch new test solve rules play env verify connect doctor games wires help`.split(' ')

const place = new Place({
  'four.toml': `title = "Four"\ngame = "samurai"\n[options]\nturns = 2\n[format]\nrepetitions = 1\n[[entrants]]\nhouse = "Hedgehog"\n[[entrants]]\nhouse = "Hedgehog"\nname = "Other"\n`,
})

/** A port at which no server answers. */
let port = 0
const closed = (user: string): string => `postgres://${user}:hush@127.0.0.1:${port}/x`

beforeAll(async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((done) => server.once('listening', done))
  port = (server.address() as { port: number }).port
  await new Promise((done) => server.close(done))
  for (const words of [
    ['run', 'four.toml'],
    ['export', 'four.toml', 'archive'],
  ]) {
    const { status, stderr } = await place.agon(words)
    if (status !== 0) throw new Error(stderr)
  }
}, 120_000)

/** The line with which a verb refuses a server that does not answer. */
async function refusal(verb: string, words: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<string> {
  const started = place.start([verb, ...(STORED[verb] ?? []), ...words], '', env)
  if (verb === 'worker') {
    // It waits for its server until it is to end.
    await started.printed('the worker waits for it')
    started.signal('SIGTERM')
  }
  const { status, stdout, stderr } = await started.ended
  expect([status, stdout], `${verb}: ${stderr}`).toEqual([verb === 'worker' ? 0 : 2, ''])
  return stderr
}

describe('a server that keeps what is played', () => {
  it('is known to every verb, or the verb needs none', async () => {
    const { stdout } = await place.agon(['--help'])
    const list = stdout.slice(stdout.indexOf('For contestants:'), stdout.indexOf('Examples:'))
    const verbs = [...list.matchAll(/^ {2}(\w+)/gm)].map(([, verb]) => verb)
    expect(verbs.length).toBeGreaterThan(30)
    expect([...verbs].sort()).toEqual([...Object.keys(STORED), ...IN_FOLDER, ...WITHOUT].sort())
  })

  it.each(Object.keys(STORED))(
    'is found by agon %s in --store, AGON_STORE and DATABASE_URL',
    async (verb) => {
      const [option, own, database] = await Promise.all([
        refusal(verb, ['--store', closed('option')], { AGON_STORE: closed('own') }),
        refusal(verb, [], { AGON_STORE: closed('own'), DATABASE_URL: closed('database') }),
        refusal(verb, [], { DATABASE_URL: closed('database') }),
      ])
      for (const [user, line] of Object.entries({ option, own, database })) {
        expect(line, verb).toContain(`postgres://${user}@127.0.0.1:${port}/x: no server answers`)
        expect(line).not.toContain('hush')
      }
    },
    60_000,
  )
})
