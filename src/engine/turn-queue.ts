/** Whose turn something takes: an address's, where known, and a person's. */
interface Taker {
  readonly contest: string
  readonly contestant: number
  readonly from?: string
}
function namesOf({ contest, contestant, from }: Taker): readonly [address: string, person: string] {
  const person = `${contest} ${contestant}`
  return [from === undefined ? person : `from ${from}`, person]
}

/**
 * People's requested work, so many pieces at once. Addresses take turns, and so do an address's people: a few people's many long
 * pieces keep nobody else waiting, and nothing waits for ever. To be closed.
 */
export class TurnQueue<T extends Taker> {
  /** In the order of their turns if nobody else comes. */
  private waiting: readonly T[] = []
  /** By address and by person: their last turn. */
  private readonly last = new Map<string, number>()
  private turn = 0
  private readonly busy = new Set<Promise<void>>()
  private isClosed = false

  constructor(
    private readonly atOnce: number,
    /** Does a piece; never rejects. */
    private readonly work: (piece: T) => Promise<void>,
  ) {}

  push(piece: T): void {
    this.waiting = this.ordered([...this.waiting, piece])
    this.fill()
  }

  /** How many pieces come before one; undefined: it does not wait. */
  before(isMeant: (piece: T) => boolean): number | undefined {
    const at = this.waiting.findIndex(isMeant)
    return at < 0 ? undefined : at
  }

  /** Begins nothing more. Resolves once nothing is under way. */
  async close(): Promise<void> {
    this.isClosed = true
    await Promise.all(this.busy)
  }

  private fill(): void {
    while (this.busy.size < this.atOnce && !this.isClosed) {
      const [next, ...others] = this.waiting
      if (next === undefined) break
      this.waiting = others
      for (const name of namesOf(next)) this.last.set(name, this.turn)
      this.turn++
      const work = this.work(next).finally(() => {
        this.busy.delete(work)
        this.fill()
      })
      this.busy.add(work)
    }
    // Nothing waits: who had turns is forgotten.
    if (this.busy.size === 0) this.last.clear()
  }

  /** Who had the last turn the longest ago, by address, then by person on it; else first come, first served. */
  private ordered(pieces: readonly T[]): readonly T[] {
    const last = new Map(this.last)
    const before = (name: string): number => last.get(name) ?? -1
    const left = pieces.map((piece) => ({ piece, names: namesOf(piece) }))
    const order: T[] = []
    for (let turn = this.turn; ; turn++) {
      left.sort(({ names: a }, { names: b }) => before(a[0]) - before(b[0]) || before(a[1]) - before(b[1]))
      const next = left.shift()
      if (next === undefined) return order
      order.push(next.piece)
      for (const name of next.names) last.set(name, turn)
    }
  }
}
