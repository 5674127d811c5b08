/**
 * The cheapest way to put everybody into pairs: a perfect matching of least weight in a general graph, by Edmonds's blossom
 * algorithm with dual variables, in cubic time (Edmonds 1965; Galil 1986).
 *
 * Theory of operation. Costs become gains (a constant less the cost), so that the matching of greatest gain is sought. Each
 * vertex and each blossom (an odd cycle shrunk to one vertex) has a dual; the slack of an edge is what the duals of its ends
 * exceed its gain by, doubled to stay whole. A phase grows trees of tight edges from all free vertices, ends of them labelled
 * outer and inner by turns. A tight edge between two trees is a path that matches two more; one inside a tree closes a blossom.
 * When no edge is tight, the duals are moved by the least amount that makes one tight or lets an inner blossom open.
 */

import { Blossoms, type Edge, FREE, INNER, OUTER } from './blossoms.js'

/**
 * By vertex, its partner. `cost(i, j)` is a symmetric whole number from 0; sums of them stay below 2⁵⁰. Throws a RangeError for
 * an odd number of vertices.
 */
export function cheapestPairs(n: number, cost: (i: number, j: number) => number): readonly number[] {
  if (n % 2 === 1) throw new RangeError(`${n} vertices cannot all be paired`)
  return n === 0 ? [] : new Matcher(n, cost).run()
}

class Matcher extends Blossoms {
  run(): readonly number[] {
    while (this.phase());
    return Array.from({ length: this.n }, (_, i) => (this.mate[i + 1] as number) - 1)
  }

  /** Follows a tight edge; true where it completed a path. */
  private follow(edge: Edge): boolean {
    const u = this.out(edge[0])
    const v = this.out(edge[1])
    if (this.label[v] === FREE) {
      this.parent[v] = edge[0]
      this.label[v] = INNER
      const next = this.matched(v)
      this.best[v] = undefined
      this.best[next] = undefined
      this.label[next] = OUTER
      this.enqueue(next)
    } else if (this.label[v] === OUTER) {
      const root = this.meeting(u, v)
      if (root === 0) {
        this.augment(u, v)
        this.augment(v, u)
        return true
      }
      this.shrink(u, root, v)
    }
    return false
  }

  /** Matches two more; false when all are matched. */
  private phase(): boolean {
    this.label.fill(FREE)
    this.best.fill(undefined)
    this.queue = []
    for (const x of this.outers()) {
      if (this.mate[x] !== 0) continue
      this.parent[x] = 0
      this.label[x] = OUTER
      this.enqueue(x)
    }
    if (this.queue.length === 0) return false
    for (;;) {
      for (let u = this.queue.pop(); u !== undefined; u = this.queue.pop()) {
        for (let v = 1; v <= this.n; v++) {
          if (this.out(u) === this.out(v)) continue
          const edge: Edge = [u, v]
          if (this.slack(edge) > 0) this.offer(edge, this.out(v))
          else if (this.follow(edge)) return true
        }
      }
      this.move(this.step())
      for (const x of this.outers()) {
        const edge = this.best[x]
        if (edge && this.out(edge[0]) !== x && this.out(x) === x && this.slack(edge) === 0 && this.follow(edge))
          return true
      }
      for (const b of this.outers()) {
        if (b > this.n && this.label[b] === INNER && this.dual[b] === 0) this.open(b)
      }
    }
  }

  /** How far the duals can move. */
  private step(): number {
    let step = Infinity
    for (const x of this.outers()) {
      const edge = this.best[x]
      if (x > this.n && this.label[x] === INNER) step = Math.min(step, (this.dual[x] as number) / 2)
      if (edge && this.label[x] === FREE) step = Math.min(step, this.slack(edge))
      if (edge && this.label[x] === OUTER) step = Math.min(step, this.slack(edge) / 2)
    }
    return step
  }

  private move(step: number): void {
    const shift = (x: number, by: number): void => {
      this.dual[x] = (this.dual[x] as number) + by
    }
    for (let u = 1; u <= this.n; u++) {
      const label = this.label[this.out(u)]
      if (label !== FREE) shift(u, label === OUTER ? -step : step)
    }
    for (const b of this.outers()) {
      if (b > this.n && this.label[b] !== FREE) shift(b, this.label[b] === OUTER ? 2 * step : -2 * step)
    }
  }
}
