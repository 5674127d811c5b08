import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { z } from '@hono/zod-openapi'
import { type WebSocket, WebSocketServer } from 'ws'
import { OUTPUT_BYTES } from '../app/context.js'
import { LinkError, REFUSED, jsonOf, keepAlive } from '../app/remote/link.js'
import { isRemote, openContest, parsedContest } from './contests.js'
import { type SiteContext, announceEntry } from './context.js'
import { contestantIn, refuseEntry } from './entries.js'
import { Refusal, problem, forbidden, invalid } from './http/answers.js'
import { RATES, type SiteFetch } from './http/callers.js'
import { Buckets, Places } from './http/limits.js'
import { get, said } from './http/route.js'
import type { ContestRunner } from './play/contest-runner.js'
import type { Comer, Connection, Remotes } from '../app/remote/remotes.js'
import { freshId, isTaken } from './store.js'

/** Seconds within which a bot is to be back where its contest does not say. */
const RECONNECT = 30

export const connectRoutes = (context: SiteContext, runner: ContestRunner) => {
  const { site } = context
  const [opened, entered] = [new Buckets(RATES.streams), new Buckets(RATES.upload)]
  return [
    get('/contests/{id}/connect', {
      summary: 'Let a bot play from its author’s machine',
      access: 'contestant',
      description:
        'A WebSocket, which `agon connect` opens: the bot enters the contest by it, if that has `remote = true`. A name belongs to who had it first; a second connection of a bot takes over from the first.',
      query: z.object({ name: said(z.string().max(200), 'of the bot, in the table') }),
      answer: z.strictObject({ name: z.string() }),
      own: 'each',
    }).handler(async ({ c, id, query: { name }, caller, from }) => {
      if (c.req.header('origin') !== undefined) throw forbidden('no page of a browser connects a bot')
      // There is no environment where a request comes from within the process.
      const admit = (c.env as typeof c.env | undefined)?.admit
      if (admit === undefined) throw invalid('this is the address of a WebSocket: agon connect opens it')
      const isHost = caller.role === 'host'
      if (!isHost) opened.take(from)
      const contestant = contestantIn(id, caller)
      const loaded = await parsedContest(context, await openContest(context, id))
      const { remote, reconnect = RECONNECT } = loaded.contest.site ?? {}
      if (remote !== true)
        throw forbidden('this contest takes no bots on other machines: its host can allow them (remote = true)')
      refuseEntry(site, { contest: id, name, contestant, remote }, loaded)
      const isKnown = site.entries(id, name).some((one) => isTaken(one.state) && isRemote(one))
      // One that was withdrawn comes back like a bot that is sent again: as another version.
      if (!isKnown || site.exclusions(id).some((one) => one.name === name)) {
        // Each new bot is another revision of the contest.
        if (!isHost) entered.take(`${id} ${contestant}`)
        const spec = JSON.stringify({ name, remote })
        const about = { id: freshId(), contest: id, contestant, name, spec, bytes: 0 }
        const entry = site.addEntry({ ...about, state: 'playing' })
        announceEntry(context, entry, 'playing')
        runner.revise(id)
      }
      const outputBytes = loaded.contest.limits['output'] ?? OUTPUT_BYTES
      admit({ contest: id, name, reconnect, contestant, outputBytes, address: from })
      return { name }
    }),
  ]
}

/** Connections of remote bots at once: of a contestant, of an address, behind which a school may sit, and in all. */
const MOST = { each: 16, address: 400, all: 4000 } as const
/** Frames of a connection: each question and each update is answered by two at most, an answer and an acknowledgement. */
const FRAMES = { burst: 10_000, perSecond: 4000 } as const
/** Milliseconds for the first frame. */
const HELLO_MS = 10_000
/** Bytes that wait to be sent to one connection, which does not read. */
const WAITING = 32 * 1024 ** 2
/** Of a byte of a line JSON may make so many. */
const ESCAPED = 6

