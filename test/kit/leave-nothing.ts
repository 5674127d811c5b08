import { afterAll, vi } from 'vitest'
import { killStarted } from './started.js'

/*
 * For every file of tests: what it has started ends with it, also where a test has failed or was given up, and what it has put in the place of
 * the clock, the environment or a function goes, as quick tests share their process.
 */
afterAll(() => {
  killStarted()
  vi.useRealTimers()
  vi.unstubAllEnvs()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})
