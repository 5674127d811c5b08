import type { Answer, PrintedFigure, Question } from '../core/index.js'
import { type BotLife, CLOSED, type Program, type SeatedBot, outlivesMatch } from './life.js'
import { LinesBot } from './lines.js'
import { SandboxHost, type SandboxSetting } from './process-host.js'
import { FrameSizer } from './frame-sizer.js'
import { FOREIGN, type FrameEntry, entriesOf, loaded, loadingOf } from './module-answers.js'

/*
 * A stranger's module can play many matches side by side: one process, a realm for each life, and all its open
 * questions in one frame (build/frames.ts), so that two switches of process carry many answers. Later ones go with the
 * next frame.
 *
 * A question's time cannot be measured exactly within a frame, and what a bot breaks is broken for all lives of its
 * process. So nothing that goes wrong here counts. A frame has the time of *one* question: if it is answered by then,
 * every question was. If not, or if the process has ended, all its matches are void and are played again with a process
 * for each life, as is a match whose bot throws, and all later ones of this entrant here.
 */

/** A shared process failed: its match is void, and is played again alone. */
export class SharedTrouble extends Error {
  override readonly name = 'SharedTrouble'
}

/** Slots for timed bots: no more than there are cores. */
export interface TimedSlots {
  /** Undefined: it is taken; else it is when that resolves. */
  acquire(): Promise<void> | undefined
  release(): void
}

/** The argument that makes a runner read its questions in frames. */
export const SIDE_BY_SIDE = 'side by side'

/** Bytes of the answers of a frame: honest ones are words. */
const FRAME_BYTES = 1024 ** 2

/** Part of a frame. What needs no answer has no `done`. */
interface Item {
  readonly line: string
  readonly kind: 'open' | 'ask' | 'close'
  readonly limit?: number
  readonly done?: (answer: Answer, printed?: readonly string[]) => void
  readonly failed?: (error: unknown) => void
}

export class SharedModule {
  lost: Error | undefined
  /** Why new lives are led elsewhere; open ones may go on. */
  retired: SharedTrouble | undefined
  users = 0
  made = 0
  private readonly lines: LinesBot
  private readonly pace = new FrameSizer()
  private queue: Item[] = []
  private asking = false
  private starting: Promise<void> | undefined
  private started = false
  private legal = false
  private closed = false
  private closing: Promise<void> | undefined

  constructor(
    private readonly life: BotLife,
    program: Program,
    setting: SandboxSetting,
    reads: readonly string[],
    private readonly slots?: TimedSlots,
  ) {
    const process = { ...life, memory: 'tournament', outputBytes: FRAME_BYTES, seed: () => 0 } as const
    // Nothing that lasts is written: lives that keep files each have a process.
    const host = new SandboxHost({ ...process, memory: 'turn' }, program, setting, true, {}, reads)
    this.lines = new LinesBot(process, host)
  }

  /** A bot that is seated in matches, or in a series, of its own. */
  bot(life: BotLife): SeatedBot {
    this.users++
    return new SharedModuleBot(this, life)
  }

  /** Starts it. Undefined: it has started. Rejects with a SharedTrouble where its module cannot share a process. */
  start(): Promise<void> | undefined {
    if (this.lost !== undefined) return Promise.reject(this.lost)
    if (this.started) return undefined
    return (this.starting ??= this.begin().catch((error: unknown) => {
      throw this.lose(error)
    }))
  }

  open(seed: number, failed: (error: unknown) => void): string {
    const id = String(this.made++)
    this.put({ line: `+${id} ${seed}`, kind: 'open', failed })
    return id
  }

  /** `tell` is given what the life printed meanwhile, line by line. */
  ask(id: string, { view, legal, limit }: Question, tell: (line: string) => void): Promise<Answer> {
    const actions = this.legal ? legal?.(view) : undefined
    if (this.lost !== undefined) return Promise.reject(this.lost)
    if (this.closed) return Promise.resolve({ output: CLOSED, wallUs: 0 })
    return new Promise((answered, failed) => {
      const done = (answer: Answer, printed: readonly string[] = []): void => {
        for (const line of printed) tell(line)
        answered(answer)
      }
      this.put({ line: `?${id} ${JSON.stringify({ view, legal: actions })}`, kind: 'ask', limit, done, failed })
    })
  }

  end(id: string): void {
    this.put({ line: `-${id}`, kind: 'close' })
  }

  close(): Promise<void> {
    this.closed = true
    return (this.closing ??= this.lines.close())
  }

