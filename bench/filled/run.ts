import { createTournament } from '../../src/tournament/index.js'
import { derive, matchLuck } from '../../src/core/index.js'
import type { MatchRecord, TournamentSpec } from '../../src/core/index.js'
import { openStore } from '../../src/store/index.js'
import { NAMES, SHAPES, entrants, shapes } from './shapes.js'

const BATCH = 2000
const SEED = 'filled'

/** Fills a workspace with one finished round robin of about so many matches, and returns how many there are. */
export async function fillWorkspace(workspace: string, matches: number): Promise<number> {
  const pairs = (NAMES.length * (NAMES.length - 1)) / 2
  const spec: TournamentSpec = {
    format: { kind: 'round-robin', repetitions: Math.max(1, Math.round(matches / pairs)), swap: true, playoff: 0 },
    scoring: { win: 1, draw: 0.5, loss: 0, ties: [] },
    names: NAMES,
    seed: SEED,
    seats: { min: 2, max: 2 },
    shuffled: false,
  }
  const { format, scoring, names, seats, shuffled } = spec
  const store = openStore(workspace, 'bench')
  try {
    await store.addRun(
      {
        id: 'filled',
        agon: 'bench',
        contest: '/bench/filled.toml',
        title: 'Filled',
        game: 'samurai',
        version: 1,
        seed: SEED,
        out: '/bench/filled',
        began: new Date().toISOString(),
        state: 'open',
        tournament: derive('tournament'),
        identity: {},
        plan: { options: {}, format, scoring, limits: {}, names, seats, shuffled },
      },
      entrants,
    )
    const pairings =
      createTournament(spec)
        .next(new Map())
        ?.series.flatMap((one) => one.pairings) ?? []
    const kinds = shapes()
    for (let from = 0; from < pairings.length; from += BATCH) {
      const jobs = pairings.slice(from, from + BATCH).map(({ key, seats: who, deal }, i) => {
        const shape = kinds[(from + i) % SHAPES] as MatchRecord
        const called = who.map((entrant) => NAMES[entrant] as string)
        const record: MatchRecord = {
          ...shape,
          key,
          luck: matchLuck(SEED, 'samurai', called, deal),
          seats: shape.seats.map((seat, n) => ({ ...seat, entrant: called[n] as string })),
        }
        return { key: derive('unit', key), matches: [{ record, faults: [], seats: who, playoff: false }] }
      })
      await store.record('filled', jobs)
    }
    await store.setState('filled', 'finished')
    return pairings.length
  } finally {
    await store.close()
  }
}
