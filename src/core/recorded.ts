import { messageOf } from './errors.js'

/** Where a recorded game and its replay differ, in words. */
export class Differences {
  readonly found: string[] = []

  /** Notes where two values differ as JSON; `where`: what they are, 'turn 3, winner'. */
  compare(where: string, ours: unknown, recorded: unknown): void {
    const [here, there] = [JSON.stringify(ours), JSON.stringify(recorded)]
    if (here !== there) this.found.push(`${where}: ${here} here, ${there} recorded`)
  }

  add(what: string): void {
    this.found.push(what)
  }
}

/**
 * Replays a parsed line of recorded games; what differs, in words, or what the replay throws, as for an unknown form.
 */
export function replayed<Recorded>(
  line: unknown,
  replay: (game: Recorded, differences: Differences) => void,
): readonly string[] {
  const differences = new Differences()
  try {
    replay(line as Recorded, differences)
  } catch (error) {
    differences.add(
      `cannot be replayed, or is no recorded game of this form (docs/conformance.md): ${messageOf(error)}`,
    )
  }
  return differences.found
}
