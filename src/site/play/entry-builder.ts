import { setTimeout as after } from 'node:timers/promises'
import { UserError, spelled, visibleLines } from '../../core/index.js'
import { checkEntry } from '../../app/check/check.js'
import { sourceOf, termsOf } from '../../app/match-host.js'
import { termsHash } from '../../app/run/same.js'
import { withoutPlaces } from '../../app/workspace.js'
import { TurnQueue } from '../../engine/index.js'
import { removeTree } from '../../files/index.js'
import { type SiteContext, announceEntry } from '../context.js'
import type { SiteEntry } from '../store.js'
import { entryOf, parsedContest } from '../contests.js'
import { fieldOf } from '../../app/flag.js'
import type { ContestRunner } from './contest-runner.js'
import { filesIn, sentFolder } from './staged-versions.js'

const AT_ONCE = 2
/** Characters of a log that are kept: its end. */
const LOG = 64 * 1024

interface Waiting extends SiteEntry {
  /** Where it was sent from; absent: that is not known. */
  readonly from?: string
  /** How often agon itself has failed at it. */
  readonly failures: number
}

/** Milliseconds until a bot is checked again at which agon itself failed: two seconds at first, ten minutes at most. */
const pauseMs = (failures: number): number => Math.min(600_000, 2000 * 2 ** failures)

/**
 * Where bots are built and checked, each in sandboxes of its own. Only what its bot or its words did rejects an entry: where agon itself
 * fails, it is tried again, and what waited when the site ended is built when it begins again. To be closed.
 */
export class EntryBuilder {
  private readonly queue = new TurnQueue<Waiting>(AT_ONCE, (one) =>
    this.make(one).catch((error: unknown) => void this.tryLater(one, error)),
  )
  private readonly stop = new AbortController()

  constructor(
    private readonly context: SiteContext,
    private readonly runner: ContestRunner,
    private readonly pause = pauseMs,
    private readonly look = checkEntry,
  ) {}

  open(): void {
    const { site } = this.context
    for (const { id } of site.contests())
      for (const entry of site.entries(id)) if (entry.state === 'building') this.queue.push({ ...entry, failures: 0 })
  }

  /** Has an entry built and checked, and played from then on. */
  build(entry: SiteEntry, from?: string): void {
    announceEntry(this.context, entry, 'building')
    this.queue.push({ ...entry, from, failures: 0 })
  }

  /** How many bots are built before an entry; undefined: it does not wait for its turn. */
  before(id: string): number | undefined {
    return this.queue.before((one) => one.id === id)
  }

  async close(): Promise<void> {
    this.stop.abort()
    await this.queue.close()
  }

  private async tryLater(one: Waiting, error: unknown): Promise<void> {
    this.context.notice(`${one.contest}: ${one.name}: ${error instanceof Error ? error.stack : String(error)}`)
    const { signal } = this.stop
    await after(this.pause(one.failures), undefined, { signal, ref: false }).catch(() => undefined)
    this.queue.push({ ...one, failures: one.failures + 1 })
  }

  private async make(entry: SiteEntry): Promise<void> {
    const { context } = this
    const { site, workspace } = context
    const { id, contest } = entry
    let text = ''
    /** Adds lines to the entry's log; where the workspace lies is the host's business. */
    const log = (lines: string): void => {
      text = `${text}${visibleLines(withoutPlaces(lines, workspace))}\n`.slice(-LOG)
      site.changeEntry(id, { log: text })
    }
    let isTaken = await this.check(entry, log)
    // The site was closed during the check: it is made again at the next start.
    if (this.stop.signal.aborted) return
    if (isTaken && site.contest(contest)?.final) {
      isTaken = false
      log('the contest has ended for good')
    }
    const state = isTaken ? 'playing' : 'rejected'
    site.changeEntry(id, { state })
    announceEntry(context, entry, state)
    if (isTaken) this.runner.revise(contest)
    else await removeTree(sentFolder(context, id), this.stop.signal)
    context.staged.sweep()
  }

  /** False: it cannot play, and the log says why. Rejects where agon itself fails. */
  private async check(entry: SiteEntry, log: (text: string) => void): Promise<boolean> {
    const contest = this.context.site.contest(entry.contest)
    if (contest === undefined) return false
    const { signal } = this.stop
    const context = { ...this.context, signal, notice: log, spell: fieldOf }
    const { definition, contest: rules } = await parsedContest(this.context, contest)
    const terms = termsOf(rules)
    try {
      const made = entryOf(this.context, { ...entry, sender: undefined }, definition)
      const source = await sourceOf(made, definition, terms)
      this.context.site.changeEntry(entry.id, { source: source.hash, terms: termsHash(rules) })
      const out = filesIn(made.base).filter(({ path }) => path !== 'bot.toml' && !source.files.has(path))
      if (out.length > 0) log(`it runs without ${out.map(({ path }) => path).join(', ')}`)
      const checking = { definition, word: entry.name, own: made, terms, context }
      const { plays } = await this.look(checking, ({ ok, name, lines }) =>
        log([`${ok ? 'ok' : 'not ok'}: ${name}`, ...lines.map((line) => `  ${line}`)].join('\n')),
      )
      return plays
    } catch (error) {
      if (signal.aborted) return false
      if (!(error instanceof UserError)) {
        log('agon itself failed, which is no fault of the bot: it is tried again (the host’s log says how)')
        throw error
      }
      log(spelled(error.text, fieldOf))
      return false
    }
  }
}
