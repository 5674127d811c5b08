import { basename } from 'node:path'
import { parseArgs } from 'node:util'
import { UserError, visible } from '../core/index.js'
import { conform, conformingGame } from '../app/check/conform.js'
import { linesOf } from '../app/look/judged-records.js'
import { fail } from './exit.js'
import { print } from './terminal.js'

/** Differences printed of a file. */
const SHOWN = 10

const HELP = `npm run conform -- [--game ID] FILE…

Replays recorded games (JSON Lines, plain or .gz; docs/conformance.md) through the rules and the wires, and tells how many
agree. The game is the one that the file's name holds, or --game. Exit code 1 on any difference or unreadable line.`

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { game: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
  })
  if (values.help) {
    print(HELP)
    return 0
  }
  if (positionals.length === 0) throw new UserError(`no file given\n${HELP}`)
  let wrong = 0
  for (const file of positionals) wrong += await conformFile(file, values.game)
  return wrong === 0 ? 0 : 1
}

/** Prints a file's games, returns how many do not agree; 1 where there is none. */
async function conformFile(file: string, game: string | undefined): Promise<number> {
  const { games, agreeing, differences, cutOff } = await conform(conformingGame(basename(file), game), linesOf(file))
  print(`${file}: ${agreeing} of ${games} games agree`)
  const lines = differences.map(({ line, what }) => `  line ${line}: ${what}`)
  if (cutOff !== undefined) lines.push(`  after line ${cutOff.after}: ${cutOff.why}`)
  for (const what of lines.slice(0, SHOWN)) print(visible(what))
  if (lines.length > SHOWN) print(`  and ${lines.length - SHOWN} more`)
  if (games === 0) print('  no game in it')
  return games === 0 ? 1 : games - agreeing
}

main().then((code) => {
  process.exitCode = code
}, fail)
