/** Whose turn something takes: that of an address, where it is known, and that of a person. */
interface Taker {
  readonly contest: string
  readonly contestant: number
  readonly from?: string
}

/** What an address, or a person of one, is known by. */
function namesOf({ contest, contestant, from }: Taker): readonly [address: string, person: string] {
  const person = `${contest} ${contestant}`
  return [from === undefined ? person : `from ${from}`, person]
}

/**
 * Work that people ask for, of which so many pieces are done at once. Addresses take turns, and so do the people of an address: many
 * pieces of a few, each of which takes long, keep nobody else's waiting, and nothing waits for ever. To be closed.
 */
export class TurnQueue<T extends Taker> {
  private waiting: readonly T[] = []
  /** By address and by person: which turn they had last. */
  private readonly last = new Map<string, number>()
  private turn = 0
  private readonly busy = new Set<Promise<void>>()
  /** Who waits, in the order in which their turns come if nobody else does; undefined: that has changed since. */
  private order: readonly T[] | undefined
  private isClosed = false

  constructor(
    private readonly atOnce: number,
    /** Does a piece, and does not reject. */
    private readonly work: (piece: T) => Promise<void>,
  ) {}

  push(piece: T): void {
    this.waiting = [...this.waiting, piece]
    this.order = undefined
    this.fill()
  }

  /** How many pieces are begun before one; undefined: it does not wait. */
  before(isMeant: (piece: T) => boolean): number | undefined {
    this.order ??= this.ordered()
    const at = this.order.findIndex(isMeant)
    return at < 0 ? undefined : at
  }

  /** Begins nothing more. Resolves once nothing is under way. */
  async close(): Promise<void> {
    this.isClosed = true
    await Promise.all(this.busy)
  }

  private fill(): void {
    while (this.busy.size < this.atOnce && !this.isClosed) {
      const next = earliest(this.waiting, this.last)
      if (next === undefined) {
        // Nothing waits and nothing is under way: who had turns is forgotten.
        if (this.busy.size === 0) this.last.clear()
        return
      }
      for (const name of namesOf(next)) this.last.set(name, this.turn)
      this.turn++
      this.waiting = this.waiting.filter((piece) => piece !== next)
      this.order = undefined
      const work = this.work(next).finally(() => {
        this.busy.delete(work)
        this.fill()
      })
      this.busy.add(work)
    }
  }

  private ordered(): readonly T[] {
    const last = new Map(this.last)
    const left = new Set(this.waiting)
    return this.waiting.flatMap((_, n) => {
      const next = earliest(left, last)
      if (next === undefined) return []
      left.delete(next)
      for (const name of namesOf(next)) last.set(name, this.turn + n)
      return [next]
    })
  }
}

/** Whose address, or on the same address whose person, had the last turn the longest ago; who came first if none is earlier. */
function earliest<T extends Taker>(waiting: Iterable<T>, last: ReadonlyMap<string, number>): T | undefined {
  let next: T | undefined
  let nextTurns = [0, 0]
  for (const piece of waiting) {
    const turns = namesOf(piece).map((name) => last.get(name) ?? -1)
    const at = turns[0] === nextTurns[0] ? 1 : 0
    if (next === undefined || (turns[at] ?? 0) < (nextTurns[at] ?? 0)) [next, nextTurns] = [piece, turns]
  }
  return next
}
