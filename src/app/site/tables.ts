import { createHash } from 'node:crypto'
import { games } from '../../games/index.js'
import { type FaultQuery, faultsOfEntrant } from './bot-faults.js'
import type { SiteContext } from './context.js'
import type { ContestFacts } from '../../core/site-facts.js'
import { findContest, listContests } from './contests.js'
import type { FoundContest } from './found-contest.js'
import { maySeeEntrant } from './entries.js'
import { FinalTexts } from './final-texts.js'
import { StaleCache } from './stale-cache.js'
import { positionsOfMatch } from './live-report.js'
import { type MatchQuery, matchesOfContest, recordOfMatch } from './matches.js'
import { Refusal } from './refusal.js'
import type { TableAsked } from './table-source.js'
import { tableText } from './table-text.js'
import type { Caller } from './tokens.js'

/** A text as it is sent, with what distinguishes it from another one. */
export interface TaggedText {
  readonly text: string
  /** An ETag. */
  readonly tag: string
}

/** Milliseconds for which a look at a contest holds, unless something happens to it: another process may play it. */
const LOOK_MS = 250
/** Contests and tables that are kept. */
const CONTESTS = 1000
const TABLES = 500
/** Pages of lists of matches that are kept, apart from tables: a reader who turns many of them drops no table. */
const PAGES = 500
/** Characters of the records that are kept, together. */
const RECORDS = 16 * 1024 ** 2
/** Matches whose positions are kept. */
const BOARDS = 32
/** Lists of contests that are kept: one is made anew with each change of a contest of the site. */
const LISTS = 2
/** Matches, played or planned, from which on a table is made in a thread of its own, so that no other request waits for it; a report is from fewer. */
const MANY = 1000
const MANY_OF_REPORT = 100

/**
 * The tables of contests, and other texts that take long to make, each made once for all readers. `from`, where it is asked
 * for, is an address: so many look up so much at once.
 */
export class Tables {
  private readonly found = new Map<
    string,
    {
      readonly at: number
      readonly version: number
      readonly found: FoundContest
      readonly of: string
    }
  >()
  private readonly records = new FinalTexts<TaggedText>(RECORDS)
  private readonly texts = new StaleCache<TaggedText>(TABLES)
  private readonly pages = new StaleCache<TaggedText>(PAGES)
  private readonly boards = new StaleCache<TaggedText>(BOARDS)
  private readonly lists = new StaleCache<readonly ContestFacts[]>(LISTS)

  constructor(private readonly context: SiteContext) {}

  /** All contests, live ones first. Those that another process plays may be some moments old. */
  async contests(): Promise<readonly ContestFacts[]> {
    const hosted = await this.context.site.contests()
    const key = JSON.stringify(hosted.map(({ id, title, state, why, run }) => [id, title, state, why, run]))
    return this.lists.get(key, String(Math.floor(performance.now() / LOOK_MS)), false, () => listContests(this.context))
  }

  /** A contest. One that another process plays may be some moments old. Throws a Refusal where there is none. */
  async contest(id: string): Promise<ContestFacts> {
    return (await this.look(id)).found.facts
  }

  /** The record of a match as its caller may see it, as `recordOfMatch` has it. Throws a Refusal where there is no such match. */
  async record(
    match: number,
    caller: Caller,
  ): Promise<TaggedText & { readonly final: boolean; readonly own: boolean }> {
    const kept = this.records.get(match)
    if (kept !== undefined) return { ...kept, final: true, own: false }
    const { record, final, own } = await recordOfMatch(this.context, match, caller)
    const shown = shownOf(JSON.stringify(record))
    // What is final is the same for every caller.
    if (final) this.records.keep(match, shown)
    return { ...shown, final, own }
  }

  /** Throws a Refusal where there is no such contest. Where many matches land it may be some moments old. */
  standings(id: string, from: string): Promise<TaggedText> {
    return this.of(id, { kind: 'standings' }, from)
  }

  /** All that a report has; null: nothing has been played. */
  report(id: string, from: string): Promise<TaggedText> {
    return this.of(id, { kind: 'report' }, from)
  }

  /** An entrant's own page. Throws a Refusal where no entrant of the contest has that name. */
  async entrant(id: string, name: string, from: string): Promise<TaggedText> {
    const { found } = await this.look(id)
    if (!found.run?.entrants.some((one) => one.name === name))
      throw new Refusal('unknown', 'no entrant of this name has played in the contest')
    return this.of(id, { kind: 'entrant', name }, from)
  }

  /** A page of the matches of a contest. Throws a Refusal for a contest, a name or a cursor that is none. */
  async matches(id: string, query: MatchQuery, from: string): Promise<TaggedText> {
    const { found, of } = await this.look(id)
    return this.pages.get(JSON.stringify([id, query]), of, isStill(found), () =>
      this.made(from, () => matchesOfContest(this.context, id, query)),
    )
  }

  /** Faults of an entrant, with whether they are for this caller alone. Throws a Refusal where no entrant there has that name. */
  async faults(
    id: string,
    name: string,
    query: FaultQuery,
    caller: Caller,
    from: string,
  ): Promise<TaggedText & { readonly own: boolean }> {
    const { found, of } = await this.look(id)
    const whole = await maySeeEntrant(this.context, found, name, caller)
    const make = () => this.made(from, () => faultsOfEntrant(this.context, found, name, query, whole))
    // The owner's view also changes without a new match.
    if (whole) return { ...(await make()), own: caller.role !== 'anonymous' }
    const shown = await this.pages.get(JSON.stringify([id, 'faults', name, query]), of, isStill(found), make)
    return { ...shown, own: caller.role !== 'anonymous' }
  }

  /** The positions of a match. Throws a Refusal where there is none, or its luck is still played with. */
  positions(match: number, from: string): Promise<TaggedText> {
    return this.boards.get(String(match), '', true, () => this.made(from, () => positionsOfMatch(this.context, match)))
  }

  private async of(id: string, asked: TableAsked, from: string): Promise<TaggedText> {
    const { found, of } = await this.look(id)
    return this.texts.get(JSON.stringify([id, asked]), of, isStill(found), () => this.make(found, asked, from))
  }

  private async make(found: FoundContest, asked: TableAsked, from: string): Promise<TaggedText> {
    const { run } = found
    const isOwn = !games.some(({ game }) => game.id === found.facts.game)
    const matches = Math.max(run?.matches ?? 0, found.facts.planned ?? 0)
    const isLarge = matches >= (asked.kind === 'report' ? MANY_OF_REPORT : MANY)
    if (run !== undefined && isLarge && !isOwn) return shownOf(await this.context.thread.make(found, asked))
    return this.context.slow.run(from, async () => shownOf(await tableText(this.context, found, asked)))
  }

  /** Makes something on this thread, when its turn comes. */
  private made(from: string, make: () => Promise<unknown>): Promise<TaggedText> {
    return this.context.slow.run(from, async () => shownOf(JSON.stringify(await make())))
  }

  /** A contest with a text that changes with all that its tables are made of. */
  private async look(id: string): Promise<{ readonly found: FoundContest; readonly of: string }> {
    const version = this.context.hub.version(id)
    const known = this.found.get(id)
    const now = performance.now()
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

/** Whether a contest is not being played, so that its tables do not change. */
const isStill = ({ facts }: FoundContest): boolean => facts.state !== 'playing'

const shownOf = (text: string): TaggedText => ({
  text,
  tag: `"${createHash('sha1').update(text).digest('base64url')}"`,
})
