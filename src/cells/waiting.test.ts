import { spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { existsSync } from 'node:fs'
import { afterAll, describe, expect, it } from 'vitest'
import { Alarm } from './deadline.js'
import { waitedFor } from './waiting.js'

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
const wait = (ms: number) => new Promise((done) => setTimeout(done, ms))

describe.runIf(existsSync('/proc/self/schedstat'))('what a group waited for a core', () => {
  it('is what strangers took, and never what it took itself', async () => {
    const own = busy(3 * availableParallelism())
    await wait(300)
    const alone = waitedFor(own)
    const strangers = busy(6 * availableParallelism())
    const one = busy(1)
    await wait(1000)
    expect(waitedFor(one), 'one among many gets little of a core').toBeGreaterThan(400)
    // On a machine with nothing else to do it would be 0; here others run too.
    expect(alone).toBeLessThan(300)
    expect(waitedFor(strangers)).toBeGreaterThanOrEqual(0)
    expect(waitedFor(2 ** 22)).toBe(0)
  })
})

it('an alarm gives what was waited on top, as often as it grows', async () => {
  const credits = [40, 60, 60]
  const began = performance.now()
  await new Promise<void>((done) => new Alarm(done, () => credits.shift() ?? 60).set(20))
  const took = performance.now() - began
  expect(took).toBeGreaterThanOrEqual(79)
  expect(credits).toEqual([])
})
