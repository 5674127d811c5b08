import { mkdirSync, renameSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseHosted } from '../contest/parse.js'
import type { DraftFacts } from '../core/site-facts.js'
import { removeTree } from '../files/index.js'
import { type Rooms, draftsFolder } from '../app/workspace.js'
import { freshId } from './contestants.js'
import { hostedContest } from './contests.js'
import { contestFile, sentFolder } from './site-files.js'
import type { SiteContext } from './context.js'
import type { SentBot } from './entered.js'
import { owns } from './entries.js'
import { type Submission, nameTaken, contestantIn, receive, refuseAmong, refuseEntry } from './receiving.js'
import { Refusal } from './refusal.js'
import type { Caller } from './tokens.js'
import type { EntryBuilder } from './play/entry-builder.js'

/*
 * Theory of operation.
 *
 * A draft is a bot that was sent to be tried, and is not entered yet. It lives in this process and in a folder that goes with it: one that
 * is neither entered nor discarded is gone after an hour, with the next one of its owner, or with the site. It is built and checked where
 * entries are, and nothing else of the site knows of it. To enter it moves its files to those of the entries.
 */

interface Draft {
  readonly id: string
  readonly bot: SentBot
  readonly bytes: number
  /** Milliseconds since 1970. */
  readonly until: number
  /** Ends its check. */
  readonly stop: AbortController
  state: DraftFacts['state']
  log: string
  checked?: Promise<void>
  timer?: NodeJS.Timeout
}

/** Milliseconds for which a draft is kept. */
const KEPT_MS = 3_600_000
/** Drafts of all contests, and bytes of their files. */
const MOST = { drafts: 100, bytes: 4 * 1024 ** 3 } as const

/** Bots that are tried before they are entered. To be closed. */
export class Drafts {
  private readonly drafts = new Map<string, Draft>()
  private readonly place: Rooms

  constructor(
    private readonly context: SiteContext,
    private readonly builder: EntryBuilder,
    private readonly keptMs = KEPT_MS,
  ) {
    this.place = draftsFolder(context.workspace)
  }

  /**
   * Takes a bot, in the place of the draft that its contestant has in this contest; it is built and checked in a sandbox after this. Throws a
   * Refusal for what would keep it from being entered, as far as that is known before it is checked.
   */
  async add(contest: string, sent: Submission, caller: Caller): Promise<{ readonly id: string }> {
    const contestant = contestantIn(contest, caller)
    const loaded = await this.mayEnter(contest, sent.words.name, contestant)
    if (this.drafts.size >= MOST.drafts || this.bytes() >= MOST.bytes)
      throw new Refusal('too-many', 'too many bots are being tried here just now: try again in some minutes', {
        wait: 300,
      })
    const id = freshId()
    const folder = join(this.place.folder, id)
    return this.builder.within(contest, contestant, () =>
      receive(folder, sent, loaded, async (bytes) => {
        for (const one of this.drafts.values())
          if (one.bot.contest === contest && one.bot.contestant === contestant) this.drop(one)
        const { words } = sent
        const bot = { contest, contestant, name: words.name, spec: JSON.stringify(words), folder }
        const until = Date.now() + this.keptMs
        this.check({ id, bot, bytes, until, stop: new AbortController(), state: 'building', log: '' })
        return { id }
      }),
    )
  }

  /** Throws a Refusal where the caller has no such draft. */
  facts(id: string, caller: Caller): DraftFacts {
    const { bot, state, log, until } = this.own(id, caller)
    const { contest, name } = bot
    return { id, contest, name, state, log, until: new Date(until).toISOString() }
  }

  /** A draft as it is to be tried; undefined: the caller has none of this id. Throws a Refusal for one that cannot play. */
  playable(id: string, caller: Caller): SentBot | undefined {
    const draft = this.drafts.get(id)
    if (draft === undefined || !owns(draft.bot, caller)) return undefined
    refuseUnready(draft)
    return draft.bot
  }

  /** Enters a draft as it was checked: it plays from then on. Throws a Refusal where it cannot be entered; then it stays a draft. */
  async submit(id: string, caller: Caller): Promise<{ readonly id: string; readonly version: number }> {
    const draft = this.own(id, caller)
    refuseUnready(draft)
    // Who submits it twice finds it gone.
    this.release(draft)
    try {
      return await this.enter(draft)
    } catch (error) {
      this.hold(draft)
      throw error
    }
  }

  /** Removes a draft. Throws a Refusal where the caller has none of this id. */
  discard(id: string, caller: Caller): void {
    this.drop(this.own(id, caller))
  }

  /** To be called once nothing is checked any more. */
  close(): void {
    for (const draft of this.drafts.values()) clearTimeout(draft.timer)
    this.drafts.clear()
    this.place.remove()
  }

  private check(draft: Draft): void {
    this.hold(draft)
    draft.checked = this.builder.check({
      bot: draft.bot,
      signal: draft.stop.signal,
      async save(log) {
        draft.log = log
      },
      async done(taken) {
        draft.state = taken ? 'ready' : 'rejected'
      },
    })
  }

  private async enter({ id, bot, bytes, log }: Draft): Promise<{ readonly id: string; readonly version: number }> {
    const { context } = this
    const { contest, contestant, name, spec, folder } = bot
    const loaded = await this.mayEnter(contest, name, contestant)
    const sent = sentFolder(context, id)
    mkdirSync(dirname(sent), { recursive: true })
    renameSync(folder, sent)
    try {
      const created = new Date().toISOString()
      const entry = { id, contest, contestant, name, state: 'playing', log, spec, bytes, created } as const
      const added = await context.site.addEntry(entry, (all, out) => refuseAmong(all, out, loaded, name, contestant))
      if (added === undefined) throw nameTaken(name)
      await this.builder.take(added)
      return { id, version: added.version }
    } catch (error) {
      if ((await context.site.entry(id)) === undefined) renameSync(sent, folder)
      throw error
    }
  }

  /** The contest, where a bot of that name may be entered in it. */
  private async mayEnter(contest: string, name: string, contestant: number) {
    const { context } = this
    const hosted = await hostedContest(context, contest)
    const loaded = await parseHosted(hosted.toml, contestFile(context, contest), context.games)
    await refuseEntry(context, contest, loaded, name, contestant)
    return loaded
  }

  private own(id: string, caller: Caller): Draft {
    const draft = this.drafts.get(id)
    if (draft === undefined || !owns(draft.bot, caller))
      throw new Refusal(
        'unknown',
        'there is no such draft: one is kept for an hour, until the site ends; send it again',
      )
    return draft
  }

  private hold(draft: Draft): void {
    this.drafts.set(draft.id, draft)
    draft.timer = setTimeout(() => this.drop(draft), Math.max(0, draft.until - Date.now())).unref()
  }

  private release(draft: Draft): void {
    this.drafts.delete(draft.id)
    clearTimeout(draft.timer)
  }

  /** Removes a draft; its files go once nothing reads them. */
  private drop(draft: Draft): void {
    this.release(draft)
    draft.stop.abort()
    const { notice } = this.context
    Promise.resolve(draft.checked)
      .then(() => removeTree(draft.bot.folder))
      .catch((error: unknown) => notice(`${draft.bot.folder}: ${String(error)}`))
  }

  private bytes(): number {
    return [...this.drafts.values()].reduce((sum, draft) => sum + draft.bytes, 0)
  }
}

function refuseUnready({ state }: Draft): void {
  if (state === 'building') throw new Refusal('conflict', 'it is still built and checked: wait until that has ended')
  if (state === 'rejected') throw new Refusal('conflict', 'it cannot play, as its log says: mend it and send it again')
}
