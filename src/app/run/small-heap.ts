import { setFlagsFromString } from 'node:v8'

/** Percent by which a heap may grow over what lives in it before all of it is collected. */
const GROWTH = 25
/** The same where matches are stored on a server. */
const GROWTH_ON_SERVER = 100

/**
 * Has the heaps of this process, its threads' too, collected before they have grown far over what lives in them: V8 else lets them grow to
 * several times that. A run makes much that lives for a match, and keeps little. Over 200,000 matches this halves what the process grows by,
 * and costs no measurable time. Of a run on a server jobs and records wait for their batch, so much of what is made outlives a collection of the
 * young: to collect all as often would take a fifth of its processor time. It stays so until the process ends.
 */
export const keepHeapSmall = (onServer = false): void =>
  setFlagsFromString(`--heap-growing-percent=${onServer ? GROWTH_ON_SERVER : GROWTH}`)
