import { join } from 'node:path'
import { type Contest, UserError, shorten, visible } from '../core/index.js'
import { type LoadedContest, type Prepared, prepareEntrants } from '../contest/index.js'
import { type Entrant, admit } from '../engine/index.js'
import { entrantOf } from './prepared.js'
import { tell } from './terminal.js'

export interface Admitted {
  readonly entrants: readonly Entrant[]
  /** By name: what the entrant is, source and wire and memory. */
  readonly hashes: ReadonlyMap<string, string>
}

/** Builds the entrants, starts each and asks it a question. Throws UserError where too few are left to play. */
export async function admitEntrants(
  loaded: LoadedContest,
  seed: string,
  workspace: string,
  rooms: string,
  jobs: number,
): Promise<Admitted> {
  const { contest, kit } = loaded
  const all = await prepareEntrants(loaded, { workspace, onNote: note })
  const ready = all.filter((one): one is Prepared => one.admitted)
  for (const one of all) if (!one.admitted) note(`${one.name} is left out: ${one.why}`)
  const seats = seatsOf(contest, kit.game.seats.min, ready.length)
  const refused = new Set<string>()
  await inParallel(jobs, ready, async (one, i) => {
    const setting = {
      kit,
      options: contest.options,
      seats,
      seed,
      limits: contest.limits,
      rooms: join(rooms, `admission-${i}`),
    }
    const verdict = await admit(entrantOf(one), setting)
    if (verdict.refused !== undefined) {
      refused.add(one.name)
      note(`${one.name} is not admitted: ${shorten(verdict.refused, 400)}`)
    }
    if (verdict.warning !== undefined) note(`${one.name}: ${shorten(verdict.warning, 400)}`)
  })
  const admitted = ready.filter(({ name }) => !refused.has(name))
  const least =
    contest.format.kind === 'groups'
      ? seats
      : Math.max(2, contest.format.kind === 'free-for-all' ? kit.game.seats.min : 2)
  if (admitted.length < least) {
    throw new UserError(
      `${admitted.length} of ${all.length} entrants can play and ${least} are needed; the lines above say what keeps the others out`,
    )
  }
  return {
    entrants: admitted.map(entrantOf),
    hashes: new Map(admitted.map(({ name, hash, wire, memory }) => [name, `${hash} ${wire} ${memory}`])),
  }
}

const note = (text: string): void => tell(visible(text))

/** How many sit in one match. */
function seatsOf({ format }: Contest, least: number, field: number): number {
  if (format.kind === 'groups') return format.size ?? least
  return format.kind === 'free-for-all' ? Math.max(least, field) : 2
}

async function inParallel<T>(
  jobs: number,
  items: readonly T[],
  work: (item: T, index: number) => Promise<void>,
): Promise<void> {
  let next = 0
  const worker = async () => {
    for (let i = next++; i < items.length; i = next++) await work(items[i] as T, i)
  }
  await Promise.all(Array.from({ length: jobs }, worker))
}
