import { execFileSync, spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { existsSync } from 'node:fs'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { deadline, waitsOf } from './plain-clock.js'

const started: number[] = []
afterEach(() => {
  for (const pid of started.splice(0)) process.kill(-pid, 'SIGKILL')
})
/** A program in a group of its own. */
function run(program: string, words: readonly string[]): number {
  const { pid = 0 } = spawn(program, words, { detached: true, stdio: 'ignore' })
  started.push(pid)
  return pid
}
const LOOP = 'while :; do :; done'
/** A group that keeps a core busy, so many times. */
const busy = (n: number): number => run('sh', ['-c', `${`${LOOP} & `.repeat(n)} wait`])
/** A look at a group each time that it is called. */
function looksAt(group: number | undefined) {
  const waits = waitsOf(() => group)
  return () => waits?.look(performance.now()) ?? { waited: 0, longest: 0 }
}
const wait = (ms: number) => new Promise((done) => setTimeout(done, ms))

/** Only `npm run test:load` keeps the machine so busy: nothing else may be tested beside it. */
const LOADED = process.env['AGON_LOAD'] === 'yes'

describe.runIf(existsSync('/proc/self/schedstat'))('what a group waited for a core', () => {
  it.runIf(LOADED)('is what others took', async () => {
    busy(6 * availableParallelism())
    const look = looksAt(busy(1))
    let waited = 0
    for (let looks = 0; looks < 10; looks++) {
      await wait(100)
      waited += look().waited
    }
    // Where sessions share out cores, it is one of two, on two cores or more: it waits a third of the time at least.
    expect(waited).toBeGreaterThan(200)
  })

  it('counts what a child of the shell that was started waits, and how long it runs', { timeout: 60_000 }, async () => {
    const onOneCore = (script: string) => run('taskset', ['-c', core(), 'sh', '-c', script])
    const look = looksAt(onOneCore(`sh -c '${LOOP}' & wait`))
    onOneCore(LOOP)
    let [waited, longest] = [0, 0]
    while (waited < 50 || longest < 50) {
      await wait(20)
      const seen = look()
      waited += seen.waited
      longest = seen.longest
    }
  })

  it('is nothing for a group that sleeps, or is not there', async () => {
    const look = looksAt(run('sleep', ['600']))
    look()
    await vi.waitFor(() => expect(look()).toMatchObject({ waited: 0, isWaiting: false }), 20_000)
    expect(looksAt(2 ** 22)()).toEqual({ waited: 0, isWaiting: false, longest: 0 })
    expect(looksAt(undefined)()).toEqual({ waited: 0, isWaiting: false, longest: 0 })
  })
})

/** A core that this process may use. */
const core = () =>
  /(\d+)\D*$/.exec(execFileSync('taskset', ['-cp', String(process.pid)], { encoding: 'utf8' }))?.[1] ?? '0'

it('the time of work in this process is up at its limit, and never once it is called off', async () => {
  const began = performance.now()
  let calls = 0
  const callOff = deadline(20, () => calls++)
  await new Promise<void>((done) => deadline(50, (isBusy) => done(expect(isBusy).toBe(false))))
  expect(performance.now() - began).toBeGreaterThanOrEqual(50)
  expect(calls).toBe(1)
  callOff()
  deadline(20, () => calls++)()
  await wait(100)
  expect(calls).toBe(1)
})
