import { afterEach, describe, expect, it } from 'vitest'
import { coresAllowed, findIsolation, pinnedCore, stayOnCore } from '../sandbox/index.js'
import { BotCore } from './bot-core.js'

const { launcher = '' } = await findIsolation()
let release: (() => void) | undefined
afterEach(() => release?.())

const answer = (core: BotCore, us: number, times = 15): void => {
  for (let i = 0; i < times; i++) core.answered(us)
}

it('never shares the core of a thread that may run on any core', () => {
  const core = new BotCore()
  answer(core, 1000)
  expect(core.look()).toBe(false)
  expect(core.isShared).toBe(false)
})

describe.runIf(coresAllowed().length > 1)('beside a thread that is pinned to its core', () => {
  const begun = (): BotCore => {
    release = stayOnCore(launcher)
    expect(pinnedCore()).toBeDefined()
    return new BotCore()
  }

  it('stays who answers at once, whatever a few answers took', () => {
    const core = begun()
    answer(core, 20, 10)
    answer(core, 50_000, 5)
    expect(core.look()).toBe(false)
    expect(core.isShared).toBe(true)
  })

  it('who thinks leaves, and comes back only where it is quicker than another core wakes', () => {
    const core = begun()
    answer(core, 400, 14)
    expect(core.look()).toBe(false)
    answer(core, 400, 1)
    expect(core.look()).toBe(true)
    expect(core.isShared).toBe(false)
    answer(core, 140)
    expect(core.look()).toBe(false)
    answer(core, 40)
    expect(core.look()).toBe(true)
    expect(core.isShared).toBe(true)
  })
})
