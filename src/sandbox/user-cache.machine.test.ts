import { chmodSync, chownSync, linkSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { isOwn, openCache } from '../files/index.js'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'agon-cache-'))
})
afterEach(() => {
  vi.unstubAllEnvs()
  vi.resetModules()
  rmSync(folder, { recursive: true, force: true })
})
const file = (mode = 0o755): string => {
  const path = join(folder, 'program')
  writeFileSync(path, '')
  chmodSync(path, mode)
  return path
}
const isRoot = process.getuid?.() === 0

describe('what lies in a cache', () => {
  it('is used where it is a plain file of this user that no other user can write', () => {
    expect(isOwn(file(), 'file')).toBe(true)
    expect(isOwn(folder, 'folder')).toBe(true)
    expect(isOwn(join(folder, 'none'), 'file')).toBe(false)
    expect(isOwn(folder, 'file')).toBe(false)
  })

  it.each([0o775, 0o757, 0o777])('is not used with the mode %o', (mode) => {
    expect(isOwn(file(mode), 'file')).toBe(false)
    chmodSync(folder, mode)
    expect(isOwn(folder, 'folder')).toBe(false)
    expect(openCache(folder)).toBe(false)
  })

  it('is not used where it is a link of either kind', () => {
    const path = file()
    symlinkSync(path, join(folder, 'soft'))
    expect(isOwn(join(folder, 'soft'), 'file')).toBe(false)
    linkSync(path, join(folder, 'hard'))
    expect(isOwn(join(folder, 'hard'), 'file')).toBe(false)
    mkdirSync(join(folder, 'real'))
    symlinkSync(join(folder, 'real'), join(folder, 'led'))
    expect(openCache(join(folder, 'led'))).toBe(false)
  })

  it.runIf(isRoot)("is not used where it is another user's", () => {
    const path = file()
    chownSync(path, 65534, 65534)
    expect(isOwn(path, 'file')).toBe(false)
    chownSync(folder, 65534, 65534)
    expect(openCache(folder)).toBe(false)
  })
})

describe('a launcher that lies in the cache already', () => {
  /** The launcher that is found with this folder as the first cache, the package bringing none. */
  const found = async (): Promise<string | undefined> => {
    vi.stubEnv('XDG_CACHE_HOME', folder)
    vi.stubEnv('TMPDIR', folder)
    vi.resetModules()
    const { findLauncher } = await import('./launcher.js')
    return findLauncher()
  }

  it.runIf(process.platform === 'linux')(
    'is not run where others can write it, or the folder',
    async () => {
      const first = await found()
      // A machine without a compiler has none.
      if (first === undefined || !first.startsWith(folder)) return expect(first).toBeUndefined()
      expect(await found()).toBe(first)
      writeFileSync(first, '#!/bin/sh\necho planted\n')
      chmodSync(first, 0o777)
      expect(await found()).toBe(first)
      // It was made anew.
      expect(isOwn(first, 'file')).toBe(true)
      chmodSync(join(folder, 'agon'), 0o777)
      expect(await found()).not.toBe(first)
    },
    120_000,
  )
})
