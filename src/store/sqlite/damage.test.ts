import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Cell, type Spoilt, cellsOf, withCell } from '../../../test/store/cells.js'
import { isClear, readSpoilt, rowHeads, smallStore } from '../../../test/store/flips.js'
import { Database } from './database.js'
import { storeFile } from './open.js'

/** `npm run test:hostile` (all) flips as many bits as CI (long) has no time for. */
const FLIPS = { all: 3000, long: 800 }[process.env['AGON_HOSTILE'] ?? '']
/** The long form takes the same places each time, unless it is given another seed to look elsewhere. */
const RUNS = FLIPS === undefined ? { numRuns: 60 } : { numRuns: FLIPS, seed: Number(process.env['AGON_FLIPS'] ?? 11) }
const workspace = mkdtempSync(join(tmpdir(), 'agon-damage-'))
afterAll(() => rmSync(workspace, { recursive: true, force: true }))
let good: Buffer = Buffer.alloc(0)
let cells: readonly Cell[] = []
let table: string | Error = ''
beforeAll(async () => {
  good = await smallStore(workspace)
  cells = cellsOf(storeFile(workspace))
  table = await readSpoilt(workspace, good)
})

/** Fails where a spoilt file shows anything else than the good one, or breaks in other words than for the host. */
async function honest(bytes: Buffer, what: string): Promise<boolean> {
  const read = await readSpoilt(workspace, bytes)
  if (typeof read === 'string') expect(read === table, `${what}: another table`).toBe(true)
  else expect(isClear(read), `${what}: ${read.stack ?? read.message}`).toBe(true)
  return typeof read !== 'string'
}

it('a bit that was flipped anywhere in the file, or where the types of columns lie, gives the same table, or one line that names it', async () => {
  let refused = 0
  const anywhere = fc.nat({ max: good.length - 1 })
  await fc.assert(
    fc.asyncProperty(fc.oneof(anywhere, fc.constantFrom(...rowHeads(good))), fc.nat({ max: 7 }), async (at, bit) => {
      const bytes = Buffer.from(good)
      bytes[at] = (bytes[at] ?? 0) ^ (1 << bit)
      if (await honest(bytes, `byte ${at}, bit ${bit}`)) refused++
    }),
    RUNS,
  )
  expect(refused).toBeGreaterThan(0)
}, 600_000)

it('a value that was replaced by one of another type gives the same table, or one line that names the file', async () => {
  const values: readonly Spoilt[] = [
    null,
    0,
    7,
    0.5,
    -1,
    '',
    '1',
    'x',
    '{}',
    '[]',
    'null',
    new Uint8Array(),
    new Uint8Array([7]),
  ]
  // Every column is as likely as any other: most rows are those of a few tables.
  const columns = [...new Set(cells.map(({ table: of, column }) => `${of} ${column}`))]
  let refused = 0
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...columns), fc.nat(), fc.constantFrom(...values), async (column, n, value) => {
      const own = cells.filter((one) => `${one.table} ${one.column}` === column)
      const cell = own[n % own.length]
      const bytes = cell && withCell(workspace, good, cell, value)
      if (cell === undefined || bytes === undefined) return
      const what = `${column} of row ${cell.row} as ${typeof value} ${String(value)}`
      if (await honest(bytes, what)) refused++
    }),
    RUNS,
  )
  expect(refused).toBeGreaterThan(0)
}, 600_000)

it('what goes wrong while rows are read is damage where an index hides a row, and else our own fault', () => {
  const file = join(workspace, 'one.db')
  const name = 'the only one'
  const open = (): Database => {
    const db = new Database(file, 'agon.db')
    db.exec('CREATE TABLE IF NOT EXISTS thing (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT')
    return db
  }
  const look = (db: Database, ours: boolean): unknown =>
    db.write(() => {
      if (ours || db.get('SELECT id FROM thing WHERE name = ?', name) === undefined)
        throw new TypeError('there is none')
      return 'there'
    })
  const whole = open()
  whole.run('INSERT INTO thing (name) VALUES (?)', name)
  expect(look(whole, false)).toBe('there')
  expect(() => look(whole, true)).toThrow(TypeError)
  whole.close()
  const bytes = readFileSync(file)
  // Once in the table, once in the index, which has the last page.
  bytes.write('T', bytes.lastIndexOf(name))
  writeFileSync(file, bytes)
  const spoilt = open()
  expect(() => look(spoilt, false)).toThrow('agon.db: is damaged')
  spoilt.close()
})
