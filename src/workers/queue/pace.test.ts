import { describe, expect, it } from 'vitest'
import { Pace } from './pace.js'

describe('the size of a batch', () => {
  it('is one job until one was played, then two seconds of them', () => {
    const pace = new Pace()
    expect(pace.size(1000, 4)).toBe(1)
    pace.see(1, 100)
    expect(pace.size(1000, 4)).toBe(20)
    pace.see(20, 2000)
    expect(pace.size(1000, 4)).toBe(20)
  })

  it('leaves some for every slot', () => {
    const pace = new Pace()
    pace.see(10, 10)
    expect(pace.size(80, 4)).toBe(10)
    expect(pace.size(3, 4)).toBe(1)
  })

  it('is soon that of quick matches, though the first took long to start', () => {
    const pace = new Pace()
    for (let n = 0; n < 4; n++) pace.see(1, 200)
    for (let n = 0; n < 2; n++) pace.see(20, 20)
    expect(pace.size(1e6, 4)).toBeGreaterThan(300)
    pace.see(1000, 1000)
    expect(pace.size(1e6, 4)).toBeGreaterThan(1500)
    for (let n = 0; n < 3; n++) pace.see(1000, 100_000)
    expect(pace.size(1e6, 4)).toBeLessThan(30)
  })

  it('is not told by batches of which nothing was played', () => {
    const pace = new Pace()
    pace.see(0, 0)
    expect(pace.size(100, 1)).toBe(1)
  })
})
