import { type GameDefinition, type MatchRecord, UserError, didYouMean } from '../../core/index.js'
import { ownPartsFor, judge } from '../../match/index.js'
import type { HostedContest, SiteEntry } from '../../store/index.js'
import type { StoredFault } from '../../store/data.js'
import { holdingFor } from '../holding.js'
import { Table, botsReady } from '../table.js'
import { settingOf } from '../terms.js'
import type { SiteContext } from './context.js'
import { entryOf, loadHosted } from './entered.js'
import { foundEntry, owns } from './entries.js'
import { Refusal } from './refusal.js'
import type { Caller } from './tokens.js'

/** What came of an unrated match. */
export interface TrialFacts {
  readonly record: MatchRecord
  readonly faults: readonly StoredFault[]
  /** The end of what the entry wrote to its standard error. */
  readonly stderr: string
}

/** Trials at once. */
const MOST = 2
/** Milliseconds that a trial may take. */
const TRIAL_MS = 120_000

/** Where contestants try their bots. To be closed. */
export class Trials {
  private readonly busy = new Set<string>()
  private readonly stop = new AbortController()

  constructor(private readonly context: SiteContext) {}

  /** Plays an entry against entrants of its contest: nothing of it counts. Throws a Refusal. */
  async play(contest: string, id: string, opponents: readonly string[], caller: Caller): Promise<TrialFacts> {
    const { entry, hosted } = await foundEntry(this.context, id)
    if (entry.contest !== contest) throw new Refusal('unknown', 'there is no such entry in this contest')
    if (!owns(entry, caller)) throw new Refusal('forbidden', 'only its owner or the host tries an entry')
    if (entry.state === 'building' || entry.state === 'rejected')
      throw new Refusal('conflict', `the entry cannot play: its state is ${entry.state}`)
    if (this.busy.has(`${contest} ${entry.contestant}`) || this.busy.size >= MOST)
      throw new Refusal('too-many', 'a trial is under way: wait until it has ended', { wait: 5 })
    // The place is taken at once: others ask while the bots are looked up.
    this.busy.add(`${contest} ${entry.contestant}`)
    try {
      return await this.playWithin(entry, hosted, opponents)
    } finally {
      this.busy.delete(`${contest} ${entry.contestant}`)
    }
  }

  private async playWithin(entry: SiteEntry, hosted: HostedContest, opponents: readonly string[]): Promise<TrialFacts> {
    const { loaded } = await loadHosted(this.context, hosted)
    const { definition } = loaded
    const names = loaded.entries.map(({ spec }) => spec.name)
    const others = opponents.map((name) => {
      const found = loaded.entries.find(({ spec }) => spec.name === name)
      if (found === undefined)
        throw new Refusal('invalid', `no entrant ${JSON.stringify(name)}${didYouMean(name, names)}`)
      return { ...found, spec: { ...found.spec, name: name === entry.name ? `${name} (2)` : name } }
    })
    const own = entryOf(this.context, entry, definition)
    try {
      return await this.match(definition, [own, ...others], loaded.contest)
    } catch (error) {
      throw error instanceof UserError
        ? new Refusal('invalid', error.text.replaceAll(this.context.workspace, '…'))
        : error
    }
  }

  close(): void {
    this.stop.abort()
  }

  private async match(
    definition: GameDefinition,
    entries: Parameters<typeof botsReady>[1],
    {
      options,
      limits,
      steps,
    }: { options: MatchRecord['options']; limits: Readonly<Record<string, number>>; steps?: number },
  ): Promise<TrialFacts> {
    const late = AbortSignal.timeout(TRIAL_MS)
    const context = { ...this.context, signal: AbortSignal.any([this.stop.signal, late]) }
    const setting = settingOf(definition, { options, limits }, entries.length)
    const holding = await holdingFor({}, entries, context)
    const bots = await botsReady(definition, entries, holding, context)
    const more = steps === undefined ? {} : { steps }
    const table = new Table(
      definition,
      bots.map((bot) => ({ bot })),
      { ...setting, holding, ...more },
      context,
    )
    try {
      const record = await table.play()
      const { faults } = judge(definition, record)
      // What the others print of themselves is not this one's to read.
      const shown = ownPartsFor(record, (seat) => record.seats[seat]?.entrant === table.names[0])
      return { record: shown, faults, stderr: table.stderr(table.names[0] ?? '') }
    } catch (error) {
      if (late.aborted)
        throw new Refusal('conflict', `the trial took longer than ${TRIAL_MS / 1000} s, and was given up`)
      throw error
    } finally {
      await table.close()
    }
  }
}
