/**
 * The cheapest way to put everybody into pairs: a perfect matching of least cost in a general graph, by Edmonds's blossom
 * algorithm with dual variables (Edmonds 1965; Kolmogorov's Blossom V, 2009, for its form here). Costs are pairs of numbers,
 * of which the first outweighs the second whatever the sums.
 *
 * Theory of operation. Each vertex and each blossom (an odd cycle shrunk to one node) has a dual, a blossom's not negative; the
 * slack of an edge is its cost less the duals of the nodes that hold just one of its ends, and never negative. A tree grows
 * from each unmatched vertex: its nodes are outer and inner by turns, time raises the duals of the outer ones and lowers those of
 * the inner. An edge without slack from an outer node takes in the pair that it leads to; to another outer node of its tree it
 * closes a blossom; to one of another tree it completes a path, two more are matched, and both trees are felled. An inner
 * blossom without a dual is taken apart. What happens when is kept in an agenda, so no more is looked at than the trees reach.
 *
 * Only edges that are likely to be used are looked at (`near`). At the end the duals tell which of the others would lower the
 * cost; these are added, and all is done again, until there is none: the matching is the cheapest among all.
 */

import { Agenda } from './agenda.js'
import { Blossoms, FREE, INNER, type Link, NONE, OUTER } from './blossoms.js'
import { type Costs, type Edges, Graph } from './pairing-graph.js'

/** By vertex, its partner. Throws a RangeError for an odd number of vertices. */
export function cheapestPairs(n: number, costs: Costs): readonly number[] {
  if (n % 2 === 1) throw new RangeError(`${n} vertices cannot all be paired`)
  const graph = new Graph(n, costs)
  let matcher = new Matcher(n, graph, costs)
  while (!matcher.run() || graph.addAll(matcher.missed())) matcher = new Matcher(n, graph, costs, matcher)
  return Array.from(matcher.mate)
}

class Matcher extends Blossoms {
  private readonly agenda = new Agenda()
  /** Edges that had no slack when they were noted. */
  private readonly ready: (readonly [number, number])[] = []
  /** By root: the nodes that are or were in its tree. */
  private readonly trees = new Map<number, number[]>()
  /** By free vertex: the outer one whose edge to it loses its slack first, and when. */
  private readonly nearest: Int32Array
  private readonly reach: Float64Array
  /** By node of a tree: its root. */
  private readonly roots: Int32Array

  constructor(
    n: number,
    private readonly graph: Graph,
    private readonly costs: Costs,
    /** What was found with fewer edges. */
    before?: Matcher,
  ) {
    super(n)
    this.roots = new Int32Array(2 * n)
    this.nearest = new Int32Array(n).fill(NONE)
    this.reach = new Float64Array(2 * n)
    if (before) {
      this.sums.set(before.duals.subarray(0, 2 * n))
      this.duals.set(this.sums)
      this.mate.set(before.mate)
    }
  }

  /** Whether everybody could be matched; if not, the graph has been widened where it was too sparse. */
  run(): boolean {
    this.begin()
    for (let v = 0; v < this.n; v++) if (this.mate[v] === NONE) this.enter(v, OUTER)
    while (this.trees.size > 0) {
      if (this.ready.length === 0 && this.agenda.size === 0) return this.widen()
      this.advance()
    }
    return true
  }

  /**
   * Duals that leave no edge a negative slack, and pairs along edges that they leave none. Without blossoms' duals, those of an
   * earlier matching allow no less than they did, so most of its pairs stay.
   */
  private begin(): void {
    for (let v = 0; v < this.n; v++) {
      const [high, low] = this.least(v)
      const spare = high > 0 || (high === 0 && low >= 0) ? 2 : 1
      this.raise(v, high / spare, low / spare)
    }
    this.mate.forEach((w, v) => {
      if (w !== NONE && !this.isTight(v, this.graph.of(v).to.indexOf(w))) this.mate[v] = this.mate[w] = NONE
    })
    for (let v = 0; v < this.n; v++) {
      if (this.mate[v] !== NONE) continue
      const [high, low, partner] = this.least(v)
      this.raise(v, high, low)
      if (partner === NONE) continue
      this.mate[v] = partner
      this.mate[partner] = v
    }
  }

