import type { Link } from './blossoms.js'

/** What it costs to pair two vertices: symmetric whole numbers from 0, sums of them over all pairs below 2⁵⁰. */
export interface Costs {
  high(i: number, j: number): number
  low(i: number, j: number): number
  /** Whom a vertex is likely to be paired with; absent: any. */
  near?(i: number): Iterable<number>
}

/** How many edges from a vertex to those before it are added at a time. */
const ADDED = 20

/** A vertex's neighbours along the edges that are looked at, and what each edge costs. */
export interface Edges {
  readonly to: number[]
  readonly high: number[]
  readonly low: number[]
  readonly known: Set<number>
}

/** The edges that are looked at: those to whom a vertex is likely to be paired with, and what is added later. */
export class Graph {
  private readonly edges: readonly Edges[]

  constructor(
    private readonly n: number,
    private readonly costs: Costs,
  ) {
    this.edges = Array.from({ length: n }, () => ({ to: [], high: [], low: [], known: new Set<number>() }))
    for (let i = 0; i < n; i++) {
      if (costs.near) for (const j of costs.near(i)) this.add(i, j)
      else this.addRow(i)
    }
  }

  of(i: number): Edges {
    return this.edges[i] as Edges
  }
  addRow(i: number): void {
    for (let j = 0; j < this.n; j++) this.add(i, j)
  }
  /** Whether there was any. */
  addAll(links: readonly Link[]): boolean {
    for (const [i, j] of links) this.add(i, j)
    return links.length > 0
  }

  /**
   * The edges from `i` to those before it that are not looked at and whose slack is negative, the most negative first. `sums`: of
   * the duals that a vertex is in; `shared`: of those that hold both it and `i`, which do not count; by vertex, pairs of numbers.
   */
  missedAt(i: number, sums: Float64Array, shared: Float64Array): readonly Link[] {
    const { known } = this.of(i)
    const [ownHigh, ownLow] = [sums[2 * i] as number, sums[2 * i + 1] as number]
    const found: [j: number, high: number, low: number][] = []
    for (let j = 0; j < i; j++) {
      // Costs are 0 at least.
      const rest = 2 * (shared[2 * j] as number) - ownHigh - (sums[2 * j] as number)
      if (rest > 0) continue
      const low = this.costs.low(i, j) + 2 * (shared[2 * j + 1] as number) - ownLow - (sums[2 * j + 1] as number)
      if (rest === 0 && low >= 0) continue
      const high = rest + this.costs.high(i, j)
      if ((high < 0 || (high === 0 && low < 0)) && !known.has(j)) found.push([j, high, low])
    }
    found.sort((a, b) => a[1] - b[1] || a[2] - b[2])
    return found.slice(0, ADDED).map(([j]) => [i, j])
  }

  private add(i: number, j: number): void {
    if (i === j || this.of(i).known.has(j)) return
    const [high, low] = [this.costs.high(i, j), this.costs.low(i, j)]
    for (const [from, to] of [
      [i, j],
      [j, i],
    ] as const) {
      const edges = this.of(from)
      edges.known.add(to)
      edges.to.push(to)
      edges.high.push(high)
      edges.low.push(low)
    }
  }
}
