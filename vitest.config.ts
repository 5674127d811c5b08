import { defaultExclude, defineConfig } from 'vitest/config'
import { compiledPrograms } from './test/compiled.js'
import LongestFirst from './test/sequencer.js'

/** They start programs, sandboxes, PostgreSQL or Chromium. */
const MACHINE = '{src,test}/**/*.machine.test.ts'

/** From Node 25 on, a storage of Node's own, without a file, stands in the place of the page's. */
const STORAGE = '--no-experimental-webstorage'

export default defineConfig({
  plugins: [compiledPrograms()],
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: 'quick',
          include: ['{src,test}/**/*.test.{ts,tsx}'],
          exclude: [...defaultExclude, MACHINE],
          // The files share two processes, and load once what they test.
          isolate: false,
        },
      },
      { extends: true, test: { name: 'machine', include: [MACHINE] } },
    ],
    reporters: ['default', './test/reporter.ts'],
    // Many tests start programs and hold them to a deadline: more workers than cores would make the machine the judge.
    setupFiles: ['test/kit/leave-nothing.ts'],
    pool: 'forks',
    execArgv: process.allowedNodeEnvironmentFlags.has(STORAGE) ? [STORAGE] : [],
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
