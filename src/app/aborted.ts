/**
 * Calls `end` when the signal is aborted, at once where it is already. Returns a function that stops listening. For work that waits for
 * other work, which `end` ends.
 */
export function whenAborted(signal: AbortSignal | undefined, end: () => void): () => void {
  if (signal?.aborted) end()
  else signal?.addEventListener('abort', end, { once: true })
  return () => signal?.removeEventListener('abort', end)
}
