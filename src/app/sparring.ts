import type { Answer, GameKit, Player, Question } from '../core/index.js'
import { chanceOf } from '../bots/index.js'

/** A random opponent in this process. */
export class Sparring implements Player {
  private readonly chance

  constructor(
    private readonly kit: GameKit,
    seed: number,
  ) {
    this.chance = chanceOf(seed)
  }

  async ask({ view }: Question): Promise<Answer> {
    const legal = this.kit.game.legal(view)
    return { heard: { out: legal[this.chance.below(legal.length)] ?? '' }, wallUs: 0 }
  }
  async ready(): Promise<Answer> {
    return { heard: {}, wallUs: 0 }
  }
  async begin(): Promise<void> {
    // It has no life of its own.
  }
  async end(): Promise<void> {
    // Nothing was started.
  }
  tell(): void {
    // It plays at random.
  }
  dismiss(): void {
    // It is never late.
  }
}
