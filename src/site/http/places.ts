/** Whose share of something a place is taken from, and how many places that share has. */
type Share = readonly [whose: string, most: number]

/** How many of something are open at once: in all, of an address, of a person. */
export class Places {
  private readonly taken = new Map<string, number>()

  /** Takes a place of each share. Returns a function that gives them back, once; undefined: a share has none left. */
  take(...shares: readonly Share[]): (() => void) | undefined {
    if (shares.some(([whose, most]) => this.count(whose) >= most)) return undefined
    for (const [whose] of shares) this.taken.set(whose, this.count(whose) + 1)
    let held = true
    return () => {
      if (held) for (const [whose] of shares) this.free(whose)
      held = false
    }
  }

  count(whose: string): number {
    return this.taken.get(whose) ?? 0
  }

  private free(whose: string): void {
    const left = this.count(whose) - 1
    if (left > 0) this.taken.set(whose, left)
    else this.taken.delete(whose)
  }
}
