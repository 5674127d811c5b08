import { expect, it } from 'vitest'
import { nextUser } from './users.js'

it.runIf(process.getuid?.() === 0)(
  'users of sandboxes follow from no number of a process or a sandbox, and none is given twice',
  () => {
    const users = Array.from({ length: 200 }, () => nextUser() ?? 0)
    expect(new Set(users).size).toBe(200)
    expect(Math.min(...users)).toBeGreaterThan(60_000)
    // By chance half of them are larger than the one before, and hardly any its neighbour.
    const steps = users.slice(1).map((user, i) => user - (users[i] ?? 0))
    const up = steps.filter((step) => step > 0).length
    expect(up).toBeGreaterThan(50)
    expect(up).toBeLessThan(150)
    expect(steps.filter((step) => Math.abs(step) === 1).length).toBeLessThan(10)
  },
)
