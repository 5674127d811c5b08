import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { matching } from './entrants.js'

const folder = mkdtempSync(join(tmpdir(), 'agon-pattern-'))
const FILES = ['entries/ant/bot.toml', 'entries/bee/v2/bot.toml', 'entries/bee/v2/bot.sh']
beforeAll(() => {
  for (const file of FILES) {
    mkdirSync(join(folder, file, '..'), { recursive: true })
    writeFileSync(join(folder, file), '')
  }
  // Three links that lead up: a walk through them has 3 ** 40 ways before the system refuses a path.
  for (const [name, target] of [
    ['a', '.'],
    ['b', '..'],
    ['c', '../ant'],
    ['root', '/'],
  ] as const)
    symlinkSync(target, join(folder, 'entries/ant', name))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const found = (pattern: string): string[] => matching(pattern, folder).map((path) => relative(folder, path))

describe('a pattern', () => {
  it('with ** finds files in folders and passes through no link', () => {
    expect(found('entries/**/bot.toml')).toEqual(['entries/ant/bot.toml', 'entries/bee/v2/bot.toml'])
    expect(found('entries/bee/**')).toEqual([
      'entries/bee',
      'entries/bee/v2',
      'entries/bee/v2/bot.sh',
      'entries/bee/v2/bot.toml',
    ])
  })

  it('with * finds what a link leads to, which its reader refuses where that is elsewhere', () => {
    expect(found('entries/*/c/bot.toml')).toEqual(['entries/ant/c/bot.toml'])
  })

  it('with ** many times in a row is the same as with one', () => {
    mkdirSync(join(folder, Array.from({ length: 30 }, () => 'd').join('/')), { recursive: true })
    expect(found(`${'**/'.repeat(30)}bot.sh`)).toEqual(['entries/bee/v2/bot.sh'])
  })
})
