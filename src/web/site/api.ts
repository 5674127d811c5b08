import { useEffect, useState } from 'react'
import type { List } from './facts.js'
import { noteReached } from './reach.js'

const API = '/api/v1'
/** What the names of tokens in the browser's storage begin with. */
const KEPT = 'agon.token.'
/** Tells whose token it is. */
export const WHOSE = '/caller'

/** The server said no, or could not be reached: then the status is 0. */
export class ApiProblem extends Error {
  constructor(
    readonly status: number,
    message: string,
    /** Seconds after which to ask again. */
    readonly wait?: number,
    /** Of a form, in which the mistake is. */
    readonly field?: string,
  ) {
    super(message)
  }
}

/**
 * Which of a browser's tokens is meant: the host's, or that of a contestant of the contest with this id. They are kept apart, so that
 * a host may take part in a contest, and a contestant in several, in one browser.
 */
export type Slot = 'host' | (string & {})

/** A token that this browser keeps; undefined: it keeps none for that. */
export function token(slot: Slot): string | undefined {
  try {
    return localStorage.getItem(KEPT + slot) ?? undefined
  } catch {
    return undefined
  }
}

/** Keeps a token in this browser; undefined forgets it. */
export function keepToken(slot: Slot, next: string | undefined): void {
  try {
    if (next === undefined) localStorage.removeItem(KEPT + slot)
    else localStorage.setItem(KEPT + slot, next)
  } catch {
    // A browser that keeps nothing asks again.
  }
}

/** The contests for which this browser keeps a contestant's token. */
export function keptContests(): readonly string[] {
  try {
    const names = Object.keys(localStorage).filter((key) => key.startsWith(KEPT))
    return names.map((key) => key.slice(KEPT.length)).filter((slot) => slot !== 'host')
  } catch {
    return []
  }
}

/** The slot of the token that shows what is private in a contest: its contestant's, or else the host's. */
export const slotIn = (contest: string | undefined): Slot =>
  contest !== undefined && token(contest) !== undefined ? contest : 'host'

interface Asking {
  readonly signal?: AbortSignal
  /** Whose token is sent; absent: none. */
  readonly slot?: Slot | undefined
}

/** Asks the API. `body`: sent as JSON, or as a form. Throws ApiProblem. */
export async function ask<T>(
  method: 'GET' | 'POST',
  path: string,
  body?: unknown,
  { signal, slot }: Asking = {},
): Promise<T> {
  const own = slot === undefined ? undefined : token(slot)
  const form = body instanceof FormData
  let answer: Response
  try {
    answer = await fetch(API + path, {
      method,
      headers: {
        ...(own !== undefined && { authorization: `Bearer ${own}` }),
        ...(body !== undefined && !form && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: form ? body : JSON.stringify(body) }),
      signal,
    })
  } catch (error) {
    if (signal?.aborted === true) throw error
    noteReached(false)
    throw new ApiProblem(0, 'the server cannot be reached')
  }
  noteReached(true)
  // What all may read is shown also to a person whose token was replaced or revoked.
  if (answer.status === 401 && method === 'GET' && own !== undefined && path !== WHOSE)
    return ask(method, path, undefined, signal ? { signal } : {})
  const got: unknown = await answer.json().catch(() => undefined)
  if (answer.ok) return got as T
  const { detail, title, field } = (got ?? {}) as { detail?: string; title?: string; field?: string }
  const wait = answer.headers.get('retry-after')
  const why = detail ?? title ?? `the server answered ${answer.status}`
  throw new ApiProblem(answer.status, why, wait === null ? undefined : Number(wait), field)
}

/** All pages of a list. Throws ApiProblem. */
export async function askAll<T>(path: string, asking: Asking): Promise<List<T>> {
  const items: T[] = []
  for (let at: string | null = path; at !== null;) {
    const page: List<T> = await ask('GET', at, undefined, asking)
    items.push(...page.items)
    at = page.next === null ? null : `${path}&cursor=${encodeURIComponent(page.next)}`
  }
  return { items, next: null }
}

/** Seconds until a server that is too busy, and does not say for how long, is asked again. */
const WAIT_S = 5

/**
 * Posts something; where the server has too much to do just now, again when it says. `onWait` is told the seconds that are left, and undefined
 * while it is asked. Throws ApiProblem; an aborted signal ends the waiting with what the server said.
 */
export async function askPatiently<T>(
  path: string,
  body: unknown,
  asking: Asking,
  onWait: (seconds: number | undefined) => void,
): Promise<T> {
  for (;;) {
    try {
      return await ask<T>('POST', path, body, asking.slot === undefined ? {} : { slot: asking.slot })
    } catch (error) {
      if (!(error instanceof ApiProblem) || error.status !== 429) throw error
      for (let left = error.wait ?? WAIT_S; left > 0; left--) {
        onWait(left)
        await new Promise((done) => setTimeout(done, 1000))
        if (asking.signal?.aborted === true) throw error
      }
      onWait(undefined)
    }
  }
}

/** Milliseconds until a server that did not answer is asked again. */
const RETRY_MS = 2000

/** What came of a question: nothing yet, data, or why there is none. Older data stay while they are asked for anew. */
export interface Fetched<T> {
  readonly data?: T
  readonly problem?: ApiProblem
}

/** What the API answers at a path; asked again where `again` changes. undefined: nothing is asked. `slot`: whose token is sent. */
export function useApi<T>(
  path: string | undefined,
  again: unknown = 0,
  slot?: Slot,
  get: (path: string, asking: Asking) => Promise<T> = (at, asking) => ask<T>('GET', at, undefined, asking),
): Fetched<T> {
  const [asked, setAsked] = useState<Fetched<T> & { readonly path?: string }>({})
  const [tries, setTries] = useState(0)
  useEffect(() => {
    if (path === undefined) return undefined
    const abort = new AbortController()
    get(path, { signal: abort.signal, slot })
      .then((data) => setAsked({ data, path }))
      .catch((error: unknown) => {
        if (abort.signal.aborted) return
        const problem = error instanceof ApiProblem ? error : new ApiProblem(0, String(error))
        // What was shown stays where the server is only away.
        setAsked((before) => ({ ...(problem.status === 0 && before.path === path && before), problem, path }))
      })
    return () => abort.abort()
  }, [path, again, slot, tries])
  const away = asked.problem?.status === 0
  useEffect(() => {
    if (!away) return undefined
    const timer = setInterval(() => setTries((n) => n + 1), RETRY_MS)
    return () => clearInterval(timer)
  }, [away])
  return asked.path === path ? asked : {}
}

/** Does something when asked to, and tells how it stands: for buttons and forms. */
export function useAction<A extends readonly unknown[]>(
  act: (...args: A) => Promise<void>,
): { readonly run: (...args: A) => void; readonly busy: boolean; readonly problem: ApiProblem | undefined } {
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<ApiProblem>()
  return {
    busy,
    problem,
    run(...args) {
      setBusy(true)
      setProblem(undefined)
      act(...args)
        .catch((error: unknown) => setProblem(error instanceof ApiProblem ? error : new ApiProblem(0, String(error))))
        .finally(() => setBusy(false))
    },
  }
}
