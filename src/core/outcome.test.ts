import { describe, expect, it } from 'vitest'
import type { AnyGame, Ending } from './game.js'
import { countedScores, outcomeOf } from './outcome.js'
import type { GameDefinition } from './definition.js'

const ending = (end: unknown, more: Partial<AnyGame> = {}, scoring?: GameDefinition['scoring']) =>
  outcomeOf({ game: { outcome: () => end as Ending, ...more } as unknown as AnyGame, scoring }, {}, 2)

describe('an outcome as a game tells it', () => {
  it('has places that follow from its scores where it leaves them out: equals share, and the next place is left out', () => {
    expect(ending({ score: [1.5, 3], reason: 'end' })).toEqual({ place: [2, 1], score: [1.5, 3], reason: 'end' })
    const four = { outcome: () => ({ score: [4, 7, 7, -1], reason: 'end' }) } as unknown as AnyGame
    expect(outcomeOf({ game: four }, {}, 4)?.place).toEqual([3, 1, 1, 4])
  })

  it('has one place for each team', () => {
    const four = (place: readonly number[], teams: unknown) =>
      outcomeOf(
        { game: { outcome: () => ({ place, reason: 'end' }), teams: () => teams } as unknown as AnyGame },
        {},
        4,
      )?.place
    const pairs = [
      [0, 2],
      [1, 3],
    ]
    expect(four([1, 3, 1, 3], pairs)).toEqual([1, 3, 1, 3])
    expect(four([1, 2, 3, 4], undefined)).toEqual([1, 2, 3, 4])
    expect(() => four([1, 2, 4, 2], pairs)).toThrow('the team mates in seats 0 and 2 have the places 1 and 4')
    expect(() => four([1, 3, 1, 3], [[0, 2]])).toThrow('do not have each of the 4 seats once')
    expect(() => four([1, 3, 1, 3], 'pairs')).toThrow('have to be lists of seats')
  })

  it('keeps the places that a game gives, whatever its scores, and tallies that are fractions', () => {
    const given = { place: [1, 2], score: [0, 9], reason: 'resigned', tally: { life: [0.5, 1 / 3] } }
    expect(ending(given)).toEqual(given)
    expect(ending({ score: [-0, 1], reason: 'end' })?.score).toStrictEqual([0, 1])
    expect(ending(undefined)).toBeUndefined()
  })

  it.each([
    [{ place: [1, 2], score: [NaN, 1] }, 'its score of seat 0 is NaN, and has to be a finite number'],
    [{ score: [1, 1 / 0] }, 'its score of seat 1 is Infinity'],
    [{ score: [1e101, 1] }, 'its score of seat 0 is 1e+101, and scores lie from -1e+100 to 1e+100'],
    [{ score: [1] }, 'its score is of 1 seat and not of 2'],
    [{ score: [1, 2, 3] }, 'its score is of 3 seats and not of 2'],
    [{ score: [1, undefined] }, 'its score of seat 1 is missing'],
    // eslint-disable-next-line no-sparse-arrays
    [{ score: [, 1] }, 'its score of seat 0 is missing'],
    [{ score: ['1', 2] }, 'its score of seat 0 is "1"'],
    [{ score: { 0: 1, 1: 2 } }, 'has to be an array by seat'],
    [{}, 'its place is missing'],
    [{ place: [1] }, 'its place is of 1 seat and not of 2'],
    [{ place: [0, 1] }, 'the place 0 is none'],
    [{ place: [1, 1.5] }, 'the place 1.5 is none'],
    [
      { place: [1, 3] },
      'its place [1, 3] is no ranking: a place is one more than the seats with a better one, as in [1, 2]',
    ],
    [{ place: [2, 2] }, 'as in [1, 1]'],
    [{ place: [1, 2], tally: { life: [NaN, 1] } }, 'its tally life of seat 0 is NaN'],
    [
      { place: [1, 2], tally: { life: [1, 0.5] } },
      'its tally life of seat 1 is 0.5, and a game without scores tallies',
    ],
  ])('refuses %j', (given, why) => {
    expect(() => ending({ reason: 'end', ...given })).toThrow(why)
  })

  it.each([null, false, '', 0])('refuses %j as what means that the game goes on', (none) => {
    const game = { outcome: () => none } as never
    expect(() => outcomeOf({ game }, {}, 2)).toThrow(
      `it is ${JSON.stringify(none)}, and has to be undefined as long as`,
    )
  })

  it('refuses an end without a reason, a score outside of the bounds that the game has, and none where scores count', () => {
    expect(() => ending({ place: [1, 2] })).toThrow('its reason is missing')
    const bounds = { scores: { min: 0, max: 5 } }
    expect(ending({ score: [0, 5], reason: 'end' }, bounds)?.score).toEqual([0, 5])
    expect(() => ending({ score: [0, 5.1], reason: 'end' }, bounds)).toThrow('scores lie from 0 to 5')
    expect(() => ending({ place: [1, 2], reason: 'end' }, {}, { by: 'score' })).toThrow('it has no score')
    expect(ending({ place: [1, 2], reason: 'end' }, {}, { by: 'wins' })?.place).toEqual([1, 2])
  })
})

it('takes places for more than two seats where equals share the best place, and no others', () => {
  const of = (...place: number[]) => {
    const game = { outcome: () => ({ place, reason: 'end' }) } as unknown as AnyGame
    return () => outcomeOf({ game }, {}, place.length)?.place
  }
  for (const place of [[1], [1, 1, 3], [3, 1, 2], [4, 1, 2, 2], [1, 1, 1, 1]]) expect(of(...place)()).toEqual(place)
  expect(of(1, 1, 2)).toThrow('its place [1, 1, 2] is no ranking')
  expect(of(1, 2, 2, 3)).toThrow('as in [1, 2, 2, 4]')
  expect(of(1, 3, 3)).toThrow('as in [1, 2, 2]')
})

describe('what a match counts', () => {
  const outcome = { place: [1, 2], score: [600, 300], reason: 'end' }

  it('is its score, or its score a turn, and nothing where wins count', () => {
    expect(countedScores({ by: 'score' }, { outcome, turns: 200 })).toEqual([600, 300])
    expect(countedScores({ by: 'score', per: 'turn' }, { outcome, turns: 200 })).toEqual([3, 1.5])
    expect(countedScores({}, { outcome })).toBeUndefined()
    expect(countedScores({ by: 'score' }, { outcome: { place: [2, 1], reason: 'withdrawn' } })).toBeUndefined()
  })
})
