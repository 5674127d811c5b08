import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { installationOf } from './open-sandbox.js'

const top = mkdtempSync(join(tmpdir(), 'agon-installation-'))
function prefix(name: string, ...paths: string[]): string {
  for (const path of paths) {
    mkdirSync(dirname(join(top, name, path)), { recursive: true })
    writeFileSync(join(top, name, path), '')
  }
  return join(top, name)
}
const shownOf = (folder: string): string[] =>
  installationOf(join(folder, 'bin', 'tool')).map((path) => path.slice(folder.length + 1))

test('of an installation its programs and libraries are shown, and nothing else that lies there', () => {
  const folder = prefix(
    'python',
    'bin/tool',
    'lib/x',
    'lib64/x',
    'libexec/x',
    'include/x',
    'share/x',
    'pyvenv.cfg',
    'conf/password',
    'secrets/token',
    'bot.py',
    '.env',
  )
  expect(shownOf(folder)).toEqual(['bin', 'include', 'lib', 'lib64', 'libexec', 'pyvenv.cfg', 'share'])
})

test('a Java finds its settings', () => {
  expect(shownOf(prefix('jdk', 'bin/tool', 'lib/modules', 'conf/security/java.security', 'release'))).toEqual([
    'bin',
    'conf',
    'lib',
  ])
})

test('a program without libraries beside it, or in a home, is shown alone', () => {
  expect(shownOf(prefix('plain', 'bin/tool', 'etc/x'))).toEqual(['bin/tool'])
  expect(shownOf(prefix('home/.local', 'bin/tool', 'lib/x', 'share/secrets/token'))).toEqual(['bin/tool'])
  for (const folder of ['/home/ann', '/home', homedir(), dirname(homedir())])
    expect(installationOf(join(folder, 'bin', 'tool'))).toEqual([join(folder, 'bin', 'tool')])
})
