import { type Answer, type BotInput, BusyError } from '../core/index.js'
import type { LinesBot } from './lines.js'

/**
 * Milliseconds for a stranger's module to be loaded: Node and its TypeScript take their time, a second at most. What runs for half of that by
 * its own processor time is not kept from loading by the machine, however busy that is.
 */
const LOAD_MS = 20_000
const OWN_MS = LOAD_MS / 2

/**
 * Has a process load a module, and gives its first answer. Rejects with a BusyError where the machine was too busy for it: only where
 * the module itself did not run for long. One that never ends would else keep a run waiting for as long as the machine is busy.
 */
export async function loaded(lines: Pick<LinesBot, 'ready'>, input: BotInput): Promise<Answer> {
  try {
    return await lines.ready(input, LOAD_MS)
  } catch (error) {
    if (!(error instanceof BusyError) || (error.cpuUs ?? 0) < OWN_MS * 1000) throw error
    const why = `was not loaded after it had run for ${Math.round((error.cpuUs ?? 0) / 1000)} ms`
    return { output: { trouble: 'timeout', why }, wallUs: 0 }
  }
}
