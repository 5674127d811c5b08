import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { SqliteFile } from '../../store/index.js'
import { Remembered } from './remembered.js'

it('rows are read once, and again after each write, by whichever process', () => {
  const folder = mkdtempSync(join(tmpdir(), 'agon-remembered-'))
  const [db, other] = [new SqliteFile(join(folder, 'x.db')), new SqliteFile(join(folder, 'x.db'))]
  db.exec('PRAGMA journal_mode = WAL')
  db.exec('CREATE TABLE t (contest TEXT, n INTEGER)')
  const reads: string[] = []
  const rows = new Remembered(db, (contest) => {
    reads.push(contest)
    return db.all<{ n: number }>('SELECT n FROM t WHERE contest = ?', contest).map(({ n }) => n)
  })
  const add = (to: SqliteFile, n: number) => to.write(() => to.run('INSERT INTO t VALUES (?, ?)', 'a', n))
  expect([rows.of('a'), rows.of('a'), rows.of('b')]).toEqual([[], [], []])
  expect(reads).toEqual(['a', 'b'])
  add(db, 1)
  expect([rows.of('a'), rows.of('a')]).toEqual([[1], [1]])
  add(other, 2)
  expect([rows.of('a'), rows.of('a')]).toEqual([
    [1, 2],
    [1, 2],
  ])
  expect(reads).toEqual(['a', 'b', 'a', 'a'])
  for (let n = 0; n < 40; n++) rows.of(`c${n}`)
  rows.of('a')
  expect(reads.length).toBe(45)
  db.close()
  other.close()
  rmSync(folder, { recursive: true })
})
