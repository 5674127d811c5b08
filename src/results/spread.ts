/** Times stand in classes a hundredth wide: a million of them take no more room than a thousand. */
const STEP = Math.log(1.01)

/** The class of a time of so many microseconds, from 0 for less than one. */
function timeClass(time: number): number {
  const at = known[time]
  // Of what is no whole number, or too long, there is none.
  if (at !== undefined && at > 0) return at
  const fresh = time < 1 ? 0 : Math.floor(Math.log(time) / STEP) + 1
  if (at !== undefined) known[time] = fresh
  return fresh
}

/** Classes of times that were asked for: a logarithm for each of millions of answers would be seconds. */
const known = new Uint16Array(2 ** 16)

/** How times are spread: the most exactly, quantiles to one per cent. */
export class Spread {
  n = 0
  max = 0
  private readonly counts = new Map<number, number>()

  add(time: number): void {
    const at = timeClass(time)
    this.counts.set(at, (this.counts.get(at) ?? 0) + 1)
    this.n++
    if (time > this.max) this.max = time
  }

  /** The classes that have any, the shortest times first, with how many they have. */
  private classes(): [at: number, count: number][] {
    const ats = Uint32Array.from(this.counts.keys()).sort()
    return Array.from(ats, (at) => [at, this.counts.get(at) ?? 0])
  }

  /** The value that a share of the times does not exceed, such as 0.5 for the median. */
  quantile(share: number): number {
    let left = Math.ceil(share * this.n)
    for (const [at, count] of this.classes()) {
      left -= count
      if (left <= 0) return at === 0 ? 0 : Math.min(this.max, Math.round(Math.exp((at - 0.5) * STEP)))
    }
    return this.max
  }
}
