/**
 * Calls `end` when the signal is aborted, at once where it is already; gives what stops listening. For work that waits for others: it
 * is ended by ending them.
 */
export function whenAborted(signal: AbortSignal | undefined, end: () => void): () => void {
  if (signal?.aborted) end()
  else signal?.addEventListener('abort', end, { once: true })
  return () => signal?.removeEventListener('abort', end)
}
