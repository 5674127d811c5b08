import { existsSync, readFileSync } from 'node:fs'
import { release } from 'node:os'
import { describe, expect, it } from 'vitest'
import { ANY_CORE, SLICE_NS, coresAllowed, pinnedCore, stayOnCore } from './cores.js'
import { findIsolation } from './doctor.js'
import { DEFAULT_LIMITS } from './limits.js'
import { startSandbox } from './sandbox.js'

const { launcher = '', program: bubblewrap = '' } = await findIsolation()
const own = (): string | undefined =>
  /^Cpus_allowed_list:\s*(\S+)$/m.exec(readFileSync('/proc/thread-self/status', 'utf8'))?.[1]

/** In pieces of how many nanoseconds a process, or this thread, has its core. */
const slice = (of: number | string = 'thread-self'): number =>
  Number(/^se\.slice\s*:\s*(\d+)$/m.exec(readFileSync(`/proc/${of}/sched`, 'utf8'))?.[1])
const [major = 0, minor = 0] = release().split('.').map(Number)
const hasSlices = (major > 6 || (major === 6 && minor >= 12)) && existsSync('/proc/thread-self/sched')

describe.runIf(coresAllowed().length > 1)('a thread that stays on a core', () => {
  it('is bound until the last caller that asked for it lets go, and is not bound again', () => {
    const before = own()
    const [first, second] = [stayOnCore(launcher), stayOnCore(launcher)]
    expect(coresAllowed()).toContain(pinnedCore())
    expect(own()).toBe(String(pinnedCore()))
    first()
    first()
    expect(own()).toBe(String(pinnedCore()))
    second()
    expect(pinnedCore()).toBeUndefined()
    expect(own()).toBe(before)
  })

  it.runIf(hasSlices)('has it in shorter pieces meanwhile', () => {
    const before = slice()
    const letGo = stayOnCore(launcher)
    expect(slice()).toBe(SLICE_NS)
    letGo()
    expect(slice()).toBe(before)
  })

  it.runIf(hasSlices)('and so has what stays in a sandbox beside it, and nothing else', async () => {
    const setting = { launcher, bubblewrap, also: [], tools: {}, limits: DEFAULT_LIMITS }
    const ways = [{ core: ANY_CORE, pipes: true }, { core: ANY_CORE }, { pipes: true }]
    const sandboxes = await Promise.all(ways.map((way) => startSandbox({ ...setting, ...way })))
    expect(sandboxes.map(({ pid }) => slice(pid))).toEqual([SLICE_NS, slice(), slice()])
    await Promise.all(sandboxes.map((sandbox) => sandbox.close()))
  })
})
