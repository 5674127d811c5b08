import { join } from 'node:path'
import { UserError, message, option } from '../../core/index.js'
import { gameFile } from '../../contest/index.js'
import { type BotIsolation, type BuiltEntrant, prepareEntrants, wasBuilt } from '../../build/index.js'
import { type Admission, admit, backoffOf, Semaphore, untilCalm } from '../../engine/index.js'
import { seatable } from '../../engine/seating.js'
import { HostError } from '../../sandbox/index.js'
import { isOnServer } from '../../store/index.js'
import { shorten } from '../../text/index.js'
import { entrantsAMatch, playersOf } from '../../tournament/index.js'
import { findBotIsolation } from '../machine.js'
import type { FoundRun } from './find.js'
import type { LeftOut, RunWork } from './options.js'

export interface Admitted {
  /** In the contest's order. */
  readonly entrants: readonly BuiltEntrant[]
  readonly leftOut: readonly LeftOut[]
  readonly isolation: BotIsolation
}

/** Times its limits that an entrant has when it is asked again: no bot is to count as silent because the machine is busy. */
const LATE_FACTOR = 5

/**
 * Builds the entrants, starts each and asks it a question. One that failed while builds took the cores is asked again once all is built, and one
 * that gave no answer always is, with more time. Throws UserError if too few are left to play.
 */
export async function admitEntrants(work: RunWork, found: FoundRun): Promise<Admitted> {
  const { resolved, options, context } = work
  const note = (text: string): void => context.notice(shorten(text, 500))
  const isolation = await findBotIsolation(options, resolved.entries, context)
  const ask = firstQuestion(work, found.seed, isolation, note)
  const early = new Map<BuiltEntrant, Promise<Admission | undefined>>()
  const onReady = (entrant: BuiltEntrant): void => {
    const verdict = ask(entrant).catch(unlessHost)
    // If preparing the others fails, this promise is not awaited.
    verdict.catch(() => undefined)
    early.set(entrant, verdict)
  }
  const all = await prepareEntrants(resolved, { workspace: context.workspace, isolation, onNote: note, onReady })
  const built = all.filter(wasBuilt)
  const hasCompiled = built.some(({ output }) => output !== undefined)
  const first = await Promise.all([...early].map(async ([entrant, verdict]) => ({ entrant, verdict: await verdict })))
  const last = first.map(async ({ entrant, verdict }) => {
    const again = verdict === undefined || verdict.mute !== undefined || (hasCompiled && !isSound(verdict))
    return [entrant, again ? await ask(entrant, LATE_FACTOR) : verdict] as const
  })
  const verdicts = new Map(await Promise.all(last))
  const leftOut = all.flatMap((entrant): LeftOut[] => {
    const { out, warned } = wasBuilt(entrant)
      ? decide(entrant, verdicts.get(entrant) ?? {}, found, options.admitAnyway)
      : { out: entrant, warned: undefined }
    if (out !== undefined) note(`${out.name} is left out: ${withError(out)}`)
    if (warned !== undefined) note(`${entrant.name}: ${warned}`)
    return out === undefined ? [] : [out]
  })
  const out = new Set(leftOut.map(({ name }) => name))
  const entrants = built.filter(({ name }) => !out.has(name))
  refuseTooFew(work, entrants.length, all.length, leftOut)
  return { entrants, leftOut, isolation }
}

/** Starts an entrant and asks it a question; `limitFactor`: times its limits that it has for it. */
type Ask = (entrant: BuiltEntrant, limitFactor?: number) => Promise<Admission>

function firstQuestion(
  { resolved: { contest, definition, entries }, options: { jobs, checked, patience }, store, rooms, pool }: RunWork,
  seed: string,
  isolation: BotIsolation,
  note: (text: string) => void,
): Ask {
  const { options, limits } = contest
  const seats = playersOf(contest.format, definition.game.seats.min, entries.length)
  const semaphore = new Semaphore(jobs)
  const calm = patience === undefined ? undefined : backoffOf(patience)
  const asked = { definition, options, seats, seed, limits, gameFile: gameFile(definition) }
  let number = 0
  return async (entrant, limitFactor = 1) => {
    // One that names what its workers must have, which this machine may lack, is not asked here.
    const isElsewhere = entrant.remote || (isOnServer(store) && entrant.labels !== undefined)
    if (isElsewhere || checked?.has(entrant.name)) return {}
    const question = (): Promise<Admission> =>
      admit(seatable(entrant, isolation, limits, { to: pool }), {
        ...asked,
        limitFactor,
        rooms: join(rooms, `admission-${number++}`),
      })
    return semaphore.run(() => untilCalm(question, note, calm))
  }
}

/** Throws UserError if fewer are admitted, of all that there are, than the format needs. */
function refuseTooFew(
  { resolved: { contest, definition } }: RunWork,
  admitted: number,
  all: number,
  leftOut: readonly LeftOut[],
): void {
  const least = Math.max(2, entrantsAMatch(contest.format, definition.game.seats.min, 0))
  if (admitted >= least) return
  const mute = leftOut.some((one) => one.mute !== undefined)
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
  { name, hash }: BuiltEntrant,
  { refused, mute, warning }: Admission,
  { before }: Pick<FoundRun, 'before'>,
  anyway = false,
): { readonly out?: LeftOut; readonly warned?: string } {
  const decided = before?.mute?.find((known) => known.name === name && known.hash === hash)
  if (decided !== undefined && !anyway) return { out: { name, why: decided.why, mute: hash } }
  const why = refused ?? mute
  const stays =
    before?.entrants.some((known) => known.name === name && known.hash === hash) || (anyway && refused === undefined)
  if (why !== undefined && !stays) return { out: { name, why, mute: refused === undefined ? hash : undefined } }
  return { warned: why ?? warning }
}

/** undefined for a HostError: if the machine could start nothing more, the entrant is not judged, and is asked again. */
function unlessHost(error: unknown): undefined {
  if (!(error instanceof HostError)) throw error
}

/** Why it cannot play, with the first line of its build's log that speaks of an error. */
export function withError({ why, log }: { readonly why: string; readonly log?: string }): string {
  const line = log?.split('\n').find((text) => /\berror\b/i.test(text))
  return line === undefined ? why : `${why}: ${line.trim()}`
}

const isSound = ({ refused, mute, warning }: Admission): boolean => (refused ?? mute ?? warning) === undefined
