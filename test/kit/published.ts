import type { Bot, Run } from '../../src/core/index.js'
import { Arena, type PlayableRun } from '../../src/engine/index.js'
import gunduel from '../../src/games/gunduel/index.js'
import type { PublishedRun } from '../../src/workers/queue/messages.js'
import { entrantOf, playable, runWith } from './records.js'

/** A run of gun duels as workers find it: entrants are modules that remember a match. `labels`: by entrant. */
export const publishedDuels = (
  names: readonly string[],
  run: Partial<Run> = {},
  more: Partial<PublishedRun> = {},
): PublishedRun => ({
  agon: 'test',
  run: {
    ...runWith(
      gunduel,
      names.map((name) => entrantOf(name, { house: true, wire: 'module', source: 'a'.repeat(64) })),
      {
        seed: 'secret',
        contest: { options: { ...gunduel.game.options, turns: 4 }, limits: { turn: 60_000 } },
      },
    ),
    ...run,
  },
  parcels: [],
  strictTiming: false,
  trust: true,
  ...more,
})

/** Shoots, reloads and waits by its chance alone. */
const randomDuellist: Bot<unknown, string> = (_view, chance) => '0-='.charAt(chance.below(3))

/** A published run as an arena plays it. `bots`: by entrant; absent: `randomDuellist`. */
export const playableDuels = ({ run }: PublishedRun, bots: readonly Bot<unknown, string>[] = []): PlayableRun => {
  const seats = run.entrants.map((entrant, i) => ({
    ...entrant,
    run: { kind: 'module' as const, load: () => Promise.resolve(bots[i] ?? randomDuellist) },
  }))
  return playable(gunduel, seats, run)
}

/** An arena that plays a published run of gun duels. `bots`: as of `playableDuels`. */
export const duelArena = (published: PublishedRun, rooms: string, bots: readonly Bot<unknown, string>[] = []): Arena =>
  new Arena(playableDuels(published, bots), { rooms }, () => undefined)
