/*
 * The part of pg-boss 12.35.0 that agon uses. Only hosts with a store on a server install it, so agon compiles without its types.
 */
declare module 'pg-boss' {
  interface Db {
    executeSql(text: string, values?: unknown[]): Promise<{ rows: unknown[] }>
  }
  /** How many jobs were changed, and which. */
  interface Answered {
    readonly affected: number
    readonly settled?: readonly string[]
  }
  interface Attempt {
    readonly id: string
    readonly retryCount: number
  }

  export class PgBoss {
    constructor(options: {
      readonly db: Db
      readonly schema: string
      readonly superviseIntervalSeconds: number
      readonly monitorIntervalSeconds: number
      readonly schedule: false
      readonly reindex: false
    })
    on(event: 'error' | 'warning', listener: (what: unknown) => void): void
    start(): Promise<unknown>
    stop(options: { readonly graceful: boolean; readonly close: boolean }): Promise<void>
    createQueue(
      queue: string,
      options: Readonly<Record<`${'retry' | 'expireIn' | 'heartbeat' | 'deleteAfter' | 'retention'}${string}`, number>>,
    ): Promise<void>
    deleteQueue(queue: string): Promise<void>
    insert(
      queue: string,
      jobs: readonly { readonly id?: string; readonly data: object }[],
      options?: { readonly db: Db },
    ): Promise<unknown>
    deleteQueuedJobs(queue: string): Promise<unknown>
    fetch(
      queue: string,
      options: { readonly batchSize: number },
    ): Promise<{ readonly id: string; readonly data: unknown; readonly retryCount: number }[]>
    touch(queue: string, attempts: readonly Attempt[]): Promise<Answered>
    complete(queue: string, attempt: Attempt, output: object, options: { readonly db: Db }): Promise<Answered>
    deleteJob(queue: string, ids: readonly string[]): Promise<unknown>
  }
}
