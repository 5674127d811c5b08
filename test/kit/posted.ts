import gunduel from '../../src/games/gunduel/index.js'
import type { PostedRun } from '../../src/workers/queue/messages.js'
import { TOURNAMENT } from './records.js'

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
