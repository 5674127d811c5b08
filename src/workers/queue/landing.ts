import type { GameInPlay } from '../../match/index.js'
import { type Job, type JobRequest, type JobResponse, type Setup, keyOf, playedOf, probed } from '../../engine/index.js'
import type { PlayedJob } from '../../store/index.js'
import type { JobOutcome, PostedRun } from './messages.js'

/** Makes of what was played in a run what its store keeps. */
export class Landing {
  private readonly setup: Setup

  constructor(
    { setup, tournament, hashes }: PostedRun,
    private readonly game: GameInPlay,
  ) {
    const { options, ids, seed } = setup
    // Keys are taken over what an entrant is, wherever it lies.
    const entrants = setup.entrants.map(({ name, wire, memory, version }) => ({
      name,
      wire,
      memory,
      ...(version !== undefined && { version }),
      run: { kind: 'module' as const, load: () => Promise.reject(new Error('it is not played here')) },
    }))
    this.setup = { definition: game.definition, options, entrants, ids, seed, tournament, hashes }
  }

  /** The keys under which a job may lie in the store: as a whole, and its first matches alone. */
  keysOf(job: Job): readonly string[] {
    const part = probed(job)
    return [keyOf(this.setup, job), ...(part === undefined ? [] : [keyOf(this.setup, part)])]
  }

  /** What is stored of a job, and what is reported of it. Throws where its matches, judged again, went otherwise. */
  land(
    { job }: JobRequest,
    response: JobResponse | JobOutcome,
  ): { readonly played?: PlayedJob; readonly outcome: JobOutcome } {
    if (!('records' in response)) return { outcome: response }
    const { records } = response
    const [whole = '', part = whole] = this.keysOf(job)
    const key = records.length < job.pairings.length ? part : whole
    return { played: { key, matches: playedOf(this.game, job, records) }, outcome: { key } }
  }
}
