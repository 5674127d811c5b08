import { heldAgain } from '../../src/lab/index.js'
import {
  type Probability,
  placesBy,
  bradleyTerry,
  meansOf,
  meritsOf,
  normalDraw,
  scoredCompanies,
} from '../../src/stats/index.js'
import { stream, type Stream } from '../../src/stats/stream.js'
import { playedByTwo, roundRobinOf } from '../../test/kit/players.js'
import type { Row } from '../kit.js'
import { FORMATS, type Played, matchOf, playedOut, specOf } from './formats.js'
import { FIELDS, anyField } from './laws.js'
import { coverage, times } from './rows.js'

const WORTH = { win: 1, draw: 0.5, loss: 0 }

/** The probability given to the likeliest first of some fields, and how often it was first. */
interface Calls {
  /** Of those that are one figure: the sum of these, how many were right, and of how many. */
  said: number
  right: number
  n: number
  /** Of all: what is said at least and at most, and how many were right. */
  low: number
  high: number
  all: number
  fields: number
}

const nothing = (): Calls => ({ said: 0, right: 0, n: 0, low: 0, high: 0, all: 0, fields: 0 })
const middle = (of: Probability): number => (typeof of === 'number' ? of : (of[0] + of[1]) / 2)

/** `truths`: how good they are, or how it came out each time that it was held again; a shared first place is divided. */
function add(calls: Calls, first: readonly Probability[], ...truths: readonly (readonly number[])[]): void {
  const values = first.map(middle)
  const leader = values.indexOf(Math.max(...values))
  const top = first[leader] ?? 0
  const shares = truths.map((truth) => {
    const best = Math.max(...truth)
    return truth[leader] === best ? 1 / truth.filter((x) => x === best).length : 0
  })
  const right = shares.reduce((sum, share) => sum + share, 0) / shares.length
  const [low, high] = typeof top === 'number' ? [top, top] : top
  calls.fields++
  calls.low += low
  calls.high += high
  calls.all += right
  if (typeof top !== 'number') return
  calls.n++
  calls.said += top
  calls.right += right
}

/** `share`: as how many independent fields each counts. */
function rows(name: string, { said, right, n, low, high, all, fields }: Calls, share = 1): readonly Row[] {
  const row = (what: string, value: number, from: number, to: number, count: number): Row => {
    const error = Math.sqrt((value * (1 - value)) / (count * share))
    const off = Math.max(0, from - value, value - to)
    return {
      name: `first place, ${name}, ${what}: true`,
      value,
      error,
      limit: value < from ? from : value > to ? to : value,
      ratio: (0.05 + 2 * error) / Math.max(off, 0.001),
      goal: 1,
    }
  }
  const between = `said ${(low / fields).toFixed(2)} to ${(high / fields).toFixed(2)} on average`
  const figure = `one figure in ${Math.round((100 * n) / fields)} % of fields, ${(said / n).toFixed(2)}`
  return [
    row(between, all / fields, low / fields, high / fields, fields),
    // Of fewer nothing can be seen.
    ...(n < 20 ? [] : [row(figure, right / n, said / n, said / n, n)]),
  ]
}

/** The probabilities given for the first place, and how often each entrant has it. */
export const first = (all: number): readonly Row[] => {
  const runs = Math.ceil(all / 2)
  return [
    ...anySpread(runs),
    ...[0, 10, 25, 50, 100, 200, 400].flatMap((spread) =>
      [
        [4, 20],
        [6, 4],
        [6, 12],
        [6, 40],
        [12, 4],
      ].flatMap(([field = 0, games = 0]) => {
        const elo = (luck: Stream) => times(field, () => (spread || 1e-6) * normalDraw(luck))
        return oneLaw(`${field} spread by ${spread}, ${games} games a pair`, games, elo, runs)
      }),
    ),
    ...oneLaw('two at 150 and up to 60 below, six at −100, 20 games a pair', 20, twoGroups, runs),
    ...oneLaw('eight skewed (exponential, 100), 10 games a pair', 10, skewed, runs),
    ...[0, 0.1, 0.3, 1, 3].flatMap((spread) => byScore(spread, runs)),
  ]
}

const twoGroups = (luck: Stream): readonly number[] => [
  150,
  150 - 30 * Math.abs(normalDraw(luck)),
  ...times(6, () => -100 + 20 * normalDraw(luck)),
]
const skewed = (luck: Stream): readonly number[] => times(8, () => -100 * Math.log(1 - luck.uniform()))

