import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import type { JobStore } from '../store/index.js'
import { type ResultsFolder, openResults, writeResults } from './write.js'

const place = mkdtempSync(join(tmpdir(), 'agon-write-'))
afterAll(() => rmSync(place, { recursive: true }))

it('what bots wrote is kept in files of its own folder, whatever the bots are called', async () => {
  const names = ['Ant', '😀'.repeat(64), `${'😀'.repeat(63)}😁`, '../../up', '/etc/x', 'a\\b', 'é'.repeat(100)]
  const results: Omit<ResultsFolder, 'store'> = {
    title: 'Names',
    summary: '',
    contest: {},
    document: {},
    standings: { columns: [], rows: [], notes: [] },
    crosstable: { names: [], ahead: false, rows: [] },
    faults: new Map(),
    leftOut: names.map((name) => ({ name, why: 'it does not build', log: `built ${name}` })),
    stderr: new Map(names.map((name) => [name, `said ${name}`])),
    jobKeys: [],
    finished: true,
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
