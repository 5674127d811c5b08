import { type GameDefinition, type MatchRecord, type Run, isFault, wiresOf } from '../../core/index.js'
import { BotFactory, type Seatable } from '../../engine/index.js'
import { replayAsSeat } from '../../match/index.js'
import { type Context, whenAborted } from '../context.js'
import type { IsolationOptions } from '../machine.js'
import { type Rooms, roomsFolder } from '../workspace.js'

/** Milliseconds for an answer: the time of the one in the record is not judged again. */
const ANSWER_MS = 60_000

type Bot = ReturnType<BotFactory['bot']>

/** Which matches bots are led through, and how they are held. */
export interface LedOptions extends IsolationOptions {
  /** The run; absent: the contest's latest. */
  readonly run?: string
  /** The file of a game that does not come with agon. */
  readonly game?: string
}

/** Leads bots through matches that were played: each is sent and asked what a seat of the record was. To be closed. */
export class Replayer {
  private readonly rooms: Rooms
  private readonly factory: BotFactory
  private readonly bots = new Map<Bot, string>()
  private readonly deaf: () => void

  /** `run`: what the matches have in common. */
  constructor(
    private readonly definition: GameDefinition,
    private readonly run: { readonly seed: string; readonly contest: Pick<Run['contest'], 'options' | 'limits'> },
    private readonly context: Context,
  ) {
    const { seed, contest } = run
    const { workspace, notice, signal } = context
    this.rooms = roomsFolder(workspace)
    const wires = wiresOf(definition, contest.options)
    this.factory = new BotFactory({ seed, wires, rooms: this.rooms.folder, limits: contest.limits, note: notice })
    this.deaf = whenAborted(signal, () => void this.end().catch(() => undefined))
  }

  /** Starts a bot for the life of this key. */
  start(entrant: Seatable, key: string): Bot {
    const bot = this.factory.bot(entrant, key)
    this.bots.set(bot, entrant.wire)
    return bot
  }

  async end(bots: readonly Bot[] = [...this.bots.keys()]): Promise<void> {
    await Promise.all(bots.map((bot) => bot.close()))
    for (const bot of bots) this.bots.delete(bot)
  }

  /**
   * What a bot moves in a seat of a match, and what was moved then, a fault as words; `step` counts from 0, and `faulty`: what it does now
   * is a fault. A caller may stop at any move.
   */
  async *moves(bot: Bot, record: MatchRecord, seat: number) {
    const { signal } = this.context
    signal?.throwIfAborted()
    const { limits } = this.run.contest
    const replaying = { definition: this.definition, record, seat, wire: this.bots.get(bot), limits, limit: ANSWER_MS }
    for await (const reply of replayAsSeat(bot, replaying)) {
      signal?.throwIfAborted()
      if (reply.asks === 'ready') continue
      const [was = '', now = ''] = [reply.was, reply.now].map((move) =>
        isFault(move) ? `a fault (${move.fault})` : move,
      )
      yield { step: reply.step, was, now, faulty: isFault(reply.now) }
    }
  }

  async close(): Promise<void> {
    this.deaf()
    await this.end()
    this.rooms.remove()
  }
}
