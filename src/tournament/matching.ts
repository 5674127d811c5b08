/**
 * The cheapest way to put vertices into pairs: a perfect matching of least cost in a general graph, by the primal-dual
 * method with blossoms (Edmonds 1965; described step by step in Galil, Efficient algorithms for finding maximum
 * matching in graphs, 1986). Each vertex has a dual. The slack of an edge is its cost less its ends' duals, never
 * negative; pairs are matched along edges without slack only. From each vertex without a partner grows a tree whose
 * nodes are outer (the root) and inner by turns; with time, outer duals rise and inner ones fall. An edge that loses
 * its slack leads from an outer node
 * - to one not in the tree: it and its partner join, as an inner and an outer node;
 * - to one without a partner: along the way to the root, matched and unmatched edges change places, matching two more;
 * - to another outer one: the cycle closed is odd, and shrinks to one outer node, a blossom. A blossom has its own
 *   dual, for the edges inside. An inner blossom whose dual is spent is taken apart.
 *
 * Costs count four times, so all duals and times are whole: duals begin even, edges without slack keep those of a tree
 * odd or even together, and half of the slack between two outer nodes is whole.
 */

/** Two vertices, and what it costs to pair them: a whole number from 0. */
export type Edge = readonly [one: number, other: number, cost: number]

const NONE = -1

/** An edge without slack, from one node to another. */
type Link = readonly [from: number, to: number]

class Node {
  dual = 0
  label: 'outer' | 'inner' | undefined
  /** In a tree: the link from the node above it. */
  reached: Link | undefined

  /** `base`: the vertex matched outwards. `parts`: a blossom's cycle, from the base; `links`: to the next. */
  constructor(
    readonly vertices: readonly number[],
    public base: number,
    public parts: readonly Node[] = [],
    public links: readonly Link[] = [],
  ) {}
}

const turned = ([from, to]: Link): Link => [to, from]
const positionOf = (blossom: Node, vertex: number): number =>
  blossom.parts.findIndex(({ vertices }) => vertices.includes(vertex))
const partOf = (blossom: Node, vertex: number): Node => blossom.parts[positionOf(blossom, vertex)] as Node

/** The way around a blossom from a part to the first with an even number of links, matched and not by turns. */
const evenWay = ({ links }: Node, at: number): readonly Link[] =>
  at % 2 === 1 ? links.slice(at) : links.slice(0, at).reverse().map(turned)

/** By vertex, its partner in a matching of least cost, or -1 if not all can be paired: then as many are as possible. */
export function cheapestPairs(n: number, edges: readonly Edge[]): readonly number[] {
  const matcher = new Matcher(n, edges)
  matcher.matchAtOnce()
  for (let v = 0; v < n; v++) if (matcher.mate[v] === NONE) matcher.match(v)
  return matcher.mate
}

class Matcher {
  readonly mate: number[]
  /** By vertex: its edges, and its dual. */
  private readonly edges: Edge[][]
  private readonly duals: Float64Array
  /** By vertex: the outermost node that it is in. */
  private readonly nodes: Node[]
  private now = 0
  private events = new Events()
  /** By vertex outside the tree: when the first edge leads to it. */
  private readonly nearest: Float64Array
  /** The vertices that are or were in the tree, and its inner blossoms. */
  private readonly tree = new Set<number>()
  private readonly inner = new Set<Node>()

  constructor(n: number, edges: readonly Edge[]) {
    this.mate = Array<number>(n).fill(NONE)
    this.edges = Array.from({ length: n }, () => [])
    for (const [one, other, cost] of edges) {
      this.edges[one]?.push([one, other, 4 * cost])
      this.edges[other]?.push([other, one, 4 * cost])
    }
    this.duals = new Float64Array(n)
    this.nearest = new Float64Array(n)
    this.nodes = Array.from({ length: n }, (_, v) => new Node([v], v))
  }

  /** Raises each dual as far as edges allow, first by halves, and matches along edges without slack. */
  matchAtOnce(): void {
    this.edges.forEach((edges, v) => {
      this.duals[v] = Math.min(...edges.map(([, , cost]) => cost / 2))
    })
    this.edges.forEach((edges, v) => {
      if (this.mate[v] !== NONE || edges.length === 0) return
      const slack = Math.min(...edges.map((edge) => this.slack(edge)))
      this.duals[v] = (this.duals[v] as number) + slack
      const partner = edges.find((edge) => this.slack(edge) === 0 && this.mate[edge[1]] === NONE)?.[1]
      if (partner === undefined) return
      this.mate[v] = partner
      this.mate[partner] = v
    })
  }

