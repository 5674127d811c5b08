/** What two of a field agreed on. */
interface Agreed {
  readonly pair: readonly [number, number]
  readonly agreement: number
}

/** Agreements by chance that are tried, as a share of the least agreement there is. */
const CHANCES = [0, 0.2, 0.4, 0.6, 0.8, 0.95]
const ROUNDS = 60
/** Of these the first go by squares. */
const SQUARES = 15
/** Fields of fewer have no more pairs than the factor fits. */
const FEWEST = 5

/**
 * What a skill for each explains of who agrees with whom: agreement = c + u_a·u_b, which is exact for bots that are right as often as they
 * are, each by itself, and wrong at random (with skills s and a chance κ that two wrong answers are the same, c = κ/(1 + κ) and
 * u = √(1 + κ)·(s − c)). Each pair has a fit without itself, so that twins do not explain each other. Returns by
 * pair what is expected, and by how much the factor misses the other pairs (a median, times 1.4826: a normal law's standard
 * deviation); undefined where too few are left. `without`: bots that do not count, as they copy others.
 */
export function oneFactor(
  bots: number,
  pairs: readonly Agreed[],
): (pair: number, without: ReadonlySet<number>) => { readonly expected: number; readonly scale: number } | undefined {
  const table = Array.from({ length: bots }, () => new Float64Array(bots))
  for (const { pair, agreement } of pairs) {
    const [a, b] = pair
    ;(table[a] as Float64Array)[b] = agreement
    ;(table[b] as Float64Array)[a] = agreement
  }
  const least = Math.min(...pairs.map(({ agreement }) => agreement))
  return (k, without) => {
    if (bots - without.size < FEWEST) return undefined
    const [a, b] = (pairs[k] as Agreed).pair
    const fits = CHANCES.map((share) => fitWithout(table, [a, b], share * least, without))
    const best = fits.reduce((x, y) => (y.misses < x.misses ? y : x))
    return { expected: Math.min(1, best.expected), scale: best.scale }
  }
}

/** A miss is taken to be so much at least, lest one pair be all that counts. */
const SLIGHT = 0.02

/** By least absolute misses, which a few twins do not move: least squares, each pair weighed by the last miss (Schlossmacher 1973). */
function fitWithout(
  table: readonly Float64Array[],
  [a, b]: readonly [number, number],
  chance: number,
  without: ReadonlySet<number>,
) {
  const bots = table.length
  const counts = (i: number, j: number): boolean =>
    i !== j && !without.has(i) && !without.has(j) && !((i === a && j === b) || (i === b && j === a))
  const skill = new Float64Array(bots).fill(0.5)
  const missOf = (i: number, j: number): number =>
    Math.abs((table[i]?.[j] as number) - chance - (skill[i] as number) * (skill[j] as number))
  for (let round = 0; round < ROUNDS; round++) {
    const weigh = (i: number, j: number): number => (round < SQUARES ? 1 : 1 / Math.max(SLIGHT, missOf(i, j)))
    for (let i = 0; i < bots; i++) {
      let [over, under] = [0, 1e-9]
      for (let j = 0; j < bots; j++) {
        if (!counts(i, j)) continue
        const weight = weigh(i, j)
        over += weight * ((table[i]?.[j] as number) - chance) * (skill[j] as number)
        under += weight * (skill[j] as number) ** 2
      }
      skill[i] = over / under
    }
  }
  const off: number[] = []
  for (let i = 0; i < bots; i++) for (let j = 0; j < i; j++) if (counts(i, j)) off.push(missOf(i, j))
  off.sort((x, y) => x - y)
  return {
    expected: chance + (skill[a] as number) * (skill[b] as number),
    misses: off.reduce((sum, x) => sum + x, 0),
    scale: 1.4826 * (off[off.length >> 1] as number),
  }
}
