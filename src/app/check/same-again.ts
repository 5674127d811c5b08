import { type GameDefinition, type MatchRecord, isFault, visible, wiresOf } from '../../core/index.js'
import type { BuiltEntrant } from '../../build/index.js'
import { BotFactory } from '../../engine/index.js'
import { replayAsSeat } from '../../match/index.js'
import { seatable } from '../../engine/seating.js'
import { type Context, whenAborted } from '../context.js'
import { ANSWER_MS } from '../compare/diff.js'
import { type MatchHostSetting, forgetful } from '../match-host.js'
import { roomsFolder } from '../workspace.js'
import type { StepReport } from './trial.js'

/**
 * Leads a bot that is declared deterministic through a match that it has played, with another chance than then: it has to give the same
 * answers.
 */
export async function sameAgainStep(
  definition: GameDefinition,
  bot: BuiltEntrant,
  { record, setting }: { readonly record: MatchRecord; readonly setting: MatchHostSetting },
  { workspace, notice, signal }: Context,
): Promise<StepReport> {
  const { options, limits, isolation } = setting
  const rooms = roomsFolder(workspace)
  const wires = wiresOf(definition, options)
  const factory = new BotFactory({ seed: `${setting.seed} again`, wires, rooms: rooms.folder, limits, note: notice })
  const player = factory.bot(seatable(forgetful(bot), isolation, limits), 'again')
  const off = whenAborted(signal, () => void player.close().catch(() => undefined))
  const seat = record.seats.findIndex(({ entrant }) => entrant === bot.name)
  const lines: string[] = []
  try {
    for await (const reply of replayAsSeat(player, { definition, record, seat, limits, limit: ANSWER_MS })) {
      signal?.throwIfAborted()
      if (reply.asks === 'ready') continue
      const [was, now] = [reply.was, reply.now].map((move) => (isFault(move) ? move.fault : move))
      if (was === now) continue
      lines.push(`turn ${reply.step + 1} of match 1: it answered ${visible(was ?? '')}, and now ${visible(now ?? '')}`)
      break
    }
  } finally {
    off()
    await player.close()
    rooms.remove()
  }
  return { name: 'it answers the same when it is sent the same, as it declares', ok: lines.length === 0, lines }
}
