import { type PlayedOut, isFault } from '../../core/index.js'
import type { State } from './rules.js'

/** What the programs are sent (settings, forces, each turn's number and D or N), and what each answered; a fault names lord 0. */
export function transcript({ names, states, moves }: PlayedOut): string {
  const { forces, options } = states[0] as State
  const turns = moves.map((step, i) => {
    const day = i % 2 === 0
    const silent = Array.from({ length: day ? options.day : options.night }, () => 0).join(' ')
    return [`${i + 1} ${day ? 'D' : 'N'}`, ...step.map((move) => (move === null || isFault(move) ? silent : move))]
  })
  return [`${options.turns} ${names.length} ${forces.length}`, forces.join(' '), ...turns.flat(), ''].join('\n')
}
