import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { coresAllowed, nearCore, stayOnCore } from './cores.js'
import { findLauncher } from './launcher.js'

const launcher = (await findLauncher()) as string
const own = (): string | undefined =>
  /^Cpus_allowed_list:\s*(\S+)$/m.exec(readFileSync('/proc/thread-self/status', 'utf8'))?.[1]

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
})
