import { dirname } from 'node:path'
import { type GameDefinition, type MatchRecord, type Spell, UserError, spelled, wordingOf } from '../../core/index.js'
import { recordGame } from '../../contest/index.js'
import { RecordError, digestOfAll, parseRecord } from '../../match/index.js'
import { playedWith } from '../../results/folder-part.js'
import { linesOf, recordsFile } from '../../results/record-lines.js'
import { RecordFacts, judgedAgain } from './record-facts.js'

export { linesOf } from '../../results/record-lines.js'

/** What is wrong with records, reported as it is found. `where`: the file, and the line in it from 1, or the file alone. */
export interface VerifyEvent {
  /** unreadable: the line is no record, or its game is not known; differs: the rules, or the results folder, say otherwise. */
  readonly type: 'unreadable' | 'differs'
  readonly where: string
  /** For a person, with the match where one is meant. */
  readonly why: string
}

export interface VerifyOptions {
  /** The file of a game that does not come with agon: it is run. */
  readonly gameFile?: string
  readonly signal?: AbortSignal
  /** How options are written where a remedy is one; absent: in plain words. */
  readonly spell?: Spell
}

/**
 * Judges records again. `paths`: files of records (.gz too) or archives' folders. Returns how many agree, do not, and could not be read; how
 * many files have not as many as their archive counts; and a digest over everything but times of the records that agree, whatever their
 * order. Throws UserError for a file that is not there or holds no record, and the signal's reason between two records.
 */
export async function verifyRecords(
  paths: readonly string[],
  options: VerifyOptions,
  on: (news: VerifyEvent) => void = () => undefined,
) {
  const digests: string[] = []
  const sums = { differ: 0, unreadable: 0, contradicted: 0 }
  for (const path of paths) {
    const file = recordsFile(path)
    const facts = new RecordFacts(dirname(file))
    let records = 0
    for await (const found of judgedLines(file, facts, options)) {
      options.signal?.throwIfAborted()
      records++
      if ('digest' in found) digests.push(found.digest)
      else {
        sums[found.type === 'differs' ? 'differ' : 'unreadable']++
        on(found)
      }
    }
    if (records === 0) throw new UserError(`${file}: no record in it`)
    const missing = facts.missing()
    if (missing === undefined) continue
    sums.contradicted++
    on({ type: 'differs', where: file, why: missing })
  }
  return { agree: digests.length, ...sums, digest: digestOfAll(digests) }
}

/** For each line that is not empty: the record's digest, or what is wrong with it. */
async function* judgedLines(
  file: string,
  facts: RecordFacts,
  { gameFile, spell }: VerifyOptions,
): AsyncGenerator<{ readonly digest: string } | VerifyEvent> {
  /** By name. A game that is not known is reported at each of its records, and the others are verified. */
  const definitions = new Map<string, Promise<GameDefinition>>()
  let number = 0
  for await (const line of linesOf(file)) {
    number++
    if (line.trim() === '') continue
    const where = `${file}:${number}`
    try {
      const record = parseRecord(line)
      const contradiction = facts.contradiction(record, where)
      const known = definitions.get(record.game) ?? recordGame(record.game, gameFile, playedWith(dirname(file)))
      definitions.set(record.game, known)
      const definition = await known
      const found = contradiction === undefined ? judgedAgain(definition, record) : { differs: contradiction }
      yield 'digest' in found ? found : { type: 'differs', where, why: `${nameOf(record)}: ${found.differs}` }
    } catch (error) {
      if (!(error instanceof RecordError || error instanceof UserError)) throw error
      yield { type: 'unreadable', where, why: spelled(wordingOf(error), spell) }
    }
  }
}

const nameOf = ({ key, seats }: MatchRecord): string => key ?? seats.map(({ entrant }) => entrant).join(' against ')
