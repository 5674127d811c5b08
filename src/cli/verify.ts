import { dirname } from 'node:path'
import type { Command } from 'commander'
import { type GameKit, type MatchRecord, UserError, visible } from '../core/index.js'
import { RecordError, canonical, digestOf, digestOfAll, judge, parseRecord } from '../match/index.js'
import { linesOf, recordsFile } from './lines.js'
import { recordGame } from './record-game.js'
import { counted, print, tell } from './terminal.js'

const HELP = `
Each record is played again by the rules, from what was heard of the bots. The
last line is a digest of everything but times, whatever the order of the records.
Exit code 1: a record does not agree; 2: a file or a line cannot be read.

Examples:
  agon verify agon-results/gunduel-7
  agon verify a/records.jsonl b/records.jsonl.gz`

export function verifyCommand(command: Command): void {
  command
    .argument('<records...>', 'files of match records, one JSON object a line (.gz too), or archive folders')
    .option(
      '--game <file>',
      'the file of a game that does not come with agon (beside its archive it is found by itself)',
    )
    .addHelpText('after', HELP)
    .action(async (paths: string[], { game }: { game?: string }) => {
      const digests: string[] = []
      const tally = { differ: 0, unreadable: 0 }
      for (const path of paths) await verifyFile(recordsFile(path), game, digests, tally)
      const total = digests.length + tally.differ
      const unreadable = tally.unreadable > 0 ? `; ${counted(tally.unreadable, 'line')} could not be read` : ''
      print(`${digests.length} of ${counted(total, 'record')} agree${unreadable}`)
      print(`digest ${digestOfAll(digests)}`)
      process.exitCode = tally.unreadable > 0 ? 2 : tally.differ > 0 ? 1 : 0
    })
}

async function verifyFile(
  file: string,
  gameFile: string | undefined,
  digests: string[],
  tally: { differ: number; unreadable: number },
): Promise<void> {
  // A game that is not known is told at each of its records, and the others are verified.
  const kits = new Map<string, GameKit | UserError>()
  let number = 0
  let records = 0
  for await (const line of linesOf(file)) {
    number++
    if (line.trim() === '') continue
    records++
    const where = `${file}:${number}`
    const record = readable(line, where)
    if (record === undefined) {
      tally.unreadable++
      continue
    }
    const kit = kits.get(record.game) ?? (await gameOf(record.game, dirname(file), gameFile))
    kits.set(record.game, kit)
    if (kit instanceof UserError) {
      tally.unreadable++
      tell(visible(`agon: ${where}: ${kit.message}`))
      continue
    }
    const result = verdict(kit, record)
    if ('digest' in result) digests.push(result.digest)
    else {
      tally.differ++
      print(visible(`${where}: ${nameOf(record)}: ${result.differs}`))
    }
  }
  if (records === 0) throw new UserError(`${file}: no record in it`)
}

async function gameOf(id: string, folder: string, file: string | undefined): Promise<GameKit | UserError> {
  try {
    return await recordGame(id, folder, file)
  } catch (error) {
    if (error instanceof UserError) return error
    throw error
  }
}

function readable(line: string, where: string): MatchRecord | undefined {
  try {
    return parseRecord(line)
  } catch (error) {
    if (!(error instanceof RecordError)) throw error
    tell(visible(`agon: ${where}: ${error.message}`))
    return undefined
  }
}

/** The record's digest, or in what it differs from what the rules say. */
function verdict(kit: GameKit, record: MatchRecord): { digest: string } | { differs: string } {
  try {
    const judged = judge(kit, record)
    if (canonical(judged.outcome) === canonical(record.outcome)) return { digest: digestOf(record, judged) }
    return { differs: `recorded ${canonical(record.outcome)}, judged ${canonical(judged.outcome)}` }
  } catch (error) {
    // Whatever the rules trip over in a record that no match has written: options that are not the game's, draws not of its tape.
    return { differs: error instanceof Error ? error.message : String(error) }
  }
}

const nameOf = ({ key, seats }: MatchRecord): string => key ?? seats.map(({ entrant }) => entrant).join(' against ')
