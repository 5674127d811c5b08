import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type * as Core from '../src/core/index.js'
import type * as Sandboxes from '../src/sandbox/index.js'
import type * as Wires from '../src/bots/index.js'
import { type Row, median } from './kit.js'

export const measures =
  'what a turn in a sandbox costs, against a bare C loop and against child_process.spawn, in turns or round trips a second'

/** Rounds of the contenders, taken in turn. */
const ROUNDS = 15

/*
 * Each contender is a process of its own that answers "how long do n turns take?" again and again, so that they can be asked
 * in turn and meet the same moods of the machine. A turn of ours goes through the whole stack: the bot that a referee asks,
 * its seed, the frames, the launcher in its sandbox, the program.
 */
export default async function bench(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'agon-bench-cells-'))
  chmodSync(folder, 0o755)
  const source = join(folder, 'source')
  mkdirSync(source)
  const contenders: Contender[] = []
  const contender = (...words: string[]): Contender => {
    const made = new Contender(words)
    contenders.push(made)
    return made
  }
  try {
    const built = (name: string) => join(source, name)
    const compile = (name: string, ...options: string[]) =>
      execFileSync('cc', ['-O2', ...options, '-o', built(name), join(import.meta.dirname, 'cells', `${name}.c`)])
    compile('noop', '-static')
    compile('nolibc', '-static', '-nostdlib', '-fno-stack-protector')
    compile('answerer', '-static')
    compile('loop', '-static')
    writeFileSync(built('hello.py'), 'print("A")\n')

    const turn = (program: string, core: string) => contender('turn', core, source, program)
    const rows: Row[] = []
    const add = (name: string, goal: number, ours: Median, limit: Median): void => {
      const [value, most] = [1e6 / ours.us, 1e6 / limit.us]
      rows.push({ name, value, limit: most, ratio: round(median(ratios(ours, limit))), goal })
    }
    const bare =
      (program: string, turns: number, core = '0') =>
      async (): Promise<number> =>
        Number(await output(built('loop'), [core, String(turns), built(program)]))

    const [glibc, nolibc] = [turn('noop', '0'), turn('nolibc', '0')]
    await Promise.all(contenders.map(({ ready }) => ready))
    const glibcTurns = await rounds(() => glibc.time(300), bare('noop', 300))
    add('turn-glibc', 0.77, ...glibcTurns)
    const nolibcTurns = await rounds(() => nolibc.time(1000), bare('nolibc', 1000))
    add('turn-nolibc', 0.45, ...nolibcTurns)
    // How much of its time the thread that asks is busy: at most 60 %, so that it is not what limits the launches.
    rows.push({ name: 'event-loop', value: nolibc.busy, limit: 0.6, ratio: round(0.6 / nolibc.busy), goal: 1 })

    const both = (one: () => Promise<number>, other: () => Promise<number>) => async () => {
      const [a, b] = await Promise.all([one(), other()])
      return 1 / (1 / a + 1 / b)
    }
    const second = turn('noop', '1')
    const twice = both(
      () => glibc.time(300),
      () => second.time(300),
    )
    add('two-cores', 0.7, ...(await rounds(twice, both(bare('noop', 300), bare('noop', 300, '1')))))

    // As a run plays, which binds each of its threads to a core; Node's own call likewise.
    const [ours, oursToo, spawning] = [turn('noop', '0'), turn('nolibc', '0'), contender('spawn', '0', source, '')]
    const spawned =
      (...argv: string[]) =>
      () =>
        spawning.time(20, argv)
    add('spawn-glibc', 2.5, ...(await rounds(() => ours.time(200), spawned(built('noop')))))
    add('spawn-nolibc', 7, ...(await rounds(() => oursToo.time(500), spawned(built('nolibc')))))
    const python = execFileSync('python3', ['-c', 'import sys; print(sys.executable)'], { encoding: 'utf8' }).trim()
    const warm = contender('turn', '0', source, 'hello.py', python)
    add('python', 8, ...(await rounds(() => warm.time(100), spawned(python, built('hello.py')))))

    const lines = contender('lines', '0', source, 'answerer')
    const pingPong = async (): Promise<number> => Number(await output(built('answerer'), ['0', '20000']))
    add('lines', 0.6, ...(await rounds(() => lines.time(10_000), pingPong)))
    return rows
  } finally {
    for (const each of contenders) each.end()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Times in microseconds, one a round, and their median. */
interface Median {
  readonly all: readonly number[]
  readonly us: number
}

async function rounds(...timers: (() => Promise<number>)[]): Promise<[Median, Median]> {
  const all = timers.map((): number[] => [])
  for (let i = -1; i < ROUNDS; i++) {
    for (const [n, timer] of timers.entries()) {
      const us = await timer()
      if (i >= 0) all[n]?.push(us)
    }
  }
  const [ours = [], limit = []] = all
  return [
    { all: ours, us: median(ours) },
    { all: limit, us: median(limit) },
  ]
}

/** Speed over speed, round by round. */
const ratios = (ours: Median, limit: Median): number[] => limit.all.map((us, i) => us / (ours.all[i] as number))
const round = (value: number): number => Math.round(value * 1000) / 1000

const output = (program: string, args: readonly string[]): Promise<string> =>
  new Promise((done, failed) => {
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] })
    let text = ''
    child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()))
    child.once('close', (code) => (code === 0 ? done(text) : failed(new Error(`${program} ended with ${code}`))))
  })

