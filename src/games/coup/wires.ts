import type { Fault, BotOutput, Wire } from '../../core/index.js'
import type { Action } from './cards.js'
import { lastLine, written } from './line.js'
import { offered } from './view.js'
import type { View } from './view.js'

/** A process a decision: a game file to append to; arguments: coins, cards, legal moves (RULES.md 8). */
export const file: Wire<View, Action> = {
  transport: 'turn',
  summary: 'a process a decision that appends its move to game.txt; coins, cards and legal moves as arguments',
  anonymous: true,
  memory: 'tournament',
  limits: { turn: 1000 },
  file: 'game.txt',
  ask: (view) => ({
    argv: [String(view.theirCoins), String(view.coins), view.drawn + view.cards, ...texts(view)],
    file: view.file,
  }),
  read,
}

/** What was appended and, in an exchange, printed, as an action; or why none (8.9 to 8.12). */
function read(output: BotOutput, view: View): Action | Fault {
  if (output.exit) return { fault: 'unparsable', why: `exit code ${output.exit}` }
  const after = output.file
  if (after === undefined) return { fault: 'unparsable', why: 'removed the file' }
  if (after === view.file) return { fault: 'silent', why: 'appended nothing to the file' }
  const added = after.slice(view.file.length)
  if (!after.startsWith(view.file) || added.length > 2) {
    return { fault: 'unparsable', why: 'altered the file', said: added }
  }
  if (!texts(view).includes(added)) {
    return {
      fault: 'illegal',
      why: `appended ${JSON.stringify(added)}, which is not among the legal moves`,
      said: added,
    }
  }
  if (view.drawn !== '') return readExchange(output, view)
  const line = lastLine(view.file)
  return offered(view).find((action) => written(line, action) === added) as Action
}

function readExchange(output: BotOutput, view: View): Action | Fault {
  const kept = (output.out ?? '').trim()
  if (kept === '') return { fault: 'silent', why: 'printed no cards to keep' }
  const action = `keep ${kept}` as const
  if (offered(view).includes(action)) return action
  return { fault: 'illegal', why: `cannot keep these ${view.cards.length} of ${view.drawn + view.cards}`, said: kept }
}

/** Legal moves as texts to append: in an exchange only the newline, as cards go to standard output (8.7). */
function texts(view: View): readonly string[] {
  if (view.drawn !== '') return ['\n']
  const line = lastLine(view.file)
  return offered(view).map((action) => written(line, action))
}
