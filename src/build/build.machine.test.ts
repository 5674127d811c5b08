import { tmpdir } from 'node:os'
import { expect, test } from 'vitest'
import { NotAdmitted, runFree, stepOf } from './build.js'

async function failure(script: string, limit?: number): Promise<NotAdmitted | undefined> {
  try {
    await runFree([await stepOf(['sh', '-c', script], tmpdir())], tmpdir(), limit)
  } catch (error) {
    if (error instanceof NotAdmitted) return error
    throw error
  }
  return undefined
}

test('a build that takes too long is killed with all that it started', async () => {
  // If anything waited for what it started, this test would not end in time.
  expect((await failure('sleep 900 & sleep 900', 200))?.why).toBe(
    "its build failed: sh -c 'sleep 900 & sleep 900' took longer than 0.2 s",
  )
})

test('what a build leaves running in the background does not hold it up', async () => {
  // If anything waited for the sleep, this test would not end in time.
  expect(await failure('sleep 900 & exit 0')).toBeUndefined()
})

test('the log of a build has an end, and names no folder of this machine', async () => {
  const log = (await failure(`echo $PWD/ant.c: bad; head -c 1000000 /dev/zero | tr '\\0' x; exit 1`))?.log ?? ''
  expect(log).toMatch(/^\.\/ant\.c: bad\n/)
  expect(log.length).toBeLessThanOrEqual(64 * 1024)
})

test('a build that a signal ends has failed', async () => {
  expect((await failure('kill -SEGV $$'))?.why).toMatch(/was killed \(SIGSEGV\)$/)
})

test('the commands of a build have one time together', async () => {
  const steps = await Promise.all([0, 1, 2, 3].map(() => stepOf(['sleep', '0.4'], tmpdir())))
  await expect(runFree(steps, tmpdir(), 1000)).rejects.toThrow(
    'its build failed: sleep 0.4 took longer than 1 s with what went before',
  )
})
