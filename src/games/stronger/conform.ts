import { newLuck, readMove } from '../../core/index.js'
import type { BotOutput, Me, Moves } from '../../core/index.js'
import { trim } from './controller2015.js'
import { game } from './rules.js'
import type { Action, StrongerOptions, State } from './rules.js'
import { turn } from './wires.js'

/** A recorded game, all but `order` by id: what each printed ("T": ran out of time, null: dead), `[life, power]` after the turn. */
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

/**
 * Replays a game recorded from the controller of 2015 through the rules and the wire, with ids that are not the seats' numbers.
 * Returns what differs, a line each: who is asked, arguments sent, the figures after a turn, the end. Stops at the first turn
 * that differs, as all after it would; a line of another shape is a difference too.
 */
export function conform(line: unknown): readonly string[] {
  if (!isLine(line))
    return ['not a recorded game of stronger: {order, turns: [{replies, after}], score}, an entry a bot']
  const ids = line.order.map((_, seat) => line.order.length - 1 - seat)
  const seatOf = (id: number): number => ids.indexOf(id)
  const options: StrongerOptions = { ...game.options, controller: '2015' }
  const tape = line.order.slice(0, -1).map(seatOf)
  let state = game.setup(ids.length, options, { ...newLuck(''), tape })
  let stats = line.order.map(() => [options.life, options.power, 'X'] as readonly (number | string)[])
  for (const [t, { replies, after }] of line.turns.entries()) {
    const where = `turn ${t + 1}`
    const listed = line.order.map((id) => [id, ...(stats[id] ?? [])].join(','))
    const asked = differs(
      `${where}: asked`,
      game.toMove(state).map((seat) => ids[seat]),
      replying(replies),
    )
    const sent = game.toMove(state).flatMap((seat) => {
      const argv = turn.ask(game.view(state, seat), me(seat, ids)).argv ?? []
      return differs(`${where}: arguments of ${ids[seat]}`, argv, [ids[seat], ...listed])
    })
    state = game.play(state, movesOf(state, replies, ids))
    const figures = line.order.flatMap((_, id) => {
      const bot = state.bots.find((one) => one.seat === seatOf(id))
      return differs(`${where}: life and power of ${id}`, [bot?.life, bot?.power], after[id] ?? [])
    })
    const wrong = [...asked, ...sent, ...figures]
    if (wrong.length > 0) return wrong
    stats = stats.map((was, id) => [...(after[id] ?? []), trim(replies[id] ?? String(was[2]))])
  }
  return end(state, line, seatOf)
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

function end(state: State, line: Line, seatOf: (id: number) => number): string[] {
  const outcome = game.outcome(state)
  if (!outcome) return ['the game goes on after the last recorded turn']
  const alone = outcome.place.filter((place) => place === 1).length === 1
  return line.order.flatMap((_, id) => {
    const won = alone && outcome.place[seatOf(id)] === 1
    return differs(`score of ${id}`, won ? [1, outcome.tally?.['life']?.[seatOf(id)]] : [0, 0], line.score[id] ?? [])
  })
}

/** The ids that answered, the last seat's first as the seats are numbered here. */
const replying = (replies: Turn['replies']): number[] =>
  [...replies.keys()].filter((id) => replies[id] !== null).reverse()

function differs(what: string, ours: readonly unknown[], recorded: readonly unknown[]): string[] {
  const same = ours.length === recorded.length && ours.every((value, i) => String(value) === String(recorded[i]))
  return same ? [] : [`${what}: ${ours.join(' ')}, recorded ${recorded.join(' ')}`]
}

function isLine(value: unknown): value is Line {
  if (typeof value !== 'object' || value === null) return false
  const { order, turns, score } = value as Partial<Record<keyof Line, unknown>>
  if (!Array.isArray(order) || order.length < 2) return false
  const pairs = (rows: unknown): boolean =>
    isList(rows, order.length, (row) => isList(row, 2, (n) => Number.isInteger(n)))
  const isTurn = (one: unknown): boolean => {
    if (typeof one !== 'object' || one === null) return false
    const { replies, after } = one as Partial<Record<keyof Turn, unknown>>
    return pairs(after) && isList(replies, order.length, (reply) => reply === null || typeof reply === 'string')
  }
  return (
    [...order.keys()].every((id) => order.includes(id)) && Array.isArray(turns) && turns.every(isTurn) && pairs(score)
  )
}

const isList = (value: unknown, length: number, each: (item: unknown) => boolean): boolean =>
  Array.isArray(value) && value.length === length && value.every(each)
