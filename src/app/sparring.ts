import type { Answer, GameDefinition, Player, Question } from '../core/index.js'
import { chanceOf } from '../bots/index.js'

/** A random opponent in this process. */
export class Sparring implements Player {
  private readonly chance

  constructor(
    private readonly definition: GameDefinition,
    seed: number,
  ) {
    this.chance = chanceOf(() => seed)
  }

  async ask({ view }: Question): Promise<Answer> {
    const legal = this.definition.game.legal(view)
    return { output: { out: legal[this.chance.below(legal.length)] ?? '' }, wallUs: 0 }
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
}
