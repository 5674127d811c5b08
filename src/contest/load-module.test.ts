import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { importFresh } from './load-module.js'

const folder = mkdtempSync(join(tmpdir(), 'agon-load-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
function file(name: string, text: string): string {
  const path = join(folder, name)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
  return path
}
async function call(path: string, life: string): Promise<unknown> {
  const module = (await importFresh(path, life)) as { default: () => unknown }
  return module.default()
}

test('a TypeScript file outside the package imports agon, and is fresh in each life with all it imports', async () => {
  file('helper.ts', 'let calls = 0\nexport const count = (): number => ++calls\n')
  const bot = file(
    'bot.ts',
    `import { newLuck, pick, type Luck } from 'agon'
import { count } from './helper.js'
let own = 0
const luck: Luck = newLuck('seed')
export default (): unknown => [++own, count(), pick(luck, ['x'])[0]]
`,
  )
  expect(await call(bot, 'a')).toEqual([1, 1, 'x'])
  expect(await call(bot, 'a')).toEqual([2, 2, 'x'])
  expect(await call(bot, 'b & c=1')).toEqual([1, 1, 'x'])
  expect(await call(bot, 'b & c=1')).toEqual([2, 2, 'x'])
})

test('JavaScript is an ES module where it is written as one, whatever the package.json beside it says', async () => {
  file('old/package.json', '{ "type": "commonjs" }')
  const bot = file(
    'old/bot.js',
    "import { isFault } from 'agon'\nlet n = 0\nexport default () => [isFault('x'), ++n]\n",
  )
  expect(await call(bot, '1')).toEqual([false, 1])
  expect(await call(bot, '2')).toEqual([false, 1])
  expect(await call(bot, '2')).toEqual([false, 2])
  expect(await call(file('plain.mjs', "export default () => 'plain'\n"), '1')).toBe('plain')
})

test('what is wrong with the file is reported by the import', async () => {
  await expect(importFresh(file('broken.ts', 'export default {\n'), '1')).rejects.toThrow(/broken\.ts/)
  await expect(importFresh(join(folder, 'none.ts'), '1')).rejects.toThrow(/none\.ts/)
})
