/** Counts of times in classes a hundredth wide: a million of them take no more room than a thousand. */
const STEP = Math.log(1.01)

/** How times are spread: the most exactly, quantiles to one per cent. */
export class Spread {
  private readonly classes = new Map<number, number>()
  n = 0
  max = 0

  add(value: number): void {
    const at = value < 1 ? -1 : Math.floor(Math.log(value) / STEP)
    this.classes.set(at, (this.classes.get(at) ?? 0) + 1)
    this.n++
    this.max = Math.max(this.max, value)
  }

  /** The value that a share of the times does not exceed, such as 0.5 for the median. */
  quantile(share: number): number {
    let left = Math.ceil(share * this.n)
    for (const [at, count] of [...this.classes].sort(([a], [b]) => a - b)) {
      left -= count
      if (left <= 0) return at < 0 ? 0 : Math.min(this.max, Math.round(Math.exp((at + 0.5) * STEP)))
    }
    return this.max
  }
}
