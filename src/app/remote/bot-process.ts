import { type ChildProcess, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'

/** What a bot's program does. */
interface ProcessEvents {
  /** A line, as latin1. */
  line(text: string): void
  /** In words: 'ended with exit code 1'. */
  ended(how: string): void
}

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
export class BotProcess {
  /** What it prints while nobody listens is thrown away. */
  events: ProcessEvents | undefined
  private readonly child: ChildProcess
  private over: string | undefined
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

  /** How it has ended; undefined: it runs. */
  get ending(): string | undefined {
    return this.over
  }

  /** Resolves once it runs, or with why it does not. */
  started(): Promise<string | undefined> {
    return new Promise((done) => {
      this.child.once('spawn', () => done(undefined))
      this.child.once('error', () => done(this.over))
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
    if (this.over !== undefined) return
    this.over = how
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
