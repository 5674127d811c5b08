import { describe, expect, it } from 'vitest'
import { HandedBack } from './handed-back.js'

describe('a run whose batches a worker hands back', () => {
  it('is left alone after five times, and tried again a minute later', () => {
    let now = 0
    const told: string[] = []
    const handed = new HandedBack(
      (run) => told.push(run),
      () => now,
    )
    for (let n = 0; n < 4; n++, now += 1000) handed.see('one', true)
    expect(handed.isAvoided('one')).toBe(false)
    handed.see('one', true)
    expect(handed.isAvoided('one')).toBe(true)
    now += 60_000
    expect(handed.isAvoided('one')).toBe(false)
    handed.see('one', true)
    expect(handed.isAvoided('one')).toBe(true)
    expect(told).toEqual(['one'])
  })

  it('is tried again once one was played, and if many came back at once', () => {
    let now = 0
    const handed = new HandedBack(
      () => undefined,
      () => now,
    )
    for (let n = 0; n < 100; n++) handed.see('paused', true)
    for (let n = 0; n < 12; n++, now += 1000) handed.see('ends', n % 3 < 2)
    expect(['paused', 'ends'].filter((run) => handed.isAvoided(run))).toEqual([])
  })
})
