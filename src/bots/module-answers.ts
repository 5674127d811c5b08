import { type Answer, type BotInput, type BotOutput, BusyError } from '../core/index.js'
import { attempt } from '../files/index.js'
import type { LinesBot } from './lines.js'

/*
 * The process of a stranger's module writes a line of JSON a question or, if many matches share it, a frame. The module
 * may write anything to that pipe: what the runner (build/runner.ts, build/frames.ts) would not write is the module's
 * doing.
 */

export const FOREIGN = 'wrote to the pipe of its answers'

/** Whether a loaded module takes the legal actions; else why it did not load, or matches cannot share its process. */
type Loading = { readonly legal: boolean } | { readonly unloadable: string }

export function loadingOf(line: string | undefined): Loading {
  const { unloadable, legal } = Object(parseJson(line)) as Readonly<Record<string, unknown>>
  if (typeof unloadable === 'string') return { unloadable }
  return typeof legal === 'boolean' ? { legal } : { unloadable: FOREIGN }
}

/** The answer to a single question: a text, nothing, or what the module threw. */
export function outputOf(line: string | undefined): BotOutput {
  const [entry] = entriesOf(line, 1) ?? []
  if (entry === undefined) return { trouble: 'crash', why: FOREIGN }
  const [, text, trouble] = entry
  if (typeof trouble === 'string') return { trouble: 'crash', why: trouble }
  return typeof text === 'string' ? { out: text } : {}
}

/** What a shared process answers to one question: microseconds, the action, what went wrong, what was printed. */
export type FrameEntry = readonly [
  us: number,
  text?: string | null,
  trouble?: string | null,
  printed?: readonly string[],
]

/** A process's answer to so many items; undefined: its runner did not write it. */
export function entriesOf(line: string | undefined, items: number): readonly FrameEntry[] | undefined {
  const answer = parseJson(line)
  return Array.isArray(answer) && answer.length === items && answer.every(isEntry) ? answer : undefined
}

function isEntry(entry: unknown): entry is FrameEntry {
  if (!Array.isArray(entry)) return false
  const [us, text, trouble, printed = []] = entry as unknown[]
  const texts = [text, trouble].every((one) => (one ?? undefined) === undefined || typeof one === 'string')
  const lines = Array.isArray(printed) && printed.every((line) => typeof line === 'string')
  // JSON has numbers that no double holds (1e999); no record with one could be read.
  return Number.isFinite(us) && (us as number) >= 0 && texts && lines
}

/**
 * Milliseconds to load a module, which takes a second at most. What ran for half of this was not kept from it by the
 * machine.
 */
const LOAD_MS = 20_000
const OWN_MS = LOAD_MS / 2

/**
 * Has a process load a module, and gives its first answer. Rejects with a BusyError where the machine was too busy and
 * the module ran little: one that never ends would else keep a run waiting as long as the machine is busy.
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

const parseJson = (line = ''): unknown => attempt((): unknown => JSON.parse(line))
