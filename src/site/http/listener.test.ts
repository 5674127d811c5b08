import { once } from 'node:events'
import { type Socket, connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ServedSite } from '../../../test/site/served.js'

const EACH = 6
const BOUNDS = { all: 100, each: 100, headers: 150, request: 300, idle: 150, silent: 60_000, look: 50 }

let served: ServedSite
beforeAll(async () => {
  served = await ServedSite.open({}, undefined, BOUNDS)
})
afterAll(() => served.remove())

/** A connection, with what has come over it. */
async function open({ url } = served): Promise<{ socket: Socket; text: () => string; closed: Promise<unknown> }> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  let text = ''
  socket.setEncoding('utf8').on('data', (part: string) => (text += part))
  // What is closed while it is written to tells so.
  socket.on('error', () => undefined)
  const closed = new Promise((done) => socket.once('close', done))
  await once(socket, 'connect')
  return { socket, text: () => text, closed }
}
const answers = async ({ url } = served): Promise<number> =>
  (await fetch(`${url}/api/v1/games`, { headers: { connection: 'close' } })).status

describe('a connection', () => {
  it('that sends its headers too slowly is closed, and others are answered meanwhile', async () => {
    const slow = await open()
    const timer = setInterval(() => slow.socket.write('x-a: b\r\n'), 20)
    slow.socket.write('GET /api/v1/games HTTP/1.1\r\nhost: 127.0.0.1\r\n')
    expect(await answers()).toBe(200)
    await slow.closed
    clearInterval(timer)
    expect(slow.text()).toMatch(/^(HTTP\/1.1 408|$)/)
  })

  it('that never sends all of its request is closed', async () => {
    const slow = await open()
    slow.socket.write('POST /api/v1/sittings HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\n')
    slow.socket.write('content-length: 1000\r\n\r\n{')
    await slow.closed
    expect(slow.text()).not.toContain('HTTP/1.1 2')
  })

  it('that says nothing, or nothing more, is closed', async () => {
    const silent = await open()
    const idle = await open()
    idle.socket.write('GET /api/v1/games HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n')
    await Promise.all([silent.closed, idle.closed])
    expect(idle.text()).toContain('HTTP/1.1 200')
  })

  it('of an address that has its share open is closed, and one that ends makes room', async () => {
    const own = await ServedSite.open({}, undefined, {
      ...BOUNDS,
      headers: 60_000,
      request: 60_000,
      idle: 60_000,
      each: EACH,
    })
    const most = await Promise.all(Array.from({ length: EACH }, () => open(own)))
    // They are kept busy: each asks for events.
    const id = await own.site.contest(1)
    for (const { socket } of most) socket.write(`GET /api/v1/contests/${id}/events HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n`)
    await expect.poll(() => most.every(({ text }) => text().includes('event: contest')), { timeout: 20_000 }).toBe(true)
    const more = await open(own)
    await more.closed
    expect(more.text()).toBe('')
    most[0]?.socket.destroy()
    await expect.poll(() => answers(own).catch(() => 0), { timeout: 20_000 }).toBe(200)
    await own.remove()
  })
})
