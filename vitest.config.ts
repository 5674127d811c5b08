import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['src/**/*.test.{ts,tsx}', 'test/**/*.test.ts'],
    reporters: ['default', './test/reporter.ts'],
    // Many tests start programs and hold them to a deadline: more workers than cores would make the machine the judge.
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 30_000,
    // A machine that is shared may stall: there, and only there, a test is tried again before it counts as failed.
    retry: process.env['CI'] ? 2 : 0,
    hookTimeout: 60_000,
  },
})
