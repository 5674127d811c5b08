import {
  type Answer,
  type GameDefinition,
  type Legal,
  type Move,
  type Player,
  type Question,
  botSeed,
  drawAction,
} from '../../core/index.js'
import { chanceOf } from '../../bots/index.js'

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
 * everybody then plays at random.
 */
export class Sparring implements Player {
  private readonly chance

  /** `position`: in the match that is played now; undefined: it is not patient. */
  constructor(
    private readonly definition: GameDefinition,
    seed: string,
    private readonly position: () => Position | undefined,
  ) {
    this.chance = chanceOf(() => botSeed(seed, 'sparring', 'check'))
  }

  async ask({ view, legal: legalOf }: Question): Promise<Answer> {
    const legal = legalOf?.(view) ?? this.definition.game.legal(view)
    const position = this.position()
    const action = position === undefined || position.step >= LASTS ? this.any(legal) : this.patient(position, legal)
    return { output: { out: action }, wallUs: 0 }
  }
  async ready(): Promise<Answer> {
    return { output: {}, wallUs: 0 }
  }
  async begin(): Promise<void> {
    // It has no life of its own.
  }
  async end(): Promise<void> {
    // Nothing was started.
  }
  send(): void {
    // It plays at random.
  }
  dismiss(): void {
    // It is never late.
  }

  private any(legal: Legal): string {
    return drawAction(legal, (n) => this.chance.below(n)) ?? ''
  }

  private patient(position: Position, legal: Legal): string {
    const tried = [...new Set(Array.from({ length: TRIED.actions }, () => this.any(legal)))]
    const lasting = tried.map((action) => {
      const steps = Array.from({ length: TRIED.times }, () => this.steps(position, action))
      return steps.reduce((sum, each) => sum + each, 0)
    })
    return tried[lasting.indexOf(Math.max(...lasting))] ?? ''
  }

  /** So many steps more a match lasts after this action, if it is played on at random; as far as that matters. */
  private steps({ state, seat, seats, step }: Position, action: string): number {
    const { game } = this.definition
    let next = state
    for (let steps = 0; ; steps++) {
      const now = next
      const due = game.toMove(now)
      if (due.length === 0 || step + steps >= LASTS) return steps
      const moves = Array.from({ length: seats }, (_, each): Move<string> | undefined => {
        if (!due.includes(each)) return undefined
        return steps === 0 && each === seat ? action : this.any(game.legal(game.view(now, each)))
      })
      next = game.play(now, moves)
    }
  }
}
