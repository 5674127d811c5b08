import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { UserError } from '../../core/index.js'
import { loadGame } from '../../contest/index.js'
import { loadContest } from '../../contest/parse.js'
import { contestsOf, initContest } from './init.js'
import { newGame } from './new.js'

const place = mkdtempSync(join(tmpdir(), 'agon-new-'))
afterAll(() => rmSync(place, { recursive: true, force: true }))

it('makes the folder of a game that loads under the name that was given', async () => {
  const { folder, files } = newGame('three-sticks', 'ts', place)
  expect(folder).toBe(join(place, 'three-sticks'))
  expect(files).toContain('game.ts')
  const written = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  expect(written).toHaveLength(files.length)
  expect((await loadGame('./game.ts', folder)).game.id).toBe('three-sticks')
  expect(() => newGame('three-sticks', 'ts', place)).toThrow(UserError)
})

it.each(['samurai', 'Sticks', 'a--b', '../up', ''])('makes no game called %j', (name) => {
  expect(() => newGame(name, 'ts', place)).toThrow(UserError)
  expect(readdirSync(place)).not.toContain(name === '' ? '.' : name)
})

it('makes a contest that is read as it was asked for, and never writes over one', async () => {
  const folder = join(place, 'friday')
  const answers = {
    title: 'Friday',
    game: 'samurai',
    format: 'swiss',
    repetitions: 4,
    house: ['Hedgehog', 'Dice'],
  } as const
  initContest(folder, answers)
  const { contest } = await loadContest(join(folder, 'contest.toml'))
  expect(contest).toMatchObject({ title: 'Friday', format: { kind: 'swiss', rounds: 4 } })
  expect(contest.entrants.map(({ name }) => name)).toEqual(['Hedgehog', 'Dice'])
  const before = readFileSync(join(folder, 'contest.toml'), 'utf8')
  expect(() => initContest(folder, { ...answers, title: 'Saturday' })).toThrow(/is there already/)
  expect(readFileSync(join(folder, 'contest.toml'), 'utf8')).toBe(before)
})

it('refuses a format that does not suit the game, and a house bot that it does not have', () => {
  const folder = join(place, 'refused')
  const answers = { title: '', game: 'samurai', format: 'swiss', repetitions: 1, house: [] } as const
  expect(contestsOf('samurai').formats.map(({ kind }) => kind)).not.toContain('groups')
  expect(() => initContest(folder, { ...answers, format: 'groups' })).toThrow(/samurai is not played by groups/)
  expect(() => initContest(folder, { ...answers, house: ['Hedgehogg'] })).toThrow(/did you mean "Hedgehog"/)
  expect(readdirSync(place)).not.toContain('refused')
})
