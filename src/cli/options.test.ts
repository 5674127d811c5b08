import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type GameDefinition, UserError } from '../core/index.js'
import { resolveContest } from '../contest/index.js'
import { games } from '../games/index.js'
import { limitsOf } from './options.js'

const definition = games.find(({ game }) => game.id === 'samurai') as GameDefinition

const { id } = definition.game

/** What a contest file and the command line say of a limit, without where it stands. */
async function messageOf(text: string): Promise<[file: string, words: string]> {
  const [name = '', value = ''] = text.split('=')
  const toml = `game = "${id}"\n[limits]\n${name} = ${value}\n[[entrants]]\nname = "A"\ncommand = "true"\n`
  const file = join(mkdtempSync(join(tmpdir(), 'agon-limits-')), 'c.toml')
  writeFileSync(file, toml)
  const errorOf = async (act: () => unknown): Promise<string> => {
    try {
      await act()
    } catch (error) {
      if (error instanceof UserError) return error.message.replace(/^.*?: /, '')
      throw error
    }
    return 'taken'
  }
  return [await errorOf(() => resolveContest(file)), await errorOf(() => limitsOf(definition, [text]))]
}

test.each([
  'memory=1',
  'files=3',
  'disk=1.5',
  'turn=999999999999',
  'output=1e12',
  'tunr=5',
  'processes=1e9',
  'source=1.5',
  'late=3',
  'increment=100',
])('%s is refused on the command line as in a contest file', async (text) => {
  const [file, words] = await messageOf(text)
  expect(words).toBe(file)
  expect(words).toMatch(/must be|unknown limit|set bank/)
})

test('what a contest file takes is taken', () => {
  expect(limitsOf(definition, ['turn=0.5', 'memory=1048576', 'source=1000000000'])).toEqual({
    turn: 0.5,
    memory: 1048576,
    source: 1e9,
  })
  const clock = ['bank=60000', 'increment=100', 'start=9000', 'late=forgive:3']
  expect(limitsOf(definition, clock)).toEqual({ bank: 60_000, increment: 100, start: 9000, late: 3 })
  expect(limitsOf(definition, ['late=fault'])).toEqual({})
})

test.each(['turn=', 'turn=x', 'turn=-1', 'turn=0', 'turn=NaN'])('%s is no number above 0', (text) => {
  expect(() => limitsOf(definition, [text])).toThrow(/must be a number above 0/)
})
