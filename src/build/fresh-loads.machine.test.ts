import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, describe, expect, it } from 'vitest'
import { freshLoads } from './module-script.js'

const place = mkdtempSync(join(tmpdir(), 'agon-loads-'))
afterAll(() => rmSync(place, { recursive: true, force: true }))

let made = 0
function moduleOf(text: string, files: Readonly<Record<string, string>> = {}): string {
  const root = mkdtempSync(join(place, `${made++}-`))
  for (const [name, content] of Object.entries({ ...files, 'bot.mjs': text })) writeFileSync(join(root, name), content)
  return join(root, 'bot.mjs')
}

type Module = { readonly default: (...words: unknown[]) => unknown }

describe('a trusted module that is loaded again and again', () => {
  it('has fresh variables each time, its helpers, too, and shares the globals of this process', async () => {
    const load = freshLoads(
      moduleOf(
        `import { next } from './helper.mjs'
         import { sep } from 'node:path'
         export const parameters = { p: 1 }
         export default (view) => [next(), sep, view instanceof Array, typeof module, typeof require].join(' ')`,
        { 'helper.mjs': 'let n = 0; export const next = () => ++n' },
      ),
    )
    for (let life = 0; life < 4; life++) {
      const { default: bot, parameters } = (await load()) as Module & { parameters: unknown }
      expect([bot([]), bot([])]).toEqual(['1 / true undefined undefined', '2 / true undefined undefined'])
      expect(parameters).toEqual({ p: 1 })
    }
  })

  it('throws what the module throws, each time', async () => {
    const load = freshLoads(
      moduleOf(
        `globalThis.loadsSeen = (globalThis.loadsSeen ?? 0) + 1
         if (globalThis.loadsSeen === 3) throw new RangeError('the third')
         export default () => globalThis.loadsSeen`,
      ),
    )
    await load()
    await load()
    await expect(load()).rejects.toThrow('the third')
    expect(((await load()) as Module).default()).toBe(4)
  })

  it('says what Node says of one that cannot be imported', async () => {
    const load = freshLoads(moduleOf(`import { none } from 'node:path'; export default () => none`))
    for (let n = 0; n < 2; n++) await expect(load()).rejects.toThrow(/does not provide an export named 'none'/)
  })

  it.each([
    ['that asks where it lies', `export default () => typeof import.meta.url`, 'string'],
    ['that waits at its top level', `const n = await Promise.resolve('later'); export default () => n`, 'later'],
  ])('is imported each time where it would not be the same as a script: %s', async (_, text, answer) => {
    const load = freshLoads(moduleOf(text))
    for (let n = 0; n < 3; n++) expect(((await load()) as Module).default()).toBe(answer)
  })

  it('is freed once nothing holds it', async () => {
    const load = freshLoads(moduleOf(`const held = {}; export default () => held`))
    let freed = 0
    const registry = new FinalizationRegistry(() => freed++)
    for (let n = 0; n < 50; n++) registry.register(((await load()) as Module).default() as object, n)
    await expect
      .poll(
        async () => {
          // Fills the young generation, so what is not held goes.
          Array.from({ length: 20_000 }, () => ({ filling: Array.from({ length: 50 }, () => 0) }))
          await wait(1)
          return freed
        },
        { timeout: 60_000 },
      )
      .toBeGreaterThan(40)
  })
})