  private raise(v: number, high: number, low: number): void {
    for (const list of [this.duals, this.sums]) {
      list[2 * v] = (list[2 * v] as number) + high
      list[2 * v + 1] = (list[2 * v + 1] as number) + low
    }
  }

  /** The least slack at a vertex before any blossom, and an unmatched vertex that has it. */
  private least(v: number): readonly [high: number, low: number, partner: number] {
    const { to, high, low } = this.graph.of(v)
    let [leastHigh, leastLow, partner] = [Infinity, Infinity, NONE]
    for (let e = 0; e < to.length; e++) {
      const w = to[e] as number
      const a = (high[e] as number) - (this.sums[2 * v] as number) - (this.sums[2 * w] as number)
      const b = (low[e] as number) - (this.sums[2 * v + 1] as number) - (this.sums[2 * w + 1] as number)
      if (a < leastHigh || (a === leastHigh && b < leastLow)) [leastHigh, leastLow, partner] = [a, b, NONE]
      else if (a !== leastHigh || b !== leastLow) continue
      if (partner === NONE && this.mate[w] === NONE) partner = w
    }
    return to.length > 0 ? [leastHigh, leastLow, partner] : [0, 0, NONE]
  }

  /** Does what is due next. */
  private advance(): void {
    const now = this.ready.pop()
    if (now) {
      this.follow(now)
      return
    }
    const { agenda } = this
    this.timeHigh = agenda.dueHigh
    this.timeLow = agenda.dueLow
    const { one, two } = agenda
    agenda.drop()
    if (two === NONE) this.wither(one)
    else this.follow([one, two])
  }

  /** Has all edges of the outer nodes looked at the next time. */
  private widen(): false {
    for (let v = 0; v < this.n; v++) if (this.label[this.top(v)] === OUTER) this.graph.addRow(v)
    return false
  }

  /** Takes a node into the tree that a link leads on from, or makes it a tree's root. */
  private enter(node: number, label: typeof OUTER | typeof INNER, by?: Link): void {
    const root = by ? (this.roots[this.top(by[0])] as number) : node
    this.relabel(node, label, by)
    this.roots[node] = root
    const tree = this.trees.get(root)
    if (tree) tree.push(node)
    else this.trees.set(root, [node])
    if (label === OUTER) this.scan(this.inside(node))
    else if (node >= this.n) {
      const [high, low] = [this.duals[2 * node] as number, this.duals[2 * node + 1] as number]
      this.agenda.add(this.timeHigh + high, this.timeLow + low, node, NONE)
    }
  }

  /** Lets a tree go: its nodes are free, and blossoms without a dual are taken apart. */
  private fell(root: number): void {
    const tree = this.trees.get(root) ?? []
    this.trees.delete(root)
    // A blossom that was taken apart may have left its number to one of another tree.
    const free = tree.filter((node) => this.label[node] !== FREE && this.roots[node] === root)
    const outer = free.filter((node) => this.label[node] === OUTER).flatMap((node) => this.inside(node))
    for (const node of free) this.relabel(node, FREE)
    const vertices = new Set(free.flatMap((node) => this.inside(node)))
    for (const v of outer) for (const w of this.graph.of(v).to) if (this.nearest[w] === v) vertices.add(w)
    for (let node = free.pop(); node !== undefined; node = free.pop()) {
      if (this.isSpent(node)) free.push(...this.dissolve(node).parts)
    }
    this.noteFree(vertices)
  }

  /** Notes the edges to free vertices from outer ones anew. */
  private noteFree(vertices: Iterable<number>): void {
    for (const w of vertices) {
      this.nearest[w] = NONE
      const edges = this.graph.of(w)
      for (let e = 0; e < edges.to.length; e++) {
        if (this.label[this.top(edges.to[e] as number)] === OUTER) this.note(w, edges, e)
      }
    }
  }

  /** Notes when the edges of vertices that have become outer will have no slack. */
  private scan(vertices: readonly number[]): void {
    for (const v of vertices) {
      const edges = this.graph.of(v)
      for (let e = 0; e < edges.to.length; e++) this.note(v, edges, e)
    }
  }

