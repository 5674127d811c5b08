import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { type MatchRecord, matchLuck } from '../../core/index.js'
import { played } from '../../../test/kit/records.js'
import { playedWith } from '../../results/folder-files.js'
import { recordFacts } from './judged-records.js'
import { recordGame } from '../../contest/index.js'

const folder = mkdtempSync(join(tmpdir(), 'agon-facts-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const SEED = 'a seed'
const contest = {
  game: 'duel',
  seed: SEED,
  entrants: [{ name: 'Ant' }, { name: 'Bee' }],
  format: { repetitions: 2 },
  gameFile: join(folder, 'duel.ts'),
}
const dealt = (place: string, deal: number): MatchRecord => ({
  ...played(place, [0, 1], [1, 2]).record,
  luck: matchLuck(SEED, 'duel', ['Ant', 'Bee'], deal),
})

it('a match that stands in a file twice is a contradiction, whatever was answered in it the second time', () => {
  const facts = recordFacts(join(folder, 'nothing'))
  const one = dealt('1/Ant-Bee/1', 0)
  expect(facts.contradiction(one, 'a:1')).toBeUndefined()
  expect(facts.contradiction(dealt('1/Ant-Bee/2', 0), 'a:2')).toBeUndefined()
  expect(facts.contradiction({ ...one, times: [], steps: [] }, 'a:3')).toBe('the same match as a:1')
  const { key: _key, ...alone } = one
  expect([facts.contradiction(alone, 'a:4'), facts.contradiction(alone, 'a:5')]).toEqual([undefined, undefined])
  expect(facts.missing()).toBeUndefined()
})

it('in an archive, luck, entrants, game and number are those that it tells of', () => {
  writeFileSync(join(folder, 'contest.json'), JSON.stringify(contest))
  writeFileSync(join(folder, 'results.json'), JSON.stringify({ played: 3, reused: 4 }))
  const facts = recordFacts(folder)
  expect(facts.contradiction(dealt('1/Ant-Bee/1', 0), 'a:1')).toBeUndefined()
  expect(facts.contradiction(dealt('1/Ant-Bee/9', 7), 'a:2')).toBeUndefined()
  const luck = { seed: matchLuck('another', 'duel', ['Ant', 'Bee'], 0).seed, at: 0 }
  expect(facts.contradiction({ ...dealt('1/Ant-Bee/3', 0), luck }, 'a:3')).toMatch(/its luck is none/)
  expect(facts.contradiction({ ...dealt('1/Ant-Bee/4', 0), game: 'chess' }, 'a:4')).toMatch(/a match of chess/)
  expect(facts.contradiction(played('1/Ant-Cat/1', [0, 2], [1, 2]).record, 'a:5')).toMatch(/no entrant "Cat"/)
  expect(facts.missing()).toBe('results.json counts 7 matches, and there are 5 records')
})

it('in an archive, a key is that of its entrants, the only one of its kind, and of a finished run none is missing', () => {
  writeFileSync(join(folder, 'contest.json'), JSON.stringify(contest))
  writeFileSync(join(folder, 'results.json'), JSON.stringify({ played: 2, reused: 0, finished: true }))
  const two = (first: string, second: string) => {
    const facts = recordFacts(folder)
    return [facts.contradiction(dealt(first, 0), 'a:1'), facts.contradiction(dealt(second, 1), 'a:2'), facts.missing()]
  }
  expect(two('1/Ant-Bee/1', '1/Ant-Bee/2')).toEqual([undefined, undefined, undefined])
  expect(two('1/Ant-Bee/1', '1/Ant-Bee/1')[1]).toBe('another match has its key')
  expect(two('1/Ant-Cat/1', '1/Ant-Bee/1')[0]).toBe('its key is not that of its entrants')
  expect(two('1/Ant-Bee/1', '1/Ant-Bee/3')[2]).toBe('the run is finished, and a match of 1/Ant-Bee is not there')
})

it('a game that an archive names is reported, and not run', async () => {
  writeFileSync(join(folder, 'contest.json'), JSON.stringify(contest))
  writeFileSync(contest.gameFile, "throw new Error('was run')\n")
  const played2 = playedWith(folder)
  expect(played2).toBe(contest.gameFile)
  await expect(recordGame('duel', undefined, played2)).rejects.toThrow(
    `the game "duel" does not come with agon; it is code: name its file with the option "game" (${contest.gameFile}) if you trust that file`,
  )
  await expect(recordGame('duel', contest.gameFile)).rejects.toThrow('was run')
})
