import { createHash } from 'node:crypto'
import { closeSync, existsSync, lstatSync, mkdirSync, openSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type EntrantFacts, type Standings, visible } from '../core/index.js'
import { reserve } from '../files/index.js'
import type { JobStore } from '../store/index.js'
import { type Crosstable, crosstableCsv, crosstableMarkdown, crosstableTitle } from '../tournament/index.js'
import { standingsCsv, standingsMarkdown, unmarked } from '../text/index.js'
import { type FaultCount, faultLines, faultsCsv } from './faults.js'
import { contestFact, makeFolder, replaceFile, replaceText, sweepHalfMade } from './folder-files.js'

export interface ArchivedLeftOut {
  readonly name: string
  readonly why: string
  /** What its build printed. */
  readonly log?: string
}

export interface ResultsFolder {
  readonly title: string
  /** How much was played, in a line. */
  readonly summary: string
  /** Facts of the contest, as contest.json. */
  readonly contest: Readonly<Record<string, unknown>>
  /** The results as one document. */
  readonly document: unknown
  readonly standings: Standings
  /** By index. */
  readonly entrants: readonly { readonly facts: EntrantFacts }[]
  readonly crosstable: Crosstable
  readonly faults: FaultCount
  readonly leftOut: readonly ArchivedLeftOut[]
  /** By name: the end of an entrant's standard error. */
  readonly stderr: ReadonlyMap<string, string>
  /** Keys of played jobs, in the schedule's order. */
  readonly jobKeys: readonly string[]
  readonly store: Pick<JobStore, 'lines'>
  /** The run is over. Before, no other user may read its seed. */
  readonly finished: boolean
}

/** agon's files in a results folder; nothing else is touched. */
const FILES = [
  'records.jsonl',
  'contest.json',
  'results.json',
  'standings.csv',
  'crosstable.csv',
  'faults.csv',
  'results.md',
  'report.html',
]
const LOGS = { stderr: '.stderr.txt', build: '.build.txt' }

/** What runs leave in these folders is no entrant's source. */
export function reserveResults(folders: readonly string[]): void {
  for (const folder of folders) reserve(folder, [...FILES, 'logs'])
}

export const holdsResults = (folder: string): boolean => FILES.some((name) => existsSync(join(folder, name)))

/** Whether a folder holds results of this seed, as `openResults` began them. */
export const holdsResultsOf = (folder: string, seed: string): boolean => contestFact(folder, 'seed') === seed

export function clearResults(folder: string): void {
  for (const name of FILES) rmSync(join(folder, name), { force: true })
  const logs = join(folder, 'logs')
  if (!hasLogs(logs)) return
  for (const name of readdirSync(logs)) {
    if (Object.values(LOGS).some((ending) => name.endsWith(ending))) rmSync(join(logs, name))
  }
}

/** Whether the logs' folder is there. Anything else of its name goes: through a link another folder's logs would be lost. */
function hasLogs(path: string): boolean {
  const stat = lstatSync(path, { throwIfNoEntry: false })
  if (stat !== undefined && !stat.isDirectory()) rmSync(path)
  return stat?.isDirectory() === true
}

/** Makes the results folder and its contest.json before anything is played. */
export async function openResults(folder: string, contest: Readonly<Record<string, unknown>>): Promise<void> {
  makeFolder(folder)
  // It shows the seed: private while the run lasts.
  await writeJson(join(folder, 'contest.json'), contest, PRIVATE)
}

