/*
 * The state of Edmonds's blossom algorithm; matching.ts says how it works.
 */

export const FREE = 0
export const OUTER = 1
export const INNER = -1
/** No vertex, no node. */
export const NONE = -1

/** Two vertices beside each other in a blossom, or along a tree. */
export type Link = readonly [from: number, to: number]

/**
 * A matching with its blossoms and duals, and the trees of a search. Nodes are the vertices 0 … n − 1, and blossoms (odd
 * cycles of nodes) above them. Duals and the time of the search are pairs of numbers, of which the first outweighs the second.
 */
export class Blossoms {
  /** By vertex. */
  readonly mate: Int32Array
  /** By vertex: its group, which is all of the same outermost node; by group, that node and its vertices. */
  private readonly group: Int32Array
  private readonly nodes: Int32Array
  private readonly vertices: number[][]
  /** By vertex: the sum of the duals of all nodes that it is in, as of the stamp of the outermost. */
  protected readonly sums: Float64Array
  /** By node. */
  protected readonly duals: Float64Array
  /** By node: the blossom that it is a part of. */
  protected readonly within: Int32Array
  /** By blossom: its nodes around the cycle, the one with the base first, and the link from each to the next. */
  protected readonly parts: number[][]
  protected readonly links: Link[][]
  /** By node: the vertex in it that is matched out of it, or not at all. */
  protected readonly base: Int32Array
  /** By outermost node: what it is in a tree, and since when its dual has moved. */
  readonly label: Int8Array
  private readonly stamps: Float64Array
  /** By node of a tree: the link that it was reached by, from the node above it; none for the root. */
  protected readonly reached: (Link | undefined)[]
  private readonly spare: number[]
  private readonly seen: Int32Array
  private look = 0
  /** How far the duals of the trees have moved. */
  protected timeHigh = 0
  protected timeLow = 0

  constructor(protected readonly n: number) {
    const size = 2 * n
    this.mate = new Int32Array(n).fill(NONE)
    this.group = Int32Array.from({ length: n }, (_, v) => v)
    this.nodes = Int32Array.from({ length: n }, (_, v) => v)
    this.vertices = Array.from({ length: n }, (_, v) => [v])
    this.sums = new Float64Array(2 * n)
    this.duals = new Float64Array(2 * size)
    this.within = new Int32Array(size).fill(NONE)
    this.parts = Array.from({ length: size }, () => [])
    this.links = Array.from({ length: size }, () => [])
    this.base = Int32Array.from({ length: size }, (_, v) => v)
    this.label = new Int8Array(size)
    this.stamps = new Float64Array(2 * size)
    this.reached = Array.from({ length: size })
    this.spare = Array.from({ length: n }, (_, i) => size - 1 - i)
    this.seen = new Int32Array(size)
  }

  /** The outermost node that a vertex is in. */
  protected top(v: number): number {
    return this.nodes[this.group[v] as number] as number
  }
  /** The vertices in an outermost node. */
  protected inside(node: number): readonly number[] {
    return this.vertices[this.group[this.base[node] as number] as number] as number[]
  }

  /** A vertex's sum of duals now: the one half of the pair that `low` names (0 or 1). */
  protected sum(v: number, low: 0 | 1): number {
    const node = this.top(v)
    const time = low === 1 ? this.timeLow : this.timeHigh
    const moved = (this.label[node] as number) * (time - (this.stamps[2 * node + low] as number))
    return (this.sums[2 * v + low] as number) + moved
  }

