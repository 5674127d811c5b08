import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { UserError } from '../../src/core/index.js'
import type { Store } from '../../src/store/port.js'
import { openStore, storeFile } from '../../src/store/index.js'
import { keyOf, played, runOf } from '../kit/records.js'

/** Matches of each of its rounds. */
const EACH = 24

/** A small store of everything that a table or a page is made from, closed. Returns its bytes. */
export async function smallStore(workspace: string): Promise<Buffer> {
  const store = openStore(workspace, 'test')
  await store.addRun(runOf('one', { began: '2024-04-01T10:00:00.000Z' }))
  await store.addRun(runOf('two', { seed: '2' }))
  for (const [n, run] of ['one', 'two', 'two'].entries()) {
    const jobs = Array.from({ length: EACH }, (_, i) => {
      const seats = [i % 4, (i + 1 + (i % 3)) % 4]
      const match = played(`1/x/${n * EACH + i}`, seats, i % 5 === 0 ? [1, 1] : [1, 2])
      const fault = { seat: 1, turn: 2, fault: 'timeout', why: 'late' } as const
      return { key: keyOf(n * EACH + i + 1), matches: [i % 7 === 0 ? { ...match, faults: [fault] } : match] }
    })
    await store.record(run, jobs)
  }
  await store.adopt('two', [keyOf(1), keyOf(2)])
  await store.exclude('two', { name: 'Dog', status: 'withdrawn', treatment: 'lost', why: 'ill' })
  const [first] = await store.matches('two')
  await store.rule('two', [{ match: first?.id ?? 0, outcome: { place: [2, 1], reason: 'ruled' }, why: 'x' }])
  await store.saveRatings('two', [{ entrant: 1, kind: 'elo', value: 12.5, low: -3, high: 40 }])
  await store.saveStderr('two', new Map([['Ant', 'oh no']]))
  const kept = { tournament: runOf('two').tournament, by: { Ant: { now: { 'a.txt': 'AAAA' } } } }
  await store.record('two', [{ key: keyOf(500), matches: [played('1/x/500', [0, 1], [1, 2])], kept }])
  await store.close()
  return readFileSync(storeFile(workspace))
}

/** The tables of a store, and all that they are made from; lists of some of its matches are not among them. */
export async function shownOf(store: Store): Promise<string> {
  const shown: unknown[] = []
  const runs = await store.runs()
  for (const run of runs) {
    const { id } = run
    shown.push(run, await store.run(id), [...(await store.results(id))])
    shown.push(await store.leaderboard(id), await store.exclusions(id), await store.ratings(id), await store.log(id))
    for (const { name } of run.entrants)
      shown.push(await store.stderr(id, name), await store.kept(run.tournament, name))
    for (const { id: match } of await store.matches(id)) shown.push(await store.recordOf(match))
    shown.push((await store.run(id))?.matches, await store.pairs(id), [...(await store.ruled(id))])
    shown.push(await store.dump(id))
    for await (const job of store.jobs(id)) shown.push(job)
  }
  return JSON.stringify(shown)
}

/** What comes of a store with these bytes: all that it shows, or the error. */
export async function readSpoilt(workspace: string, bytes: Buffer): Promise<string | Error> {
  const own = join(workspace, 'spoilt')
  rmSync(own, { recursive: true, force: true })
  mkdirSync(own)
  writeFileSync(storeFile(own), bytes)
  try {
    const store = openStore(own, 'test')
    try {
      return await shownOf(store)
    } finally {
      await store.close()
    }
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}

/** Kinds of a page in SQLite's file that holds rows of a table, or of an index. */
const LEAVES = new Set([13, 10])

/**
 * Where each row of a SQLite file begins and the bytes behind, which say how long it is and of which type each column
 * (https://www.sqlite.org/fileformat2.html): a bit that is flipped there makes a number, a text or some bytes NULL or something else.
 */
export function rowHeads(file: Buffer): number[] {
  const size = file.readUInt16BE(16)
  const places = new Set<number>()
  for (let page = 0; page < file.length; page += size) {
    const head = page === 0 ? 100 : page
    if (!LEAVES.has(file[head] ?? 0)) continue
    const rows = file.readUInt16BE(head + 3)
    for (let row = 0; row < rows; row++) {
      const start = page + file.readUInt16BE(head + 8 + 2 * row)
      for (let at = start; at < Math.min(start + 26, file.length); at++) places.add(at)
    }
  }
  return [...places]
}

/** Whether an error is one clear line that names the file. */
export const isClear = (error: Error): boolean =>
  error instanceof UserError && /^[^\n]*agon\.db[^\n]*$/.test(error.message)
