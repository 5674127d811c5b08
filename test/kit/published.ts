import type { Bot } from '../../src/core/index.js'
import { Arena, type Entrant } from '../../src/engine/index.js'
import gunduel from '../../src/games/gunduel/index.js'
import type { PublishedRun } from '../../src/workers/queue/messages.js'

/** A run of gun duels as workers find it: entrants are modules that remember a match. */
export const publishedDuels = (
  names: readonly string[],
  setup: Partial<PublishedRun['setup']> = {},
  more: Partial<PublishedRun> = {},
): PublishedRun => ({
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
  parcels: [],
  strictTiming: false,
  trust: true,
  ...more,
})

/** Shoots, reloads and waits by its chance alone. */
const randomDuellist: Bot<unknown, string> = (_view, chance) => '0-='.charAt(chance.below(3))

/** The entrants of a published run as an arena seats them. `bots`: by entrant; absent: `randomDuellist`. */
export const duelEntrants = ({ setup }: PublishedRun, bots: readonly Bot<unknown, string>[] = []): Entrant[] =>
  setup.entrants.map(({ name }, i) => ({
    name,
    wire: 'module',
    memory: 'match',
    run: { kind: 'module', load: () => Promise.resolve(bots[i] ?? randomDuellist) },
  }))

/** An arena that plays a published run of gun duels. `bots`: as of `duelEntrants`. */
export const duelArena = (published: PublishedRun, rooms: string, bots: readonly Bot<unknown, string>[] = []): Arena =>
  new Arena(
    { ...published.setup, definition: gunduel, entrants: duelEntrants(published, bots), rooms },
    () => undefined,
  )
