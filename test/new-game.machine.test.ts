import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, readdirSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Ended, Place, lastLine } from './cli/agon.js'
import { strictErrors } from './kit/strict-types.js'

/** Follows docs/new-game.md to the letter: every block with a file's name is that file, every line of the sh block is typed. */
const root = fileURLToPath(new URL('..', import.meta.url))
const page = readFileSync(join(root, 'docs/new-game.md'), 'utf8')
const blocks = [...page.matchAll(/^(?<indent> *)```(?<language>\w+)(?: (?<file>\S+))?\n(?<text>[^]*?)^ *```$/gm)].map(
  ({ groups }) => ({
    language: groups?.['language'] ?? '',
    file: groups?.['file'],
    // Within a list it is indented.
    text: (groups?.['text'] ?? '').replaceAll(new RegExp(`^${groups?.['indent']}`, 'gm'), ''),
  }),
)
const files = blocks.flatMap(({ file, text }) => (file === undefined ? [] : [[file, text] as const]))
const commands = blocks
  .filter(({ language, file }) => language === 'sh' && file === undefined)
  .flatMap(({ text }) => text.trim().split('\n'))

const place = new Place(Object.fromEntries(files))
const ended = new Map<string, Ended>()
const outputOf = (verb: string): Ended => ended.get(verb) as Ended

beforeAll(async () => {
  for (const command of commands) {
    const [agon, verb = '', ...words] = command.split(' ')
    if (agon === 'agon') ended.set(verb, await place.agon([verb, ...words]))
  }
})

describe('docs/new-game.md', () => {
  it('makes a game, its bots and a contest, and runs every verb', () => {
    expect(files.map(([file]) => file).sort()).toEqual([
      'greedy.ts',
      'random.ts',
      'solver.pl',
      'sticks.py',
      'sticks.test.ts',
      'sticks.toml',
      'sticks.ts',
    ])
    expect([...ended.keys()]).toEqual(['check', 'match', 'run', 'verify', 'replay', 'test'])
    expect(ended.size).toBe(commands.length)
    const failed = [...ended].filter(([, { status }]) => status !== 0)
    expect(failed).toEqual([])
  })

  it('checks a program on agon’s own wire', () => {
    expect(outputOf('check').stdout).toMatch(/wire: +jsonl/)
    expect(outputOf('check').stdout).toMatch(/questions, 0 faults[^]*It speaks the wire\.\n$/)
  })

  it('plays a match to its end', () => {
    expect(lastLine(outputOf('match').stdout)).toMatch(/^(solver\.pl|greedy\.ts) wins: last stick$/)
  })

  it('runs the contest: the solver wins more than the random one', () => {
    const { standings, faults } = JSON.parse(readFileSync(place.path('results', 'results.json'), 'utf8')) as {
      standings: { name: string; points: number }[]
      faults: Record<string, unknown>
    }
    const points = Object.fromEntries(standings.map(({ name, points: sum }) => [name, sum]))
    expect(standings.reduce((sum, { points: own }) => sum + own, 0)).toBe(60)
    expect(points['Solver']).toBeGreaterThan(2 * (points['Random'] ?? 0))
    expect(faults).toEqual({})
  })

  it('verifies every record with the game named, and prints the digest', () => {
    expect(outputOf('verify').stdout).toMatch(/^60 of 60 records agree\ndigest [0-9a-f]{64}\n$/)
  })

  it('verifies them anywhere, and runs no game that is not named', async () => {
    place.write('alone.jsonl', readFileSync(place.path('results', 'records.jsonl'), 'utf8'))
    const [unnamed, named] = await Promise.all([
      place.agon(['verify', 'results/records.jsonl']),
      place.agon(['verify', 'alone.jsonl', '--game', './sticks.ts']),
    ])
    expect([unnamed.status, unnamed.stderr]).toEqual([2, expect.stringContaining(`--game ${place.path('sticks.ts')}`)])
    expect(named).toEqual(outputOf('verify'))
  })

  it('replays a match', () => {
    expect(lastLine(outputOf('replay').stdout)).toMatch(/ wins: last stick$/)
  })

  it('keeps the contract in vitest', { timeout: 60_000 }, () => {
    mkdirSync(place.path('node_modules'))
    symlinkSync(root, place.path('node_modules', 'agon'))
    const vitest = dirname(fileURLToPath(import.meta.resolve('vitest/package.json')))
    symlinkSync(vitest, place.path('node_modules', 'vitest'))
    const words = [join(vitest, 'vitest.mjs'), 'run', '--reporter', 'json']
    const { stdout, status } = spawnSync(process.execPath, words, { cwd: place.folder, encoding: 'utf8' })
    expect(status, stdout).toBe(0)
    expect((JSON.parse(stdout) as { numPassedTests: number }).numPassedTests).toBeGreaterThan(5)
  })

  it('has the right types', () => {
    const sources = readdirSync(place.folder).filter((file) => file.endsWith('.ts'))
    expect(strictErrors(place.folder, sources)).toEqual(['', 0])
  })
})
