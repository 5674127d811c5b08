import { spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { existsSync, readFileSync } from 'node:fs'
import { afterAll, describe, expect, it } from 'vitest'
import { Deadline } from './deadline.js'
import { Waiting } from './waiting.js'

const started: number[] = []
afterAll(() => {
  for (const pid of started) process.kill(-pid, 'SIGKILL')
})
/** Programs in a group of their own that keep a core busy, so many at once. */
function busy(n: number): number {
  const loops = Array.from({ length: n }, () => 'while :; do :; done &').join(' ')
  const { pid = 0 } = spawn('sh', ['-c', `${loops} wait`], { detached: true, stdio: 'ignore' })
  started.push(pid)
  return pid
}
const inMs = (ns: bigint): number => Number(ns) / 1e6
const wait = (ms: number) => new Promise((done) => setTimeout(done, ms))

/** Only `npm run test:load` keeps the machine as busy as this takes: nothing else may be tested beside it. */
const LOADED = process.env['AGON_LOAD'] === 'yes'

describe.runIf(existsSync('/proc/self/schedstat'))('what a group waited for a core', () => {
  it.runIf(LOADED)('is what strangers took, and never what it took itself', async () => {
    const own = new Waiting(busy(3 * availableParallelism()))
    await wait(300)
    const alone = own.look()
    const strangers = new Waiting(busy(6 * availableParallelism()))
    const one = new Waiting(busy(1))
    await wait(1000)
    // Where cores are shared out among sessions, it is one of three, on two cores or more: it waits a third of the time at least.
    expect(inMs(one.look().sure), 'one among many waits for a core').toBeGreaterThan(200)
    // On a machine with nothing else to do it would be 0; here others run too.
    expect(inMs(alone.sure)).toBeLessThan(300)
    expect(strangers.look().sure).toBeGreaterThanOrEqual(0n)
    expect(new Waiting(2 ** 22).look()).toEqual({ sure: 0n, maybe: 0n, longest: 0n })
  })

  it('does not forget what its children ran that it has waited for', async () => {
    const children = 'while :; do sh -c "n=0; while [ \\$n -lt 20000 ]; do n=\\$((n+1)); done"; done'
    const { pid = 0 } = spawn('sh', ['-c', children], { detached: true, stdio: 'ignore' })
    started.push(pid)
    const family = new Waiting(pid)
    const used = () => {
      const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
      return 10 * (Number(fields[13]) + Number(fields[14]))
    }
    for (let looks = 0; looks < 2000 && used() < 200; looks++) await wait(20)
    family.look()
    expect(family.cpuMs).toBeGreaterThanOrEqual(200)
  })
})

it('an alarm gives what was waited on top, as often as it grows', async () => {
  const began = performance.now()
  let looks = 0
  let waited = 0
  const busyAtEnd = await new Promise<boolean>((done) =>
    new Deadline(done, () => {
      // All so far was waited, as often as it is asked at first; however late it is asked.
      if (looks++ < 2) waited = performance.now() - began
      const sure = BigInt(Math.ceil(1e6 * waited))
      return { sure, maybe: sure }
    }).set(20),
  )
  // The second look comes 12 ms before the time given at the first is over.
  expect(waited).toBeGreaterThanOrEqual(27)
  expect(performance.now() - began).toBeGreaterThanOrEqual(waited + 19)
  expect(looks).toBeGreaterThanOrEqual(3)
  expect(busyAtEnd).toBe(false)
})

it('an alarm ends at the hard stop where all is waiting, and tells so', async () => {
  const began = performance.now()
  const all = () => ({ sure: BigInt(Math.round(1e6 * (performance.now() - began))), maybe: 0n })
  const busyAtEnd = await new Promise<boolean>((done) => new Deadline(done, all).set(20))
  expect(performance.now() - began).toBeGreaterThanOrEqual(1060)
  expect(busyAtEnd).toBe(true)
})
