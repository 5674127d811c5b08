/** What a process that many matches share answers to one question: microseconds, the action, what went wrong, what was printed. */
export type FrameEntry = readonly [
  us: number,
  text?: string | null,
  trouble?: string | null,
  printed?: readonly string[],
]

/** A line of JSON; undefined: it is none. */
export function parse(line: string | undefined): unknown {
  try {
    return JSON.parse(line ?? '')
  } catch {
    return undefined
  }
}

/** What a process answered to so many items; undefined: it is not what its runner writes. */
export function entriesOf(answer: unknown, items: number): readonly FrameEntry[] | undefined {
  const isEntry = (entry: unknown): entry is FrameEntry => {
    if (!Array.isArray(entry)) return false
    const [us, text, trouble, printed = []] = entry as unknown[]
    const texts = [text, trouble].every((one) => (one ?? undefined) === undefined || typeof one === 'string')
    const lines = Array.isArray(printed) && printed.every((line) => typeof line === 'string')
    // JSON has numbers that no double holds, such as 1e999; a record could not be read with one.
    return Number.isFinite(us) && (us as number) >= 0 && texts && lines
  }
  return Array.isArray(answer) && answer.length === items && answer.every(isEntry) ? answer : undefined
}
