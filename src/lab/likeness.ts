import { studentCdf } from '../stats/student.js'

/** What each bot answered to each view: `answers[bot][view]`; undefined: not asked, or no answer. */
export type Answers = readonly (readonly (string | undefined)[])[]

/** How alike two bots answer. */
export interface Likeness {
  readonly pair: readonly [number, number]
  /** On how many views both answered. */
  readonly views: number
  /** The share of these on which they answered the same. */
  readonly agreement: number
  /** The share on which two bots of their habits and skill would agree, each by itself. */
  readonly expected: number
  /** The probability that two such bots agree as often or more. */
  readonly p: number
  /** p times the number of pairs, at most 1 (Bonferroni): for when all pairs were looked at. */
  readonly adjusted: number
}

type Common = ReturnType<typeof commonOf>

/**
 * How alike each two bots behave on the same views, most alike first. Two good bots agree, as both are right, and so do
 * two with one favourite answer; neither is suspect. So agreement is compared with the most of three: chance, by how
 * often both give each answer (Cohen 1960); chance on these views by the field's answers, dealt anew; and each one's
 * skill, as one factor fits all other pairs (`oneFactor`). Its error is taken from match to match, as one match's
 * positions are alike; p is Student's t. `matches`: by view, its match; absent: each its own. Fields below five give no
 * skill: half of what habits leave is granted. In a field of two p is 1. It shows that behaviour is alike, not why.
 */
export function likeness(answers: Answers, matches?: readonly number[]): readonly Likeness[] {
  const bots = answers.length
  const pairs = (bots * (bots - 1)) / 2
  const field = fieldChances(answers)
  const all: Common[] = []
  for (let a = 0; a < bots; a++) for (let b = a + 1; b < bots; b++) all.push(commonOf(answers, [a, b], field, matches))
  const skill = oneFactor(bots, all)
  /** Bots that copy another, by whom: no evidence of others' skills. */
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

/** Bots that differ no more are taken for copies when others are looked at. */
const ALIKE = 0.05

/** By view: the probability that two random bots of those that answered gave the same. */
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
 * What a pair agreed on, by match, as one match's views are alike. `byHabit`: the share of agreement by chance, from
 * how often each answers so, and the field on the same views; `error`: the agreement's standard error, with `df`
 * degrees of freedom; 0: unknown.
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
  // At least the variance of independent views, if agreement were by habit.
  const least = views * Math.max(byHabit * (1 - byHabit), 1e-9)
  const error = n > 1 ? Math.sqrt(Math.max((varied * n) / (n - 1), least)) / views : 0
  return { pair, views, agreement, byHabit, error, df: n - 1 }
}

/** The probability that two who give answers as often as these gave the same. */
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

/** Agreements by chance to try, as shares of the least agreement. */
const CHANCES = [0, 0.2, 0.4, 0.6, 0.8, 0.95]
const ROUNDS = 60
/** Of these the first go by squares. */
const SQUARES = 15
/** Fields of fewer have no more pairs than the factor fits. */
const FEWEST = 5

/**
 * What skills explain of who agrees with whom: agreement = c + u_a·u_b, exact for bots that are right independently and
 * wrong at random (skills s, a chance κ that two wrong answers are the same, c = κ/(1 + κ), u = √(1 + κ)·(s − c)). Each
 * pair's fit leaves it out, so that twins do not explain each other. Returns by pair what is expected, and the factor's
 * miss on other pairs (median times 1.4826: a normal law's standard deviation); undefined: too few left. `without`:
 * bots that copy others, not counted.
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

/** The least miss assumed, lest one pair be all that counts. */
const SLIGHT = 0.02

/** By least absolute misses, which twins hardly move: least squares, weighed by last misses (Schlossmacher 1973). */
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
