import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { installLine } from './client.js'

const top = mkdtempSync(join(tmpdir(), 'agon-client-'))
afterAll(() => rmSync(top, { recursive: true, force: true }))
const inside = (...parts: readonly string[]): string => {
  const folder = join(top, ...parts)
  mkdirSync(folder, { recursive: true })
  return folder
}

const LINE = 'npm install pg@8.23.1 pg-boss@12.35.0'

describe('the command that installs what speaks to a server', () => {
  it('puts it into a checkout, whose package.json and lock file stay as they are', () => {
    const checkout = inside('agon')
    expect(installLine(checkout)).toBe(`${LINE} --no-save --prefix=${checkout}`)
  })

  it('puts it into the project where agon is installed', () => {
    const project = inside('my project')
    const root = inside('my project', 'node_modules', 'agon')
    writeFileSync(join(project, 'package.json'), '{}')
    expect(installLine(root)).toBe(`${LINE} --prefix="${project}"`)
  })

  it('puts it beside a global agon, whichever Node that belongs to', () => {
    expect(installLine(inside('usr', 'lib', 'node_modules', 'agon'))).toBe(
      `${LINE} --global --prefix=${join(top, 'usr')}`,
    )
  })
})

it.each(['README.md', 'docs/scale.md', 'deploy/Dockerfile', 'package.json'])('%s names the same versions', (file) => {
  const text = readFileSync(join(import.meta.dirname, '../../..', file), 'utf8')
  expect(text).toMatch(/npm install .*\bpg@8\.23\.1 pg-boss@12\.35\.0(?![\w.-])/)
})
