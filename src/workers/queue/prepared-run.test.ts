import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { gameSource } from '../../build/index.js'
import { loadGame } from '../../contest/index.js'
import { acceptBatch, acceptOutcome, acceptRun } from './accept.js'
import type { PostedRun } from './messages.js'
import { type Machine, prepareRun } from './prepared-run.js'

const GAME = `import { turns } from './rules/turns.js'
globalThis.wasRun = (globalThis.wasRun ?? 0) + 1
export default { id: 'counting', version: 1, seats: { min: 1, max: 2 }, options: { turns },
  setup: () => ({}), toMove: () => [], view: () => ({}), legal: () => ['a'], play: (state) => state, outcome: () => ({ place: [1], reason: 'end' }) }
`
const runs = globalThis as { wasRun?: number }

let folder = ''
let posted: PostedRun
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
    setup: {
      game: { id: 'counting', version: 1 },
      options: { turns: 3 },
      entrants: [],
      ids: [],
      seed: 'seed',
      limits: {},
    },
    tournament: '0'.repeat(32),
    hashes: [],
    parcels: [],
    strictTiming: false,
    trust: false,
    gameFile: { name: source.name, hash },
  }
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let made = 0
const machine = (games: Machine['games'], source = packed): Machine => ({
  store: {
    source: (one) => Promise.resolve(one === hash ? source : undefined),
    kept: () => Promise.resolve(undefined),
    read: () => Promise.resolve([]),
  },
  workspace: join(folder, `workspace${made++}`),
  isolation: { trust: false },
  slots: 1,
  agon: 'test',
  note: () => undefined,
  games,
})
const nothing = new Map<string, string>()

/** How often the game's file was run meanwhile. */
async function openedBy(run: PostedRun, on: Machine): Promise<number> {
  const before = runs.wasRun ?? 0
  const prepared = await prepareRun(run, on, join(folder, `rooms${made++}`))
  await prepared.pool.close()
  return (runs.wasRun ?? 0) - before
}

describe('the game of a run that does not come with agon', () => {
  it('is not run, nor written, where the owner of the machine does not say so', async () => {
    const on = machine({ files: nothing, all: false })
    const before = runs.wasRun
    await expect(prepareRun(posted, on, folder)).rejects.toThrow(
      'its game, counting.ts, is code that does not come with agon: its owner has to start a worker with the option "game" (FILE) (the same files), or with the option "trustGames"',
    )
    expect(runs.wasRun).toBe(before)
    expect(readdirSync(folder).filter((name) => name.startsWith('workspace'))).toEqual([])
  })

  it('is run from the files that the machine has itself, where they are the very same', async () => {
    const own = new Map([[hash, join(folder, 'counting.ts')]])
    // Nothing is taken from the store.
    await openedBy(posted, machine({ files: own, all: false }, Buffer.from('damaged')))
    const other = { ...posted, gameFile: { name: 'counting.ts', hash: 'a'.repeat(64) } }
    await expect(prepareRun(other, machine({ files: own, all: false }), folder)).rejects.toThrow(
      'does not come with agon',
    )
  })

  it('travels with what it imports, and with nothing else, to who trusts all games', async () => {
    const on = machine({ files: nothing, all: true })
    expect(await openedBy(posted, on)).toBeGreaterThan(0)
    const [name = ''] = readdirSync(join(on.workspace, 'entrants'))
    expect(name.startsWith(hash)).toBe(true)
    const placed = join(on.workspace, 'entrants', name, 'files')
    expect([readdirSync(placed).sort(), readdirSync(join(placed, 'rules'))]).toEqual([
      ['counting.ts', 'rules'],
      ['turns.ts'],
    ])
    const damaged = machine({ files: nothing, all: true }, packed.subarray(0, -9))
    await expect(prepareRun(posted, damaged, folder)).rejects.toThrow(/unexpected end|ended|decompress/i)
  })

  it.each(['../counting.ts', '/etc/passwd', 'rules/../../x.ts', 'none.ts'])('is no file called %s', async (name) => {
    const run = { ...posted, gameFile: { name, hash } }
    await expect(prepareRun(run, machine({ files: nothing, all: true }), folder)).rejects.toThrow('hold no')
  })
})

describe('what comes from the tables', () => {
  it('is played with options and limits that a contest file may give, and no others', async () => {
    const on = machine({ files: new Map([[hash, join(folder, 'counting.ts')]]), all: false })
    const withSetup = (setup: Partial<PostedRun['setup']>): PostedRun => ({
      ...posted,
      setup: { ...posted.setup, ...setup },
    })
    await expect(prepareRun(withSetup({ limits: { memory: 1e300 } }), on, folder)).rejects.toThrow('memory = 1e+300')
    await expect(prepareRun(withSetup({ options: { turns: 'all' } }), on, folder)).rejects.toThrow('option turns')
  })

  it('has the shape that agon gives it', () => {
    expect(acceptRun(JSON.parse(JSON.stringify(posted)))).toEqual(posted)
    const odd: unknown[] = [
      undefined,
      [],
      { ...posted, gameFile: { name: 'a.ts', hash: '../../../etc' } },
      { ...posted, setup: { ...posted.setup, seed: 7 } },
      { ...posted, parcels: [{ spec: { name: 'A', env: { LD_PRELOAD: 'x' } }, root: '/', bases: ['/'] }] },
    ]
    for (const one of odd) expect(() => acceptRun(one)).toThrow('the stored run is not valid')
    const job = { key: 'a', pairings: [{ key: 'a', seats: [0, 1], deal: 1 }] }
    const batch = { run: 'r', jobs: [{ job, disturbed: 0 }] }
    expect(acceptBatch(batch)).toEqual(batch)
    expect(
      acceptBatch({ run: 'r', jobs: [{ job: { ...job, pairings: [{ key: 'a', seats: ['x'] }] } }] }),
    ).toBeUndefined()
    const outcome = { worker: 'w', ms: 3, jobs: [{ key: 'ab'.repeat(16) }] }
    expect(acceptOutcome(outcome, 1)).toEqual(outcome)
    expect([acceptOutcome(outcome, 2), acceptOutcome({ ...outcome, jobs: [{ key: '../x' }] }, 1)]).toEqual([
      undefined,
      undefined,
    ])
  })
})
