import { type Answer, type BotOutput, type Question, type BotInput, type Trouble, flooded } from '../core/index.js'
import {
  HostError,
  PLACES,
  type Snapshot,
  type Turn,
  type TurnResult,
  WARM_TOOLS,
  sandboxWords,
  describeEnding,
  interpreterEnvironment,
  exhausted,
  tooBusy,
} from '../sandbox/index.js'
import {
  type SeatedBot,
  type BotLife,
  CLOSED,
  type Program,
  outlivesMatch,
  stateFilesOf,
  sandboxEnvironment,
} from './life.js'
import { HostedBot } from './hosted-bot.js'
import type { StateFiles } from './state-files.js'
import { SandboxHost, type SandboxSetting } from './process-host.js'

/** A process a question, in a sandbox: arguments in; standard output, the exit code, or an appended file out. */
export class SandboxTurnBot extends HostedBot<SandboxHost> implements SeatedBot {
  private readonly words: readonly string[]
  private readonly environment: Readonly<Record<string, string>>
  private readonly path: string | undefined
  private readonly files: StateFiles | undefined
  private match = ''
  private calls = 0
  /** Of the next calls, the last first. */
  private seeds: number[] = []
  private dismissed = false
  private closed = false
  private running = false
  /** A turn was played in its sandbox. */
  private used = false

  constructor(
    life: BotLife,
    program: Program,
    private readonly setting: SandboxSetting,
  ) {
    super(life, new SandboxHost(life, program, setting, false, WARM_TOOLS))
    this.words = sandboxWords(program.argv, program.source)
    this.environment = interpreterEnvironment(this.words)
    const { file } = life.wire
    this.path = file === undefined ? undefined : `${PLACES.game}/${file}`
    this.files = stateFilesOf(life)
  }

  async begin(key: string): Promise<void> {
    this.match = key
    this.calls = 0
    this.life.figures?.begin()
    this.seeds = []
    this.dismissed = false
    await this.host.ready(!outlivesMatch(this.life.memory))
  }

  ready(input: BotInput | undefined, limit: number): Promise<Answer> {
    return this.call(input ?? {}, limit)
  }

  async send(input: BotInput): Promise<void> {
    if (!this.closed && !this.dismissed) await this.call(input, this.life.updateLimit)
  }

  ask(question: Question): Promise<Answer> {
    if (this.closed) return Promise.resolve({ output: CLOSED, wallUs: 0 })
    if (this.dismissed)
      return Promise.resolve({ output: { trouble: 'killed', why: 'was ended earlier in the match' }, wallUs: 0 })
    this.life.figures?.asked(question.number)
    return this.call(question.input, question.limit)
  }

  dismiss(): void {
    this.dismissed = true
    if (this.running) this.host.inUse.sandbox.kill()
  }

  async end(): Promise<void> {
    if (this.running) this.host.inUse.sandbox.kill()
  }

  async close(): Promise<void> {
    this.closed = true
    await this.host.close()
  }

  snapshot(): Promise<Snapshot | undefined> | Snapshot | undefined {
    return this.host.snapshot()
  }

  private async call(input: BotInput, limit: number): Promise<Answer> {
    const { life } = this
    if (!this.host.there) await this.host.ready(false)
    else if (this.used && this.setting.strict && this.life.memory === 'turn') await this.host.renew()
    this.used = true
    const { sandbox } = this.host.inUse
    const seed = this.nextSeed()
    this.running = true
    let result: TurnResult
    try {
      result = await sandbox.turn(this.turnOf(input, limit, seed))
    } catch (error) {
      if (this.closed) return { output: CLOSED, wallUs: 0 }
      // The launcher itself is gone, by the bot's doing or from outside.
      const ending = error instanceof HostError ? this.host.lost() : undefined
      if (ending === undefined) throw error
      return { output: { trouble: 'crash', why: describeEnding(ending) }, wallUs: 0 }
    } finally {
      this.running = false
    }
    if (result.stop === 'busy') throw tooBusy(life.name, limit)
    if (result.stderr.length > 0) {
      life.stderr.add(result.stderr)
      life.figures?.flush()
    }
    if (result.rolledBack !== undefined)
      life.note(
        `${life.name}: ${life.wire.state?.folder}/ held ${result.rolledBack} bytes, more than the ${life.wire.state?.bytes} it may have: rolled back (match ${this.match}, call ${this.calls})`,
      )
    if (this.files !== undefined) await this.trim()
    return {
      output: this.outputOf(result, limit),
      wallUs: result.wallUs,
      cpuUs: result.cpuUs,
      chargedUs: result.chargedUs,
    }
  }

