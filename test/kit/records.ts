import type { MatchRecord, Outcome } from '../../src/core/index.js'
import type { EntrantInfo, PlayedMatch, RunInfo } from '../../src/store/data.js'

const NAMES = ['Ant', 'Bee', 'Cat', 'Dog']
export const TOURNAMENT = 'ab'.repeat(16)

/** A run of four entrants. */
export const runOf = (id: string, parts: Partial<RunInfo> = {}): RunInfo => ({
  id,
  agon: '1.2.3',
  contest: '/contests/duel.toml',
  title: 'A duel',
  game: 'duel',
  version: 1,
  seed: 's',
  out: `/results/${id}`,
  began: '2024-05-01T10:00:00.000Z',
  state: 'open',
  tournament: TOURNAMENT,
  identity: { game: 'duel version 1' },
  plan: {
    options: { turns: 9 },
    format: { kind: 'round-robin', repetitions: 1, swap: false, playoff: 0 },
    scoring: { win: 1, draw: 0.5, loss: 0, ties: [] },
    limits: {},
    names: NAMES,
    seats: { min: 2, max: 4 },
    shuffled: false,
  },
  ...parts,
})

export const entrantsOf = (names: readonly string[] = NAMES): EntrantInfo[] =>
  names.map((name) => ({
    name,
    hash: `hash of ${name}`,
    source: 'source',
    build: '[]',
    command: '["sh","bot.sh"]',
    wire: 'turn',
    memory: 'match',
    limits: '{}',
    toolchain: 'sh',
  }))

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
