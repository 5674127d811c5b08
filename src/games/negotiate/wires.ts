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
    ok: (output) => output.trouble === undefined && output.out?.trim() === 'READY',
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

/** The lords of the line in any order, as an action; or why it is none (4.3, 6.4). */
function read(output: BotOutput, view: View): Action | Fault {
  const out = output.out ?? ''
  const words = out.trim().split(/\s+/)
  if (words[0] === '') return { fault: 'silent', why: 'an empty line' }
  const stranger = words.find((word) => !/^\d+$/.test(word))
  if (stranger !== undefined)
    return { fault: 'unparsable', why: `${JSON.stringify(stranger.slice(0, 40))} is no number`, said: out }
  if (words.length !== view.negotiations) {
    return { fault: 'unparsable', why: `${words.length} lords instead of ${view.negotiations}`, said: out }
  }
  const lords = words.map(Number)
  const outside = lords.find((lord) => lord >= view.forces.length)
  return outside === undefined ? actionOf(lords) : { fault: 'illegal', why: `there is no lord ${outside}`, said: out }
}
