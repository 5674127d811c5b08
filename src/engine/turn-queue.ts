/** Whose turn something takes: that of an address, where it is known, and that of a person. */
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
 * Work that people ask for, of which so many pieces are done at once. Addresses take turns, and so do the people of an address: many
 * pieces of a few, each of which takes long, keep nobody else's waiting, and nothing waits for ever. To be closed.
 */
export class TurnQueue<T extends Taker> {
  /** In the order in which their turns come if nobody else does. */
  private waiting: readonly T[] = []
  /** By address and by person: which turn they had last. */
  private readonly last = new Map<string, number>()
  private turn = 0
  private readonly busy = new Set<Promise<void>>()
  private isClosed = false

  constructor(
    private readonly atOnce: number,
    /** Does a piece, and does not reject. */
    private readonly work: (piece: T) => Promise<void>,
  ) {}

  push(piece: T): void {
    this.waiting = this.ordered([...this.waiting, piece])
    this.fill()
  }

  /** How many pieces are begun before one; undefined: it does not wait. */
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
    // Nothing waits and nothing is under way: who had turns is forgotten.
    if (this.busy.size === 0) this.last.clear()
  }

  /** First comes whose address, or on the same address whose person, had the last turn the longest ago; who came first if none is earlier. */
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