/** Writes all results. The records stand in the schedule's order, however they were played. */
export async function writeResults(folder: string, results: ResultsFolder): Promise<void> {
  const to = (name: string) => join(folder, name)
  const mode = results.finished ? SHARED : PRIVATE
  if (!hasLogs(to('logs'))) mkdirSync(to('logs'))
  for (const own of [folder, to('logs')]) sweepHalfMade(own)
  await writeRecords(to('records.jsonl'), results, mode)
  await writeJson(to('contest.json'), results.contest, mode)
  await writeJson(to('results.json'), results.document, mode)
  await replaceText(to('standings.csv'), standingsCsv(results.standings, results.entrants), mode)
  await replaceText(to('crosstable.csv'), crosstableCsv(results.crosstable), mode)
  await replaceText(to('faults.csv'), faultsCsv(results.faults), mode)
  await replaceText(to('results.md'), asMarkdown(results), mode)
  const log = async (who: string, ending: string, text: string): Promise<void> => {
    const file = join(to('logs'), `${fileNameOf(who)}${ending}`)
    if (text === '') rmSync(file, { force: true })
    else await replaceText(file, text, mode)
  }
  for (const [name, text] of results.stderr) await log(name, LOGS.stderr, text)
  for (const { name, log: text = '' } of results.leftOut) await log(name, LOGS.build, text)
}

/** Bytes of a name in a file's: systems take 255, with endings, also of a half-made file. */
const NAME_BYTES = 192
/** Hexadecimal digits that tell cut names apart. */
const HASH = 12

/** A bot's name as one file's. Too long a one is cut, with a hash. */
function fileNameOf(name: string): string {
  const plain = name.replace(/[/\\\0]/g, '_')
  if (plain === name && Buffer.byteLength(name) <= NAME_BYTES) return name
  // Half a character at the cut is left out.
  const cut = Buffer.from(plain)
    .subarray(0, NAME_BYTES - HASH - 1)
    .toString()
    .replace(/\uFFFD+$/, '')
  return `${cut}-${createHash('sha256').update(name).digest('hex').slice(0, HASH)}`
}

function asMarkdown({ title, summary, standings, entrants, crosstable, faults, leftOut }: ResultsFolder): string {
  const list = (lines: readonly string[]) => lines.map((line) => `- ${unmarked(line)}\n`).join('')
  const section = (heading: string, text: string) => (text === '' ? '' : `\n## ${heading}\n\n${text}`)
  return [
    `# ${visible(title)}\n\n${unmarked(summary)}\n\n${standingsMarkdown(standings, entrants)}`,
    section(crosstableTitle(crosstable), crosstableMarkdown(crosstable)),
    section('Faults', list(faultLines(faults))),
    section('Left out', list(leftOut.map(({ name, why }) => `${name}: ${why}`))),
  ].join('')
}

/** Jobs read at once at most: each alone is a round trip to a server. */
const TOGETHER = 64
/** Bytes of records held at once, about: a job may be a long series. */
const HELD = 2 ** 22

async function writeRecords(file: string, { jobKeys, store }: ResultsFolder, mode: number): Promise<void> {
  await replaceFile(file, async (own) => {
    const fd = openSync(own, 'wx', mode)
    try {
      for (let [from, together] = [0, 1]; from < jobKeys.length;) {
        const jobs = jobKeys.slice(from, from + together)
        const read = await store.lines(jobs)
        const lines = jobs.map((key) => {
          const bytes = read.get(key)
          if (bytes === undefined) throw new Error(`the store holds no job ${key}`)
          return bytes
        })
        // Short jobs in one write: a system call for each would take longer than all the rest.
        for (const bytes of lines.length > 1 ? [Buffer.concat(lines)] : lines) writeFileSync(fd, bytes)
        const written = lines.reduce((sum, { length }) => sum + length, 0)
        from += jobs.length
        together = Math.max(1, Math.min(TOGETHER, 2 * together, Math.floor((HELD / written) * jobs.length)))
      }
    } finally {
      closeSync(fd)
    }
  })
}

/** Modes of files, less the umask: private, or as usual. */
const PRIVATE = 0o600
const SHARED = 0o666

const writeJson = (file: string, data: unknown, mode: number): Promise<void> =>
  replaceText(file, `${JSON.stringify(data, undefined, 2)}\n`, mode)
