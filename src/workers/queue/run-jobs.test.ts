import { describe, expect, it } from 'vitest'
import type { MatchRecord } from '../../core/index.js'
import { fitting } from './queues.js'
import { BatchSizer } from './run-jobs.js'

describe('the size of a batch', () => {
  it('is one job until one was played, then two seconds of them', () => {
    const sizer = new BatchSizer()
    expect(sizer.size(1000, 4)).toBe(1)
    sizer.see(1, 100)
    expect(sizer.size(1000, 4)).toBe(20)
    sizer.see(20, 2000)
    expect(sizer.size(1000, 4)).toBe(20)
  })

  it('leaves some for every slot', () => {
    const sizer = new BatchSizer()
    sizer.see(10, 1000)
    expect(sizer.size(80, 4)).toBe(10)
    expect(sizer.size(3, 4)).toBe(1)
  })

  it('is not so short at the end of a round that to store it takes longer', () => {
    const sizer = new BatchSizer()
    sizer.see(1000, 1000)
    expect(sizer.size(100, 4)).toBe(50)
    expect(sizer.size(3, 4)).toBe(50)
  })

  it('is soon that of quick matches, though the first took long to start', () => {
    const sizer = new BatchSizer()
    for (let n = 0; n < 4; n++) sizer.see(1, 200)
    for (let n = 0; n < 2; n++) sizer.see(20, 20)
    expect(sizer.size(1e6, 4)).toBeGreaterThan(300)
    sizer.see(1000, 1000)
    expect(sizer.size(1e6, 4)).toBeGreaterThan(1500)
    for (let n = 0; n < 3; n++) sizer.see(1000, 100_000)
    expect(sizer.size(1e6, 4)).toBeLessThan(30)
  })

  it('is not told by batches of which nothing was played', () => {
    const sizer = new BatchSizer()
    sizer.see(0, 0)
    expect(sizer.size(100, 1)).toBe(1)
  })
})

it('a result brings the jobs that fit, hands others back, and tells which job is too long alone', () => {
  const answers = [100, 3_000_000, 700_000, 500_000].map((n, i) => ({
    key: String(i),
    records: [{ key: 'x'.repeat(n) } as MatchRecord],
  }))
  const fit = fitting(answers, 1024 ** 2)
  expect(fit).toEqual([answers[0], { key: '1', tooLong: 3_000_010 }, answers[2], { key: '3', back: true }])
})
