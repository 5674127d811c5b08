import type { MatchRecord } from '../../src/core/index.js'
import type { JobUnderWay, SeenSoFar, UnderWay } from '../../src/engine/index.js'

/** A match that is being played as far as a test says. */
export class Stands implements UnderWay {
  /** That have been played. */
  steps = 0
  over = false

  constructor(
    private readonly record: MatchRecord,
    private readonly began = 1000,
  ) {}

  jobs(): readonly JobUnderWay[] {
    const { key = '', seats } = this.record
    const pairing = { key, seats: seats.map((_, seat) => seat), deal: 1 }
    return this.over ? [] : [{ job: { key, pairings: [pairing] }, began: this.began }]
  }

  async played(): Promise<number> {
    return 0
  }

  async look(_: string, seen?: SeenSoFar) {
    if (this.over) return undefined
    const { outcome: _end, times = [], steps, ...fixture } = this.record
    const from = seen?.began === this.began ? seen.steps : 0
    const now = { steps: steps.slice(from, this.steps), times: times.slice(from, this.steps) }
    return { ...fixture, ...now, from, began: this.began }
  }
}
