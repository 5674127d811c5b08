/** The least and the greatest value that can come up. */
export interface Bounds {
  readonly min: number
  readonly max: number
}

const BETS = 64

/** Shares of the stake: Chebyshev nodes of [0, 1], within ½·ln n of the best share (Cover and Ordentlich 1996). */
const SHARES = Float64Array.from({ length: BETS }, (_, j) => (1 + Math.cos(((2 * j + 1) * Math.PI) / (2 * BETS))) / 2)

/** ln of the mean of stakes given as ln. */
function together(logs: Float64Array): number {
  let top = -Infinity
  for (const log of logs) if (log > top) top = log
  if (top === -Infinity) return top
  let sum = 0
  for (const log of logs) sum += Math.exp(log - top)
  return top + Math.log(sum / logs.length)
}

/** By gain: ln of each share's pay. Results have few values; logarithms take the time. */
const paid = new Map<number, Float64Array>()
const PAID = 4096

function payOf(gain: number): Float64Array {
  const known = paid.get(gain)
  if (known) return known
  const pay = SHARES.map((share) => Math.log(1 + share * gain))
  if (paid.size < PAID) paid.set(gain, pay)
  return pay
}

/** Before any, values count as varying like two coins' mean, as if seen so often. */
const SEEN = 4
/** The greatest share put on the aim: never all. */
const MOST = 0.9

/**
 * Evidence that the mean of bounded values is above `mean`, as a gambler's wealth (Waudby-Smith and Ramdas 2024): a bet
 * f multiplies its stake by 1 − f + f·(x − min)/(mean − min) for a value x. Where every value's expectation, given
 * those before, is `mean` or less, the wealth ever reaches 1/α with probability α at most (Ville 1939), whatever the
 * law and number of looks. The same holds where only runs of `n` independent values have such a mean, with looks
 * between runs: a product of expectations is greatest where they are equal. For a mean below, turn all signs.
 *
 * The order of values matters only with `aim`: half of the stake is bet as grows fastest if that is the mean and values
 * vary as before. Throws RangeError for a mean not between the bounds, or a value outside.
 */
export class MeanEvidence {
  /** By bet: ln of what its stake has become. */
  private readonly logs = new Float64Array(BETS)
  private aimed = 0
  private squares: number
  private seen = SEEN

  constructor(
    private readonly bounds: Bounds,
    private readonly mean: number,
    private readonly aim?: number,
  ) {
    const { min, max } = bounds
    if (!(min < mean && mean < max))
      throw new RangeError(`a mean between the bounds ${min} and ${max} is to be tested, not ${mean}`)
    this.squares = (SEEN * (max - min) ** 2) / 8
  }

  /** Adds a value that came up `times` times. */
  add(value: number, times = 1): this {
    const { min, max } = this.bounds
    if (!(value >= min && value <= max)) throw new RangeError(`${value} is not between the bounds ${min} and ${max}`)
    const pay = payOf((value - min) / (this.mean - min) - 1)
    for (let j = 0; j < BETS; j++) this.logs[j] = (this.logs[j] as number) + times * (pay[j] as number)
    for (let i = 0; i < times && this.aim !== undefined; i++) this.bet(value, this.aim - this.mean)
    return this
  }

  private bet(value: number, lead: number): void {
    const bet = Math.min(lead / (this.squares / this.seen + lead * lead), MOST / (this.mean - this.bounds.min))
    this.aimed += Math.log1p(bet * (value - this.mean))
    this.squares += (value - this.mean - lead / 2) ** 2
    this.seen++
  }

  /** ln of the wealth. */
  log(): number {
    const mixed = together(this.logs)
    return this.aim === undefined ? mixed : together(Float64Array.of(mixed, this.aimed))
  }
}

/**
 * The interval that has held the mean of bounded values all along with probability `confidence` (a confidence
 * sequence): each end is where the evidence against it reaches 2/(1 − confidence). `values`: as they came, or with
 * counts.
 */
export function meanInterval(
  values: Iterable<number> | ReadonlyMap<number, number>,
  bounds: Bounds,
  confidence = 0.95,
): { readonly low: number; readonly high: number } {
  const counts = values instanceof Map ? (values as ReadonlyMap<number, number>) : countsOf(values as Iterable<number>)
  const needed = Math.log(2 / (1 - confidence))
  const { min, max } = bounds
  const turned = new Map([...counts].map(([value, times]) => [-value, times]))
  return {
    low: least(counts, bounds, needed),
    high: -least(turned, { min: -max, max: -min }, needed),
  }
}

/** The least mean without such evidence against it, by bisection. */
function least(counts: ReadonlyMap<number, number>, bounds: Bounds, needed: number): number {
  let { min: low, max: high } = bounds
  for (let round = 0; round < 40; round++) {
    const middle = (low + high) / 2
    if (!(middle > low && middle < high)) break
    const evidence = new MeanEvidence(bounds, middle)
    for (const [value, times] of counts) evidence.add(value, times)
    if (evidence.log() >= needed) low = middle
    else high = middle
  }
  return low
}

function countsOf(values: Iterable<number>): ReadonlyMap<number, number> {
  const counts = new Map<number, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return counts
}
