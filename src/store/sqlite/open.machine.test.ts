import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Database } from './database.js'
import { storeFile } from './open.js'
import { openStore } from './store.js'

let workspace = ''
beforeEach(() => {
  workspace = mkdtempSync(join(tmpdir(), 'agon-open-'))
})
afterEach(() => {
  rmSync(workspace, { recursive: true, force: true })
})
const file = () => storeFile(workspace)

describe('several processes', () => {
  const child = (from: number) =>
    spawn(
      process.execPath,
      ['--import', 'tsx', join(import.meta.dirname, '../../../test/store/writer.ts'), workspace, String(from)],
      {
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    )
  const acknowledged = (writer: ReturnType<typeof child>) => {
    let text = ''
    writer.stdout.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
    return () => text.split('\n').slice(0, -1)
  }

  it('open a fresh store at once and lose none of their writes', async () => {
    const writers = [0, 1000, 2000].map(child)
    const lines = writers.map(acknowledged)
    await Promise.all(writers.map((writer) => new Promise((done) => writer.once('close', done))))
    const keys = lines.flatMap((line) => line())
    expect(keys.length).toBe(600)
    const store = openStore(workspace, 'test')
    for (const [, matches] of await store.read(keys)) expect(matches).toHaveLength(2)
    expect((await store.read(keys)).size).toBe(600)
    expect((await store.runs()).map(({ matches }) => matches)).toEqual([400, 400, 400])
    await store.close()
  })

  it('killed at any moment leave every job that was acknowledged, whole, and none in part', async () => {
    for (let kill = 0; kill < 3; kill++) {
      const writer = child(kill * 1000)
      const lines = acknowledged(writer)
      while (lines().length < 20 + 30 * kill) await new Promise((done) => setTimeout(done, 1))
      writer.kill('SIGKILL')
      await new Promise((done) => writer.once('close', done))
      const db = new Database(file())
      expect(db.get('PRAGMA integrity_check')).toEqual({ integrity_check: 'ok' })
      expect(db.all('SELECT 1 FROM match GROUP BY job HAVING count(*) <> 2')).toEqual([])
      db.close()
      const store = openStore(workspace, 'test')
      const read = await store.read(lines())
      for (const key of lines()) expect(read.get(key)).toHaveLength(2)
      const run = await store.run(`run ${kill * 1000}`)
      expect((await store.results(`run ${kill * 1000}`)).size).toBe(run?.matches)
      await store.close()
    }
    expect(existsSync(file())).toBe(true)
  })
})
