import { type TournamentSpec, spelled } from '../core/index.js'
import type { ResolvedContest } from '../contest/index.js'
import type { RunPlan } from '../store/index.js'
import type { Admitted } from './admit.js'
import type { Context } from './context.js'
import type { ContestJson } from './document.js'
import { otherGameText } from './league.js'
import type { OpenRun } from './open-run.js'
import { firstLook, shortSeed } from './plan.js'
import type { RunOptions } from './run-options.js'

/** What is known once a run may begin. */
export interface BegunRun {
  readonly admitted: Admitted
  readonly spec: TournamentSpec
  readonly facts: ContestJson
  readonly tournament: string
  readonly plan: RunPlan
}

/** Notes about a run, before anything is built. */
export function noteRunFacts(
  { authors, contest, entries }: ResolvedContest,
  { seed, before, nothing, other }: OpenRun,
  { matches }: RunOptions,
  { notice, spell }: Context,
): void {
  if (authors !== undefined && matches === undefined)
    notice(spelled(firstLook(contest.format.repetitions, authors), spell))
  const short = before === undefined ? shortSeed(seed, entries) : undefined
  if (short !== undefined) notice(short)
  if (other !== undefined) notice(spelled(otherGameText(other), spell))
  if (nothing) notice('nothing to resume: a new run begins')
}
