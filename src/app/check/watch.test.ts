import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it, vi } from 'vitest'
import { games } from '../../games/index.js'
import { playHelp } from '../look/play-help.js'
import { duelLine, watchBots } from './watch.js'
import type { Duel } from '../compare/duel.js'

const root = mkdtempSync(join(tmpdir(), 'agon-watch-test-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))
const samurai = games.find(({ game }) => game.id === 'samurai')!

it('checks a bot that is saved, and plays it against its version of before, unless it does not play', async () => {
  const folder = join(root, 'bots', 'Heron')
  mkdirSync(folder, { recursive: true })
  const save = (moves: string) => writeFileSync(join(folder, 'bot.mjs'), `export default ${moves}\n`)
  writeFileSync(join(folder, 'bot.toml'), 'name = "Heron"\nmodule = "bot.mjs"\nfolder = "."\n')
  save("() => 'O'")
  const texts: string[] = []
  const stop = new AbortController()
  const context = { workspace: join(root, 'workspace'), notice: () => undefined, signal: stop.signal }
  const options = { noIsolation: true, trust: true, jobs: 1, timed: 1, budget: 20, options: { turns: 20 } }
  const watching = watchBots(
    samurai,
    join(root, 'bots'),
    { ...options, tell: (text) => void texts.push(text) },
    context,
  )
  const told = (text: RegExp, times: number) =>
    vi.waitFor(() => expect(texts.filter((one) => text.test(one))).toHaveLength(times), 60_000)
  await told(/^watching Heron:/, 1)

  // Who strikes again and again loses its honour, and with it the match.
  save("() => 'B'")
  await told(/against its version of before/, 1)
  save('({ nothing ')
  await told(/^ {2}does not play: its version of before stays the one to beat$/, 1)
  save("() => 'O'")
  await told(/against its version of before/, 2)
  stop.abort()
  await watching

  const [first = '', second = ''] = texts.filter((text) => text.includes('against its version of before'))
  const [, won = ''] = /before: (\d+) won, 0 drawn, 0 lost: better: each game is the same again$/.exec(first) ?? []
  expect(Number(won)).toBeGreaterThan(0)
  // The version that did not play is no version's rival: this is the first duel the other way round.
  expect(second).toMatch(new RegExp(`0 won, 0 drawn, ${won} lost: worse: each game is the same again$`))
}, 120_000)

it('watches the files beside a bot.toml that is named', async () => {
  const folder = join(root, 'named', 'Crane')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'bot.toml'), 'name = "Crane"\nmodule = "bot.mjs"\nfolder = "."\n')
  writeFileSync(join(folder, 'bot.mjs'), "export default () => 'O'\n")
  const texts: string[] = []
  const stop = new AbortController()
  const context = { workspace: join(root, 'workspace'), notice: () => undefined, signal: stop.signal }
  const terms = { noIsolation: true, trust: true, jobs: 1, timed: 1, budget: 2, options: { turns: 2 } }
  const watching = watchBots(
    samurai,
    join(folder, 'bot.toml'),
    { ...terms, tell: (text) => void texts.push(text) },
    context,
  )
  await vi.waitFor(() => expect(texts).toHaveLength(1), 60_000)
  expect(texts[0]).toMatch(/^watching Crane:/)
  writeFileSync(join(folder, 'bot.mjs'), "export default () => 'B'\n")
  await vi.waitFor(() => expect(texts).toContain('\nCrane was saved'), 60_000)
  stop.abort()
  await watching
}, 120_000)

it('is seen where there is no bot', async () => {
  const context = { workspace: join(root, 'workspace'), notice: () => undefined }
  const nothing = watchBots(samurai, root, { jobs: 1, timed: 1, budget: 2, tell: () => undefined }, context)
  await expect(nothing).rejects.toThrow(/is no bot: name its file/)
})

it('helps the person who is to move', () => {
  const { game } = samurai
  const view = game.view(game.setup(2, game.options, { seed: '', drawn: 0 } as never), 0)
  const help = playHelp(samurai, view, game.legal(view))
  for (const words of ['You may do:', 'B  bow', 'honour = ', 'agon rules samurai']) expect(help).toContain(words)
})

const [FROM, TO] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY]

/** What is said of a duel with this score and this interval of Elo. */
function said(score: Duel['score'], [rating, low, high]: readonly [number, number, number], fixed = false): string {
  return duelLine({ score, fixed, elo: { rating, low, high } })
}

it.each<[Parameters<typeof said>, string]>([
  [
    [
      [12, 3, 5],
      [127, 10, 271],
    ],
    '12 won, 3 drawn, 5 lost: better (+127 Elo, 95 %: +10 to +271)',
  ],
  [
    [
      [5, 3, 12],
      [-127, -271, -10],
    ],
    '5 won, 3 drawn, 12 lost: worse (−127 Elo, 95 %: −271 to −10)',
  ],
  [
    [
      [5, 1, 6],
      [-20, -300, 250],
    ],
    '5 won, 1 drawn, 6 lost: not distinguishable yet (−20 Elo, 95 %: −300 to +250)',
  ],
  // Where one side lost no game, the estimate is the prior's and says little: the games give a bound.
  [
    [
      [0, 0, 100],
      [-942, FROM, -597.9],
    ],
    '0 won, 0 drawn, 100 lost: worse (below −598 Elo, 95 %)',
  ],
  [
    [
      [100, 0, 0],
      [942, 597.9, TO],
    ],
    '100 won, 0 drawn, 0 lost: better (above +598 Elo, 95 %)',
  ],
  [
    [
      [0, 0, 2],
      [-351, FROM, 142.8],
    ],
    '0 won, 0 drawn, 2 lost: not distinguishable yet (below +143 Elo, 95 %)',
  ],
  // Two bots whose games are the same each time: a sweep is certain, though it is no more than two games.
  [[[0, 0, 100], [-351, FROM, 142.8], true], '0 won, 0 drawn, 100 lost: worse: each game is the same again'],
  [[[50, 50, 0], [200, -142.8, TO], true], '50 won, 50 drawn, 0 lost: better: each game is the same again'],
  [[[50, 0, 50], [0, -500, 500], true], '50 won, 0 drawn, 50 lost: no difference: each game is the same again'],
])('says what a duel shows: %#', (given, text) => {
  expect(said(...given)).toBe(`against its version of before: ${text}`)
})
