import { fitBradleyTerry } from './bradley-terry.js'
import { companiesOf, type RatedGame } from './game.js'
import { type Meetings, type PairList, meetingsOf, pairsOf, scoreTable, scoresOf } from './meetings.js'
import { choicesOf, fitPlackettLuce } from './plackett-luce.js'
import { ELO } from './strengths.js'

/**
 * A number for each entrant, more being better, from the games weighted so and so: what the bootstrap computes again and again.
 * Weights are by game, in the order in which the games were given; a game of weight 0 was not played.
 */
export type Statistic = (weights: ArrayLike<number>) => readonly number[]
/** Prepares a statistic for some games. */
export type Rule = (games: readonly RatedGame[], field: number) => Statistic

/** What a game is worth to each of its entrants. */
export interface Worth {
  readonly win: number
  readonly draw: number
  readonly loss: number
}

/**
 * Points a game: the mean, over the companies that an entrant was in (who met, in whatever seats), of its mean there, so that
 * a company drawn twice as often in a resample does not count double. Alone in the first place is a win, to share it a draw,
 * anything else a loss. An entrant without a game has what the others have on average.
 */
export function byPoints(worth: Worth): Rule {
  return (games, field) => {
    const companies = companiesOf(games).map(({ members, games: list }) => ({
      members,
      // By game: its number and the points of each member.
      games: list.map((g) => ({ g, points: pointsIn(games[g] as RatedGame, members, worth) })),
    }))
    return (weights) => {
      const sum = new Float64Array(field)
      const n = new Float64Array(field)
      for (const { members, games: list } of companies) {
        let total = 0
        for (const { g } of list) total += weights[g] as number
        if (total === 0) continue
        for (let m = 0; m < members.length; m++) {
          let gained = 0
          for (const { g, points } of list) gained += (weights[g] as number) * (points[m] as number)
          const entrant = members[m] as number
          sum[entrant] = (sum[entrant] as number) + gained / total
          n[entrant] = (n[entrant] as number) + 1
        }
      }
      const everyone = n.reduce((a, b) => a + b, 0)
      const average = sum.reduce((a, b) => a + b, 0) / Math.max(1, everyone)
      return Array.from(sum, (s, i) => ((n[i] as number) > 0 ? s / (n[i] as number) : average))
    }
  }
}

function pointsIn({ entrants, place }: RatedGame, members: readonly number[], worth: Worth): readonly number[] {
  const firsts = place.filter((p) => p === 1).length
  return members.map((member) => {
    const mine = place[entrants.indexOf(member)] as number
    return mine > 1 ? worth.loss : firsts > 1 ? worth.draw : worth.win
  })
}

/** Bradley and Terry's strength in Elo, up to a constant. */
export const byElo: Rule = (games, field) => {
  const pairs = pairsOf(games, field)
  let start = new Float64Array(field)
  return (weights) => {
    const { at } = fitBradleyTerry(meetingsOf(pairs, weights), start)
    start = Float64Array.from(at)
    return Array.from(at.subarray(0, field), (theta) => theta * ELO)
  }
}

/** Plackett and Luce's strength in Elo, up to a constant. */
export const byPlackettLuce: Rule = (games, field) => {
  const choices = choicesOf(games, field)
  let start = new Float64Array(field)
  return (weights) => {
    const { at } = fitPlackettLuce(choices, weights, start)
    start = Float64Array.from(at)
    return Array.from(at, (theta) => theta * ELO)
  }
}

/** Of the games that were asked for last: several rules look at the same ones. */
const known = new WeakMap<readonly RatedGame[], PairList>()

function pairsKept(games: readonly RatedGame[], field: number): PairList {
  const kept = known.get(games)
  if (kept?.field === field) return kept
  const pairs = pairsOf(games, field)
  known.set(games, pairs)
  return pairs
}

/** Anything that follows from who scores what against whom (`scoresOf`): equilibria, dynamics, the last one standing. */
export function byScores(of: (scores: readonly (readonly number[])[]) => readonly number[]): Rule {
  return (games, field) => {
    const pairs = pairsKept(games, field)
    return (weights) => of(scoresOf(meetingsOf(pairs, weights)))
  }
}

/**
 * The same of a table by rows, one after another: it is lent for the call, and no resample needs fresh memory for it. Makes what it needs
 * for fields of this size once.
 */
export function byScoreTable(make: (field: number) => (table: Float64Array) => readonly number[]): Rule {
  return (games, field) => {
    const pairs = pairsKept(games, field)
    const of = make(field)
    const table = new Float64Array(field * field)
    let meetings: Meetings | undefined
    return (weights) => {
      meetings = meetingsOf(pairs, weights, meetings)
      return of(scoreTable(meetings, table))
    }
  }
}

/**
 * Last player standing on a matrix of mean scores: round by round the one with the least sum against those still in leaves;
 * of several, those with the least sum against the whole field, and all who are still level. Returns after which round each
 * left, or for the entrants that stay to the end, one more than the rounds there were: more is better.
 */
export function lastStandingRounds(scores: readonly (readonly number[])[]): readonly number[] {
  const rounds = scores.map(() => 0)
  let alive = scores.map((_, i) => i)
  const against = (i: number, others: readonly number[]): number =>
    others.reduce((sum, j) => (i === j ? sum : sum + (scores[i]?.[j] ?? 0)), 0)
  const everyone = alive
  for (let round = 1; ; round++) {
    const least = lowest(alive, (i) => against(i, alive))
    const out = lowest(least, (i) => against(i, everyone))
    if (out.length === alive.length) {
      for (const i of alive) rounds[i] = round
      return rounds
    }
    for (const i of out) rounds[i] = round
    alive = alive.filter((i) => !out.includes(i))
  }
}

/** Those with the least value; sums that differ by rounding alone are equal. */
function lowest(items: readonly number[], value: (item: number) => number): readonly number[] {
  const values = items.map(value)
  const least = Math.min(...values)
  return items.filter((_, k) => (values[k] as number) - least < 1e-9)
}
