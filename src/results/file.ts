import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { createGunzip } from 'node:zlib'
import { parse } from 'csv-parse/sync'
import { FAULT_KINDS, UserError, command, message, messageOf, parseStrange } from '../core/index.js'
import { formatRecord, parseRecord } from '../match/index.js'
import type { RunDump, JobDump } from '../store/index.js'
import { csv } from '../text/index.js'
import { type Digest, dumpOf, digestSchema } from './schema.js'
import { TAR_END, readTar, tarFile } from './tar.js'

/** An archive's format; others are refused. */
const VERSION = 1
/** Matches a part, held in memory at once. */
const PART = 5000

const ABOUT = message`This is one run of a contest, as \`${command('export')}\` wrote it. \`${command('import FILE')}\` rebuilds it.

run.json            the run: contest, game, seed, format, entrants with the hashes that say what played, what was done to it
                    (log), who is out (exclusions), rulings, ratings, the end of what bots wrote to their standard error, and
                    what remembering bots held on disk
matches-NNNNN.csv   a match a line: the job it was played in (the key says what its matches are), its place in the tournament,
                    whether it belongs to a playoff, when it was stored, the entrants' numbers by seat (from 0, in run.json's order),
                    their places, why it ended
faults-NNNNN.csv    a fault a line: the match's line in the part's matches (from 0), seat, turn (both from 0), kind, why, the output
records-NNNNN.jsonl a match's record a line, in the order of matches-NNNNN.csv: all that bots answered (docs/record.md)
digest.json         how many matches there are, and a SHA-256 over the names and contents of all the files above but this one
`

const MATCHES = ['unit', 'place', 'playoff', 'at', 'seats', 'places', 'reason']
const FAULTS = ['match', 'seat', 'turn', 'fault', 'why', 'said']

/** The bytes of an archive, before compression. */
export async function* archiveOf(dump: RunDump, jobs: AsyncIterable<JobDump>): AsyncGenerator<Buffer> {
  const files: string[] = []
  const file = (name: string, text: string): Buffer => {
    const data = Buffer.from(text)
    files.push(lineOf(name, data))
    return tarFile(name, data)
  }
  let total = 0
  yield tarFile('README.txt', Buffer.from(String(ABOUT)))
  yield file('run.json', `${JSON.stringify({ agonArchive: VERSION, ...dump }, undefined, 2)}\n`)
  let part: JobDump[] = []
  let matches = 0
  let number = 0
  for await (const job of jobs) {
    part.push(job)
    matches += job.matches.length
    if (matches < PART) continue
    yield* partOf(part, ++number, file)
    total += matches
    part = []
    matches = 0
  }
  if (part.length > 0) yield* partOf(part, ++number, file)
  const { id, seed, tournament } = dump.run
  const sealed: Digest = { run: id, seed, tournament, matches: total + matches, digest: digestOf(files) }
  yield tarFile('digest.json', Buffer.from(`${JSON.stringify(sealed)}\n`))
  yield TAR_END
}

const sha256 = (data: Buffer | string): string => createHash('sha256').update(data).digest('hex')

/** A digest over files (lines of name and digest), in any order. */
const digestOf = (files: readonly string[]): string => sha256([...files].sort().join('\n'))
const lineOf = (name: string, data: Buffer): string => `${name} ${sha256(data)}`

function* partOf(
  jobs: readonly JobDump[],
  number: number,
  file: (name: string, text: string) => Buffer,
): Generator<Buffer> {
  const matches = jobs.flatMap(({ key, matches: own }) => own.map((match) => ({ key, ...match })))
  const rows = matches.map(({ key, record, playoff, at, seats }) => [
    key,
    record.key ?? '',
    playoff ? '1' : '0',
    at,
    seats.join(' '),
    record.outcome.place.join(' '),
    record.outcome.reason,
  ])
  const faults = matches.flatMap(({ faults: own }, line) =>
    own.map(({ seat, turn, fault, why, said }) => [
      ...[line, seat, turn].map(String),
      fault,
      JSON.stringify(why ?? null),
      JSON.stringify(said ?? null),
    ]),
  )
  const name = String(number).padStart(5, '0')
  yield file(`matches-${name}.csv`, csv([MATCHES, ...rows]))
  yield file(`faults-${name}.csv`, csv([FAULTS, ...faults]))
  const records = matches.map(({ record }) => `${formatRecord(record)}\n`)
  yield file(`records-${name}.jsonl`, records.join(''))
}

/** Reads an archive's run. Throws UserError for a file that `agon export` did not write. */
export async function readRun(file: string): Promise<RunDump> {
  for await (const { name, data } of filesOf(file)) {
    if (name === 'run.json') return spoken(file, () => dumpOf(parseStrange(data.toString()), VERSION))
  }
  throw new UserError(message`${file}: no archive of ${command('export')}: it has no run.json`)
}

/** An archive's digest, if it has one, and whether its files still fit. */
export async function readDigest(file: string): Promise<(Digest & { readonly fits: boolean }) | undefined> {
  const files: string[] = []
  let stated: Digest | undefined
  for await (const { name, data } of filesOf(file)) {
    if (name === 'digest.json') stated = spoken(file, () => digestSchema.parse(parseStrange(data.toString())))
    else if (name !== 'README.txt') files.push(lineOf(name, data))
  }
  return stated && { ...stated, fits: stated.digest === digestOf(files) }
}

