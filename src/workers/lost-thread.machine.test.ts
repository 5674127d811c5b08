import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import type { Entrant } from '../core/index.js'
import { entrantOf, runWith } from '../../test/kit/records.js'
import { type JobRequest, WorkerLostError } from '../engine/index.js'
import gunduel from '../games/gunduel/index.js'
import { cgroupRoots } from '../sandbox/cgroups.js'
import { findIsolation } from '../sandbox/index.js'
import { startThreads } from './pool.js'

const place = mkdtempSync(join(tmpdir(), 'agon-lost-'))
afterAll(() => rmSync(place, { recursive: true, force: true }))

const source = join(place, 'source')
mkdirSync(source)
const SOURCES = {
  // A process that stays, and does not end when it is not asked any more.
  'stays.pl': `$| = 1; while (<STDIN>) { print "0\\n" if /^F/ } sleep 1000 while 1`,
  'exits.mjs': 'export default () => process.exit(7)',
  'hangs.mjs': `import { writeFileSync } from 'node:fs'
    export default () => { writeFileSync(new URL('hanging', import.meta.url), ''); while (true); }`,
}
for (const [name, text] of Object.entries(SOURCES)) writeFileSync(join(source, name), text)

const bot = (name: string, file: keyof typeof SOURCES): Entrant =>
  entrantOf(name, {
    house: true,
    wire: file.endsWith('.pl') ? 'lines' : 'module',
    program: file.endsWith('.pl')
      ? { kind: 'process', argv: ['/usr/bin/perl', join(source, file)], cwd: source }
      : { kind: 'module', file: join(source, file) },
  })
const BOTS = [bot('Ant', 'stays.pl'), bot('Bee', 'stays.pl'), bot('Exits', 'exits.mjs'), bot('Hangs', 'hangs.mjs')]
const match = (a: number, b: number): readonly JobRequest[] => [
  {
    job: { key: `${a}-${b}`, pairings: [{ key: `${a}-${b}`, seats: [a, b], deal: 1 }] },
    disturbed: 0,
    key: 'a'.repeat(32),
  },
]

const { launcher, program } = await findIsolation()
const sandboxes = launcher !== undefined && program !== undefined ? { launcher, bubblewrap: program } : undefined

/** What there is of this process's threads: programs of bots and of sandboxes that descend from it and run (no zombies), and cgroups. */
function left(): { readonly programs: number; readonly cgroups: number } {
  const parents = new Map<number, number>()
  const programs: number[] = []
  for (const pid of readdirSync('/proc').map(Number)) {
    if (Number.isNaN(pid)) continue
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
      parents.set(pid, Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]))
      if (/perl|launcher/.test(readFileSync(`/proc/${pid}/cmdline`, 'latin1'))) programs.push(pid)
    } catch {
      // It has ended.
    }
  }
  const descends = (pid: number): boolean => {
    const parent = parents.get(pid)
    return parent !== undefined && (parent === process.pid || descends(parent))
  }
  const cgroups = cgroupRoots().flatMap((root) =>
    readdirSync(root).filter((name) => name.startsWith(`${process.pid}-`)),
  )
  return { programs: programs.filter(descends).length, cgroups: cgroups.length }
}

/** Waits until that is so, however busy the machine is. */
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((done) => setTimeout(done, 50))
}

const ways = [...(sandboxes ? [['in sandboxes', sandboxes] as const] : []), ['without sandboxes', undefined] as const]
describe.each(ways)('a thread that ends without closing its bots, %s', { timeout: 120_000 }, (way, maker) => {
  const start = (rooms: string) => {
    return startThreads(
      runWith(gunduel, BOTS, { contest: { limits: { turn: 30_000 } } }),
      { isolation: { trust: true, maker }, rooms },
      1,
      () => undefined,
    )
  }

  it('leaves nothing when it has ended by itself, and another takes its place', async () => {
    const rooms = join(place, `${way} exits`)
    const pool = await start(rooms)
    const before = left()
    await pool.play(match(0, 1))
    if (maker) expect(left().programs).toBeGreaterThan(before.programs)
    await expect(pool.play(match(0, 2))).rejects.toThrow(WorkerLostError)
    await until(
      () =>
        left().programs <= before.programs && left().cgroups <= before.cgroups && !existsSync(join(rooms, 'worker-0')),
    )
    const [response] = await pool.play(match(0, 1))
    expect(response).toHaveProperty('records')
    await pool.close()
    await until(() => left().programs <= before.programs)
    expect(left()).toEqual(before)
  })

  it('leaves nothing when it hangs and is ended', async () => {
    const rooms = join(place, `${way} hangs`)
    const pool = await start(rooms)
    const before = left()
    const hanging = pool.play(match(0, 3)).catch((error: unknown) => error)
    await until(() => existsSync(join(source, 'hanging')))
    rmSync(join(source, 'hanging'))
    await pool.close()
    expect(await hanging).toBeInstanceOf(WorkerLostError)
    await until(() => left().programs <= before.programs)
    expect([left(), existsSync(join(rooms, 'worker-0'))]).toEqual([before, false])
  })
})
