/*
 * The state of Edmonds's blossom algorithm; matching.ts says how it works.
 */

export type Edge = readonly [u: number, v: number]
export const FREE = -1
export const OUTER = 0
export const INNER = 1

/** The matching, the trees and the blossoms while they grow, and what changes them. */
export class Blossoms {
  /** Vertices are 1 … n, blossoms n + 1 … 2n; 0 is none. */
  protected readonly gain: Float64Array
  protected top: number
  private readonly size: number
  protected readonly dual: Float64Array
  /** By outermost vertex or blossom: the vertex in it that its matched edge leaves from lies at the other end. */
  protected readonly mate: Int32Array
  /** The outermost blossom that something is in; itself where it is in none; 0 for a blossom that is not in use. */
  private readonly outermost: Int32Array
  /** The vertex at the other end of the tree edge that reached it. */
  protected readonly parent: Int32Array
  protected readonly label: Int8Array
  /** Best edge from an outer vertex, by outermost target. */
  protected readonly best: (Edge | undefined)[]
  /** The edge that stands for all between two outermost things, at [a · size + b]. */
  private readonly edge: (Edge | undefined)[]
  /** At [blossom · size + vertex]: the member of the blossom that holds the vertex. */
  private readonly holder: Int32Array
  protected readonly members: number[][]
  private readonly visited: Int32Array
  private visit = 0
  protected queue: number[] = []

  constructor(
    protected readonly n: number,
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

  protected slack([u, v]: Edge): number {
    return (this.dual[u] as number) + (this.dual[v] as number) - 2 * (this.gain[u * (this.n + 1) + v] as number)
  }
  protected out(x: number): number {
    return this.outermost[x] as number
  }
  protected between(a: number, b: number): Edge {
    return this.edge[a * this.size + b] as Edge
  }
  /** The outermost thing matched to x, 0 where it is free. */
  protected matched(x: number): number {
    return this.out(this.mate[x] as number)
  }
  protected outers(): number[] {
    return Array.from({ length: this.top }, (_, i) => i + 1).filter((x) => this.out(x) === x)
  }

  protected offer(edge: Edge, target: number): void {
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
  protected enqueue(x: number): void {
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
  protected augment(u: number, v: number): void {
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
  protected meeting(u: number, v: number): number {
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

  protected shrink(u: number, root: number, v: number): void {
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
  protected open(b: number): void {
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
}
