import type { Standings } from '../../core/index.js'

/** How a contest is run. */
export interface ContestRunOptions {
  /** The folder of its results; absent: a new one below ./agon-results. */
  readonly out?: string
  /** Where matches are stored; absent: $AGON_WORKSPACE, else ./.agon. */
  readonly workspace?: string
  /** Of all chance; absent: the contest's, else a secret one. */
  readonly seed?: string
  /** Repetitions of a pairing, instead of the contest's. */
  readonly matches?: number
  /** Matches played at the same time; absent: one for each core. */
  readonly jobs?: number
  /** Goes on with the run in `out`: only what is missing is played. */
  readonly resume?: boolean
  /** Gives up the run in `out` and begins again. */
  readonly fresh?: boolean
  /** Runs all bots among your own processes: they can read your files. */
  readonly noIsolation?: boolean
  /** Receives what is reported beside the result, in lines for people. */
  readonly notice?: (text: string) => void
}

/** What came of a contest. */
export interface ContestRun {
  /** The absolute path of its results. */
  readonly out: string
  readonly standings: Standings
  /** Matches that were played now, and those that the store had. */
  readonly played: number
  readonly reused: number
  /** Who could not play, and why. */
  readonly leftOut: readonly { readonly name: string; readonly why: string }[]
  /** All of it, like results.json. */
  readonly document: unknown
}

/**
 * Runs a contest to its end: builds and admits its bots, plays what is missing, and writes its results, as `agon run` does. `ref`: a contest's file,
 * the folder of a league, or the name of a game. Throws UserError for what the user can mend.
 */
export async function runContest(ref: string, options: ContestRunOptions = {}): Promise<ContestRun> {
  // Whoever imports only the games, or the referee, need not load what builds and runs bots.
  const [run, { jobsOf }, { workspaceAt }] = await Promise.all([
    import('./run.js'),
    import('../machine.js'),
    import('../workspace.js'),
  ])
  const { workspace = process.env['AGON_WORKSPACE'] || '.agon', jobs, notice = () => undefined, ...rest } = options
  const context = { workspace: workspaceAt(workspace), notice }
  const all = { ...rest, ...jobsOf(jobs, undefined, context), asked: jobs }
  const { run: played, standings, result, leftOut, document } = await run.runContest(ref, all, context)
  return { out: played.out, standings, played: result.played, reused: result.reused, leftOut, document }
}
