import { type Answer, type BotInput, type BotOutput, type Trouble, flooded } from '../core/index.js'
import {
  HostError,
  PLACES,
  type Turn,
  type TurnResult,
  WARM_TOOLS,
  describeEnding,
  exhausted,
  tooBusy,
} from '../sandbox/index.js'
import { type BotLife, CLOSED, type Program } from './life.js'
import { PerTurnBot } from './per-turn.js'
import { SandboxHost, type SandboxSetting } from './process-host.js'

export class SandboxTurnBot extends PerTurnBot<SandboxHost> {
  private readonly path: string | undefined
  private running = false
  private used = false

  constructor(
    life: BotLife,
    program: Program,
    private readonly setting: SandboxSetting,
  ) {
    super(life, new SandboxHost(life, program, setting, false, WARM_TOOLS))
    const { file } = life.wire
    this.path = file === undefined ? undefined : `${PLACES.game}/${file}`
  }

  protected stop(): void {
    if (this.running) this.host.inUse.kill()
  }

  protected async call(input: BotInput, limit: number): Promise<Answer> {
    const { life } = this
    if (!this.host.there) await this.host.ready(false)
    else if (this.used && this.setting.strict && life.memory === 'turn') await this.host.renew()
    this.used = true
    const sandbox = this.host.inUse
    const seed = life.seed(this.match, this.calls++)
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
    const { state } = life.wire
    if (result.rolledBack !== undefined)
      this.noteRollback(`${state?.folder}/ held ${result.rolledBack} bytes, more than the ${state?.bytes} it may have`)
    if (this.files !== undefined) await this.trim()
    const { wallUs, cpuUs, chargedUs } = result
    return { output: this.outputOf(result, limit), wallUs, cpuUs, chargedUs }
  }

  private turnOf(input: BotInput, limit: number, seed: number): Turn {
    const { life, path, host } = this
    return {
      argv: [...host.words, ...(path === undefined ? [] : [path]), ...(input.argv ?? [])],
      env: host.environment(seed),
      folder: PLACES.source,
      limit,
      output: life.outputBytes,
      errors: this.setting.limits.errors,
      wipe: life.memory === 'turn',
      warm: host.inUse.warmed,
      input: input.lines?.map((line) => `${line}\n`).join(''),
      file: path === undefined ? undefined : { path, content: input.file },
    }
  }

  private async trim(): Promise<void> {
    const { state } = this.life.wire
    if (this.files === undefined || state === undefined || this.life.memory === 'turn') return
    const folder = `${PLACES.source}/${state.folder}`
    const sandbox = this.host.inUse
    const [files] = await Promise.resolve(sandbox.files([folder], state.bytes)).catch(() => [])
    const tree = files?.tree ?? {}
    const gone = new Set(this.files.surplus(Object.keys(tree), state.folder))
    if (gone.size > 0) sandbox.put(folder, Object.fromEntries(Object.entries(tree).filter(([path]) => !gone.has(path))))
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
