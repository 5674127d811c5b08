import { defaultExclude, defineConfig } from 'vitest/config'
import { compiledPrograms } from './test/compiled.js'
import LongestFirst from './test/sequencer.js'

const TESTS = ['src/**/*.test.{ts,tsx}', 'test/**/*.test.ts']
/** They keep all cores busy: beside them, others would be held to deadlines on a machine that stands still. */
const BUSY = ['test/busy.test.ts', 'test/load.test.ts', 'test/cli/load.test.ts', 'src/sandbox/waiting.test.ts']
/** Layers that hold no state and reach for nothing outside: their files share processes, and load what they test once. */
const PURE = ['core', 'text', 'rating', 'analysis', 'tournament', 'match', 'solve', 'viewer-kit'].map(
  (layer) => `src/${layer}/**/*.test.{ts,tsx}`,
)

export default defineConfig({
  plugins: [compiledPrograms()],
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: 'side by side',
          include: TESTS,
          exclude: [...defaultExclude, ...BUSY, ...PURE],
          sequence: { groupOrder: 0 },
        },
      },
      { extends: true, test: { name: 'pure', include: PURE, isolate: false, sequence: { groupOrder: 0 } } },
      { extends: true, test: { name: 'alone', include: BUSY, maxWorkers: 1, sequence: { groupOrder: 1 } } },
    ],
    reporters: ['default', './test/reporter.ts'],
    // Many tests start programs and hold them to a deadline: more workers than cores would make the machine the judge.
    setupFiles: ['test/kit/leave-nothing.ts'],
    pool: 'forks',
    maxWorkers: 2,
    sequence: { sequencer: LongestFirst },
    // No test is tried again: one that fails now and then hides a fault.
    retry: 0,
    // They end what hangs, and are no measure of what is slow: a machine may have ten times as much to do.
    testTimeout: 150_000,
    hookTimeout: 150_000,
    expect: { poll: { timeout: 60_000 } },
  },
})
