import { createWriteStream, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { afterAll, expect, it } from 'vitest'
import { UserError } from '../core/index.js'
import type { RunDump, JobDump } from '../store/index.js'
import { keyOf, played, runOf } from '../../test/kit/records.js'
import { archiveOf, readRun, readJobs, parseCsv } from './file.js'

const folder = mkdtempSync(join(tmpdir(), 'agon-archive-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const { entrants, ...head } = runOf('one')
const dump: RunDump = {
  run: { ...head, state: 'open', contest: { ...head.contest, title: 'With "quotes", commas\r\nand lines' } },
  entrants,
  exclusions: [{ name: 'Cat', status: 'withdrawn', treatment: 'void', why: '' }],
  stderr: { Ant: 'oh\u0000 no' },
  rulings: [{ place: 'a', outcome: { place: [1, 1], reason: 'ruled' }, why: 'x' }],
  ratings: [{ entrant: 0, kind: 'k', value: 1.25, low: 0, high: 2 }],
  log: [{ at: '2024-05-01T10:00:00.000Z', agon: '1', what: 'began', detail: { seed: 's' } }],
  kept: [{ tournament: 'ab'.repeat(16), entrant: 'Ant', kept: { now: { a: 'AA==' } } }],
}
const at = '2024-05-01T10:00:00.123Z'
const odd = { seat: 1, turn: 2, fault: 'unparsable', why: 'a "quoted", thing\r\n', said: '\u0000,"\n' } as const
const jobs: JobDump[] = [
  {
    key: keyOf(1),
    matches: [{ ...played('1/A,"B"/1', [1, 0], [2, 1], '"\n,'), faults: [odd, { ...odd, turn: 3 }], at }],
  },
  { key: keyOf(2), matches: [1, 2].map((n) => ({ ...played(`b/${n}`, [2, 3], [1, 1]), playoff: n === 2, at })) },
  ...Array.from({ length: 5100 }, (_, n) => ({
    key: keyOf(n + 10),
    matches: [
      {
        ...played(`c/${n}`, [0, 1, 2], [1, 2, 3]),
        faults: n === 5050 ? [{ seat: 0, turn: 0, fault: 'silent' } as const] : [],
        at,
      },
    ],
  })),
]

async function write(name: string): Promise<string> {
  const file = join(folder, name)
  const stream = async function* (): AsyncGenerator<JobDump> {
    yield* jobs
  }
  await pipeline(Readable.from(archiveOf(dump, stream())), createGzip(), createWriteStream(file))
  return file
}
async function all(file: string): Promise<JobDump[]> {
  const read: JobDump[] = []
  for await (const job of readJobs(file)) read.push(job)
  return read
}

it('an archive is read back as it was written, whatever texts are in it and in however many parts', async () => {
  const file = await write('one.tgz')
  expect(await readRun(file)).toEqual(dump)
  expect(await all(file)).toEqual(jobs)
})

it('the same run gives the same bytes', async () => {
  expect(readFileSync(await write('two.tgz')).equals(readFileSync(await write('three.tgz')))).toBe(true)
})

it('what is no archive, or cut off, is refused by name', async () => {
  const whole = readFileSync(await write('whole.tgz'))
  const cut = join(folder, 'cut.tgz')
  writeFileSync(cut, whole.subarray(0, whole.length / 2))
  await expect(all(cut)).rejects.toThrow(UserError)
  await expect(all(cut)).rejects.toThrow(cut)
  const other = join(folder, 'other.tgz')
  writeFileSync(other, 'something else')
  await expect(readRun(other)).rejects.toThrow(/other\.tgz: no archive of agon export/)
})

it('reads what stands below the heading, line ends within quotes included', () => {
  expect(parseCsv('a,b\r\n')).toEqual([])
  expect(parseCsv(Buffer.from('a,b\r\n1,"x\r\ny\n""é"""\r\n,\r\n'))).toEqual([
    ['1', 'x\r\ny\n"é"'],
    ['', ''],
  ])
})

it.each([
  ['a row that is too short', 'a,b\r\n1,2\r\n3\r\n', /line 3/],
  ['a row that is too long', 'a,b\r\n1,2,3\r\n', /line 2/],
  ['a quote that is not closed', 'a,b\r\n1,"2\r\n', /not closed/i],
  ['a quote within a value', 'a,b\r\n1,x"2"\r\n', /line 2/],
  ['something behind a closed quote', 'a,b\r\n1,"2"x\r\n', /line 2/],
])('refuses %s', (_, text, line) => {
  expect(() => parseCsv(text)).toThrow(line)
})

it.each([',', '\n'])('a table of more cells than any part has is refused before it is read: %j', (one) => {
  expect(() => parseCsv(Buffer.alloc(2 ** 25 + 1, one))).toThrow('it has more than 33554432 cells')
})