  /** Notes when edge `e` of `x`, one of whose ends is outer and the other not inner, will have no slack. */
  private note(x: number, { to, high, low }: Edges, e: number): void {
    const y = to[e] as number
    const [one, two] = [this.top(x), this.top(y)]
    if (one === two || this.label[two] === INNER) return
    const rate = this.label[one] === this.label[two] ? 2 : 1
    const slackHigh = ((high[e] as number) - this.sum(x, 0) - this.sum(y, 0)) / rate
    const slackLow = ((low[e] as number) - this.sum(x, 1) - this.sum(y, 1)) / rate
    if (rate === 1 && !this.isNearer(x, y, this.timeHigh + slackHigh, this.timeLow + slackLow)) return
    if (slackHigh === 0 && slackLow === 0) this.ready.push([x, e])
    else this.agenda.add(this.timeHigh + slackHigh, this.timeLow + slackLow, x, e)
  }

  /** Whether an edge from an outer to a free vertex loses its slack before all others that are known to lead there; it is known then. */
  private isNearer(x: number, y: number, high: number, low: number): boolean {
    const [free, outer] = this.label[this.top(x)] === FREE ? [x, y] : [y, x]
    if (this.nearest[free] !== NONE) {
      const lead = high - (this.reach[2 * free] as number)
      if (lead > 0 || (lead === 0 && low >= (this.reach[2 * free + 1] as number))) return false
    }
    this.nearest[free] = outer
    this.reach[2 * free] = high
    this.reach[2 * free + 1] = low
    return true
  }

  private isTight(x: number, e: number): boolean {
    const { to, high, low } = this.graph.of(x)
    const y = to[e] as number
    return high[e] === this.sum(x, 0) + this.sum(y, 0) && low[e] === this.sum(x, 1) + this.sum(y, 1)
  }

  /** Follows edge `e` of `x` if it has no slack now and leads on from an outer node. */
  private follow([x, e]: readonly [number, number]): void {
    const y = this.graph.of(x).to[e] as number
    const [one, two] = [this.top(x), this.top(y)]
    if (one === two || this.label[one] === INNER || this.label[two] === INNER || !this.isTight(x, e)) return
    if (this.label[one] !== this.label[two]) {
      const [link, other]: [Link, number] = this.label[one] === OUTER ? [[x, y], two] : [[y, x], one]
      const end = this.base[other] as number
      const mate = this.mate[end] as number
      this.enter(other, INNER, link)
      this.enter(this.top(mate), OUTER, [end, mate])
      return
    }
    if (this.label[one] === FREE) return
    const [root, otherRoot] = [this.roots[one] as number, this.roots[two] as number]
    if (root === otherRoot) {
      const { blossom, inner } = this.shrink([x, y])
      this.roots[blossom] = root
      this.trees.get(root)?.push(blossom)
      this.scan(inner)
      return
    }
    this.augment([x, y])
    this.augment([y, x])
    this.fell(root)
    this.fell(otherRoot)
  }

  /** Takes an inner blossom apart whose dual is spent; the even way through it stays in the tree. */
  private wither(blossom: number): void {
    if (this.within[blossom] !== NONE || this.label[blossom] !== INNER) return
    const [from, entry] = this.reached[blossom] as Link
    const at = this.positionOf(blossom, entry)
    const { parts, links } = this.dissolve(blossom)
    const size = parts.length
    const step = at % 2 === 1 ? 1 : -1
    const left = new Set(parts)
    let i = at
    let by: Link = [from, entry]
    const take = (label: typeof OUTER | typeof INNER): void => {
      const part = parts[i % size] as number
      left.delete(part)
      this.enter(part, label, by)
    }
    const goOn = (): void => {
      const [one, two] = links[step === 1 ? i : i - 1] as Link
      by = step === 1 ? [one, two] : [two, one]
      i += step
    }
    take(INNER)
    while (i % size !== 0) {
      goOn()
      take(OUTER)
      goOn()
      take(INNER)
    }
    for (const node of left) this.noteFree(this.inside(node))
  }

  /** Edges that were not looked at and that might lower the cost. */
  missed(): readonly Link[] {
    const shared = new Float64Array(2 * this.n)
    return Array.from({ length: this.n }, (_, i) => {
      if (this.graph.of(i).to.length === this.n - 1) return []
      this.shareOut(i, shared)
      return this.graph.missedAt(i, this.sums, shared)
    }).flat()
  }
}
