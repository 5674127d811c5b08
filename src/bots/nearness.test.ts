import { afterEach, describe, expect, it } from 'vitest'
import { coresAllowed, findIsolation, nearCore, stayOnCore } from '../sandbox/index.js'
import { Nearness } from './nearness.js'

const { launcher = '' } = await findIsolation()
let release: (() => void) | undefined
afterEach(() => release?.())

const answer = (nearness: Nearness, us: number, times = 15): void => {
  for (let i = 0; i < times; i++) nearness.answered(us)
}

it('is nowhere near a thread that may run on any core', () => {
  const nearness = new Nearness()
  answer(nearness, 1000)
  expect(nearness.look()).toBe(false)
  expect(nearness.near).toBe(false)
})

describe.runIf(coresAllowed().length > 1)('near a thread that stays on its core', () => {
  const begun = (): Nearness => {
    release = stayOnCore(launcher)
    expect(nearCore()).toBeDefined()
    return new Nearness()
  }

  it('stays who answers at once, whatever a few answers took', () => {
    const nearness = begun()
    answer(nearness, 20, 10)
    answer(nearness, 50_000, 5)
    expect(nearness.look()).toBe(false)
    expect(nearness.near).toBe(true)
  })

  it('who thinks leaves, and comes back only where it is quicker than another core wakes', () => {
    const nearness = begun()
    answer(nearness, 400, 14)
    expect(nearness.look()).toBe(false)
    answer(nearness, 400, 1)
    expect(nearness.look()).toBe(true)
    expect(nearness.near).toBe(false)
    answer(nearness, 140)
    expect(nearness.look()).toBe(false)
    answer(nearness, 40)
    expect(nearness.look()).toBe(true)
    expect(nearness.near).toBe(true)
  })
})
