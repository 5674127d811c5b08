import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { thisProcess } from '../../lease/index.js'
import { openStore } from '../index.js'

let parent = ''
let workspace = ''
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'agon-older-'))
  workspace = join(parent, 'ws')
})
afterEach(() => rmSync(parent, { recursive: true, force: true }))

const at = (name: string): string => join(workspace, name)
const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8)
const opened = (): Promise<void> => openStore(workspace, 'test').close()

/** A workspace as it was made before its modes were narrowed: no mark lies beside the store. */
async function older(): Promise<void> {
  await opened()
  rmSync(at('agon.db-mark'))
  for (const name of ['entrants', 'rooms']) mkdirSync(at(name))
  writeFileSync(at('agon.db.before-mend-1'), '')
  for (const name of ['entrants', 'rooms', '']) chmodSync(at(name), 0o755)
  for (const name of ['agon.db', 'agon.db.before-mend-1']) chmodSync(at(name), 0o644)
}

describe('a workspace of an earlier agon', () => {
  it('is closed to others when it is first opened, and not again', async () => {
    await older()
    await opened()
    for (const name of ['', 'entrants', 'rooms']) expect([name, modeOf(at(name))]).toEqual([name, '700'])
    for (const name of ['agon.db', 'agon.db-mark', 'agon.db.before-mend-1'])
      expect([name, modeOf(at(name))]).toEqual([name, '600'])
    // What the host opens to others after that is the host's affair.
    chmodSync(at('agon.db'), 0o640)
    await opened()
    expect(modeOf(at('agon.db'))).toBe('640')
  })

  it("keeps the modes of what is not agon's, and of a folder that the host keeps other things in", async () => {
    await older()
    writeFileSync(at('notes.txt'), '')
    writeFileSync(join(parent, 'elsewhere'), '')
    rmSync(at('agon.db.before-mend-1'))
    symlinkSync(join(parent, 'elsewhere'), at('agon.db.before-mend-1'))
    for (const path of [at('notes.txt'), join(parent, 'elsewhere')]) chmodSync(path, 0o644)
    await opened()
    expect([modeOf(at('agon.db')), modeOf(at('entrants'))]).toEqual(['600', '700'])
    expect([modeOf(workspace), modeOf(at('notes.txt')), modeOf(join(parent, 'elsewhere'))]).toEqual([
      '755',
      '644',
      '644',
    ])
  })

  it('loses what killed processes had half made of a store, and nothing of a living one', async () => {
    mkdirSync(workspace)
    const { pid: ended } = spawnSync('true')
    const [number = '', ...rest] = thisProcess().split('-')
    const gone = [`agon.db.new-${ended}`, `agon.db.new-${number}-1-${rest.slice(1).join('-')}`]
    const kept = [`agon.db.new-${process.pid}`, `agon.db.new-${process.ppid}-wal`, 'agon.db.newer', 'agon.db.new-x']
    for (const name of [...gone, ...kept]) writeFileSync(at(name), 'x')
    await opened()
    for (const name of gone) expect([name, existsSync(at(name))]).toEqual([name, false])
    for (const name of kept) expect([name, existsSync(at(name))]).toEqual([name, true])
  })
})
