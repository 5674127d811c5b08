import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import type { GameDefinition } from '../core/index.js'
import { games } from '../games/index.js'
import { refuseMemory } from './entries.js'
import { type SentWords, sentEntry } from './sent-entry.js'

const folder = mkdtempSync(join(tmpdir(), 'agon-sent-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const samurai = games.find(({ game }) => game.id === 'samurai') as GameDefinition
const sent = (own: string, words: Partial<SentWords> = {}) => {
  writeFileSync(join(folder, 'bot.toml'), own)
  return sentEntry({ name: 'Heron', ...words }, folder, samurai)
}

describe('a bot whose files were sent', () => {
  it('is started and built as its bot.toml says, and is who its sender says', () => {
    const own = 'name = "Boss"\nauthor = "Boss"\nfolder = ".."\nbuild = "make"\ncommand = "./heron"\nmemory = "turn"\n'
    expect(sent(own).spec).toEqual({
      name: 'Heron',
      folder: '.',
      build: [['make']],
      command: ['./heron'],
      memory: 'turn',
    })
  })

  it('is started as its sender says, whatever bot.toml says of that', () => {
    const { spec } = sent('command = "./heron"\nbuild = "make"\nwire = "jsonl"\n', { command: 'sh bot.sh' })
    expect(spec).toEqual({ name: 'Heron', folder: '.', command: ['sh', 'bot.sh'], wire: 'jsonl' })
  })

  it.each(['house = "Dice"', 'with = { p = 1 }', 'strict_memory = false', '[limits]\nturn = 9000'])(
    'sets nothing that is the host’s: %j',
    (own) => {
      const [, key = ''] = /(\w+)/.exec(own) ?? []
      expect(() => sent(`wire = "jsonl"\n\n${own}\n`, { command: 'sh bot.sh' })).toThrow(
        `bot.toml:3: "${key}" is for the contest's file to say, not for an entrant's own: leave it out; known: name,`,
      )
    },
  )

  it('is refused more memory than its contest gives, with the line', () => {
    const entry = sent('\nmemory = "series"\n', { command: 'sh bot.sh' })
    expect(() => refuseMemory(entry, 'match')).toThrow(
      /^bot\.toml:2: "Heron" may remember for a match at most, as the contest says: leave memory = "series" out/,
    )
    for (const most of ['series', 'tournament'] as const) expect(() => refuseMemory(entry, most)).not.toThrow()
  })

  it('has a line for what its bot.toml says wrong, and none for what its sender does', () => {
    expect(() => sent('\nwire = "morse"\ncommand = "./heron"\n')).toThrow(/^bot\.toml:2: unknown wire "morse"/)
    expect(() => sent('\nwire = "jsonl"\ncommand = "./heron"\n', { wire: 'morse' })).toThrow(/^unknown wire "morse"/)
  })
})
