import { closeSync, existsSync, mkdirSync, openSync, readdirSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { Standings } from '../core/index.js'
import { formatRecord } from '../match/index.js'
import type { Journal } from '../store/index.js'
import {
  type Crosstable,
  crosstableCsv,
  crosstableMarkdown,
  standingsCsv,
  standingsMarkdown,
} from '../tournament/index.js'
import type { FaultCount } from './faults.js'

/** What a run leaves behind for people and tools. */
export interface Archive {
  readonly title: string
  /** Facts of the contest, as contest.json. */
  readonly contest: Readonly<Record<string, unknown>>
  /** The document that --json prints. */
  readonly document: unknown
  readonly standings: Standings
  readonly crosstable: Crosstable
  readonly faults: FaultCount
  readonly stderr: ReadonlyMap<string, string>
  /** Units in the schedule's order. */
  readonly units: readonly string[]
  readonly journal: Journal
}

/** The files that agon writes into an archive folder; nothing else in it is ever touched. */
const FILES = [
  'records.jsonl',
  'contest.json',
  'results.json',
  'standings.csv',
  'crosstable.csv',
  'faults.csv',
  'results.md',
]

/** Whether a folder holds an archive already. */
export const holdsArchive = (folder: string): boolean => FILES.some((name) => existsSync(join(folder, name)))

/** Removes an archive's own files. */
export function clearArchive(folder: string): void {
  for (const name of FILES) rmSync(join(folder, name), { force: true })
  const logs = join(folder, 'logs')
  if (existsSync(logs)) for (const name of readdirSync(logs)) if (name.endsWith(LOG)) rmSync(join(logs, name))
}
const LOG = '.stderr.txt'

/** Lays claim to a folder before anything is played. */
export function claimArchive(folder: string, contest: Readonly<Record<string, unknown>>): void {
  mkdirSync(folder, { recursive: true })
  writeJson(join(folder, 'contest.json'), contest)
}

/** Writes the whole archive. The records stand in the schedule's order, whatever order they were played in. */
export function writeArchive(folder: string, archive: Archive): void {
  const to = (name: string) => join(folder, name)
  mkdirSync(to('logs'), { recursive: true })
  writeRecords(to('records.jsonl'), archive)
  writeJson(to('contest.json'), archive.contest)
  writeJson(to('results.json'), archive.document)
  writeFileSync(to('standings.csv'), standingsCsv(archive.standings))
  writeFileSync(to('crosstable.csv'), crosstableCsv(archive.crosstable))
  const faults = [...archive.faults.entries()].flatMap(([name, kinds]) =>
    Object.entries(kinds).map(([kind, n]) => `"${name.replaceAll('"', '""')}",${kind},${n}\n`),
  )
  writeFileSync(to('faults.csv'), `name,fault,count\n${faults.join('')}`)
  writeFileSync(
    to('results.md'),
    `# ${archive.title}\n\n${standingsMarkdown(archive.standings)}\n${crosstableMarkdown(archive.crosstable)}`,
  )
  for (const [name, text] of archive.stderr) if (text !== '') writeFileSync(to(join('logs', `${name}${LOG}`)), text)
}

function writeRecords(file: string, { units, journal }: Archive): void {
  const fd = openSync(file, 'w')
  try {
    for (const unit of units) {
      if (!journal.has(unit)) continue
      for (const record of journal.read(unit)) writeSync(fd, `${formatRecord(record)}\n`)
    }
  } finally {
    closeSync(fd)
  }
}

function writeJson(file: string, data: unknown): void {
  writeFileSync(file, `${JSON.stringify(data, undefined, 2)}\n`)
}
