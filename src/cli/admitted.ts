import { join } from 'node:path'
import { type Contest, UserError, derive, shorten, visible } from '../core/index.js'
import { type LoadedContest, type Prepared, prepareEntrants } from '../contest/index.js'
import { type Entrant, admit } from '../engine/index.js'
import { canonical } from '../match/index.js'
import type { EntrantInfo } from '../store/index.js'
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

/** Builds the entrants, starts each and asks it a question. Throws UserError where too few are left to play. */
export async function admitEntrants(
  loaded: LoadedContest,
  seed: string,
  workspace: string,
  rooms: string,
  jobs: number,
  given: IsolationOptions = {},
): Promise<Admitted> {
  const { contest, kit } = loaded
  const holding = await holdingFor(given, loaded.entries)
  const all = await prepareEntrants(loaded, { workspace, hold: holding, onNote: note })
  const leftOut = new Map<string, LeftOut>()
  const leave = (one: LeftOut) => {
    leftOut.set(one.name, one)
    note(`${one.name} is left out: ${withError(one)}`)
  }
  for (const one of all) if (!one.admitted) leave(one)
  const ready = all.flatMap((one) => (one.admitted ? [one] : []))
  const seats = seatsOf(contest, kit.game.seats.min, ready.length)
  await inParallel(jobs, ready, async (one, i) => {
    const { options, limits } = contest
    const setting = { kit, options, seats, seed, limits, rooms: join(rooms, `admission-${i}`) }
    const verdict = await admit(entrantOf(one, holding, limits), setting)
    if (verdict.refused !== undefined) leave({ name: one.name, why: verdict.refused })
    if (verdict.warning !== undefined) note(`${one.name}: ${verdict.warning}`)
  })
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
    entrants: admitted.map((one) => entrantOf(one, holding, contest.limits)),
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

const note = (text: string): void => tell(visible(shorten(text, 500)))

/** How many sit in one match. */
function seatsOf({ format }: Contest, least: number, field: number): number {
  if (format.kind === 'groups' || format.kind === 'heats') return format.size ?? least
  return format.kind === 'free-for-all' ? Math.max(least, field) : 2
}

async function inParallel<T>(
  jobs: number,
  items: readonly T[],
  work: (item: T, index: number) => Promise<void>,
): Promise<void> {
  const rest = items.entries()
  const worker = async () => {
    for (const [i, item] of rest) await work(item, i)
  }
  await Promise.all(Array.from({ length: jobs }, worker))
}
