import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { strictErrors } from './kit/strict-types.js'

/**
 * Every example in README that opens with ```ts example is type-checked and run as a stranger would: a file outside the
 * package that imports it by its name. A ```text block that follows it at once is what it must print.
 */
const root = fileURLToPath(new URL('..', import.meta.url))
const readme = readFileSync(join(root, 'README.md'), 'utf8')
const examples = [
  ...readme.matchAll(/^```ts example\n(?<code>[^]*?)^```\n(?:\s*^```text\n(?<prints>[^]*?)^```$)?/gm),
].map(({ groups }, n) => ({
  file: `example${n + 1}.mts`,
  code: groups?.['code'] ?? '',
  prints: groups?.['prints'],
}))

const elsewhere = mkdtempSync(join(tmpdir(), 'agon-readme-'))
afterAll(() => {
  rmSync(elsewhere, { recursive: true, force: true })
})
const run = (args: readonly string[]): { status: number | null; stdout: string; all: string } => {
  const { error, status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: elsewhere, encoding: 'utf8' })
  if (error) throw error
  return { status, stdout, all: stdout + stderr }
}

describe('the examples in README', () => {
  it('are there', () => {
    expect(examples.length).toBeGreaterThan(0)
    mkdirSync(join(elsewhere, 'node_modules', '@types'), { recursive: true })
    symlinkSync(root, join(elsewhere, 'node_modules', 'agon'))
    symlinkSync(join(root, 'node_modules/@types/node'), join(elsewhere, 'node_modules/@types/node'))
    for (const { file, code } of examples) writeFileSync(join(elsewhere, file), code)
  })

  it('have the right types', () => {
    const files = examples.map(({ file }) => file)
    expect(strictErrors(elsewhere, files, 'node')).toEqual(['', 0])
  })

  it('have types without those of Node.js', () => {
    writeFileSync(join(elsewhere, 'types.mts'), `import * as agon from 'agon'\nexport const all = agon\n`)
    expect(strictErrors(elsewhere, ['types.mts'], '', true)).toEqual(['', 0])
  })

  it.each(examples)('$file runs and prints what README says', ({ file, prints }) => {
    const { status, stdout, all } = run(['--import', import.meta.resolve('tsx'), file])
    expect(status, all).toBe(0)
    if (prints !== undefined) expect(stdout).toBe(prints)
  })
})
