import { type BotOutput, type MatchRecord, type Seat, faultOf } from '../core/index.js'
import { judgeContext, replayAsSeat, unreadyOf, wireAt } from '../match/index.js'
import { CLOSED, type SeatedBot } from '../bots/index.js'
import type { PlayableRun } from './entrant.js'

type HistoryOf = Pick<PlayableRun, 'definition'> & { readonly contest: Pick<PlayableRun['contest'], 'limits'> }

/** Milliseconds for an answer that was once given in time: no deadline for a bot that gives it again, an end for one that does not. */
const PATIENCE = 60_000

/**
 * Brings a fresh process to where its forerunner was, by sending it again all that was sent since that one's start. `records`
 * are the bot's matches so far, in order. Returns the key of the first match in which it answered otherwise than before, if it
 * did: the bot is not deterministic.
 */
export async function replayHistory(
  bot: SeatedBot,
  name: string,
  of: HistoryOf,
  records: readonly MatchRecord[],
): Promise<string | undefined> {
  const began = records.findLastIndex((record) => wasStopped(of, record, name)) + 1
  let differs: string | undefined
  for (const record of records.slice(began)) {
    if (!(await isSameAgain(bot, name, of, record))) differs ??= record.key ?? ''
  }
  return differs
}

/** Whether any bot's process may have been ended in a match. */
export const isAnyTroubled = ({ ready, steps }: MatchRecord): boolean =>
  ready.length > 0 ||
  steps.some((step) => step.some(([, output]) => typeof output !== 'string' && output.trouble !== undefined))

/** Whether a bot's process was ended in a match, to be started again for its next one. A module is never stopped. */
export function wasStopped({ definition, contest }: HistoryOf, record: MatchRecord, name: string): boolean {
  let forgiven = contest.limits['late'] ?? 0
  const context = judgeContext(definition, record)
  const seat = seatOf(record, name)
  if (wireAt(context, seat).transport === 'module') return false
  return (
    unreadyOf(context, record.ready).has(seat) ||
    record.steps.some((step) =>
      step.some(
        ([who, output]) =>
          who === seat &&
          typeof output !== 'string' &&
          output.trouble !== undefined &&
          !(output.trouble === 'timeout' && forgiven-- > 0),
      ),
    )
  )
}

/** Leads a bot through a match again, from its beginning to its end. Returns whether all its answers were the same. */
async function isSameAgain(
  bot: SeatedBot,
  name: string,
  { definition, contest }: HistoryOf,
  record: MatchRecord,
): Promise<boolean> {
  const replaying = { definition, record, seat: seatOf(record, name), limits: contest.limits, limit: PATIENCE }
  let same = true
  for await (const { output, recorded } of replayAsSeat(bot, replaying))
    // The run was ended meanwhile: these are no answers of its.
    if (output !== CLOSED) same &&= agree(output, recorded)
  return same
}

/** An answer that came too late then gets the time that it needs now. */
const agree = (now: BotOutput, then: BotOutput | undefined): boolean =>
  (then?.trouble !== undefined && faultOf(then.trouble).byClock) ||
  (now.out === then?.out && now.trouble === then?.trouble)

function seatOf(record: MatchRecord, name: string): Seat {
  return record.seats.findIndex((seat) => seat.entrant === name)
}