  /** Gives an outermost node its label from now on; its dual and sums stand where they have come to by now. */
  protected relabel(node: number, label: typeof FREE | typeof OUTER | typeof INNER, by?: Link): void {
    const sign = this.label[node] as number
    const high = sign * (this.timeHigh - (this.stamps[2 * node] as number))
    const low = sign * (this.timeLow - (this.stamps[2 * node + 1] as number))
    if (sign !== 0) {
      this.duals[2 * node] = (this.duals[2 * node] as number) + high
      this.duals[2 * node + 1] = (this.duals[2 * node + 1] as number) + low
      for (const v of this.inside(node)) {
        this.sums[2 * v] = (this.sums[2 * v] as number) + high
        this.sums[2 * v + 1] = (this.sums[2 * v + 1] as number) + low
      }
    }
    this.label[node] = label
    this.reached[node] = by
    this.stamps[2 * node] = this.timeHigh
    this.stamps[2 * node + 1] = this.timeLow
  }

  /** The node above in the tree. */
  protected above(node: number): number {
    const link = this.reached[node]
    return link ? this.top(link[0]) : NONE
  }

  /** Where the ways of two outer nodes to the root meet. */
  protected meeting(a: number, b: number): number {
    this.look++
    for (let [x, y] = [a, b]; ; [x, y] = [y, x]) {
      if (x === NONE) continue
      if (this.seen[x] === this.look) return x
      this.seen[x] = this.look
      x = this.above(x)
    }
  }

  /** Makes one outer node of the cycle that this link closes; returns it with the vertices that were in inner ones. */
  protected shrink([v, w]: Link): { readonly blossom: number; readonly inner: readonly number[] } {
    const [a, b] = [this.top(v), this.top(w)]
    const root = this.meeting(a, b)
    const parts: number[] = []
    const links: Link[] = []
    for (let x = a; x !== root; x = this.above(x)) {
      parts.push(x)
      links.push(this.reached[x] as Link)
    }
    parts.push(root)
    parts.reverse()
    links.reverse()
    links.push([v, w])
    for (let x = b; x !== root; x = this.above(x)) {
      const [from, to] = this.reached[x] as Link
      parts.push(x)
      links.push([to, from])
    }
    const blossom = this.spare.pop() as number
    const way = this.reached[root]
    const inner = parts.flatMap((part) => (this.label[part] === INNER ? this.inside(part) : []))
    this.parts[blossom] = parts
    this.links[blossom] = links
    this.base[blossom] = this.base[root] as number
    this.gather(blossom, parts)
    this.label[blossom] = OUTER
    this.reached[blossom] = way
    return { blossom, inner }
  }

  /**
   * Puts the vertices of these nodes into one group, that of the outer node that has most: its sums go on as they did, so the
   * blossom has its stamp, and a dual that is 0 now.
   */
  private gather(blossom: number, parts: readonly number[]): void {
    let most = NONE
    for (const part of parts) {
      if (this.label[part] === INNER) continue
      if (most === NONE || this.inside(part).length > this.inside(most).length) most = part
    }
    const group = this.group[this.base[most] as number] as number
    const [high, low] = [this.stamps[2 * most] as number, this.stamps[2 * most + 1] as number]
    const list = this.vertices[group] as number[]
    for (const part of parts) {
      this.within[part] = blossom
      if (part === most) continue
      const own = this.group[this.base[part] as number] as number
      const more = this.vertices[own] as number[]
      this.relabel(part, FREE)
      for (const v of more) {
        this.group[v] = group
        this.sums[2 * v] = (this.sums[2 * v] as number) - (this.timeHigh - high)
        this.sums[2 * v + 1] = (this.sums[2 * v + 1] as number) - (this.timeLow - low)
        list.push(v)
      }
      this.vertices[own] = []
    }
    this.duals[2 * most] = (this.duals[2 * most] as number) + this.timeHigh - high
    this.duals[2 * most + 1] = (this.duals[2 * most + 1] as number) + this.timeLow - low
    this.label[most] = FREE
    this.nodes[group] = blossom
    this.duals[2 * blossom] = high - this.timeHigh
    this.duals[2 * blossom + 1] = low - this.timeLow
    this.stamps[2 * blossom] = high
    this.stamps[2 * blossom + 1] = low
  }

