import type { GameDefinition, Player } from '../../core/index.js'
import { untilCalm } from '../../engine/index.js'
import { type LiveStep, judge } from '../../match/index.js'
import type { Context } from '../context.js'
import { MatchHost, type MatchTerms, botsOfTerms, entriesNamed } from '../match-host.js'

export type MatchEvent =
  /** All sit, the first turn comes. `start`: a position before it, of any luck. */
  | { readonly type: 'began'; readonly names: readonly string[]; readonly seed: string; readonly start: unknown }
  | { readonly type: 'step'; readonly step: LiveStep }
  /** It was void, and begins anew. */
  | { readonly type: 'again' }

export type MatchResult = Awaited<ReturnType<typeof hostMatch>>

/** A player that is no bot, such as a person; takes the seat behind the bots. */
export interface ExtraPlayer {
  readonly name: string
  /** Called once the bots are ready. */
  sit(seat: number): Player
}

/** Plays one match. `bots`: house bots by their names, files or commands, one a seat. Throws UserError, and the signal's reason. */
export async function hostMatch(
  definition: GameDefinition,
  bots: readonly string[],
  terms: MatchTerms & { readonly guest?: ExtraPlayer; readonly on?: (news: MatchEvent) => void },
  context: Context,
) {
  const entries = entriesNamed(definition, bots, terms.wires)
  const { guest, on = () => undefined } = terms
  const wished = { ...terms, guests: guest ? 1 : 0 }
  const { bots: ready, setting } = await botsOfTerms(definition, entries, wished, context)
  const guests = guest === undefined ? [] : [{ name: guest.name, player: guest.sit(ready.length) }]
  const host = new MatchHost(definition, [...ready.map((bot) => ({ bot })), ...guests], setting, context)
  try {
    const { names } = host
    on({ type: 'began', names, seed: setting.seed, start: host.start() })
    const play = () => host.play({ onStep: (step) => on({ type: 'step', step }), again: () => on({ type: 'again' }) })
    // A person who plays in it waits for a calm machine rather than lose the game.
    const record = await (guest === undefined ? play() : untilCalm(play, context.notice))
    const { moves, faults } = judge(definition, record)
    /** `stderr`: by seat, the end of what it wrote. */
    return { record, names, moves, faults, stderr: names.map((name) => host.stderr(name)) }
  } finally {
    await host.close()
  }
}
