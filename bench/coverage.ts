import { stream } from '../src/core/stream.js'
import { likeness } from '../src/analysis/index.js'
import {
  type RatedGame,
  bradleyTerry,
  firstByPoints,
  firstByStrength,
  fitOf,
  meansOf,
  meritsOf,
  normalDraw,
  plackettLuce,
  scoredCompanies,
  sprt,
  studentInterval,
} from '../src/rating/index.js'
import { held, playedByMany, playedByTwo, roundRobinOf } from '../test/kit/players.js'
import { byElo, settling } from '../test/kit/settling.js'
import { LAWS, type Law, SCORES, anyField, played } from './coverage/laws.js'
import type { Row } from './kit.js'

export const measures =
  'how often 95 % intervals hold the truth, tests err, and first places are right, with the standard errors of the simulation'

const WORTH = { win: 1, draw: 0.5, loss: 0 }

/** A share of intervals that hold the truth: 93.5 % at least, and where the law is smooth below 97 %, but for two standard errors. */
function coverage(name: string, shares: readonly number[], smooth = false): Row {
  const value = shares.reduce((a, b) => a + b, 0) / shares.length
  const error = Math.sqrt(shares.reduce((sum, x) => sum + (x - value) ** 2, 0) / shares.length / shares.length)
  const wide = smooth && value - 2 * error > 0.97
  return {
    name: `held: ${name}`,
    value,
    error,
    limit: 0.95,
    ratio: wide ? 0 : (value + 2 * error) / 0.95,
    goal: 0.935 / 0.95,
  }
}

/** A share of errors: the nominal one at most, but for two standard errors. */
function errors(name: string, wrong: number, runs: number, limit = 0.05): Row {
  const value = wrong / runs
  const error = Math.sqrt((limit * (1 - limit)) / runs)
  return { name, value, error, limit, ratio: (limit + 2 * error) / Math.max(value, 1e-3), goal: 1 }
}

const times = <T>(n: number, one: (i: number) => T): T[] => Array.from({ length: n }, (_, i) => one(i))

const intervals = (law: Law, runs: number): Row => {
  const luck = stream('bench', law.name)
  const what = `Bradley–Terry, ${law.name}: ${law.elo.join(' ')}, ${law.games} games a pair`
  return coverage(
    what,
    times(runs, () => held(bradleyTerry(played(law, luck), law.elo.length), law.elo)),
    law.smooth,
  )
}

/** Whether all intervals of a field hold at once, where they are said to. */
function simultaneous(law: Law, runs: number): Row {
  const luck = stream('simultaneous', law.name)
  const confidence = 0.95 ** (1 / law.elo.length)
  const all = times(runs, () => held(bradleyTerry(played(law, luck), law.elo.length, { confidence }), law.elo))
  return coverage(
    `all at once, ${law.name}`,
    all.map((share) => (share === 1 ? 1 : 0)),
  )
}

/** Of neighbours called sure at 97.5 %, how many stand the wrong way round. */
function superior(law: Law, runs: number): Row {
  const luck = stream('superior', law.name)
  let wrong = 0
  for (let n = 0; n < runs; n++) {
    const ratings = bradleyTerry(played(law, luck), law.elo.length)
    const p = ratings.above(0, 1)
    if (p < 0.025 || (law.elo[0] === law.elo[1] && p > 0.975)) wrong++
  }
  return errors(`called sure and wrong: the first two of ${law.name}`, wrong, runs)
}

function forMany(elo: readonly number[], seats: number, games: number, ranked: number, runs: number): Row {
  const luck = stream('bench', elo.join(), seats, games, ranked)
  const company = (): number[] => {
    const left = elo.map((_, i) => i)
    return times(seats, () => left.splice(luck.below(left.length), 1)[0] ?? 0)
  }
  const what = `${games} games of ${seats}, ${ranked === 1 ? 'the winner' : 'all places'} ranked`
  const field = (): readonly RatedGame[] => times(games, () => playedByMany(luck, elo, company(), ranked))
  return coverage(
    `Plackett–Luce: ${elo.join(' ')}, ${what}`,
    times(runs, () => held(plackettLuce(field(), elo.length), elo)),
  )
}

