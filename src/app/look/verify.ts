import { dirname } from 'node:path'
import {
  type GameDefinition,
  type MatchRecord,
  type Spell,
  UserError,
  spelled,
  messageOf,
  canonical,
} from '../../core/index.js'
import { linesOf, recordsFile } from '../../results/record-lines.js'
import { recordGame } from '../../contest/index.js'
import { RecordError, digestOf, digestOfAll, judge, parseRecord } from '../../match/index.js'
import { playedWith } from '../../results/folder-part.js'
import { RecordFacts } from './record-facts.js'

export { linesOf } from '../../results/record-lines.js'

/** What is wrong with records, reported as it is found. `where`: the file, and the line in it from 1, or the file alone. */
export interface VerifyEvent {
  /** unreadable: the line is no record, or its game is not known; differs: the rules, or the results folder, say otherwise. */
  readonly type: 'unreadable' | 'differs'
  readonly where: string
  /** For a person, with the match where one is meant. */
  readonly why: string
}

/** Records that were judged again. */
export interface Verified {
  readonly agree: number
  /** Records that do not. */
  readonly differ: number
  /** Lines that could not be read. */
  readonly unreadable: number
  /** Files whose records are not as many as their archive counts. */
  readonly contradicted: number
  /** Over everything but times of the records that agree, whatever their order. */
  readonly digest: string
}

/** How records are verified. */
export interface VerifyOptions {
  /** The file of a game that does not come with agon: it is run. */
  readonly gameFile?: string
  readonly signal?: AbortSignal
  /** How options are written where a remedy is one; absent: in plain words. */
  readonly spell?: Spell
}

/**
 * Judges records again. `paths`: files of records (.gz too) or archives' folders. Throws UserError for a file that is not there or
 * holds no record, and the signal's reason between two records.
 */
export async function verifyRecords(
  paths: readonly string[],
  options: VerifyOptions,
  on: (news: VerifyEvent) => void = () => undefined,
): Promise<Verified> {
  const digests: string[] = []
  const sums = { differ: 0, unreadable: 0, contradicted: 0 }
  for (const path of paths) {
    const file = new RecordsFile(recordsFile(path), options)
    let records = 0
    for await (const found of file.verified()) {
      options.signal?.throwIfAborted()
      records++
      if ('digest' in found) digests.push(found.digest)
      else {
        sums[found.type === 'differs' ? 'differ' : 'unreadable']++
        on(found)
      }
    }
    if (records === 0) throw new UserError(`${file.file}: no record in it`)
    const missing = file.facts.missing()
    if (missing === undefined) continue
    sums.contradicted++
    on({ type: 'differs', where: file.file, why: missing })
  }
  return { agree: digests.length, ...sums, digest: digestOfAll(digests) }
}

/** A file of records, with what its results folder says of them. */
class RecordsFile {
  readonly facts: RecordFacts
  /** By name. A game that is not known is reported at each of its records, and the others are verified. */
  private readonly definitions = new Map<string, GameDefinition | UserError>()

  constructor(
    readonly file: string,
    private readonly options: VerifyOptions,
  ) {
    this.facts = new RecordFacts(dirname(file))
  }

  /** For each line that is not empty: the record's digest, or what is wrong with it. */
  async *verified(): AsyncGenerator<{ readonly digest: string } | VerifyEvent> {
    let number = 0
    for await (const line of linesOf(this.file)) {
      number++
      if (line.trim() !== '') yield this.judged(line, `${this.file}:${number}`)
    }
  }

  private async judged(line: string, where: string): Promise<{ readonly digest: string } | VerifyEvent> {
    const record = parsed(line)
    if (record instanceof RecordError) return { type: 'unreadable', where, why: record.message }
    const contradiction = this.facts.contradiction(record, where)
    const definition = await this.definitionOf(record.game)
    if (definition instanceof UserError)
      return { type: 'unreadable', where, why: spelled(definition.text, this.options.spell) }
    const result = contradiction === undefined ? verdict(definition, record) : { differs: contradiction }
    return 'digest' in result ? result : { type: 'differs', where, why: `${nameOf(record)}: ${result.differs}` }
  }

  private async definitionOf(id: string): Promise<GameDefinition | UserError> {
    const definition =
      this.definitions.get(id) ?? (await knownGame(id, this.options.gameFile, playedWith(dirname(this.file))))
    this.definitions.set(id, definition)
    return definition
  }
}

async function knownGame(id: string, file: string | undefined, played: string | undefined) {
  try {
    return await recordGame(id, file, played)
  } catch (error) {
    if (error instanceof UserError) return error
    throw error
  }
}

function parsed(line: string): MatchRecord | RecordError {
  try {
    return parseRecord(line)
  } catch (error) {
    if (error instanceof RecordError) return error
    throw error
  }
}

/** The record's digest, or how it differs from the rules. */
function verdict(definition: GameDefinition, record: MatchRecord): { digest: string } | { differs: string } {
  try {
    const judged = judge(definition, record)
    if (canonical(judged.outcome) === canonical(record.outcome)) return { digest: digestOf(record, judged) }
    return { differs: `recorded ${canonical(record.outcome)}, judged ${canonical(judged.outcome)}` }
  } catch (error) {
    // Whatever the rules trip over in a record that no match has written: options that are not the game's, draws not of its tape.
    return { differs: messageOf(error) }
  }
}

const nameOf = ({ key, seats }: MatchRecord): string => key ?? seats.map(({ entrant }) => entrant).join(' against ')
