import type { Fault, BotOutput, Wire } from '../../core/index.js'
import { actionOf } from './view.js'
import type { Action, View } from './view.js'

/** A process a game that prints READY, then answers lines with lines (RULES.md 6). */
export const lines: Wire<View, Action> = {
  transport: 'lines',
  summary: 'a process a game: READY, then the turn on standard input and the lords to negotiate with as a line',
  anonymous: true,
  memory: 'match',
  limits: { ready: 5000, turn: 1000 },
  ready: {
    at: 'match',
    within: 'ready',
    expects: 'print READY',
    ok: (output) => output.trouble === undefined && output.out?.trim().toLowerCase() === 'ready',
  },
  start: (view) => ({
    lines: [`${view.turns} ${view.strength24.length} ${view.forces.length}`, view.forces.join(' ')],
  }),
  ask: (view) => ({
    lines: [
      `${view.turn} ${view.day ? 'D' : 'N'}`,
      ...view.intimacy.map((row) => row.join(' ')),
      view.real.join(' '),
      ...(view.day ? [view.visits.join(' ')] : []),
    ],
  }),
  read,
}

/** The lords of the first words; lord 0 for each that names none (6.5); a line without any is a fault (4.4). */
function read({ out = '' }: BotOutput, view: View): Action | Fault {
  const words = out.split(/[ \t\r]+/).filter((word) => word !== '')
  if (words.length === 0) return { fault: 'silent', why: 'an empty line' }
  const lords = Array.from({ length: view.negotiations }, (_, k) => lordOf(words[k], view.forces.length))
  if (lords.every((lord) => lord === undefined))
    return { fault: 'unparsable', why: `names no lord from 0 to ${view.forces.length - 1}`, said: out }
  return actionOf(lords.map((lord) => lord ?? 0))
}

/** The lord that a word names, as the contest's manager read it (6.6). Undefined: none. */
function lordOf(word = '', lords: number): number | undefined {
  const lord = Number.parseInt(word)
  return lord >= 0 && lord < lords ? lord : undefined
}
