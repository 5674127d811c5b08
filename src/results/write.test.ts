import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it, onTestFinished } from 'vitest'
import { thisProcess } from '../files/index.js'
import type { JobStore } from '../store/index.js'
import { type ResultsFolder, clearResults, openResults, writeResults } from './write.js'

const place = mkdtempSync(join(tmpdir(), 'agon-write-'))
afterAll(() => rmSync(place, { recursive: true }))

const EMPTY: Omit<ResultsFolder, 'store'> = {
  entrants: [],
  title: 'Names',
  summary: '',
  contest: {},
  document: {},
  standings: { columns: [], rows: [], notes: [] },
  crosstable: { names: [], ahead: false, rows: [] },
  faults: new Map(),
  leftOut: [],
  stderr: new Map(),
  jobKeys: [],
  finished: true,
}

it('nothing is written through a link that waits where a file is made', async () => {
  const mine = mkdtempSync(join(tmpdir(), 'agon-waiting-'))
  onTestFinished(() => rmSync(mine, { recursive: true }))
  const [out, victim] = [join(mine, 'out'), join(mine, 'victim')]
  writeFileSync(victim, 'mine')
  mkdirSync(out)
  const names = ['contest.json', 'records.jsonl', 'results.md']
  const plant = () => names.forEach((name) => symlinkSync(victim, join(out, `${name}.new-${thisProcess()}`)))
  plant()
  await openResults(out, {})
  rmSync(out, { recursive: true })
  mkdirSync(out)
  plant()
  await writeResults(out, { ...EMPTY, store: {} as JobStore })
  expect(readFileSync(victim, 'utf8')).toBe('mine')
  expect(names.map((name) => lstatSync(join(out, name)).isFile())).toEqual([true, true, true])
})

it('logs of another folder, to which a link leads, are neither removed nor written', async () => {
  const elsewhere = join(place, 'elsewhere')
  const out = join(place, 'linked')
  mkdirSync(elsewhere)
  mkdirSync(out)
  writeFileSync(join(elsewhere, 'Ant.stderr.txt'), 'mine')
  symlinkSync(elsewhere, join(out, 'logs'))
  clearResults(out)
  symlinkSync(elsewhere, join(out, 'logs'))
  await writeResults(out, { ...EMPTY, stderr: new Map([['Ant', 'said']]), store: {} as JobStore })
  expect(readFileSync(join(elsewhere, 'Ant.stderr.txt'), 'utf8')).toBe('mine')
  expect(readFileSync(join(out, 'logs', 'Ant.stderr.txt'), 'utf8')).toBe('said')
  expect(lstatSync(join(out, 'logs')).isDirectory()).toBe(true)
  for (const path of [elsewhere, out]) rmSync(path, { recursive: true })
})

it('what bots wrote is kept in files of its own folder, whatever the bots are called', async () => {
  const names = ['Ant', '😀'.repeat(64), `${'😀'.repeat(63)}😁`, '../../up', '/etc/x', 'a\\b', 'é'.repeat(100)]
  const results = {
    ...EMPTY,
    leftOut: names.map((name) => ({ name, why: 'it does not build', log: `built ${name}` })),
    stderr: new Map(names.map((name) => [name, `said ${name}`])),
  }
  const out = join(place, 'deep', 'er', 'out')
  await openResults(out, {})
  await writeResults(out, { ...results, store: {} as JobStore })
  const logs = join(out, 'logs')
  const said = readdirSync(logs).map((name) => readFileSync(join(logs, name), 'utf8'))
  expect(said.sort()).toEqual(names.flatMap((name) => [`built ${name}`, `said ${name}`]).sort())
  expect(existsSync(join(logs, 'Ant.stderr.txt'))).toBe(true)
  expect(readdirSync(place)).toEqual(['deep'])
})
