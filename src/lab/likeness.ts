import { studentCdf } from '../stats/student.js'

/** What each bot answered to each view: `answers[bot][view]`; undefined where it was not asked, or gave no answer. */
export type Answers = readonly (readonly (string | undefined)[])[]

/** How alike two bots answer. */
export interface Likeness {
  readonly pair: readonly [number, number]
  /** On how many views both answered. */
  readonly views: number
  /** The share of these on which they answered the same. */
  readonly agreement: number
  /** The share on which two bots with their habits and their skill would have, each by itself. */
  readonly expected: number
  /** The probability that two such bots agree as often as these or more. */
  readonly p: number
  /** p times the number of pairs compared, at most 1 (Bonferroni): what to go by when all pairs were looked at. */
  readonly adjusted: number
}

type Common = ReturnType<typeof commonOf>

/**
 * How alike each two bots behave on the same views, the most alike first. Two good bots agree, for both are right, and so do two with the
 * same favourite answer; neither is a reason to look. So what a pair agrees on is compared with the most of three: what two bots that give
 * each answer as often as these would by chance (Cohen 1960); what two of the field would on the same views, had answers been dealt
 * anew; and what each one's skill explains, as one factor fits to the agreements of all other pairs (`oneFactor`). How much an agreement
 * varies is taken from match to match, as positions of one are much the same; p is Student's t. `matches`: by view, the match that it is
 * from; absent: each from its own. In fields of fewer than five no skill can be estimated: half of what habits leave
 * is granted to it there. A bot has to have company: in a field of two p is 1. It
 * shows that behaviour is alike, not why.
 */
export function likeness(answers: Answers, matches?: readonly number[]): readonly Likeness[] {
  const bots = answers.length
  const pairs = (bots * (bots - 1)) / 2
  const field = fieldChances(answers)
  const all: Common[] = []
  for (let a = 0; a < bots; a++) for (let b = a + 1; b < bots; b++) all.push(commonOf(answers, [a, b], field, matches))
  const skill = oneFactor(bots, all)
  /** Bots that copy another, by whom: they are no evidence of the skills of others. */
  const copies = new Map<number, number>()
  for (;;) {
    const found = all
      .map((common, k): Likeness => {
        const { pair, views, agreement, byHabit, error, df } = common
        const without = new Set(
          [...copies].flatMap(([copy, of]) => (pair.includes(copy) ? (pair.includes(of) ? [] : [of]) : [copy])),
        )
        for (const one of pair) without.delete(one)
        const { expected: bySkill, scale } = skill(k, without) ?? { expected: (1 + byHabit) / 2, scale: 0 }
        const expected = Math.max(byHabit, bySkill)
        const p = bots < 3 || df < 1 ? 1 : studentCdf((expected - agreement) / Math.hypot(error, scale), df)
        return { pair, views, agreement, expected, p, adjusted: Math.min(1, p * pairs) }
      })
      .sort((x, y) => x.p - y.p || y.agreement - x.agreement)
    const next = found.find(({ pair: [a, b], adjusted }) => adjusted < ALIKE && !copies.has(a) && !copies.has(b))
    if (next === undefined || copies.size >= bots / 3) return found
    copies.set(next.pair[1], next.pair[0])
  }
}

/** Bots that differ this little are taken for copies of each other when the others are looked at. */
const ALIKE = 0.05

/** By view: the probability that two of the bots that answered, drawn at random, answered the same. */
function fieldChances(answers: Answers): readonly number[] {
  const views = Math.max(0, ...answers.map((row) => row.length))
  return Array.from({ length: views }, (_, v) => {
    const counts = new Map<string, number>()
    let n = 0
    for (const row of answers) {
      const answer = row[v]
      if (answer === undefined) continue
      counts.set(answer, (counts.get(answer) ?? 0) + 1)
      n++
    }
    const same = [...counts.values()].reduce((sum, count) => sum + count * (count - 1), 0)
    return n > 1 ? same / (n * (n - 1)) : 0
  })
}

/**
 * What a pair agreed on, by match: views are much the same in one match, so that matches are what varies. `byHabit`: the share on which they
 * would agree by chance, each answering as often as it does, and as the field does on the same views; `error`: the standard error of the
 * agreement, known with `df` degrees of freedom; 0: not known.
 */
function commonOf(
  answers: Answers,
  pair: readonly [number, number],
  field: readonly number[],
  matches: readonly number[] | undefined,
) {
  const [mine, theirs] = [answers[pair[0]] ?? [], answers[pair[1]] ?? []]
  const shared = field.flatMap((_, v) => (mine[v] === undefined || theirs[v] === undefined ? [] : [v]))
  const views = shared.length
  if (views === 0) return { pair, views, agreement: 0, byHabit: 0, error: 0, df: 0 }
  const agreed = (v: number): number => (mine[v] === theirs[v] ? 1 : 0)
  const agreement = shared.reduce((sum, v) => sum + agreed(v), 0) / views
  const dealt = shared.reduce((sum, v) => sum + (field[v] as number), 0) / views
  const byHabit = Math.max(dealt, chanceOf(shared.map((v) => [mine[v] ?? '', theirs[v] ?? ''])))
  const excess = new Map<number, number>()
  for (const v of shared) {
    const match = matches?.[v] ?? v
    excess.set(match, (excess.get(match) ?? 0) + agreed(v) - agreement)
  }
  const n = excess.size
  const varied = [...excess.values()].reduce((sum, x) => sum + x * x, 0)
  // No less than what views that are independent would vary by, were agreement by habit the truth.
  const least = views * Math.max(byHabit * (1 - byHabit), 1e-9)
  const error = n > 1 ? Math.sqrt(Math.max((varied * n) / (n - 1), least)) / views : 0
  return { pair, views, agreement, byHabit, error, df: n - 1 }
}

/** The probability that two who give each answer as often as these did give the same one. */
function chanceOf(answers: readonly (readonly [string, string])[]): number {
  const counts = new Map<string, [number, number]>()
  for (const both of answers) {
    both.forEach((answer, who) => {
      const known = counts.get(answer) ?? [0, 0]
      known[who as 0 | 1]++
      counts.set(answer, known)
    })
  }
  return [...counts.values()].reduce((sum, [a, b]) => sum + a * b, 0) / (answers.length * answers.length)
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
function oneFactor(
  bots: number,
  pairs: readonly Common[],
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
    const [a, b] = (pairs[k] as Common).pair
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
