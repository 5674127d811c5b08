import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import type { Prepared } from '../build/prepared.js'
import { type JobRequest, WorkerLostError } from '../engine/index.js'
import gunduel from '../games/gunduel/index.js'
import { cgroupRoots } from '../sandbox/cgroups.js'
import { findIsolation } from '../sandbox/index.js'
import { splitEntrants } from './entrants.js'
import { startThreads } from './pool.js'

const place = mkdtempSync(join(tmpdir(), 'agon-lost-'))
afterAll(() => rmSync(place, { recursive: true, force: true }))

const source = join(place, 'source')
mkdirSync(source)
const SOURCES = {
  // A process that stays, and does not end when nobody asks it any more.
  'stays.pl': `$| = 1; while (<STDIN>) { print "0\\n" if /^F/ } sleep 1000 while 1`,
  'exits.mjs': 'export default () => process.exit(7)',
  'hangs.mjs': `import { writeFileSync } from 'node:fs'
    export default () => { writeFileSync(new URL('hanging', import.meta.url), ''); while (true); }`,
}
for (const [name, text] of Object.entries(SOURCES)) writeFileSync(join(source, name), text)

const bot = (name: string, file: keyof typeof SOURCES): Prepared => ({
  name,
  house: true,
  admitted: true,
  wire: file.endsWith('.pl') ? 'lines' : 'module',
  memory: 'match',
  hash: `hash of ${file}`,
  make: { build: '', command: '', toolchain: '' },
  run: file.endsWith('.pl')
    ? { kind: 'process', argv: ['/usr/bin/perl', join(source, file)], cwd: source }
    : { kind: 'module', file: join(source, file) },
})
const BOTS = [bot('Ant', 'stays.pl'), bot('Bee', 'stays.pl'), bot('Exits', 'exits.mjs'), bot('Hangs', 'hangs.mjs')]
const match = (a: number, b: number): readonly JobRequest[] => [
  { job: { key: `${a}-${b}`, pairings: [{ key: `${a}-${b}`, seats: [a, b], deal: 1 }] }, disturbed: 0 },
]

const { launcher, program } = await findIsolation()
const sandboxes = launcher !== undefined && program !== undefined ? { launcher, bubblewrap: program } : undefined

/** What threads of this process have left: programs that run (no zombies), and cgroups. */
function left(): { readonly programs: number; readonly cgroups: number } {
  const programs = readdirSync('/proc').filter((pid) => {
    if (!/^\d+$/.test(pid)) return false
    try {
      const words = readFileSync(`/proc/${pid}/cmdline`, 'latin1')
      const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
      const parent = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]
      return Number(parent) === process.pid && /perl|launcher/.test(words)
    } catch {
      return false
    }
  })
  const cgroups = cgroupRoots().flatMap((root) =>
    readdirSync(root).filter((name) => name.startsWith(`${process.pid}-`)),
  )
  return { programs: programs.length, cgroups: cgroups.length }
}

/** Waits until that is so, however busy the machine is. */
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((done) => setTimeout(done, 50))
}

const ways = [...(sandboxes ? [['in sandboxes', sandboxes] as const] : []), ['without sandboxes', undefined] as const]
describe.each(ways)('a thread that ends without closing its bots, %s', { timeout: 120_000 }, (way, maker) => {
  const start = (rooms: string) => {
    const { entrants, programs } = splitEntrants(BOTS)
    const { id, version, options } = gunduel.game
    return startThreads(
      { game: { id, version }, options, entrants, ids: [0, 1, 2, 3], seed: 's', limits: { turn: 30_000 } },
      { programs, holding: { trust: true, ...(maker && { maker }) }, rooms },
      1,
      () => undefined,
    )
  }

  it('leaves nothing when it has ended by itself, and another takes its place', async () => {
    const rooms = join(place, `${way} exits`)
    const pool = await start(rooms)
    const before = left().cgroups
    await pool.play(match(0, 1))
    await expect(pool.play(match(0, 2))).rejects.toThrow(WorkerLostError)
    await until(() => left().programs === 0 && left().cgroups <= before && !existsSync(join(rooms, 'worker-0')))
    const [response] = await pool.play(match(0, 1))
    expect(response).toHaveProperty('records')
    await pool.close()
    expect(left()).toEqual({ programs: 0, cgroups: before })
  })

  it('leaves nothing when it hangs and is ended', async () => {
    const rooms = join(place, `${way} hangs`)
    const pool = await start(rooms)
    const before = left().cgroups
    const hanging = pool.play(match(0, 3)).catch((error: unknown) => error)
    await until(() => existsSync(join(source, 'hanging')))
    rmSync(join(source, 'hanging'))
    await pool.close()
    expect(await hanging).toBeInstanceOf(WorkerLostError)
    await until(() => left().programs === 0)
    expect([left().cgroups, existsSync(join(rooms, 'worker-0'))]).toEqual([before, false])
  })
})