  private async begin(): Promise<void> {
    await this.lines.begin(SIDE_BY_SIDE)
    const { output } = await loaded(this.lines, { lines: ['0'] })
    if (output === CLOSED) return
    if (output.trouble !== undefined) throw new SharedTrouble(output.why ?? 'was not ready')
    const first = loadingOf(output.out)
    if ('unloadable' in first) throw new SharedTrouble(first.unloadable)
    this.legal = first.legal
    this.started = true
  }

  private put(item: Item): void {
    if (this.lost !== undefined) return item.failed?.(this.lost)
    this.queue.push(item)
    if (!this.asking && item.kind !== 'close') void this.askAll()
  }

  private async askAll(): Promise<void> {
    this.asking = true
    try {
      while (this.queue.some(({ kind }) => kind !== 'close') && this.lost === undefined) {
        const waiting = this.slots?.acquire()
        if (waiting !== undefined) await waiting
        try {
          // First a match that just got an answer asks again, so that its question goes along.
          await new Promise((done) => setImmediate(done))
          await this.askFrame()
        } finally {
          this.slots?.release()
        }
      }
    } finally {
      this.asking = false
    }
  }

  private async askFrame(): Promise<void> {
    const limit = this.queue.find((item) => item.limit !== undefined)?.limit ?? this.life.updateLimit
    const items = this.queue.splice(0, this.pace.size(this.queue, limit))
    if (items.length === 0) return
    try {
      const input = { lines: [String(items.length), ...items.map(({ line }) => line)] }
      const { output, wallUs } = await this.lines.ask({ input, view: undefined, number: 0, limit })
      if (output === CLOSED) for (const { done } of items) done?.({ output, wallUs: 0 })
      else if (output.trouble !== undefined) throw new SharedTrouble(output.why ?? output.trouble)
      else this.hand(items, output.out, wallUs)
    } catch (error) {
      const lost = this.lose(error)
      for (const { failed } of items) failed?.(lost)
    }
  }

  private hand(items: readonly Item[], line: string | undefined, wallUs: number): void {
    const asked = items.filter(({ kind }) => kind !== 'close')
    const entries = entriesOf(line, asked.length)
    if (entries === undefined) throw new SharedTrouble(FOREIGN)
    const own = this.pace.see(asked, entries, wallUs)
    for (const [i, { kind, done, failed }] of asked.entries()) {
      const [, text, trouble, printed] = entries[i] as FrameEntry
      // The limit of an answer is applied where a bot plays alone.
      const long = typeof text === 'string' && text.length > this.life.outputBytes / 2
      if (typeof trouble === 'string' || long) {
        this.retired ??= new SharedTrouble(trouble ?? 'its answer is long')
        failed?.(this.retired)
      } else if (kind === 'ask')
        done?.({ output: typeof text === 'string' ? { out: text } : {}, wallUs: own[i] ?? 0 }, printed)
    }
  }

  private lose(error: unknown): Error {
    this.lost ??= error instanceof Error ? error : new Error(String(error))
    if (this.lost instanceof SharedTrouble) this.retired ??= this.lost
    const left = this.queue
    this.queue = []
    for (const { failed } of left) failed?.(this.lost)
    void this.close().catch(() => undefined)
    return this.lost
  }
}

export class SharedModuleBot implements SeatedBot {
  private id: string | undefined
  private failed: unknown
  private closed = false

  constructor(
    private readonly process: SharedModule,
    private readonly life: BotLife,
  ) {}

  begin(key: string): Promise<void> | void {
    this.life.figures?.begin()
    const outlives = outlivesMatch(this.life.memory)
    if (this.id !== undefined && outlives) return
    this.failed = undefined
    const open = (): void => {
      const seed = this.life.seed(outlives ? this.life.key : key)
      this.id = this.process.open(seed, (error) => (this.failed ??= error))
    }
    const starting = this.process.start()
    return starting === undefined ? open() : starting.then(open)
  }
  async ready(): Promise<Answer> {
    return { output: {}, wallUs: 0 }
  }
  send(): void {
    // It sees all it needs in the next view.
  }
  ask(question: Question): Promise<Answer> | Answer {
    if (this.closed) return { output: CLOSED, wallUs: 0 }
    if (this.failed !== undefined) throw this.failed as Error
    const { figures } = this.life
    figures?.asked(question.number)
    return this.process.ask(this.id as string, question, (line) => figures?.line(line))
  }
  figures(): readonly PrintedFigure[] {
    return this.life.figures?.figures() ?? []
  }
  dismiss(): void {
    this.endLife()
  }
  end(): void {
    if (!outlivesMatch(this.life.memory)) this.endLife()
  }
  async close(): Promise<void> {
    if (!this.closed) this.process.users--
    this.closed = true
    this.endLife()
  }

  private endLife(): void {
    if (this.id !== undefined) this.process.end(this.id)
    this.id = undefined
  }
}
