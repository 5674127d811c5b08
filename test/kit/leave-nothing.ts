import { afterAll } from 'vitest'
import { killStarted } from './started.js'

/* For every file of tests: what it has started ends with it, also where a test has failed or was given up. */
afterAll(killStarted)
