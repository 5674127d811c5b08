import { UserError } from '../core/index.js'
import { prepareEntrants, type Prepared } from '../build/index.js'
import type { LoadedContest } from '../contest/index.js'
import type { Admission, Entrant } from '../engine/index.js'
import { shorten } from '../text/index.js'
import {
  type Admitted,
  type AdmissionPlace,
  type LeftOut,
  LATE_FACTOR,
  admitEntrants,
  admittedOf,
  decide,
  firstQuestion,
  unlessHost,
  withError,
} from './admit.js'
import type { Context } from './context.js'
import { type IsolationOptions, findBotIsolation } from './isolation.js'

/*
 * Theory of operation.
 *
 * Each entrant is started and asked a question before it plays, and one that gives no answer is left out. Of a thousand programs, each in a
 * sandbox of its own, that takes the better part of a minute. So a large field plays as if all of it were admitted: entrants are tried in
 * the order of the schedule, and a match begins once its entrants were. Almost always all of them answer, and that was it. Where
 * one does not, the matches so far are given up and the run begins anew without it, as if all had been tried first: its entrants, the
 * schedule and the luck of each match follow from the field.
 */

/** Fields from here on are tried while the first matches are played. */
const MANY = 100

/** An entrant is left out of a run that others have begun to play. */
export class LeftOutLater extends UserError {}

/** Entrants that are tried while others play. */
export interface LateAdmission {
  /** Resolves once these, by their indexes, may play. Rejects with a LeftOutLater where one of them may not. */
  until(entrants: Iterable<number>): Promise<void>
  /** Who is in, once all were tried. */
  settled(): Promise<Admitted>
  /** Tries no more entrants. Resolves when none is being tried. */
  close(): Promise<void>
}

/** Who plays in a run; `coming`: some of them are still being tried. */
export interface RunField {
  readonly admitted: Admitted
  readonly coming?: LateAdmission
}

/** Builds and tries the entrants of a run. `order`: in which order they play first. Throws UserError where too few are left to play. */
export async function admitField(
  loaded: LoadedContest,
  place: AdmissionPlace,
  given: IsolationOptions,
  context: Context,
  order: (entrants: readonly Entrant[]) => Iterable<number>,
): Promise<RunField> {
  if (!isTriedWhilePlaying(loaded, place)) return { admitted: await admitEntrants(loaded, place, given, context) }
  const { admitted, coming } = await admitWhilePlaying(loaded, place, given, context, order)
  if (admitted.prepared.every(({ memory }) => memory !== 'tournament')) return { admitted, coming }
  return { admitted: await coming.settled() }
}

/**
 * Whether a field is tried while it plays: a large one, of which nothing has to be built, in a run without observers, and that
 * this process plays from its beginning with bots that do not live through the tournament.
 */
const isTriedWhilePlaying = (
  { contest, entries }: LoadedContest,
  { elsewhere = false, before }: AdmissionPlace,
): boolean =>
  entries.length >= MANY &&
  !elsewhere &&
  before === undefined &&
  contest.memory !== 'tournament' &&
  entries.every(
    ({ spec }) => (spec.build ?? []).length === 0 && spec.class === undefined && spec.memory !== 'tournament',
  )

/** Prepares the entrants, and begins to try them in this order of their indexes; the others come after them. */
async function admitWhilePlaying(
  loaded: LoadedContest,
  place: AdmissionPlace,
  given: IsolationOptions,
  context: Context,
  order: (entrants: readonly Entrant[]) => Iterable<number>,
): Promise<Required<RunField>> {
  const { contest } = loaded
  const note = (text: string): void => context.notice(shorten(text, 500))
  const isolation = await findBotIsolation(given, loaded.entries, context)
  const all = await prepareEntrants(loaded, { workspace: context.workspace, isolation, onNote: note })
  const leftOut = new Map<string, LeftOut>()
  const leave = (one: LeftOut): void => {
    leftOut.set(one.name, one)
    note(`${one.name} is left out: ${withError(one)}`)
  }
  for (const one of all) if (!one.admitted) leave(one)
  const admitted = admittedOf(loaded, all, leftOut, { isolation, pool: place.pool })
  const check = firstQuestion(loaded, place, isolation, note)
  let closed = false
  const verdictOf = async (one: Prepared): Promise<Admission> => {
    if (closed) return {}
    const first = await check(one, 1, () => closed).catch(unlessHost)
    if (first !== undefined && first.mute === undefined) return first
    return check(one, LATE_FACTOR, () => closed)
  }
  const tried = new Map<number, Promise<void>>()
  const attempt = async (one: Prepared): Promise<void> => {
    const { out, warned } = decide(one, await verdictOf(one), contest.limits, place)
    if (warned !== undefined) note(`${one.name}: ${warned}`)
    if (out === undefined) return
    leave(out)
    throw new LeftOutLater(`${one.name} is left out: ${out.why}`)
  }
  for (const n of new Set([...order(admitted.entrants), ...admitted.prepared.keys()])) {
    const trial = attempt(admitted.prepared[n] as Prepared)
    // Its callers get the error.
    trial.catch(() => undefined)
    tried.set(n, trial)
  }
  const over = (): Promise<PromiseSettledResult<void>[]> => Promise.allSettled(tried.values())
  return {
    admitted,
    coming: {
      until: async (entrants) => {
        for (const n of entrants) await tried.get(n)
      },
      settled: async () => {
        for (const result of await over())
          if (result.status === 'rejected' && !(result.reason instanceof LeftOutLater)) throw result.reason
        return admittedOf(loaded, all, leftOut, { isolation, pool: place.pool })
      },
      close: async () => {
        closed = true
        await over()
      },
    },
  }
}
