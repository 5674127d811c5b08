import type { BotOutput, Me, Wire } from '../../core/index.js'
import { newLuck } from '../../core/index.js'
import { type Differences, replayed } from '../../core/recorded.js'
import { gunduel } from './rules.js'
import type { Action, State, View } from './rules.js'
import { wires } from './wires.js'

const IDS = [3, 5] as const
const ME: readonly Me[] = [0, 1].map((seat) => ({ seat, ids: IDS, field: 8 }))

/** A recorded duel: both histories, and rounds left. */
interface Line {
  readonly a: string
  readonly b: string
  readonly ammo: readonly number[]
  readonly winner: 0 | 1 | null
}

/** Replays a recorded duel by the rules and both historic wires (rules 14 to 16); what differs, in words. */
export const conform = (line: unknown): readonly string[] => replayed(line, replay)

function replay({ a, b, ammo, winner }: Line, differences: Differences): void {
  if (a.length !== b.length) return differences.add(`the histories have ${a.length} and ${b.length} turns`)
  let state = gunduel.setup(2, gunduel.options, newLuck(''))
  for (let turn = 0; turn < a.length; turn++) {
    if (gunduel.outcome(state))
      return differences.add(`the duel was over after ${turn} turns, the record goes on to ${a.length}`)
    asked(state, [a.slice(0, turn), b.slice(0, turn)], differences)
    const before = state
    state = gunduel.play(
      state,
      [a, b].map((history, seat) => moveOf(before, seat, history.charAt(turn), differences)),
    )
  }
  const outcome = gunduel.outcome(state)
  if (outcome === undefined) return differences.add(`the duel is not over after ${a.length} turns`)
  const [first, second] = outcome.place
  differences.compare('histories', state.histories, [a, b])
  differences.compare('ammo', state.ammo, ammo)
  differences.compare('winner', first === second ? null : first === 1 ? 0 : 1, winner)
}

/** What the exit wire asks with, against arguments made from the record alone. */
function asked(state: State, played: readonly [string, string], differences: Differences): void {
  for (const me of ME) {
    const [own, other] = me.seat === 0 ? played : ([played[1], played[0]] as const)
    const turn = own.length
    const wanted = [IDS[1 - me.seat], turn, 3, rounds(own), rounds(other), ...(turn > 0 ? [own, other] : [])].join(' ')
    const args = (wires.exit.ask(gunduel.view(state, me.seat), me).argv ?? []).join(' ')
    differences.compare(`turn ${turn}, arguments of seat ${me.seat}`, args, wanted)
  }
}

const rounds = (history: string): number =>
  [...history].reduce((sum, action) => sum + (action === '0' ? 1 : action === '1' ? -1 : action === '2' ? -2 : 0), 0)

/** The recorded character as both wires hear it: a line and an exit code. */
function moveOf(
  state: State,
  seat: number,
  char: string,
  differences: Differences,
): ReturnType<Wire<View, Action>['read']> {
  const view = gunduel.view(state, seat)
  const read = (wire: Wire<View, Action>, output: BotOutput) => wire.read(output, view, ME[seat] as Me)
  const byLine = read(wires.lines, { out: char })
  const byCode = read(wires.exit, { exit: char.charCodeAt(0) })
  if (byLine !== char || byCode !== char) differences.add(`turn ${view.turn}: ${JSON.stringify(char)} is no action`)
  return byLine
}
