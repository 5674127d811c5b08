import { type GameDefinition, type Luck, type MatchRecord, type Move, unpackOutput } from '../../core/index.js'
import { type PlayedSoFar, Position, judgeContext, unreadyOf } from '../../match/index.js'

/** Why a match is not shown while it is played: its game hides things, or chance has been drawn that others may be dealt too. */
export type SealReason = 'hidden' | 'chance'

/**
 * Follows a match by its game's rules while it is played, for as long as nothing of it is secret. A game that says how its hidden
 * part is dealt anew (`resample`) hides something: nothing of its matches is shown. Chance that was drawn is dealt to all matches of a deal: from the first
 * draw on nothing is shown.
 */
export class Following {
  sealed: SealReason | undefined
  /** Those that may be shown, the first position included. */
  readonly states: unknown[] = []
  readonly moves: (readonly (Move<string> | null)[])[] = []
  private readonly position: Position | undefined
  private readonly isDrawn: () => boolean

  /** Throws what the game throws. */
  constructor(
    private readonly definition: GameDefinition,
    { luck, ready, ...match }: Omit<PlayedSoFar, 'steps' | 'times'>,
  ) {
    const watched = watchedLuck(luck)
    this.isDrawn = watched.isDrawn
    if (definition.game.resample !== undefined) {
      this.sealed = 'hidden'
      return
    }
    const context = judgeContext(definition, { ...match, luck })
    this.position = new Position(context, { ...match, luck: watched.luck })
    this.position.unready = unreadyOf(context, ready)
    this.look()
  }

  /** Takes the next steps. Throws what the game throws. */
  take(steps: MatchRecord['steps']): void {
    const { position, definition } = this
    for (const step of steps) {
      if (position === undefined || this.sealed !== undefined) return
      const moves = position.noMoves()
      for (const [seat, output] of step)
        moves[seat] = position.move(seat, unpackOutput(output), definition.game.view(position.state, seat))
      position.play(moves)
      if (this.look()) this.moves.push(moves.map((move) => move ?? null))
    }
  }

  /** Whether the position that was reached may be shown. */
  private look(): boolean {
    if (this.isDrawn()) this.sealed = 'chance'
    else this.states.push(this.position?.state)
    return this.sealed === undefined
  }
}

/** A luck that knows whether anything was drawn of it: each draw reads its seed. */
function watchedLuck({ seed, ...rest }: Luck): { readonly luck: Luck; readonly isDrawn: () => boolean } {
  let drawn = false
  const luck = {
    ...rest,
    get seed() {
      drawn = true
      return seed
    },
  }
  return { luck, isDrawn: () => drawn }
}