/** A process that is asked how long n turns take. */
class Contender {
  readonly ready: Promise<void>
  /** The share of its last turns' time in which its event loop ran. */
  busy = NaN
  private readonly child: ChildProcess
  private readonly waiting: ((line: string) => void)[] = []

  constructor(words: readonly string[]) {
    const self = fileURLToPath(import.meta.url)
    this.child = spawn(process.execPath, ['--import', 'tsx', self, ...words], { stdio: ['pipe', 'pipe', 'inherit'] })
    if (this.child.stdout)
      createInterface({ input: this.child.stdout }).on('line', (line) => this.waiting.shift()?.(line))
    this.ready = this.time(20, []).then(() => undefined)
  }

  async time(turns: number, argv: readonly string[] = []): Promise<number> {
    const line = await new Promise<string>((done) => {
      this.waiting.push(done)
      this.child.stdin?.write(`${JSON.stringify({ turns, argv })}\n`)
    })
    const [us = NaN, busy = NaN] = line.split(' ').map(Number)
    this.busy = busy
    return us
  }

  end(): void {
    this.child.stdin?.end()
  }
}

/** The process of a contender. */
async function contend([kind, core = '', source = '', program = '', interpreter]: string[]): Promise<void> {
  execFileSync('taskset', ['-cp', core, String(process.pid)], { stdio: 'ignore' })
  const once =
    kind === 'spawn' ? spawnOnce : await askOnce(kind === 'lines', Number(core), source, program, interpreter)
  for await (const line of createInterface({ input: process.stdin })) {
    const { turns, argv } = JSON.parse(line) as { turns: number; argv: string[] }
    const began = performance.now()
    const loop = performance.eventLoopUtilization()
    if (kind !== 'spawn' || argv.length > 0) for (let i = 0; i < turns; i++) await once(argv)
    const { utilization } = performance.eventLoopUtilization(loop)
    console.log(((performance.now() - began) * 1000) / turns, utilization)
  }
  process.exit()
}

function spawnOnce([program = '', ...args]: readonly string[]): Promise<void> {
  return new Promise((done, failed) => {
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] })
    let text = ''
    child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()))
    child.once('close', () => (text === 'A\n' ? done() : failed(new Error(`${program} said ${text}`))))
  })
}

async function askOnce(
  stays: boolean,
  core: number,
  source: string,
  program: string,
  interpreter: string | undefined,
): Promise<() => Promise<void>> {
  // As it is installed: what runs sources beside it adds calls to every function.
  const built = new URL('../dist/', import.meta.url).href
  const { botSeed } = (await import(`${built}core/index.js`)) as typeof Core
  const { StderrTail, sandboxLimits, findIsolation } = (await import(`${built}sandbox/index.js`)) as typeof Sandboxes
  const { SandboxHost, SandboxTurnBot, LinesBot } = (await import(`${built}bots/index.js`)) as typeof Wires
  const { launcher = '', program: bubblewrap = '' } = await findIsolation()
  const life = {
    name: 'bot',
    wire,
    memory: stays ? ('tournament' as const) : ('turn' as const),
    key: 'bench',
    seed: (lived: string, question?: number) => botSeed('bench', 'bot', lived, question),
    outputBytes: 65_536,
    updateLimit: 1000,
    stderr: new StderrTail(),
    note: () => undefined,
  }
  const setting = {
    maker: { launcher, bubblewrap },
    limits: sandboxLimits({}),
    warm: true,
    core,
  }
  const words = interpreter === undefined ? [join(source, program)] : [interpreter, join(source, program)]
  const request = { argv: words, source, room: mkdtempSync(join(tmpdir(), 'agon-bench-pipes-')) }
  const bot = stays
    ? new LinesBot(life, new SandboxHost(life, request, setting, true))
    : new SandboxTurnBot(life, request, setting)
  await bot.begin('bench')
  const question = { input: stays ? { lines: ['q 12345'] } : { argv: ['x'] }, view: undefined, number: 0, limit: 1000 }
  return async () => {
    const answer = await bot.ask(question)
    if (answer.output.out !== (stays ? 'A' : 'A\n')) throw new Error(`the bot said ${JSON.stringify(answer.output)}`)
  }
}
const wire: Core.AnyWire = { transport: 'turn', summary: '', ask: () => ({}), read: () => '' }

if (process.argv[1] === fileURLToPath(import.meta.url)) await contend(process.argv.slice(2))
