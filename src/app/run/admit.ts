import { join } from 'node:path'
import { UserError, message, option } from '../../core/index.js'
import { gameFile } from '../../contest/index.js'
import { type BotIsolation, type BuiltEntrant, type NotBuilt, prepareEntrants, wasBuilt } from '../../build/index.js'
import { type Admission, admit, backoffOf, Semaphore, untilCalm } from '../../engine/index.js'
import { seatable } from '../../engine/seating.js'
import { HostError } from '../../sandbox/index.js'
import { isOnServer } from '../../store/index.js'
import { shorten } from '../../text/index.js'
import { entrantsAMatch, playersOf } from '../../tournament/index.js'
import { findBotIsolation } from '../machine.js'
import type { FoundRun } from './find.js'
import type { LeftOut, RunWork } from './options.js'

/** Entrants are in the contest's order. */
export type Admitted = Awaited<ReturnType<typeof admitEntrants>>

/** Times its limits when an entrant is asked again: a busy machine shall make no bot silent. */
const LATE_FACTOR = 5

/** Builds and starts the entrants, and asks each a question, twice if needed. Throws UserError if too few are left. */
export async function admitEntrants(work: RunWork, found: FoundRun) {
  const { resolved, options, context } = work
  const note = (text: string): void => context.notice(shorten(text, 500))
  const isolation = await findBotIsolation(options, resolved.entries, context)
  const all = await prepareEntrants(resolved, { workspace: context.workspace, isolation, onNote: note })
  const built = all.filter(wasBuilt)
  const ask = firstQuestion(work, found.seed, isolation, note)
  const first = await Promise.all(built.map((entrant) => ask(entrant, 1).catch(unlessHost)))
  const asked = built.map(async (entrant, i) => {
    const verdict = first[i]
    const again = verdict === undefined || verdict.mute !== undefined
    return [entrant, again ? await ask(entrant, LATE_FACTOR) : verdict] as const
  })
  const verdicts = new Map<BuiltEntrant | NotBuilt, Admission>(await Promise.all(asked))
  const entrants: BuiltEntrant[] = []
  const leftOut: LeftOut[] = []
  for (const entrant of all) {
    const { out, warned } = wasBuilt(entrant)
      ? decide(entrant, verdicts.get(entrant) ?? {}, found, options.admitAnyway)
      : { out: entrant, warned: undefined }
    if (warned !== undefined) note(`${entrant.name}: ${warned}`)
    if (out !== undefined) {
      note(`${out.name} is left out: ${withError(out)}`)
      leftOut.push(out)
    } else if (wasBuilt(entrant)) entrants.push(entrant)
  }
  refuseTooFew(work, entrants.length, leftOut)
  return { entrants, leftOut, isolation }
}

/** Returns what asks an entrant; `limitFactor`: times its limits. */
function firstQuestion(
  { resolved: { contest, definition, entries }, options: { jobs, checked, patience }, store, rooms, pool }: RunWork,
  seed: string,
  isolation: BotIsolation,
  note: (text: string) => void,
) {
  const { options, limits } = contest
  const seats = playersOf(contest.format, definition.game.seats.min, entries.length)
  const semaphore = new Semaphore(jobs)
  const calm = patience === undefined ? undefined : backoffOf(patience)
  const asked = { definition, options, seats, seed, limits, gameFile: gameFile(definition) }
  let number = 0
  return async (entrant: BuiltEntrant, limitFactor: number): Promise<Admission> => {
    // This machine may lack what its workers must have: not asked here.
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

function refuseTooFew({ resolved: { contest, definition } }: RunWork, admitted: number, leftOut: readonly LeftOut[]) {
  const least = Math.max(2, entrantsAMatch(contest.format, definition.game.seats.min, 0))
  if (admitted >= least) return
  const all = admitted + leftOut.length
  const mute = leftOut.some((one) => one.mute !== undefined)
  const anyway = mute ? message`; ${option('admitAnyway')} keeps entrants that gave no answer` : ''
  const why = all < least ? 'name more of them' : message`the lines above say what keeps the others out${anyway}`
  throw new UserError(message`${admitted} of ${all} entrants can play and ${least} are needed: ${why}`)
}

/**
 * Whether an entrant is left out, and what is reported of others. Unless it has changed, the run's beginning decides.
 */
function decide(
  { name, hash }: BuiltEntrant,
  { refused, mute, warning }: Admission,
  { before }: Pick<FoundRun, 'before'>,
  anyway = false,
): { readonly out?: LeftOut; readonly warned?: string } {
  const isThis = (known: { readonly name: string; readonly hash: string }) => known.name === name && known.hash === hash
  const decided = before?.mute?.find(isThis)
  if (decided !== undefined && !anyway) return { out: { name, why: decided.why, mute: hash } }
  const why = refused ?? mute
  const stays = before?.entrants.some(isThis) || (anyway && refused === undefined)
  if (why !== undefined && !stays) return { out: { name, why, mute: refused === undefined ? hash : undefined } }
  return { warned: why ?? warning }
}

/** Undefined for a HostError: the machine could start nothing more, so the entrant is asked again. */
function unlessHost(error: unknown): undefined {
  if (!(error instanceof HostError)) throw error
}

/** With the first line of its build's log that speaks of an error. */
export function withError({ why, log }: { readonly why: string; readonly log?: string }): string {
  const line = log?.split('\n').find((text) => /\berror\b/i.test(text))
  return line === undefined ? why : `${why}: ${line.trim()}`
}
