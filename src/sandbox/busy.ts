import { BusyError } from '../core/index.js'
import { hardStopMs } from './clock.js'

/** The error for a bot of that name whose limit is so many milliseconds. `cpuUs`: what it ran meanwhile. */
export const tooBusy = (name: string, limit: number, cpuUs?: number): BusyError =>
  new BusyError(
    `the machine is too busy: ${name} did not get its core for ${limit} ms within ${hardStopMs(limit)} ms`,
    cpuUs,
  )
