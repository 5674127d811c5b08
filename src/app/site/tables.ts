import { createHash } from 'node:crypto'
import { games } from '../../games/index.js'
import type { SiteContext } from './context.js'
import { type FoundContest, findContest } from './contests.js'
import { Kept } from './kept.js'
import { type MatchQuery, matchesOfContest } from './matches.js'
import { Refusal } from './refusal.js'
import { type TableAsked, tableText } from './table-text.js'
import { TableThread } from './table-thread.js'

/** A text as it is sent, with what distinguishes it from another one. */
export interface Shown {
  readonly text: string
  /** An ETag. */
  readonly tag: string
}

/** Milliseconds for which a look at a contest holds, unless something happens to it: another process may play it. */
const LOOK_MS = 250
/** Contests and tables that are kept. */
const CONTESTS = 1000
const TABLES = 500
/** Matches from which on a table is made in a thread of its own, so that nobody else waits for it. */
const MANY = 5000

/** The tables of contests as texts, each made once for all who look. To be closed. */
export class Tables {
  private readonly found = new Map<
    string,
    { readonly at: number; readonly version: number; found: FoundContest; of: string }
  >()
  private readonly texts = new Kept<Shown>(TABLES)
  private readonly thread: TableThread

  constructor(private readonly context: SiteContext) {
    this.thread = new TableThread(context)
  }

  /** Throws a Refusal where there is no such contest. Where many matches land it may be some moments old. */
  standings(id: string): Promise<Shown> {
    return this.of(id, { kind: 'standings' })
  }

  /** All that a report has; null: nothing has been played. */
  report(id: string): Promise<Shown> {
    return this.of(id, { kind: 'report' })
  }

  /** An entrant's own page. Throws a Refusal where nobody of that name plays in the contest. */
  async entrant(id: string, name: string): Promise<Shown> {
    const { found } = await this.look(id)
    if (!found.run?.plan.names.includes(name)) throw new Refusal('unknown', 'nobody of this name plays in the contest')
    return this.of(id, { kind: 'entrant', name })
  }

  /** A page of the matches of a contest. Throws a Refusal for a contest, a name or a cursor that is none. */
  async matches(id: string, query: MatchQuery): Promise<Shown> {
    const { found, of } = await this.look(id)
    const make = async () => shownOf(JSON.stringify(await matchesOfContest(this.context, id, query)))
    return this.texts.get(JSON.stringify([id, query]), of, found.facts.state !== 'playing', make)
  }

  close(): void {
    this.thread.close()
  }

  private async of(id: string, asked: TableAsked): Promise<Shown> {
    const { found, of } = await this.look(id)
    const key = JSON.stringify([id, asked])
    // What has ended, or stands still, is shown as it is.
    return this.texts.get(key, of, found.facts.state !== 'playing', async () => shownOf(await this.make(found, asked)))
  }

  private make(found: FoundContest, asked: TableAsked): Promise<string> {
    const { run } = found
    const isOwn = !games.some(({ game }) => game.id === found.facts.game)
    if (run === undefined || run.matches < MANY || isOwn) return tableText(this.context, found, asked)
    return this.thread.make(found, asked)
  }

  /** A contest with a text that changes with all that its tables are made of. */
  private async look(id: string): Promise<{ readonly found: FoundContest; readonly of: string }> {
    const version = this.context.hub.version(id)
    const known = this.found.get(id)
    const now = Date.now()
    if (known !== undefined && known.version === version && now - known.at < LOOK_MS) return known
    const found = await findContest(this.context, id)
    const { facts, run } = found
    const out = run === undefined ? [] : await this.context.store.exclusions(run.id)
    const of = JSON.stringify([facts.state, facts.revision, run?.id, run?.state, run?.matches, out])
    const looked = { at: now, version, found, of }
    this.found.delete(id)
    this.found.set(id, looked)
    if (this.found.size > CONTESTS) for (const [oldest] of this.found) return (this.found.delete(oldest), looked)
    return looked
  }
}

const shownOf = (text: string): Shown => ({
  text,
  tag: `"${createHash('sha1').update(text).digest('base64url')}"`,
})
