import type { Bot } from '../../src/core/index.js'
import { Arena, type Entrant } from '../../src/engine/index.js'
import gunduel from '../../src/games/gunduel/index.js'
import type { RunStore } from '../../src/store/index.js'
import type { PostedRun } from '../../src/workers/queue/messages.js'
import { TOURNAMENT, entrantsOf, runOf } from './records.js'

/** A run of gun duels as workers find it: entrants are modules that remember a match. */
export const postedDuels = (
  names: readonly string[],
  setup: Partial<PostedRun['setup']> = {},
  more: Partial<PostedRun> = {},
): PostedRun => ({
  agon: 'test',
  setup: {
    game: { id: gunduel.game.id, version: gunduel.game.version },
    options: { ...gunduel.game.options, turns: 4 },
    entrants: names.map((name) => ({
      name,
      house: true,
      admitted: true,
      wire: 'module',
      memory: 'match',
      hash: 'a'.repeat(64),
      make: { build: '', command: '', toolchain: '' },
    })),
    ids: names.map((_, i) => i),
    seed: 'secret',
    limits: { turn: 60_000 },
    ...setup,
  },
  tournament: TOURNAMENT,
  hashes: names.map((name) => `hash of ${name}`),
  parcels: [],
  strictTiming: false,
  trust: true,
  ...more,
})

/** Shoots, reloads and waits by its chance alone. */
export const randomDuellist: Bot<unknown, string> = (_view, chance) => '0-='.charAt(chance.below(3))

/** The entrants of a posted run as an arena seats them. `bots`: by entrant; absent: `randomDuellist`. */
export const duelEntrants = ({ setup }: PostedRun, bots: readonly Bot<unknown, string>[] = []): Entrant[] =>
  setup.entrants.map(({ name }, i) => ({
    name,
    wire: 'module',
    memory: 'match',
    run: { kind: 'module', load: () => Promise.resolve(bots[i] ?? randomDuellist) },
  }))

/** An arena that plays a posted run of gun duels. `bots`: as of `duelEntrants`. */
export const duelArena = (posted: PostedRun, rooms: string, bots: readonly Bot<unknown, string>[] = []): Arena =>
  new Arena({ ...posted.setup, definition: gunduel, entrants: duelEntrants(posted, bots), rooms }, () => undefined)

/** Has a store know the run 'run', of these entrants. */
export async function addRun(store: Pick<RunStore, 'addRun'>, names: readonly string[]): Promise<void> {
  const { plan, ...info } = runOf('run')
  await store.addRun({ ...info, plan: { ...plan, names } }, entrantsOf(names))
}
