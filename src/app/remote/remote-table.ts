import { randomInt } from 'node:crypto'
import { messageOf } from '../../core/index.js'
import { type Running, describeEnding, start } from '../../sandbox/index.js'
import { Link } from './link.js'

/** A bot's program on its author's own machine, where nothing holds it: it has this process's folder and environment. */
export interface OwnProgram {
  readonly argv: readonly string[]
  /** Receives its standard error. */
  readonly stderr: (bytes: Buffer) => void
}

/** Its input ends if this process is killed. */
class BotProcess {
  /** Receive a line, as latin1, and in words how the program ended; what it prints while nobody listens is thrown away. */
  events: { line(text: string): void; ended(how: string): void } | undefined
  /** 'ended with exit code 1'; undefined: it runs. */
  ending: string | undefined
  private readonly running: Running
  private text = ''

  /** `most`: characters of a line that are passed on. */
  constructor(
    { argv, stderr }: OwnProgram,
    private readonly most: () => number,
  ) {
    const env = { AGON_SEED: String(randomInt(2 ** 31)), ...process.env } as Readonly<Record<string, string>>
    const launch = { argv, cwd: process.cwd(), env, stdin: 'pipe' } as const
    this.running = start(launch, { add: stderr }, (bytes) => this.read(bytes.toString('latin1')))
    void this.running.ended.then(describeEnding, messageOf).then((how) => {
      this.ending = how
      this.events?.ended(how)
    })
  }

  write(line: string): void {
    this.running.send(Buffer.from(`${line}\n`))
  }

  kill(): void {
    this.events = undefined
    this.running.kill()
  }

  private read(text: string): void {
    const lines = (this.text + text).split('\n')
    this.text = lines.pop() ?? ''
    const most = this.most()
    if (this.text.length > most) {
      lines.push(this.text)
      this.text = ''
    }
    // One more shows that it is too long.
    for (const line of lines) this.events?.line(line.slice(0, most + 1))
  }
}

interface Seat {
  readonly match: string
  readonly process: BotProcess
  result?: string
}

/** A process for each match at once; one whose match is over plays the next. */
export class RemoteTable {
  private link = new Link()
  private readonly seats = new Map<string, Seat>()
  private readonly idle: BotProcess[] = []
  private most = 0

  constructor(
    private readonly program: OwnProgram,
    private readonly report: (line: string) => void,
  ) {}

  /** Lets the bot load before it plays. Returns why it cannot. */
  async start(): Promise<string | undefined> {
    const first = new BotProcess(this.program, () => this.most)
    this.idle.push(first)
    // What cannot be started ends at once.
    await new Promise(setImmediate)
    return first.ending
  }

  get received(): number {
    return this.link.received
  }

  /**
   * `received`: the last number that came to the site; `isNew`: earlier play is given up; `most`: characters of an
   * answer.
   */
  attach(write: (text: string) => void, received: number, isNew: boolean, most: number): void {
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

  /** Throws a LinkError for what no site sends. */
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

  private begin(seat: string, match: string): void {
    let process = this.idle.pop()
    while (process?.ending !== undefined) process = this.idle.pop()
    process ??= new BotProcess(this.program, () => this.most)
    this.seats.set(seat, { match: shownKey(match), process })
    process.events = {
      line: (line) => this.link.send({ seat, line }),
      ended: (how) => this.link.send({ seat, end: how }),
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
}

/** A key with its names unescaped. */
const shownKey = (key: string): string =>
  key.replace(/%([0-9A-F]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))

function resultOf(line: string): string | undefined {
  try {
    const { seat, outcome } = JSON.parse(line) as { seat: number; outcome: { place: number[]; reason: string } }
    return `place ${outcome.place[seat]} of ${outcome.place.length} (${outcome.reason})`
  } catch {
    return undefined
  }
}
