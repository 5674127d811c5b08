import { defineConfig } from 'vitest/config'
import LongestFirst from './test/sequencer.js'

export default defineConfig({
  test: {
    include: ['src/**/*.test.{ts,tsx}', 'test/**/*.test.ts'],
    reporters: ['default', './test/reporter.ts'],
    // Many tests start programs and hold them to a deadline: more workers than cores would make the machine the judge.
    pool: 'forks',
    maxWorkers: 2,
    sequence: { sequencer: LongestFirst },
    // No test is tried again: one that fails now and then hides a fault.
    retry: 0,
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
})
