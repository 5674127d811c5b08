import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { entrantsOf, keyOf, played, runOf } from '../../../test/kit/records.js'
import type { PlayedMatch } from '../data.js'
import { lineOf, linesOf } from '../packing.js'
import type { Store } from '../port.js'
import { openDatabase } from './open.js'
import { openStore } from './store.js'

let workspace: string
let store: Store
beforeEach(async () => {
  workspace = mkdtempSync(join(tmpdir(), 'agon-packs-'))
  store = openStore(workspace, 'test')
  await store.addRun(runOf('one'), entrantsOf())
})
afterEach(async () => {
  await store.close()
  rmSync(workspace, { recursive: true, force: true })
})

const MIB = 1024 ** 2
/** A match whose record holds so many characters of a bot. */
function talk(n: number, size: number): PlayedMatch {
  const match = played(`a/${n}`, [0, 1], [1, 2])
  return { ...match, record: { ...match.record, ready: [[0, { out: `${n}:${'x'.repeat(size)}` }]] } }
}
const job = (n: number, size: number) => ({ key: keyOf(n), matches: [talk(n, size)] })
const output = async (n: number): Promise<string> => {
  const [match] = await store.read(keyOf(n))
  return match?.record.ready[0]?.[1].out ?? ''
}

/** By pack the bytes of its lines, and the bytes that lie loose. */
function held(): { packs: number[]; loose: number } {
  const db = openDatabase(workspace)
  try {
    return {
      packs: db
        .all<{ data: Uint8Array }>('SELECT data FROM pack ORDER BY id')
        .map(({ data }) => brotliDecompressSync(data).length),
      loose: db.get<{ n: number }>('SELECT coalesce(sum(octet_length(record)), 0) AS n FROM loose')?.n ?? -1,
    }
  } finally {
    db.close()
  }
}

describe('a pack', () => {
  it('is closed by its bytes as well as by its count, whether matches land one by one or at once', async () => {
    for (let n = 0; n < 3; n++) await store.record('one', [job(n, 7 * MIB)])
    await store.record(
      'one',
      Array.from({ length: 3 }, (_, i) => job(3 + i, 7 * MIB)),
    )
    const { packs, loose } = held()
    expect(packs.length).toBeGreaterThanOrEqual(2)
    for (const bytes of packs) expect(bytes).toBeLessThanOrEqual(16 * MIB)
    expect(loose).toBeLessThanOrEqual(16 * MIB)
    for (let n = 0; n < 6; n++) expect((await output(n)).length).toBe(7 * MIB + 2)
  })

  it('is made for a record alone that is larger than it, and small ones beside it are as they were', async () => {
    for (const [n, size] of [10, 17 * MIB, 30].entries()) await store.record('one', [job(n, size)])
    for (const [n, size] of [10, 17 * MIB, 30].entries()) expect(await output(n)).toHaveLength(size + 2)
    expect(held().loose).toBeLessThan(MIB)
  })

  it('is opened as bytes: no text is made of more than a line', () => {
    const lines = ['{"é":1}', 'x'.repeat(1000), '', 'end']
    const packed = brotliCompressSync(lines.join('\n'))
    const text = vi.spyOn(Buffer.prototype, 'toString')
    try {
      const open = linesOf('agon.db', packed)
      expect(lines.map((_, slot) => lineOf(open, slot))).toEqual(lines)
      expect(lineOf(open, 4)).toBeUndefined()
      expect(Math.max(...text.mock.results.map(({ value }) => String(value).length))).toBe(1000)
    } finally {
      text.mockRestore()
    }
  })

  it('that is another, lies elsewhere or was changed is not believed, and what is damaged is not packed', async () => {
    const spoil = (sql: string, ...values: (string | Uint8Array)[]): void => {
      const db = openDatabase(workspace)
      db.run(sql, ...values)
      db.close()
    }
    const read = async (n: number): Promise<string> => {
      // What was opened before is kept: a new store has opened nothing.
      await store.close()
      store = openStore(workspace, 'test')
      return output(n).catch((error: unknown) => String(error))
    }
    const damaged = /agon\.db: is damaged/
    for (let n = 0; n < 70; n++) await store.record('one', [job(n, 10)])
    expect(held().packs).toHaveLength(1)
    // The same lines, with one letter changed, packed again.
    const db = openDatabase(workspace)
    const good = db.get<{ data: Uint8Array }>('SELECT data FROM pack')?.data ?? new Uint8Array()
    db.close()
    const other = brotliCompressSync(brotliDecompressSync(good).toString().replace('0:xxx', '0:xyx'))
    spoil('UPDATE pack SET data = ?', other)
    expect(await read(0)).toMatch(damaged)
    spoil('UPDATE pack SET data = ?', good)
    expect(await read(0)).toBe(`0:${'x'.repeat(10)}`)
    spoil('UPDATE match SET slot = 1 WHERE slot = 0')
    expect(await read(0)).toMatch(damaged)
    expect(await read(1)).toBe(`1:${'x'.repeat(10)}`)
    spoil("UPDATE loose SET record = replace(record, '64:xxx', '64:xyx')")
    expect(await read(64)).toMatch(damaged)
    expect(await read(65)).toBe(`65:${'x'.repeat(10)}`)
    for (let n = 70; n < 140; n++) await store.record('one', [job(n, 10)])
    expect(held().packs).toHaveLength(1)
    expect(await read(64)).toMatch(damaged)
    expect(await read(139)).toBe(`139:${'x'.repeat(10)}`)
  })

  it('that cannot be made leaves the records loose, and the match stands', async () => {
    const memory = vi.spyOn(Buffer, 'allocUnsafe').mockImplementation(() => {
      throw new RangeError('no memory')
    })
    try {
      for (let n = 0; n < 66; n++) await store.record('one', [job(n, 10)])
      await store.record(
        'one',
        Array.from({ length: 70 }, (_, i) => job(66 + i, 10)),
      )
    } finally {
      memory.mockRestore()
    }
    expect(held().packs).toEqual([])
    expect(await output(135)).toHaveLength(14)
    await store.record('one', [job(136, 10)])
    expect(held().packs).toHaveLength(2)
    for (const n of [0, 63, 64, 135, 136]) expect(await output(n)).toMatch(new RegExp(`^${n}:x{10}$`))
  })
})
