import type { Answer, BotOutput, Question } from '../core/index.js'
import { NO_START } from '../sandbox/index.js'
import type { BotLife, Program } from './life.js'
import { LinesBot } from './lines.js'
import { loaded, loadingOf, outputOf } from './module-answers.js'
import { SandboxHost, type SandboxSetting } from './process-host.js'

/** A stranger's module: a function in a process of its own, in a sandbox. The process is the runner's, which speaks lines of JSON. */
export class SandboxModuleBot extends LinesBot {
  private unloadable: BotOutput | undefined
  private legal = false

  constructor(life: BotLife, program: Program, setting: SandboxSetting, reads: readonly string[]) {
    super(life, new SandboxHost(life, program, setting, true, {}, reads))
  }

  override async begin(key: string): Promise<void> {
    await super.begin(key)
    const { output } = await loaded({ ready: (input, limit) => super.ready(input, limit) }, { lines: ['{}'] })
    const loading = output.trouble === undefined ? loadingOf(output.out) : { unloadable: output.why ?? output.trouble }
    this.legal = 'legal' in loading && loading.legal
    this.unloadable =
      'unloadable' in loading ? { trouble: 'crash', why: `${NO_START}: ${loading.unloadable}` } : undefined
  }

  override async ready(): Promise<Answer> {
    return { output: {}, wallUs: 0 }
  }
  override send(): void {
    // It sees all it needs in the next view.
  }

  override async ask(question: Question): Promise<Answer> {
    if (this.unloadable !== undefined) return { output: this.unloadable, wallUs: 0 }
    const { view } = question
    const legal = this.legal ? question.legal?.(view) : undefined
    const input = { lines: [JSON.stringify({ view, legal })] }
    const answer = await super.ask({ ...question, input })
    return answer.output.trouble === undefined ? { ...answer, output: outputOf(answer.output.out) } : answer
  }
}
