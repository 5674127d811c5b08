import { availableParallelism } from 'node:os'
import { expect, it } from 'vitest'
import { jobsOf } from './machine.js'

const cores = availableParallelism()
function jobs(asked: number | undefined, strict?: boolean) {
  const notices: string[] = []
  return { ...jobsOf(asked, strict, { workspace: '/w', notice: (text) => void notices.push(text) }), notices }
}

it('are one a core, or as many as were asked for', () => {
  expect(jobs(undefined)).toEqual({ jobs: cores, timed: cores, notices: [] })
  expect(jobs(1)).toEqual({ jobs: 1, timed: cores, notices: [] })
})

it('beyond the cores are all timed at once, which is noted with a remedy where there is one', () => {
  const { notices, ...given } = jobs(cores + 3, false)
  expect(given).toEqual({ jobs: cores + 3, timed: cores + 3 })
  expect(notices).toHaveLength(1)
  expect(notices[0]).toMatch(/more bots are timed at once than there are cores \(\d+\).*strictTiming/)
  expect(jobs(cores + 3).notices[0]).not.toContain('strictTiming')
})

it('with strict timing are timed one a core', () => {
  expect(jobs(cores + 3, true)).toEqual({ jobs: cores + 3, timed: cores, notices: [] })
})
