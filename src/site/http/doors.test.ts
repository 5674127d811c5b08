import { request } from 'node:http'
import { Hono } from 'hono'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ServedSite } from '../../../test/site/served.js'
import { type Problem, TestSite, contestOf } from '../../../test/site/site.js'
import type { Env } from './callers.js'
import { Places } from './limits.js'
import { Channels, type EventSource } from './streams.js'
import { Uploads } from './uploads.js'

/* Doors that an attacker may try, beside uploads (entering.test.ts) and who may do what (access.test.ts). */

let served: ServedSite
let site: TestSite
let id: string
beforeAll(async () => {
  served = await ServedSite.open()
  site = served.site
  id = await site.contest(1, 'signup = true')
})
afterAll(() => served.remove())

/** Asks with the path as it is written: nothing of it is tidied up. */
const raw = (path: string, headers: Readonly<Record<string, string>> = {}, method = 'GET') =>
  new Promise<{ status: number; text: string }>((done, failed) => {
    const { hostname, port } = new URL(served.url)
    const asked = request({ hostname, port, path, method, headers }, (answer) => {
      let text = ''
      answer.setEncoding('utf8')
      answer.on('data', (part: string) => (text += part))
      answer.on('end', () => done({ status: answer.statusCode ?? 0, text }))
      answer.on('error', failed)
    })
    asked.on('error', failed)
    asked.end()
  })

describe('a path', () => {
  it.each([
    '/..%2f..%2f..%2fetc/passwd',
    '/%2e%2e/%2e%2e/etc/passwd',
    '//etc/passwd',
    '/assets/../../package.json',
    '/index.html%00.js',
    '/%E0%A4%A',
    '/__proto__',
    '/constructor.js',
    '/site.db',
    '/api/v1/contests/..%2f..%2fsite.db',
    '/api/v1/contests/%2e%2e',
    '/api/v1/entries/..%2fsite/sources',
    '/api/v1/matches/-1',
    '/api/v1/matches/1e3',
    '/api/v1/matches/999999999999999/positions',
    '/api/v1/sittings/__proto__',
    '/api/v1/contests/__proto__/live',
    `/api/v1/contests/${'x'.repeat(101)}`,
    `/api/v1/contests?cursor=${'9'.repeat(101)}`,
  ])('%s leads to nothing of the host', async (path) => {
    const { status, text } = await raw(path)
    // The page answers at addresses that are none of its files'.
    expect([200, 301, 302, 400, 403, 404]).toContain(status)
    expect(text).not.toMatch(/root:|SQLite format|"dependencies"|at \S+ \(/)
    if (status === 200) expect(text).toContain('<div id="root">')
  })
})

it('a bot with a dot in its name has a page, and a file that is not there has none', async () => {
  const { status, text } = await raw('/contests/c/bots/Deep.Blue')
  expect([status, text.includes('<div id="root">')]).toEqual([200, true])
  expect((await raw('/Deep.Blue')).status).toBe(404)
})

describe('a method', () => {
  it.each(['PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE', 'PROPFIND', 'LINK'])('%s does nothing', async (method) => {
    for (const path of ['/', '/api/v1/contests', `/api/v1/contests/${id}`, `/api/v1/contests/${id}/start`]) {
      const { status } = await raw(path, { authorization: `Bearer ${site.host}` }, method)
      expect([method, path, status >= 400 && status < 500]).toEqual([method, path, true])
    }
    expect((await site.ask<{ state: string }>('GET', `/contests/${id}`)).body.state).toBe('created')
  })
})

describe('a body', () => {
  const large = JSON.stringify({ toml: 'x'.repeat(1024 ** 2) })
  it.each([
    ['of a megabyte', large, { 'content-length': String(large.length) }, 413],
    ['of a megabyte that does not say so', large, {}, 413],
    ['nested a hundred thousand times', '['.repeat(100_000), {}, 400],
    ['that is no JSON', '{"toml":', {}, 400],
    ['of another type', 'toml=x', { 'content-type': 'text/plain' }, 415],
    ['with members that every object has', '{"__proto__":{"toml":"x"}}', {}, 400],
    ['that is empty', '', {}, 400],
  ])('%s is refused', async (_, body, more, status) => {
    const headers = { authorization: `Bearer ${site.host}`, 'content-type': 'application/json', ...more }
    const answer = await site.app.fetch(
      new Request('http://localhost/api/v1/contests', { method: 'POST', headers, body }),
    )
    expect(answer.status).toBe(status)
    expect(((await answer.json()) as Problem).detail).toMatch(/./)
  })
})

describe('another site', () => {
  it('is not this one, whatever name it has here', async () => {
    const own = await TestSite.open({ hosts: new Set(['localhost']) })
    const ask = (host: string) => own.app.fetch(new Request('http://localhost/api/v1/contests', { headers: { host } }))
    const all = [
      await ask('localhost'),
      await ask('LOCALHOST:4600'),
      await ask('evil.example'),
      await ask('evil.example:4600'),
    ]
    await own.remove()
    expect(all.map(({ status }) => status)).toEqual([200, 200, 403, 403])
  })

  it('is not to show the page in a frame, nor to read what it answers', async () => {
    const { headers } = await fetch(`${served.url}/`)
    expect(headers.get('content-security-policy')).toMatch(/default-src 'none'.*frame-ancestors 'none'/)
    expect(headers.get('cross-origin-resource-policy')).toBe('same-origin')
    expect(headers.get('access-control-allow-origin')).toBeNull()
  })
})

describe('a caller that asks for much at once', () => {
  it('plays no more matches at the same time than allowed', async () => {
    const body = { game: 'samurai', opponents: ['Abacus'] }
    const all = await Promise.all(Array.from({ length: 20 }, () => site.ask('POST', '/sittings', { body })))
    expect(all.filter(({ status }) => status === 201).length).toBe(8)
    expect(new Set(all.map(({ status }) => status))).toEqual(new Set([201, 429]))
  })

  it('becomes no crowd of contestants', async () => {
    const statuses: number[] = []
    for (let n = 0; n < 70; n++)
      statuses.push((await site.ask('POST', `/contests/${id}/contestants`, { body: { name: `Crowd ${n}` } })).status)
    expect([statuses[0], statuses.at(-1)]).toEqual([201, 429])
    // The host, who may let in whom it will, is not among them.
    const { status } = await site.ask('POST', `/contests/${id}/contestants`, {
      token: site.host,
      body: { name: 'Ada' },
    })
    expect(status).toBe(201)
  })

  it('sends no more files than fit into memory, and takes no places from others', async () => {
    const uploads = new Uploads({ all: 3, address: 2, contestant: 1 })
    let go = (): void => undefined
    const held = new Promise<void>((done) => (go = done))
    const from = (contestant: number, address: string) => ({ contestant, address })
    const refused = (sender: Parameters<Uploads['within']>[0]) =>
      expect(uploads.within(sender, async () => undefined)).rejects.toThrow('others send their bots')
    const all = [uploads.within(from(1, 'a'), () => held)]
    await refused(from(1, 'b'))
    all.push(uploads.within(from(2, 'a'), () => held))
    await refused(from(3, 'a'))
    all.push(uploads.within(from(3, 'b'), () => held))
    await refused(from(4, 'c'))
    await refused(undefined)
    go()
    await Promise.all(all)
    await expect(uploads.within(from(1, 'a'), async () => 'sent')).resolves.toBe('sent')
  })

  it('holds no place, and no memory, before it has a token', async () => {
    let read = 0
    const body = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          read++
          controller.enqueue(new Uint8Array(1024 ** 2))
        },
      },
      { highWaterMark: 0 },
    )
    const ask = (headers: Readonly<Record<string, string>>) =>
      site.app.fetch(
        new Request(`http://localhost/api/v1/contests/${id}/entries`, {
          method: 'POST',
          headers: { 'content-type': 'multipart/form-data; boundary=x', ...headers },
          body,
          duplex: 'half',
        } as RequestInit),
      )
    expect([(await ask({})).status, read]).toEqual([401, 0])
    // One that does not say how long it is, and never ends, is refused once it is too long.
    expect((await ask({ authorization: `Bearer ${site.host}` })).status).toBe(413)
    expect(read).toBeLessThan(40)
  })
})

