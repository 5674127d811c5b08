import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeEach, expect, test, vi } from 'vitest'
import { distrust, distrustAround, isTrustedFile, trustedProgram } from './index.js'

const top = mkdtempSync(join(tmpdir(), 'agon-trusted-'))
const { PATH, cwd } = { PATH: process.env['PATH'], cwd: process.cwd() }
afterAll(() => {
  process.env['PATH'] = PATH
  process.chdir(cwd)
  rmSync(top, { recursive: true, force: true })
})
let n = 0
let bin = ''
beforeEach(() => {
  bin = join(top, `case-${n++}`, 'bin')
  program(bin)
})
function program(folder: string, name = 'tool'): string {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, name), '#!/bin/sh\n', { mode: 0o755 })
  return join(folder, name)
}
/** Where a program is found with these folders in PATH. */
function found(...path: string[]): string | undefined {
  process.env['PATH'] = path.join(':')
  return trustedProgram('tool')
}

test('a program is found in PATH, by its name alone', () => {
  expect(found(bin)).toBe(join(bin, 'tool'))
  expect(found('/usr/bin')).toBeUndefined()
  expect(found(dirname(bin))).toBeUndefined()
  expect([trustedProgram('./tool'), trustedProgram(''), trustedProgram('bin/tool')]).toEqual([
    undefined,
    undefined,
    undefined,
  ])
})

test('not in a relative folder, nor where anyone may write', () => {
  process.chdir(bin)
  expect(found('.', '', 'bin', './')).toBeUndefined()
  process.chdir(cwd)
  chmodSync(bin, 0o777)
  expect(found(bin)).toBeUndefined()
  const open = join(top, 'open')
  program(join(open, 'bin'))
  chmodSync(open, 0o777)
  expect(found(join(open, 'bin'))).toBeUndefined()
  // As in /tmp, only its owner can put another folder in its place.
  const sticky = join(top, 'sticky')
  program(join(sticky, 'bin'))
  chmodSync(sticky, 0o1777)
  expect(found(join(sticky, 'bin'))).toBe(join(sticky, 'bin/tool'))
  const loose = program(join(top, 'loose'))
  chmodSync(loose, 0o777)
  expect(found(join(top, 'loose'))).toBeUndefined()
})

test('not in, above or by a link into a folder of an entrant', () => {
  const entry = join(top, `entry-${n}`)
  const inside = program(join(entry, 'sub/bin'))
  const clean = join(top, `clean-${n}`)
  program(clean)
  const links = join(top, `links-${n}`)
  mkdirSync(links)
  symlinkSync(inside, join(links, 'tool'))
  symlinkSync(join(entry, 'sub/bin'), join(top, `folder-link-${n}`))
  program(entry)
  const above = join(top, `above-${n}`)
  program(above)
  mkdirSync(join(above, 'entries/x'), { recursive: true })
  expect(found(join(entry, 'sub/bin'))).toBe(inside)
  distrust(entry)
  distrust(join(above, 'entries/x'))
  for (const folder of [entry, join(entry, 'sub/bin'), links, join(top, `folder-link-${n}`), above])
    expect(found(folder, clean)).toBe(join(clean, 'tool'))
  expect(isTrustedFile(inside)).toBe(false)
  expect(isTrustedFile(`/proc/self/root${inside}`)).toBe(false)
})

test('a file named in the home does not make all of it a stranger’s', () => {
  vi.stubEnv('HOME', join(top, 'home'))
  program(homedir())
  program(join(homedir(), 'sub/bin'))
  expect(isTrustedFile(join(homedir(), 'tool'))).toBe(true)
  distrustAround(homedir())
  expect(found(join(homedir(), 'sub/bin'))).toBe(join(homedir(), 'sub/bin/tool'))
  expect(found(bin)).toBe(join(bin, 'tool'))
  expect(isTrustedFile(join(homedir(), 'tool'))).toBe(false)
  vi.unstubAllEnvs()
  distrustAround(join(top, `case-${n - 1}`))
  expect(found(bin)).toBeUndefined()
})

test.runIf(process.getuid?.() === 0)('not where another user owns it', async () => {
  const { chownSync } = await import('node:fs')
  expect(found(bin)).toBe(join(bin, 'tool'))
  const other = join(top, `other-${n}`)
  program(other)
  chownSync(other, 12345, 12345)
  expect(found(other)).toBeUndefined()
})