/** Reads an archive's jobs, in the order in which they were stored. */
export async function* readJobs(file: string): AsyncGenerator<JobDump> {
  const tables = new Map<string, string[][]>()
  const table = (name: string): string[][] => {
    const rows = tables.get(name)
    if (rows === undefined) throw new Error(`${name} is missing, or stands behind its records`)
    tables.delete(name)
    return rows
  }
  for await (const { name, data } of filesOf(file)) {
    const part = /^(?:matches|faults|records)-(\d{5})\./.exec(name)?.[1] ?? ''
    const rows = name.endsWith('.csv') ? spoken(file, () => parseCsv(data)) : undefined
    if (rows !== undefined) tables.set(name, rows)
    else if (part !== '')
      yield* spoken(file, () => jobsOf(table(`matches-${part}.csv`), table(`faults-${part}.csv`), data))
  }
  if (tables.size > 0) throw new UserError(`${file}: damaged: ${[...tables.keys()].join(', ')} without records`)
}

/** `records`: as many lines as rows, checked before any becomes a text. */
function jobsOf(rows: readonly string[][], faults: readonly string[][], records: Buffer): JobDump[] {
  const there = countOf(records, NEWLINE)
  if (rows.length !== there) throw new Error(`${rows.length} matches and ${there} records`)
  let read = 0
  const jobs: { key: string; matches: JobDump['matches'][number][] }[] = []
  const byMatch = new Map<number, JobDump['matches'][number]['faults'][number][]>()
  for (const [line, seat, turn, kind, why = 'null', said = 'null'] of faults) {
    const fault = FAULT_KINDS.find((one) => one === kind)
    if (fault === undefined) throw new Error(`no fault is called ${kind}`)
    const [whyText, saidText] = [why, said].map((text) => (JSON.parse(text) as string | null) ?? undefined)
    const own = byMatch.get(Number(line)) ?? []
    byMatch.set(Number(line), own)
    own.push({ seat: Number(seat), turn: Number(turn), fault, why: whyText, said: saidText })
  }
  for (const line of byMatch.keys())
    if (!(line in rows)) throw new Error(`a fault belongs to line ${line}, and there are ${rows.length}`)
  for (const [line, [key = '', place, playoff, at = '', seats = '', places, reason]] of rows.entries()) {
    if (!/^[0-9a-f]{32}$/.test(key)) throw new Error(`"${key}" is no key of a job`)
    if (Number.isNaN(Date.parse(at)) || new Date(at).toISOString() !== at) throw new Error(`"${at}" is no time`)
    if (playoff !== '0' && playoff !== '1') throw new Error(`"${playoff}" says not whether it is a playoff`)
    const end = records.indexOf(NEWLINE, read)
    const record = parseRecord(records.toString('utf8', read, end))
    read = end + 1
    const { outcome } = record
    if (place !== (record.key ?? '') || places !== outcome.place.join(' ') || reason !== outcome.reason)
      throw new Error(`match ${line + 1}, ${place}: its line and its record do not agree`)
    const last = jobs.at(-1)
    const job = last?.key === key ? last : { key, matches: [] }
    if (job !== last) jobs.push(job)
    const faulted = byMatch.get(line) ?? []
    job.matches.push({ record, faults: faulted, seats: seats.split(' ').map(Number), playoff: playoff === '1', at })
  }
  return jobs
}

const NEWLINE = 0x0a

function countOf(data: Buffer, byte: number): number {
  let n = 0
  for (let at = 0; at < data.length; at++) if (data[at] === byte) n++
  return n
}

const NAMES = /^(?:README\.txt|run\.json|digest\.json|(?:matches|faults)-\d{5}\.csv|records-\d{5}\.jsonl)$/

async function* filesOf(file: string): AsyncGenerator<{ name: string; data: Buffer }> {
  const source = createReadStream(file)
  const stream = source.pipe(createGunzip())
  source.on('error', (error) => stream.destroy(error))
  try {
    for await (const entry of readTar(stream as AsyncIterable<Buffer>)) {
      if (!NAMES.test(entry.name)) throw new Error(`${entry.name} is no file of an archive`)
      yield entry
    }
  } catch (error) {
    throw wrong(file, error)
  }
}

function spoken<T>(file: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw wrong(file, error)
  }
}

const wrong = (file: string, error: unknown): UserError =>
  error instanceof UserError
    ? error
    : new UserError(message`${file}: no archive of ${command('export')}, or damaged: ${messageOf(error)}`)

/** Cells of a table at most: a small compressed file of empty ones could fill all memory. */
const MOST = 2 ** 25
const COMMA = 0x2c

/** Rows of comma-separated values (RFC 4180, CRLF) as long as their heading. Throws an Error that names the line. */
export function parseCsv(bytes: Buffer | string): string[][] {
  const data = typeof bytes === 'string' ? Buffer.from(bytes) : bytes
  let ends = 0
  for (let at = 0; at < data.length; at++) if (data[at] === COMMA || data[at] === NEWLINE) ends++
  if (ends > MOST) throw new Error(`it has more than ${MOST} cells`)
  return parse(bytes, { record_delimiter: '\r\n' }).slice(1)
}