  private slack([one, other, cost]: Edge): number {
    return cost - (this.duals[one] as number) - (this.duals[other] as number)
  }

  /** Finds a vertex's partner, if a way leads to one: others may change theirs. */
  match(root: number): void {
    this.now = 0
    this.events = new Events()
    this.nearest.fill(Infinity)
    this.enter(this.nodes[root] as Node, 'outer', undefined)
    for (let found = false; !found;) {
      let spent = Infinity
      for (const { dual } of this.inner) spent = Math.min(spent, this.now + dual / 2)
      const next = Math.min(spent, this.events.due)
      if (next === Infinity) break
      this.passTime(next - this.now)
      if (spent > next) found = this.follow(this.events.take())
      else for (const node of this.inner) if (node.dual === 0) this.takeApart(node)
    }
    for (const v of this.tree) this.leave(this.nodes[v] as Node)
    this.tree.clear()
    this.inner.clear()
  }

  /** Takes a node out of the tree, and apart if its dual is spent. */
  private leave(node: Node): void {
    node.label = node.reached = undefined
    if (node.parts.length === 0 || node.dual > 0) return
    this.open(node)
    node.parts.forEach((part) => this.leave(part))
  }

  /** Makes a blossom's parts outermost nodes, outside the tree. */
  private open({ parts }: Node): void {
    for (const part of parts) {
      part.label = part.reached = undefined
      for (const v of part.vertices) this.nodes[v] = part
    }
  }

  private passTime(time: number): void {
    if (time === 0) return
    this.now += time
    for (const v of this.tree) {
      const { label, parts, base } = this.nodes[v] as Node
      if (label === undefined) continue
      const change = label === 'outer' ? time : -time
      this.duals[v] = (this.duals[v] as number) + change
      if (parts.length > 0 && base === v) (this.nodes[v] as Node).dual += 2 * change
    }
  }

  private enter(node: Node, label: 'outer' | 'inner', reached: Link | undefined): void {
    node.label = label
    node.reached = reached
    for (const v of node.vertices) this.tree.add(v)
    if (label === 'outer') this.scan(node.vertices)
    else if (node.parts.length > 0) this.inner.add(node)
  }

  /** Notes when edges of vertices now outer will lose their slack. */
  private scan(vertices: readonly number[]): void {
    for (const v of vertices) for (const edge of this.edges[v] as Edge[]) this.note(edge)
  }

  /** `edge`: from an outer vertex. */
  private note(edge: Edge): void {
    const [one, other] = [this.nodes[edge[0]] as Node, this.nodes[edge[1]] as Node]
    if (one === other || other.label === 'inner') return
    if (other.label === 'outer') this.events.add(this.now + this.slack(edge) / 2, edge)
    else if (this.now + this.slack(edge) < (this.nearest[edge[1]] as number))
      this.events.add((this.nearest[edge[1]] = this.now + this.slack(edge)), edge)
  }

  /** Follows an outer vertex's edge, if it has no slack now; true: it leads to a partner. */
  private follow(edge: Edge): boolean {
    const [from, to] = edge
    const [one, other] = [this.nodes[from] as Node, this.nodes[to] as Node]
    if (one === other || other.label === 'inner' || this.slack(edge) !== 0) return false
    const partner = this.mate[other.base] as number
    if (other.label === 'outer') this.shrink([from, to], this.wayUp(one), this.wayUp(other))
    else if (partner !== NONE) {
      this.enter(other, 'inner', [from, to])
      this.enter(this.nodes[partner] as Node, 'outer', [other.base, partner])
    } else {
      this.rebase(other, to)
      this.mate[to] = from
      this.rematch(from, to)
      return true
    }
    return false
  }

  private wayUp(node: Node): Node[] {
    const way = [node]
    for (let { reached } = node; reached; reached = way.at(-1)?.reached) way.push(this.nodes[reached[0]] as Node)
    return way
  }

