import { expect, it } from 'vitest'
import { describeEngine } from '../../test/kit/engine.js'
import gunduel from '../games/gunduel/index.js'
import { playableRun } from './seating.js'
import { Arena, workersHere } from './index.js'
import { recordsOf } from './worker-pool.js'

describeEngine(
  'this thread',
  async ({ run, place }) => {
    const arena = new Arena(playableRun(run, gunduel, place.isolation), place, () => undefined)
    return workersHere(arena)
  },
  { mortal: false },
)

it.each([
  ['the sandbox has ended: launcher: Cannot start another process: Resource temporarily unavailable', 'EAGAIN'],
  ['this machine can start no more programs: EAGAIN', 'EAGAIN'],
  ['the sandbox has ended: bwrap: Creating new namespace failed: No space left on device', 'ENOSPC'],
  ['the sandbox has ended', undefined],
])('an error of a worker’s machine (%s) keeps what the machine has run out of', (why, code) => {
  expect(() => recordsOf({ failure: 'host', why })).toThrow(expect.objectContaining({ name: 'HostError', code }))
})
