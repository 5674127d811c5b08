import { dirname } from 'node:path'
import type { Command } from 'commander'
import { type GameKit, UserError, visible } from '../core/index.js'
import { loadGame } from '../contest/index.js'
import { games } from '../games/index.js'
import { RecordError, canonical, digestOf, digestOfAll, judge, parseRecord } from '../match/index.js'
import { linesOf } from './lines.js'
import { archivedGame } from './record-game.js'
import { print, tell } from './terminal.js'

export function verifyCommand(program: Command): void {
  program
    .command('verify')
    .description(
      'replay records through the rules, list those that no longer agree, and print the digest of all that was judged',
    )
    .argument('<records...>', 'files of match records, one JSON object a line (.gz too)')
    .option(
      '--game <file>',
      'the file of a game that does not come with agon (beside its archive it is found by itself)',
    )
    .addHelpText(
      'after',
      '\nExit code 1: a record does not agree. 2: a file or a line cannot be read.\nThe last line is a digest of everything but times, whatever the order of the records.',
    )
    .action(async (files: string[], options: { game?: string }) => {
      const own = options.game === undefined ? undefined : await loadGame(options.game, process.cwd())
      const digests: string[] = []
      const tally = { differ: 0, unreadable: 0 }
      for (const file of files) await verifyFile(file, own ?? (await archivedGame(dirname(file))), digests, tally)
      const total = digests.length + tally.differ
      print(
        `${digests.length} of ${total} records agree${tally.unreadable ? `; ${tally.unreadable} lines could not be read` : ''}`,
      )
      print(`digest ${digestOfAll(digests)}`)
      process.exitCode = tally.unreadable > 0 ? 2 : tally.differ > 0 ? 1 : 0
    })
}

async function verifyFile(
  file: string,
  own: GameKit | undefined,
  digests: string[],
  tally: { differ: number; unreadable: number },
): Promise<void> {
  let number = 0
  let records = 0
  for await (const line of linesOf(file)) {
    number++
    if (line.trim() === '') continue
    records++
    const where = `${file}:${number}`
    try {
      const record = parseRecord(line)
      const judged = judge(kitOf(record.game, own, where), record)
      if (canonical(judged.outcome) === canonical(record.outcome)) digests.push(digestOf(record, judged))
      else {
        tally.differ++
        print(
          visible(
            `${where}: ${nameOf(record)}: recorded ${canonical(record.outcome)}, judged ${canonical(judged.outcome)}`,
          ),
        )
      }
    } catch (error) {
      if (!(error instanceof RecordError)) throw error
      const readable = isReadable(line)
      tally[readable ? 'differ' : 'unreadable']++
      if (readable) print(visible(`${where}: ${error.message}`))
      else tell(visible(`agon: ${where}: ${error.message}`))
    }
  }
  if (records === 0) throw new UserError(`${file}: no record in it`)
}

function isReadable(line: string): boolean {
  try {
    parseRecord(line)
    return true
  } catch {
    return false
  }
}

function kitOf(id: string, own: GameKit | undefined, where: string): GameKit {
  const kit = own?.game.id === id ? own : games.find(({ game }) => game.id === id)
  if (kit === undefined)
    throw new UserError(`${where}: the game "${id}" does not come with agon; name its file with --game FILE`)
  return kit
}

const nameOf = (record: ReturnType<typeof parseRecord>): string =>
  record.key ?? record.seats.map((seat) => seat.entrant).join(' against ')
