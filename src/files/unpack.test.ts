import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, describe, expect, it } from 'vitest'
import { type Packed, tarGzOf, tarOf, zipOf } from '../../test/site/archives.js'
import { unpack, writeSent } from './unpack.js'

const tree = mkdtempSync(join(tmpdir(), 'agon-unpack-'))
afterAll(() => rmSync(tree, { recursive: true, force: true }))

const kinds = [
  ['tar', tarOf],
  ['tar.gz', tarGzOf],
  ['zip', zipOf],
] as const

describe.each(kinds)('%s', (kind, make) => {
  it('gives its files, and whether they may be started', async () => {
    const files = await unpack(
      make([
        { name: 'bot.sh', data: 'echo B\n', mode: kind === 'zip' ? 0o100755 : 0o755 },
        { name: 'lib/a.txt', data: 'a' },
      ]),
    )
    expect(files.map(({ path, executable }) => [path, executable])).toEqual([
      ['bot.sh', true],
      ['lib/a.txt', false],
    ])
    expect(Buffer.from(files[0]?.data ?? []).toString()).toBe('echo B\n')
  })

  it('drops a folder that holds everything', async () => {
    const files = await unpack(
      make([
        { name: 'mybot/bot.sh', data: 'x' },
        { name: 'mybot/lib/a', data: 'y' },
      ]),
    )
    expect(files.map(({ path }) => path)).toEqual(['bot.sh', 'lib/a'])
  })

  const hostile: readonly (readonly [string, readonly Packed[]])[] = [
    ['a name that leads out', [{ name: '../x', data: 'x' }]],
    ['a name that leads out on a way', [{ name: 'a/../../x', data: 'x' }]],
    ['an absolute name', [{ name: '/etc/x', data: 'x' }]],
    ['a drive', [{ name: 'c:/x', data: 'x' }]],
    ['a backslash', [{ name: '..\\x', data: 'x' }]],
    ['a control character', [{ name: 'a\u0001b', data: 'x' }]],
    [
      'a name that comes twice',
      [
        { name: 'x', data: '1' },
        { name: 'x', data: '2' },
      ],
    ],
    [
      'names that a Mac takes for one',
      [
        { name: 'x', data: '1' },
        { name: 'X', data: '2' },
      ],
    ],
    ['nothing', []],
    ['a folder alone', [{ name: 'x/', type: '5', mode: 0o040755 }]],
    ['2,001 files', Array.from({ length: 2001 }, (_, n) => ({ name: `f${n}`, data: '' }))],
    ['a name 17 folders deep', [{ name: `${'a/'.repeat(17)}x`, data: 'x' }]],
    ['a size that is not so', [{ name: 'x', data: 'x', size: 1_000_000 }]],
    ['more bytes than are taken', [{ name: 'x', data: 'x', size: 80 * 1024 ** 2 }]],
  ]
  it.each(hostile)('refuses %s', async (_, files) => {
    await expect(unpack(make(files))).rejects.toThrow(/: /)
  })
})

describe('tar', () => {
  it.each([
    ['a link', '2'],
    ['a hard link', '1'],
    ['a device', '3'],
    ['a pipe', '6'],
  ])('refuses %s', async (_, type) => {
    await expect(
      unpack(
        tarOf([
          { name: 'x', type, link: '/etc/passwd' },
          { name: 'y', data: 'y' },
        ]),
      ),
    ).rejects.toThrow(/is a|cannot be read/)
  })

  it('refuses one that is cut off, or altered', async () => {
    const whole = tarOf([{ name: 'x', data: 'x'.repeat(2000) }])
    await expect(unpack(whole.subarray(0, 700))).rejects.toThrow('cannot be read')
    whole.write('y', 0)
    await expect(unpack(whole)).rejects.toThrow('cannot be read')
  })
})

describe('zip', () => {
  it.each([
    ['a link', 0o120777],
    ['a device', 0o020666],
    ['a pipe', 0o010666],
  ])('refuses %s', async (_, mode) => {
    await expect(unpack(zipOf([{ name: 'x', data: '/etc/passwd', mode }]))).rejects.toThrow(
      'is a link or a special file',
    )
  })

  it('refuses one that is cut off', async () => {
    const whole = zipOf([{ name: 'x', data: 'x' }])
    await expect(unpack(whole.subarray(0, whole.length - 5))).rejects.toThrow('cannot be read')
  })
})

describe('bombs', () => {
  it('are refused before they are unpacked', async () => {
    const bomb = gzipSync(Buffer.alloc(100 * 1024 ** 2))
    expect(bomb.length).toBeLessThan(200_000)
    await expect(unpack(bomb)).rejects.toThrow('bytes unpacked')
    await expect(unpack(gzipSync(bomb))).rejects.toThrow(/: /)
  })

  it('of what is no archive are refused as that', async () => {
    for (const data of ['', 'hello', 'PK\u0003\u0004', 'Rar!\u001a\u0007', '\u001f\u008b\u0008'])
      await expect(unpack(Buffer.from(data, 'latin1'))).rejects.toThrow(/make it again|holds no file/)
  })
})

describe('what is written', () => {
  it('lies below its folder, with modes of its own', () => {
    const folder = join(tree, 'written')
    writeSent(folder, [
      { path: 'bot.sh', data: Buffer.from('x'), executable: true },
      { path: './a//b.txt', data: Buffer.from('y') },
    ])
    expect(readFileSync(join(folder, 'a/b.txt'), 'utf8')).toBe('y')
    expect(statSync(join(folder, 'bot.sh')).mode & 0o111).not.toBe(0)
    expect(statSync(join(folder, 'a/b.txt')).mode & 0o111).toBe(0)
  })

  it.each(['../x', '/x', 'a/../../x', '', 'a/', 'x\\y', '.'])('is never %j', (path) => {
    const folder = join(tree, 'never')
    expect(() => writeSent(folder, [{ path, data: Buffer.from('x') }])).toThrow(/: /)
    expect(existsSync(folder)).toBe(false)
    expect(readdirSync(tree)).not.toContain('x')
  })

  it('is no file that is a folder, too', () => {
    const files = ['a', 'a/b'].map((path) => ({ path, data: Buffer.from('x') }))
    expect(() => writeSent(join(tree, 'both'), files)).toThrow('is a file and a folder')
  })
})
