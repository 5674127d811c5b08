import { compared, type Evidence, type Known } from './evidence.js'

export interface SettleOptions {
  /** How many places are to be decided, from the first; the field less one is the whole order. */
  readonly top: number
  /** The probability that all are right, at any look. */
  readonly confidence?: number
}

/** How far an order is decided. */
export interface Settled {
  readonly settled: boolean
  /** Entrants by merit, the best first, as it looks now. */
  readonly order: readonly number[]
  /** Places decided at the asked confidence, from the first. */
  readonly decided: number
  /** The greatest confidence that decides all asked places; 0: none. */
  readonly confidence: number
  /** Who might have the first undecided place, its holder in front; empty when all is decided. */
  readonly open: readonly number[]
}

/**
 * Whether the first places are decided, by a test that may be asked whenever all begun blocks are played, and may
 * choose matches.
 *
 * That c deserves a place better than a is given up when a gambler's wealth against it (`compared`) is great: it
 * reaches 1/α with probability α at most where c has a's merit or more. Against "c is the best of those left" speaks
 * its mean over all others. A place is decided when all but one are given up at α/2 (of any two tied, one), α being
 * shared by the places asked for.
 */
export function settle(evidence: Evidence, options: SettleOptions): Settled {
  const { companies } = evidence
  // Without a game of each company, merits estimate nothing.
  const complete = companies.every(({ played }) => played > 0)
  const wealth = (log: number): number => Math.exp(Math.min(log, 700))
  const compare = (i: number, j: number): readonly [number, number] => {
    const { above, below } = compared(evidence, i, j)
    return [wealth(above), wealth(below)]
  }
  return decidedBy(byMerit(evidence), complete ? compare : () => [0, 0], options)
}

/** The evidence for i being better than j, and for the reverse, i being the lesser number. */
type Comparison = (i: number, j: number) => readonly [above: number, below: number]

/** `order`: by merit, the best first. */
export function decidedBy(
  order: readonly number[],
  compare: Comparison,
  { top, confidence = 0.95 }: SettleOptions,
): Settled {
  const field = order.length
  /** `against[c][a]` speaks against c being as good as a. */
  const against = Array.from({ length: field }, () => new Float64Array(field))
  for (let i = 0; i < field; i++) {
    for (let j = i + 1; j < field; j++) {
      const [above, below] = compare(i, j)
      ;(against[j] as Float64Array)[i] = above
      ;(against[i] as Float64Array)[j] = below
    }
  }
  const places = Math.max(1, Math.min(top, order.length - 1))
  const needed = (2 * places) / (1 - confidence)
  let decided = 0
  let least = Infinity
  let open: readonly number[] = []
  for (let place = 0; place < places; place++) {
    const left = order.slice(place)
    const [best = 0, ...others] = left
    const strength = (c: number): number => {
      const rivals = left.filter((i) => i !== c)
      return rivals.reduce((sum, i) => sum + (against[c]?.[i] as number), 0) / rivals.length
    }
    const strengths = others.map(strength)
    const doubts = others.filter((_, i) => !((strengths[i] as number) >= needed))
    least = Math.min(least, ...strengths)
    if (doubts.length === 0 && decided === place) decided++
    else if (open.length === 0) open = [best, ...doubts]
  }
  return {
    settled: decided === places,
    order,
    decided,
    confidence: Math.max(0, 1 - (2 * places) / least),
    open,
  }
}

/** Entrants from the greatest merit down; equals in the contest's order. */
function byMerit({ field, companies, among }: Evidence): readonly number[] {
  const merit = new Float64Array(field)
  for (const { members, mean } of companies) {
    members.forEach((e, m) => (merit[e] = (merit[e] as number) + (mean[m] as number) / (among[e]?.size ?? 1)))
  }
  return Array.from(merit, (_, i) => i).sort((a, b) => (merit[b] as number) - (merit[a] as number) || a - b)
}

/**
 * The `count` companies most worth a block now, in order of worth (one may come twice), as indexes of `companies`.
 * First each that has not met. Then those of entrants that might have the open place: whichever met least, and of these
 * the one that most of them are in, so their next lap is sooner complete (`compared`).
 */
export function worthPlaying(
  { companies }: { readonly companies: readonly Pick<Known, 'members' | 'played'>[] },
  { open }: Pick<Settled, 'open'>,
  count: number,
): readonly number[] {
  const fresh = companies.flatMap(({ played }, k) => (played === 0 ? [k] : []))
  if (fresh.length > 0) return fresh.slice(0, count)
  const wanted = new Set(open)
  const rest = companies.flatMap(({ members, played }, k) => {
    const rivals = members.filter((e) => wanted.has(e)).length
    return rivals > 0 ? [{ k, played, rivals }] : []
  })
  const chosen: number[] = []
  while (chosen.length < count && rest.length > 0) {
    const next = rest.reduce((a, b) => (b.played < a.played || (b.played === a.played && b.rivals > a.rivals) ? b : a))
    chosen.push(next.k)
    next.played++
  }
  return chosen
}
