import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { isRunning, thisProcess } from './owner.js'

const statOf = (pid: number): string => readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1) ?? ''

/** The name of a process here. */
const nameOf = (pid: number): string =>
  [pid, statOf(pid).split(' ')[19] ?? '', ...thisProcess().split('-').slice(2)].join('-')

it.runIf(process.platform === 'linux')(
  'the owner of a lease has ended, though its parent has not waited for it: in a container it may never do so',
  async () => {
    // The sleep that the shell becomes knows nothing of the one that it started.
    const parent = spawn('sh', ['-c', 'sleep 900 & echo $!; exec sleep 900'], { stdio: ['ignore', 'pipe', 'ignore'] })
    try {
      const [printed] = (await once(parent.stdout, 'data')) as [Buffer]
      const pid = Number(printed.toString())
      const owner = nameOf(pid)
      expect(isRunning(owner)).toBe(true)
      process.kill(pid, 'SIGKILL')
      await expect.poll(() => statOf(pid)).toMatch(/^Z /)
      expect(isRunning(owner)).toBe(false)
    } finally {
      parent.kill('SIGKILL')
    }
  },
)
