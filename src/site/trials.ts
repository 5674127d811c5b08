import { type MatchRecord, UserError, didYouMean, type FaultAt } from '../core/index.js'
import { ownPartsFor, judge } from '../match/index.js'
import type { ComputedMatch } from '../results/index.js'
import { type Entry, houseBots } from '../contest/index.js'
import type { LoadedContest } from '../contest/parse.js'
import type { HostedContest } from './db/data.js'
import { findBotIsolation } from '../app/isolation.js'
import { MatchHost, botsReady } from '../app/match-host.js'
import { preparedFor, settingOf, termsOf } from '../app/terms.js'
import type { SiteContext } from './context.js'
import { hostedContest } from './contests.js'
import type { Drafts } from './drafts.js'
import { type SentBot, entryOf, loadNamed, sentBotOf } from './entered.js'
import { foundEntry, owns } from './entries.js'
import { Refusal } from './refusal.js'
import { positionsFor, renamed } from './seating.js'
import type { Caller } from './tokens.js'
import { playElsewhere } from './trial-elsewhere.js'

/** What came of an unrated match. */
export interface TrialFacts {
  readonly record: MatchRecord
  /** Where the bot on trial sat. */
  readonly seat: number
  readonly faults: readonly FaultAt[]
  /** The end of what the entry wrote to its standard error. */
  readonly stderr: string
  /** Of a game that does not come with agon: its positions as texts. */
  readonly positions?: ComputedMatch
}

/** Trials at once. */
const MOST = 2
/** Milliseconds that a trial may take. */
const TRIAL_MS = 120_000

/** Where contestants try their bots. To be closed. */
export class Trials {
  private readonly busy = new Set<string>()
  private readonly stop = new AbortController()

  constructor(
    private readonly context: SiteContext,
    private readonly drafts: Pick<Drafts, 'playable'>,
    /** This process plays no match that workers can play. */
    private readonly workersOnly = false,
  ) {}

  /**
   * Plays an entry, or a draft, against entrants of its contest or house bots of its game: nothing of it counts. `id`: of the one or of the
   * other. Throws a Refusal.
   */
  async play(contest: string, id: string, opponents: readonly string[], caller: Caller): Promise<TrialFacts> {
    const bot = this.drafts.playable(id, caller) ?? (await this.entered(id, caller))
    if (bot.contest !== contest) throw new Refusal('unknown', 'there is no such entry in this contest')
    const who = `${contest} ${bot.contestant}`
    if (this.busy.has(who) || this.busy.size >= MOST)
      throw new Refusal('too-many', 'a trial is under way: wait until it has ended', { wait: 5 })
    // The place is taken at once: others ask while the bots are looked up.
    this.busy.add(who)
    try {
      return await this.playWithin(bot, await hostedContest(this.context, contest), opponents)
    } finally {
      this.busy.delete(who)
    }
  }

  private async entered(id: string, caller: Caller): Promise<SentBot> {
    const { entry } = await foundEntry(this.context, id)
    if (!owns(entry, caller)) throw new Refusal('forbidden', 'only its owner or the host tries an entry')
    if (entry.state === 'building' || entry.state === 'rejected')
      throw new Refusal('conflict', `the entry cannot play: its state is ${entry.state}`)
    return sentBotOf(this.context, entry)
  }

  private async playWithin(bot: SentBot, hosted: HostedContest, opponents: readonly string[]): Promise<TrialFacts> {
    const { loaded, names } = await loadNamed(this.context, hosted, opponents)
    const { definition } = loaded
    const house = houseBots(definition)
    const there = [...loaded.entries, ...house]
    const known = [...names, ...house.map(({ spec }) => spec.name)]
    const others = opponents.map((name) => there.find(({ spec }) => spec.name === name) ?? unknownEntrant(name, known))
    const own = entryOf(bot, definition)
    try {
      return await this.match(loaded, renamed([own, ...others]))
    } catch (error) {
      throw error instanceof UserError && !(error instanceof Refusal)
        ? new Refusal('invalid', error.text.replaceAll(this.context.workspace, '…'))
        : error
    }
  }

  close(): void {
    this.stop.abort()
  }

  private async match(loaded: LoadedContest, entries: readonly Entry[]): Promise<TrialFacts> {
    const { context } = this
    const late = AbortSignal.timeout(TRIAL_MS)
    const signal = AbortSignal.any([this.stop.signal, late])
    const play = this.workersOnly ? playElsewhere : playHere
    try {
      const { record, stderr } = await play(loaded, entries, context, signal)
      const { faults } = judge(loaded.definition, record)
      const seat = record.seats.findIndex(({ entrant }) => entrant === entries[0]?.spec.name)
      const positions = await positionsFor(context, record, 'trials')?.()
      // What the others print of themselves is not this one's to read.
      const shown = ownPartsFor(record, (one) => one === seat)
      return { record: shown, seat, faults, stderr, positions }
    } catch (error) {
      if (late.aborted)
        throw new Refusal('conflict', `the trial took longer than ${TRIAL_MS / 1000} s, and was stopped`)
      throw error
    }
  }
}

/** Plays a match in this process. */
async function playHere(
  { definition, contest }: LoadedContest,
  entries: readonly Entry[],
  own: SiteContext,
  signal: AbortSignal,
): Promise<{ readonly record: MatchRecord; readonly stderr: string }> {
  const context = { ...own, signal }
  const terms = termsOf(contest)
  const setting = settingOf(definition, terms, entries.length)
  const isolation = await findBotIsolation({}, entries, context)
  const bots = await botsReady(definition, entries, { ...preparedFor(terms), isolation }, context)
  const host = new MatchHost(
    definition,
    bots.map((bot) => ({ bot })),
    { ...setting, isolation },
    context,
  )
  try {
    return { record: await host.play(), stderr: host.stderr(host.names[0] ?? '') }
  } finally {
    await host.close()
  }
}

function unknownEntrant(name: string, names: readonly string[]): never {
  throw new Refusal('invalid', `no entrant ${JSON.stringify(name)}${didYouMean(name, names)}`)
}
