import { describe, expect, it } from 'vitest'
import { playedByMany, playedByTwo, roundRobinOf } from '../../test/kit/players.js'
import type { Result } from '../core/index.js'
import { stream } from './stream.js'
import {
  GameKinds,
  type RatedGame,
  bradleyTerry,
  distinctGames,
  equalLuck,
  gamesOf,
  meritsOf,
  plackettLuce,
  scoredCompanies,
  pointsOf,
} from './index.js'

const WORTH = { win: 1, draw: 0.5, loss: 0 }

interface Match extends Result {
  readonly course: string
  readonly luck: number
}

/** Games of a field one by one, and the same as kinds, added in another order. */
function both(played: readonly RatedGame[], luckOf: (i: number) => number, courseOf: (i: number) => number) {
  const matches = played.map(({ entrants, place }, i): Match => {
    return {
      key: String(i),
      seats: entrants,
      outcome: { place, reason: '' },
      course: String(courseOf(i)),
      luck: luckOf(i),
    }
  })
  const one = gamesOf(matches, { course: ({ course }) => course, deal: ({ luck }) => luck })
  const kinds = new GameKinds()
  for (const { seats, outcome, course, luck } of [...matches].reverse())
    kinds.add({ seats: [...seats], place: outcome.place, course: Number(course), luck })
  return { one, kinds, games: kinds.games() }
}

const near = (values: Iterable<number>) => Array.from(values, (value) => expect.closeTo(value, 6) as number)

/** Pairs that meet in both orders of seats with the same luck; the last pair of the field repeats one game in each order. */
const field = (() => {
  const luck = stream('kinds')
  const pairs = roundRobinOf(5, 60)
  const same = ([a, b]: readonly number[]): boolean => Math.min(a ?? 0, b ?? 0) === 3
  const played = pairs.map((pair) =>
    same(pair) ? { entrants: pair, place: [1, 2] } : playedByTwo(luck, [120, 60, 0, -40, -140], pair, 0.4, 30),
  )
  const isSame = (i: number): boolean => same(pairs[i] ?? [])
  return both(
    played,
    (i) => Math.floor(i / 2),
    (i) => (isSame(i) ? (i % 2) + 0.5 : i),
  )
})()

describe('games that went alike, as one', () => {
  it('are few, and stand for all', () => {
    const { one, kinds, games } = field
    expect(games.length).toBeLessThan(one.length / 4)
    expect(kinds.count).toBe(600)
    expect(kinds.distinct()).toBe(distinctGames(one))
    expect(kinds.distinct()).toBe(540 + 2)
  })

  it('tell the same as games one by one, of games of two', () => {
    const { one, games } = field
    const [a, b] = [bradleyTerry(one, 5), bradleyTerry(games, 5)]
    expect(b.rating).toEqual(near(a.rating))
    expect(b.low).toEqual(near(a.low))
    expect(b.high).toEqual(near(a.high))
    expect(b.above(1, 2)).toBeCloseTo(a.above(1, 2), 6)
    expect(b.seat?.high).toBeCloseTo(a.seat?.high ?? Number.NaN, 6)
    expect(bradleyTerry(games, 5).first().flat()).toEqual(near(bradleyTerry(one, 5).first().flat()))
  })

  it('tell the same of what blocks of equal luck do, and of points', () => {
    const { one, games } = field
    expect(equalLuck(games).blocks).toBe(300)
    expect(equalLuck(games).effect).toBeCloseTo(equalLuck(one).effect, 9)
    const [a, b] = [meritsOf(one, 5, WORTH), meritsOf(games, 5, WORTH)]
    expect(b.mean).toEqual(near(a.mean))
    const all = ({ of, difference }: typeof a) => [0, 1, 2, 3, 4].flatMap((e) => [of(e), difference(e, (e + 1) % 5)])
    expect(all(b).map(({ variance }) => variance)).toEqual(near(all(a).map(({ variance }) => variance)))
    expect(all(b).map(({ df }) => df)).toEqual(near(all(a).map(({ df }) => df)))
    // The pair that repeats one game in each order of seats has one block.
    expect(scoredCompanies(pointsOf(games, WORTH)).at(-1)).toMatchObject({ members: [3, 4], n: 60, blocks: 1 })
  })

  it('tell the same as games one by one, of games of four', () => {
    const luck = stream('kinds of many')
    const seats = Array.from({ length: 200 }, (_, i) => [i % 6, (i + 1) % 6, (i + 2) % 6, (i + 4) % 6])
    const played = seats.map((entrants) => playedByMany(luck, [90, 50, 10, -10, -50, -90], entrants, 2))
    const { one, games } = both(
      played,
      (i) => i % 50,
      (i) => i,
    )
    expect(plackettLuce(games, 6).rating).toEqual(near(plackettLuce(one, 6).rating))
    expect(plackettLuce(games, 6).high).toEqual(near(plackettLuce(one, 6).high))
    expect(bradleyTerry(games, 6).low).toEqual(near(bradleyTerry(one, 6).low))
  })
})
