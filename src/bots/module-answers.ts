import type { BotOutput } from '../core/index.js'

/*
 * What the process of a stranger's module writes, a line of JSON for each question. The module may write anything to that pipe: what is not
 * what the process's own runner writes (build/runner.ts) is the module's doing.
 */

/** What is wrong with a process whose pipe has something that its runner never writes. */
export const FOREIGN = 'wrote to the pipe of its answers'

/** Whether a module has been loaded: then whether it takes the legal actions, else why not. */
export type Loading = { readonly legal: boolean } | { readonly unloadable: string }

/** The answer to the first question. */
export function loadingOf(line: string | undefined): Loading {
  const answer = parseJson(line)
  if (!isObject(answer)) return { unloadable: FOREIGN }
  const { unloadable, loaded, legal } = answer
  if (typeof unloadable === 'string') return { unloadable }
  return loaded === true && typeof legal === 'boolean' ? { legal } : { unloadable: FOREIGN }
}

/** The answer to a question: a text, nothing, or what the module has thrown. */
export function outputOf(line: string | undefined): BotOutput {
  const answer = parseJson(line)
  if (isObject(answer)) {
    const { output, threw, ...others } = answer
    if (Object.keys(others).length > 0) return { trouble: 'crash', why: FOREIGN }
    if (typeof threw === 'string' && output === undefined) return { trouble: 'crash', why: threw }
    if (threw === undefined && typeof output === 'string') return { out: output }
    if (threw === undefined && output === undefined) return {}
  }
  return { trouble: 'crash', why: FOREIGN }
}

/** A line of JSON; undefined: it is none. */
export function parseJson(line: string | undefined): unknown {
  try {
    return JSON.parse(line ?? '')
  } catch {
    return undefined
  }
}

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