/** Contests that are held again: how often the one that is said to be is the first, and ranks are as they are said to be. */
export const again = (all: number): readonly Row[] =>
  FORMATS.filter(({ name }) =>
    ['last standing', 'swiss', 'elimination', 'double elimination', 'hill'].includes(name),
  ).flatMap((format) => Object.keys(FIELDS).flatMap((kind) => heldManyTimes(format, kind, Math.ceil(all / 25))))

function heldManyTimes(format: Played, kind: string, runs: number): readonly Row[] {
  const { name, field } = format
  const luck = stream('again', name, kind)
  const calls = nothing()
  const within: number[] = []
  for (let n = 0; n < runs; n++) {
    const elo = FIELDS[kind]?.(luck, field) ?? []
    const held = (time: number) => playedOut(specOf(format, `${n} ${time}`), matchOf(luck, elo))
    const { games, ranks } = held(0)
    const others = times(AGAIN, (time) => held(1 + time).ranks)
    const { format: spec, scoring } = specOf(format, String(n))
    const said = heldAgain({ format: spec, scoring, games, ranks }, TIMES)
    const places = others.map((other) => other.map((rank) => -rank))
    add(calls, said.first, ...places)
    const isWithin = (rank: number, i: number) => {
      const [best, worst] = said.ranks[i] ?? [1, 1]
      return best <= rank && rank <= worst
    }
    within.push(others.flat().filter((rank, k) => isWithin(rank, k % field)).length / AGAIN / field)
  }
  return [
    // What varies between fields is less than what varies between the times that a field holds its contest.
    ...rows(`${name}, ${kind}, held again`, calls, AGAIN / 2),
    coverage(`ranks of a contest held again, ${name}, ${kind}`, within),
  ]
}
const TIMES = 300
/** How often a contest is held to see who is first. */
const AGAIN = 10

/** Over fields as they may be, by how likely the likeliest is said to be. */
function anySpread(runs: number): readonly Row[] {
  const luck = stream('first')
  const bins = times(5, nothing)
  for (let run = 0; run < runs; run++) {
    const elo = anyField(luck)
    const games = roundRobinOf(elo.length, 2 * (1 + luck.below(8))).map((pair) => playedByTwo(luck, elo, pair, 0.3))
    const merits = meritsOf(games, elo.length, WORTH)
    for (const said of [bradleyTerry(games, elo.length).first(), placesBy(merits).first]) {
      const bin = bins[Math.min(4, Math.floor(5 * Math.max(...said.map(middle))))]
      if (bin) add(bin, said, elo)
    }
  }
  // Two rules look at the same fields.
  return bins.flatMap((bin) => (bin.fields < 20 ? [] : rows('fields of any spread', bin, 0.5)))
}

/** Over fields of one law, by both rules. */
function oneLaw(what: string, games: number, law: (luck: Stream) => readonly number[], runs: number): readonly Row[] {
  const luck = stream('first of one law', what)
  const [strength, points] = [nothing(), nothing()]
  for (let run = 0; run < runs; run++) {
    const elo = law(luck)
    const played = roundRobinOf(elo.length, games).map((pair) => playedByTwo(luck, elo, pair, 0.3))
    add(strength, bradleyTerry(played, elo.length).first(), elo)
    add(points, placesBy(meritsOf(played, elo.length, WORTH)).first, elo)
  }
  return [...rows(`${what}, by strength`, strength), ...rows(`${what}, by points`, points)]
}

/** Of six whose mean scores are spread so far, in what a match varies by. */
function byScore(spread: number, runs: number): readonly Row[] {
  const luck = stream('first by score', spread)
  const calls = nothing()
  for (let run = 0; run < runs; run++) {
    const truth = times(6, () => (spread || 1e-6) * normalDraw(luck))
    const played = roundRobinOf(6, 10).map((entrants, n) => {
      const lead = scored(luck, truth, entrants)
      return { entrants, scores: [lead, -lead], block: String(n) }
    })
    add(calls, placesBy(meansOf(scoredCompanies(played), 6)).first, truth)
  }
  return rows(`six spread by ${spread} of what scores vary by, 10 matches a pair, by mean scores`, calls)
}

const scored = (luck: Stream, truth: readonly number[], [a, b]: readonly [number, number]): number =>
  (truth[a] ?? 0) - (truth[b] ?? 0) + normalDraw(luck)