describe('streams of events', () => {
  /** A server of streams of one source. */
  function serving(source: EventSource = { since: async () => [] }) {
    const channels = new Channels(() => source, 1000, new Places(), { each: 2, all: 3 })
    const app = new Hono<Env>()
    app.get('/', (c) => {
      c.set('address', c.req.header('from') ?? '')
      return channels.answer(c, c.req.query('of') ?? '')
    })
    app.onError((error) => new Response(error.message, { status: 429 }))
    const ask = async (from: string, method = 'GET', of = '') =>
      app.fetch(new Request(`http://localhost/?of=${of}`, { method, headers: { from } }))
    return { ask, channels }
  }

  it('are so many an address, and so many in all; one that is closed, or ends, makes room', async () => {
    let isOver = false
    const { ask, channels } = serving({
      since: async () => [],
      get isOver() {
        return isOver
      },
    })
    const first = await ask('a')
    const second = await ask('a')
    expect([first.status, second.status, (await ask('a')).status, (await ask('b')).status]).toEqual([
      200, 200, 429, 200,
    ])
    expect((await ask('c')).status).toBe(429)
    await first.body?.cancel()
    expect((await ask('a')).status).toBe(200)
    isOver = true
    expect(await second.text()).toBe('retry: 1000\n\n')
    expect((await ask('c')).status).toBe(200)
    channels.close()
  })

  it('tell how it has ended also who read slowly', async () => {
    let isOver = false
    const end = { id: 'e', kind: 'ended', data: {} }
    const source = {
      since: async (last?: string) => (isOver && last !== 'e' ? [end] : []),
      get isOver() {
        return isOver
      },
    }
    const { body } = await serving(source).ask('a')
    const reader = (body as ReadableStream<Uint8Array>).getReader()
    await reader.read()
    isOver = true
    expect(new TextDecoder().decode((await reader.read()).value)).toContain('event: ended')
    expect((await reader.read()).done).toBe(true)
  })

  it('are not opened by requests for the head alone', async () => {
    const { ask, channels } = serving()
    for (let n = 0; n < 5; n++) expect((await ask('a', 'HEAD')).headers.get('content-type')).toBe('text/event-stream')
    expect([channels.size, (await ask('a')).status]).toEqual([0, 200])
    channels.close()
  })

  it('have a channel only as long as somebody reads it: none for a head, or where too many are open', async () => {
    const { ask, channels } = serving()
    for (let n = 0; n < 5; n++) await ask('a', 'HEAD', `head ${n}`)
    expect(channels.size).toBe(0)
    const answers = [await ask('a', 'GET', 'one'), await ask('a', 'GET', 'two'), await ask('a', 'GET', 'three')]
    expect([answers.map(({ status }) => status), channels.size]).toEqual([[200, 200, 429], 2])
    for (const { body } of answers) await body?.cancel()
    expect(channels.size).toBe(0)
  })

  it('let a client go that leaves while it is still told what it missed', async () => {
    let tell = (): void => undefined
    const told = new Promise<void>((done) => (tell = done))
    const { ask, channels } = serving({ since: async () => (await told, []) })
    const reader = (await ask('a')).body?.getReader()
    const read = reader?.read()
    await reader?.cancel()
    tell()
    expect(await read).toMatchObject({ done: true })
    expect(channels.size).toBe(0)
  })

  it('keep nothing in memory for a reader who does not read', async () => {
    let asked = 0
    const { ask, channels } = serving({ since: async () => [{ id: String(++asked), kind: 'news', data: 'x' }] })
    const reader = (await ask('a')).body?.getReader()
    await new Promise((done) => setTimeout(done, 20))
    expect(asked).toBe(0)
    await reader?.read()
    await new Promise((done) => setTimeout(done, 20))
    expect(asked).toBe(1)
    channels.close()
  })

  it('take no id that is not theirs', async () => {
    const ask = (last: string) => site.ask('GET', `/contests/${id}/events`, { headers: { 'last-event-id': last } })
    for (const last of ['x', '1.2', `${'r'.repeat(200)}.1.1`, "a.1.1'--"]) expect((await ask(last)).status).toBe(400)
  })
})

