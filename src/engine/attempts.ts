import { BusyError, UserError, messageOf, type Job } from '../core/index.js'
import { AbandonedError, Disturbed } from './arena.js'
import { Backoff, inSeconds } from './backoff.js'
import { StoppedError, type Stopping } from './stopping.js'
import type { ResultTally } from './tally.js'
import type { PlayableRun } from './entrant.js'
import type { TournamentSetting } from './tournament-setting.js'

/** A match that fails for agon's own reasons is void and played again, this often in all. */
const ATTEMPTS = 3

interface Trying {
  readonly run: Pick<PlayableRun, 'id'>
  readonly setting: Pick<TournamentSetting, 'store' | 'backoff' | 'on'>
  readonly tally: Pick<ResultTally, 'counts'>
  readonly stopping: Stopping
}

/** How often a job was tried, and whether it is to be played again. */
export class Attempts {
  /** How often a bot was killed from outside in it. */
  disturbed = 0
  private made = 1
  private readonly backoff: Backoff

  constructor(
    private readonly trying: Trying,
    private readonly job: Job,
  ) {
    this.backoff = new Backoff(trying.setting.backoff)
  }

  /** It failed: resolves when it is to be played again, after a while where the machine is too busy. Throws the error where it is not. */
  async again(error: unknown): Promise<void> {
    if (error instanceof AbandonedError) return
    // What is in the store has happened, whatever went wrong afterwards.
    const isOver = this.made === ATTEMPTS || this.trying.tally.counts(this.job)
    if (error instanceof StoppedError || error instanceof UserError || isOver) throw error
    await this.noteVoid(error)
    if (error instanceof Disturbed) this.disturbed++
    else if (!(error instanceof BusyError)) this.made++
  }

  private async noteVoid(error: unknown): Promise<void> {
    const { run, setting } = this.trying
    const { key } = this.job
    const why = messageOf(error)
    const busy = error instanceof BusyError
    await setting.store.note(run.id, busy ? 'stalled' : 'void', { match: key, why })
    if (busy) await this.waitForMachine(this.backoff.pause(error), why)
    else setting.on({ type: 'note', text: `${key}: void, played again: ${why}` })
  }

  /** A job is void because the machine is too busy: waits a while, so that the load may fall. */
  private async waitForMachine(ms: number, why: string): Promise<void> {
    const { setting, stopping } = this.trying
    setting.on({ type: 'note', text: `${this.job.key}: void: ${why}; it is played again in ${inSeconds(ms)} s` })
    let timer: NodeJS.Timeout | undefined
    try {
      await stopping.unless(new Promise<void>((done) => (timer = setTimeout(done, ms))))
    } finally {
      clearTimeout(timer)
    }
  }
}
