import type { Answer, Heard, Question, Say, Trouble } from '../core/index.js'
import {
  HostError,
  PLACES,
  type Snapshot,
  type TurnResult,
  WARM_TOOLS,
  cellWords,
  describeEnding,
  interpreterEnvironment,
  noRoom,
  tooBusy,
} from '../sandbox/index.js'
import { type Bot, type BotLife, CLOSED, type Disturbance, type Program, livesOn, stateFilesOf } from './life.js'
import type { StateFiles } from './state-files.js'
import { CellQuarters, type CellSetting, cellEnvironment } from './quarters.js'

/** A process a question, in a cell: arguments in; standard output, the exit code, or an appended file out. */
export class CellTurnBot implements Bot {
  private readonly quarters: CellQuarters
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
  /** A turn was played in its cell. */
  private used = false

  constructor(
    private readonly life: BotLife,
    program: Program,
    private readonly setting: CellSetting,
  ) {
    this.words = cellWords(program.argv, program.source)
    this.environment = interpreterEnvironment(this.words)
    const { file } = life.wire
    this.path = file === undefined ? undefined : `${PLACES.game}/${file}`
    this.files = stateFilesOf(life)
    this.quarters = new CellQuarters(life, program, setting, false, WARM_TOOLS)
  }

  async begin(key: string): Promise<void> {
    this.match = key
    this.calls = 0
    this.seeds = []
    this.dismissed = false
    await this.quarters.ready(!livesOn(this.life.memory))
  }

  ready(say: Say | undefined, limit: number): Promise<Answer> {
    return this.call(say ?? {}, limit)
  }

  async tell(say: Say): Promise<void> {
    if (!this.closed && !this.dismissed) await this.call(say, this.life.told)
  }

  ask(question: Question): Promise<Answer> {
    if (this.closed) return Promise.resolve({ heard: CLOSED, wallUs: 0 })
    if (!this.dismissed) return this.call(question.say, question.limit)
    return Promise.resolve({ heard: { trouble: 'killed', why: 'was ended earlier in the match' }, wallUs: 0 })
  }

  dismiss(): void {
    this.dismissed = true
    if (this.running) this.quarters.lodged.cell.kill()
  }

  async end(): Promise<void> {
    if (this.running) this.quarters.lodged.cell.kill()
  }

  async close(): Promise<void> {
    this.closed = true
    await this.quarters.close()
  }

  disturbed(): Disturbance | undefined {
    return this.quarters.disturbances.take()
  }

  snapshot(): Promise<Snapshot | undefined> {
    return this.quarters.snapshot()
  }

  restore(snapshot: Snapshot): Promise<void> {
    return this.quarters.ready(true, snapshot)
  }

  amend(snapshot: Snapshot): Promise<void> {
    return this.quarters.amend(snapshot)
  }

  private async call(say: Say, limit: number): Promise<Answer> {
    const { life, words, path } = this
    if (!this.quarters.there) await this.quarters.ready(false)
    else if (this.used && this.setting.strict) await this.quarters.renew()
    this.used = true
    const { cell } = this.quarters.lodged
    const seed = this.nextSeed()
    this.running = true
    let result: TurnResult
    try {
      result = await cell.turn({
        argv: [...words, ...(path === undefined ? [] : [path]), ...(say.argv ?? [])],
        env: { ...cellEnvironment(seed), ...this.environment },
        folder: PLACES.source,
        limit,
        output: life.output,
        errors: this.setting.limits.errors,
        wipe: life.memory === 'turn',
        warm: this.quarters.warmed,
        ...(say.lines && { input: say.lines.map((line) => `${line}\n`).join('') }),
        ...(path !== undefined && { file: { path, ...(say.file !== undefined && { content: say.file }) } }),
      })
    } catch (error) {
      if (this.closed) return { heard: CLOSED, wallUs: 0 }
      // The launcher itself is gone, by the bot's doing or from outside.
      const ending = error instanceof HostError ? this.quarters.lost() : undefined
      if (ending === undefined) throw error
      return { heard: { trouble: 'crash', why: describeEnding(ending) }, wallUs: 0 }
    } finally {
      this.running = false
    }
    if (result.stop === 'busy') throw tooBusy(life.name, limit)
    if (result.stderr.length > 0) life.stderr.add(result.stderr)
    if (result.rolledBack !== undefined)
      life.note(
        `${life.name}: ${life.wire.state?.folder}/ held ${result.rolledBack} bytes, more than the ${life.wire.state?.bytes} it may have: rolled back (match ${this.match}, call ${this.calls})`,
      )
    await this.trim()
    return { heard: this.heard(result, limit), wallUs: result.wallUs, cpuUs: result.cpuUs, chargedUs: result.chargedUs }
  }

  /** Removes the files that are too many in the state folder. */
  private async trim(): Promise<void> {
    const { state } = this.life.wire
    if (this.files === undefined || state === undefined || this.life.memory === 'turn') return
    const folder = `${PLACES.source}/${state.folder}`
    const { cell } = this.quarters.lodged
    const { tree } = await cell.files(folder, state.bytes).catch(() => ({ tree: {} }))
    const gone = new Set(this.files.surplus(Object.keys(tree), state.folder))
    if (gone.size > 0) cell.put(folder, Object.fromEntries(Object.entries(tree).filter(([path]) => !gone.has(path))))
  }

  /** Hashes many at a time: one alone, between two programs that have the processor's caches, costs five times as much. */
  private nextSeed(): number {
    if (this.seeds.length === 0)
      this.seeds = Array.from({ length: SEEDS }, (_, i) => this.life.seed(this.match, this.calls + i)).reverse()
    this.calls++
    return this.seeds.pop() as number
  }

  private heard(result: TurnResult, limit: number): Heard {
    const { out, end, stop, file } = result
    const trouble = this.trouble(result, limit)
    if (trouble !== undefined) return out === '' || stop === 'stdout' ? trouble : { out, ...trouble }
    if (file === 'large') return { trouble: 'flood', why: `made the file larger than ${this.life.output} bytes` }
    const code = 'code' in end ? end.code : 0
    return { out, ...(code !== 0 && { exit: code }), ...(file !== undefined && { file: file.text }) }
  }

  private trouble({ end, stop, outside }: TurnResult, limit: number): { trouble: Trouble; why: string } | undefined {
    if (stop === 'time') return { trouble: 'timeout', why: `did not end within ${limit} ms` }
    if (stop === 'stdout') return { trouble: 'flood', why: `printed more than ${this.life.output} bytes` }
    if (stop === 'stderr')
      return { trouble: 'flood', why: `wrote more than ${this.setting.limits.errors} bytes to its standard error` }
    if (stop === 'asked') return { trouble: 'killed', why: 'it was ended' }
    if ('code' in end) return undefined
    const full = 'noStart' in end ? noRoom(end.noStart) : undefined
    if (full) throw full
    const ending = this.quarters.lodged.judge({ ...end, ...(outside !== undefined && { outside }) })
    this.quarters.disturbances.see(ending)
    return { trouble: 'crash', why: describeEnding(ending) }
  }
}

const SEEDS = 16
