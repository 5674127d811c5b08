import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { keyOf, played } from '../../../test/kit/records.js'
import { openStore, storeFile } from '../index.js'
import { type Level, Mark } from './mark.js'

let workspace = ''
beforeEach(() => {
  workspace = mkdtempSync(join(tmpdir(), 'agon-mark-'))
})
afterEach(() => rmSync(workspace, { recursive: true, force: true }))

describe('the mark beside a store', () => {
  const written = (...levels: readonly Level[]) => {
    const mark = new Mark(join(workspace, 'mark'))
    for (const level of levels) mark.write(level)
    mark.close()
  }
  const lost = (level: Level) => {
    const mark = new Mark(join(workspace, 'mark'))
    const found = mark.lost(() => level)
    mark.close()
    return found
  }
  const level = (commits: number, matches: number, store = 'one'): Level => ({ store, commits, matches })

  it('tells what was committed beyond what is there, of the store that it is of', () => {
    written(level(12, 30))
    expect(lost(level(10, 25))).toEqual({ commits: 2, matches: 5 })
    expect(lost(level(12, 30))).toBeUndefined()
    expect(lost(level(10, 25, 'two'))).toBeUndefined()
  })

  it('says nothing of what another process commits while the store is opened', () => {
    written(level(12, 30))
    const mark = new Mark(join(workspace, 'mark'))
    const now = () => {
      // The other's commit ends after our look at the store.
      written(level(13, 31))
      return level(12, 30)
    }
    expect(mark.lost(now)).toBeUndefined()
    mark.close()
  })

  it('is what was written last, whether that is shorter or longer', () => {
    written(level(1_000_000, 2_000_000), level(5, 6))
    expect(lost(level(4, 6))).toEqual({ commits: 1, matches: 0 })
    written(level(1_000_000, 2_000_000))
    expect(lost(level(4, 6))).toEqual({ commits: 999_996, matches: 1_999_994 })
  })

  it('that is damaged is none', () => {
    written(level(12, 30))
    const file = join(workspace, 'mark')
    writeFileSync(file, readFileSync(file, 'utf8').replace('12', '92'))
    expect(lost(level(10, 25))).toBeUndefined()
    writeFileSync(file, '')
    expect(lost(level(10, 25))).toBeUndefined()
  })
})

/** A writer that is killed once it has stored so many jobs of two matches. */
async function killedAfter(jobs: number): Promise<void> {
  const writer = spawn(
    process.execPath,
    ['--import', 'tsx', join(import.meta.dirname, '../../../test/store/writer.ts'), workspace, '0'],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  let lines = 0
  await new Promise<void>((done) => {
    writer.stdout.setEncoding('utf8').on('data', (text: string) => {
      lines += text.split('\n').length - 1
      if (lines >= jobs) done()
    })
  })
  writer.kill('SIGKILL')
  await new Promise((done) => writer.once('close', done))
}

it('a store whose writer was killed has lost nothing, and says nothing', async () => {
  await killedAfter(20)
  const store = openStore(workspace, 'test')
  expect(store.lost).toBeUndefined()
  await store.close()
})

it.each([
  ['removed', (log: string) => rmSync(log)],
  ['cut to the half', (log: string) => truncateSync(log, statSync(log).size / 2)],
])('a log that was %s is noticed until something is written, and what is left is taken on', async (_, harm) => {
  await killedAfter(20)
  harm(`${storeFile(workspace)}-wal`)
  for (let look = 0; look < 2; look++) {
    const store = openStore(workspace, 'test')
    expect(store.lost?.matches).toBeGreaterThan(0)
    // The run itself was brought into the file before its first match.
    expect((await store.runs()).map(({ id }) => id)).toEqual(['run 0'])
    if (look === 1) await store.record('run 0', [{ key: keyOf(5000), matches: [played('more', [0, 1], [1, 2])] }])
    await store.close()
  }
  const store = openStore(workspace, 'test')
  expect(store.lost).toBeUndefined()
  expect((await store.results('run 0')).size).toBe((await store.run('run 0'))?.matches)
  await store.close()
})
