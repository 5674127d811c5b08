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

type Edge = readonly [u: number, v: number]
const FREE = -1
const OUTER = 0
const INNER = 1

/**
 * By vertex, its partner. `cost(i, j)` is a symmetric whole number from 0; sums of them stay below 2⁵⁰. Throws a RangeError for
 * an odd number of vertices.
 */
export function cheapestPairs(n: number, cost: (i: number, j: number) => number): readonly number[] {
  if (n % 2 === 1) throw new RangeError(`${n} vertices cannot all be paired`)
  return n === 0 ? [] : new Matcher(n, cost).run()
}

class Matcher {
  /** Vertices are 1 … n, blossoms n + 1 … 2n; 0 is none. */
  private readonly gain: Float64Array
  private top: number
  private readonly size: number
  private readonly dual: Float64Array
  /** By outermost vertex or blossom: the vertex in it that its matched edge leaves from lies at the other end. */
  private readonly mate: Int32Array
  /** The outermost blossom that something is in; itself where it is in none; 0 for a blossom that is not in use. */
  private readonly outermost: Int32Array
  /** The vertex at the other end of the tree edge that reached it. */
  private readonly parent: Int32Array
  private readonly label: Int8Array
  /** Best edge from an outer vertex, by outermost target. */
  private readonly best: (Edge | undefined)[]
  /** The edge that stands for all between two outermost things, at [a · size + b]. */
  private readonly edge: (Edge | undefined)[]
  /** At [blossom · size + vertex]: the member of the blossom that holds the vertex. */
  private readonly holder: Int32Array
  private readonly members: number[][]
  private readonly visited: Int32Array
  private visit = 0
  private queue: number[] = []

  constructor(
    private readonly n: number,
    cost: (i: number, j: number) => number,
  ) {
    const size = 2 * n + 1
    this.size = size
    this.top = n
    this.gain = new Float64Array((n + 1) * (n + 1))
    this.edge = Array.from({ length: size * size })
    this.holder = new Int32Array(size * size)
    let dearest = 0
    for (let i = 0; i < n; i++) for (let j = 0; j < i; j++) dearest = Math.max(dearest, cost(i, j))
    // One more pair is worth more than any saving: the matching is perfect.
    const base = (n / 2) * (dearest + 1) + 1
    for (let u = 1; u <= n; u++) {
      for (let v = 1; v <= n; v++) {
        if (u === v) continue
        this.gain[u * (n + 1) + v] = base - cost(u - 1, v - 1)
        this.edge[u * size + v] = [u, v]
      }
      this.holder[u * size + u] = u
    }
    this.dual = new Float64Array(size).fill(base, 1, n + 1)
    this.mate = new Int32Array(size)
    this.outermost = Int32Array.from({ length: size }, (_, x) => (x <= n ? x : 0))
    this.parent = new Int32Array(size)
    this.label = new Int8Array(size)
    this.best = Array.from({ length: size })
    this.members = Array.from({ length: size }, () => [])
    this.visited = new Int32Array(size)
  }

  run(): readonly number[] {
    while (this.phase());
    return Array.from({ length: this.n }, (_, i) => (this.mate[i + 1] as number) - 1)
  }

  private slack([u, v]: Edge): number {
    return (this.dual[u] as number) + (this.dual[v] as number) - 2 * (this.gain[u * (this.n + 1) + v] as number)
  }
  private out(x: number): number {
    return this.outermost[x] as number
  }
  private between(a: number, b: number): Edge {
    return this.edge[a * this.size + b] as Edge
  }
  /** The outermost thing matched to x, 0 where it is free. */
  private matched(x: number): number {
    return this.out(this.mate[x] as number)
  }
  private outers(): number[] {
    return Array.from({ length: this.top }, (_, i) => i + 1).filter((x) => this.out(x) === x)
  }

  private offer(edge: Edge, target: number): void {
    const known = this.best[target]
    if (!known || this.slack(edge) < this.slack(known)) this.best[target] = edge
  }
  /** Looks for the best edge to x from any outer vertex anew. */
  private refresh(x: number): void {
    this.best[x] = undefined
    for (let u = 1; u <= this.n; u++) {
      const o = this.out(u)
      const edge = this.edge[u * this.size + x]
      if (edge && o !== x && this.label[o] === OUTER) this.offer(edge, x)
    }
  }
  private enqueue(x: number): void {
    if (x <= this.n) this.queue.push(x)
    else for (const member of this.members[x] as number[]) this.enqueue(member)
  }
  private place(x: number, inside: number): void {
    this.outermost[x] = inside
    if (x > this.n) for (const member of this.members[x] as number[]) this.place(member, inside)
  }

