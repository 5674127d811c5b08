import { type GameDefinition, type MatchRecord, type Move, unpackOutput } from '../core/index.js'
import { type PlayedSoFar, Position, isChanceless, judgeContext, unreadyOf } from '../match/index.js'

/** Why a match is not shown while it is played: its game hides things, or it has chance. */
export type SealReason = 'hidden' | 'chance'

/**
 * Follows a match by its game's rules while it is played, if nothing of it is secret. A game that says how its hidden part is dealt anew
 * (`resample`) hides something, and chance is dealt to all matches of a deal: nothing is shown of such a match.
 */
export class Following {
  readonly sealed: SealReason | undefined
  /** The first position included. */
  readonly states: unknown[] = []
  readonly moves: (readonly (Move<string> | null)[])[] = []
  private readonly position: Position | undefined

  /** Throws what the game throws. */
  constructor(
    private readonly definition: GameDefinition,
    { ready, ...match }: Omit<PlayedSoFar, 'steps' | 'times'>,
  ) {
    const isHidden = definition.game.resample !== undefined
    if (isHidden || !isChanceless(definition, match.options, match.seats.length)) {
      this.sealed = isHidden ? 'hidden' : 'chance'
      return
    }
    const context = judgeContext(definition, match)
    this.position = new Position(context, match)
    this.position.unready = unreadyOf(context, ready)
    this.states.push(this.position.state)
  }

  /** Takes the next steps. Throws what the game throws. */
  take(steps: MatchRecord['steps']): void {
    const { position, definition } = this
    if (position === undefined) return
    for (const step of steps) {
      const moves = position.noMoves()
      for (const [seat, output] of step)
        moves[seat] = position.move(seat, unpackOutput(output), definition.game.view(position.state, seat))
      position.play(moves)
      this.states.push(position.state)
      this.moves.push(moves.map((move) => move ?? null))
    }
  }
}
