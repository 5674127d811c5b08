import { useEffect, useState } from 'react'

const API = '/api/v1'
const TOKEN = 'agon.token'

/** The server said no, or could not be reached: then the status is 0. */
export class ApiProblem extends Error {
  constructor(
    readonly status: number,
    message: string,
    /** Of a contest file, from 1. */
    readonly line?: number,
  ) {
    super(message)
  }
}

/** The token that this browser uses; undefined: it only reads. */
export function token(): string | undefined {
  try {
    return localStorage.getItem(TOKEN) ?? undefined
  } catch {
    return undefined
  }
}

/** Keeps a token in this browser; undefined forgets it. */
export function keepToken(next: string | undefined): void {
  try {
    if (next === undefined) localStorage.removeItem(TOKEN)
    else localStorage.setItem(TOKEN, next)
  } catch {
    // A browser that keeps nothing asks again.
  }
}

/** Asks the API. `body`: sent as JSON, or as a form. Throws ApiProblem. */
export async function ask<T>(method: 'GET' | 'POST', path: string, body?: unknown, signal?: AbortSignal): Promise<T> {
  const own = token()
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
      ...(signal && { signal }),
    })
  } catch (error) {
    if (signal?.aborted === true) throw error
    throw new ApiProblem(0, 'the server cannot be reached')
  }
  const got: unknown = await answer.json().catch(() => undefined)
  if (answer.ok) return got as T
  const { detail, title, line } = (got ?? {}) as { detail?: string; title?: string; line?: number }
  throw new ApiProblem(answer.status, detail ?? title ?? `the server answered ${answer.status}`, line)
}

/** What came of a question: nothing yet, data, or why there is none. Older data stay while they are asked for anew. */
export interface Asked<T> {
  readonly data?: T
  readonly problem?: ApiProblem
}

/** What the API answers at a path; asked again where `again` changes. undefined: nothing is asked. */
export function useApi<T>(path: string | undefined, again: unknown = 0): Asked<T> {
  const [asked, setAsked] = useState<Asked<T> & { readonly path?: string }>({})
  useEffect(() => {
    if (path === undefined) return undefined
    const abort = new AbortController()
    ask<T>('GET', path, undefined, abort.signal)
      .then((data) => setAsked({ data, path }))
      .catch((error: unknown) => {
        if (abort.signal.aborted) return
        const problem = error instanceof ApiProblem ? error : new ApiProblem(0, String(error))
        // What was shown stays where the server is only away.
        setAsked((before) => ({ ...(problem.status === 0 && before.path === path && before), problem, path }))
      })
    return () => abort.abort()
  }, [path, again])
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
