import { type GameDefinition, type MatchRecord, type Move, type Run, isFault, wiresOf } from '../../core/index.js'
import { BotFactory, type Seatable } from '../../engine/index.js'
import { replayAsSeat } from '../../match/index.js'
import { type Context, whenAborted } from '../context.js'
import type { IsolationOptions } from '../machine.js'
import { roomsFolder } from '../workspace.js'

/** Milliseconds for an answer: the time of the one in the record is not judged again. */
const ANSWER_MS = 60_000

type Bot = ReturnType<BotFactory['bot']>

export interface LedOptions extends IsolationOptions {
  /** The run; absent: the contest's latest. */
  readonly run?: string
  /** The file of a game that does not come with agon. */
  readonly game?: string
}

/** Leads bots through matches that were played: each is sent and asked what a seat of the record was. To be closed. `run`: what the matches have in common. */
export function replayerOf(
  definition: GameDefinition,
  run: { readonly seed: string; readonly contest: Pick<Run['contest'], 'options' | 'limits'> },
  { workspace, notice, signal }: Context,
) {
  const { options, limits } = run.contest
  const rooms = roomsFolder(workspace)
  const wires = wiresOf(definition, options)
  const factory = new BotFactory({ seed: run.seed, wires, rooms: rooms.folder, limits, note: notice })
  const bots = new Map<Bot, string>()
  async function end(ending: readonly Bot[] = [...bots.keys()]): Promise<void> {
    await Promise.all(ending.map((bot) => bot.close()))
    for (const bot of ending) bots.delete(bot)
  }
  const deaf = whenAborted(signal, () => void end().catch(() => undefined))
  return {
    end,
    /** Starts a bot for the life of this key. */
    start(entrant: Seatable, key: string): Bot {
      const bot = factory.bot(entrant, key)
      bots.set(bot, entrant.wire)
      return bot
    },
    /** What a bot moves in a seat of a match, and what was moved then, a fault as words; `step` counts from 0. A caller may stop at any move. */
    async *moves(bot: Bot, record: MatchRecord, seat: number) {
      signal?.throwIfAborted()
      const replaying = { definition, record, seat, wire: bots.get(bot), limits, limit: ANSWER_MS }
      for await (const reply of replayAsSeat(bot, replaying)) {
        signal?.throwIfAborted()
        if (reply.asks === 'ready') continue
        const words = (move: Move<string>) => (isFault(move) ? `a fault (${move.fault})` : move)
        yield { step: reply.step, was: words(reply.was), now: words(reply.now), faulty: isFault(reply.now) }
      }
    },
    async close(): Promise<void> {
      deaf()
      await end()
      rooms.release()
    },
  }
}
