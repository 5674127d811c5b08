import { spawn } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import type { MatchRecord } from '../core/index.js'
import { FileJournal } from './journal.js'
import { lockFolder } from './lock.js'

const place = mkdtempSync(join(tmpdir(), 'agon-store-'))
afterAll(() => rmSync(place, { recursive: true, force: true }))
let made = 0
const fresh = (): string => join(place, String(made++))

const record = (key: string): MatchRecord => ({
  agon: 1,
  key,
  game: 'gunduel',
  version: 1,
  options: {},
  luck: { seed: 'é\n"', at: 0 },
  field: 2,
  seats: [],
  ready: [],
  steps: [[[0, '\u0000\u00ff\u2028']]],
  outcome: { place: [1, 1], reason: 'turn limit' },
})
const disk = (text: string) => ({ 'state/x': Buffer.from(text).toString('base64') })

test('what is committed is there for who opens it next, unit by unit', () => {
  const folder = fresh()
  const first = new FileJournal(folder)
  first.commit('a', [record('a/1'), record('a/2')], {})
  first.commit('b/ü', [record('b')], {})
  expect([first.has('a'), first.has('b'), first.matches]).toEqual([true, false, 3])
  first.close()
  const second = new FileJournal(folder)
  expect([second.has('a'), second.has('b/ü'), second.matches]).toEqual([true, true, 3])
  expect(second.read('a')).toEqual([record('a/1'), record('a/2')])
  expect(second.read('b/ü')).toEqual([record('b')])
  expect(() => second.read('c')).toThrow('no unit c')
  second.close()
})

test('torn at any byte of its last line it has all that was committed before, and goes on from there', () => {
  const folder = fresh()
  const file = join(folder, 'journal.jsonl')
  const whole = new FileJournal(folder)
  whole.commit('a', [record('a')], { Ant: { now: disk('one') } })
  const before = readFileSync(file).length
  whole.commit('b', [record('b')], { Ant: { now: disk('one') } })
  whole.close()
  const length = readFileSync(file).length
  for (let cut = before; cut < length; cut++) {
    const copy = join(place, `torn-${cut}`)
    cpSync(folder, copy, { recursive: true })
    truncateSync(join(copy, 'journal.jsonl'), cut)
    const torn = new FileJournal(copy)
    expect([torn.has('a'), torn.has('b'), torn.kept('Ant')]).toEqual([true, false, { now: disk('one') }])
    torn.commit('b', [record('b')], {})
    torn.close()
    expect(readFileSync(join(copy, 'journal.jsonl'), 'utf8').split('\n')).toHaveLength(3)
    rmSync(copy, { recursive: true })
  }
})

test('a line that was changed by hand is told with its number and the remedy, and the folder is given back', () => {
  const folder = fresh()
  const journal = new FileJournal(folder)
  journal.commit('a', [record('a')], {})
  journal.close()
  writeFileSync(join(folder, 'journal.jsonl'), `${readFileSync(join(folder, 'journal.jsonl'), 'utf8')}{"unit":\n`)
  for (let twice = 0; twice < 2; twice++)
    expect(() => new FileJournal(folder)).toThrow(/journal\.jsonl:2: not a line that agon wrote.*--fresh/)
})

test('a snapshot is kept while someone holds it, and no longer', () => {
  const folder = fresh()
  const kept = (): number => readdirSync(join(folder, 'snapshots')).length
  const journal = new FileJournal(folder)
  journal.commit('1', [], { Ant: { now: disk('one') }, Bee: { now: disk('one'), start: disk('zero') } })
  expect(kept()).toBe(2)
  journal.commit('2', [], { Ant: { now: disk('two') } })
  expect([kept(), journal.kept('Ant'), journal.kept('Bee')]).toEqual([
    3,
    { now: disk('two') },
    { now: disk('one'), start: disk('zero') },
  ])
  journal.commit('3', [], { Bee: { now: disk('two') } })
  expect([kept(), journal.kept('Bee'), journal.kept('Cat')]).toEqual([1, { now: disk('two') }, undefined])
  journal.close()
  // One that was written by a run that was killed before its line was.
  writeFileSync(join(folder, 'snapshots', 'feed.json'), '{')
  const again = new FileJournal(folder)
  expect([kept(), again.kept('Ant')]).toEqual([1, { now: disk('two') }])
  again.close()
})

test('a folder is held by one at a time, also within a process, and given back at the end', () => {
  const folder = fresh()
  const journal = new FileJournal(folder)
  expect(() => new FileJournal(folder)).toThrow(`${folder} is in use by another agon (process ${process.pid})`)
  journal.close()
  new FileJournal(folder).close()
  expect(existsSync(join(folder, 'lock'))).toBe(false)
})

test('the lock of a process that lives is respected, of one that is gone or has another beginning taken over', async () => {
  const folder = place
  const file = join(folder, 'lock')
  const other = spawn('sleep', ['60'])
  const began = readFileSync(`/proc/${other.pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[19]
  writeFileSync(file, `${other.pid} ${began}`)
  expect(() => lockFolder(folder)).toThrow(`in use by another agon (process ${other.pid})`)
  // Another process has the number now.
  writeFileSync(file, `${other.pid} ${Number(began) - 1}`)
  lockFolder(folder)()
  other.kill('SIGKILL')
  await new Promise((ended) => other.once('exit', ended))
  for (const gone of [`${other.pid} ${began}`, `${process.pid} 1`, '', 'garbage']) {
    writeFileSync(file, gone)
    lockFolder(folder)()
    expect(readdirSync(folder).filter((name) => name.startsWith('lock'))).toEqual([])
  }
})
