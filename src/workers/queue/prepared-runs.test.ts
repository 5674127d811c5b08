import { runWith } from '../../../test/kit/records.js'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { gameSource } from '../../build/index.js'
import { loadGame } from '../../contest/index.js'
import type { PublishedRun } from './messages.js'
import { type Machine, prepareRun } from './prepared-runs.js'

const GAME = `import { turns } from './rules/turns.js'
globalThis.wasRun = (globalThis.wasRun ?? 0) + 1
export default { id: 'counting', version: 1, seats: { min: 1, max: 2 }, options: { turns },
  setup: () => ({}), toMove: () => [], view: () => ({}), legal: () => ['a'], play: (state) => state, outcome: () => ({ place: [1], reason: 'end' }) }
`
const runs = globalThis as { wasRun?: number }

let folder = ''
let posted: PublishedRun
let packed: Buffer
let hash = ''

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'agon-place-'))
  mkdirSync(join(folder, 'rules'))
  writeFileSync(join(folder, 'counting.ts'), GAME)
  writeFileSync(join(folder, 'rules', 'turns.ts'), 'export const turns = 3\n')
  writeFileSync(join(folder, 'private.txt'), 'nothing that the game names\n')
  const definition = await loadGame(join(folder, 'counting.ts'), folder)
  const source = await gameSource(definition)
  if (source === undefined) throw new Error('it has no files')
  hash = source.hash
  packed = await source.pack()
  posted = {
    agon: 'test',
    run: runWith(definition, [], { contest: { options: { turns: 3 } } }),
    parcels: [],
    strictTiming: false,
    trust: false,
    gameFile: { name: source.name, hash },
  }
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let made = 0
const machine = (source = packed): Machine => ({
  store: { source: (one) => Promise.resolve(one === hash ? source : undefined) },
  workspace: join(folder, `workspace${made++}`),
  isolation: { trust: false },
  slots: 1,
  agon: 'test',
  note: () => undefined,
})

/** How often the game's file was run meanwhile. */
async function openedBy(run: PublishedRun, on: Machine): Promise<number> {
  const before = runs.wasRun ?? 0
  const prepared = await prepareRun(run, on, join(folder, `rooms${made++}`))
  await prepared.pool.close()
  return (runs.wasRun ?? 0) - before
}

describe('the game of a run that does not come with agon', () => {
  it('travels with what it imports, and with nothing else', async () => {
    const on = machine()
    expect(await openedBy(posted, on)).toBeGreaterThan(0)
    const [name = ''] = readdirSync(join(on.workspace, 'entrants'))
    expect(name.startsWith(hash)).toBe(true)
    const placed = join(on.workspace, 'entrants', name, 'files')
    expect([readdirSync(placed).sort(), readdirSync(join(placed, 'rules'))]).toEqual([
      ['counting.ts', 'rules'],
      ['turns.ts'],
    ])
    const damaged = machine(packed.subarray(0, -9))
    await expect(prepareRun(posted, damaged, folder)).rejects.toThrow(/unexpected end|ended|decompress/i)
  })

  it.each(['../counting.ts', '/etc/passwd', 'rules/../../x.ts', 'none.ts'])('is no file called %s', async (name) => {
    const run = { ...posted, gameFile: { name, hash } }
    await expect(prepareRun(run, machine(), folder)).rejects.toThrow('hold no')
  })
})
