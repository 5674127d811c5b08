import { spawnSync } from 'node:child_process'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { TAR_END, readTar, tarFile } from './tar.js'

async function* inPieces(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

async function read(bytes: Buffer, size = 1000): Promise<{ name: string; data: Buffer }[]> {
  const files: { name: string; data: Buffer }[] = []
  for await (const file of readTar(inPieces(bytes, size))) files.push(file)
  return files
}

it('what was written is read back, however its bytes come', async () => {
  const files = fc.array(
    fc.record({
      name: fc.stringMatching(/^[a-z0-9.-]{1,90}$/),
      data: fc.uint8Array({ maxLength: 1500 }).map((bytes) => Buffer.from(bytes)),
    }),
    { maxLength: 5 },
  )
  await fc.assert(
    fc.asyncProperty(files, fc.integer({ min: 1, max: 2000 }), async (written, size) => {
      const bytes = Buffer.concat([...written.map(({ name, data }) => tarFile(name, data)), TAR_END])
      expect(bytes.length % 512).toBe(0)
      expect(await read(bytes, size)).toEqual(written)
    }),
    { numRuns: 40 },
  )
})

it('tar itself reads it', () => {
  const bytes = Buffer.concat([tarFile('a.txt', Buffer.from('hello\n')), tarFile('b', Buffer.alloc(513, 65)), TAR_END])
  const list = spawnSync('tar', ['tf', '-'], { input: bytes, encoding: 'utf8' })
  expect([list.status, list.stdout, list.stderr]).toEqual([0, 'a.txt\nb\n', ''])
  expect(spawnSync('tar', ['xOf', '-', 'a.txt'], { input: bytes, encoding: 'utf8' }).stdout).toBe('hello\n')
})

it('what is cut off or damaged is refused', async () => {
  const bytes = Buffer.concat([tarFile('a.txt', Buffer.from('hello\n')), TAR_END])
  await expect(read(bytes.subarray(0, 700))).rejects.toThrow('cut off')
  const bent = Buffer.from(bytes)
  bent[3] = 0x7a
  await expect(read(bent)).rejects.toThrow('a header is damaged')
})
