import type { Job } from '../core/index.js'
import { expect, it } from 'vitest'
import { KnownJobs } from './known-jobs.js'

const jobs = Array.from({ length: 12_000 }, (_, n): Job => ({ key: String(n), pairings: [] }))

it('knows few jobs first, and then more and more of them with each look at the store', async () => {
  const entered: string[] = []
  const left: string[] = []
  const isStored = ({ key }: Job): boolean => Number(key) % 3 === 0
  const known = new KnownJobs(jobs[Symbol.iterator](), async (some) => some.filter((job) => !isStored(job)), {
    enter: async (some) => void entered.push(...some.map(({ key }) => key)),
    leave: ({ key }) => void left.push(key),
  })
  const parts: (readonly Job[])[] = []
  const looks: number[] = []
  while (!known.all) {
    const before = entered.length
    parts.push(await known.next())
    looks.push(entered.length - before)
  }
  expect(looks).toEqual([100, 200, 400, 800, 1600, 3200, 4000, 1700])
  expect(parts.flat()).toEqual(jobs.filter((job) => !isStored(job)))
  expect(left).toEqual(jobs.filter(isStored).map(({ key }) => key))
})
