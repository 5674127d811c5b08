import { type ChildProcess, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { Link } from './link.js'

const living = new Set<ChildProcess>()
process.on('exit', () => {
  for (const child of living) killGroup(child)
})

function killGroup(child: ChildProcess): void {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
  } catch {
    child.kill('SIGKILL')
  }
}

/**
 * A bot's program on its author's own machine, where nothing holds it: it has this process's folder and environment, and its standard error
 * is shown as it comes. It reads its input's end if this process is killed.
 */
class BotProcess {
  /** Receive a line, as latin1, and in words how the program ended; what it prints while nobody listens is thrown away. */
  events: { line(text: string): void; ended(how: string): void } | undefined
  /** How it has ended: 'ended with exit code 1'; undefined: it runs. */
  ending: string | undefined
  private readonly child: ChildProcess
  private text = ''

  /** `most`: characters of a line that are passed on. */
  constructor(
    argv: readonly string[],
    private readonly most: () => number,
  ) {
    const [file = '', ...args] = argv
    const env = { AGON_SEED: String(randomInt(2 ** 31)), ...process.env }
    this.child = spawn(file, args, { env, detached: true, stdio: ['pipe', 'pipe', 'inherit'] })
    const { child } = this
    living.add(child)
    child.stdin?.on('error', () => undefined)
    child.stdout?.setEncoding('latin1').on('data', (text: string) => this.read(text))
    child.once('error', (error: NodeJS.ErrnoException) =>
      this.end(`could not be started: ${error.code ?? error.message}`),
    )
    child.once('close', (code, signal) =>
      this.end(signal === null ? `ended with exit code ${code}` : `ended by signal ${signal}`),
    )
  }

  /** Resolves once it runs, or with why it does not. */
  started(): Promise<string | undefined> {
    return new Promise((done) => {
      this.child.once('spawn', () => done(undefined))
      this.child.once('error', () => done(this.ending))
    })
  }

  write(line: string): void {
    this.child.stdin?.write(`${line}\n`)
  }

  kill(): void {
    this.events = undefined
    killGroup(this.child)
  }

  private end(how: string): void {
    if (this.ending !== undefined) return
    this.ending = how
    // What it started goes with it.
    killGroup(this.child)
    living.delete(this.child)
    this.events?.ended(how)
  }

  private read(text: string): void {
    const lines = (this.text + text).split('\n')
    this.text = lines.pop() ?? ''
    for (const line of lines) this.events?.line(line.slice(0, this.most() + 1))
    if (this.text.length <= this.most()) return
    // One more than it may have shows that it is too long.
    this.events?.line(this.text.slice(0, this.most() + 1))
    this.text = ''
  }
}

interface Seat {
  readonly match: string
  readonly process: BotProcess
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

  /**
   * A connection is there. `received`: the number of what came last to the site; `isNew`: what was played over the connections before is given up;
   * `most`: characters that an answer may have.
   */
  attach(
    write: (text: string) => void,
    { received, isNew, most }: { readonly received: number; readonly isNew: boolean; readonly most: number },
  ): void {
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
