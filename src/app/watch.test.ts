import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it, vi } from 'vitest'
import { games } from '../games/index.js'
import { playHelp } from './play-help.js'
import { watchText } from './watch-text.js'
import { type WatchEvent, watchBots } from './watch.js'

const root = mkdtempSync(join(tmpdir(), 'agon-watch-test-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))
const samurai = games.find(({ game }) => game.id === 'samurai')!

it('checks a bot that is saved, and plays it against its version of before, unless it does not play', async () => {
  const folder = join(root, 'bots', 'Heron')
  mkdirSync(folder, { recursive: true })
  const save = (moves: string) => writeFileSync(join(folder, 'bot.mjs'), `export default ${moves}\n`)
  writeFileSync(join(folder, 'bot.toml'), 'name = "Heron"\nmodule = "bot.mjs"\nfolder = "."\n')
  save("() => 'O'")
  const news: WatchEvent[] = []
  const stop = new AbortController()
  const context = { workspace: join(root, 'workspace'), notice: () => undefined, signal: stop.signal }
  const options = { noIsolation: true, trust: true, jobs: 1, timed: 1, budget: 20, options: { turns: 20 } }
  const watching = watchBots(samurai, join(root, 'bots'), options, context, (one) => void news.push(one))
  const seen = (type: WatchEvent['type'], times: number) =>
    vi.waitFor(() => expect(news.filter((one) => one.type === type)).toHaveLength(times), 60_000)
  await seen('watching', 1)

  // Who strikes again and again loses its honour, and with it the match.
  save("() => 'B'")
  await seen('duelled', 1)
  save('({ nothing ')
  await seen('checked', 2)
  expect(news.at(-1)).toMatchObject({ type: 'checked', checked: { ok: false, plays: false } })
  save("() => 'O'")
  await seen('duelled', 2)
  stop.abort()
  await watching

  const duels = news.flatMap((one) => (one.type === 'duelled' ? [one.duel] : []))
  const [won, drawn, lost] = duels[0]?.score ?? [0, 0, 0]
  expect([won > 0, drawn, lost]).toEqual([true, 0, 0])
  // The version that did not play is no version's rival: this is the first duel the other way round.
  expect(duels[1]?.score).toEqual([lost, drawn, won])
  const texts = news.flatMap((one) => watchText(one) ?? [])
  expect(texts.some((text) => text.includes(`against its version of before: ${won} won, 0 drawn, 0 lost`))).toBe(true)
  expect(texts.some((text) => text.endsWith(`${won} won, 0 drawn, 0 lost: better: each game is the same again`))).toBe(
    true,
  )
  expect(texts.some((text) => text.endsWith(`0 won, 0 drawn, ${won} lost: worse: each game is the same again`))).toBe(
    true,
  )
  expect(texts).toContain('  does not play: its version of before stays the one to beat')
}, 120_000)

it('watches the files beside a bot.toml that is named', async () => {
  const folder = join(root, 'named', 'Crane')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'bot.toml'), 'name = "Crane"\nmodule = "bot.mjs"\nfolder = "."\n')
  writeFileSync(join(folder, 'bot.mjs'), "export default () => 'O'\n")
  const news: WatchEvent[] = []
  const stop = new AbortController()
  const context = { workspace: join(root, 'workspace'), notice: () => undefined, signal: stop.signal }
  const terms = { noIsolation: true, trust: true, jobs: 1, timed: 1, budget: 2, options: { turns: 2 } }
  const watching = watchBots(samurai, join(folder, 'bot.toml'), terms, context, (one) => void news.push(one))
  const types = () => news.map(({ type }) => type)
  await vi.waitFor(() => expect(types()).toContain('watching'), 60_000)
  writeFileSync(join(folder, 'bot.mjs'), "export default () => 'B'\n")
  await vi.waitFor(() => expect(types()).toContain('saved'), 60_000)
  stop.abort()
  await watching
  expect(news[0]).toEqual({ type: 'watching', bots: ['Crane'] })
}, 120_000)

it('is seen where there is no bot', async () => {
  const context = { workspace: join(root, 'workspace'), notice: () => undefined }
  const nothing = watchBots(samurai, root, { jobs: 1, timed: 1, budget: 2 }, context, () => undefined)
  await expect(nothing).rejects.toThrow(/is no bot: name its file/)
})

it('helps the person who is to move', () => {
  const { game } = samurai
  const view = game.view(game.setup(2, game.options, { seed: '', drawn: 0 } as never), 0)
  const help = playHelp(samurai, view, game.legal(view))
  for (const words of ['You may do:', 'B  bow', 'honour = ', 'agon rules samurai']) expect(help).toContain(words)
})
