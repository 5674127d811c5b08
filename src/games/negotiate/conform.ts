import { readMove } from '../../core/index.js'
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

/** Replays one recorded game through the rules and the line wire; what differs, in words. */
export function conform(line: unknown): readonly string[] {
  const flaw = flawOf(line)
  if (flaw) return [`not a recorded game: ${flaw}`]
  try {
    return replay(line as Recorded)
  } catch (error) {
    return [`cannot be replayed: ${error instanceof Error ? error.message : String(error)}`]
  }
}

function replay(game: Recorded): readonly string[] {
  const differences: string[] = []
  const differ = (where: string, ours: unknown, theirs: unknown): void => {
    const [a, b] = [JSON.stringify(ours), JSON.stringify(theirs)]
    if (a !== b) differences.push(`${where}: ${a} here, ${b} recorded`)
  }
  const tape = (game.settings.split('\n')[1] ?? '').split(' ').map(Number)
  let state = negotiate.setup(SEATS, OPTIONS, { seed: '', at: 0, tape })
  const seats = Array.from({ length: SEATS }, (_, seat) => seat)
  const me = (seat: number) => ({ seat, ids: seats, field: SEATS })
  for (const seat of seats) {
    differ(`settings for ${seat}`, sent(wire.start?.(negotiate.view(state, seat), me(seat)).lines), game.settings)
  }
  for (const turn of game.turns) {
    if (negotiate.outcome(state)) return [...differences, `turn ${turn.turn}: recorded, but here the game is over`]
    differ('turn', state.turn, turn.turn)
    const before = state
    const moves = seats.map((seat) => {
      const view = negotiate.view(before, seat)
      const at = `turn ${turn.turn}, seat ${seat}`
      differ(`${at}, input`, sent(wire.ask(view, me(seat)).lines), turn.inputs[seat])
      const output = turn.outputs[seat] ?? ''
      if (!output.endsWith('\n')) differences.push(`${at}: the output ${JSON.stringify(output)} is no whole line`)
      const move = readMove(negotiate, wire, { out: output.replace(/\n$/, '') }, view, me(seat))
      if (typeof move !== 'string')
        differences.push(`${at}: the output ${JSON.stringify(output)} is a fault here: ${move.why}`)
      return move
    })
    state = negotiate.play(state, moves)
  }
  const outcome = negotiate.outcome(state)
  const first = seats.filter((seat) => outcome?.place[seat] === 1)
  differ('strength in 24ths', outcome?.tally?.strength24, game.strengthIn24ths)
  differ('winner', outcome && (first.length === 1 ? first[0] : null), game.winner)
  return differences
}

const sent = (lines: readonly string[] | undefined): string => (lines ?? []).map((line) => `${line}\n`).join('')

/** What keeps a parsed line from being a recorded game; undefined: nothing. */
function flawOf(line: unknown): string | undefined {
  if (!isObject(line)) return 'no JSON object'
  if (typeof line.settings !== 'string') return 'settings is no text'
  if (!isListOf(line.strengthIn24ths, 'number')) return 'strengthIn24ths is no list of numbers'
  if (line.winner !== null && typeof line.winner !== 'number') return 'winner is neither a seat nor null'
  if (!Array.isArray(line.turns)) return 'turns is no list'
  const bad = line.turns.findIndex((turn) => !isTurn(turn))
  return bad < 0 ? undefined : `turn ${bad + 1} is malformed`
}

function isTurn(turn: unknown): turn is Turn {
  if (!isObject(turn) || typeof turn.turn !== 'number') return false
  return [turn.inputs, turn.outputs].every((texts) => isListOf(texts, 'string') && texts.length === SEATS)
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isListOf(value: unknown, type: 'string' | 'number'): value is readonly unknown[] {
  return Array.isArray(value) && value.every((each) => typeof each === type)
}
