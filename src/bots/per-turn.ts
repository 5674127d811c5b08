import type { Answer, BotInput, Question } from '../core/index.js'
import { type BotLife, CLOSED, type SeatedBot, outlivesMatch } from './life.js'
import { HostedBot, type ProcessHost } from './process-host.js'

/** A process a question, in a sandbox or in a folder of the host: arguments in; standard output, the exit code, or an appended file out. */
export abstract class PerTurnBot<Host extends ProcessHost> extends HostedBot<Host> implements SeatedBot {
  protected match = ''
  protected calls = 0
  protected closed = false
  private dismissed = false
  /** The few files that its wire lets it keep; undefined: any number. */
  protected readonly files: StateFiles | undefined

  constructor(life: BotLife, host: Host) {
    super(life, host)
    const most = life.wire.state?.files
    this.files = most === undefined ? undefined : new StateFiles(life.name, most, (text) => life.note(text))
  }

  async begin(key: string): Promise<void> {
    this.match = key
    this.calls = 0
    this.dismissed = false
    this.life.figures?.begin()
    await this.host.ready(!outlivesMatch(this.life.memory))
  }

  ready(input: BotInput | undefined, limit: number): Promise<Answer> {
    return this.call(input ?? {}, limit)
  }

  async send(input: BotInput): Promise<void> {
    if (!this.closed && !this.dismissed) await this.call(input, this.life.updateLimit)
  }

  ask(question: Question): Promise<Answer> | Answer {
    if (this.closed) return { output: CLOSED, wallUs: 0 }
    if (this.dismissed) return { output: { trouble: 'killed', why: 'was ended earlier in the match' }, wallUs: 0 }
    this.life.figures?.asked(question.number)
    return this.call(question.input, question.limit)
  }

  dismiss(): void {
    this.dismissed = true
    void this.stop()
  }

  async end(): Promise<void> {
    await this.stop()
  }

  async close(): Promise<void> {
    this.closed = true
    await this.stop()
    await this.host.close()
  }

  protected abstract call(input: BotInput, limit: number): Promise<Answer>
  protected abstract stop(): Promise<void> | void

  /** Its state folder was put back, because of what `why` says. */
  protected noteRollback(why: string): void {
    this.life.note(`${this.life.name}: ${why}: rolled back (match ${this.match}, call ${this.calls})`)
  }
}

/** The few files that a bot may keep in its state folder. */
export class StateFiles {
  private kept: readonly string[] = []
  private noted = false

  constructor(
    /** The entrant's, after which its file should be named. */
    private readonly name: string,
    private readonly most: number,
    private readonly note: (text: string) => void,
  ) {}

  /**
   * Surplus files (paths in the state folder), noted once. A file named after the bot, in any capitals, with any
   * ending, stays first; then what stayed before, then by name.
   */
  surplus(files: readonly string[], folder: string): readonly string[] {
    const rank = (file: string): number => (this.isNamed(file) ? 0 : this.kept.includes(file) ? 1 : 2)
    const order = [...files].sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1))
    this.kept = order.slice(0, this.most)
    const gone = order.slice(this.most)
    if (gone.length > 0 && !this.noted) {
      this.noted = true
      this.note(
        `${this.name}: it may keep ${this.most === 1 ? 'one file' : `${this.most} files`} in ${folder}/: ${this.kept.join(', ')} stays, ${gone.join(', ')} is removed, and so is any other from now on`,
      )
    }
    return gone
  }

  private isNamed(file: string): boolean {
    const [stem = ''] = file.split('.')
    return stem.toLowerCase() === this.name.toLowerCase()
  }
}
