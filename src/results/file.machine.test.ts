import { execFileSync } from 'node:child_process'
import { createWriteStream, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { afterAll, expect, it } from 'vitest'
import { TAR_END, tarFile } from './tar.js'

const folder = mkdtempSync(join(tmpdir(), 'agon-archive-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

it('lines that a small archive blows up are counted before they are texts', { timeout: 120_000 }, async () => {
  const file = join(folder, 'lines')
  const rows = 'unit,place,playoff,at,seats,places,reason\r\n'
  const parts = [
    tarFile('matches-00001.csv', Buffer.from(rows)),
    tarFile('faults-00001.csv', Buffer.from(rows)),
    tarFile('records-00001.jsonl', Buffer.alloc(2 ** 25, '\n')),
    TAR_END,
  ]
  await pipeline(Readable.from(parts), createGzip(), createWriteStream(file))
  const code = `
    import { readJobs } from ${JSON.stringify(new URL('file.ts', import.meta.url).href)}
    await readJobs(${JSON.stringify(file)}).next().catch((error) => console.log(error.message))`
  const words = ['--max-old-space-size=150', '--import', import.meta.resolve('tsx'), '--input-type=module', '-e', code]
  expect(execFileSync(process.execPath, words, { encoding: 'utf8' })).toContain('0 matches and 33554432 records')
})
