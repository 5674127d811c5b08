import { isObject, parseJson } from './module-answers.js'

/*
 * What a process that many matches share writes. A stranger's module lives in it and may write anything to its pipe: nothing is taken for
 * what its runner writes before it has been looked at. By hand, as a frame is read for every few answers.
 */

/** What a process that many matches share answers to one question: microseconds, the action, what went wrong, what was printed. */
export type FrameEntry = readonly [
  us: number,
  text?: string | null,
  trouble?: string | null,
  printed?: readonly string[],
]

/** The answer to the first frame: whether the module takes the legal actions, or why it can share no process. */
export type FirstAnswer = { readonly legal: boolean } | { readonly alone: string }

/** The first line as that; undefined: it is not what its runner writes. */
export function firstAnswerOf(line: string | undefined): FirstAnswer | undefined {
  const answer = parseJson(line)
  if (!isObject(answer)) return undefined
  const { legal, alone } = answer
  if (typeof alone === 'string') return { alone }
  return typeof legal === 'boolean' ? { legal } : undefined
}

/** What a process answered to so many items in a line; undefined: it is not what its runner writes. */
export function entriesOf(line: string | undefined, items: number): readonly FrameEntry[] | undefined {
  const answer = parseJson(line)
  return Array.isArray(answer) && answer.length === items && answer.every(isEntry) ? answer : undefined
}

function isEntry(entry: unknown): entry is FrameEntry {
  if (!Array.isArray(entry)) return false
  const [us, text, trouble, printed = []] = entry as unknown[]
  const texts = [text, trouble].every((one) => (one ?? undefined) === undefined || typeof one === 'string')
  const lines = Array.isArray(printed) && printed.every((line) => typeof line === 'string')
  // JSON has numbers that no double holds, such as 1e999; a record could not be read with one.
  return Number.isFinite(us) && (us as number) >= 0 && texts && lines
}
