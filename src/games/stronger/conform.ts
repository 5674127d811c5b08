import { newLuck, readMove } from '../../core/index.js'
import type { BotOutput, Me, Moves } from '../../core/index.js'
import { type Differences, replayed } from '../../core/recorded.js'
import { trim } from './controller2015.js'
import { game } from './rules.js'
import type { Action, StrongerOptions, State } from './rules.js'
import { turn } from './wires.js'

/** A recorded game, by id but for `order`: prints ("T": out of time, null: dead), `[life, power]` after the turn. */
interface Line {
  readonly order: readonly number[]
  readonly turns: readonly Turn[]
  /** `[games won, life left in them]`. */
  readonly score: readonly (readonly number[])[]
}
interface Turn {
  readonly replies: readonly (string | null)[]
  readonly after: readonly (readonly number[])[]
}

/** Replays a game of the 2015 controller, ids unlike seats, to the first turn that differs; what differs. */
export const conform = (line: unknown): readonly string[] => replayed(line, replay)

function replay({ order, turns, score }: Line, differences: Differences): void {
  const ids = order.map((_, seat) => order.length - 1 - seat)
  const seatOf = (id: number): number => ids.indexOf(id)
  const options: StrongerOptions = { ...game.options, controller: '2015' }
  const tape = order.slice(0, -1).map(seatOf)
  let state = game.setup(ids.length, options, { ...newLuck(''), tape })
  let stats = order.map(() => [options.life, options.power, 'X'] as readonly (number | string)[])
  for (const [t, { replies, after }] of turns.entries()) {
    const where = `turn ${t + 1}`
    const due = game.toMove(state)
    differences.compare(
      `${where}: asked`,
      due.map((seat) => ids[seat]),
      replying(replies),
    )
    const listed = order.map((id) => [id, ...(stats[id] ?? [])].join(','))
    for (const seat of due) {
      const { argv } = turn.ask(game.view(state, seat), me(seat, ids))
      differences.compare(`${where}: arguments of ${ids[seat]}`, argv, [String(ids[seat]), ...listed])
    }
    state = game.play(state, movesOf(state, replies, ids))
    const bots = order.map((_, id) => state.bots.find((one) => one.seat === seatOf(id)))
    differences.compare(
      `${where}: life and power by id`,
      bots.map((bot) => [bot?.life, bot?.power]),
      after,
    )
    if (differences.found.length > 0) return undefined
    stats = stats.map((was, id) => [...(after[id] ?? []), trim(replies[id] ?? String(was[2]))])
  }
  const outcome = game.outcome(state)
  if (outcome === undefined) return differences.add('the game goes on after the last recorded turn')
  const alone = outcome.place.filter((place) => place === 1).length === 1
  const won = (seat: number): boolean => alone && outcome.place[seat] === 1
  const scores = order.map((_, id) => (won(seatOf(id)) ? [1, outcome.tally?.['life']?.[seatOf(id)]] : [0, 0]))
  differences.compare('score by id', scores, score)
}

const me = (seat: number, ids: readonly number[]): Me => ({ seat, ids, field: ids.length })

function movesOf(state: State, replies: Turn['replies'], ids: readonly number[]): Moves<Action> {
  return ids.map((id, seat) => {
    const reply = replies[id]
    if (typeof reply !== 'string') return undefined
    const output: BotOutput = reply === 'T' ? { trouble: 'timeout' } : { out: `${reply}\n` }
    return readMove(game, turn, output, game.view(state, seat), me(seat, ids))
  })
}

/** The ids that answered, the last seat first as numbered here. */
const replying = (replies: Turn['replies']): number[] =>
  [...replies.keys()].filter((id) => replies[id] !== null).reverse()
