/** What PostgreSQL answers to a statement after one that failed in the same transaction. */
const ABORTED = '25P02'

/**
 * Statements of a transaction that are sent without waiting for each other's answers. Waits for all of them, where one fails too: none may be
 * sent once the transaction has ended. Rejects with the error of the one that failed first.
 */
export async function together<T extends readonly unknown[]>(
  statements: T,
): Promise<{ -readonly [I in keyof T]: Awaited<T[I]> }> {
  const settled = await Promise.allSettled(statements)
  const failed = settled.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []))
  if (failed.length > 0) throw failed.find((error) => !isAborted(error)) ?? failed[0]
  return settled.map((one) => (one.status === 'fulfilled' ? one.value : undefined)) as {
    -readonly [I in keyof T]: Awaited<T[I]>
  }
}

const isAborted = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === ABORTED