/** Means by score of two blocks or more a pair, by Student's t. */
function means(law: string, blocks: number, runs: number, unlike = false): Row {
  const luck = stream('means', law, blocks)
  const draw = SCORES[law]
  const field = 4
  const shares = times(runs, () => {
    const unit = new Map<string, number>()
    const games = roundRobinOf(field, blocks).map((entrants, n) => {
      const pair = entrants.toSorted((a, b) => a - b).join()
      // Where pairs are unlike, one varies up to some ten times as much as another.
      const own = unit.get(pair) ?? (unlike ? Math.exp(0.7 * normalDraw(luck)) : 1)
      unit.set(pair, own)
      const lead = own * (draw?.(luck) ?? 0)
      return { entrants, scores: [lead, -lead], block: String(n) }
    })
    const found = meansOf(scoredCompanies(games), field)
    const hits = times(field, (e) => {
      const [low, high] = studentInterval(found.of(e), 0.95) ?? [-Infinity, Infinity]
      return low <= 0 && 0 <= high ? 1 : 0
    })
    return hits.reduce((a: number, b) => a + b, 0) / field
  })
  return coverage(`mean scores, ${law}${unlike ? ', pairs unlike' : ''}, ${blocks} blocks a pair`, shares)
}

/** How often the fit of strengths is refused where they explain the field. */
function refused(law: Law, runs: number): Row {
  const luck = stream('fit', law.name)
  const wrong = times(runs, () => fitOf(played(law, luck), law.elo.length)).filter((fit) => fit && fit.p < 0.04)
  return errors(`a cycle may be seen, and there is none: ${law.name}`, wrong.length, runs)
}

/** What is said of the first place, and how often it is so. */
function calibration(runs: number): readonly Row[] {
  const luck = stream('first')
  const bins = times(5, () => ({ n: 0, said: 0, right: 0 }))
  for (let run = 0; run < runs; run++) {
    const elo = anyField(luck)
    const games = roundRobinOf(elo.length, 2 * (1 + luck.below(8))).map((pair) => playedByTwo(luck, elo, pair, 0.3))
    const best = elo.indexOf(Math.max(...elo))
    const merits = meritsOf(games, elo.length, WORTH)
    for (const first of [firstByStrength(games, elo.length, String(run)), firstByPoints(merits, String(run))]) {
      const top = Math.max(...first)
      const bin = bins[Math.min(4, Math.floor(5 * top))]
      if (!bin) continue
      bin.n++
      bin.said += top
      bin.right += first[best] === top ? 1 : 0
    }
  }
  return bins.flatMap(({ n, said, right }): Row[] => {
    if (n < 20) return []
    const [value, limit] = [right / n, said / n]
    // Two rules look at the same fields.
    const error = Math.sqrt((value * (1 - value)) / (n / 2))
    const off = Math.max(0, Math.abs(value - limit) - 2 * error)
    return [
      {
        name: `first place, said ${limit.toFixed(2)}: true`,
        value,
        error,
        limit,
        ratio: 0.05 / Math.max(off, 0.001),
        goal: 1,
      },
    ]
  })
}

/**
 * The same of fields of a single spread, in Elo: nobody can tell it from few games, so of near equals too much is said, and of a field
 * that is spread too little. The two rules beside each other.
 */
function calibrationOf(spread: number, each: number, runs: number): readonly Row[] {
  const luck = stream('first of one law', spread, each)
  const rules = [
    { name: 'strength', said: 0, right: 0 },
    { name: 'points', said: 0, right: 0 },
  ]
  for (let run = 0; run < runs; run++) {
    const elo = times(6, () => spread * normalDraw(luck))
    const games = roundRobinOf(elo.length, each).map((pair) => playedByTwo(luck, elo, pair, 0.3))
    const best = elo.indexOf(Math.max(...elo))
    const points = firstByPoints(meritsOf(games, elo.length, WORTH), String(run))
    for (const [r, first] of [firstByStrength(games, elo.length, String(run)), points].entries()) {
      const top = Math.max(...first)
      const rule = rules[r]
      if (!rule) continue
      rule.said += top / runs
      rule.right += (first[best] === top ? 1 : 0) / runs
    }
  }
  return rules.map(({ name, said, right }): Row => {
    const error = Math.sqrt((right * (1 - right)) / runs)
    const what = `first place by ${name}, six spread by ${spread}, ${each} games a pair, said ${said.toFixed(2)}: true`
    return { name: what, value: right, error, limit: said, ratio: null, goal: null }
  })
}

/** The share of tournaments among these whose first place is called settled, which it is not. */
function settled(name: string, field: number, wins: (a: number, b: number) => number, runs: number): Row {
  const found = times(runs, (n) =>
    settling({ field, wins, top: 1, budget: 60, batch: field - 1, seed: `${name} ${n}`, chosen: true }),
  )
  return errors(`wrongly settled: ${name}`, found.filter((one) => one.settled).length, runs)
}

