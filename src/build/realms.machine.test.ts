import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { NoScript } from './module-script.js'
import { realmsOf } from './realms.js'

const place = mkdtempSync(join(tmpdir(), 'agon-realms-'))
afterAll(() => rmSync(place, { recursive: true, force: true }))

let made = 0
function moduleOf(text: string, files: Readonly<Record<string, string>> = {}): string {
  const folder = join(place, String(made++))
  mkdtempSync(`${folder}-`)
  const root = mkdtempSync(`${folder}-`)
  for (const [name, content] of Object.entries({ ...files, 'bot.ts': text })) writeFileSync(join(root, name), content)
  return join(root, 'bot.ts')
}
const chance = { seed: 1, random: () => 0, below: () => 0 }

describe('the realms of a module', () => {
  it('each have their own variables, helpers, globals and prototypes', async () => {
    const text = `
      import { next } from './helper.js'
      import { sep } from 'node:path'
      globalThis.seen = (globalThis.seen ?? 0) + 1
      Array.prototype.mine = (Array.prototype.mine ?? 0) + 1
      export default (view: object[]) => [next(), globalThis.seen, view.mine, view instanceof Array, sep, typeof URL].join(' ')`
    const open = await realmsOf(moduleOf(text, { 'helper.ts': 'let n = 0; export const next = (): number => ++n' }))
    const [one, two] = [open(), open()]
    const ask = ({ bot, parse }: typeof one): unknown => bot(parse('[{}]'), chance, [])
    expect([ask(one), ask(one), ask(two)]).toEqual([
      '1 1 1 true / function',
      '2 1 1 true / function',
      '1 1 1 true / function',
    ])
    expect([].concat()).not.toHaveProperty('mine')
  })

  it('let nothing run on that was set to run later', async () => {
    const counted: number[] = []
    Object.assign(globalThis, { counted })
    const text = `let n = 0; export default () => { setInterval(() => globalThis.process.emit('tick', ++n), 1); setTimeout(() => globalThis.process.emit('tick', 0), 5); return '' }`
    const realm = (await realmsOf(moduleOf(text)))()
    const tick = (n: number): void => void counted.push(n)
    process.on('tick' as 'exit', tick)
    void realm.bot(null, chance, [])
    realm.close()
    await new Promise((done) => setTimeout(done, 20))
    process.off('tick', tick)
    expect(counted).toEqual([])
  })

  it('tell what is no bot, and throw what the module throws', async () => {
    const [none, throws] = [
      await realmsOf(moduleOf('export default 1')),
      await realmsOf(moduleOf(`export default 1; throw new RangeError('x')`)),
    ]
    expect(() => none()).toThrow('its default export is number')
    expect(() => throws()).toThrow('x')
  })

  it.each([
    ['that is no ES module', `module.exports = () => '-'`],
    ['that waits at its top level', `await null; export default () => '-'`],
    ['that asks where it lies', `export default () => import.meta.url`],
    ['that imports something later on', `export default async () => (await import('./helper.js')).n`],
    ['that imports a package', `import { z } from 'zod'; export default () => String(z)`],
    ['that is not TypeScript', 'export default ('],
  ])('are none for a module %s', async (_, text) => {
    await expect(realmsOf(moduleOf(text, { 'helper.ts': 'export const n = 1' }))).rejects.toThrow(NoScript)
  })
})
