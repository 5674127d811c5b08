import { existsSync, readFileSync } from 'node:fs'
import { release } from 'node:os'
import { describe, expect, it } from 'vitest'
import { SLICE_NS, coresAllowed, nearCore, stayOnCore } from './cores.js'
import { findLauncher } from './launcher.js'

const launcher = (await findLauncher()) as string
const own = (): string | undefined =>
  /^Cpus_allowed_list:\s*(\S+)$/m.exec(readFileSync('/proc/thread-self/status', 'utf8'))?.[1]

/** In pieces of how many nanoseconds this thread has its core. */
const slice = (): number =>
  Number(/^se\.slice\s*:\s*(\d+)$/m.exec(readFileSync('/proc/thread-self/sched', 'utf8'))?.[1])
const [major = 0, minor = 0] = release().split('.').map(Number)
const hasSlices = (major > 6 || (major === 6 && minor >= 12)) && existsSync('/proc/thread-self/sched')

describe.runIf(coresAllowed().length > 1)('a thread that stays on a core', () => {
  it('is bound until the last of those who asked for it lets go, and asks for it no more', () => {
    const before = own()
    const [first, second] = [stayOnCore(launcher), stayOnCore(launcher)]
    expect(coresAllowed()).toContain(nearCore())
    expect(own()).toBe(String(nearCore()))
    first()
    first()
    expect(own()).toBe(String(nearCore()))
    second()
    expect(nearCore()).toBeUndefined()
    expect(own()).toBe(before)
  })

  it.runIf(hasSlices)('has it in shorter pieces meanwhile', () => {
    const before = slice()
    const letGo = stayOnCore(launcher)
    expect(slice()).toBe(SLICE_NS)
    letGo()
    expect(slice()).toBe(before)
  })
})
