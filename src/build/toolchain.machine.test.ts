import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { distrust } from '../files/index.js'
import { toolchainOf, toolsNamed } from './toolchain.js'

const folder = mkdtempSync(join(tmpdir(), 'agon-tools-'))
const path = process.env['PATH']
process.env['PATH'] = `${folder}:${path}`
afterAll(() => {
  process.env['PATH'] = path
  rmSync(folder, { recursive: true, force: true })
})

function program(name: string, text: string): string {
  const file = join(folder, name)
  writeFileSync(file, `#!/bin/sh\n${text}\n`)
  chmodSync(file, 0o755)
  return file
}

it('tells each program once, with its version, in whatever order they come', async () => {
  const a = program('alang', 'echo; echo "alang 1.2 (test)"; echo more 3')
  const b = program('blang', 'echo "on standard error: 4.5" >&2')
  const versions = await toolchainOf([a, b, a, process.execPath])
  expect(versions).toBe(`alang: alang 1.2 (test); blang: on standard error: 4.5; node ${process.version}`)
  expect(await toolchainOf([process.execPath, b, a])).toBe(versions)
})

it('takes programs with their versions apart again, without starting one', async () => {
  const c = program('dlang', 'echo "dlang: 1.2"')
  const text = await toolchainOf([c, 'no-such-program', process.execPath])
  expect(toolsNamed([text, 'sh: 9.9'])).toEqual({ dlang: 'dlang: 1.2', node: process.version, sh: '9.9' })
})

it('tells a program without a version by its size, and one that is missing by its name', async () => {
  const mute = program('mute', 'exit 2')
  expect(await toolchainOf([mute, 'no-such-program'])).toBe('mute: 17 bytes; no-such-program')
})

it('asks again only where the file has changed', async () => {
  const file = program(
    'clang',
    `echo x >> '${join(folder, 'calls')}'; echo clang $(wc -l < '${join(folder, 'calls')}')`,
  )
  utimesSync(file, 1, 1)
  for (let time = 0; time < 2; time++) expect(await toolchainOf([file])).toBe('clang: clang 1')
  utimesSync(file, 2, 2)
  expect(await toolchainOf([file])).toBe('clang: clang 2')
})

it('starts nothing of a folder that is not in PATH, or that an entrant could have written', async () => {
  const inside = join(folder, 'entry')
  mkdirSync(inside)
  const ran = join(folder, 'ran')
  for (const name of ['dlang', 'elang']) {
    writeFileSync(join(inside, name), `#!/bin/sh\ntouch '${ran}'\necho 1.0\n`)
    chmodSync(join(inside, name), 0o755)
  }
  const { size } = statSync(join(inside, 'dlang'))
  expect(await toolchainOf([join(inside, 'dlang'), './dlang'])).toBe(`dlang; dlang: ${size} bytes`)
  process.env['PATH'] = `${inside}:${process.env['PATH']}`
  distrust(inside)
  expect(await toolchainOf(['elang'])).toBe('elang')
  expect(existsSync(ran)).toBe(false)
})
