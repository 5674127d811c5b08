import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { ServedSite } from '../../test/site/served.js'
import type { Problem, TestSite } from '../../test/site/site.js'
import { connectBot } from '../app/remote/connect.js'
import type { Contest as ContestFacts } from './contests.js'
import type { Scrimmage } from './scrimmages.js'
import type { Sitting } from './sittings.js'
import type { Standings } from './standings.js'

/* A site, and bots that are connected to it over the loopback: programs of this machine. */

const tomlOf = (format: string, more = 'remote = true\nreconnect = 2') => `title = "Far"
game = "samurai"
seed = "a seed of more than sixteen characters"
${more}
[options]
turns = 6
[format]
${format}
[[entrants]]
house = "Hedgehog"
`
/** Says always the same; a letter that is no action ends the program. */
const BOT = `import json, sys
for line in sys.stdin:
    m = json.loads(line)
    if m['type'] == 'ask':
        if sys.argv[1] == 'end':
            sys.exit(3)
        print(json.dumps({'action': sys.argv[1]}), flush=True)
`

let served: ServedSite
let site: TestSite
let folder: string
let file: string
beforeAll(async () => {
  served = await ServedSite.open()
  site = served.site
  folder = mkdtempSync(join(tmpdir(), 'agon-remote-'))
  file = join(folder, 'bot.py')
  writeFileSync(file, BOT)
})
afterAll(async () => {
  for (const { stop } of clients) stop.abort()
  await Promise.all(clients.map(({ ended }) => ended))
  await served.remove()
  rmSync(folder, { recursive: true, force: true })
})

async function contest(format: string, more?: string): Promise<string> {
  const made = await site.ask<{ id: string }>('POST', '/contests', {
    token: site.host,
    body: { toml: tomlOf(format, more) },
  })
  return made.body.id
}
const facts = async (id: string) => (await site.ask<ContestFacts>('GET', `/contests/${id}`)).body
const rows = async (id: string) => (await site.ask<Standings>('GET', `/contests/${id}/standings`)).body.rows
const start = (id: string) => site.ask('POST', `/contests/${id}/start`, { token: site.host })

interface Client {
  readonly stop: AbortController
  readonly said: string[]
  /** Resolves with why it ended; undefined: it was stopped. */
  readonly ended: Promise<string | undefined>
}
const clients: Client[] = []
function connect(id: string, name: string, token: string, says = 'B'): Client {
  const stop = new AbortController()
  const said: string[] = []
  const say = (line: string): void => void said.push(line)
  const wish = { url: served.url, token, contest: id, name, argv: ['python3', file, says] }
  const ended = connectBot({ ...wish, match: say, notice: say, stderr: () => undefined, signal: stop.signal }).then(
    () => undefined,
    (error: unknown) => String(error),
  )
  const client = { stop, said, ended }
  clients.push(client)
  return client
}
const isThere = (client: Client) => site.until(async () => client.said.some((line) => line.endsWith('is connected')))

