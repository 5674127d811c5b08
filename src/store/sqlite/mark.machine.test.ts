import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, statSync, truncateSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { keyOf, played } from '../../../test/kit/records.js'
import { openStore, storeFile } from '../index.js'

let workspace = ''
beforeEach(() => {
  workspace = mkdtempSync(join(tmpdir(), 'agon-mark-'))
})
afterEach(() => rmSync(workspace, { recursive: true, force: true }))

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
