import { expect, it } from 'vitest'
import { type MatchRecord, matchLuck } from '../core/index.js'
import { modulePlayer } from '../bots/index.js'
import { games } from '../games/index.js'
import { randomMatch } from '../../test/kit/archive.js'
import { digestOf } from './digest.js'
import { ownPartsFor, printedMeans, withParameters } from './figures.js'
import { judge } from './judge.js'
import { playMatch } from './play.js'
import { formatRecord, parseRecord } from './text.js'

const definition = games.find(({ game }) => game.id === 'samurai')!

/** Two who bow for three turns; each prints what `say` gives of its question's number. */
function played(...says: readonly ((question: number) => string)[]): Promise<MatchRecord> {
  const names = ['Ant', 'Bee']
  const { id, version, options } = definition.game
  const players = says.map((say) => {
    let question = 0
    return modulePlayer(() => {
      console.error(say(question++))
      return 'B'
    })
  })
  return playMatch({
    definition,
    players,
    fixture: {
      agon: 1,
      game: id,
      version,
      options: { ...options, turns: 3 },
      luck: matchLuck('figures', id, names, 0),
      field: 2,
      seats: names.map((entrant, seat) => ({ entrant, wire: 'module', id: seat })),
    },
  })
}

it('keeps what bots print of themselves by step and seat, outside the digest', async () => {
  const record = await played(
    (question) => `agon:eval=${question / 2}`,
    (question) => (question === 1 ? 'agon:eval=7\nagon:sure=1' : 'nothing'),
  )
  expect(record.figures).toEqual([
    [0, 0, 'eval', 0],
    [1, 0, 'eval', 0.5],
    [1, 1, 'eval', 7],
    [1, 1, 'sure', 1],
    [2, 0, 'eval', 1],
  ])
  expect(printedMeans(record, 0)).toEqual([['eval', 0.5]])
  expect(parseRecord(formatRecord(record))).toEqual(record)
  const quiet = await played(
    () => 'agon: eval is good',
    () => '',
  )
  expect(quiet).not.toHaveProperty('figures')
  expect(digestOf(record, judge(definition, record))).toBe(digestOf(quiet, judge(definition, quiet)))
})

it('shows them of some seats alone', async () => {
  const record = await played(
    () => 'agon:a=1',
    () => 'agon:b=2',
  )
  expect(ownPartsFor(record, (seat) => seat === 1).figures?.map(([, , name]) => name)).toEqual(['b', 'b', 'b'])
  expect(ownPartsFor(record, () => false).figures).toBeUndefined()
})

it('parameters that modules were given are kept by seat, outside the digest, for the same people', () => {
  const record = randomMatch(definition, '1/x/1', [
    { entrant: 'Ant', id: 0 },
    { entrant: 'Bee', id: 1 },
  ])
  const given = withParameters(record, [undefined, { p: 0.3 }])
  expect(parseRecord(formatRecord(given)).with).toEqual([null, { p: 0.3 }])
  expect(withParameters(record, [undefined, undefined])).toBe(record)
  expect(digestOf(given, judge(definition, given))).toBe(digestOf(record, judge(definition, record)))
  expect(ownPartsFor(given, (seat) => seat === 1).with).toEqual([null, { p: 0.3 }])
  expect(ownPartsFor(given, (seat) => seat === 0)).not.toHaveProperty('with')
})