it('a contest’s text is the host’s alone, and may not change what its matches are once it has begun', async () => {
  const own = await site.contest(1)
  const change = (toml: string, token = site.host) =>
    site.ask<Problem>('POST', `/contests/${own}/text`, { token, body: { toml } })
  expect((await site.ask('GET', `/contests/${own}/text`)).status).toBe(401)
  expect((await site.ask<{ toml: string }>('GET', `/contests/${own}/text`, { token: site.host })).body.toml).toBe(
    contestOf(1),
  )
  expect(
    (
      await change(
        contestOf(1)
          .replace('samurai', 'coup')
          .replace(/house = .*/g, 'house = "Ledger"'),
      )
    ).status,
  ).toBeGreaterThanOrEqual(400)
  expect((await change(contestOf(1).replace('"samurai"', '"samuray"'))).body.line).toBe(2)
  expect((await change(contestOf(2, '[limits]\nturn = 700'))).status).toBe(200)
  await site.finish(own)
  const { status, body } = await change(contestOf(2, '[limits]\nturn = 800'))
  expect([status, body.detail]).toEqual([409, expect.stringContaining('its limits can no longer change')])
  expect(
    (await change(contestOf(2, 'signup = true\n[limits]\nturn = 700').replace('Friday', 'Monday'))).body,
  ).toMatchObject({
    title: 'Monday',
    signup: true,
  })
})

it('a token that was revoked or replaced is unknown', async () => {
  const own = await site.contest(1)
  const ask = (path: string, token = site.host) =>
    site.ask<{ token: string }>('POST', `/contests/${own}/contestants${path}`, { token, body: { name: 'Ada' } })
  const first = (await ask('')).body.token
  const role = async (token: string) => (await site.ask<{ name?: string }>('GET', '/caller', { token })).body.name
  expect(await role(first)).toBe('Ada')
  const second = (await ask('/Ada/renew')).body.token
  expect([await role(first), await role(second)]).toEqual([undefined, 'Ada'])
  expect((await ask('/Ada/revoke')).status).toBe(200)
  expect(await role(second)).toBeUndefined()
  const { items } = (
    await site.ask<{ items: { name: string; revoked?: string; bots: string[] }[] }>(
      'GET',
      `/contests/${own}/contestants`,
      {
        token: site.host,
      },
    )
  ).body
  expect(items).toMatchObject([{ name: 'Ada', bots: [], revoked: expect.stringMatching(/^\d{4}-/) as string }])
  expect((await ask('/Bob/renew')).status).toBe(404)
})