describe('bots that are connected', { timeout: 120_000 }, () => {
  it('enter a contest that has not begun, play it, and are marked in its table', async () => {
    const id = await contest('kind = "round-robin"\nrepetitions = 2')
    const tokens = await site.contestants(id, 'Ann', 'Ben')
    const both = ['Ada', 'Bob'].map((name, i) => connect(id, name, [...tokens.values()][i] ?? ''))
    await Promise.all(both.map(isThere))
    expect(new Set((await facts(id)).entrants)).toEqual(new Set(['Hedgehog', 'Ada', 'Bob']))
    await start(id)
    await site.until(async () => (await facts(id)).state === 'finished')
    const table = new Map(
      (await rows(id)).map(({ name, remote, matches, faults }) => [name, [remote, matches, faults]]),
    )
    expect([table.get('Ada'), table.get('Bob'), table.get('Hedgehog')]).toEqual([
      [true, 4, {}],
      [true, 4, {}],
      [undefined, 4, {}],
    ])
    for (const { said } of both) expect(said.filter((line) => line.includes(': place '))).toHaveLength(4)
  })

  it('on a ladder meet only who is there, and go on when they are back', async () => {
    const id = await contest('kind = "ladder"\nrepetitions = 2\nplacing = 6')
    const tokens = await site.contestants(id, 'Ann', 'Ben')
    const [ann = '', ben = ''] = tokens.values()
    const ada = connect(id, 'Ada', ann)
    await isThere(ada)
    ada.stop.abort()
    await ada.ended
    await start(id)
    const bob = connect(id, 'Bob', ben)
    const played = async () => new Map((await rows(id)).map(({ name, matches }) => [name, matches]))
    await site.until(async () => (await facts(id)).idle && (await played()).get('Bob') === 4)
    expect([(await played()).get('Ada'), (await played()).get('Hedgehog')]).toEqual([0, 4])
    await isThere(connect(id, 'Ada', ann))
    await site.until(async () => (await facts(id)).idle && (await rows(id)).every(({ matches }) => matches >= 6))
    bob.stop.abort()
  })

  it('play against a person and in a scrimmage, and not while they are away', async () => {
    const id = await contest('kind = "ladder"')
    const [token = ''] = (await site.contestants(id, 'Ann')).values()
    const ada = connect(id, 'Ada', token)
    await isThere(ada)
    const asked = { token, body: { bots: ['Ada', 'Hedgehog'] } }
    const { body } = await site.ask<{ id: string }>('POST', `/contests/${id}/scrimmages`, asked)
    const scrimmage = async () => (await site.ask<Scrimmage>('GET', `/scrimmages/${body.id}`, { token })).body
    await site.until(async () => ['over', 'failed'].includes((await scrimmage()).state))
    expect(await scrimmage()).toMatchObject({ state: 'over', faults: [] })
    const sit = () => site.ask<Sitting & Problem>('POST', '/sittings', { body: { contest: id, opponents: ['Ada'] } })
    expect((await sit()).body).toMatchObject({ over: false, seat: 1 })
    ada.stop.abort()
    await ada.ended
    await site.until(async () => (await sit()).status === 409)
    expect((await sit()).body.detail).toBe('Ada is not connected now: try again when it is')
  })

  it('are told why they end: another took over, the token was revoked, the bot was withdrawn', async () => {
    const id = await contest('kind = "ladder"')
    const [ann = '', ben = ''] = (await site.contestants(id, 'Ann', 'Ben')).values()
    const first = connect(id, 'Ada', ann)
    await isThere(first)
    const second = connect(id, 'Ada', ann)
    expect(await first.ended).toMatch(/another connection of Ada took over/)
    await isThere(second)
    await site.ask('POST', `/contests/${id}/contestants/Ann/revoke`, { token: site.host })
    expect(await second.ended).toMatch(/its token was replaced or revoked/)
    const third = connect(id, 'Bob', ben)
    await isThere(third)
    await site.ask('POST', `/contests/${id}/entrants/Bob/withdraw`, { token: ben })
    expect(await third.ended).toMatch(/it was withdrawn/)
    // Who connects it again enters it again.
    await isThere(connect(id, 'Bob', ben))
    expect((await facts(id)).entrants).toContain('Bob')
  })

  it('are refused in a line', async () => {
    const [id, closed] = [await contest('kind = "ladder"'), await contest('kind = "ladder"', '')]
    const [ann = '', ben = ''] = (await site.contestants(id, 'Ann', 'Ben')).values()
    const [other = ''] = (await site.contestants(closed, 'Ann')).values()
    await isThere(connect(id, 'Ada', ann))
    const form = new FormData()
    form.set('name', 'Ada')
    form.set('command', 'sh bot.sh')
    form.set('files', new Blob(['echo B']), 'bot.sh')
    const sent = await site.ask<Problem>('POST', `/contests/${id}/entries`, { token: ann, form })
    expect(sent.body.detail).toMatch(/plays from your own machine/)
    for (const [client, why] of [
      [connect(id, 'Ada', ben), /is another’s bot/],
      [connect(id, 'New', `agon_c_${'x'.repeat(43)}`), /token is invalid/],
      [connect(id, 'New', other), /token is for another contest/],
      [connect('none', 'New', ann), /for another contest/],
      [connect(closed, 'New', other), /takes no bots on other machines/],
      [connect(id, 'Hedgehog', ben), /is another’s bot/],
    ] as const)
      expect(await client.ended).toMatch(why)
    const strange = { url: served.url, token: ben, contest: id, name: 'New', argv: ['there-is-no-such-program'] }
    const view = {
      match: () => undefined,
      notice: () => undefined,
      stderr: () => undefined,
      signal: new AbortController().signal,
    }
    await expect(connectBot({ ...strange, ...view })).rejects.toThrow(/could not be started: ENOENT/)
    await expect(connectBot({ ...strange, ...view, url: 'far' })).rejects.toThrow(/is no address of a site/)
  })
})

