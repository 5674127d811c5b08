import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { UserError } from '../../core/index.js'
import { TestContest } from '../../../test/kit/stored-run.js'
import { openStoreOf } from '../open-store.js'
import { replayMatch } from './replay.js'
import { runContest } from '../run/run.js'

const place = new TestContest()
beforeAll(() => place.play())
const replay = (contest: string, match: string) => replayMatch({ contest, match }, place.context)

it('finds a match by its key or its number, in a folder, a file and a stored run', async () => {
  const { record, steps, outcome, definition } = await replay(place.out, '2')
  const key = record.key ?? ''
  expect(key).toContain('-')
  expect([outcome, definition.game.id]).toEqual([record.outcome, 'samurai'])
  expect(steps).toHaveLength(record.steps.length)
  expect((await replay(join(place.out, 'records.jsonl'), key)).record).toEqual(record)
  expect((await replay(place.contest, key)).record).toEqual(record)
  // In a stored run the numbers go by arrival: matches that are played at once may arrive in another order than the file's.
  const numbered = await Promise.all(['1', '2', '3'].map((number) => replay(place.contest, number)))
  const store = await openStoreOf(place.context)
  try {
    const [run] = await store.runs()
    const newestFirst = (await store.matches(run?.id ?? '')).map((row) => row.key)
    expect(numbered.map((one) => one.record.key)).toEqual(newestFirst.reverse())
  } finally {
    await store.close()
  }
})

it('finds a match of a league by its folder, and of its results where these lie there, too', async () => {
  const league = new TestContest()
  league.write('contest.toml', readFileSync(league.contest, 'utf8'))
  await runContest(league.folder, { out: league.out, trust: true, jobs: 1, timed: 1 }, league.context, () => undefined)
  const { record } = await replayMatch({ contest: league.folder, match: '2' }, league.context)
  expect(record.seats).toHaveLength(2)
  league.write('records.jsonl', readFileSync(join(league.out, 'records.jsonl'), 'utf8'))
  const again = { contest: league.folder, match: record.key ?? '' }
  expect((await replayMatch(again, { ...league.context, workspace: league.path('none') })).record).toEqual(record)
})

it('tells what is not there, and what the rules cannot follow', async () => {
  await expect(replay(place.out, '9')).rejects.toThrow('has 3 matches, and none is "9"; give the option "match"')
  await expect(replay(place.contest, '9')).rejects.toThrow('has 3 matches, and none is "9"; give the option "match"')
  await expect(replay(place.path('none.jsonl'), '1')).rejects.toThrow('no such file')
  const [line = ''] = readFileSync(join(place.out, 'records.jsonl'), 'utf8').split('\n')
  const cut = place.write('cut.jsonl', `${line.replace(/"steps":\[.*?\]\]\]/, '"steps":[]')}\n`)
  await expect(replay(cut, '1')).rejects.toThrow(UserError)
  await expect(replay(cut, '1')).rejects.toThrow('cannot be replayed')
  await expect(replay(place.write('bad.jsonl', '{}\n'), '1')).rejects.toThrow(/bad\.jsonl: match 1: /)
})
