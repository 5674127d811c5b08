import { newLuck, readMove } from '../../core/index.js'
import type { Moves, Outcome, Seat } from '../../core/index.js'
import { game } from './rules.js'
import type { Action } from './rules.js'
import { turn } from './wires.js'

/** A recorded game: both histories, `[healthA, healthB, honourA, honourB]` after every turn, and how it ended. */
interface Line {
  readonly a: string
  readonly b: string
  readonly trace: readonly (readonly number[])[]
  readonly winner: 0 | 1 | null
  readonly why: string
}

/**
 * Replays a recorded game through the rules and the wire. Returns what differs, a line each: arguments sent, the figures after a
 * turn, the end. Stops at the first turn that differs, as all after it would; a line of another shape is a difference too.
 */
export function conform(line: unknown): readonly string[] {
  if (!isLine(line)) return ['not a recorded samurai game: {a, b, trace, winner, why} with as many figures as letters']
  let state = game.setup(2, game.options, newLuck(''))
  for (const [t, figures] of line.trace.entries()) {
    const where = `turn ${t + 1}`
    if (game.toMove(state).length === 0) return [`${where}: recorded, but the game was over`]
    const before = line.trace[t - 1] ?? [20, 20, 1, 1]
    const histories = [line.a.slice(0, t), line.b.slice(0, t)]
    const moves = [0, 1].map((seat) => {
      const view = game.view(state, seat)
      const me = { seat, ids: [0, 1], field: 2 }
      const sent = turn.ask(view, me).argv ?? []
      const output = { out: `${[line.a, line.b][seat]?.charAt(t)}\n` }
      return {
        move: readMove(game, turn, output, view, me),
        wrong: differs(`${where}: arguments of seat ${seat}`, sent.join(' '), args(seat, histories, before)),
      }
    })
    const wrong = moves.flatMap((one) => one.wrong)
    state = game.play(state, moves.map((one) => one.move) as Moves<Action>)
    const [a, b] = state.samurai
    wrong.push(...differs(where, [a.health, b.health, a.honour, b.honour].join(' '), figures.join(' ')))
    wrong.push(
      ...differs(
        `${where}: actions that counted`,
        a.history + b.history,
        line.a.slice(0, t + 1) + line.b.slice(0, t + 1),
      ),
    )
    if (wrong.length > 0) return wrong
  }
  return end(game.outcome(state), line)
}

function args(
  seat: Seat,
  histories: readonly string[],
  [healthA, healthB, honourA, honourB]: readonly number[],
): string {
  const figures = [healthA, healthB, honourA, honourB].join(' ')
  const swapped = [healthB, healthA, honourB, honourA].join(' ')
  const past = seat === 0 ? histories : [...histories].reverse()
  return `${past[0] === '' ? '' : `${past.join(' ')} `}${seat === 0 ? figures : swapped}`
}

function end(outcome: Outcome | undefined, line: Line): string[] {
  if (!outcome) return ['the game goes on after the last recorded turn']
  const [first, second] = outcome.place
  const winner = first === second ? null : first === 1 ? 0 : 1
  return [...differs('winner', String(winner), String(line.winner)), ...differs('why', outcome.reason, line.why)]
}

function differs(what: string, ours: string, recorded: string): string[] {
  return ours === recorded ? [] : [`${what}: ${ours}, recorded ${recorded}`]
}

function isLine(value: unknown): value is Line {
  if (typeof value !== 'object' || value === null) return false
  const { a, b, trace, winner, why } = value as Partial<Record<keyof Line, unknown>>
  return (
    typeof a === 'string' &&
    typeof b === 'string' &&
    typeof why === 'string' &&
    (winner === 0 || winner === 1 || winner === null) &&
    Array.isArray(trace) &&
    trace.length > 0 &&
    trace.length === a.length &&
    trace.length === b.length &&
    trace.every((row: unknown) => Array.isArray(row) && row.length === 4 && row.every(Number.isInteger))
  )
}
