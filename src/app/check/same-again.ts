import { type GameDefinition, type MatchRecord, visible } from '../../core/index.js'
import type { BuiltEntrant } from '../../build/index.js'
import { seatable } from '../../engine/seating.js'
import { Replayer } from '../compare/replayer.js'
import type { Context } from '../context.js'
import { type MatchHostSetting, forgetful } from '../match-host.js'
import type { StepReport } from './trial.js'

/**
 * Leads a bot that is declared deterministic through a match that it has played, with another chance than then: it has to give the same
 * answers.
 */
export async function sameAgainStep(
  definition: GameDefinition,
  bot: BuiltEntrant,
  { record, setting }: { readonly record: MatchRecord; readonly setting: MatchHostSetting },
  context: Context,
): Promise<StepReport> {
  const replayer = new Replayer(definition, { seed: `${setting.seed} again`, contest: setting }, context)
  const seat = record.seats.findIndex(({ entrant }) => entrant === bot.name)
  const lines: string[] = []
  try {
    const player = replayer.start(seatable(forgetful(bot), setting.isolation, setting.limits), 'again')
    for await (const { step, was, now } of replayer.moves(player, record, seat)) {
      if (was === now) continue
      lines.push(`turn ${step + 1} of match 1: it answered ${visible(was)}, and now ${visible(now)}`)
      break
    }
  } finally {
    await replayer.close()
  }
  return { name: 'it answers the same when it is sent the same, as it declares', ok: lines.length === 0, lines }
}
