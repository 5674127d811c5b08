import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { UserError } from '../../core/index.js'
import { runContest } from './run-once.js'

const folder = mkdtempSync(join(tmpdir(), 'agon-once-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

it('runs a contest in one call, and plays nothing twice', async () => {
  const options = { workspace: join(folder, 'workspace'), out: join(folder, 'out'), matches: 2, noIsolation: true }
  const first = await runContest('kuhn', { ...options, seed: 'a seed of sixteen letters' })
  expect([first.played, first.reused, first.leftOut]).toEqual([12, 0, []])
  expect(first.standings.rows).toHaveLength(4)
  expect(existsSync(join(first.out, 'results.json'))).toBe(true)
  const second = await runContest('kuhn', { ...options, resume: true })
  expect([second.played, second.reused]).toEqual([0, 12])
  await expect(runContest('kuhm', options)).rejects.toThrow(UserError)
})
