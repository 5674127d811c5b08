import { newLuck, readMove } from '../../core/index.js'
import type { Moves, Seat } from '../../core/index.js'
import { type Differences, replayed } from '../../core/recorded.js'
import { game } from './rules.js'
import type { Action } from './rules.js'
import { turn } from './wires.js'

/** A recorded game: both histories, `[healthA, healthB, honourA, honourB]` after each turn, and its end. */
interface Line {
  readonly a: string
  readonly b: string
  readonly trace: readonly (readonly number[])[]
  readonly winner: 0 | 1 | null
  readonly why: string
}

/** Replays a recorded game by rules and wire, to the first turn that differs; what differs, in words. */
export const conform = (line: unknown): readonly string[] => replayed(line, replay)

function replay({ a, b, trace, winner, why }: Line, differences: Differences): void {
  const histories = [a, b]
  differences.compare(
    'turns',
    histories.map(({ length }) => length),
    [trace.length, trace.length],
  )
  let state = game.setup(2, game.options, newLuck(''))
  for (const [t, figures] of trace.entries()) {
    const where = `turn ${t + 1}`
    if (game.toMove(state).length === 0) return differences.add(`${where}: recorded, but the game was over`)
    const before = state
    const past = histories.map((history) => history.slice(0, t))
    const moves = histories.map((history, seat) => {
      const view = game.view(before, seat)
      const me = { seat, ids: [0, 1], field: 2 }
      const sent = (turn.ask(view, me).argv ?? []).join(' ')
      differences.compare(`${where}: arguments of seat ${seat}`, sent, args(seat, past, trace[t - 1] ?? [20, 20, 1, 1]))
      return readMove(game, turn, { out: `${history.charAt(t)}\n` }, view, me)
    })
    state = game.play(state, moves as Moves<Action>)
    const { samurai } = state
    differences.compare(
      where,
      [...samurai.map(({ health }) => health), ...samurai.map(({ honour }) => honour)],
      figures,
    )
    const counted = histories.map((history) => history.slice(0, t + 1))
    differences.compare(
      `${where}: actions that counted`,
      samurai.map(({ history }) => history),
      counted,
    )
    if (differences.found.length > 0) return undefined
  }
  const outcome = game.outcome(state)
  if (outcome === undefined) return differences.add('the game goes on after the last recorded turn')
  const [first = 0, second = 0] = outcome.place
  differences.compare('winner', first === second ? null : Number(first > second), winner)
  differences.compare('why', outcome.reason, why)
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
