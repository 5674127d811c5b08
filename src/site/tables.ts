import { createHash } from 'node:crypto'
import { type FaultQuery, faultsOfEntrant } from './faults.js'
import type { SiteContext } from './context.js'
import type { ContestFacts } from '../core/site-facts.js'
import { findContest, listContests } from './contests.js'
import type { FoundContest } from './found-contest.js'
import { maySeeEntrant } from './entries.js'
import { FinalTexts } from './final-texts.js'
import { entrantOfContest } from './entrants.js'
import { positionsOfMatch, reportOfContest } from './live-report.js'
import { MadeOnce } from './made-once.js'
import { type MatchQuery, matchesOfContest, recordOfMatch } from './matches.js'
import { Refusal } from './refusal.js'
import { standingsOfContest } from './standings.js'
import type { Caller } from './tokens.js'

/** A text as it is sent, with what distinguishes it from another one. */
export interface TaggedText {
  readonly text: string
  /** An ETag. */
  readonly tag: string
}

/** Milliseconds for which a look at a contest holds, unless something happens to it, and one at all of them: other processes may play them. */
const LOOK_MS = 250
const LIST_MS = 1000
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

/** A contest as it was looked at. */
interface Look {
  readonly found: FoundContest
  /** A text that changes with all that its tables are made of, and with what its ratings are computed of. */
  readonly of: string
  readonly ratedOf: string
}

/**
 * The tables of contests, and other texts that take long to make, each made once for all readers. `from`, where it is asked
 * for, is an address: so many look up so much at once.
 */
export class Tables {
  private readonly found = new Map<string, Look & { readonly at: number; readonly version: number }>()
  private readonly records = new FinalTexts<TaggedText>(RECORDS)
  private readonly texts = new MadeOnce<TaggedText>(TABLES)
  private readonly pages = new MadeOnce<TaggedText>(PAGES)
  private readonly boards = new MadeOnce<TaggedText>(BOARDS)
  private readonly lists = new MadeOnce<readonly ContestFacts[]>(LISTS)

  constructor(private readonly context: SiteContext) {}

  /** All contests, live ones first. Those that another process plays may be some moments old. */
  async contests(): Promise<readonly ContestFacts[]> {
    const hosted = await this.context.site.contests()
    const key = JSON.stringify(hosted.map(({ id, title, state, why, run }) => [id, title, state, why, run]))
    return this.lists.get(key, String(Math.floor(performance.now() / LIST_MS)), () => listContests(this.context))
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

  /** Throws a Refusal where there is no such contest. */
  async standings(id: string, from: string): Promise<TaggedText> {
    const { found, of } = await this.look(id)
    return this.texts.get(JSON.stringify([id]), of, () =>
      this.made(from, () => standingsOfContest(this.context, found)),
    )
  }

  /** All that a report has, with the ratings that were computed last; null: nothing has been played. */
  async report(id: string, from: string): Promise<TaggedText> {
    const { found, of, ratedOf } = await this.look(id)
    const { run, facts } = found
    const over = facts.state !== 'playing' || run?.state !== 'open'
    const rated = run && this.context.ratings.of(run, ratedOf, over)
    return this.texts.get(JSON.stringify([id, 'report']), JSON.stringify([of, rated?.of]), () =>
      this.made(from, async () => ({ report: await reportOfContest(this.context, found, rated) })),
    )
  }

  /** An entrant's own page. Throws a Refusal where no entrant of the contest has that name. */
  async entrant(id: string, name: string, from: string): Promise<TaggedText> {
    const { found, of } = await this.look(id)
    if (!found.run?.entrants.some((one) => one.name === name))
      throw new Refusal('unknown', 'no entrant of this name has played in the contest')
    return this.texts.get(JSON.stringify([id, 'entrant', name]), of, () =>
      this.made(from, () => entrantOfContest(this.context, found, name)),
    )
  }

  /** A page of the matches of a contest. Throws a Refusal for a contest, a name or a cursor that is none. */
  async matches(id: string, query: MatchQuery, from: string): Promise<TaggedText> {
    const { of } = await this.look(id)
    return this.pages.get(JSON.stringify([id, query]), of, () =>
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
    const shown = await this.pages.get(JSON.stringify([id, 'faults', name, query]), of, make)
    return { ...shown, own: caller.role !== 'anonymous' }
  }

  /** The positions of a match. Throws a Refusal where there is none, or its luck is still played with. */
  positions(match: number, from: string): Promise<TaggedText> {
    return this.boards.get(String(match), '', () => this.made(from, () => positionsOfMatch(this.context, match)))
  }

  /** Makes something on this thread, when its turn comes. */
  private made(from: string, make: () => Promise<unknown>): Promise<TaggedText> {
    return this.context.slow.run(from, async () => shownOf(JSON.stringify(await make())))
  }

  private async look(id: string): Promise<Look> {
    const version = this.context.hub.version(id)
    const known = this.found.get(id)
    const now = performance.now()
    if (known !== undefined && known.version === version && now - known.at < LOOK_MS) return known
    const found = await findContest(this.context, id)
    const looked = { at: now, version, found, ...(await this.sourcesOf(found)) }
    this.found.delete(id)
    this.found.set(id, looked)
    for (const oldest of [...this.found.keys()].slice(0, -CONTESTS)) this.found.delete(oldest)
    return looked
  }

  private async sourcesOf({ facts, run }: FoundContest): Promise<Pick<Look, 'of' | 'ratedOf'>> {
    const { store } = this.context
    const changes = run && [run.id, run.matches, await store.exclusions(run.id), [...(await store.ruled(run.id))]]
    const ratedOf = JSON.stringify(changes ?? [])
    return { of: JSON.stringify([facts.state, facts.revision, run?.state, ratedOf]), ratedOf }
  }
}

const shownOf = (text: string): TaggedText => ({
  text,
  tag: `"${createHash('sha1').update(text).digest('base64url')}"`,
})
