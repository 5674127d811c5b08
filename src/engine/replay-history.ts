import type { GameKit, Heard, MatchRecord, Seat } from '../core/index.js'
import { benchOf, replayAsSeat, unreadyOf, wireAt } from '../match/index.js'
import type { Bot } from '../bots/index.js'

/** Milliseconds for an answer that was once given in time: no deadline for a bot that gives it again, an end for one that does not. */
const PATIENCE = 60_000

/**
 * Brings a fresh process to where its forerunner was, by saying to it again all that was said since that one's start. `records`
 * are the bot's matches so far, in order. Returns the key of the first match in which it answered otherwise than before, if it
 * did: the bot is not deterministic.
 */
export async function replayHistory(
  bot: Bot,
  name: string,
  kit: GameKit,
  records: readonly MatchRecord[],
): Promise<string | undefined> {
  const began = records.findLastIndex((record) => wasStopped(kit, record, name)) + 1
  let differs: string | undefined
  for (const record of records.slice(began)) {
    if (!(await isSameAgain(bot, name, kit, record))) differs ??= record.key ?? ''
  }
  return differs
}

/** Whether a bot's process was ended in a match, to be started again for its next one. A module is never stopped. */
export function wasStopped(kit: GameKit, record: MatchRecord, name: string): boolean {
  const bench = benchOf(kit, record)
  const seat = seatOf(record, name)
  if (wireAt(bench, seat).transport === 'module') return false
  return (
    unreadyOf(bench, record.ready).has(seat) ||
    record.steps.some((step) =>
      step.some(([who, heard]) => who === seat && typeof heard !== 'string' && heard.trouble !== undefined),
    )
  )
}

/** Leads a bot through a match again, from its beginning to its end. Returns whether all its answers were the same. */
async function isSameAgain(bot: Bot, name: string, kit: GameKit, record: MatchRecord): Promise<boolean> {
  const replaying = { kit, record, seat: seatOf(record, name), limit: PATIENCE }
  let same = true
  for await (const { heard, recorded } of replayAsSeat(bot, replaying)) same &&= agree(heard, recorded)
  return same
}

/** What came too late then is given time now. */
const agree = (now: Heard, then: Heard | undefined): boolean =>
  then?.trouble === 'timeout' || (now.out === then?.out && now.trouble === then?.trouble)

function seatOf(record: MatchRecord, name: string): Seat {
  return record.seats.findIndex((seat) => seat.entrant === name)
}