/** Connects the machines of remote bots whose requests the application admits. Returns a function that ends all connections. `now`: for the frames of one. */
export function acceptRemotes(
  server: Server,
  app: { readonly fetch: SiteFetch },
  remotes: Remotes,
  now?: () => number,
) {
  const open = new Set<WebSocket>()
  const places = new Places()
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy())
    void admitted(app, request).then(({ response, comer }) => {
      if (socket.destroyed) return
      if (comer === undefined) return refuse(socket, response)
      const { contest, contestant, address, outputBytes } = comer
      const person = `${contest} ${contestant}`
      const free = places.take([person, MOST.each], [`from ${address}`, MOST.address], ['all', MOST.all])
      if (free === undefined) return refuse(socket, problem(429, 'too many bots are connected from here'))
      socket.once('close', free)
      const sockets = new WebSocketServer({
        noServer: true,
        clientTracking: false,
        maxPayload: ESCAPED * outputBytes + 4096,
      })
      sockets.handleUpgrade(request, socket, head, (connected) => {
        open.add(connected)
        connected.once('close', () => open.delete(connected))
        talk(connected, comer, remotes, new Buckets(FRAMES, now))
      })
    })
  })
  return () => {
    for (const connected of open) connected.terminate()
  }
}

async function admitted(app: { readonly fetch: SiteFetch }, incoming: IncomingMessage) {
  let comer: Comer | undefined
  const admit = (one: Comer): void => void (comer = one)
  try {
    const headers = new Headers()
    for (const [name, value] of Object.entries(incoming.headers))
      if (typeof value === 'string' && !name.startsWith(':')) headers.set(name, value)
    const url = new URL(incoming.url ?? '', `http://${incoming.headers.host ?? 'localhost'}`)
    const response = await app.fetch(new Request(url, { headers }), { incoming, admit })
    return { response, comer }
  } catch {
    return { response: problem(400, 'this is no request'), comer: undefined }
  }
}

async function refuse(socket: Duplex, response: Response): Promise<void> {
  const body = Buffer.from(await response.text())
  const status = response.status < 400 ? 400 : response.status
  const headers = [...response.headers].map(([name, value]) => `${name}: ${value}\r\n`).join('')
  socket.write(`HTTP/1.1 ${status} Refused\r\n${headers}content-length: ${body.length}\r\nconnection: close\r\n\r\n`)
  socket.end(body)
}

/** The first frame names the machine's session; all that follow are of its link. */
function talk(socket: WebSocket, comer: Comer, remotes: Remotes, frames: Buckets): void {
  const connection: Connection = {
    write(text) {
      socket.send(text)
      if (socket.bufferedAmount > WAITING) socket.terminate()
    },
    terminate: () => socket.terminate(),
    close: (code, why) => socket.close(code, why.slice(0, 100)),
  }
  const bot = remotes.bot(comer)
  let isGreeted = false
  const silent = setTimeout(() => socket.terminate(), HELLO_MS)
  keepAlive(socket)
  socket.on('error', () => socket.terminate())
  socket.on('close', () => {
    clearTimeout(silent)
    bot.disconnect(connection)
  })
  socket.on('message', (data: Buffer, isBinary: boolean) => {
    try {
      frames.take('')
      if (isBinary) throw new LinkError('no text')
      if (isGreeted) return bot.receive(connection, data.toString())
      const { session, received } = jsonOf(data.toString())
      if (typeof session !== 'string' || session.length < 16 || session.length > 64 || !Number.isSafeInteger(received))
        throw new LinkError('no session')
      clearTimeout(silent)
      isGreeted = true
      bot.connect(session, Number(received), connection)
    } catch (error) {
      if (!(error instanceof LinkError) && !(error instanceof Refusal)) throw error
      connection.close(REFUSED, `this connection was ended: ${error.message}`)
    }
  })
}
