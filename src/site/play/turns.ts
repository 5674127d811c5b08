/** Whose turn something takes: that of an address, and that of a person. */
export type Takers = readonly [address: string, person: string]

/** In which turn those come who wait: addresses take turns, and so do the people of an address. Nothing waits for ever. */
export class Turns<T> {
  /** By address and by person: which turn they had last. */
  private readonly last = new Map<string, number>()
  private turn = 0

  constructor(private readonly takersOf: (one: T) => Takers) {}

  /** Whose turn it is; undefined: nobody waits. */
  next(waiting: Iterable<T>): T | undefined {
    const next = this.earliest(waiting, this.last)
    if (next !== undefined) this.take(next, this.turn++, this.last)
    return next
  }

  /** All who wait, in the order in which their turns come if nobody else does. */
  order(waiting: Iterable<T>): readonly T[] {
    const last = new Map(this.last)
    const left = new Set(waiting)
    const order: T[] = []
    for (let turn = this.turn; left.size > 0; turn++) {
      const next = this.earliest(left, last)
      if (next === undefined) break
      left.delete(next)
      order.push(next)
      this.take(next, turn, last)
    }
    return order
  }

  /** Nobody waits and nothing is under way: who had turns is forgotten. */
  clear(): void {
    this.last.clear()
  }

  private take(one: T, turn: number, last: Map<string, number>): void {
    for (const who of this.takersOf(one)) last.set(who, turn)
  }

  private earliest(waiting: Iterable<T>, last: ReadonlyMap<string, number>): T | undefined {
    let next: T | undefined
    for (const one of waiting) if (next === undefined || this.isEarlier(one, next, last)) next = one
    return next
  }

  /** Whether an address, or on the same address a person, had the last turn longer ago than another. */
  private isEarlier(one: T, other: T, last: ReadonlyMap<string, number>): boolean {
    const [a, b] = [one, other].map((each) => this.takersOf(each).map((who) => last.get(who) ?? -1))
    const [address = 0, person = 0] = a ?? []
    const [otherAddress = 0, otherPerson = 0] = b ?? []
    return address === otherAddress ? person < otherPerson : address < otherAddress
  }
}

/** Of something that a contestant of a contest has asked for; `from`: the address, where it is known. */
export function takersOf(
  { contest, contestant }: { readonly contest: string; readonly contestant: number },
  from: string | undefined,
): Takers {
  const person = `${contest} ${contestant}`
  return [from === undefined ? person : `from ${from}`, person]
}
