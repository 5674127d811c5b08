import { chmodSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DEFAULT_LIMITS, findIsolation, openSandbox } from '../src/sandbox/index.js'
import { type Row, median } from './kit.js'

export const measures =
  'what a sandbox costs that nobody asks anything: ms to open and to close, KiB while idle, 200 at once'

const MANY = 200
/** The aims: milliseconds to open and close one, KiB of memory. A ratio is the aim over the figure. */
const OPEN_AND_CLOSE_MS = 15
const IDLE_KIB = 3 * 1024

export default async function bench(): Promise<Row[]> {
  const { launcher = '', program: bubblewrap = '' } = await findIsolation()
  const source = mkdtempSync(join(tmpdir(), 'agon-bench-rooms-'))
  chmodSync(source, 0o755)
  const open = () => openSandbox({ launcher, bubblewrap }, { argv: ['/bin/true'], source, limits: DEFAULT_LIMITS })
  try {
    const times: number[] = []
    for (let i = 0; i < 30; i++) {
      const began = performance.now()
      await (await open()).close()
      times.push(performance.now() - began)
    }
    const began = performance.now()
    const sandboxes = await Promise.all(Array.from({ length: MANY }, open))
    const opened = performance.now() - began
    const kib = sandboxes.reduce((sum, { sandbox }) => sum + memoryOf(sandbox.pid ?? 0), 0) / MANY
    const closing = performance.now()
    await Promise.all(sandboxes.map((each) => each.close()))
    const closed = performance.now() - closing
    const once = median(times)
    const figure = (name: string, value: number): Row => ({ name, value, limit: null, ratio: null, goal: null })
    return [
      { name: 'open-close-ms', value: once, limit: OPEN_AND_CLOSE_MS, ratio: OPEN_AND_CLOSE_MS / once, goal: 1 },
      { name: 'idle-kib', value: kib, limit: IDLE_KIB, ratio: IDLE_KIB / kib, goal: 1 },
      figure(`open-${MANY}-ms`, opened),
      figure(`close-${MANY}-ms`, closed),
    ]
  } finally {
    rmSync(source, { recursive: true, force: true })
  }
}

/** KiB that a process and its descendants have to themselves, what they share divided among those who share it. */
function memoryOf(pid: number): number {
  const own = /^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1]
  const children = readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').trim().split(' ').map(Number),
  )
  return Number(own) + children.reduce((sum, child) => sum + (child === 0 ? 0 : memoryOf(child)), 0)
}