  /** Makes a blossom of the cycle that a link closes between outer nodes with these ways up. */
  private shrink(link: Link, way: Node[], otherWay: Node[]): void {
    while (way.length > 1 && otherWay.length > 1 && way.at(-2) === otherWay.at(-2)) {
      way.pop()
      otherWay.pop()
    }
    const top = way.pop() as Node
    otherWay.pop()
    way.reverse()
    const reachedOf = ({ reached }: Node): Link => reached as Link
    const parts = [top, ...way, ...otherWay]
    const links = [...way.map(reachedOf), link, ...otherWay.map(reachedOf).map(turned)]
    const vertices = parts.flatMap((part) => part.vertices)
    const blossom = new Node(vertices, top.base, parts, links)
    blossom.label = 'outer'
    blossom.reached = top.reached
    for (const v of blossom.vertices) this.nodes[v] = blossom
    for (const part of parts) {
      this.inner.delete(part)
      if (part.label === 'inner') this.scan(part.vertices)
    }
  }

  /** Takes an inner blossom apart; the even way through it stays in the tree. */
  private takeApart(blossom: Node): void {
    const { parts, reached } = blossom
    if (!reached) return
    this.inner.delete(blossom)
    this.open(blossom)
    const at = positionOf(blossom, reached[1])
    this.enter(parts[at] as Node, 'inner', reached)
    evenWay(blossom, at).forEach((link, i) =>
      this.enter(partOf(blossom, link[1]), i % 2 === 0 ? 'outer' : 'inner', link),
    )
    for (const v of blossom.vertices) {
      if (this.nodes[v]?.label !== undefined) continue
      this.nearest[v] = Infinity
      for (const [, other, cost] of this.edges[v] as Edge[])
        if (this.nodes[other]?.label === 'outer') this.note([other, v, cost])
    }
  }

  /** Matches an outer node's vertex with another, and so on to the root. */
  private rematch(vertex: number, partner: number): void {
    const node = this.nodes[vertex] as Node
    const above = node.reached && (this.nodes[node.reached[0]] as Node)
    this.rebase(node, vertex)
    this.mate[vertex] = partner
    if (above?.reached === undefined) return
    const [from, to] = above.reached
    this.rebase(above, to)
    this.mate[to] = from
    this.rematch(from, to)
  }

  /** Makes a vertex its node's base: on the even way to the old base, matched and unmatched links change places. */
  private rebase(node: Node, vertex: number): void {
    node.base = vertex
    if (node.parts.length === 0) return
    const at = positionOf(node, vertex)
    this.rebase(node.parts[at] as Node, vertex)
    evenWay(node, at).forEach(([from, to], i) => {
      if (i % 2 === 0) return
      this.rebase(partOf(node, from), from)
      this.rebase(partOf(node, to), to)
      this.mate[from] = to
      this.mate[to] = from
    })
    node.parts = [...node.parts.slice(at), ...node.parts.slice(0, at)]
    node.links = [...node.links.slice(at), ...node.links.slice(0, at)]
  }
}

/** Edges by the time when they lose their slack: a heap. */
class Events {
  private readonly heap: { readonly time: number; readonly edge: Edge }[] = []

  get due(): number {
    return this.heap[0]?.time ?? Infinity
  }

  add(time: number, edge: Edge): void {
    let at = this.heap.push({ time, edge }) - 1
    for (let above = (at - 1) >> 1; at > 0 && time < this.timeAt(above); above = (at - 1) >> 1) {
      this.swap(at, above)
      at = above
    }
  }

  take(): Edge {
    this.swap(0, this.heap.length - 1)
    const { edge } = this.heap.pop() as { edge: Edge }
    for (let at = 0; ;) {
      const below = this.timeAt(2 * at + 2) < this.timeAt(2 * at + 1) ? 2 * at + 2 : 2 * at + 1
      if (this.timeAt(at) <= this.timeAt(below)) return edge
      this.swap(at, below)
      at = below
    }
  }

  private timeAt(at: number): number {
    return this.heap[at]?.time ?? Infinity
  }

  private swap(one: number, other: number): void {
    const [a, b] = [this.heap[one], this.heap[other]]
    if (a && b) [this.heap[one], this.heap[other]] = [b, a]
  }
}
