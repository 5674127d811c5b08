import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { type GameDefinition, type Spell, message, option } from '../../core/index.js'
import { games } from '../../games/index.js'
import { actOf, testGame, type TestedGame, testGameText } from './test-game.js'

const samurai = games.find(({ game }) => game.id === 'samurai') as GameDefinition
const OPTIONS = { seed: '1', games: 5, steps: 1000, ms: 60_000 }

it('holds a game to its contract, with other options too', () => {
  const tested = testGame(samurai, 'samurai.ts', { ...OPTIONS, options: { turns: 4 } })
  expect(tested).toMatchObject({ ok: true, game: 'samurai', games: 5, lines: [] })
  // A match has four turns at most.
  expect(tested.steps / tested.games).toBeLessThanOrEqual(4)
  expect(tested.speed).toBeGreaterThan(0)
})

it('names the file, what is not kept, and the seed of a game that shows it', () => {
  const broken: GameDefinition = {
    ...samurai,
    game: Object.assign(Object.create(samurai.game) as GameDefinition['game'], { legal: () => [] }),
  }
  const { ok, lines } = testGame(broken, 'broken.ts', OPTIONS)
  expect(ok).toBe(false)
  expect(String(lines[0])).toMatch(/^broken\.ts: .*legal.*\(2 seats, .*seed/)
})

it('plays with the seats that are asked for, the largest field otherwise, and without faults as a bot does', () => {
  const seen = new Set<number>()
  const wide: GameDefinition = {
    ...samurai,
    game: Object.assign(Object.create(samurai.game) as GameDefinition['game'], {
      seats: { min: 2, max: 9 },
      setup: (seats: number, ...rest: [never, never]) => {
        seen.add(seats)
        return samurai.game.setup(2, ...rest)
      },
    }),
  }
  testGame(wide, 'wide.ts', { ...OPTIONS, games: 2 })
  expect(seen).toContain(9)
  seen.clear()
  testGame(wide, 'wide.ts', { ...OPTIONS, seats: 4 })
  expect([...seen]).toEqual([4])

  const said = new Set<string>()
  const { natural, ok } = testGame(samurai, 'samurai.ts', {
    ...OPTIONS,
    games: 20,
    act: (_view, legal) => {
      const [first = ''] = legal as readonly string[]
      said.add(first)
      return first
    },
  })
  expect(ok).toBe(true)
  expect(said.size).toBeGreaterThan(0)
  // Both always do the same: there is one end that they come to.
  expect(Object.keys(natural)).toHaveLength(1)
})

it('takes a module as the bot, and says what it answers that is not legal', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'agon-test-game-'))
  try {
    const file = join(folder, 'bot.mjs')
    writeFileSync(
      file,
      "export default (view, chance, legal) => (view.pile > 2 ? legal[chance.below(legal.length)] : 'x')",
    )
    const act = await actOf(file)
    expect(['a', 'b']).toContain(act({ pile: 3 }, ['a', 'b'], 'text'))
    expect(() => act({ pile: 1 }, ['a', 'b'], 'text')).toThrow('bot.mjs answers "x", which is not legal')
    await expect(actOf(join(folder, 'none.mjs'))).rejects.toThrow('none.mjs is no module of a bot')
  } finally {
    rmSync(folder, { recursive: true })
  }
})

it('stops at its time, and reports how many games were left out', () => {
  const { games: played, notes } = testGame(samurai, 'samurai.ts', { ...OPTIONS, games: 1_000_000, ms: 1 })
  expect(played).toBeLessThan(1_000_000)
  expect(notes.join()).toContain(`${1_000_000 - played} more games were left out`)
})

const TESTED: TestedGame = {
  ok: true,
  game: 'sticks',
  games: 3000,
  steps: 24_000,
  longest: 21,
  viewBytes: 1,
  speed: 8123,
  reasons: { 'last stick': 2900, fault: 100 },
  natural: { 'last stick': 1500 },
  wins: [2000, 1000],
  fair: 3000,
  leaks: true,
  findings: [],
  lines: [],
  notes: [],
}
const spell: Spell = (named) => ('command' in named ? named.command : `--${named.option} ${named.value}`)

it('says how much was tried, how games ended, and that the contract is kept', () => {
  expect(testGameText(TESTED, spell)).toBe(
    [
      '3,000 random games, 24,000 steps, 8,123 steps a second; the longest had 21 steps, the largest view 1 byte',
      'ends: last stick 2,900, fault 100; without faults: last stick 1,500',
      'It keeps the contract.',
    ].join('\n'),
  )
})

it('begins with the mistakes, a line each with the option spelt, and counts them at the end', () => {
  const lines = [
    message`sticks.ts: legal() is empty (2 seats; ${option('seed', '5f3a')})`,
    'sticks.ts: it has no title',
  ]
  const text = testGameText({ ...TESTED, ok: false, lines, reasons: {}, notes: ['seats are not equal'] }, spell)
  expect(text.split('\n')).toEqual([
    'sticks.ts: legal() is empty (2 seats; --seed 5f3a)',
    'sticks.ts: it has no title',
    expect.stringMatching(/^3,000 random games/),
    'note: seats are not equal',
    'It does not keep the contract: 2 mistakes.',
  ])
})

it('shows what a game says without the control characters in it', () => {
  const text = testGameText(
    { ...TESTED, lines: ['a\u001b[31mb\nc'], reasons: { 'x\u0007': 1 }, notes: ['\u009b'] },
    spell,
  )
  expect(text).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f]/)
  expect(text.split('\n')).toHaveLength(5)
})
