import { useEffect, useState, useSyncExternalStore } from 'react'
import { stored } from '../load.js'
import { onEvent } from '../shared.js'
import type { Contest, List, MatchFacts } from './facts.js'
import { pathTo } from './router.js'

const API = '/api/v1'
/** The prefix of tokens in the browser's storage. */
const KEPT = 'agon.token.'
export const WHOSE = '/caller'

/** Status 0: the server could not be reached. */
export class ApiProblem extends Error {
  constructor(
    readonly status: number,
    message: string,
    /** The form's field with the mistake. */
    readonly field?: string,
  ) {
    super(message)
  }
}

const problemOf = (error: unknown): ApiProblem =>
  error instanceof ApiProblem ? error : new ApiProblem(0, String(error))

/**
 * The host's token, or a contestant's by contest id. Kept apart: a host may take part in a contest, and a contestant in
 * several, in one browser.
 */
export type Slot = 'host' | (string & {})

export const token = (slot: Slot): string | undefined =>
  stored((storage) => storage.getItem(KEPT + slot), null) ?? undefined

export function keepToken(slot: Slot, next: string | undefined): void {
  const name = KEPT + slot
  stored((storage) => (next === undefined ? storage.removeItem(name) : storage.setItem(name, next)), undefined)
}

export const keptContests = (): readonly string[] =>
  stored((storage) => Object.keys(storage), [])
    .filter((key) => key.startsWith(KEPT) && key !== `${KEPT}host`)
    .map((key) => key.slice(KEPT.length))

/** The token for what is private in a contest: its contestant's, else the host's. */
export const slotIn = (contest: string | undefined): Slot =>
  contest !== undefined && token(contest) !== undefined ? contest : 'host'

/** Whether the server answered last; shared by all that ask. */
let reached = true
const onReached = onEvent('agon-reached')

function noteReached(now: boolean): void {
  reached = now
  dispatchEvent(new Event('agon-reached'))
}

export const useReached = (): boolean => useSyncExternalStore(onReached, () => reached)

interface Asking {
  readonly signal?: AbortSignal
  /** Whose token is sent; absent: none. */
  readonly slot?: Slot
  /** A server that has too much to do just now is asked again when it says. */
  readonly isPatient?: boolean
}

/** Throws ApiProblem. */
const get = <T>(path: string, asking?: Asking): Promise<T> => ask<T>(path, { method: 'GET' }, asking)

/** Posts a form, or else JSON. Throws ApiProblem. */
export const post = <T>(path: string, body?: unknown, asking?: Asking): Promise<T> =>
  ask<T>(path, { method: 'POST', body: body instanceof FormData ? body : JSON.stringify(body) }, asking)

async function ask<T>(path: string, init: RequestInit, asking: Asking = {}): Promise<T> {
  const { signal, slot, isPatient } = asking
  const own = slot === undefined ? undefined : token(slot)
  const headers = new Headers()
  if (own !== undefined) headers.set('authorization', `Bearer ${own}`)
  if (typeof init.body === 'string') headers.set('content-type', 'application/json')
  let answer: Response
  try {
    answer = await fetch(API + path, { ...init, headers, signal })
  } catch (error) {
    if (signal?.aborted === true) throw error
    noteReached(false)
    throw new ApiProblem(0, 'The server cannot be reached.')
  }
  noteReached(true)
  // A replaced or revoked token hides nothing that all may read.
  if (answer.status === 401 && init.method === 'GET' && own !== undefined && path !== WHOSE)
    return ask(path, init, { signal })
  if (answer.status === 429 && isPatient) {
    const seconds = Number(answer.headers.get('retry-after') ?? 5)
    await new Promise((done) => setTimeout(done, seconds * 1000))
    return ask(path, init, asking)
  }
  const got: unknown = await answer.json().catch(() => undefined)
  if (answer.ok) return got as T
  const { detail, title, field } = (got ?? {}) as { detail?: string; title?: string; field?: string }
  throw new ApiProblem(answer.status, detail ?? title ?? `the server answered ${answer.status}`, field)
}

export interface Pages<T> extends List<T> {
  readonly pages: number
}

/** Gets pages of a list in turn, at most so many. Throws ApiProblem. */
export const pagesOf =
  (most: number) =>
  async <T>(path: string, asking: Asking): Promise<Pages<T>> => {
    const items: T[] = []
    let [next, pages]: [string | null, number] = ['', 0]
    for (; pages < most && next !== null; pages++) {
      const page: List<T> = await get(pages === 0 ? path : `${path}&cursor=${encodeURIComponent(next)}`, asking)
      items.push(...page.items)
      next = page.next
    }
    return { items, next, pages }
  }

