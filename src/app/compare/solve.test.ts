import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import gunduel from '../../games/gunduel/index.js'
import { solve, solvedText } from './solve.js'

it('tells the value, and the beginning of the strategy', async () => {
  const solved = await solve(gunduel, { turns: 3 })
  expect([solved.game, solved.options]).toEqual(['gunduel', { turns: 3, ammo: 0 }])
  const [head, , , , first] = solvedText(solved).split('\n')
  expect(head).toMatch(/^value 0 for seat 0, exploitability 0 \(backward induction, \d+ positions\)$/)
  // The gun is empty, and so is the other's.
  expect(first).toMatch(/^\S.*\{"turn":0,"turns":3,"ammo":0,"opponentAmmo":0\}$/)
})

it('refuses options that the game refuses', async () => {
  await expect(solve(gunduel, { turns: 0 })).rejects.toThrow('turns must be a whole number from 1 to 1000000, not 0')
})

const folder = mkdtempSync(join(tmpdir(), 'agon-solve-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const bot = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text)
  return join(folder, name)
}
const measure = (options: { turns: number; ammo?: number }, ...bots: readonly string[]) =>
  solve(gunduel, options, { bots, trust: true }).then(({ bots: found = [] }) => found)

it('measures bots by what best answers win of them', { timeout: 60_000 }, async () => {
  // Who always loads is shot: the other loads once, and fires. In either seat that wins for certain.
  const loads = bot('loads.mjs', "export default () => '0'")
  // Who shields against bullets alone is beaten by plasma, for which two rounds have to be loaded: three turns.
  const deflects = bot('deflects.mjs', "export default () => '-'")
  const [fulcrum, loader, shield] = await measure({ turns: 3 }, 'Fulcrum', loads, deflects)
  expect(fulcrum?.exploitability).toBeLessThan(1e-9)
  expect([loader?.exploitability, shield?.exploitability]).toEqual([1, 1])
  expect([fulcrum?.exact, loader?.exact]).toEqual([true, true])
})

it('finds nothing to win of the equilibrium of other duels, either', { timeout: 60_000 }, async () => {
  for (const options of [{ turns: 2, ammo: 2 }, { turns: 4 }])
    expect((await measure(options, 'Fulcrum'))[0]?.exploitability).toBeLessThan(1e-9)
})

it('asks a bot that draws many times, and says so', async () => {
  // One turn with a round in each gun: a bullet at who loads or deflects wins, all else is level.
  const coin = bot('coin.mjs', "export default (view, chance) => (chance.random() < 0.25 ? '0' : '-')")
  const [measured] = await measure({ turns: 1, ammo: 1 }, coin)
  expect(measured?.exact).toBe(false)
  // A quarter, within four standard deviations of a thousand answers.
  expect(Math.abs((measured?.exploitability ?? 0) - 0.25)).toBeLessThan(0.055)
})

it.each([
  ['Ledger', 'only modules can be asked'],
  ['Leger', 'no house bot'],
  [bot('odd.mjs', "export default () => 'x'"), 'where 0, 1, 2, -, = are legal'],
  [bot('keeps.mjs', "let n = 0\nexport default () => '0-'[n++ % 2]"), 'answers the same view differently'],
])('refuses %s: %s', async (name, why) => {
  await expect(measure({ turns: 1 }, name)).rejects.toThrow(why)
  if (name.includes('/'))
    await expect(solve(gunduel, { turns: 1 }, { bots: [name] })).rejects.toThrow('only the option "trust" allows it')
})