  /** How far along a blossom its member is by the even way round; turns the blossom's direction where need be. */
  private evenWay(blossom: number, member: number): number {
    const ring = this.members[blossom] as number[]
    const at = ring.indexOf(member)
    if (at % 2 === 0) return at
    this.members[blossom] = [ring[0] as number, ...ring.slice(1).reverse()]
    return ring.length - at
  }

  /** Matches u to v along the edge between them, and inside u as that demands. */
  private join(u: number, v: number): void {
    const [from, to] = this.between(u, v)
    this.mate[u] = to
    if (u <= this.n) return
    const member = this.holder[u * this.size + from] as number
    const way = this.evenWay(u, member)
    const ring = this.members[u] as number[]
    for (let i = 0; i < way; i++) this.join(ring[i] as number, ring[i ^ 1] as number)
    this.join(member, v)
    this.members[u] = [...ring.slice(way), ...ring.slice(0, way)]
  }

  /** Turns matched and unmatched edges about on the way from u to its root, v being its new partner. */
  private augment(u: number, v: number): void {
    let [end, partner] = [u, v]
    for (;;) {
      const next = this.matched(end)
      this.join(end, partner)
      if (next === 0) return
      const above = this.out(this.parent[next] as number)
      this.join(next, above)
      ;[end, partner] = [above, next]
    }
  }

  /** Where the ways of u and v to their roots meet; 0 where the roots differ. */
  private meeting(u: number, v: number): number {
    this.visit++
    let [a, b] = [u, v]
    while (a !== 0 || b !== 0) {
      if (a !== 0) {
        if (this.visited[a] === this.visit) return a
        this.visited[a] = this.visit
        a = this.matched(a)
        if (a !== 0) a = this.out(this.parent[a] as number)
      }
      ;[a, b] = [b, a]
    }
    return 0
  }

  private shrink(u: number, root: number, v: number): void {
    let b = this.n + 1
    while (b <= this.top && this.out(b) !== 0) b++
    this.top = Math.max(this.top, b)
    this.dual[b] = 0
    this.label[b] = OUTER
    this.mate[b] = this.mate[root] as number
    const way = (from: number): number[] => {
      const ring: number[] = []
      for (let x = from; x !== root;) {
        const inner = this.matched(x)
        ring.push(x, inner)
        this.enqueue(inner)
        x = this.out(this.parent[inner] as number)
      }
      return ring
    }
    const ring = [root, ...way(u).reverse(), ...way(v)]
    this.members[b] = ring
    this.place(b, b)
    for (let x = 1; x <= this.top; x++) {
      this.edge[b * this.size + x] = undefined
      this.edge[x * this.size + b] = undefined
    }
    this.holder.fill(0, b * this.size, (b + 1) * this.size)
    for (const member of ring) {
      for (let x = 1; x <= this.top; x++) {
        const edge = this.edge[member * this.size + x]
        const known = this.edge[b * this.size + x]
        if (edge && (!known || this.slack(edge) < this.slack(known))) {
          this.edge[b * this.size + x] = edge
          this.edge[x * this.size + b] = this.between(x, member)
        }
      }
      for (let x = 1; x <= this.n; x++) {
        if (this.holder[member * this.size + x] !== 0) this.holder[b * this.size + x] = member
      }
    }
    this.refresh(b)
  }

  /** Opens an inner blossom whose dual is spent; its members take their places in the tree. */
  private open(b: number): void {
    for (const member of this.members[b] as number[]) this.place(member, member)
    const [at] = this.between(b, this.parent[b] as number)
    const entry = this.holder[b * this.size + at] as number
    const way = this.evenWay(b, entry)
    const ring = this.members[b] as number[]
    for (let i = 0; i < way; i += 2) {
      const inner = ring[i] as number
      const outer = ring[i + 1] as number
      this.parent[inner] = this.between(outer, inner)[0]
      this.label[inner] = INNER
      this.label[outer] = OUTER
      this.best[inner] = undefined
      this.refresh(outer)
      this.enqueue(outer)
    }
    this.label[entry] = INNER
    this.parent[entry] = this.parent[b] as number
    for (const member of ring.slice(way + 1)) {
      this.label[member] = FREE
      this.refresh(member)
    }
    this.outermost[b] = 0
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
