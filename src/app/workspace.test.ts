import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, utimesSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { partsFolder } from './workspace.js'

const folder = mkdtempSync(join(tmpdir(), 'agon-workspace-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

it('removes no old part of a series where a link leads to', () => {
  const key = 'd41d8cd98f00b204e9800998ecf8427e'
  const elsewhere = join(folder, 'elsewhere')
  mkdirSync(join(elsewhere, key), { recursive: true })
  utimesSync(join(elsewhere, key), 0, 0)
  const workspace = join(folder, 'workspace')
  mkdirSync(workspace)
  symlinkSync(elsewhere, join(workspace, 'series'))
  expect(() => partsFolder(workspace)).toThrow(`${join(workspace, 'series')} is a link`)
  expect(readdirSync(elsewhere)).toEqual([key])
  // In a folder of its own the same one is removed.
  mkdirSync(join(folder, 'own', 'series', key), { recursive: true })
  utimesSync(join(folder, 'own', 'series', key), 0, 0)
  expect(readdirSync(partsFolder(join(folder, 'own')))).toEqual([])
})
