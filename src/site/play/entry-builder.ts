import { setTimeout as after } from 'node:timers/promises'
import { UserError, spelled, visibleLines } from '../../core/index.js'
import { checkEntry } from '../../app/check/check.js'
import { sourceOf } from '../../app/staged.js'
import { termsOf } from '../../app/terms.js'
import { withoutPlaces } from '../../app/workspace.js'
import { removeTree } from '../../files/index.js'
import type { SiteEntry } from '../db/site-store.js'
import { entryOf, parsedContest, termsHash } from '../hosted.js'
import { filesIn, sentFolder } from './staged-versions.js'
import { Refusal } from '../http/problems.js'
import type { SiteContext } from '../context.js'
import type { ContestRunner } from './contest-runner.js'
import { Turns, takersOf } from './turns.js'

/** Bots that are built and checked at the same time. */
const AT_ONCE = 2
/** Bots of one contestant that may wait for that. */
const WAITING = 3
/** Characters of a log that are kept: its end. */
const LOG = 64 * 1024

/** An entry that is to be built and checked. */
interface Waiting {
  readonly entry: SiteEntry
  /** Where it was sent from; absent: that is not known. */
  readonly from?: string
  /** How often agon itself has failed at it. */
  readonly failures: number
}

/** Milliseconds until a bot is checked again at which agon itself failed: two seconds at first, ten minutes at most. */
const pauseMs = (failures: number): number => Math.min(600_000, 2000 * 2 ** failures)

/**
 * Where bots are built and checked, each in sandboxes of its own. Addresses take turns, and so do the people of an
 * address: many bots of a few, whose builds take long, keep nobody else's waiting. An entry that is taken plays from
 * then on; of one that is not, the log says why. Only what its bot or its words did rejects an entry: where agon itself fails, it is tried
 * again. Who was waiting when the site ended is built when it begins again. To be closed.
 */
export class EntryBuilder {
  private queue: Waiting[] = []
  /** Who waits, in the order in which they are built if nobody else comes; undefined: the queue has changed since. */
  private order: readonly Waiting[] | undefined
  private readonly turns = new Turns<Waiting>(({ entry, from }) => takersOf(entry, from))
  private readonly busy = new Set<Waiting>()
  /** Those at which agon itself failed, until they are tried again. */
  private readonly later = new Set<Waiting>()
  /** By contestant: bots whose files are being written. */
  private readonly coming = new Map<string, number>()
  private readonly work = new Set<Promise<void>>()
  private readonly stop = new AbortController()

  constructor(
    private readonly context: SiteContext,
    private readonly runner: ContestRunner,
    private readonly pause = pauseMs,
    private readonly look = checkEntry,
  ) {}

  /** Continues with the bots that were waiting. */
  async open(): Promise<void> {
    const { site } = this.context
    for (const { id } of await site.contests())
      for (const entry of await site.entries(id)) if (entry.state === 'building') this.push({ entry, failures: 0 })
  }

  /** Has an entry built and checked, and played from then on. */
  async build(entry: SiteEntry, from?: string): Promise<void> {
    await this.publish(entry, 'building')
    this.push({ entry, from, failures: 0 })
  }

  /** How many bots are built before an entry; undefined: it does not wait for its turn. */
  before(id: string): number | undefined {
    const at = (this.order ??= this.turns.order(this.queue)).findIndex(({ entry }) => entry.id === id)
    return at < 0 ? undefined : at
  }

