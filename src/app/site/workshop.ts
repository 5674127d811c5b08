import { UserError, spelled, visibleLines } from '../../core/index.js'
import type { SiteEntry } from '../../store/index.js'
import { checkEntry } from '../check.js'
import { removeTree } from '../../files/index.js'
import { entryOf, loadHosted } from './entered.js'
import { sentFolder } from './entries.js'
import type { SiteContext } from './context.js'
import type { Stage } from './stage.js'

/** Entries that are built and checked at the same time. */
const BENCHES = 2
/** Characters of a log that are kept: its end. */
const LOG = 64 * 1024

/**
 * Where entries are built and checked, each in sandboxes of its own, in the order in which they came. An entry that is taken plays from
 * then on; of one that is not, the log says why. Who was waiting when the site ended is built when it begins again. To be closed.
 */
export class Workshop {
  private readonly queue: SiteEntry[] = []
  private readonly busy = new Set<SiteEntry>()
  /** By contestant: versions whose files are being written. */
  private readonly coming = new Map<string, number>()
  private readonly work = new Set<Promise<void>>()
  private readonly stop = new AbortController()

  constructor(
    private readonly context: SiteContext,
    private readonly stage: Stage,
  ) {}

  /** Goes on with what was waiting. */
  async open(): Promise<void> {
    const { site } = this.context
    for (const { id } of await site.contests())
      for (const entry of await site.entries(id)) if (entry.state === 'building') this.enqueue(entry)
  }

  async build(entry: SiteEntry): Promise<void> {
    await this.publish(entry, 'building')
    this.enqueue(entry)
  }

  /**
   * Takes one of the places that a contestant has for versions that wait, for as long as the work takes; undefined, and nothing is
   * done: all are taken.
   */
  async within<T>(most: number, contest: string, contestant: number, work: () => Promise<T>): Promise<T | undefined> {
    const who = `${contest} ${contestant}`
    const isOwn = (one: SiteEntry): boolean => one.contest === contest && one.contestant === contestant
    const coming = this.coming.get(who) ?? 0
    if ([...this.queue, ...this.busy].filter(isOwn).length + coming >= most) return undefined
    this.coming.set(who, coming + 1)
    try {
      return await work()
    } finally {
      const left = (this.coming.get(who) ?? 1) - 1
      if (left === 0) this.coming.delete(who)
      else this.coming.set(who, left)
    }
  }

  async close(): Promise<void> {
    this.stop.abort()
    await Promise.all(this.work)
  }

  private enqueue(entry: SiteEntry): void {
    this.queue.push(entry)
    this.fill()
  }

  private fill(): void {
    while (this.busy.size < BENCHES && !this.stop.signal.aborted) {
      const entry = this.queue.shift()
      if (entry === undefined) return
      this.busy.add(entry)
      const work = this.make(entry)
        .catch((error: unknown) => this.context.notice(`${entry.contest}: ${entry.name}: ${String(error)}`))
        .finally(() => {
          this.busy.delete(entry)
          this.work.delete(work)
          this.fill()
        })
      this.work.add(work)
    }
  }

  private async make(entry: SiteEntry): Promise<void> {
    const { site } = this.context
    const log = new Log((text) => site.changeEntry(entry.id, { log: text }), this.context.workspace)
    const taken = await this.check(entry, log)
    // Whoever ends the site ends the check: it is made again.
    if (this.stop.signal.aborted) return
    await log.end()
    await site.changeEntry(entry.id, { state: taken ? 'playing' : 'rejected' })
    await this.publish(entry, taken ? 'playing' : 'rejected')
    if (taken) await this.stage.revise(entry.contest)
    else await removeTree(sentFolder(this.context, entry.id))
  }

  /** False: it cannot play, and the log says why. */
  private async check(entry: SiteEntry, log: Log): Promise<boolean> {
    const contest = await this.context.site.contest(entry.contest)
    if (contest === undefined) return false
    const { spell: _host, spellOnPages: spell, ...own } = this.context
    const notice = (text: string): void => log.add(text)
    const context = { ...own, signal: this.stop.signal, notice, ...(spell && { spell }) }
    try {
      const { loaded } = await loadHosted(this.context, contest)
      const { options, limits } = loaded.contest
      const made = entryOf(this.context, entry, loaded.definition)
      const { plays } = await checkEntry(loaded.definition, entry.name, made, { options, limits }, context, (step) => {
        log.add(`${step.ok ? 'ok' : 'not ok'}: ${step.name}`)
        for (const line of step.lines) log.add(`  ${line}`)
      })
      return plays
    } catch (error) {
      if (this.stop.signal.aborted) return false
      const mistake = error instanceof UserError ? spelled(error.text, spell) : undefined
      log.add(mistake ?? 'agon itself failed: the host’s log says how')
      if (mistake === undefined)
        this.context.notice(`${entry.contest}: ${entry.name}: ${error instanceof Error ? error.stack : String(error)}`)
      return false
    }
  }

  private async publish({ id, contest, name, version }: SiteEntry, state: string): Promise<void> {
    await this.context.site.addEvent(contest, 'entry', { id, name, version, state })
    this.context.hub.touch(contest)
  }
}

/** What is said while an entry is built, kept as it grows. */
class Log {
  private text = ''
  private saving: Promise<void> = Promise.resolve()

  constructor(
    private readonly save: (text: string) => Promise<void>,
    private readonly workspace: string,
  ) {}

  /** Adds a line or a few; where the workspace lies is the host's business. */
  add(line: string): void {
    this.text = `${this.text}${visibleLines(line.replaceAll(this.workspace, '…'))}\n`.slice(-LOG)
    const { text } = this
    this.saving = this.saving.then(() => this.save(text)).catch(() => undefined)
  }

  end(): Promise<void> {
    return this.saving
  }
}
