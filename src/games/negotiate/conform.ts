import { readMove } from '../../core/index.js'
import { type Differences, replayed } from '../../core/recorded.js'
import { OPTIONS } from './options.js'
import { negotiate } from './rules.js'
import { lines as wire } from './wires.js'

/** A recorded game, as the contest's manager played it. */
interface Recorded {
  readonly settings: string
  readonly turns: readonly Turn[]
  readonly strengthIn24ths: readonly number[]
  readonly winner: number | null
}
interface Turn {
  readonly turn: number
  /** What each program was sent, and what it printed. */
  readonly inputs: readonly string[]
  readonly outputs: readonly string[]
}
const SEATS = 4

/** Replays a recorded game by the rules and the line wire; what differs, in words. */
export const conform = (line: unknown): readonly string[] => replayed(line, replay)

function replay(game: Recorded, differences: Differences): void {
  const differ = differences.compare.bind(differences)
  const tape = (game.settings.split('\n')[1] ?? '').split(' ').map(Number)
  let state = negotiate.setup(SEATS, OPTIONS, { seed: '', at: 0, tape })
  const seats = Array.from({ length: SEATS }, (_, seat) => seat)
  const me = (seat: number) => ({ seat, ids: seats, field: SEATS })
  for (const seat of seats) {
    differ(`settings for ${seat}`, sent(wire.start?.(negotiate.view(state, seat), me(seat)).lines), game.settings)
  }
  for (const turn of game.turns) {
    if (negotiate.outcome(state)) return differences.add(`turn ${turn.turn}: recorded, but here the game is over`)
    differ('turn', state.turn, turn.turn)
    const before = state
    const moves = seats.map((seat) => {
      const view = negotiate.view(before, seat)
      const at = `turn ${turn.turn}, seat ${seat}`
      differ(`${at}, input`, sent(wire.ask(view, me(seat)).lines), turn.inputs[seat])
      const output = turn.outputs[seat] ?? ''
      if (!output.endsWith('\n')) differences.add(`${at}: the output ${JSON.stringify(output)} is no whole line`)
      return readMove(negotiate, wire, { out: output.replace(/\n$/, '') }, view, me(seat))
    })
    state = negotiate.play(state, moves)
  }
  const outcome = negotiate.outcome(state)
  const first = seats.filter((seat) => outcome?.place[seat] === 1)
  differ('strength in 24ths', outcome?.tally?.strength24, game.strengthIn24ths)
  differ('winner', outcome && (first.length === 1 ? first[0] : null), game.winner)
}

const sent = (lines: readonly string[] | undefined): string => (lines ?? []).map((line) => `${line}\n`).join('')
