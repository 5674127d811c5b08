import { dirname } from 'node:path'
import type { Command } from 'commander'
import { type GameKit, type MatchRecord, UserError, visible } from '../core/index.js'
import { RecordError, canonical, digestOf, digestOfAll, judge, parseRecord } from '../match/index.js'
import { linesOf, recordsFile } from './lines.js'
import { playedWith } from '../app/played-with.js'
import { RecordFacts } from '../app/record-facts.js'
import { recordGame } from '../contest/index.js'
import { print, tell } from './terminal.js'
import { counted } from '../text/index.js'
import { addGameOption } from './options.js'

const HELP = `
Each record is played again by the rules, from what was heard of the bots. A match
that stands in a file twice does not agree, nor, in an archive folder, one whose
luck or entrants are not those of contest.json. The last line is a digest of
everything but times, whatever the order of the records. A game that does not come
with agon is code: it runs only where --game names it.
Exit code 1: a record does not agree; 2: a file or a line cannot be read.

Examples:
  agon verify agon-results/gunduel-7
  agon verify a/records.jsonl b/records.jsonl.gz`

export function verifyCommand(command: Command): void {
  addGameOption(command)
    .argument('<records...>', 'files of match records, one JSON object a line (.gz too), or archive folders')
    .addHelpText('after', HELP)
    .action(async (paths: string[], { game }: { game?: string }) => {
      const digests: string[] = []
      const tally = { differ: 0, unreadable: 0, contradicted: 0 }
      for (const path of paths) await verifyFile(recordsFile(path), game, digests, tally)
      const total = digests.length + tally.differ
      const unreadable = tally.unreadable > 0 ? `; ${counted(tally.unreadable, 'line')} could not be read` : ''
      print(`${digests.length} of ${counted(total, 'record')} agree${unreadable}`)
      print(`digest ${digestOfAll(digests)}`)
      process.exitCode = tally.unreadable > 0 ? 2 : tally.differ + tally.contradicted > 0 ? 1 : 0
    })
}

async function verifyFile(
  file: string,
  gameFile: string | undefined,
  digests: string[],
  tally: { differ: number; unreadable: number; contradicted: number },
): Promise<void> {
  // A game that is not known is told at each of its records, and the others are verified.
  const kits = new Map<string, GameKit | UserError>()
  const facts = new RecordFacts(dirname(file))
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
    const contradiction = facts.contradiction(record, where)
    const kit = kits.get(record.game) ?? (await gameOf(record.game, gameFile, playedWith(dirname(file))))
    kits.set(record.game, kit)
    if (kit instanceof UserError) {
      tally.unreadable++
      tell(visible(`agon: ${where}: ${kit.message}`))
      continue
    }
    const result = contradiction === undefined ? verdict(kit, record) : { differs: contradiction }
    if ('digest' in result) digests.push(result.digest)
    else {
      tally.differ++
      print(visible(`${where}: ${nameOf(record)}: ${result.differs}`))
    }
  }
  if (records === 0) throw new UserError(`${file}: no record in it`)
  const missing = facts.missing()
  if (missing === undefined) return
  tally.contradicted++
  print(visible(`${file}: ${missing}`))
}

async function gameOf(id: string, file: string | undefined, played: string | undefined): Promise<GameKit | UserError> {
  try {
    return await recordGame(id, file, played)
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
