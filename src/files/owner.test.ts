import { readFileSync } from 'node:fs'
import { describe, expect, it, vi } from 'vitest'
import { isRunning, thisProcess } from './owner.js'

const startOf = (pid: number): string =>
  readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[19] ?? ''

/** The name of a process here started then. */
const nameOf = (pid: number, start: string): string => [pid, start, ...thisProcess().split('-').slice(2)].join('-')

describe('the owner of a lease', () => {
  it('runs, or is another process that has its number', () => {
    expect(isRunning(thisProcess())).toBe(true)
    expect(isRunning(nameOf(process.pid, '1'))).toBe(false)
    expect(isRunning(nameOf(0, '1'))).toBe(false)
    expect(isRunning('')).toBe(false)
  })

  it.runIf(process.platform === 'linux')('is not a process that has its number, at another time or elsewhere', () => {
    const [pid = '', start = '', boot = '', space = ''] = thisProcess().split('-')
    expect(startOf(process.pid)).toBe(start)
    expect(isRunning(`${pid}-${Number(start) + 1}-${boot}-${space}`)).toBe(false)
    for (const elsewhere of [`${pid}-${start}-00000000-${space}`, `${pid}-${start}-${boot}-1`]) {
      expect(isRunning(elsewhere), 'it has left no sign of life').toBe(false)
      expect(isRunning(elsewhere, Date.now() - 1000), 'it has left one').toBe(true)
      expect(isRunning(elsewhere, Date.now() - 24 * 3600_000)).toBe(false)
    }
  })

  it('may be another user’s, whom this one may not signal', () => {
    const kill = vi.spyOn(process, 'kill').mockImplementation(() => {
      throw Object.assign(new Error('no'), { code: 'EPERM' })
    })
    try {
      expect(isRunning(nameOf(process.ppid, startOf(process.ppid)))).toBe(true)
      expect(isRunning(nameOf(process.ppid, '1'))).toBe(false)
    } finally {
      kill.mockRestore()
    }
  })

  it('may be a process of which nothing is known, as long as it is there', () => {
    // Nothing is known of when it was started, as on a system without /proc.
    expect(isRunning(nameOf(process.pid, ''))).toBe(true)
  })
})
