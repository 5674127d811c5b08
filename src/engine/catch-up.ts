import type { GameKit, Heard, MatchRecord, Seat } from '../core/index.js'
import { benchOf, meAt, unreadyOf, walk, wireAt } from '../match/index.js'
import type { Bot } from '../wires/index.js'

/** No deadline: the bot has already answered in time. */
const NO_LIMIT = Number.POSITIVE_INFINITY

/**
 * Brings a fresh process to where its forerunner was, by saying to it again all that was said since that one's start. `records`
 * are the bot's matches so far, in order. Calls `differs` with a match's key where an answer is another than it was: the bot is
 * not deterministic.
 */
export async function catchUp(
  bot: Bot,
  name: string,
  kit: GameKit,
  records: readonly MatchRecord[],
  differs: (key: string) => void,
): Promise<void> {
  for (const record of sinceStart(kit, name, records)) await sayAgain(bot, name, kit, record, differs)
}

/** The matches since the process was last started: one that was in trouble was started again for its next match. */
function sinceStart(kit: GameKit, name: string, records: readonly MatchRecord[]): readonly MatchRecord[] {
  const fell = records.findLastIndex((record) => {
    const seat = seatOf(record, name)
    const unready = unreadyOf(benchOf(kit, record), record.ready).has(seat)
    return (
      unready ||
      record.steps.some((step) =>
        step.some(([who, heard]) => who === seat && typeof heard !== 'string' && heard.trouble !== undefined),
      )
    )
  })
  return records.slice(fell + 1)
}

async function sayAgain(
  bot: Bot,
  name: string,
  kit: GameKit,
  record: MatchRecord,
  differs: (key: string) => void,
): Promise<void> {
  const bench = benchOf(kit, record)
  const seat = seatOf(record, name)
  const wire = wireAt(bench, seat)
  const me = meAt(bench, seat)
  const key = record.key ?? ''
  const view = (state: unknown) => kit.game.view(state, seat)
  const compare = (now: Heard, then: Heard | undefined) => {
    if (now.out !== then?.out || now.trouble !== undefined) differs(key)
  }
  await bot.begin(key)
  if (wire.ready?.at === 'match') {
    const { heard } = await bot.ready(wire.ready.say, NO_LIMIT)
    compare(heard, record.ready.find(([who]) => who === seat)?.[1])
  }
  let state = kit.game.setup(record.seats.length, record.options, record.luck)
  const start = wire.start?.(view(state), me)
  if (start) await bot.tell(start)
  let number = 0
  for (const step of walk(kit, record)) {
    const before = view(step.before)
    const then = step.heard.get(seat)
    if (then !== undefined)
      compare(
        (await bot.ask({ say: wire.ask(before, me), view: before, number: number++, limit: NO_LIMIT })).heard,
        then,
      )
    state = step.after
    const told = wire.told?.(view(state), me)
    if (told) await bot.tell(told)
  }
  const end = wire.end?.(view(state), record.outcome, me)
  if (end) await bot.tell(end)
  await bot.end()
}

function seatOf(record: MatchRecord, name: string): Seat {
  return record.seats.findIndex((seat) => seat.entrant === name)
}
