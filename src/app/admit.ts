import { join } from 'node:path'
import { type Contest, UserError, derive, message, option, canonical } from '../core/index.js'
import { type LoadedContest, gameFile } from '../contest/index.js'
import { type BotIsolation, type NotPrepared, type Prepared, prepareEntrants } from '../build/index.js'
import { type Admission, type Entrant, type BackoffSetting, admit, Semaphore, untilCalm } from '../engine/index.js'
import { HostError } from '../sandbox/index.js'
import type { EntrantInfo } from '../store/index.js'
import type { SandboxPool } from '../bots/index.js'
import type { Context } from './context.js'
import { type IsolationOptions, findBotIsolation } from './isolation.js'
import type { ArchivedLeftOut as Archived } from '../archive/write.js'
import { entrantOf } from '../workers/entrants.js'
import { shorten } from '../text/index.js'
import { playersOf } from '../tournament/index.js'

/** An entrant that does not play. */
export interface LeftOut extends Archived {
  /** It could be built and gave no answer: the hash of what decides how it plays. */
  readonly mute?: string
}

export interface Admitted {
  /** In the contest's order. */
  readonly entrants: readonly Entrant[]
  readonly leftOut: readonly LeftOut[]
  /** Beside `entrants`: what they are made of. */
  readonly prepared: readonly Prepared[]
  readonly isolation: BotIsolation
  /** Beside `entrants`: all that decides how they play. */
  readonly infos: readonly EntrantInfo[]
}

/** Where entrants are admitted. */
export interface AdmissionPlace {
  readonly seed: string
  /** A folder for their rooms. */
  readonly rooms: string
  /** Entrants asked at the same time. */
  readonly jobs: number
  /** Takes the sandboxes that were opened, for the bots that are then seated. */
  readonly pool: SandboxPool
  /** An entrant that gives no answer plays all the same. */
  readonly anyway?: boolean
  /** An entrant that names what its workers must have, which this machine may lack, is not asked here. */
  readonly elsewhere?: boolean
  /** How long an entrant waits while the machine is too busy; absent: half an hour. */
  readonly calm?: BackoffSetting
  /** The decision on each bot when it came to the run, which stays valid, however busy this machine is today. `playing`: their hashes. */
  readonly before?: { readonly playing: ReadonlyMap<string, string>; readonly leftOut: readonly MuteEntrant[] }
}

/** An entrant that gave no answer when the run began. `hash`: of what decides how it plays. */
export interface MuteEntrant {
  readonly name: string
  readonly why: string
  readonly hash: string
}

/** Times its limits that an entrant has when it is asked again: no bot is to count as silent because the machine is busy. */
const LATE_FACTOR = 5