/** Duels of two equals, of few courses, that end with the one better. */
function duels(runs: number): Row {
  const luck = stream('duels')
  let wrong = 0
  for (let run = 0; run < runs; run++) {
    const games: RatedGame[] = []
    for (let n = 0; n < 200; n++)
      games.push({ ...playedByTwo(luck, [0, 0], n % 2 ? [0, 1] : [1, 0], 0), block: String(n >> 1) })
    // Looked at after every twentieth game.
    if (
      times(10, (k) => sprt(games.slice(0, 20 * (k + 1)), 0, { elo0: 0, elo1: 50 })).some(
        ({ decision }) => decision === 'H1',
      )
    )
      wrong++
  }
  return errors('a duel of equals: H1', wrong, runs)
}

/** Fields of bots of unlike skill in which two are said to be alike. */
function twins(runs: number): Row {
  const skills = [0.95, 0.9, 0.8, 0.7, 0.55, 0.4, 0.3, 0.25]
  let wrong = 0
  for (let run = 0; run < runs; run++) {
    const luck = stream('twins', run)
    const answers = skills.map((): string[] => [])
    for (let v = 0; v < 200; v++) {
      const right = luck.below(4)
      skills.forEach((skill, bot) =>
        answers[bot]?.push(String(luck.uniform() < skill ? right : (right + 1 + luck.below(3)) % 4)),
      )
    }
    const matches = times(200, (v) => Math.floor(v / 20))
    if ((likeness(answers, matches)[0]?.adjusted ?? 1) < 0.05) wrong++
  }
  return errors('strangers of unlike skill called twins', wrong, runs)
}

/** Blocks until settled when pairings are chosen, as a share of those of a round robin that stops by the same rule. */
function saved(elo: readonly number[], top: number, runs: number): Row {
  const blocks = (chosen: boolean): number => {
    const found = times(runs, (n) =>
      settling({
        field: elo.length,
        wins: byElo(elo),
        top,
        budget: 400,
        batch: elo.length,
        seed: `saved ${n}`,
        chosen,
      }),
    )
    return found.reduce((sum, one) => sum + one.blocks, 0) / runs
  }
  const [value, limit] = [blocks(true), blocks(false)]
  return { name: `blocks until the top ${top} of ${elo.join(' ')}`, value, limit, ratio: value / limit, goal: null }
}

/** Some minutes; half a minute where it is to be quick. */
export default async function coverages(full: boolean, quick: boolean): Promise<readonly Row[]> {
  const runs = quick ? 100 : full ? 2000 : 500
  const fields = LAWS.filter(({ name }) =>
    ['equal', 'spread', 'draws', 'the seat worth 200', 'far apart'].includes(name),
  )
  return Promise.resolve([
    ...LAWS.map((law) => intervals(law, runs)),
    forMany([200, 100, 50, -50, -100, -200], 4, 40, 9, runs),
    forMany([200, 100, 0, -100, -200], 5, 100, 1, runs),
    ...Object.keys(SCORES).flatMap((law) => [5, 30].map((blocks) => means(law, blocks, runs))),
    ...[3, 5, 30].map((blocks) => means('normal', blocks, runs, true)),
    ...fields.map((law) => simultaneous(law, runs)),
    ...LAWS.filter(({ name }) => ['equal', 'spread', 'mirrored luck', 'half mirrored luck'].includes(name)).map((law) =>
      superior(law, runs),
    ),
    ...fields.map((law) => refused(law, runs)),
    ...calibration(runs),
    ...[10, 25, 50, 100, 200].flatMap((spread) => [4, 12].flatMap((games) => calibrationOf(spread, games, runs))),
    settled('two equals', 2, () => 0.5, runs),
    settled('four equals', 4, () => 0.5, Math.ceil(runs / 5)),
    settled('a cycle of three', 3, (a, b) => ((b - a + 3) % 3 === 1 ? 0.9 : 0.1), Math.ceil(runs / 2)),
    settled('two equals at the top', 4, (a, b) => (a < 2 && b > 1 ? 0.9 : 0.5), Math.ceil(runs / 5)),
    duels(runs),
    twins(Math.ceil(runs / 5)),
    ...(full
      ? [saved([160, 90, 60, 20, -20, -60, -100, -150], 1, 20), saved([250, 150, 60, 0, -40, -80, -140, -200], 3, 20)]
      : []),
  ])
}
