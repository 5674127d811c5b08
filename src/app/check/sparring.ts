import {
  type AnyGame,
  type GameDefinition,
  type Legal,
  type Move,
  type Player,
  botSeed,
  drawAction,
} from '../../core/index.js'
import { modulePlayer } from '../../bots/module-player.js'

/** What a sparring partner knows of its match, which no bot does: the game's state, and its seat. */
export interface Position {
  readonly state: unknown
  readonly seat: number
  readonly seats: number
  /** Counted from 0. */
  readonly step: number
}

/** Until this step a patient partner keeps the match going, so that a bot is seen beyond its first turns. */
export const LASTS = 12
/** Actions that are tried, and how often each. */
const TRIED = { actions: 8, times: 4 }

/**
 * A random opponent in this process. A patient one takes, in the first steps, whichever action of some lets the match last longest if
 * everybody then plays at random. `position`: in the match that is played now; undefined: it is not patient.
 */
export function sparringPartner({ game }: GameDefinition, seed: string, position: () => Position | undefined): Player {
  return modulePlayer(
    (_view, chance, legal) => {
      const draw = (actions: Legal): string => drawAction(actions, (n) => chance.below(n)) ?? ''
      const now = position()
      if (now === undefined || now.step >= LASTS) return draw(legal)
      const tried = [...new Set(Array.from({ length: TRIED.actions }, () => draw(legal)))]
      const lasting = tried.map((action) => {
        let steps = 0
        for (let time = 0; time < TRIED.times; time++) steps += stepsAfter(game, now, action, draw)
        return steps
      })
      return tried[lasting.indexOf(Math.max(...lasting))] ?? ''
    },
    botSeed(seed, 'sparring', 'check'),
  )
}

/** So many steps more a match lasts after this action, if it is played on at random; as far as that matters. */
function stepsAfter(
  game: AnyGame,
  { state, seat, seats, step }: Position,
  action: string,
  draw: (legal: Legal) => string,
): number {
  let now = state
  for (let steps = 0; ; steps++) {
    const due = game.toMove(now)
    if (due.length === 0 || step + steps >= LASTS) return steps
    const before = now
    const moves = Array.from({ length: seats }, (_, each): Move<string> | undefined => {
      if (!due.includes(each)) return undefined
      return steps === 0 && each === seat ? action : draw(game.legal(game.view(before, each)))
    })
    now = game.play(now, moves)
  }
}
