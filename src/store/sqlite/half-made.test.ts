import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { thisProcess } from '../../files/index.js'
import { openStore } from '../index.js'

it('a workspace loses what killed processes had half made of a store, and nothing of a living one', async () => {
  const workspace = mkdtempSync(join(tmpdir(), 'agon-half-'))
  const at = (name: string): string => join(workspace, name)
  const { pid: ended } = spawnSync('true')
  const [number = '', , ...here] = thisProcess().split('-')
  const gone = [`agon.db.new-${ended}-1-${here.join('-')}`, `agon.db.new-${number}-1-${here.join('-')}-wal`]
  const kept = [`agon.db.new-${process.ppid}--${here.join('-')}-wal`, 'agon.db.newer', 'agon.db.new-x']
  for (const name of [...gone, ...kept]) writeFileSync(at(name), 'x')
  await openStore(workspace, 'test').close()
  for (const name of gone) expect([name, existsSync(at(name))]).toEqual([name, false])
  for (const name of kept) expect([name, existsSync(at(name))]).toEqual([name, true])
  rmSync(workspace, { recursive: true })
})
