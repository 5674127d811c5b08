import { join } from 'node:path'
import { type MuteEntrant, UserError, message, option } from '../../core/index.js'
import { type LoadedContest, gameFile } from '../../contest/index.js'
import { type BotIsolation, type BuiltEntrant, type NotBuilt, prepareEntrants, wasBuilt } from '../../build/index.js'
import { type Admission, admit, backoffOf, Semaphore, untilCalm } from '../../engine/index.js'
import { HostError } from '../../sandbox/index.js'
import { isOnServer } from '../../store/index.js'
import type { Context } from '../context.js'
import { findBotIsolation } from '../isolation.js'
import type { Jobs } from '../jobs.js'
import type { ArchivedLeftOut as Archived } from '../../results/write.js'
import { seatable } from '../../engine/seating.js'
import { shorten } from '../../text/index.js'
import type { FoundRun } from './find.js'
import type { RunOptions, RunPlace } from './options.js'
import { entrantsAMatch, playersOf } from '../../tournament/index.js'

/** An entrant that does not play. */
export interface LeftOut extends Archived {
  /** It could be built and gave no answer: the hash of what decides how it plays. */
  readonly mute?: string
}

export interface Admitted {
  /** In the contest's order. */
  readonly entrants: readonly BuiltEntrant[]
  readonly leftOut: readonly LeftOut[]
  readonly isolation: BotIsolation
}

/** For which run entrants are admitted, and where. */
interface AdmissionSetting {
  readonly found: Pick<FoundRun, 'seed' | 'before'>
  readonly options: RunOptions & Jobs
  readonly place: RunPlace
}

/** Times its limits that an entrant has when it is asked again: no bot is to count as silent because the machine is busy. */
const LATE_FACTOR = 5

/** Builds the entrants, starts each and asks it a question. Throws UserError where too few are left to play. */
export async function admitEntrants(
  loaded: LoadedContest,
  setting: AdmissionSetting,
  context: Context,
): Promise<Admitted> {
  const note = (text: string): void => context.notice(shorten(text, 500))
  const isolation = await findBotIsolation(setting.options, loaded.entries, context)
  const check = firstQuestion(loaded, setting, isolation, note)
  const verdicts = new Map<BuiltEntrant, Promise<Admission>>()
  const onReady = (one: BuiltEntrant): void => {
    const verdict = check(one)
    // Where preparing the others fails, this promise is not awaited.
    verdict.catch(() => undefined)
    verdicts.set(one, verdict)
  }
  const all = await prepareEntrants(loaded, { workspace: context.workspace, isolation, onNote: note, onReady })
  const leftOut = new Map<string, LeftOut>()
  const leave = (one: LeftOut) => {
    leftOut.set(one.name, one)
    note(`${one.name} is left out: ${withError(one)}`)
  }
  for (const one of all) if (!wasBuilt(one)) leave(one)
  const ready = all.filter(wasBuilt)
  for (const { one, verdict } of await lastVerdicts(ready, verdicts, check)) {
    const { out, warned } = decide(one, verdict, setting)
    if (out !== undefined) leave(out)
    if (warned !== undefined) note(`${one.name}: ${warned}`)
  }
  return admittedOf(loaded, all, leftOut, isolation)
}

/** The entrants that are not left out. Throws UserError where they are too few to play. */
function admittedOf(
  loaded: LoadedContest,
  all: readonly (BuiltEntrant | NotBuilt)[],
  leftOut: ReadonlyMap<string, LeftOut>,
  isolation: BotIsolation,
): Admitted {
  const entrants = all.filter(wasBuilt).filter(({ name }) => !leftOut.has(name))
  refuseTooFew(loaded, entrants.length, all.length, leftOut)
  return { entrants, leftOut: all.flatMap(({ name }) => leftOut.get(name) ?? []), isolation }
}

/** Starts an entrant and asks it a question; `limitFactor`: times its limits that it has for it. */
type Check = (one: BuiltEntrant, limitFactor?: number) => Promise<Admission>

