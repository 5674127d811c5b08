import { CARDS, CLAIMS, GIVEN_UP } from './cards.js'
import type { Action, Card, Claim } from './cards.js'

/*
 * The game file is the game's public history: a line a turn, a sign a decision. The turn's player writes a line's even
 * signs, the opponent the odd ones: the unfinished last line tells who is asked what (rules 2.1, 3.1).
 */

export type CoupQuestion =
  'action' | 'foreign aid' | 'claim' | 'steal' | 'assassination' | 'block' | 'challenge' | 'loss' | 'end'

/** The file's unfinished last line; empty where a turn begins. */
export function lastLine(file: string): string {
  return file.slice(file.lastIndexOf('\n') + 1)
}

export function question(line: string): CoupQuestion {
  const last = line.at(-1)
  if (last === undefined) return 'action'
  if (last === 'F') return 'foreign aid'
  if (last === 'E' || last === 'T') return 'claim'
  if (last === 'S') return 'steal'
  if (last === 'A') return 'assassination'
  if ('dacs'.includes(last)) return 'block'
  if (last === 'q') return 'challenge'
  if (last === 'C' || (CARDS as readonly string[]).includes(last)) return 'loss'
  return 'end'
}

/** Whether the player whose turn it is answers next. */
export function ownTurn(line: string): boolean {
  return line.length % 2 === 0
}

/** The card challenged at the end of the line (rule 3.1). */
export function challenged(line: string): Card {
  return CLAIMS[line.at(-2) as Claim]
}

/** Whether an exchange is to be answered: let through, or its challenger has paid (rule 5.1). */
export function exchanging(line: string): boolean {
  return line[0] === 'E' && ownTurn(line) && question(line) === 'end'
}

/** Whether both cards were lost as one was given up: a true assassin challenged, or a bluffed Contessa (rule 3.6). */
export function bothLost(line: string): boolean {
  return line.length === 4 && (line.startsWith('Aq^') || line.startsWith('Asq')) && isGivenUp(line[3])
}

/** Whether the line's action takes place at its end: unopposed, or the block was a bluff (rules 2.11, 3.3). */
export function succeeds(line: string): boolean {
  return line.at(-1) === 'p' || isGivenUp(line.at(-1))
}

/** What a decision adds to the file: its sign, and a newline at the turn's end (rules 8.5 to 8.7). */
export function written(line: string, action: Action): string {
  if (action === 'end' || action.startsWith('keep ')) return '\n'
  return action === 'I' || (isGivenUp(action) && ownTurn(line)) ? `${action}\n` : action
}

function isGivenUp(sign: string | undefined): boolean {
  return (GIVEN_UP as readonly (string | undefined)[]).includes(sign)
}
