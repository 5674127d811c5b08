import type { FaultKind } from '../core/index.js'
import { exchangesOf } from '../app/look/show.js'
import type { FoundContest } from './found-contest.js'
import type { SiteContext } from './context.js'
import { siteGameOf } from './live-report.js'
import { cursorOf } from './matches.js'
import { Refusal } from './refusal.js'

/** A fault of an entrant. */
export interface BotFault {
  readonly match: number
  /** Counted from 0. */
  readonly turn: number
  readonly kind: FaultKind
  readonly why?: string
  /** ISO 8601. */
  readonly at: string
  /** What it was sent and answered, a line for each part: for its owner and the host, and for all where the contest publishes. */
  readonly exchange?: readonly string[]
}

export interface BotFaults {
  readonly items: readonly BotFault[]
  readonly next: string | null
  /** The end of what it wrote to standard error, up to the end of the last run; for the same readers. */
  readonly stderr?: string
}

/** Faults of one match that are shown. */
const SHOWN = 3

/** Which of them are asked for: what a page's `next` said, and how many. */
export interface FaultQuery {
  readonly cursor?: string | undefined
  readonly limit: number
}

/**
 * Faults of an entrant, the newest first; `whole`: with what is for its owner and the host alone. Throws a Refusal where no
 * entrant of the contest has that name.
 */
export async function faultsOfEntrant(
  context: SiteContext,
  { run }: FoundContest,
  name: string,
  { cursor, limit }: FaultQuery,
  whole: boolean,
): Promise<BotFaults> {
  const { store } = context
  const entrant = run?.entrants.findIndex((one) => one.name === name) ?? -1
  if (run === undefined || entrant < 0)
    throw new Refusal('unknown', 'no entrant of this name has played in the contest')
  const before = cursor === undefined ? {} : { before: cursorOf(cursor) }
  const page = await store.browse(run.id, { entrant, fault: 'any', limit, ...before })
  const definition = await siteGameOf(context, run)
  const items: BotFault[] = []
  for (const { id: match, seats, faults, at } of page.matches) {
    const seat = seats.indexOf(entrant)
    const own = faults.filter((fault) => fault.seat === seat).slice(0, SHOWN)
    const turns = own.map(({ turn }) => turn)
    const exchanges = whole ? exchangesOf(definition, await store.recordOf(match), seat, turns) : []
    for (const { turn, fault, why } of own) {
      const exchange = exchanges.find((one) => one.turn === turn)?.lines
      items.push({
        match,
        turn,
        kind: fault,
        at: new Date(at).toISOString(),
        why,
        exchange: exchange ? exchange.map((line) => line.replaceAll(context.workspace, '…')) : undefined,
      })
    }
  }
  const stderr = whole ? await store.stderr(run.id, name) : ''
  return {
    items,
    next: page.next === undefined ? null : `p${page.next}`,
    stderr: whole ? stderr.replaceAll(context.workspace, '…') : undefined,
  }
}