function firstQuestion(
  { contest, definition, entries }: LoadedContest,
  { found: { seed }, options: { jobs, checked, patience }, place: { store, rooms, pool } }: AdmissionSetting,
  isolation: BotIsolation,
  note: (text: string) => void,
): Check {
  const { options, limits } = contest
  const seats = playersOf(contest.format, definition.game.seats.min, entries.length)
  const file = gameFile(definition)
  const semaphore = new Semaphore(jobs)
  const calm = patience === undefined ? undefined : backoffOf(patience)
  const elsewhere = isOnServer(store)
  let asked = 0
  // One that names what its workers must have, which this machine may lack, is not asked here.
  return async (one, limitFactor = 1) =>
    (elsewhere && one.labels !== undefined) || one.remote || checked?.has(one.name)
      ? {}
      : semaphore.run(() =>
          untilCalm(
            async () => {
              const setting = {
                definition,
                options,
                seats,
                seed,
                limits,
                rooms: join(rooms, `admission-${asked++}`),
                limitFactor,
                gameFile: file,
              }
              return admit(seatable(one, isolation, limits, { to: pool }), setting)
            },
            note,
            calm,
          ),
        )
}

/**
 * What holds of each entrant when everything is built; `verdicts`: of those that were asked meanwhile. One that failed while builds
 * took the cores is asked again in quiet, and one that gave no answer always is, with more time.
 */
async function lastVerdicts(
  ready: readonly BuiltEntrant[],
  verdicts: ReadonlyMap<BuiltEntrant, Promise<Admission>>,
  check: Check,
): Promise<{ readonly one: BuiltEntrant; readonly verdict: Admission }[]> {
  const first = (one: BuiltEntrant) => (verdicts.get(one) ?? check(one)).catch(unlessHost)
  const early = await Promise.all(ready.map(async (one) => ({ one, verdict: await first(one) })))
  const built = ready.some(({ output }) => output !== undefined)
  const last = early.map(async ({ one, verdict }) => {
    const again = verdict === undefined || verdict.mute !== undefined || (built && !isSound(verdict))
    return { one, verdict: again ? await check(one, LATE_FACTOR) : verdict }
  })
  return Promise.all(last)
}

/** Throws UserError where fewer are admitted, of all that there are, than the format needs. */
function refuseTooFew(
  { contest, definition }: LoadedContest,
  admitted: number,
  all: number,
  leftOut: ReadonlyMap<string, LeftOut>,
): void {
  const least = Math.max(2, entrantsAMatch(contest.format, definition.game.seats.min, 0))
  if (admitted >= least) return
  const mute = [...leftOut.values()].some((one) => one.mute !== undefined)
  const why =
    all < least
      ? 'name more of them'
      : message`the lines above say what keeps the others out${mute ? message`; ${option('admitAnyway')} keeps entrants that gave no answer` : ''}`
  throw new UserError(message`${admitted} of ${all} entrants can play and ${least} are needed: ${why}`)
}

/**
 * Whether an entrant is left out, and what is reported of one that is not. The decision at the run's beginning stays valid: an entrant
 * that plays in it plays on, and one that was left out, and has not changed, stays out.
 */
function decide(
  one: BuiltEntrant,
  { refused, mute, warning }: Admission,
  { found: { before }, options: { admitAnyway: anyway = false } }: AdmissionSetting,
): { readonly out?: LeftOut; readonly warned?: string } {
  const { name, hash } = one
  const decided = before?.mute?.find((known) => known.name === name && known.hash === hash)
  if (decided !== undefined && !anyway) return { out: { name, why: decided.why, mute: hash } }
  const why = refused ?? mute
  const stays =
    before?.entrants.some((known) => known.name === name && known.hash === hash) || (anyway && refused === undefined)
  if (why !== undefined && !stays) return { out: { name, why, mute: refused === undefined ? hash : undefined } }
  return { warned: why ?? warning }
}

/** undefined for a HostError: where the machine could start nothing more, the entrant is not judged, and is asked again. */
function unlessHost(error: unknown): undefined {
  if (!(error instanceof HostError)) throw error
}

/** Entrants that gave no answer, as a run keeps them. */
export const muteOf = (leftOut: readonly LeftOut[]): MuteEntrant[] =>
  leftOut.flatMap(({ name, why, mute }) => (mute === undefined ? [] : [{ name, why, hash: mute }]))

/** Why it cannot play, with the first line of its build's log that speaks of an error. */
export function withError({ why, log }: { readonly why: string; readonly log?: string }): string {
  const line = log?.split('\n').find((text) => /\berror\b/i.test(text))
  return line === undefined ? why : `${why}: ${line.trim()}`
}

const isSound = ({ refused, mute, warning }: Admission): boolean => (refused ?? mute ?? warning) === undefined
