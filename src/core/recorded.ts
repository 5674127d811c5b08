import { messageOf } from './errors.js'

/** Where a recorded game and its replay differ, in words. */
export class Differences {
  readonly found: string[] = []

  /** Notes a difference between two values, compared as JSON; `where`: what they are, 'turn 3, winner'. */
  compare(where: string, ours: unknown, recorded: unknown): void {
    const [here, there] = [JSON.stringify(ours), JSON.stringify(recorded)]
    if (here !== there) this.found.push(`${where}: ${here} here, ${there} recorded`)
  }

  add(what: string): void {
    this.found.push(what)
  }
}

/**
 * Replays a line of recorded games that was parsed; what differs, in words. `flawOf`: what keeps it from being a recorded game of this
 * form, undefined: nothing. What the replay throws is a difference, too.
 */
export function replayed<Recorded>(
  line: unknown,
  flawOf: (line: unknown) => string | undefined,
  replay: (game: Recorded, differences: Differences) => void,
): readonly string[] {
  const flaw = flawOf(line)
  if (flaw !== undefined) return [`not a recorded game: ${flaw}`]
  const differences = new Differences()
  try {
    replay(line as Recorded, differences)
  } catch (error) {
    return [`cannot be replayed: ${messageOf(error)}`]
  }
  return differences.found
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const isListOf = (value: unknown, type: 'string' | 'number'): value is readonly unknown[] =>
  Array.isArray(value) && value.every((each) => typeof each === type)
