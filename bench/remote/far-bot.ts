import { WebSocket } from 'ws'
import { Link } from '../../src/app/remote/link.js'

/** A bot that is connected to a site, in this process: it thinks for a while, and always says the same. */
export class FarBot {
  /** Questions that it answered. */
  answered = 0
  /** Matches of which it was told the end. */
  ended = 0
  private readonly link = new Link()
  private readonly socket: WebSocket
  readonly ready: Promise<void>

  constructor(
    url: string,
    token: string,
    private readonly thinkMs: number,
  ) {
    this.socket = new WebSocket(url, { headers: { authorization: `Bearer ${token}` }, perMessageDeflate: false })
    const { socket } = this
    socket.on('open', () => socket.send(JSON.stringify({ session: token.slice(0, 40), received: 0 })))
    this.ready = new Promise((done, failed) => {
      socket.once('message', () => {
        this.link.attach((text) => socket.send(text), 0)
        socket.on('message', (data: Buffer) => this.take(data.toString()))
        done()
      })
      socket.once('error', failed)
    })
  }

  close(): void {
    this.socket.close()
  }

  private take(text: string): void {
    const { seat = '', line = '' } = this.link.receive(text)?.sent ?? {}
    if (line.startsWith('{"type":"end"')) this.ended++
    if (!line.startsWith('{"type":"ask"')) return
    const began = performance.now()
    // Bots that think equally long would all answer in the same moment.
    const ms = this.thinkMs * (0.5 + Math.random())
    setTimeout(() => {
      this.answered++
      this.link.send({ seat, line: JSON.stringify({ action: 'B', ms: performance.now() - began }) })
    }, ms)
  }
}
