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
  const files = fc.uniqueArray(
    fc.record({
      name: fc.stringMatching(/^[a-z0-9][a-z0-9.-]{0,89}$/),
      data: fc.uint8Array({ maxLength: 1500 }).map((bytes) => Buffer.from(bytes)),
    }),
    { maxLength: 5, selector: ({ name }) => name },
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

/** A header with these bytes in it, its sum put right. */
function header(name: string, at: number, text: string): Buffer {
  const bytes = tarFile(name, Buffer.alloc(0))
  bytes.write(text, at, 'latin1')
  bytes.write('        ', 148)
  const sum = bytes.reduce((all, byte) => all + byte, 0)
  bytes.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return bytes
}

it.each([
  ['a path out of it', header('../a.txt', 0, '../a.txt'), /is no file of an archive/],
  ['an absolute path', header('/etc/passwd', 0, '/etc/passwd'), /is no file of an archive/],
  ['a prefix before a name', header('a.txt', 345, '../../etc'), /is no file of an archive/],
  ['a link', header('a.txt', 156, '2'), /is not a regular file/],
  ['a hard link', header('a.txt', 156, '1'), /is not a regular file/],
  ['a device', header('a.txt', 156, '4'), /is not a regular file/],
  ['a folder', header('a.txt', 156, '5'), /is not a regular file/],
  ['a size that no memory holds', header('a.txt', 124, '77777777777'), /too large/],
  ['a negative size', header('a.txt', 124, '-0000000001'), /too large/],
  ['a size in another base', header('a.txt', 124, '\x80\x00\x00\x00\x00\x00\x00\x00\x7f\xff\xff\xff'), /too large/],
])('%s is refused before a byte of it is kept', async (_, bytes, why) => {
  await expect(read(Buffer.concat([bytes, TAR_END]))).rejects.toThrow(why)
})

it('a name that comes twice, and what has no end behind the end, are refused', async () => {
  const one = tarFile('a.txt', Buffer.from('1'))
  await expect(read(Buffer.concat([one, one, TAR_END]))).rejects.toThrow('a.txt is in it twice')
  let taken = 0
  const endless = async function* (): AsyncGenerator<Buffer> {
    yield Buffer.concat([one, TAR_END])
    for (; taken < 100; taken++) yield Buffer.alloc(2 ** 18)
  }
  const all = async () => {
    for await (const { name } of readTar(endless())) expect(name).toBe('a.txt')
  }
  await expect(all()).rejects.toThrow('more stands behind its end')
  expect(taken).toBeLessThan(10)
})

it('many small files are read, even if all come in one piece', async () => {
  const written = Array.from({ length: 1600 }, (_, n) => ({ name: `f${n}`, data: Buffer.from('1') }))
  const bytes = Buffer.concat([...written.map(({ name, data }) => tarFile(name, data)), TAR_END])
  expect(await read(bytes, bytes.length)).toEqual(written)
})