  /** Takes an outermost blossom apart; returns its nodes and links. */
  protected dissolve(blossom: number): { readonly parts: readonly number[]; readonly links: readonly Link[] } {
    this.relabel(blossom, FREE)
    const parts = this.parts[blossom] as number[]
    const links = this.links[blossom] as Link[]
    for (const part of parts) {
      this.within[part] = NONE
      this.label[part] = FREE
      const list: number[] = []
      this.collect(part, list)
      // A vertex's own number is free for its group: each is in one only.
      const group = list[0] as number
      this.nodes[group] = part
      this.vertices[group] = list
      for (const v of list) this.group[v] = group
    }
    this.parts[blossom] = []
    this.links[blossom] = []
    this.spare.push(blossom)
    return { parts, links }
  }

  /** Adds the vertices of any node. */
  private collect(node: number, list: number[]): void {
    if (node < this.n) list.push(node)
    else for (const part of this.parts[node] as number[]) this.collect(part, list)
  }

  /** Whether it is an outermost blossom without a dual. */
  protected isSpent(node: number): boolean {
    const none = this.duals[2 * node] === 0 && this.duals[2 * node + 1] === 0
    return node >= this.n && none && this.within[node] === NONE && this.parts[node]?.length !== 0
  }

  /** Writes for each vertex the sum of the duals of the blossoms that hold both it and this one. */
  protected shareOut(vertex: number, shared: Float64Array): void {
    shared.fill(0)
    const chain = [vertex]
    for (let x = this.within[vertex] as number; x !== NONE; x = this.within[x] as number) chain.push(x)
    let [high, low] = [0, 0]
    for (let k = chain.length - 1; k > 0; k--) {
      const blossom = chain[k] as number
      high += this.duals[2 * blossom] as number
      low += this.duals[2 * blossom + 1] as number
      for (const part of this.parts[blossom] as number[]) {
        if (part === chain[k - 1]) continue
        const list: number[] = []
        this.collect(part, list)
        for (const v of list) {
          shared[2 * v] = high
          shared[2 * v + 1] = low
        }
      }
    }
  }

  /** The position in a blossom's cycle of the node that holds a vertex. */
  protected positionOf(blossom: number, v: number): number {
    let node = v
    while (this.within[node] !== blossom) node = this.within[node] as number
    return (this.parts[blossom] as number[]).indexOf(node)
  }

  /** Matches what is in a node among itself so that this vertex is left over. */
  protected rebase(node: number, v: number): void {
    if (node < this.n) return
    const parts = this.parts[node] as number[]
    const links = this.links[node] as Link[]
    const size = parts.length
    const at = this.positionOf(node, v)
    this.rebase(parts[at] as number, v)
    // Away from the vertex to the old base by the way that has an even number of steps; every other one becomes a pair.
    const step = at % 2 === 1 ? 1 : -1
    for (let i = at; i % size !== 0; i += 2 * step) {
      const [one, two] = links[(step === 1 ? i + 1 : i - 2) % size] as Link
      const first = (step === 1 ? i + 1 : i - 2) % size
      this.rebase(parts[first] as number, one)
      this.rebase(parts[(first + 1) % size] as number, two)
      this.mate[one] = two
      this.mate[two] = one
    }
    this.parts[node] = [...parts.slice(at), ...parts.slice(0, at)]
    this.links[node] = [...links.slice(at), ...links.slice(0, at)]
    this.base[node] = v
  }

  /** Matches the first end of a link to the other, and what is above it in its tree accordingly, up to the root. */
  protected augment([v, w]: Link): void {
    for (let [from, to] = [v, w]; ;) {
      const outer = this.top(from)
      const up = this.reached[outer]
      this.rebase(outer, from)
      this.mate[from] = to
      if (!up) return
      const inner = this.top(up[0])
      const [next, entry] = this.reached[inner] as Link
      this.rebase(inner, entry)
      this.mate[entry] = next
      ;[from, to] = [next, entry]
    }
  }
}
