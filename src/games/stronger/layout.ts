export interface Spot {
  readonly x: number
  readonly y: number
  /** Its words stand above it. */
  readonly above: boolean
  /** Where they stand beside the ring, a line away. */
  readonly aside?: { readonly x: number; readonly y: number; readonly anchor: 'start' | 'end' }
}

/** How a fight is laid out. */
export interface Layout {
  readonly width: number
  readonly height: number
  /** Of a bot. */
  readonly size: number
  readonly spots: readonly Spot[]
  readonly ring?: { readonly cx: number; readonly cy: number; readonly rx: number; readonly ry: number }
  /** Letters of a name; 0: the panel beside has all words. */
  readonly letters: number
}

/** On a narrow board so many bots have words below them, and so few are large. */
const NAMED = 24
const FEW = 6
/** Around a wide board so many have words beside them, so many at the sides; of more, the panel has all words. */
const BESIDE = 8
const ASIDE = 40

/** All on an ellipse, the first on top; narrow, of this width, in rows. */
export function layoutOf(n: number, narrow?: number): Layout {
  if (narrow === undefined) return n <= BESIDE ? besideRing(n) : asideRing(n)
  const width = narrow
  const [columns, size] = n <= NAMED ? [2, n <= FEW ? 28 : 20] : [6, 15]
  const row = 2 * size + (n <= NAMED ? 66 : 30)
  const spots = Array.from({ length: n }, (_, i) => ({
    x: ((i % columns) + 0.5) * (width / columns),
    y: Math.floor(i / columns) * row + size + 30,
    above: false,
  }))
  return { width, height: Math.ceil(n / columns) * row + 10, size, spots, letters: n <= NAMED ? 17 : 0 }
}

function besideRing(n: number): Layout {
  const ring = { cx: 400, cy: 280, rx: 290, ry: 190 }
  return { width: 800, height: 560, size: Math.min(34, 330 / n), ring, spots: ringed(n, ring), letters: 18 }
}

/** A smaller ring, each half's words in a column beside it, in the order from the top: no lines cross. */
function asideRing(n: number): Layout {
  const [width, height] = [960, 690]
  const [cx, cy] = [width / 2, height / 2]
  if (n > ASIDE) {
    const ring = { cx, cy, rx: 440, ry: 310 }
    return { width, height, size: 900 / n, ring, spots: ringed(n, ring), letters: 0 }
  }
  const ring = { cx, cy, rx: 220, ry: 235 }
  const spots = ringed(n, ring)
  const column = (isLeft: boolean): (readonly [Spot, Spot])[] => {
    const own = spots.filter((_, i) => i >= n / 2 === isLeft).sort((a, b) => a.y - b.y)
    const row = (height - 20) / own.length
    const [x, anchor] = isLeft ? ([cx - ring.rx - 50, 'end'] as const) : ([cx + ring.rx + 50, 'start'] as const)
    return own.map((spot, place) => [spot, { ...spot, aside: { x, y: 10 + (place + 0.5) * row, anchor } }] as const)
  }
  const placed = new Map([...column(true), ...column(false)])
  return {
    width,
    height,
    size: Math.min(26, 460 / n),
    ring,
    spots: spots.map((spot) => placed.get(spot) ?? spot),
    letters: 14,
  }
}

function ringed(n: number, { cx, cy, rx, ry }: NonNullable<Layout['ring']>): readonly Spot[] {
  return Array.from({ length: n }, (_, i) => {
    const angle = (2 * Math.PI * i) / n - Math.PI / 2
    const y = cy + ry * Math.sin(angle)
    return { x: cx + rx * Math.cos(angle), y, above: y < cy }
  })
}
