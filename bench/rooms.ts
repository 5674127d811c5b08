import { spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DEFAULT_LIMITS, findIsolation, openSandbox } from '../src/sandbox/index.js'
import { type Row, median } from './kit.js'

export const measures =
  'what an idle sandbox costs: ms to open and to close, KiB while idle, 200 at once; how long the event loop is blocked'

const MANY = 200
/** The aims: milliseconds to open and close one, KiB of memory. A ratio is the aim over the figure. */
const OPEN_AND_CLOSE_MS = 15
const IDLE_KIB = 3 * 1024
/** The event loop is blocked for so many times less than by a program that it starts itself. */
const BLOCKED_LESS = 5
const BALLAST_MIB = 300

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
    const kib = sandboxes.reduce((sum, { pid }) => sum + memoryOf(pid ?? 0), 0) / MANY
    const closing = performance.now()
    await Promise.all(sandboxes.map((each) => each.close()))
    const closed = performance.now() - closing
    const once = median(times)
    const figure = (name: string, value: number): Row => ({ name, value, limit: null, ratio: null, goal: null })
    return [
      { name: 'open-close-ms', value: once, limit: OPEN_AND_CLOSE_MS, ratio: OPEN_AND_CLOSE_MS / once, goal: 1 },
      { name: 'idle-kib', value: kib, limit: IDLE_KIB, ratio: IDLE_KIB / kib, goal: 1 },
      await blocked(open),
      figure(`open-${MANY}-ms`, opened),
      figure(`close-${MANY}-ms`, closed),
    ]
  } finally {
    rmSync(source, { recursive: true, force: true })
  }
}

/** Milliseconds that the event loop of a process with as much memory as a long run has stands still to open a sandbox, and to start a program itself. */
async function blocked(open: () => ReturnType<typeof openSandbox>): Promise<Row> {
  const ballast = Array.from({ length: BALLAST_MIB }, (_, i) => Buffer.alloc(1024 ** 2, i))
  const [ours, itself]: [number[], number[]] = [[], []]
  for (let i = 0; i < 30; i++) {
    const began = performance.now()
    const opening = open()
    ours.push(performance.now() - began)
    await (await opening).close()
    const begins = performance.now()
    const child = spawn('/bin/true', { stdio: 'ignore' })
    itself.push(performance.now() - begins)
    await new Promise((done) => child.once('close', done))
  }
  const [value, limit] = [median(ours), median(itself)]
  return { name: `blocked-ms (${ballast.length} MiB)`, value, limit, ratio: limit / value, goal: BLOCKED_LESS }
}

/** KiB that a process and its descendants have to themselves, shared pages divided among the processes that share them. */
function memoryOf(pid: number): number {
  const own = /^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1]
  const children = readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').trim().split(' ').map(Number),
  )
  return Number(own) + children.reduce((sum, child) => sum + (child === 0 ? 0 : memoryOf(child)), 0)
}
