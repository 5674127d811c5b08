import { derive, newLuck, outcomeOf } from '../../src/core/index.js'
import type { MatchRecord } from '../../src/core/index.js'
import { games } from '../../src/games/index.js'
import type { EntrantInfo } from '../../src/store/data.js'

export const FIELD = 28
export const NAMES = Array.from({ length: FIELD }, (_, n) => `Bot ${n}`)
/** Records of real length are made once, and written under ever new keys. */
export const SHAPES = 500

/** Records of random samurai matches. */
export function shapes(): MatchRecord[] {
  const definition = games.find(({ game }) => game.id === 'samurai')
  if (definition === undefined) throw new Error('there is no samurai')
  const { game } = definition
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
        const legal = game.legal(game.view(state, seat))
        moves[seat] = legal[draw(legal.length)]
      }
      steps.push(due.map((seat) => [seat, `${moves[seat]}\n`]))
      times.push(due.map(() => [3000 + draw(4000)]))
      state = game.play(state, moves)
    }
    const outcome = outcomeOf({ game }, state, 2)
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

/** The field, as the store knows it. */
export const entrants = NAMES.map((name): EntrantInfo => ({
  name,
  hash: derive(name),
  source: derive('source', name),
  build: '[]',
  command: '["sh","bot.sh"]',
  wire: 'turn',
  memory: 'turn',
  limits: '{}',
  toolchain: 'sh',
}))
