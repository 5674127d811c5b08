import { type BotParameters, type MatchRecord, type Pairing, fixtureOfRecord, messageOf } from '../../core/index.js'
import { type GameInPlay, canonical } from '../../match/index.js'
import {
  type Job,
  type JobRequest,
  type JobResponse,
  type Setup,
  fixtureOf,
  isEnough,
  keyOf,
  playedOf,
  probed,
} from '../../engine/index.js'
import type { JudgedMatch, PlayedJob } from '../../store/index.js'
import { acceptOutcome } from './accept.js'
import type { BatchOutcome, JobOutcome, PostedRun } from './messages.js'

/** Makes stored jobs of the jobs that were played in a run. */
export class JobVerifier {
  private readonly setup: Setup
  /** By entrant. */
  private readonly given: readonly (BotParameters | undefined)[]
  /** What was asked for before is asked for again as it is sent, played and stored. */
  private readonly keys = new WeakMap<Job, readonly string[]>()

  constructor(
    { setup, tournament, hashes, parcels }: PostedRun,
    private readonly game: GameInPlay,
  ) {
    this.given = parcels.map((parcel) => ('house' in parcel ? parcel.with : parcel.spec.with))
    const { options, ids, seed, source } = setup
    // Keys are taken over what an entrant is, wherever it lies.
    const entrants = setup.entrants.map(({ name, wire, memory, version }) => ({
      name,
      wire,
      memory,
      version,
      run: { kind: 'module' as const, load: () => Promise.reject(new Error('it is not played here')) },
    }))
    const same = { definition: game.definition, options, entrants, ids, seed, tournament, hashes }
    this.setup = { ...same, source }
  }

  /** The keys under which a job may lie in the store: as a whole, and its first matches alone. `known`: the first of them. */
  keysOf(job: Job, known?: string): readonly string[] {
    const before = this.keys.get(job)
    if (before !== undefined) return before
    const part = probed(job)
    const keys = [known ?? keyOf(this.setup, job), ...(part === undefined ? [] : [keyOf(this.setup, part)])]
    this.keys.set(job, keys)
    return keys
  }

  /** Why this cannot be the outcome of a job; undefined: it can. All of it is judged again; a record may be anything that JSON can be. */
  refuses(job: Job, matches: readonly JudgedMatch[]): string | undefined {
    try {
      return this.refusal(job, matches)
    } catch (error) {
      return `${job.key}: ${messageOf(error)}`
    }
  }

  /** The same. Throws for what is no record. */
  private refusal(job: Job, matches: readonly JudgedMatch[]): string | undefined {
    const records = matches.map(({ record }) => record)
    if (records.length !== job.pairings.length && !isEnough(job, records))
      return `${job.key}: it stored ${records.length} matches of ${job.pairings.length}`
    for (const [i, record] of records.entries()) {
      const pairing = job.pairings[i]
      if (pairing === undefined) return `${job.key}: it stored more than was asked for`
      if (canonical(fixtureOfRecord(record)) !== canonical(fixtureOf(this.setup, pairing)))
        return `${pairing.key}: it stored another match`
      if (canonical(record.with) !== canonical(this.givenOf(pairing)))
        return `${pairing.key}: it stored other parameters of its modules`
    }
    const judged = playedOf(this.game, job, records)
    const same = judged.every(({ faults }, i) => inOrder(faults) === inOrder(matches[i]?.faults ?? []))
    return same ? undefined : `${job.key}: it stored other faults than its records have`
  }

  /** As of a record: by seat, what the contest gave the modules; undefined: nothing. */
  private givenOf({ seats }: Pairing): MatchRecord['with'] {
    const given = seats.map((entrant) => this.given[entrant] ?? null)
    return given.every((one) => one === null) ? undefined : given
  }

  /** A batch's outcome as a worker wrote it, as far as it can be believed: a job whose key is not its own counts as handed back. */
  outcomeOf(requests: readonly JobRequest[], output: unknown): BatchOutcome {
    const said = acceptOutcome(output, requests.length) ?? { jobs: [], ms: 0, worker: '' }
    const isOwn = (i: number, key: string): boolean => {
      const asked = requests[i]
      return asked !== undefined && this.keysOf(asked.job, asked.key).includes(key)
    }
    return { ...said, jobs: said.jobs.map((one, i) => ('key' in one && !isOwn(i, one.key) ? { back: true } : one)) }
  }

  /** A job as it is stored, and as it is reported. Throws where its matches, judged again, went otherwise. */
  verify(
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

/** Faults as a text, the same in whatever order they are told. */
const inOrder = (faults: JudgedMatch['faults']): string => faults.map(canonical).sort().join()
