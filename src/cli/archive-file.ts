import { createReadStream } from 'node:fs'
import { createGunzip } from 'node:zlib'
import * as z from 'zod'
import { FAULT_KINDS, UserError } from '../core/index.js'
import { formatRecord, parseRecord } from '../match/index.js'
import type { RunDump, UnitDump } from '../store/index.js'
import { csv } from '../tournament/index.js'
import { TAR_END, readTar, tarFile } from './tar.js'

/** Of the form of an archive; another one is refused. */
const VERSION = 1
/** Matches a part: what is in memory at once. */
const PART = 5000

const ABOUT = `This is one run of a contest, as \`agon export\` wrote it. \`agon import FILE\` rebuilds it.

run.json            the run: contest, game, seed, format, entrants with the hashes that say what played, what was done to it
                    (log), who is out (exclusions), rulings, ratings, the end of what bots wrote to their standard error, and
                    what remembering bots held on disk
matches-NNNNN.csv   a match a line: the unit it was played in (the key says what its matches are), its place in the tournament,
                    whether it belongs to a playoff, when it was stored, the entrants' numbers by seat (from 0, in run.json's order),
                    their places, why it ended
faults-NNNNN.csv    a fault a line: the match's line in the part's matches (from 0), seat, turn (both from 0), kind, why, what was said
records-NNNNN.jsonl a match's record a line, in the order of matches-NNNNN.csv: all that was heard (docs/record.md)
`

const MATCHES = ['unit', 'place', 'playoff', 'at', 'seats', 'places', 'reason']
const FAULTS = ['match', 'seat', 'turn', 'fault', 'why', 'said']

/** The bytes of an archive, before compression. */
export async function* archiveOf(dump: RunDump, units: AsyncIterable<UnitDump>): AsyncGenerator<Buffer> {
  yield tarFile('README.txt', Buffer.from(ABOUT))
  yield tarFile('run.json', Buffer.from(`${JSON.stringify({ agonArchive: VERSION, ...dump }, undefined, 2)}\n`))
  let part: UnitDump[] = []
  let matches = 0
  let number = 0
  for await (const unit of units) {
    part.push(unit)
    matches += unit.matches.length
    if (matches < PART) continue
    yield* partOf(part, ++number)
    part = []
    matches = 0
  }
  if (part.length > 0) yield* partOf(part, ++number)
  yield TAR_END
}

function* partOf(units: readonly UnitDump[], number: number): Generator<Buffer> {
  const matches = units.flatMap(({ key, matches: own }) => own.map((match) => ({ key, ...match })))
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
  yield tarFile(`matches-${name}.csv`, Buffer.from(csv([MATCHES, ...rows])))
  yield tarFile(`faults-${name}.csv`, Buffer.from(csv([FAULTS, ...faults])))
  const records = matches.map(({ record }) => `${formatRecord(record)}\n`)
  yield tarFile(`records-${name}.jsonl`, Buffer.from(records.join('')))
}

/** Reads what an archive says of its run. Throws UserError for a file that `agon export` did not write. */
export async function readRun(file: string): Promise<RunDump> {
  for await (const { name, data } of filesOf(file)) {
    if (name !== 'run.json') continue
    return spoken(file, () => {
      const { agonArchive, ...dump } = dumpSchema.parse(JSON.parse(data.toString()))
      if (agonArchive !== VERSION)
        throw new UserError(`${file}: an archive of form ${agonArchive}; this agon reads form ${VERSION}`)
      return dump as unknown as RunDump
    })
  }
  throw new UserError(`${file}: no archive of agon export: it has no run.json`)
}

/** What an import cannot do without; the rest is taken as it stands. */
const dumpSchema = z.looseObject({
  agonArchive: z.int(),
  run: z.looseObject({ id: z.string(), tournament: z.string().regex(/^[0-9a-f]{32}$/), plan: z.looseObject({}) }),
  entrants: z.array(z.looseObject({ name: z.string(), hash: z.string() })),
  exclusions: z.array(z.looseObject({})),
  rulings: z.array(z.looseObject({})),
  ratings: z.array(z.looseObject({})),
  log: z.array(z.looseObject({})),
  kept: z.array(z.looseObject({})),
  stderr: z.record(z.string(), z.string()),
})

/** Reads the units of an archive, in the order in which they were stored. */
export async function* readUnits(file: string): AsyncGenerator<UnitDump> {
  let rows: string[][] = []
  let faults: string[][] = []
  for await (const { name, data } of filesOf(file)) {
    const text = data.toString()
    if (name.startsWith('matches-')) rows = spoken(file, () => parseCsv(text))
    else if (name.startsWith('faults-')) faults = spoken(file, () => parseCsv(text))
    else if (name.startsWith('records-'))
      yield* spoken(file, () => unitsOf(rows, faults, text.split('\n').slice(0, -1)))
  }
}

function unitsOf(rows: readonly string[][], faults: readonly string[][], records: readonly string[]): UnitDump[] {
  if (rows.length !== records.length) throw new Error(`${rows.length} matches and ${records.length} records`)
  const units: { key: string; matches: UnitDump['matches'][number][] }[] = []
  const byMatch = new Map<number, UnitDump['matches'][number]['faults'][number][]>()
  for (const [line, seat, turn, kind, why = 'null', said = 'null'] of faults) {
    const fault = FAULT_KINDS.find((one) => one === kind)
    if (fault === undefined) throw new Error(`no fault is called ${kind}`)
    const told = { why: JSON.parse(why) as string | null, said: JSON.parse(said) as string | null }
    const own = byMatch.get(Number(line)) ?? []
    byMatch.set(Number(line), own)
    own.push({
      seat: Number(seat),
      turn: Number(turn),
      fault,
      ...(told.why !== null && { why: told.why }),
      ...(told.said !== null && { said: told.said }),
    })
  }
  for (const [line, [key = '', , playoff, at = '', seats = '']] of rows.entries()) {
    if (!/^[0-9a-f]{32}$/.test(key)) throw new Error(`"${key}" is no unit's key`)
    const last = units.at(-1)
    const unit = last?.key === key ? last : { key, matches: [] }
    if (unit !== last) units.push(unit)
    unit.matches.push({
      record: parseRecord(records[line] ?? ''),
      faults: byMatch.get(line) ?? [],
      seats: seats.split(' ').map(Number),
      playoff: playoff === '1',
      at,
    })
  }
  return units
}

async function* filesOf(file: string): AsyncGenerator<{ name: string; data: Buffer }> {
  const source = createReadStream(file)
  const stream = source.pipe(createGunzip())
  source.on('error', (error) => stream.destroy(error))
  try {
    yield* readTar(stream as AsyncIterable<Buffer>)
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
    : new UserError(
        `${file}: no archive of agon export, or damaged: ${error instanceof Error ? error.message : String(error)}`,
      )

/** The rows below the heading of comma-separated values (RFC 4180). */
function parseCsv(text: string): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|$)/g)) {
    if (end === '' && row.length === 0) break
    row.push(quoted?.replaceAll('""', '"') ?? plain ?? '')
    if (end === ',') continue
    rows.push(row)
    row = []
  }
  return rows.slice(1)
}
