import { basename } from 'node:path'
import { parseArgs } from 'node:util'
import { type GameKit, UserError, didYouMean, visible } from '../core/index.js'
import { games } from '../games/index.js'
import { linesOf } from '../app/index.js'
import { fail } from './exit.js'
import { print } from './terminal.js'

/** Differences of one file that are printed. */
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
  for (const file of positionals) wrong += await conformFile(file, kitOf(values.game ?? named(basename(file))))
  return wrong === 0 ? 0 : 1
}

/** The game that a file's name holds as a word; else what stands before its first dot. */
function named(file: string): string {
  const words = file.toLowerCase().split(/[^a-z0-9]+/)
  return games.find(({ game }) => words.includes(game.id))?.game.id ?? file.split('.')[0] ?? ''
}

function kitOf(id: string): GameKit {
  const kit = games.find(({ game }) => game.id === id)
  const ids = games.map(({ game }) => game.id)
  if (kit === undefined)
    throw new UserError(`no game "${id}"${didYouMean(id, ids)}; give --game with one of ${ids.join(', ')}`)
  if (kit.conform === undefined) throw new UserError(`${id} has no format for recorded games`)
  return kit
}

/** Prints what a file has, returns how many of its lines do not agree. */
async function conformFile(file: string, kit: GameKit): Promise<number> {
  const differences: string[] = []
  let all = 0
  let wrong = 0
  let number = 0
  try {
    for await (const line of linesOf(file)) {
      number++
      if (line.trim() === '') continue
      all++
      const found = differencesIn(line, kit)
      if (found.length === 0) continue
      wrong++
      differences.push(...found.map((what) => `  line ${number}: ${what}`))
    }
  } catch (error) {
    // A compressed file that was cut off: what could be read is told all the same.
    if (number === 0 || !(error instanceof UserError)) throw error
    wrong++
    all++
    differences.push(`  after line ${number}: ${error.message}`)
  }
  print(`${file}: ${all - wrong} of ${all} games agree`)
  for (const what of differences.slice(0, SHOWN)) print(visible(what))
  if (differences.length > SHOWN) print(`  and ${differences.length - SHOWN} more`)
  if (all === 0) print('  no game in it')
  return all === 0 ? 1 : wrong
}

function differencesIn(line: string, kit: GameKit): readonly string[] {
  let data: unknown
  try {
    data = JSON.parse(line)
  } catch {
    return ['not a line of JSON']
  }
  return kit.conform?.(data) ?? []
}

main().then((code) => {
  process.exitCode = code
}, fail)