/** Counts up while the page is looked at; undefined: not at all. */
export function useTicks(ms: number | undefined): number {
  const [ticks, setTicks] = useState(0)
  useEffect(() => {
    if (ms === undefined) return undefined
    const timer = setInterval(() => document.visibilityState === 'visible' && setTicks((n) => n + 1), ms)
    return () => clearInterval(timer)
  }, [ms])
  return ticks
}

/** Milliseconds until a server that did not answer is asked again. */
const RETRY_MS = 2000

/** Older data stay while they are asked for anew. */
export interface Fetched<T> {
  readonly data?: T
  readonly problem?: ApiProblem
}

/** Asks again where `again` changes. Undefined: nothing is asked. `slot`: whose token is sent. */
export function useApi<T>(
  path: string | undefined,
  again: unknown = 0,
  slot?: Slot,
  fetched: (path: string, asking: Asking) => Promise<T> = get,
): Fetched<T> {
  const [asked, setAsked] = useState<Fetched<T> & { readonly path?: string }>({})
  const tries = useTicks(asked.problem?.status === 0 ? RETRY_MS : undefined)
  useEffect(() => {
    if (path === undefined) return undefined
    const abort = new AbortController()
    fetched(path, { signal: abort.signal, slot })
      .then((data) => setAsked({ data, path }))
      .catch((error: unknown) => {
        if (abort.signal.aborted) return
        const problem = problemOf(error)
        // What was shown stays while the server is away.
        setAsked((before) => ({ ...(problem.status === 0 && before.path === path && before), problem, path }))
      })
    return () => abort.abort()
  }, [path, again, slot, tries])
  return asked.path === path ? asked : {}
}

export type Action<A extends readonly unknown[]> = ReturnType<typeof useAction<A>>

export function useAction<A extends readonly unknown[]>(act: (...args: A) => Promise<void>) {
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<ApiProblem>()
  return {
    busy,
    problem,
    run: (...args: A): void => {
      setBusy(true)
      setProblem(undefined)
      act(...args)
        .catch((error: unknown) => setProblem(problemOf(error)))
        .finally(() => setBusy(false))
    },
  }
}

/**
 * By kind. `onConnected`: whether events arrive; the browser reconnects by itself, and the server tells what was
 * missed. Returns what ends it.
 */
export function listen(
  path: string,
  onConnected: (connected: boolean) => void,
  kinds: Readonly<Record<string, (data: never) => void>>,
): () => void {
  const source = new EventSource(API + path)
  for (const [kind, listener] of Object.entries(kinds))
    source.addEventListener(kind, (event) => {
      onConnected(true)
      listener(JSON.parse((event as MessageEvent<string>).data) as never)
    })
  source.addEventListener('open', () => onConnected(true))
  source.addEventListener('error', () => onConnected(false))
  return () => source.close()
}

export interface Live {
  /** Raised where tables may have changed, at most once in `PAUSE`. */
  readonly version: number
  readonly contest?: Contest
  readonly latest: readonly MatchFacts[]
  /** Whether events arrive; false: the connection is being made again. */
  readonly connected: boolean
}

const NOTHING: Live = { version: 0, latest: [], connected: true }
/** Milliseconds between looks at changing tables. */
const PAUSE = 1500
/** Newest matches that are kept; a few are listed, and those with a fault. */
const LATEST = 500

/** Listens to a contest's events; undefined: to none. */
export function useLive(id: string | undefined): Live {
  const [live, setLive] = useState(NOTHING)
  useEffect(() => {
    setLive(NOTHING)
    if (id === undefined) return undefined
    let timer: ReturnType<typeof setTimeout> | undefined
    const changed = () => {
      timer ??= setTimeout(() => {
        timer = undefined
        setLive((now) => ({ ...now, version: now.version + 1 }))
      }, PAUSE)
    }
    const end = listen(
      pathTo(['contests', id, 'events']),
      (connected) => setLive((now) => (now.connected === connected ? now : { ...now, connected })),
      {
        ...Object.fromEntries(['run', 'state', 'entry', 'out', 'waits'].map((kind) => [kind, changed])),
        contest(contest: Contest) {
          setLive((now) => ({ ...now, contest }))
          changed()
        },
        matches({ items, matches }: { readonly items: readonly MatchFacts[]; readonly matches: number }) {
          setLive((now) => ({
            ...now,
            contest: now.contest && { ...now.contest, matches },
            latest: [...items.toReversed(), ...now.latest].slice(0, LATEST),
          }))
          changed()
        },
      },
    )
    return () => {
      clearTimeout(timer)
      end()
    }
  }, [id])
  return live
}
