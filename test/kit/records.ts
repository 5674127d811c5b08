import type { Entrant, GameDefinition, MatchRecord, Outcome, Run } from '../../src/core/index.js'
import type { PlayableRun, Seatable } from '../../src/engine/index.js'
import type { PlayedMatch } from '../../src/store/port.js'

const NAMES = ['Ant', 'Bee', 'Cat', 'Dog']
export const TOURNAMENT = 'ab'.repeat(16)

/** A run of four entrants. */
export const runOf = (id: string, parts: Partial<Run> = {}): Run => ({
  id,
  agon: '1.2.3',
  file: '/contests/duel.toml',
  contest: {
    title: 'A duel',
    game: 'duel',
    options: { turns: 9 },
    format: { kind: 'round-robin', repetitions: 1, swap: false, playoff: 0 },
    scoring: { win: 1, draw: 0.5, loss: 0, ties: [] },
    limits: {},
  },
  game: { id: 'duel', version: 1, seats: { min: 2, max: 4 } },
  seed: 's',
  tournament: TOURNAMENT,
  out: `/results/${id}`,
  began: '2024-05-01T10:00:00.000Z',
  entrants: entrantsOf(),
  ...parts,
})

export const entrantOf = (name: string, parts: Partial<Entrant> = {}): Entrant => ({
  name,
  facts: {},
  hash: `hash of ${name}`,
  house: false,
  source: 'source',
  build: '[]',
  command: '["sh","bot.sh"]',
  toolchain: 'sh',
  wire: 'turn',
  memory: 'match',
  ...parts,
})

export const entrantsOf = (names: readonly string[] = NAMES): Entrant[] => names.map((name) => entrantOf(name))

type RunParts = Partial<Omit<Run, 'entrants' | 'contest'>> & { readonly contest?: Partial<Run['contest']> }

/** A run of a game. */
export function runWith(
  { game: { id, version, seats, options } }: GameDefinition,
  entrants: readonly Entrant[],
  { contest, ...parts }: RunParts = {},
): Run {
  const run = runOf('run', { game: { id, version, seats }, entrants, ...parts })
  return { ...run, contest: { ...run.contest, game: id, options, ...contest } }
}

/** A run whose bots are seated here, for what plays without a store. */
export const playable = (definition: GameDefinition, bots: readonly Seatable[], parts: RunParts = {}): PlayableRun => ({
  ...runWith(definition, [], parts),
  definition,
  entrants: bots.map((bot, id) => ({ ...entrantOf(bot.name), ...bot, id })),
})

/** A key of 32 hexadecimal digits. */
export const keyOf = (n: number): string => n.toString(16).padStart(32, '0')

/** A match of these entrants, named by their indexes, with these places. */
export function played(place: string, seats: readonly number[], ranks: readonly number[], output = 'x'): PlayedMatch {
  const outcome: Outcome = { place: ranks, reason: 'shot', tally: { life: ranks.map((rank) => 10 - rank) } }
  const record: MatchRecord = {
    agon: 1,
    key: place,
    game: 'duel',
    version: 1,
    options: { turns: 9 },
    luck: { seed: place, at: 0 },
    field: seats.length,
    seats: seats.map((seat, id) => ({ entrant: NAMES[seat] ?? '', wire: 'turn', id })),
    ready: [],
    steps: [seats.map((_, seat) => [seat, output] as const)],
    times: [seats.map(() => [1200] as const)],
    outcome,
  }
  return { record, faults: [], seats, playoff: false }
}
