import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { type AnyWire, moduleWire } from '../core/index.js'
import { DEFAULT_LIMITS, StderrTail, findIsolation } from '../sandbox/index.js'
import { SandboxModuleBot } from '../bots/index.js'
import { runnerOf } from './start-command.js'

const { launcher = '', program: bubblewrap } = await findIsolation()
const place = mkdtempSync(join(tmpdir(), 'agon-runner-'))
chmodSync(place, 0o755)
afterAll(() => rmSync(place, { recursive: true, force: true }))

let made = 0
/** A stranger's module of that text, in a sandbox. */
function stranger(text: string) {
  const source = join(place, String(made++))
  mkdirSync(source)
  writeFileSync(join(source, 'bot.ts'), text)
  const stderr = new StderrTail()
  const wire: AnyWire = moduleWire()
  const life = {
    name: 'Stranger',
    wire,
    memory: 'match' as const,
    key: 'life',
    seed: () => 7,
    outputBytes: 65_536,
    updateLimit: 1000,
    stderr,
    note: () => undefined,
  }
  const { argv, reads } = runnerOf(join(source, 'bot.ts'))
  const setting = { maker: { launcher, bubblewrap: bubblewrap ?? '' }, limits: DEFAULT_LIMITS, warm: true }
  const bot = new SandboxModuleBot(life, { argv, source, room: `${source}-pipes` }, setting, reads)
  const ask = async (view: unknown, limit = 20_000) => (await bot.ask({ input: {}, view, number: 0, limit })).output
  return { bot, ask, stderr }
}

describe.runIf(bubblewrap !== undefined)('a stranger’s module', () => {
  it('is asked in a process of its own, with its view and its chance', async () => {
    const { bot, ask, stderr } = stranger(
      `import type { Chance } from 'agon'
       console.log('loaded')
       let asked = 0
       export default (view: { x: string }, chance: Chance) => view.x + chance.seed + ++asked + 'ü'`,
    )
    await bot.begin('m')
    expect(await ask({ x: 'a' })).toEqual({ out: 'a71ü' })
    expect(await ask({ x: 'b' })).toEqual({ out: 'b72ü' })
    expect(stderr.read()).toBe('loaded\n')
    await bot.close()
  })

  it('is given the legal actions where it takes them', async () => {
    const { bot } = stranger(
      `export default (view: number, chance: unknown, legal: string[]) => legal.join('+') + view`,
    )
    await bot.begin('m')
    const legal = (view: unknown) => ['a', `b${String(view)}`]
    expect((await bot.ask({ input: {}, view: 7, number: 0, limit: 20_000, legal })).output).toEqual({ out: 'a+b77' })
    await bot.close()
  })

  it('reaches neither this process nor the host', async () => {
    const { bot, ask } = stranger(
      `import { readdirSync } from 'node:fs'
       const tried = (path: string) => { try { return readdirSync(path).length } catch { return 'no' } }
       export default () => [process.env.HOME, process.pid < 20, tried('/root'), tried('/home'), tried(${JSON.stringify(place)})].join(' ')`,
    )
    await bot.begin('m')
    expect(await ask({})).toEqual({ out: '/bot true no no no' })
    await bot.close()
  })

  it('may throw, return what is no text or nothing, answer later, and never', async () => {
    const { bot, ask } = stranger(
      `export default async (what: string) => {
         if (what === 'throw') throw new Error('oh')
         if (what === 'object') return {} as string
         if (what === 'nothing') return undefined as unknown as string
         if (what === 'later') await new Promise((done) => setTimeout(done, 20))
         if (what === 'never') while (true);
         return what
       }`,
    )
    await bot.begin('m')
    expect(await ask('throw')).toEqual({ trouble: 'crash', why: 'threw Error: oh' })
    expect(await ask('object')).toEqual({ trouble: 'crash', why: 'returned object, not a text' })
    expect(await ask('nothing')).toEqual({})
    expect(await ask('later')).toEqual({ out: 'later' })
    expect(await ask('never', 200)).toMatchObject({ trouble: 'timeout' })
    await bot.close()
  })

  it('writes to standard error where it threw, once for each error', async () => {
    const { bot, ask, stderr } = stranger(
      `interface View { readonly what: string }

       const inner = (view: View): string => { throw new Error(view.what) }
       export default (view: View) => inner(view)`,
    )
    await bot.begin('m')
    for (const what of ['oh', 'oh', 'no']) expect(await ask({ what })).toMatchObject({ trouble: 'crash' })
    await bot.close()
    expect(stderr.read()).toMatch(
      /^Error: oh\n +at inner \(\/bot\/bot\.ts:3:\d+\)\n +at .*bot\.ts:4:\d+\)\nError: no\n/,
    )
  })

  it.each([
    ['throws when it is loaded', 'throw new Error("no")', /could not be started: Error: no/],
    ['exports no function', 'export default 5', /could not be started: its default export is number/],
    ['ends its process', 'process.exit(3)', /could not be started: ended with exit code 3/],
    ['says it was loaded itself', 'process.stdout.write("{}"); export default 1', /could not be started/],
  ])('that %s is a crash in words', async (_what, text, why) => {
    const { bot, ask } = stranger(text)
    await bot.begin('m')
    const output = await ask({})
    expect(output.trouble).toBe('crash')
    expect(output.why).toMatch(why)
    await bot.close()
  })
})
