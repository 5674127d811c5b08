import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { findIsolation } from '../src/sandbox/index.js'
import { Place } from './cli/agon.js'

/** Follows docs/first-bot.md to the letter: each block with a file's name becomes that file of a folder that `agon new bot` made. */
const page = readFileSync(new URL('../docs/first-bot.md', import.meta.url), 'utf8')
const bots = [...page.matchAll(/^```\w+ (\w+)\/(\S+)\n([^]*?)^```$/gm)].map(([, name = '', file = '', text = '']) => ({
  name,
  file,
  text,
}))
/** What makes each folder, as the page names it: `agon new bot samurai LANGUAGE NAME`, or the last two words of it. */
const made = new Map(
  [...page.matchAll(/(?:samurai |`)([a-z+]+) ([A-Z]\w+)[`\n]/g)].map(([, language = '', name = '']) => [
    name,
    language,
  ]),
)
const commands = [...page.matchAll(/^agon (.*?) *(?:#.*)?$/gm)].map(([, words = '']) => words.split(' '))
const NEEDS: Readonly<Record<string, string>> = { Merlin: 'javac', Falcon: 'c++', Kestrel: 'python3' }
const has = (program = 'sh'): boolean => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0

const { program: isolation } = await findIsolation()
const place = new Place()

it('the page has a bot in five languages, and the commands for one', () => {
  expect(bots.map(({ name }) => [name, made.get(name)])).toEqual([
    ['Kestrel', 'python'],
    ['Heron', 'javascript'],
    ['Falcon', 'c++'],
    ['Merlin', 'java'],
    ['Osprey', 'shell'],
  ])
  expect(commands.map(([verb]) => verb)).toEqual(['new', 'check', 'match', 'duel'])
})

describe.skipIf(isolation === undefined)('the bot of the page', () => {
  it.each(bots.map((bot) => [bot.name, bot] as const))('%s beats Hothead', { timeout: 60_000 }, async (name, bot) => {
    if (!has(NEEDS[name])) return
    const created = await place.agon(['new', 'bot', 'samurai', made.get(name) ?? '', name])
    expect(created.status, created.stderr).toBe(0)
    // It replaces the one that was made.
    expect(readFileSync(place.path(name, bot.file), 'utf8')).not.toBe(bot.text)
    place.write(`${name}/${bot.file}`, bot.text)
    const match = await place.agon(['match', 'samurai', name, 'Hothead', '--json', '--seed', '1'])
    expect(match.status, match.stderr).toBe(0)
    expect(JSON.parse(match.stdout)).toMatchObject({ outcome: { place: [1, 2] }, faults: [] })
    if (name !== 'Kestrel') return
    const said = await Promise.all(commands.slice(1).map((words) => place.agon(words)))
    expect(said.map(({ status }) => status)).toEqual([0, 0, 0])
    expect(said[0]?.stdout).toContain('It speaks the wire.')
    expect(said[2]?.stdout).toContain('H1: Kestrel is more than 0 Elo stronger than Hothead')
  })
})
