import type { Move } from '../../src/core/index.js'
import type { Action } from '../../src/games/coup/cards.js'
import { OPTIONS } from '../../src/games/coup/options.js'
import type { CoupOptions } from '../../src/games/coup/options.js'
import { coup } from '../../src/games/coup/rules.js'
import type { State } from '../../src/games/coup/rules.js'

/** A game of coup whose cards are known: they are drawn in that order, two for each seat first. */
export function deal(cards: string, options: Partial<CoupOptions> = {}): State {
  return coup.setup(2, { ...OPTIONS, ...options }, { seed: '', at: 0, tape: [...cards] })
}

/** Plays decisions one after the other, whichever seat is asked. */
export function decide(state: State, ...moves: readonly Move<Action>[]): State {
  return moves.reduce(
    (now, move) => coup.play(now, coup.toMove(now)[0] === 1 ? [undefined, move] : [move, undefined]),
    state,
  )
}
