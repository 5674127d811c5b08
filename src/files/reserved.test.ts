import { mkdirSync, mkdtempSync, realpathSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { reserve, reservedFrom } from './reserved.js'

const top = realpathSync(mkdtempSync(join(tmpdir(), 'agon-reserved-')))
const at = (...names: string[]): string => join(top, ...names)
const isReserved = (path: string, base: string): boolean => reservedFrom(base)(path)

test('all of a workspace is reserved, also before it is there, and by a link', () => {
  mkdirSync(at('bots'))
  symlinkSync(at('bots'), at('also'))
  reserve(at('also', 'work'), ['agon.db'])
  expect(isReserved(at('bots', 'work'), at('bots'))).toBe(true)
  expect(isReserved(at('bots', 'work', 'x', 'y'), at('bots'))).toBe(true)
  mkdirSync(at('bots', 'work'))
  expect(isReserved(at('bots', 'work', 'x'), at('also'))).toBe(true)
  expect(isReserved(at('bots', 'workshop'), at('bots'))).toBe(false)
})

test('where the entries lie in the workspace itself, what agon writes there is reserved', () => {
  mkdirSync(at('home'))
  reserve(at('home'), ['agon.db', 'rooms'])
  const mine = (name: string): boolean => isReserved(at('home', name), at('home'))
  expect(['agon.db', 'agon.db-wal', 'rooms', 'rooms/1', 'bot.py', 'a/agon.db'].map(mine)).toEqual([
    true,
    true,
    true,
    true,
    false,
    false,
  ])
  expect(isReserved(at('home', 'bot.py'), at('bots'))).toBe(true)
})

test('a file may be reserved', () => {
  reserve(at('contest.toml'))
  expect(isReserved(at('contest.toml'), top)).toBe(true)
  expect(isReserved(at('contest.toml.txt'), top)).toBe(false)
})
