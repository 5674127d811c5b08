import { findProgram } from '../src/files/index.js'
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { importFresh } from '../src/contest/load-module.js'
import { loadContest } from '../src/contest/parse.js'
import type { Bot, BotModule, GameDefinition } from '../src/core/index.js'
import { botOf, isFault, jsonlWire, newLuck, outcomeOf, wiresOf, allActions } from '../src/core/index.js'
import { games } from '../src/games/index.js'
import gunduel from '../src/games/gunduel/index.js'
import type { Seatable } from '../src/engine/index.js'
import { groundFor, module, playOn } from './kit/wire.js'

const page = readFileSync(new URL('../docs/wires.md', import.meta.url), 'utf8')
/** The blocks of the page by the name behind their language. */
const blocks = new Map(
  [...page.matchAll(/^```\w+ (\S+)\n([^]*?)^```$/gm)].map(([, name = '', text = '']) => [name, text]),
)

const place = mkdtempSync(join(tmpdir(), 'agon-docs-'))
const source = join(place, 'source')
beforeAll(() => {
  mkdirSync(source)
  for (const [name, text] of blocks) writeFileSync(join(source, name), text)
})
afterAll(() => rmSync(place, { recursive: true, force: true }))

/** A match of a bot against the first of the legal actions at the other seats; its faults. */
async function faultsOf(definition: GameDefinition, entrant: Seatable): Promise<readonly unknown[]> {
  const turns: Record<string, number> = Object.hasOwn(definition.game.options, 'turns') ? { turns: 8 } : {}
  const ground = groundFor(definition, { ...definition.game.options, ...turns })
  const first = {
    wire: 'module',
    memory: 'turn',
    run: module((view) => allActions(definition.game.legal(view))[0] ?? ''),
  } as const
  const others = Array.from({ length: definition.game.seats.min - 1 }, (_, i): Seatable => ({
    name: `first${i}`,
    ...first,
  }))
  const entrants = [entrant, ...others]
  const bots = entrants.map((one) => ground.factory.bot(one, 'life'))
  try {
    return (await playOn(ground, entrants, bots, 'm', { turn: 20_000 })).judged.faults
  } finally {
    await Promise.all(bots.map((bot) => bot.close()))
    rmSync(ground.rooms, { recursive: true, force: true })
  }
}

const LANGUAGES: readonly (readonly [file: string, needs: string, command: (program: string) => readonly string[]])[] =
  [
    ['bot.py', 'python3', (python) => [python, join(source, 'bot.py')]],
    ['bot.mjs', 'node', (node) => [node, join(source, 'bot.mjs')]],
    ['bot.pl', 'perl', (perl) => [perl, join(source, 'bot.pl')]],
    ['bot.cpp', 'c++', () => [join(source, 'bot')]],
    ['bot.sh', 'sh', (sh) => [sh, join(source, 'bot.sh')]],
  ]

describe.each(LANGUAGES)('the example %s', (file, needs, command) => {
  const here = spawnSync('sh', ['-c', `command -v ${needs}`]).status === 0
  if (!here) console.log(`no ${needs} here: ${file} is skipped`)
  test.skipIf(!here)(
    'plays every game without a fault',
    async () => {
      if (file === 'bot.cpp') execFileSync('c++', [join(source, file), '-o', join(source, 'bot')])
      const argv = command((await findProgram(needs)) ?? needs)
      for (const definition of games) {
        const faults = await faultsOf(definition, {
          name: file,
          wire: 'jsonl',
          memory: 'match',
          run: { kind: 'process', argv, source },
        })
        expect([definition.game.id, faults]).toEqual([definition.game.id, []])
      }
    },
    60_000,
  )
})

test('the example of a module plays the gun duel without a fault', async () => {
  const loaded = (await importFresh(join(source, 'bot.ts'), 'docs')) as { default: Bot<unknown, string> }
  expect(
    await faultsOf(gunduel, { name: 'bot.ts', wire: 'module', memory: 'match', run: module(loaded.default) }),
  ).toEqual([])
})

test('the example of a module with parameters plays with those that its contest gives', async () => {
  const [, toml = ''] = /^```toml\n([^]*?)^```$/m.exec(page) ?? []
  writeFileSync(join(source, 'generous.toml'), `game = "gunduel"\n${toml}\n[[entrants]]\nhouse = "Dice"\n`)
  const { entries } = await loadContest(join(source, 'generous.toml'))
  const [spec] = entries.map((entry) => entry.spec)
  expect(spec).toMatchObject({ name: 'Generous', with: { p: 0.3 } })
  const loaded = botOf((await importFresh(join(source, 'gtft.ts'), 'docs')) as BotModule, spec?.with ?? {})
  expect(await faultsOf(gunduel, { name: 'gtft.ts', wire: 'module', memory: 'match', run: module(loaded) })).toEqual([])
})

test.skipIf(spawnSync('c++', ['--version']).status !== 0)('the bot of the C++ helper compiles', () => {
  const helper = fileURLToPath(new URL('../templates/bots/cpp', import.meta.url))
  const words = ['-std=c++17', '-Wall', '-Wextra', '-Werror', '-fsyntax-only', '-I', helper]
  const { status, stderr } = spawnSync('c++', [...words, join(source, 'helped.cpp')], { encoding: 'utf8' })
  expect([stderr, status]).toEqual(['', 0])
})

test('the conversation is what the wire says', () => {
  const { game } = gunduel
  const wire = jsonlWire(game, game.options)
  const me = { seat: 0, ids: [3, 11], field: 12 }
  const lines = blocks.get('conversation')?.trimEnd().split('\n') ?? []
  const sent = (input: { lines?: readonly string[] } | undefined): string => input?.lines?.join('\n') ?? ''
  let state = game.setup(2, game.options, newLuck(''))
  const inputs = [sent(wire.start?.(game.view(state, 0), me, { turn: 1000, start: 5000 }))]
  for (const [n, own] of ['0', '1'].entries()) {
    const view = game.view(state, 0)
    const asked = { n, clock: { turn: 1000 } }
    inputs.push(sent(wire.ask(view, me, undefined, asked)), `< {"action":"${own}","n":${n}}`)
    const move = wire.read({ out: inputs.at(-1)?.slice(2) ?? '' }, view, me)
    expect(isFault(move)).toBe(false)
    state = game.play(state, [move, '0'])
  }
  const outcome = outcomeOf({ game }, state, 2)
  if (outcome !== undefined) inputs.push(sent(wire.end?.(game.view(state, 0), outcome, me)))
  expect(lines).toEqual(inputs)
})

test('every historic wire of every game is in its table', () => {
  const rows = [...page.matchAll(/^\| (\w+) \| `([\w-]+)` \| /gm)].map(([, game, wire]) => `${game} ${wire}`)
  const wires = games.flatMap((definition) =>
    Object.keys(definition.wires ?? {}).map((name) => `${definition.game.id} ${name}`),
  )
  expect(wires.filter((wire) => !rows.includes(wire) && !wire.endsWith('class-original'))).toEqual([])
  expect(rows.filter((row) => !wires.includes(row))).toEqual([])
  expect(Object.keys(wiresOf(gunduel, gunduel.game.options))).toContain('jsonl')
})
