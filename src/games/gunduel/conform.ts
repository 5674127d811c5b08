import type { BotOutput, Me, Wire } from '../../core/index.js'
import { newLuck } from '../../core/index.js'
import { Differences } from '../../core/recorded.js'
import { gunduel } from './rules.js'
import type { Action, State, View } from './rules.js'
import { wires } from './wires.js'

const IDS = [3, 5] as const
const ME: readonly Me[] = [0, 1].map((seat) => ({ seat, ids: IDS, field: 8 }))

/**
 * Replays one recorded duel, `{ a, b, ammo, winner }`, through the rules and through what both historic wires say and hear
 * (rules 14 to 16). Returns what differs, in words; nothing where all agrees. Never throws.
 */
export function conform(line: unknown): readonly string[] {
  const { a, b, ammo, winner } = (typeof line === 'object' && line !== null ? line : {}) as Record<string, unknown>
  if (typeof a !== 'string' || typeof b !== 'string') return ['no histories: "a" and "b" must be texts']
  if (a.length !== b.length) return [`the histories have ${a.length} and ${b.length} turns`]
  const differences = new Differences()
  const wrong = differences.found
  let state = gunduel.setup(2, gunduel.options, newLuck(''))
  for (let turn = 0; turn < a.length; turn++) {
    const chars = [a.charAt(turn), b.charAt(turn)]
    if (gunduel.outcome(state))
      return [...wrong, `the duel was over after ${turn} turns, the record goes on to ${a.length}`]
    wrong.push(...asked(state, [a.slice(0, turn), b.slice(0, turn)]))
    const moves = chars.map((char, seat) => moveOf(state, seat, char, wrong))
    state = gunduel.play(state, moves)
  }
  const outcome = gunduel.outcome(state)
  if (!outcome) return [...wrong, `the duel is not over after ${a.length} turns`]
  const [first, second] = outcome.place
  const won = first === second ? null : first === 1 ? 0 : 1
  differences.compare('histories', state.histories, [a, b])
  differences.compare('ammo', state.ammo, ammo)
  differences.compare('winner', won, winner)
  return wrong
}

/** What the exit wire asks with, held against arguments put together from the record alone. */
function asked(state: State, played: readonly [string, string]): readonly string[] {
  return ME.flatMap((me) => {
    const [own, other] = me.seat === 0 ? played : ([played[1], played[0]] as const)
    const turn = own.length
    const wanted = [IDS[1 - me.seat], turn, 3, rounds(own), rounds(other), ...(turn > 0 ? [own, other] : [])].join(' ')
    const args = (wires.exit.ask(gunduel.view(state, me.seat), me).argv ?? []).join(' ')
    return args === wanted ? [] : [`turn ${turn}: seat ${me.seat} is asked with "${args}", not "${wanted}"`]
  })
}

const rounds = (history: string): number =>
  [...history].reduce((sum, action) => sum + (action === '0' ? 1 : action === '1' ? -1 : action === '2' ? -2 : 0), 0)

/** The recorded character as both wires hear it: as a line and as an exit code. */
function moveOf(state: State, seat: number, char: string, wrong: string[]): ReturnType<Wire<View, Action>['read']> {
  const view = gunduel.view(state, seat)
  const read = (wire: Wire<View, Action>, output: BotOutput) => wire.read(output, view, ME[seat] as Me)
  const byLine = read(wires.lines, { out: char })
  const byCode = read(wires.exit, { exit: char.charCodeAt(0) })
  if (byLine !== char || byCode !== char) wrong.push(`turn ${view.turn}: ${JSON.stringify(char)} is no action`)
  return byLine
}
