import { execFileSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { keyOf, played, runOf } from '../../../test/kit/records.js'
import { UserError } from '../../core/index.js'
import { VERSION } from '../schema.js'
import { Database } from './database.js'
import { migrate, openDatabase, storeFile } from './open.js'
import { openStore } from './store.js'

let workspace = ''
beforeEach(() => {
  workspace = mkdtempSync(join(tmpdir(), 'agon-open-'))
})
afterEach(() => {
  rmSync(workspace, { recursive: true, force: true })
})

const file = () => storeFile(workspace)
/** A store with a match, closed again. */
async function filled(): Promise<void> {
  const store = openStore(workspace, 'test')
  await store.addRun(runOf('one'))
  await store.record('one', [{ key: keyOf(1), matches: [played('a', [0, 1], [1, 2])] }])
  await store.close()
}

/** A rollback journal without pages, which names a file as the journal above it (SQLite's file format, section 3). */
function journalNaming(above: string): Buffer {
  const magic = Buffer.from('d9d505f920a163d7', 'hex')
  const numbers = (...all: number[]): Buffer => {
    const bytes = Buffer.alloc(4 * all.length)
    for (const [i, each] of all.entries()) bytes.writeUInt32BE(each >>> 0, 4 * i)
    return bytes
  }
  const name = Buffer.from(above)
  const page = 4096
  const header = Buffer.concat([magic, numbers(0, 1, statSync(file()).size / page, 512, page)], 512)
  const sum = name.reduce((all, byte) => all + byte, 0)
  return Buffer.concat([header, numbers(0x40000000 / page + 1), name, numbers(name.length, sum), magic])
}

/** The same file with another number of its schema, which SQLite keeps in its header. */
const withVersion = (version: number) => (bytes: Buffer) =>
  Buffer.concat([bytes.subarray(0, 60), Buffer.from([0, 0, 0, version]), bytes.subarray(64)])

it('a file of an earlier version of the schema is brought to this one, step by step, and one of a later version is refused', async () => {
  await filled()
  const db = openDatabase(workspace)
  const steps = ['CREATE TABLE more (a INTEGER NOT NULL) STRICT', 'INSERT INTO more (a) VALUES (7)']
  migrate(db, steps)
  expect(db.get('SELECT a, (SELECT user_version FROM pragma_user_version) AS version FROM more')).toEqual({
    a: 7,
    version: VERSION + 2,
  })
  // Once alone.
  migrate(db, steps)
  expect(db.all('SELECT a FROM more')).toHaveLength(1)
  expect(() => migrate(db, [])).toThrow(/has version 3 of the schema, and this agon reads version 1: use the agon that/)
  expect(() => migrate(db, [...steps, 'no statement'])).toThrow('syntax error')
  expect(db.get('PRAGMA user_version')).toEqual({ user_version: VERSION + 2 })
  db.close()
})

describe('a file that cannot be the store', () => {
  const spoilt: Record<string, [spoil: (bytes: Buffer) => Buffer, why: RegExp]> = {
    empty: [() => Buffer.alloc(0), /is empty/],
    short: [(bytes) => bytes.subarray(0, 60), /no store of agon, or is damaged/],
    overwritten: [(bytes) => Buffer.concat([Buffer.alloc(4096, 7), bytes.subarray(4096)]), /or is damaged/],
    foreign: [
      (bytes) => Buffer.concat([bytes.subarray(0, 68), Buffer.from([1, 2, 3, 4]), bytes.subarray(72)]),
      /another program/,
    ],
    'of agon before 1.0': [
      (bytes) => Buffer.concat([bytes.subarray(0, 68), Buffer.from('agon'), bytes.subarray(72)]),
      /written by an agon before 1\.0, which this one does not read: use another workspace/,
    ],
    'of the next version of the schema': [withVersion(VERSION + 1), /use the agon that wrote it, or another workspace/],
    'of no version of the schema': [withVersion(0), /use the agon that wrote it, or another workspace/],
  }
  it.each(Object.entries(spoilt))('that is %s is refused by name and left as it is', async (_, [spoil, why]) => {
    await filled()
    const bytes = spoil(readFileSync(file()))
    writeFileSync(file(), bytes)
    const open = () => openStore(workspace, 'test')
    expect(open).toThrow(UserError)
    expect(open).toThrow(why)
    expect(open).toThrow(file())
    expect(readFileSync(file()).equals(bytes)).toBe(true)
  })

  it('with damage further in is reported as damaged', async () => {
    await filled()
    const bytes = readFileSync(file())
    bytes.fill(7, 4096)
    writeFileSync(file(), bytes)
    const store = openStore(workspace, 'test')
    await expect(store.runs()).rejects.toThrow(/agon\.db: is damaged/)
    await store.close()
    expect(readFileSync(file()).equals(bytes)).toBe(true)
  })

  it('with any one page damaged is read as it is, or reported as damaged, and never our own fault', async () => {
    await filled()
    const whole = readFileSync(file())
    let refused = 0
    for (let page = 1; page < whole.length / 4096; page++) {
      const bytes = Buffer.from(whole)
      bytes.fill(0xa5, page * 4096, (page + 1) * 4096)
      writeFileSync(file(), bytes)
      for (const name of readdirSync(workspace)) if (/-(?:wal|shm)$/.test(name)) rmSync(join(workspace, name))
      try {
        const store = openStore(workspace, 'test')
        try {
          for (const run of await store.runs()) {
            await store.results(run.id)
            await store.leaderboard(run.id)
            for await (const job of store.jobs(run.id)) expect(job.matches).toBeDefined()
          }
        } finally {
          await store.close()
        }
      } catch (error) {
        expect(error, `page ${page}: ${String(error)}`).toBeInstanceOf(UserError)
        expect(String(error)).toContain('agon.db')
        refused++
      }
    }
    expect(refused).toBeGreaterThan(0)
  })

  it('with damage in what was compressed, or in a record, is reported as damaged where that is read', async () => {
    const store = openStore(workspace, 'test')
    await store.addRun(runOf('one'))
    for (let n = 0; n < 65; n++)
      await store.record('one', [{ key: keyOf(n), matches: [played(`a/${n}`, [0, 1], [1, 2])] }])
    await store.close()
    const whole = readFileSync(file())
    const harm = async (sql: string, key: string): Promise<unknown> => {
      writeFileSync(file(), whole)
      const db = openDatabase(workspace)
      db.exec(sql)
      db.close()
      const harmed = openStore(workspace, 'test')
      try {
        return await harmed.read([key]).then(
          (read) => read.get(key),
          (error: unknown) => error,
        )
      } finally {
        await harmed.close()
      }
    }
    for (const [sql, key] of [
      [`UPDATE job SET records = zeroblob(length(records)) WHERE key = unhex('${keyOf(0)}')`, keyOf(0)],
      [`UPDATE match SET turns = 7 WHERE job = (SELECT number FROM job WHERE key = unhex('${keyOf(64)}'))`, keyOf(64)],
    ] as const) {
      const error = await harm(sql, key)
      expect(error, sql).toBeInstanceOf(UserError)
      expect(String(error)).toContain('agon.db: is damaged')
      expect(await harm(sql, key === keyOf(0) ? keyOf(64) : keyOf(0))).toHaveLength(1)
    }
  })

  it.each([
    'CREATE TRIGGER forged AFTER INSERT ON match BEGIN UPDATE match SET playoff = 1 WHERE id = new.id; END',
    'ALTER TABLE note RENAME TO was; CREATE VIEW note AS SELECT * FROM was',
    'CREATE VIRTUAL TABLE forged USING fts5(text)',
  ])('with a statement of its own is refused by name and left as it is: %s', async (sql) => {
    await filled()
    const db = openDatabase(workspace)
    db.exec(sql)
    db.close()
    const bytes = readFileSync(file())
    const open = () => openStore(workspace, 'test')
    expect(open).toThrow(UserError)
    expect(open).toThrow(/agon\.db holds a trigger, a view or a virtual table/)
    expect(readFileSync(file()).equals(bytes)).toBe(true)
  })

  it('that is a pipe is refused by name', () => {
    execFileSync('mkfifo', [file()])
    expect(() => openStore(workspace, 'test')).toThrow(/agon\.db is no plain file/)
  })

  it('that is a link is refused by name, and the file that it leads to stays as it is', async () => {
    await filled()
    const there = join(workspace, 'there')
    mkdirSync(there)
    renameSync(file(), storeFile(there))
    symlinkSync(storeFile(there), file())
    const bytes = readFileSync(storeFile(there))
    expect(() => openStore(workspace, 'test')).toThrow(/agon\.db is a link: name the folder of the file itself/)
    expect(readFileSync(storeFile(there)).equals(bytes)).toBe(true)
  })

  it.each(['wal', 'shm'])('whose -%s is a link or a pipe is refused by name', async (log) => {
    await filled()
    const path = `${file()}-${log}`
    rmSync(path, { force: true })
    const victim = join(workspace, 'victim')
    writeFileSync(victim, 'mine')
    symlinkSync(victim, path)
    expect(() => openStore(workspace, 'test')).toThrow(`${path} is no plain file`)
    expect(readFileSync(victim, 'utf8')).toBe('mine')
    rmSync(path)
    execFileSync('mkfifo', [path])
    expect(() => openStore(workspace, 'test')).toThrow(`${path} is no plain file`)
  })

  it('beside which lies a rollback journal is refused, and the file that the journal names stays', async () => {
    await filled()
    const victim = join(workspace, 'victim')
    writeFileSync(victim, 'mine')
    writeFileSync(`${file()}-journal`, journalNaming(victim))
    expect(() => openStore(workspace, 'test')).toThrow(`${file()}-journal is no file of agon`)
    expect(readFileSync(victim, 'utf8')).toBe('mine')
    // What this keeps SQLite from, in a copy that no connection of this test has open.
    const there = join(workspace, 'there')
    mkdirSync(there)
    for (const end of ['', '-journal']) copyFileSync(`${file()}${end}`, `${storeFile(there)}${end}`)
    new Database(storeFile(there)).get('SELECT * FROM serial')
    expect(existsSync(victim)).toBe(false)
  })

  it('that is a folder, or lies where none can be made, is refused by name', () => {
    mkdirSync(file())
    expect(() => openStore(workspace, 'test')).toThrow(/agon\.db is a folder/)
    writeFileSync(join(workspace, 'plain'), '')
    expect(() => openStore(join(workspace, 'plain'), 'test')).toThrow(UserError)
    expect(() => openStore(join(workspace, 'plain', 'below'), 'test')).toThrow(UserError)
  })
})

it('a full disk is said, loses nothing, and once there is room all goes on', async () => {
  await filled()
  const db = openDatabase(workspace)
  const pages = db.get<{ page_count: number }>('PRAGMA page_count')?.page_count ?? 0
  db.exec(`PRAGMA max_page_count = ${pages}`)
  const fill = () => {
    db.write(() => {
      for (let n = 0; n < 999; n++)
        db.run('INSERT INTO note (run, number, writer, kind, doc, sum) VALUES (0, ?, 0, ?, ?, 0)', n, '', '')
    })
  }
  expect(fill).toThrow(UserError)
  expect(fill).toThrow(/agon\.db: no space left on the disk/)
  const logged = () => db.get<{ n: number }>('SELECT count(*) AS n FROM note WHERE run = 0')?.n
  expect(logged()).toBe(0)
  db.exec(`PRAGMA max_page_count = ${pages + 100}`)
  fill()
  expect(logged()).toBe(999)
  db.close()
})

it('a store appears whole, and what was written is in the file itself once it is closed', async () => {
  openStore(workspace, 'test')
  expect(readdirSync(workspace).filter((name) => name.includes('new'))).toEqual([])
  await filled()
  const copy = join(workspace, 'copy')
  mkdirSync(copy)
  copyFileSync(file(), storeFile(copy))
  const store = openStore(copy, 'test')
  expect((await store.read([keyOf(1)])).get(keyOf(1))).toHaveLength(1)
  await store.close()
})
