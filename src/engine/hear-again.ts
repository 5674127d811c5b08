import type { GameKit, MatchRecord, Move, Seat } from '../core/index.js'
import { benchOf, freeze, meAt, moveOf, unreadyOf, walk, wireAt } from '../match/index.js'
import type { Bot } from '../bots/index.js'

/** What was moved then, and what a bot moves now, asked the same. */
export interface Reply {
  /** Steps counted from 0. */
  readonly step: number
  readonly view: unknown
  readonly was: Move<string>
  readonly now: Move<string>
}

/**
 * Leads a bot through a recorded match in a seat: it is told and asked all that this seat was, whatever it answers, over a wire of
 * its own. Yields its replies in order; whoever has heard enough may leave. Times are not judged: `limit` milliseconds an answer
 * are for a bot that does not end. Throws RecordError where the rules no longer follow the record.
 */
export async function* repliesOf(
  bot: Bot,
  wireName: string,
  seat: Seat,
  kit: GameKit,
  record: MatchRecord,
  limit: number,
): AsyncGenerator<Reply, void> {
  const seats = record.seats.map((one, i) => (i === seat ? { ...one, wire: wireName } : one))
  const bench = benchOf(kit, { ...record, seats })
  const wire = wireAt(bench, seat)
  const me = meAt(bench, seat)
  const view = (state: unknown) => freeze(kit.game.view(state, seat))
  await bot.begin(record.key ?? '')
  try {
    const ready = wire.ready?.at === 'match' ? [[seat, (await bot.ready(wire.ready.say, limit)).heard] as const] : []
    const unready = unreadyOf(bench, ready)
    let state = kit.game.setup(record.seats.length, record.options, record.luck)
    const start = wire.start?.(view(state), me)
    if (start) await bot.tell(start)
    let number = 0
    let step = 0
    for (const { before, moves, after } of walk(kit, record)) {
      const was = moves[seat]
      if (was !== undefined) {
        const seen = view(before)
        const { heard } = await bot.ask({ say: wire.ask(seen, me), view: seen, number: number++, limit })
        yield { step, view: seen, was, now: moveOf(bench, unready, seat, heard, seen) }
      }
      step++
      state = after
      const told = wire.told?.(view(state), me)
      if (told) await bot.tell(told)
    }
    const end = wire.end?.(view(state), record.outcome, me)
    if (end) await bot.tell(end)
  } finally {
    await bot.end()
  }
}