  /** Without spreads: what they need of Node is in no cache of the processor after a program has run. */
  private turnOf(input: BotInput, limit: number, seed: number): Turn {
    const { life, path, environment } = this
    const argv = [...this.words]
    if (path !== undefined) argv.push(path)
    if (input.argv !== undefined) argv.push(...input.argv)
    const env = sandboxEnvironment(seed)
    for (const name in environment) env[name] = environment[name] as string
    const turn: { -readonly [key in keyof Turn]: Turn[key] } = {
      argv,
      env,
      folder: PLACES.source,
      limit,
      output: life.outputBytes,
      errors: this.setting.limits.errors,
      wipe: life.memory === 'turn',
      warm: this.host.warmed,
    }
    if (input.lines !== undefined) turn.input = input.lines.map((line) => `${line}\n`).join('')
    if (path !== undefined) turn.file = input.file === undefined ? { path } : { path, content: input.file }
    return turn
  }

  /** Removes the files that are too many in the state folder. */
  private async trim(): Promise<void> {
    const { state } = this.life.wire
    if (this.files === undefined || state === undefined || this.life.memory === 'turn') return
    const folder = `${PLACES.source}/${state.folder}`
    const { sandbox } = this.host.inUse
    const { tree } = await sandbox.files(folder, state.bytes).catch(() => ({ tree: {} }))
    const gone = new Set(this.files.surplus(Object.keys(tree), state.folder))
    if (gone.size > 0) sandbox.put(folder, Object.fromEntries(Object.entries(tree).filter(([path]) => !gone.has(path))))
  }

  /** Hashes many at a time: one alone, between two programs that have the processor's caches, costs five times as much. */
  private nextSeed(): number {
    if (this.seeds.length === 0)
      this.seeds = Array.from({ length: SEEDS }, (_, i) => this.life.seed(this.match, this.calls + i)).reverse()
    this.calls++
    return this.seeds.pop() as number
  }

  private outputOf(result: TurnResult, limit: number): BotOutput {
    const { out, end, stop, file } = result
    const trouble = this.trouble(result, limit)
    if (trouble !== undefined) return out === '' || stop === 'stdout' ? trouble : { out, ...trouble }
    if (file === 'large') return flooded(`made the file larger than ${this.life.outputBytes} bytes`)
    const code = 'code' in end ? end.code : 0
    return { out, exit: code !== 0 ? code : undefined, file: file?.text }
  }

  private trouble({ end, stop, outside }: TurnResult, limit: number): { trouble: Trouble; why: string } | undefined {
    if (stop === 'time') return { trouble: 'timeout', why: `did not end within ${limit} ms` }
    if (stop === 'stdout') return flooded(`printed more than ${this.life.outputBytes} bytes`)
    if (stop === 'stderr') return flooded(`wrote more than ${this.setting.limits.errors} bytes to its standard error`)
    if (stop === 'asked') return { trouble: 'killed', why: 'it was ended' }
    if ('code' in end) return undefined
    const full = 'noStart' in end ? exhausted(end.noStart) : undefined
    if (full) throw full
    const ending = this.host.inUse.judge({ ...end, outside })
    this.host.disturbances.see(ending)
    return { trouble: 'crash', why: describeEnding(ending) }
  }
}

const SEEDS = 16
