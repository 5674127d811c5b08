import { BotProcess } from './bot-process.js'
import { Link, type Sent } from './link.js'

/** What a site says when a connection is there. */
interface Welcome {
  /** The number of what came there last. */
  readonly received: number
  /** What was played over the connections before is given up. */
  readonly isNew: boolean
  /** Characters that an answer may have. */
  readonly most: number
}

/** A bot's seat in a match. */
interface Seat {
  readonly match: string
  readonly process: BotProcess
  /** What became of it. */
  result?: string
}

/** Where a bot on this machine plays: a process for each match that it plays at once. One whose match is over plays the next. */
export class RemoteTable {
  private link = new Link()
  private readonly seats = new Map<string, Seat>()
  private readonly idle: BotProcess[] = []
  private most = 0

  constructor(
    private readonly argv: readonly string[],
    private readonly report: (line: string) => void,
  ) {}

  /** Starts the bot, which may load what it needs before it plays. Returns why it cannot. */
  async start(): Promise<string | undefined> {
    const first = this.make()
    this.idle.push(first)
    return first.started()
  }

  /** The number of what came last from the site. */
  get received(): number {
    return this.link.received
  }

  attach(write: (text: string) => void, { received, isNew, most }: Welcome): void {
    this.most = most
    if (isNew) {
      for (const { match, process } of this.seats.values()) {
        process.kill()
        this.report(`${match}: given up`)
      }
      this.seats.clear()
      this.link = new Link()
    }
    this.link.attach(write, received)
  }

  detach(): void {
    this.link.detach()
  }

  /** Takes what the site sends. Throws a LinkError for what no site sends. */
  receive(text: string): void {
    const sent = this.link.receive(text)?.sent
    if (sent === undefined) return
    if (sent.begin !== undefined) this.begin(sent.seat, sent.begin)
    const seat = this.seats.get(sent.seat)
    if (seat === undefined) return
    if (sent.line !== undefined) this.pass(seat, sent.line)
    if (sent.end !== undefined) this.leave(sent.seat, seat, sent.end)
  }

  close(): void {
    for (const { process } of this.seats.values()) process.kill()
    for (const process of this.idle) process.kill()
  }

  private make(): BotProcess {
    return new BotProcess(this.argv, () => this.most)
  }

  private begin(seat: string, match: string): void {
    let process = this.idle.pop()
    while (process?.ending !== undefined) process = this.idle.pop()
    process ??= this.make()
    this.seats.set(seat, { match: shownKey(match), process })
    process.events = {
      line: (line) => this.send({ seat, line }),
      ended: (how) => this.send({ seat, end: how }),
    }
  }

  private pass(seat: Seat, line: string): void {
    seat.process.write(line)
    if (line.startsWith('{"type":"end"')) seat.result = resultOf(line)
  }

  private leave(name: string, { match, process, result }: Seat, how: string): void {
    this.seats.delete(name)
    process.events = undefined
    if (how === 'over' && process.ending === undefined) this.idle.push(process)
    else process.kill()
    this.report(`${match}: ${result ?? (process.ending === undefined ? 'left early, or given up' : process.ending)}`)
  }

  private send(sent: Sent): void {
    this.link.send(sent)
  }
}

/** A key with its names as they are, not as a key holds them. */
const shownKey = (key: string): string =>
  key.replace(/%([0-9A-F]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))

/** How a match ended for the seat that was sent this: 'place 1 of 2 (end)'. */
function resultOf(line: string): string | undefined {
  try {
    const { seat, outcome } = JSON.parse(line) as { seat: number; outcome: { place: number[]; reason: string } }
    return `place ${outcome.place[seat]} of ${outcome.place.length} (${outcome.reason})`
  } catch {
    return undefined
  }
}
