import { join } from 'node:path'
import { type Contest, UserError, derive, shorten, visible } from '../core/index.js'
import { type LoadedContest, type Prepared, prepareEntrants } from '../contest/index.js'
import { type Admission, type Entrant, Turnstile, admit } from '../engine/index.js'
import { canonical } from '../match/index.js'
import type { EntrantInfo } from '../store/index.js'
import type { Vacancies } from '../wires/index.js'
import { type Holding, type IsolationOptions, holdingFor } from './isolation.js'
import { entrantOf } from './prepared.js'
import { tell } from './terminal.js'

/** An entrant that does not play, and why. */
export interface LeftOut {
  readonly name: string
  readonly why: string
  /** What its build said. */
  readonly log?: string
}

export interface Admitted {
  /** In the contest's order. */
  readonly entrants: readonly Entrant[]
  readonly leftOut: readonly LeftOut[]
  /** Beside `entrants`: what they are made of. */
  readonly prepared: readonly Prepared[]
  readonly holding: Holding
  /** Beside `entrants`: all that decides how they play. */
  readonly infos: readonly EntrantInfo[]
}

/** Where entrants are admitted. */
export interface AdmissionPlace {
  readonly seed: string
  readonly workspace: string
  /** A folder for their rooms. */
  readonly rooms: string
  /** Entrants asked at the same time. */
  readonly jobs: number
  /** Takes the cells that were opened, for those who are then seated. */
  readonly vacancies: Vacancies
}

/** Builds the entrants, starts each and asks it a question. Throws UserError where too few are left to play. */
export async function admitEntrants(
  loaded: LoadedContest,
  { seed, workspace, rooms, jobs, vacancies }: AdmissionPlace,
  given: IsolationOptions = {},
): Promise<Admitted> {
  const { contest, kit } = loaded
  const holding = await holdingFor(given, loaded.entries)
  const seats = seatsOf(contest, kit.game.seats.min, loaded.entries.length)
  const turns = new Turnstile(jobs)
  let asked = 0
  const check = (one: Prepared): Promise<Admission> =>
    turns.through(() => {
      const { options, limits } = contest
      const setting = { kit, options, seats, seed, limits, rooms: join(rooms, `admission-${asked++}`) }
      return admit(entrantOf(one, holding, limits, { to: vacancies }), setting)
    })
  const verdicts = new Map<Prepared, Promise<Admission>>()
  const onReady = (one: Prepared): void => {
    const verdict = check(one)
    // Where preparing the others fails, nobody waits for it.
    verdict.catch(() => undefined)
    verdicts.set(one, verdict)
  }
  const all = await prepareEntrants(loaded, { workspace, hold: holding, onNote: note, onReady })
  const leftOut = new Map<string, LeftOut>()
  const leave = (one: LeftOut) => {
    leftOut.set(one.name, one)
    note(`${one.name} is left out: ${withError(one)}`)
  }
  for (const one of all) if (!one.admitted) leave(one)
  const ready = all.flatMap((one) => (one.admitted ? [one] : []))
  // One that failed while builds took the cores is asked again in quiet.
  const early = await Promise.all(ready.map(async (one) => ({ one, verdict: await (verdicts.get(one) ?? check(one)) })))
  const built = ready.some(({ make }) => make.output !== undefined)
  const last = early.map(async ({ one: { name }, one, verdict }) => ({
    name,
    ...(built && !isSound(verdict) ? await check(one) : verdict),
  }))
  for (const { name, refused, warning } of await Promise.all(last)) {
    if (refused !== undefined) leave({ name, why: refused })
    if (warning !== undefined) note(`${name}: ${warning}`)
  }
  const admitted = ready.filter(({ name }) => !leftOut.has(name))
  const least =
    contest.format.kind === 'groups' || contest.format.kind === 'heats'
      ? seats
      : Math.max(2, contest.format.kind === 'free-for-all' ? kit.game.seats.min : 2)
  if (admitted.length < least) {
    const why = all.length < least ? 'name more of them' : 'the lines above say what keeps the others out'
    throw new UserError(`${admitted.length} of ${all.length} entrants can play and ${least} are needed: ${why}`)
  }
  return {
    entrants: admitted.map((one) => entrantOf(one, holding, contest.limits, { from: vacancies })),
    leftOut: all
      .flatMap(({ name }) => leftOut.get(name) ?? [])
      .map(({ name, why, log }) => ({ name, why, ...(log && { log }) })),
    prepared: admitted,
    holding,
    infos: admitted.map((one) => infoOf(one, contest.limits)),
  }
}

/** What is kept of an entrant, and the hash that tells it from one that may play otherwise. */
function infoOf({ name, hash: source, wire, memory, make }: Prepared, limits: Contest['limits']): EntrantInfo {
  const { output, ...known } = make
  const decides = { source, ...known, wire, memory, limits: canonical(limits) }
  return { name, hash: derive('entrant', canonical(decides)), ...decides, ...(output !== undefined && { output }) }
}

/** Why it cannot play, with the first line of its build's log that speaks of an error. */
export function withError({ why, log }: { readonly why: string; readonly log?: string }): string {
  const line = log?.split('\n').find((text) => /\berror\b/i.test(text))
  return line === undefined ? why : `${why}: ${line.trim()}`
}

const isSound = ({ refused, warning }: Admission): boolean => refused === undefined && warning === undefined

const note = (text: string): void => tell(visible(shorten(text, 500)))

/** How many sit in one match. */
function seatsOf({ format }: Contest, least: number, field: number): number {
  if (format.kind === 'groups' || format.kind === 'heats') return format.size ?? least
  return format.kind === 'free-for-all' ? Math.max(least, field) : 2
}
