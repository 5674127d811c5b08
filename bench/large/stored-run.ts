import {
  derive,
  newLuck,
  outcomeOf,
  type Run,
  type FormatSpec,
  type MatchRecord,
  type Pairing,
  type Series,
  type TournamentSpec,
  type Match,
  allActions,
} from '../../src/core/index.js'
import { createWriteStream, mkdirSync, writeFileSync } from 'node:fs'
import { once } from 'node:events'
import { join } from 'node:path'
import samurai from '../../src/games/samurai/index.js'
import { createTournament } from '../../src/tournament/index.js'
import type { PlayedJob } from '../../src/store/port.js'

/** The command as it is installed. */
export const MAIN = join(import.meta.dirname, '../../dist/bundle/main.js')

const FIELD = 28
export const NAMES = Array.from({ length: FIELD }, (_, n) => `Bot${n}`)
/** Records of real length are made once, and written under ever new keys. */
const SHAPES = 500

const { game } = samurai

/** Records of random matches. */
function shapes(): MatchRecord[] {
  let x = 12345
  const draw = (n: number): number => {
    x ^= x << 13
    x ^= x >>> 17
    x ^= x << 5
    return (x >>> 0) % n
  }
  return Array.from({ length: SHAPES }, (_, n) => {
    const luck = newLuck(derive('bench', n))
    let state = game.setup(2, game.options, luck)
    const steps: [number, string][][] = []
    const times: [number][][] = []
    for (let due = game.toMove(state); due.length > 0; due = game.toMove(state)) {
      const moves: (string | undefined)[] = [undefined, undefined]
      for (const seat of due) {
        const legal = allActions(game.legal(game.view(state, seat)))
        moves[seat] = legal[draw(legal.length)]
      }
      steps.push(due.map((seat) => [seat, `${moves[seat]}\n`]))
      times.push(due.map(() => [3000 + draw(4000)]))
      state = game.play(state, moves)
    }
    const outcome = outcomeOf(samurai, state, 2)
    if (outcome === undefined) throw new Error('a match without an end')
    const seats = [0, 1].map((id) => ({ entrant: '', wire: 'turn', id }))
    return {
      agon: 1,
      game: game.id,
      version: 1,
      options: game.options,
      luck,
      field: 2,
      seats,
      ready: [],
      steps,
      times,
      outcome,
    }
  })
}

/** The jobs of a run of so many matches: everyone meets everyone, over and over, one deal of each pair at a time, in both orders of seats. */
export function* jobsOf(matches: number): Generator<PlayedJob> {
  const kinds = shapes()
  const series = createTournament(specOf(matches)).next(new Map())?.series ?? []
  for (let n = 0; 2 * n < matchesOf(matches); n++) {
    const { pairings } = series[n % series.length] as Series
    const deal = 2 * Math.floor(n / series.length)
    const both = pairings
      .slice(deal, deal + 2)
      .map((pairing, i) => match(kinds[(2 * n + i) % SHAPES] as MatchRecord, pairing, n))
    yield { key: derive('unit', n), matches: both }
  }
}

/** The next so many of them; fewer at the end. */
export function take<T>(from: Iterator<T>, count: number): T[] {
  const taken: T[] = []
  for (let next; taken.length < count && !(next = from.next()).done;) taken.push(next.value)
  return taken
}

/** A match of the nth deal. */
function match(shape: MatchRecord, { key, seats: who }: Pairing, n: number): Match {
  const seats = shape.seats.map((seat, i) => ({
    ...seat,
    entrant: NAMES[who[i] as number] as string,
    id: who[i] as number,
  }))
  const record = { ...shape, key, field: FIELD, luck: newLuck(derive('luck', n)), seats }
  const faults: Match['faults'] = n % 100 === 0 ? [{ seat: 0, turn: 3, fault: 'timeout' }] : []
  return { record, faults, seats: [...who], playoff: false }
}

/** How often each pair meets, for so many matches at least. */
const repetitions = (matches: number): number => 2 * Math.ceil(matches / (FIELD * (FIELD - 1)))

const formatOf = (matches: number): FormatSpec => ({
  kind: 'round-robin',
  repetitions: repetitions(matches),
  swap: true,
  playoff: 0,
})
const scoring = { win: 1, draw: 0.5, loss: 0, ties: [] } as const
const seats = { min: 2, max: 2 }

const specOf = (matches: number): TournamentSpec => ({
  format: formatOf(matches),
  scoring,
  names: NAMES,
  seats,
  shuffled: false,
  seed: 'bench',
})

/** How many matches a run that is asked for so many has: each pair meets equally often. */
export const matchesOf = (matches: number): number => (repetitions(matches) * FIELD * (FIELD - 1)) / 2

/** The run that holds them. `contest`: the path of its file. */
export const runOf = (contest: string, matches: number): Run => ({
  id: 'bench',
  agon: 'bench',
  file: contest,
  contest: {
    title: 'Bench',
    game: 'samurai',
    options: game.options,
    format: formatOf(matches),
    scoring,
    limits: {},
  },
  game: { id: 'samurai', version: 1, seats },
  seed: 'bench',
  out: `${contest}.out`,
  began: new Date().toISOString(),
  tournament: derive('tournament'),
  entrants: NAMES.map((name) => ({
    name,
    facts: {},
    hash: derive(name),
    house: false,
    source: derive('source', name),
    build: '[]',
    command: '["sh","bot.sh"]',
    toolchain: 'sh',
    wire: 'turn',
    memory: 'turn',
  })),
})

/** Writes the results folder of the run, as far as a report needs it. */
export async function writeFolder(contest: string, matches: number): Promise<void> {
  const {
    out,
    contest: rules,
    game: { id: name },
    seed,
    agon,
  } = runOf(contest, matches)
  mkdirSync(out)
  const { title, options, format, limits } = rules
  const facts = {
    agon,
    title,
    game: name,
    seed,
    options,
    format,
    scoring,
    limits,
    entrants: NAMES.map((one) => ({ name: one })),
  }
  writeFileSync(join(out, 'contest.json'), JSON.stringify(facts))
  const standings = NAMES.map((one, n) => ({ rank: n + 1, name: one, points: 0 }))
  writeFileSync(join(out, 'results.json'), JSON.stringify({ standings }))
  const records = createWriteStream(join(out, 'records.jsonl'))
  for (const { matches: list } of jobsOf(matches)) {
    for (const { record } of list) if (!records.write(`${JSON.stringify(record)}\n`)) await once(records, 'drain')
  }
  records.end()
  await once(records, 'finish')
}
