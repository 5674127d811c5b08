import { isDeepStrictEqual } from 'node:util'
import type { GameDefinition, MatchRecord } from '../core/index.js'
import { type Fixture, judge } from '../match/index.js'
import { type SeatedBot, outlivesMatch } from '../bots/index.js'
import type { KeptFiles, Snapshot } from '../store/index.js'
import type { Entrant } from './entrant.js'
import { replayHistory, wasStopped } from './replay-history.js'
import { type PartsSetting, PartWriter, dropPart, findPart } from './series-parts.js'

/** The bots of a series are not where its kept part left them: it is dropped, and the series is played from its beginning. */
export class SeriesDiffers extends Error {}

/** The bots of a series, by entrant. */
export interface SeriesSeats {
  readonly definition: GameDefinition
  /** Whether its bots speak in turns: they live on their disk alone. */
  readonly isTurn: (entrant: number) => boolean
  readonly entrant: (entrant: number) => Entrant
  readonly bots: ReadonlyMap<number, SeatedBot>
}

/** Whether records are of the first of these matches, and go as they say. May throw where they are not. */
export function isBeginning(
  definition: GameDefinition,
  fixtures: readonly Fixture[],
  records: readonly MatchRecord[],
): boolean {
  return (
    records.length <= fixtures.length &&
    records.every((record, n) => {
      const fixture = fixtures[n]
      return (
        fixture !== undefined &&
        isDeepStrictEqual({ ...record, ...asJson(fixture) }, record) &&
        isDeepStrictEqual(asJson(judge(definition, record).outcome), record.outcome)
      )
    })
  )
}

/** A value as it comes back from a file. */
const asJson = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T

/** Keeps the part of a series that was played, and leads new bots to where it ends. */
export class SeriesKeeper {
  private readonly writer: PartWriter
  /** By entrant: what it held when its process was last started anew. */
  private readonly starts = new Map<number, Snapshot>()
  /** The matches that follow could not be replayed: no more parts are kept. */
  private ended = false
  /** The bots whose processes stay running: one may be ended in a match. */
  private readonly staying: readonly (readonly [number, SeatedBot])[]

  constructor(
    private readonly setting: PartsSetting,
    /** Of the series, in the store. */
    private readonly key: string,
    private readonly seats: SeriesSeats,
  ) {
    this.writer = new PartWriter(setting, key)
    const { entrant, isTurn } = seats
    this.staying = this.lasting().filter(([one]) => entrant(one).run.kind !== 'module' && !isTurn(one))
  }

  /**
   * The matches of the series that were played before, with its bots led to where they were after the last of them. Rejects with
   * `SeriesDiffers` where a bot does not answer as it did. `givenUp`: the bots were ended meanwhile, and what they answered says nothing.
   */
  async resume(fixtures: readonly Fixture[], givenUp: () => boolean): Promise<readonly MatchRecord[]> {
    const part = findPart(this.setting, this.key, (records) => isBeginning(this.seats.definition, fixtures, records))
    if (part === undefined) return []
    try {
      for (const [entrant, bot] of this.lasting()) await this.lead(entrant, bot, part.records, part.kept)
    } catch (error) {
      if (!givenUp()) dropPart(this.setting, this.key)
      throw error
    }
    return part.records
  }

  /** A match of the series was played, the last of these. */
  async played(records: readonly MatchRecord[]): Promise<void> {
    const last = records.at(-1)
    if (last === undefined || this.ended) return
    await this.look(last)
    if (!this.ended && this.writer.isDue) await this.writer.keep(records, () => this.held())
  }

  private async lead(
    entrant: number,
    bot: SeatedBot,
    records: readonly MatchRecord[],
    kept: Readonly<Record<string, KeptFiles>>,
  ): Promise<void> {
    const { definition } = this.seats
    const { name } = this.seats.entrant(entrant)
    const { now, start } = kept[name] ?? {}
    if (this.seats.isTurn(entrant)) {
      if (now !== undefined) await bot.restore(now)
      return
    }
    if (start !== undefined) {
      this.starts.set(entrant, start)
      await bot.restore(start)
    }
    const differs = await replayHistory(bot, name, definition, records)
    if (now !== undefined) await bot.amend(now)
    if (differs !== undefined || bot.disturbed() !== undefined)
      throw new SeriesDiffers(`${name}: answered otherwise when its conversation was repeated (${differs ?? ''})`)
  }

  /** Sees whose process was ended in a match: its next one begins with what is on its disk now. */
  private async look(record: MatchRecord): Promise<void> {
    for (const [entrant, bot] of this.staying) {
      const { name, run } = this.seats.entrant(entrant)
      // A module's process that was ended has forgotten what a module that is led through all of it again would know.
      if (run.kind === 'runner' && hadTrouble(record, name)) this.ended = true
      if (!wasStopped(this.seats.definition, record, name)) continue
      const start = await bot.snapshot()
      if (start !== undefined) this.starts.set(entrant, start)
    }
  }

  private async held(): Promise<Readonly<Record<string, KeptFiles>>> {
    const all: [string, KeptFiles][] = []
    for (const [entrant, bot] of this.lasting()) {
      const now = await bot.snapshot()
      const start = this.starts.get(entrant)
      if (now !== undefined) all.push([this.seats.entrant(entrant).name, { now, start }])
    }
    return Object.fromEntries(all)
  }

  /** Those that remember the matches before. */
  private lasting(): [number, SeatedBot][] {
    return [...this.seats.bots].filter(([entrant]) => outlivesMatch(this.seats.entrant(entrant).memory))
  }
}

const hadTrouble = (record: MatchRecord, name: string): boolean => {
  const seat = record.seats.findIndex(({ entrant }) => entrant === name)
  return record.steps.some((step) =>
    step.some(([who, output]) => who === seat && typeof output !== 'string' && output.trouble !== undefined),
  )
}
