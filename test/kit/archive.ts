import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  type GameDefinition,
  type BotOutput,
  type MatchRecord,
  type Options,
  type Step,
  type Timing,
  below,
  matchLuck,
  outcomeOf,
  unpackOutput,
  allActions,
} from '../../src/core/index.js'
import { Position, judgeContext, formatRecord } from '../../src/match/index.js'

/** A match of random bots, their faults among the rest: a fault in a hundred answers, none with `faults` false. */
export function randomMatch(
  definition: GameDefinition,
  key: string,
  seats: readonly { readonly entrant: string; readonly id: number }[],
  {
    field = seats.length,
    options = definition.game.options,
    faults = true,
  }: { field?: number; options?: Options; faults?: boolean } = {},
): MatchRecord {
  const { game } = definition
  const fixture = {
    agon: 1,
    key,
    game: game.id,
    version: game.version,
    options,
    luck: matchLuck(
      'a report',
      game.id,
      seats.map(({ entrant }) => entrant),
      key.length,
    ),
    field,
    seats: seats.map(({ entrant, id }) => ({ entrant, id, wire: 'module' })),
  } as const
  const position = new Position(judgeContext(definition, fixture), fixture)
  const steps: Step[] = []
  const times: Timing[][] = []
  for (let due = position.due(); due.length > 0; due = position.due()) {
    const { state } = position
    const step = due.map((seat): readonly [number, BotOutput | string] => {
      const chance = `${key}/${steps.length}/${seat}`
      const legal = allActions(game.legal(game.view(state, seat)))
      if (faults && below(100, `${chance}/fault`) === 0)
        return [seat, { trouble: 'timeout', why: 'did not end within 1000 ms' }]
      return [seat, legal[below(Math.max(1, legal.length), chance)] ?? '']
    })
    for (const [seat, output] of step) position.take(seat, unpackOutput(output), game.view(state, seat))
    position.play()
    times.push(
      step.map(([seat, said]) => [
        typeof said === 'string' ? 100 + below(9000, `${key}/${steps.length}/${seat}/time`) : 1_000_400,
      ]),
    )
    steps.push(step)
  }
  const outcome = outcomeOf(definition, position.state, fixture.seats.length)
  if (!outcome) throw new Error('no seat is due and there is no outcome')
  return { ...fixture, ready: [], steps, times, outcome }
}

/** Writes the archive of a small contest between random bots: every group of the game's seats meets so many times. */
export function randomArchive(
  folder: string,
  definition: GameDefinition,
  names: readonly string[],
  {
    repetitions = 2,
    options = definition.game.options,
    size = definition.game.seats.min,
  }: { repetitions?: number; options?: Options; size?: number } = {},
): readonly MatchRecord[] {
  const records: MatchRecord[] = []
  for (const group of groupsOf(names.length, size)) {
    for (let n = 1; n <= repetitions; n++) {
      const order = n % 2 === 0 ? [...group].reverse() : group
      const seats = order.map((id) => ({ entrant: names[id] ?? '', id }))
      const key = `1/${group.map((id) => `e${id}`).join('-')}/${n}`
      records.push(randomMatch(definition, key, seats, { field: names.length, options }))
    }
  }
  const points = names.map((name) =>
    records.reduce((sum, { seats, outcome }) => {
      const own = outcome.place[seats.findIndex(({ entrant }) => entrant === name)]
      const firsts = outcome.place.filter((place) => place === 1).length
      return sum + (own !== 1 ? 0 : firsts > 1 ? 0.5 : 1)
    }, 0),
  )
  const order = names.map((_, i) => i).sort((a, b) => (points[b] ?? 0) - (points[a] ?? 0))
  mkdirSync(folder, { recursive: true })
  const json = (name: string, data: unknown) => writeFileSync(join(folder, name), JSON.stringify(data))
  json('contest.json', {
    agon: '1.0.0',
    title: `A small contest of ${definition.title}`,
    game: definition.game.id,
    seed: 'a report',
    options,
    format: { kind: 'round-robin', repetitions, swap: true, playoff: 0 },
    scoring: { win: 1, draw: 0.5, loss: 0, ties: [] },
    limits: {},
    entrants: names.map((name) => ({ name, language: 'TypeScript', synopsis: `plays at random as ${name}` })),
  })
  json('results.json', {
    standings: order.map((i) => ({
      rank: 1 + points.filter((other) => other > (points[i] ?? 0)).length,
      name: names[i],
      points: points[i],
    })),
    notes: ['made for a test'],
  })
  writeFileSync(join(folder, 'records.jsonl'), records.map((record) => `${formatRecord(record)}\n`).join(''))
  return records
}

/** All choices of k of the numbers below n, in order. */
function groupsOf(n: number, k: number, from = 0): readonly (readonly number[])[] {
  if (k === 0) return [[]]
  return Array.from({ length: Math.max(0, n - from) }, (_, i) => from + i).flatMap((first) =>
    groupsOf(n, k - 1, first + 1).map((rest) => [first, ...rest]),
  )
}