  /** Takes one of the places that a contestant has for bots that wait, for as long as the work takes. Throws a Refusal: all are taken. */
  async within<T>(contest: string, contestant: number, work: () => Promise<T>): Promise<T> {
    const who = `${contest} ${contestant}`
    const isOwn = ({ entry }: Waiting): boolean => entry.contest === contest && entry.contestant === contestant
    const coming = this.coming.get(who) ?? 0
    if ([...this.queue, ...this.busy, ...this.later].filter(isOwn).length + coming >= WAITING)
      throw new Refusal('too-many', `${WAITING} bots of yours wait to be built: let them end first`, { wait: 30 })
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

  private push(one: Waiting): void {
    this.queue.push(one)
    this.order = undefined
    this.fill()
  }

  private fill(): void {
    while (this.busy.size < AT_ONCE && !this.stop.signal.aborted) {
      const next = this.turns.next(this.queue)
      if (next === undefined) {
        if (this.busy.size === 0) this.turns.clear()
        return
      }
      this.queue = this.queue.filter((one) => one !== next)
      this.order = undefined
      this.busy.add(next)
      const work = this.make(next)
        .catch((error: unknown) => void this.tryLater(next, error))
        .finally(() => {
          this.busy.delete(next)
          this.work.delete(work)
          this.fill()
        })
      this.work.add(work)
    }
  }

  /** Queues a bot again, at which agon itself failed. */
  private async tryLater(one: Waiting, error: unknown): Promise<void> {
    const { contest, name } = one.entry
    this.context.notice(`${contest}: ${name}: ${error instanceof Error ? error.stack : String(error)}`)
    this.later.add(one)
    const { signal } = this.stop
    await after(this.pause(one.failures), undefined, { signal, ref: false }).catch(() => undefined)
    this.later.delete(one)
    if (!signal.aborted) this.push({ ...one, failures: one.failures + 1 })
  }

  private async make({ entry }: Waiting): Promise<void> {
    const { context } = this
    const { site, workspace } = context
    const { id, contest } = entry
    const log = new Log((text) => site.changeEntry(id, { log: text }), workspace)
    let taken: boolean
    try {
      taken = await this.checked(entry, log)
    } finally {
      await log.end()
    }
    // The site was closed during the check: it is made again at the next start.
    if (this.stop.signal.aborted) return
    if (taken && (await site.contest(contest))?.final) {
      log.add('the contest has ended for good')
      await log.end()
      taken = false
    }
    await site.changeEntry(id, { state: taken ? 'playing' : 'rejected' })
    await this.publish(entry, taken ? 'playing' : 'rejected')
    if (taken) await this.runner.revise(contest)
    else await removeTree(sentFolder(context, id), this.stop.signal)
    context.staged.sweep()
  }

  /** False: it cannot play, and the log says why. Rejects where agon itself fails. */
  private async checked(entry: SiteEntry, log: Log): Promise<boolean> {
    const contest = await this.context.site.contest(entry.contest)
    if (contest === undefined) return false
    const { signal } = this.stop
    const { spell: _host, spellOnPages: spell, ...own } = this.context
    const notice = (text: string): void => log.add(text)
    const context = { ...own, signal, notice, spell }
    const { definition, contest: terms } = await parsedContest(this.context, contest)
    try {
      const { sender: _, ...bot } = entry
      const made = entryOf(this.context, bot, definition)
      const source = await sourceOf(made, definition, termsOf(terms))
      await this.context.site.changeEntry(entry.id, { source: source.hash, terms: termsHash(terms) })
      const out = filesIn(made.base).filter(({ path }) => path !== 'bot.toml' && !source.files.has(path))
      if (out.length > 0) log.add(`it runs without ${out.map(({ path }) => path).join(', ')}`)
      const checking = { definition, word: entry.name, own: made, terms: termsOf(terms), context }
      const { plays } = await this.look(checking, (step) => {
        log.add(`${step.ok ? 'ok' : 'not ok'}: ${step.name}`)
        for (const line of step.lines) log.add(`  ${line}`)
      })
      return plays
    } catch (error) {
      if (signal.aborted) return false
      if (error instanceof UserError) {
        log.add(spelled(error.text, spell))
        return false
      }
      log.add('agon itself failed, which is no fault of the bot: it is tried again (the host’s log says how)')
      throw error
    }
  }

  private async publish({ id, contest, name, version }: SiteEntry, state: string): Promise<void> {
    await this.context.site.addEvent(contest, 'entry', { id, name, version, state })
    this.context.hub.touch(contest)
  }
}

/** The log of a build and check, stored as it grows. */
class Log {
  private text = ''
  private saving: Promise<void> = Promise.resolve()

  constructor(
    private readonly save: (text: string) => Promise<void>,
    private readonly workspace: string,
  ) {}

  /** Adds a line or a few; where the workspace lies is the host's business. */
  add(line: string): void {
    this.text = `${this.text}${visibleLines(withoutPlaces(line, this.workspace))}\n`.slice(-LOG)
    const { text } = this
    this.saving = this.saving.then(() => this.save(text)).catch(() => undefined)
  }

  end(): Promise<void> {
    return this.saving
  }
}
