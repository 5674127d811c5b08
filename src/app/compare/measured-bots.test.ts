import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { UserError } from '../../core/index.js'
import gunduel from '../../games/gunduel/index.js'
import { solve } from './solve.js'

const folder = mkdtempSync(join(tmpdir(), 'agon-measure-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const bot = (text: string, name = 'bot.mjs'): string => {
  writeFileSync(join(folder, name), text)
  return join(folder, name)
}
/** One turn with a round in each gun: who does not shoot what the other may not stop gives something away. */
const SHORT = { turns: 1, ammo: 1 }

const measured = async (bots: readonly string[], trust = true) =>
  (await solve(gunduel, SHORT, { bots, trust })).bots ?? []

it('keeps the order and the names as they were asked for, and measures a file as it is now', async () => {
  const file = bot("export default () => '0'")
  const [house, loads] = await measured(['Fulcrum', file])
  expect([house?.name, loads?.name]).toEqual(['Fulcrum', file])
  // Who is seen to load is shot for certain.
  expect(loads?.exploitability).toBe(1)
  expect(house?.exploitability).toBeLessThan(1e-9)
  bot('export default () => "-"')
  const [again] = await measured([file])
  expect(again?.exploitability).not.toBe(1)
})

it.each([
  ['does not load', "throw new Error('not today')", 'bot.mjs cannot be measured: it does not load: not today'],
  ['does not parse', 'export default (', 'bot.mjs cannot be measured: it does not load: '],
  ['is no bot', 'export default 7', 'bot.mjs cannot be measured: its default export is number'],
  [
    'throws',
    "export default () => { throw new Error('not\\ntoday') }",
    'bot.mjs cannot be measured: it throws: not today',
  ],
  ['answers what is not legal', "export default () => 'nonsense'", 'bot.mjs cannot be measured: it answers "nonsense"'],
  [
    'throws when it is asked for its policy',
    "export default () => '0'\nexport const policy = () => { throw new Error('secret') }",
    'bot.mjs cannot be measured: it throws: secret',
  ],
])('refuses a module that %s, by its name, in one line', async (_, text, named) => {
  const refusal: unknown = await measured([bot(text)]).catch((error: unknown) => error)
  expect(refusal).toBeInstanceOf(UserError)
  expect((refusal as UserError).message).toContain(named)
  expect((refusal as UserError).message).not.toContain('\n')
})

it('refuses a file that is not there, and runs none that is not trusted', async () => {
  const missing = measured([join(folder, 'none.mjs')])
  await expect(missing).rejects.toThrow(UserError)
  await expect(missing).rejects.toThrow(/there is no file .*none\.mjs/)
  const file = bot('globalThis.untrustedRan = true; export default () => "0"', 'runs.mjs')
  await expect(measured([file], false)).rejects.toThrow(UserError)
  expect(globalThis).not.toHaveProperty('untrustedRan')
})
