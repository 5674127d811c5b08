/** What every use case is given by whoever calls it: the command line, a server, a test. */
export interface Context {
  /** The folder where agon keeps what it must remember: an absolute path. */
  readonly workspace: string
  /**
   * Hears what is told beside the result, a line or a few for people. A line may hold what a stranger wrote: who shows it makes it
   * visible first.
   */
  readonly notice: (text: string) => void
  /** Ends the work early. */
  readonly signal?: AbortSignal
}
