import { Agent, request } from 'node:http'

const agent = new Agent({ keepAlive: true, maxSockets: 256 })

/** What came back, and how long it took in milliseconds. */
export interface Came {
  readonly status: number
  readonly text: string
  readonly etag: string
}

/** Asks over a connection that is kept. */
export function ask(
  url: string,
  headers: Readonly<Record<string, string>> = {},
  body?: string,
  method = body === undefined ? 'GET' : 'POST',
): Promise<Came> {
  return new Promise((done, failed) => {
    const asked = request(url, { agent, method, headers }, (answer) => {
      const parts: Buffer[] = []
      answer.on('data', (part: Buffer) => parts.push(part))
      answer.on('end', () =>
        done({
          status: answer.statusCode ?? 0,
          text: Buffer.concat(parts).toString(),
          etag: answer.headers.etag ?? '',
        }),
      )
      answer.on('error', failed)
    })
    asked.on('error', (error: NodeJS.ErrnoException) => {
      // A kept connection may be closed by the server just when it is used again: Node's documents say to ask anew.
      if (asked.reusedSocket && error.code === 'ECONNRESET') ask(url, headers, body, method).then(done, failed)
      else failed(error)
    })
    asked.setTimeout(120_000, () => asked.destroy(new Error(`${url}: no answer in two minutes`)))
    asked.end(body)
  })
}

/** Requests a second of processor time that a server answers at this address, asked over many connections for so long. */
export async function throughput(
  url: string,
  cpu: () => number,
  seconds: number,
): Promise<{ readonly perSecond: number; readonly bytes: number }> {
  const bytes = (await ask(url)).text.length
  let answered = 0
  const began = cpu()
  const end = Date.now() + 1000 * seconds
  await Promise.all(
    Array.from({ length: 32 }, async (_, n) => {
      // Limits are by address, and a reader has one.
      for (let i = 0; Date.now() < end; i++) {
        const { status } = await ask(url, { 'x-forwarded-for': `10.0.${n}.${i % 200}` })
        if (status !== 200) throw new Error(`${url}: ${status}`)
        answered++
      }
    }),
  )
  return { perSecond: answered / (cpu() - began), bytes }
}