/** Builds the entrants, starts each and asks it a question. Throws UserError where too few are left to play. */
export async function admitEntrants(
  loaded: LoadedContest,
  place: AdmissionPlace,
  given: IsolationOptions,
  context: Context,
): Promise<Admitted> {
  const { contest } = loaded
  const { pool } = place
  const note = (text: string): void => context.notice(shorten(text, 500))
  const isolation = await findBotIsolation(given, loaded.entries, context)
  const check = firstQuestion(loaded, place, isolation, note)
  const verdicts = new Map<Prepared, Promise<Admission>>()
  const onReady = (one: Prepared): void => {
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
  for (const one of all) if (!one.admitted) leave(one)
  const ready = all.flatMap((one) => (one.admitted ? [one] : []))
  for (const { one, verdict } of await lastVerdicts(ready, verdicts, check)) {
    const { out, warned } = decide(one, verdict, contest.limits, place)
    if (out !== undefined) leave(out)
    if (warned !== undefined) note(`${one.name}: ${warned}`)
  }
  return admittedOf(loaded, all, leftOut, { isolation, pool })
}

/** The entrants that are not left out. Throws UserError where they are too few to play. */
function admittedOf(
  loaded: LoadedContest,
  all: readonly (Prepared | NotPrepared)[],
  leftOut: ReadonlyMap<string, LeftOut>,
  { isolation, pool }: { readonly isolation: BotIsolation; readonly pool: SandboxPool },
): Admitted {
  const { limits } = loaded.contest
  const admitted = all.flatMap((one) => (one.admitted && !leftOut.has(one.name) ? [one] : []))
  refuseTooFew(loaded, admitted.length, all.length, leftOut)
  return {
    entrants: admitted.map((one) => entrantOf(one, isolation, limits, { from: pool })),
    leftOut: all
      .flatMap(({ name }) => leftOut.get(name) ?? [])
      .map(({ name, why, log, mute }) => ({ name, why, log, mute })),
    prepared: admitted,
    isolation,
    infos: admitted.map((one) => infoOf(one, limits)),
  }
}

/** Starts an entrant and asks it a question; `limitFactor`: times its limits that it has for it. */
type Check = (one: Prepared, limitFactor?: number) => Promise<Admission>

function firstQuestion(
  { contest, definition, entries }: LoadedContest,
  { seed, rooms, jobs, pool, calm, elsewhere = false }: AdmissionPlace,
  isolation: BotIsolation,
  note: (text: string) => void,
): Check {
  const { options, limits } = contest
  const seats = playersOf(contest.format, definition.game.seats.min, entries.length)
  const file = gameFile(definition)
  const semaphore = new Semaphore(jobs)
  let asked = 0
  return async (one, limitFactor = 1) =>
    elsewhere && one.labels !== undefined
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
              return admit(entrantOf(one, isolation, limits, { to: pool }), setting)
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
  ready: readonly Prepared[],
  verdicts: ReadonlyMap<Prepared, Promise<Admission>>,
  check: Check,
): Promise<{ readonly one: Prepared; readonly verdict: Admission }[]> {
  const first = (one: Prepared) => (verdicts.get(one) ?? check(one)).catch(unlessHost)
  const early = await Promise.all(ready.map(async (one) => ({ one, verdict: await first(one) })))
  const built = ready.some(({ make }) => make.output !== undefined)
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
  const least = Math.max(2, playersOf(contest.format, definition.game.seats.min, 0))
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
  one: Prepared,
  { refused, mute, warning }: Admission,
  limits: Contest['limits'],
  { anyway = false, before }: Pick<AdmissionPlace, 'anyway' | 'before'>,
): { readonly out?: LeftOut; readonly warned?: string } {
  const { name } = one
  const { hash } = infoOf(one, limits)
  const decided = before?.leftOut.find((known) => known.name === name && known.hash === hash)
  if (decided !== undefined && !anyway) return { out: { name, why: decided.why, mute: hash } }
  const why = refused ?? mute
  const stays = before?.playing.get(name) === hash || (anyway && refused === undefined)
  if (why !== undefined && !stays) return { out: { name, why, mute: refused === undefined ? hash : undefined } }
  const warned = why ?? warning
  return warned === undefined ? {} : { warned }
}

/** undefined for a HostError: where the machine could start nothing more, the entrant is not judged, and is asked again. */
function unlessHost(error: unknown): undefined {
  if (!(error instanceof HostError)) throw error
}

/** What is kept of an entrant, and the hash that tells it from one that may play otherwise. */
function infoOf(
  { name, hash: source, wire, memory, make, run, strict }: Prepared,
  limits: Contest['limits'],
): EntrantInfo {
  const { output, ...known } = make
  // How large its source may be changes nothing of how it plays.
  const { source: _, ...playing } = limits
  const decides = { source, ...known, wire, memory, limits: canonical(playing) }
  return {
    name,
    hash: derive(
      'entrant',
      canonical({ ...decides, strict: strict && run.kind === 'process' && memory === 'turn' ? strict : undefined }),
    ),
    ...decides,
    output,
  }
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
