import { Agent, type ClientRequest, request } from 'node:http'

const agent = new Agent({ maxSockets: Infinity })

/** Listens to a contest's events, and counts what is missing between two of them. */
export class Listener {
  /** Matches of the contest that it knows of. */
  matches: number | undefined
  lost = 0
  events = 0
  /** How often its connection broke by itself. */
  broken = 0
  private last = ''
  private text = ''
  private under: ClientRequest | undefined
  private ended = false

  /** Where it listens from: streams are bounded by address. */
  private readonly from: string
  private static made = 0

  constructor(private readonly url: string) {
    const n = Listener.made++
    this.from = `10.1.${n >> 8}.${n & 255}`
    this.listen()
  }

  /** Cuts the connection, and comes back with the last id. */
  cut(): void {
    this.under?.destroy()
    this.text = ''
    this.listen()
  }

  close(): void {
    this.ended = true
    this.under?.destroy()
  }

  private listen(): void {
    const headers = { 'x-forwarded-for': this.from, ...(this.last !== '' && { 'last-event-id': this.last }) }
    const under = request(this.url, { agent, headers }, (answer) => {
      if (answer.statusCode !== 200) throw new Error(`a listener was answered ${answer.statusCode}`)
      answer.setEncoding('utf8')
      answer.on('data', (part: string) => this.under === under && this.hear(part))
      answer.on('error', () => undefined)
      answer.on('close', () => this.again(under))
    })
    this.under = under
    under.on('error', () => this.again(under))
    under.end()
  }

  /** Comes back where its connection broke, as a browser does. */
  private again(under: ClientRequest): void {
    if (this.ended || this.under !== under) return
    this.under = undefined
    this.broken++
    setTimeout(() => !this.ended && this.cut(), 1000)
  }

  private hear(part: string): void {
    const blocks = (this.text + part).split('\n\n')
    this.text = blocks.pop() ?? ''
    for (const block of blocks) {
      const field = (name: string): string => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1] ?? ''
      const kind = field('event')
      if (kind === '') continue
      this.events++
      this.last = field('id')
      if (kind === 'contest') this.matches ??= Number(this.last.split('.').at(-2))
      if (kind === 'matches') {
        const { count, matches } = JSON.parse(field('data')) as { count: number; matches: number }
        if (this.matches !== undefined && this.matches + count !== matches) this.lost++
        this.matches = matches
      }
    }
  }
}
