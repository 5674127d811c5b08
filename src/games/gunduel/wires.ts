import type { Fault, BotOutput, Me, Outcome, Wire } from '../../core/index.js'
import { conventions } from './conventions.js'
import { ACTIONS } from './rules.js'
import type { Action, View } from './rules.js'

const limits = { turn: 1000 }
const opponent = (me: Me): number => me.ids[1 - me.seat] ?? -1
const unparsable = (why: string, said?: string): Fault => ({
  fault: 'unparsable',
  why,
  said,
})
const actionOf = (text: string): Action | undefined => ACTIONS.find((action) => action === text)

/** 0 a draw, 1 a win, 2 a loss, as in rule 15 and the class's `Result`. */
function status({ place }: Outcome, me: Me): number {
  return place[0] === place[1] ? 0 : place[me.seat] === 1 ? 1 : 2
}

/** The arguments of a call by exit code (rule 14). */
function args(view: View, me: Me, code: number): readonly string[] {
  const numbers = [opponent(me), view.turn, code, view.ammo, view.opponentAmmo].map(String)
  return view.turn === 0 ? numbers : [...numbers, view.history, view.opponentHistory]
}

/** A line with only the action; blanks and a carriage return around it do not count (rule 16). */
function readLine({ out = '' }: BotOutput): Action | Fault {
  const text = out.trim()
  if (text === '') return { fault: 'silent', why: 'an empty line' }
  return actionOf(text) ?? unparsable('not one of 0 1 2 - =', out)
}

const exit: Wire<View, Action> = {
  transport: 'turn',
  summary: 'a process a turn: the position in the arguments, the ASCII code of the action as exit code',
  limits,
  ask: (view, me) => ({ argv: args(view, me, 3) }),
  read: ({ exit: code = 0 }) =>
    actionOf(String.fromCharCode(code)) ?? unparsable(`exit code ${code} is not that of 0 1 2 - = (48 49 50 45 61)`),
  end: (view, outcome, me) => ({ argv: args(view, me, status(outcome, me)) }),
}

const lines: Wire<View, Action> = {
  transport: 'lines',
  memory: 'tournament',
  summary: 'lines on a process that stays: I<opponent> opens a duel, F asks, P<action> tells what the opponent did',
  limits,
  start: (_view, me) => ({ lines: [`I${opponent(me)}`] }),
  ask: () => ({ lines: ['F'] }),
  read: readLine,
  update: (view) => (view.over === 'fault' ? undefined : { lines: [`P${view.opponentHistory.slice(-1)}`] }),
}

/** Rule 21's lines, which the program in `shim/` makes calls of the class. */
function classWire(letter: 'I' | 'J', summary: string): Wire<View, Action> {
  return {
    ...lines,
    summary,
    shim: 'shim',
    conventions,
    start: (view, me) => ({ lines: [`${letter}${opponent(me)} ${view.ammo}`] }),
    update: (view) =>
      view.over === 'fault' ? undefined : { lines: [`P${view.opponentHistory.slice(-1)}${view.history.slice(-1)}`] },
    end: (_view, outcome, me) => ({ lines: [`R${status(outcome, me)}`] }),
  }
}

export const wires = {
  exit,
  lines,
  class: classWire('I', 'a C++ class that inherits Player, in a process that stays'),
  'class-original': classWire(
    'J',
    "as class, but of the opponent's actions the class knows only what its own perceive notes, as in 2017",
  ),
} as const
