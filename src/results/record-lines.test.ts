import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, expect, it } from 'vitest'
import { UserError } from '../core/index.js'
import { linesOf } from './record-lines.js'

const folder = mkdtempSync(join(tmpdir(), 'agon-'))
afterAll(() => rmSync(folder, { recursive: true }))

const file = (name: string, data: string | Buffer): string => {
  writeFileSync(join(folder, name), data)
  return join(folder, name)
}

async function all(lines: AsyncIterable<string>): Promise<string[]> {
  const found: string[] = []
  for await (const line of lines) found.push(line)
  return found
}

it('gives the lines of a plain and of a compressed file, also one across two reads and one without an end', async () => {
  const long = 'x'.repeat(100_000)
  const text = `a\n\n${long}\nb\u2028\nlast`
  const lines = ['a', '', long, 'b\u2028', 'last']
  expect(await all(linesOf(file('plain.jsonl', text)))).toEqual(lines)
  expect(await all(linesOf(file('packed.jsonl.gz', gzipSync(text))))).toEqual(lines)
  expect(await all(linesOf(file('from.jsonl', text), 2))).toEqual(lines.slice(1))
})

it('refuses a line that a small compressed file blows up, before it is held as a whole', async () => {
  const bomb = file('bomb.jsonl.gz', gzipSync(Buffer.concat([Buffer.from('a\n'), Buffer.alloc(8_000_000)])))
  const found: string[] = []
  const read = async (): Promise<void> => {
    for await (const line of linesOf(bomb, 0, 1_000_000)) found.push(line)
  }
  await expect(read()).rejects.toThrow(new UserError(`${bomb}: cannot be read: a line has more than 1000000 bytes`))
  expect(found).toEqual(['a'])
})

it('refuses a file of empty lines, before it has passed over millions of them', async () => {
  const empty = file('empty.jsonl.gz', gzipSync(Buffer.alloc(3_000_000, '\r\n')))
  let found = 0
  const read = async (): Promise<void> => {
    for await (const line of linesOf(empty)) if (line === '\r') found++
  }
  await expect(read()).rejects.toThrow(
    new UserError(`${empty}: cannot be read: more than 1000000 of its lines are empty`),
  )
  expect(found).toBe(1_000_000)
})
