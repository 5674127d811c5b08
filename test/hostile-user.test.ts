import { describe } from 'vitest'
import { NOBODY, describeHostile, holds } from './kit/hostile.js'

// Beside the same programs in the cells of whoever runs the tests: those wait more than they compute.
describe.runIf(process.getuid?.() === 0)('an ordinary user', () => {
  describeHostile(() => holds(NOBODY))
})
