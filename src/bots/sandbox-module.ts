import type { Answer, BotOutput, PrintedFigure, Question } from '../core/index.js'
import { NO_START, type Snapshot } from '../sandbox/index.js'
import { type SeatedBot, type BotLife, type Disturbance, type Program } from './life.js'
import { LinesBot } from './lines.js'
import { loaded } from './loading.js'
import { loadingOf, outputOf } from './module-answers.js'
import { SandboxHost, type SandboxSetting } from './process-host.js'

/** A stranger's module: a function in a process of its own, in a sandbox. The process is the runner's, which speaks lines of JSON. */
export class SandboxModuleBot implements SeatedBot {
  private readonly lines: LinesBot
  /** Why its module could not be loaded. */
  private unloadable: BotOutput | undefined
  /** It wants to be sent the legal actions. */
  private legal = false

  constructor(life: BotLife, program: Program, setting: SandboxSetting, reads: readonly string[]) {
    this.lines = new LinesBot(life, new SandboxHost(life, program, setting, true, {}, reads))
  }

  async begin(key: string): Promise<void> {
    await this.lines.begin(key)
    const { output } = await loaded(this.lines, { lines: ['{}'] })
    const loading = output.trouble === undefined ? loadingOf(output.out) : { unloadable: output.why ?? output.trouble }
    this.legal = 'legal' in loading && loading.legal
    this.unloadable =
      'unloadable' in loading ? { trouble: 'crash', why: `${NO_START}: ${loading.unloadable}` } : undefined
  }

  async ready(): Promise<Answer> {
    return { output: {}, wallUs: 0 }
  }
  send(): void {
    // It sees all it needs in the next view.
  }

  async ask(question: Question): Promise<Answer> {
    if (this.unloadable !== undefined) return { output: this.unloadable, wallUs: 0 }
    const { view } = question
    const legal = this.legal ? question.legal?.(view) : undefined
    const input = { lines: [JSON.stringify({ view, legal })] }
    const answer = await this.lines.ask({ ...question, input })
    return answer.output.trouble === undefined ? { ...answer, output: outputOf(answer.output.out) } : answer
  }

  figures(): readonly PrintedFigure[] {
    return this.lines.figures()
  }
  dismiss(): void {
    this.lines.dismiss()
  }
  end(): Promise<void> | void {
    return this.lines.end()
  }
  close(): Promise<void> {
    return this.lines.close()
  }
  disturbed(): Disturbance | undefined {
    return this.lines.disturbed()
  }
  snapshot(): Promise<Snapshot | undefined> | Snapshot | undefined {
    return this.lines.snapshot()
  }
  restore(snapshot: Snapshot): Promise<void> | void {
    return this.lines.restore(snapshot)
  }
  amend(snapshot: Snapshot): Promise<void> {
    return this.lines.amend(snapshot)
  }
}
