import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { cgroupRoots } from '../src/sandbox/cgroups.js'
import { sweepHalfMade } from '../src/results/folder-files.js'
import { Stage } from '../src/build/stage.js'
import { thisProcess } from '../src/files/index.js'

const top = mkdtempSync(join(tmpdir(), 'agon-left-'))
afterAll(() => rmSync(top, { recursive: true, force: true }))

/** This process as it would be called if it had begun earlier: its number has come again. */
const [pid = '', start = '', ...place] = thisProcess().split('-')
const ended = [pid, Number(start) - 1, ...place].join('-')
const roots = cgroupRoots()

describe('what ended processes left is removed, and what a running one holds is not', () => {
  it('of half-made stages', async () => {
    mkdirSync(join(top, 'entrants'))
    const names = [`.0a1b-${ended}-1`, `.0a1b-${thisProcess()}-1`]
    for (const name of names) mkdirSync(join(top, 'entrants', name, 'inner'), { recursive: true })
    expect(new Stage(top)).toBeInstanceOf(Stage)
    await vi.waitFor(() => expect(readdirSync(join(top, 'entrants'))).toEqual(names.slice(1)), 20_000)
  })

  it('of half-written results', () => {
    const names = [`results.json.new-${ended}`, `results.json.new-${thisProcess()}`, 'results.json']
    for (const name of names) writeFileSync(join(top, name), '{')
    sweepHalfMade(top)
    expect(names.map((name) => existsSync(join(top, name)))).toEqual([false, true, true])
  })

  it.runIf(roots.length > 0)('of cgroups', async () => {
    const all = roots.flatMap((root) => [join(root, `${ended}-1`), join(root, `${thisProcess()}-99999`)])
    for (const folder of all) mkdirSync(folder)
    try {
      vi.resetModules()
      const fresh = await import('../src/sandbox/cgroups.js')
      expect(fresh.cgroupRoots()).toEqual(roots)
      await vi.waitFor(() =>
        expect(all.filter((_, i) => i % 2 === 0).filter((folder) => existsSync(folder))).toEqual([]),
      )
      expect(all.filter((_, i) => i % 2 === 1).every((folder) => existsSync(folder))).toBe(true)
    } finally {
      for (const folder of all) if (existsSync(folder)) rmdirSync(folder)
    }
  })
})
