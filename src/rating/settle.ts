import { contrast, type Evidence } from './evidence.js'
import { normalCdf } from './normal.js'

export interface SettleOptions {
  /** How many places are to be decided, from the first; the field less one is the whole order. */
  readonly top: number
  /** The probability that all of them are right, whenever it is looked. */
  readonly confidence?: number
}

/** How far an order is decided. */
export interface Settled {
  readonly settled: boolean
  /** Entrants by merit, the best first, as it looks now. */
  readonly order: readonly number[]
  /** How many places, from the first, are decided at the asked confidence. */
  readonly decided: number
  /** The greatest confidence at which all the asked places would be decided; 0 where nothing is. */
  readonly confidence: number
  /** Who might still have the first place that is not decided, with its holder in front; empty when all is. */
  readonly open: readonly number[]
}

/** By how much merits differ that it is tuned for: a tenth of a point a game. Others take a little longer to tell. */
const SCALE = 0.1

/**
 * Whether the first places are decided, by a test that may be asked after every match and that may choose the matches.
 *
 * That c deserves a place better than a is given up when the evidence against it is strong: a mixture likelihood ratio of the
 * difference D of their merits, estimated with variance V, against D ≤ 0,
 *     E = 2 / √(1 + S²/V) · exp(D²/2V · R) · Φ(D/√V · √R),   R = S² / (S² + V),
 * a normal mixture over D > 0 of scale S (Robbins 1970; with an estimated variance, Waudby-Smith et al. 2024). Where D ≤ 0, E
 * exceeds 1/α with probability α at most, ever. Against "c is the best of those left" speaks the mean of E over all others,
 * which is a mixture again. A place is decided when all but one are given up at α/2 (a tie for it then is wrongly decided with
 * α at most: one of those tied must have been given up, of any two) with α shared by the places asked for.
 */
export function settle(evidence: Evidence, { top, confidence = 0.95 }: SettleOptions): Settled {
  const { field, companies } = evidence
  const places = Math.max(1, Math.min(top, field - 1))
  const order = byMerit(evidence)
  const needed = (2 * places) / (1 - confidence)
  // Without a game of each company, merits are not estimates of anything.
  const complete = companies.every(({ played }) => played > 0)
  const against = Array.from({ length: field }, () => new Float64Array(field))
  for (let i = 0; i < field && complete; i++) {
    for (let j = i + 1; j < field; j++) {
      const { difference, variance } = contrast(evidence, i, j)
      ;(against[j] as Float64Array)[i] = ratio(difference, variance)
      ;(against[i] as Float64Array)[j] = ratio(-difference, variance)
    }
  }
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
    const doubts = others.filter((c) => !(strength(c) >= needed))
    least = Math.min(least, ...others.map(strength))
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

/** Entrants from the greatest merit to the least; equals in the contest's order. */
function byMerit({ field, companies, degree }: Evidence): readonly number[] {
  const merit = new Float64Array(field)
  for (const { members, mean } of companies) {
    members.forEach((e, m) => (merit[e] = (merit[e] as number) + (mean[m] as number) / (degree[e] as number)))
  }
  return Array.from(merit, (_, i) => i).sort((a, b) => (merit[b] as number) - (merit[a] as number) || a - b)
}

function ratio(difference: number, variance: number): number {
  const scale = SCALE * SCALE
  const share = scale / (scale + variance)
  const z = difference / Math.sqrt(variance)
  const exponent = Math.min((z * z * share) / 2, 700)
  return (2 / Math.sqrt(1 + scale / variance)) * Math.exp(exponent) * normalCdf(z * Math.sqrt(share))
}

/**
 * The companies most worth a block of matches now, `count` of them in the order of their worth (a company may come twice), as
 * indexes of `Evidence.companies`. First each that has not met. Then by expected information on the place that is open: a
 * block lowers the variance V of the difference D between its holder and a rival by Δ, and so raises the expected square of
 * their distance in standard errors by (D² + V)/V² · Δ; summed over the rivals in doubt. A company that keeps repeating its
 * games promises as little as it brings.
 */
export function worthPlaying(evidence: Evidence, { open }: Pick<Settled, 'open'>, count: number): readonly number[] {
  const fresh = evidence.companies.flatMap(({ played }, k) => (played === 0 ? [k] : []))
  if (fresh.length > 0) return fresh.slice(0, count)
  const [best, ...rivals] = open
  const promise = new Float64Array(evidence.companies.length)
  for (const rival of rivals) {
    const { difference, variance, parts } = contrast(evidence, best as number, rival)
    const factor = (difference * difference + variance) / (variance * variance)
    parts.forEach((part, k) => (promise[k] = (promise[k] as number) + factor * part))
  }
  const extra = evidence.companies.map(() => 0)
  const chosen: number[] = []
  while (chosen.length < count && rivals.length > 0) {
    let most = 0
    let gain = -1
    evidence.companies.forEach(({ played, distinct }, k) => {
      // 1/n − 1/(n + 1) of its part, by the share of blocks that are new.
      const n = distinct + (extra[k] as number)
      const here = ((promise[k] as number) * (distinct / played)) / (n * (n + 1))
      if (here > gain) [most, gain] = [k, here]
    })
    chosen.push(most)
    extra[most] = (extra[most] as number) + 1
  }
  return chosen
}
