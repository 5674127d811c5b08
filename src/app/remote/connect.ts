import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { UserError, messageOf } from '../../core/index.js'
import { whenAborted } from '../context.js'
import { OUTPUT_BYTES } from '../../bots/index.js'
import { keepAlive, LinkError, REFUSED, TAKEN_OVER, jsonOf } from './link.js'
import { type OwnProgram, RemoteTable } from './remote-table.js'

export interface ConnectWish extends OwnProgram {
  readonly url: string
  readonly token: string
  readonly contest: string
  readonly name: string
  /** Receives a line for each match. */
  readonly match: (line: string) => void
  readonly notice: (line: string) => void
  readonly signal: AbortSignal
}

/** Milliseconds until a connection is tried again: a quarter of a second at first, then twice as long each time, up to five seconds. */
const pauseMs = (failures: number): number => Math.min(5000, 250 * 2 ** failures)

const HANDSHAKE_MS = 15_000
/** Bytes of what a site sends at once. */
const FRAME = 16 * 1024 ** 2

type Ending =
  /** It was there, or was never made. */
  { readonly lost: string; readonly wasThere: boolean } | { readonly refused: string }

/**
 * Lets a bot on this machine play on a site until the signal is aborted. A connection that breaks is made again, for ever. Throws UserError if the bot
 * cannot be started, the site refuses it, or another connection has taken over.
 */
export async function connectBot(wish: ConnectWish): Promise<void> {
  const { url, signal, notice } = wish
  const address = addressOf(wish)
  const table = new RemoteTable(wish, wish.match)
  try {
    const why = await table.start()
    if (why !== undefined) throw new UserError(`${wish.argv[0] ?? 'the bot'} ${why}: write its command behind --`)
    let session = randomUUID()
    for (let failures = 0; !signal.aborted; failures++) {
      const ending = await connectOnce({ ...wish, address, session }, table)
      if (signal.aborted) return
      if ('refused' in ending) throw new UserError(ending.refused)
      if (ending.wasThere || failures === 0) notice(`${ending.lost}; trying again until ${url} is there`)
      if (ending.wasThere) failures = 0
      // After what no site sends nothing of it is believed any more.
      if (ending.lost === STRANGE) session = randomUUID()
      // The signal ends the pause, and the loop.
      await sleep(pauseMs(failures), undefined, { signal }).catch(() => undefined)
    }
  } finally {
    table.close()
  }
}

const STRANGE = 'what came is not of a site of agon'

function addressOf({ url, contest, name }: ConnectWish): URL {
  const address = URL.canParse(url) ? new URL(url) : undefined
  if (address === undefined || !/^https?:$/.test(address.protocol))
    throw new UserError(`${JSON.stringify(url)} is no address of a site: give one such as https://agon.example.org`)
  const { protocol, host } = address
  const route = new URL(`${protocol.replace('http', 'ws')}//${host}`)
  route.pathname = `/api/v1/contests/${encodeURIComponent(contest)}/connect`
  route.searchParams.set('name', name)
  return route
}

function connectOnce(
  { address, token, session, name, notice, signal }: ConnectWish & { readonly address: URL; readonly session: string },
  table: RemoteTable,
): Promise<Ending> {
  return new Promise((done) => {
    const socket = new WebSocket(address, {
      headers: { authorization: `Bearer ${token}` },
      perMessageDeflate: false,
      handshakeTimeout: HANDSHAKE_MS,
      maxPayload: FRAME,
    })
    const deaf = whenAborted(signal, () => socket.close(1000))
    let wasThere = false
    const end = (ending: Ending): void => {
      deaf()
      table.detach()
      socket.terminate()
      done(ending)
    }
    keepAlive(socket)
    socket.on('error', (error) => end({ lost: messageOf(error), wasThere }))
    socket.on('unexpected-response', (_, response: IncomingMessage) => void refusal(response).then(end))
    socket.on('open', () => socket.send(JSON.stringify({ session, received: table.received })))
    socket.on('message', (data: Buffer) => {
      try {
        if (wasThere) return table.receive(data.toString())
        const { welcome, isNew, most = OUTPUT_BYTES } = jsonOf(data.toString())
        table.attach((text) => socket.send(text), Number(welcome), isNew === true, Number(most))
        wasThere = true
        notice(`${name} is connected`)
      } catch (error) {
        if (!(error instanceof LinkError)) throw error
        end({ lost: STRANGE, wasThere })
      }
    })
    socket.on('close', (code, reason) => {
      const why = reason.toString()
      if (code === TAKEN_OVER || code === REFUSED) end({ refused: why })
      else end({ lost: `the connection is gone${why === '' ? '' : `: ${why}`}`, wasThere })
    })
  })
}

/** Why a site does not admit the bot. Where it is busy, or cannot answer, that is no refusal. */
async function refusal(response: IncomingMessage): Promise<Ending> {
  const { statusCode: status = 0 } = response
  let text = ''
  for await (const part of response.setEncoding('utf8')) if (text.length < FRAME / 256) text += String(part)
  let detail = `the site answered ${status}: is this its address?`
  try {
    const problem = jsonOf(text)
    if (typeof problem['detail'] === 'string') detail = problem['detail']
  } catch {
    // It is no problem document of a site.
  }
  return status === 429 || status >= 500 ? { lost: detail, wasThere: false } : { refused: detail }
}