describe('what a stranger sends over a socket', { timeout: 60_000 }, () => {
  let url: string
  let token: string
  beforeAll(async () => {
    const id = await contest('kind = "ladder"')
    token = (await site.contestants(id, 'Ann')).get('Ann') ?? ''
    url = `${served.url.replace('http', 'ws')}/api/v1/contests/${id}/connect?name=Ada`
  })
  /** The code and the reason with which the site ends a connection that sends this; or the status with which it refuses it. */
  const sends = (frames: readonly (string | Buffer)[], headers: Readonly<Record<string, string>> = {}) =>
    new Promise<string>((done) => {
      const socket = new WebSocket(url, { headers: { authorization: `Bearer ${token}`, ...headers } })
      socket.on('open', () => {
        for (const frame of frames) socket.send(frame)
      })
      socket.on('close', (code, reason) => done(`${code} ${reason.toString()}`))
      socket.on('unexpected-response', (request, { statusCode }) => {
        request.destroy()
        done(String(statusCode))
      })
      socket.on('error', () => undefined)
    })
  const HELLO = JSON.stringify({ session: 'x'.repeat(20), received: 0 })

  it.each([
    ['no JSON', ['nonsense'], /^4002 .*no JSON/],
    ['no session', ['{}'], /^4002 .*no session/],
    ['bytes', [Buffer.from([1, 2, 3])], /^4002 .*no text/],
    ['a number that was not sent', [HELLO, '{"ack":99}'], /^4002 .*not sent/],
    ['a gap', [HELLO, '{"n":9,"ack":0,"seat":"x","line":"y"}'], /^4002 .*lacking/],
    ['a frame that is too long', [HELLO, `{"n":1,"ack":0,"line":"${'x'.repeat(500_000)}"}`], /^1009 /],
    ['too many frames', [HELLO, ...Array<string>(12_000).fill('{"ack":0}')], /^4002 .*too many/],
  ])('%s ends the connection', async (_, frames, why) => {
    expect(await sends(frames)).toMatch(why)
  })

  it('of a page in a browser is not heard, nor under another name of the site', async () => {
    expect(await sends([HELLO], { origin: served.url })).toBe('403')
    expect(await sends([HELLO], { origin: 'https://evil.example' })).toBe('403')
    expect(await sends([HELLO], { authorization: 'Bearer nobody' })).toBe('401')
    expect((await site.ask<Problem>('GET', url.slice(url.indexOf('/contests')), { token })).body.detail).toMatch(
      /WebSocket/,
    )
  })

  /** Connections of new contestants, which say nothing yet: their statuses. */
  async function opened(names: readonly string[]): Promise<readonly number[]> {
    const id = await contest('kind = "ladder"')
    const own = (await site.contestants(id, 'Ann')).get('Ann') ?? ''
    const sockets: WebSocket[] = []
    const open = (name: string) =>
      new Promise<number>((done) => {
        const address = `${served.url.replace('http', 'ws')}/api/v1/contests/${id}/connect?name=${name}`
        const socket = new WebSocket(address, { headers: { authorization: `Bearer ${own}` } })
        sockets.push(socket)
        socket.on('open', () => done(101))
        socket.on('unexpected-response', (_, { statusCode = 0 }) => done(statusCode))
        socket.on('error', () => undefined)
      })
    const statuses: number[] = []
    for (const name of names) statuses.push(await open(name))
    for (const socket of sockets) socket.terminate()
    return statuses
  }

  it('a contestant has a bounded number of connections, and of new bots', async () => {
    const names = Array.from({ length: 17 }, (_, n) => `Bot${n}`)
    expect(await opened(names.map(() => 'Ada'))).toEqual([...Array<number>(16).fill(101), 429])
    expect((await opened(names.slice(0, 11))).at(-1)).toBe(429)
  })

  it('no token stands in what the host reads', () => {
    expect(site.notices.join('\n')).not.toContain('agon_c_')
  })
})
