import { execFileSync } from 'node:child_process'
import { chmodSync, cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DEFAULT_LIMITS, type Sandbox, PLACES, findIsolation, openSandbox } from '../src/sandbox/index.js'
import { type Row, median } from './kit.js'

export const measures =
  'how fast a bot is on one core, in turns a second, while a hostile one has the other, against an idle one'

const VICES = join(import.meta.dirname, '../test/vices/hostile')
const HOSTILE = ['busy.pl', 'forks.sh', 'memory.pl', 'stream.pl', 'errors.sh', 'files.pl', 'fills.pl', 'zombies.pl']
const ROUNDS = 9
const TURNS = 150

export default async function bench(): Promise<Row[]> {
  const { launcher = '', program: bubblewrap = '' } = await findIsolation()
  const source = mkdtempSync(join(tmpdir(), 'agon-bench-neighbours-'))
  chmodSync(source, 0o755)
  cpSync(VICES, source, { recursive: true })
  execFileSync('cc', ['-O2', '-static', '-o', join(source, 'noop'), join(import.meta.dirname, 'cells', 'noop.c')])
  const limits = { ...DEFAULT_LIMITS, memory: 256 * 1024 ** 2 }
  const open = (core: number) => openSandbox({ launcher, bubblewrap }, { argv: ['/bin/sh'], source, limits, core })
  const [victim, villain] = [await open(1), await open(0)]
  try {
    const rows: Row[] = []
    for (const name of HOSTILE) {
      const [alone, beside]: [number[], number[]] = [[], []]
      for (let i = 0; i < ROUNDS; i++) {
        alone.push(await speed(victim))
        let over = false
        const plague = (async () => {
          while (!over)
            await turn(villain, [name.endsWith('.pl') ? '/usr/bin/perl' : '/bin/bash', `${PLACES.source}/${name}`])
        })()
        beside.push(await speed(victim))
        over = true
        villain.kill()
        await plague
      }
      const ratio = median(beside.map((each, i) => each / (alone[i] as number)))
      rows.push({ name: name.replace(/\..*$/, ''), value: median(beside), limit: median(alone), ratio, goal: 0.8 })
    }
    return rows
  } finally {
    await Promise.all([victim.close(), villain.close()])
    rmSync(source, { recursive: true, force: true })
  }
}

const turn = (sandbox: Sandbox, argv: readonly string[]) =>
  sandbox.turn({
    argv,
    env: { PATH: '/usr/bin:/bin' },
    folder: PLACES.source,
    limit: 300,
    output: 65_536,
    errors: 4e6,
    wipe: true,
  })

/** Turns a second by the victim's own clock: what Node does between them is not its affair. */
async function speed(victim: Sandbox): Promise<number> {
  const walls: number[] = []
  for (let i = 0; i < TURNS; i++) walls.push((await turn(victim, [`${PLACES.source}/noop`])).wallUs)
  return 1e6 / median(walls)
}
