import { rmSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type GameDefinition, UserError, messageOf } from '../../core/index.js'
import { makeFolder } from '../../results/folder-files.js'
import { namesIn } from '../../files/index.js'
import { RecordError, transcriptOf } from '../../match/index.js'
import type { ReportSource } from '../../results/index.js'

/** A file of ours: the match's number, and who sat in it. */
const OWN = /^\d{5,}_.*\.txt$/
/** Characters of an entrant's name in a file's. */
const NAME = 24
/** Names of entrants in a file's. */
const NAMED = 4

/**
 * Writes a file a match into a folder, in the notation of the game's own contest, in the order of the schedule; what was written there
 * before is gone. Returns how many. Throws UserError if the folder cannot be made, or the rules cannot follow a record.
 */
export async function writeTranscripts(
  folder: string,
  source: Pick<ReportSource, 'records' | 'contest'>,
  definition: GameDefinition,
): Promise<number> {
  try {
    makeFolder(folder)
  } catch (error) {
    throw new UserError(`${folder}: the folder cannot be made: ${messageOf(error)}`)
  }
  for (const name of namesIn(folder)) if (OWN.test(name)) rmSync(join(folder, name))
  const { entrants } = source.contest
  const commands = new Map(entrants.flatMap(({ name, command }) => (command ? [[name, command.join(' ')]] : [])))
  let written = 0
  for await (const { record } of source.records()) {
    const names = record.seats.slice(0, NAMED).map(({ entrant }) => safe(entrant))
    if (record.seats.length > NAMED) names.push('and_others')
    written++
    try {
      // What was there is gone: a link that a stranger put there meanwhile is an error.
      const file = join(folder, `${String(written).padStart(5, '0')}_${names.join('_')}.txt`)
      await writeFile(file, transcriptOf(definition, record, commands), { flag: 'wx' })
    } catch (error) {
      if (!(error instanceof RecordError)) throw error
      throw new UserError(`${record.key ?? `match ${written}`} has no transcript: ${error.message}`)
    }
  }
  return written
}

/** An entrant's name in a file's: letters, digits and hyphens, so that no system and no shell takes it for anything else. */
function safe(name: string): string {
  const letters = name.normalize('NFKD').replace(/[^A-Za-z0-9-]+/g, '-')
  return letters.replace(/^-+|-+$/g, '').slice(0, NAME) || 'bot'
}
