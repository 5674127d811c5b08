import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadGame } from '../../contest/index.js'
import { trustedProgram } from '../../files/index.js'
import gunduel from '../../games/gunduel/index.js'
import { games } from '../../games/index.js'
import { LANGUAGES } from '../../kits/index.js'
import { findIsolation } from '../../sandbox/index.js'
import { checkBot } from '../check/check.js'
import { newBot } from './new.js'

const place = realpathSync(mkdtempSync(join(tmpdir(), 'agon-kits-')))
afterAll(() => rmSync(place, { recursive: true, force: true }))
const context = { workspace: join(place, 'workspace'), notice: () => undefined }

/** Whether this machine can hold strangers' bots; without that they are played as plain programs. */
let noIsolation = false
beforeAll(async () => {
  noIsolation = (await findIsolation()).program === undefined
})

const TINY = `export default { id: 'tiny', version: 1, seats: { min: 2, max: 2 }, options: {}, setup: () => ({ n: 0 }),
        toMove: ({ n }) => (n < 2 ? [0, 1] : []), view: ({ n }) => ({ n }), legal: () => ['a'], play: ({ n }) => ({ n: n + 1 }),
        outcome: ({ n }) => (n < 2 ? undefined : { place: [1, 1], reason: 'over' }) }`

describe('a new bot plays without a fault', () => {
  for (const [i, { name, needs }] of LANGUAGES.entries()) {
    const definition = games[i % games.length] ?? gunduel
    const there = needs.every((program) => trustedProgram(program) !== undefined)
    const id = definition.game.id
    it.runIf(there)(`in ${name}, ${id}`, async () => {
      const { folder } = await newBot({ game: id, language: name.toUpperCase(), name: `A ${name} bot` }, place)
      const checked = await checkBot({
        definition,
        word: join(folder, 'bot.toml'),
        terms: { seed: '1', noIsolation },
        context,
      })
      expect(checked.steps.filter((step) => !step.ok)).toEqual([])
    })
  }
})

const SHAPED = `const shapes = [{ number: { min: -1.5, max: 3, step: 0.25 } }, { text: { pattern: '[a-z]{1,5}"?', max: 6 } }, ['left', 'right']]
        export default { id: 'shaped', version: 1, seats: { min: 2, max: 2 }, options: {}, setup: () => ({ n: 0 }),
        toMove: ({ n }) => (n < 3 ? [0, 1] : []), view: ({ n }) => ({ n }), legal: ({ n }) => shapes[n], play: ({ n }) => ({ n: n + 1 }),
        outcome: ({ n }) => (n < 3 ? undefined : { place: [1, 1], reason: 'over' }) }`

describe('a new bot of a game whose actions no list holds plays without a fault', () => {
  for (const { name, needs } of LANGUAGES) {
    const there = needs.every((program) => trustedProgram(program) !== undefined)
    it.runIf(there)(`in ${name}`, async () => {
      writeFileSync(join(place, 'shaped.js'), SHAPED)
      const { folder } = await newBot(
        { game: join(place, 'shaped.js'), language: name, name: `A shaped ${name} bot` },
        place,
      )
      const definition = await loadGame(join(place, 'shaped.js'), place)
      const setting = { seed: '1', noIsolation, limits: { turn: 10_000 } }
      const checked = await checkBot({ definition, word: join(folder, 'bot.toml'), terms: setting, context })
      expect(checked.steps.filter((step) => !step.ok)).toEqual([])
    })
  }
})

describe('a new class', () => {
  it.runIf(trustedProgram('c++') !== undefined)('plays without a fault, and keeps to the form', async () => {
    const { folder, files } = await newBot({ game: 'gunduel', language: 'C++', name: 'Colt', isClass: true }, place)
    expect(files).toEqual(['Bot.hpp', 'Player.hpp', 'bot.toml', 'README.md'])
    const checked = await checkBot({
      definition: gunduel,
      word: join(folder, 'bot.toml'),
      terms: { seed: '1', noIsolation },
      context,
    })
    expect(checked.steps.filter((step) => !step.ok)).toEqual([])
    expect(checked.steps.flatMap(({ lines }) => lines).filter((line) => line.startsWith('warning'))).toEqual([])
  })

  it('is refused in another language, and of a game that takes none', async () => {
    const wish = { game: 'gunduel', language: 'C++', name: 'Peacemaker', isClass: true }
    await expect(newBot({ ...wish, language: 'Perl' }, place)).rejects.toThrow('is for C++, not for Perl')
    await expect(newBot({ ...wish, game: 'coup' }, place)).rejects.toThrow('coup has no class to inherit')
  })
})

describe('a new bot', () => {
  it('is the file that its README says', async () => {
    const { folder } = await newBot({ game: 'samurai', language: 'sh', name: 'Finch' }, place)
    writeFileSync(join(folder, 'bot.sh'), '((((\n')
    const definition = games.find(({ game }) => game.id === 'samurai') as (typeof games)[number]
    const { ok } = await checkBot({
      definition,
      word: join(folder, 'bot.toml'),
      terms: { seed: '1', noIsolation },
      context,
    })
    expect(ok).toBe(false)
  })

  it('names a game of its own by its file from the bot’s folder', async () => {
    writeFileSync(join(place, 'tiny.js'), TINY)
    const { folder, commands } = await newBot({ game: join(place, 'tiny.js'), language: 'js', name: 'Wren' }, place)
    expect(String(commands[0])).toBe('agon check ../tiny.js bot.toml')
    expect(readFileSync(join(folder, 'README.md'), 'utf8')).toContain('| `n` |  | `number` | `0` |')
  })

  it('plays itself in every seat of a game without house bots, however many there are', async () => {
    writeFileSync(
      join(place, 'four.js'),
      TINY.replace('min: 2, max: 2', 'min: 4, max: 4')
        .replaceAll("'tiny'", "'four'")
        .replace('[0, 1] : []', '[0, 1, 2, 3] : []')
        .replace('[1, 1], reason', '[1, 1, 1, 1], reason'),
    )
    const { folder, commands } = await newBot({ game: join(place, 'four.js'), language: 'js', name: 'Four' }, place)
    expect(String(commands[1])).toBe('agon match ../four.js bot.toml bot.toml bot.toml bot.toml')
    // A person has one of the seats.
    expect(String(commands[2]).match(/against/g)).toHaveLength(3)
    // What it names is not among the games that come with agon.
    expect(readFileSync(join(folder, 'README.md'), 'utf8')).toContain('wires ../four.js')
  })

  it('is refused where something of that name is there, and leaves it as it was', async () => {
    writeFileSync(join(place, 'taken'), 'mine')
    await expect(newBot({ game: 'coup', language: 'c', name: 'taken' }, place)).rejects.toThrow(
      'there is already something called taken',
    )
    expect(readFileSync(join(place, 'taken'), 'utf8')).toBe('mine')
  })

  it.each(['', 'a/b', '..', 'a\nb'])('is refused the name %j, which no entrant may have', async (name) => {
    await expect(newBot({ game: 'coup', language: 'c', name }, place)).rejects.toThrow(/^the name /)
    expect(existsSync(join(place, 'a'))).toBe(false)
  })
})
