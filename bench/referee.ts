import { performance } from 'node:perf_hooks'
import type { AnyGame, GameDefinition, MatchRecord } from '../src/core/index.js'
import { newLuck, allActions } from '../src/core/index.js'
import { games } from '../src/games/index.js'
import { type Setting, playMany, playMatch } from '../src/match/index.js'
import { modulePlayer } from '../src/bots/index.js'
import type { Row } from './kit.js'
import { median } from './kit.js'

export const measures =
  'steps a CPU second through the referee, with random functions as bots: one match at a time, and many'

const ROUNDS = 5
const ROUND_MS = 600
/** Matches that are played at the same time. */
const MANY = 16

function cpu(): number {
  const { user, system } = process.cpuUsage()
  return user + system
}

/** A function that plays at random, each the same again. */
function randomBot(game: AnyGame, from: number): (view: unknown) => string {
  let x = from
  return (view) => {
    const legal = allActions(game.legal(view))
    x ^= x << 13
    x ^= x >>> 17
    x ^= x << 5
    return legal[Math.floor(((x >>> 0) / 2 ** 32) * legal.length)] ?? ''
  }
}

function setting(definition: GameDefinition, n: number): Setting {
  const { game } = definition
  const seats = Array.from({ length: game.seats.min }, (_, id) => ({ entrant: `Bot ${id}`, wire: 'module', id }))
  const { id, version, options } = game
  return {
    definition,
    players: seats.map((_, seat) => modulePlayer(randomBot(game, 7 * n + seat + 1))),
    fixture: { agon: 1, key: String(n), game: id, version, options, luck: newLuck(String(n)), field: 9, seats },
  }
}

async function oneByOne(definition: GameDefinition): Promise<number> {
  const until = performance.now() + ROUND_MS
  const began = cpu()
  let steps = 0
  for (let n = 0; performance.now() < until; n++) {
    const record: MatchRecord = await playMatch(setting(definition, n))
    steps += record.steps.length
  }
  return (steps / (cpu() - began)) * 1e6
}

async function manyAtOnce(definition: GameDefinition): Promise<number> {
  const until = performance.now() + ROUND_MS
  const began = cpu()
  let steps = 0
  const matches = function* (): Generator<Setting> {
    for (let n = 0; performance.now() < until; n++) yield setting(definition, n)
  }
  await playMany(matches(), MANY, (played) => {
    if ('error' in played) throw played.error
    steps += played.record.steps.length
  })
  return (steps / (cpu() - began)) * 1e6
}

export default async function referee(): Promise<readonly Row[]> {
  const rows: Row[] = []
  for (const definition of games) {
    await oneByOne(definition)
    const [one, many]: [number[], number[]] = [[], []]
    for (let round = 0; round < ROUNDS; round++) {
      one.push(await oneByOne(definition))
      many.push(await manyAtOnce(definition))
    }
    const row = (name: string, figures: readonly number[]): Row => {
      return { name: `${definition.game.id}-${name}`, value: median(figures), limit: null, ratio: null, goal: null }
    }
    rows.push(row('match', one), row('many', many))
  }
  return rows
}
